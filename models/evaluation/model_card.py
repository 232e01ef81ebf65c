"""The evaluation results as Markdown: the section "How well they read" of the model card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from models.evaluation.results import BLENDER, NEW, SEEN, TABLES, TRAY, Clip, Figures, Origin, target_results
from models.evaluation.scoring import (
    BACKGROUND,
    EMBLEM,
    MISSED,
    Bin,
    ScoredPicture,
    Tally,
    by_source,
    colour_confusion,
    expected_calibration_error,
    face_confusion,
    reliability,
    wilson,
)

BASELINE_NAME = "blob baseline"
HASH_SHOWN = 12

EXPLAINED = f"""\
The results are by rig, because results on a known rig look better than the model is. Emblems and dice that
people cannot read are not scored. The *{BASELINE_NAME}* is the usual method without learning
(`models/evaluation/blobs.py`), scored on the same pictures."""

GLOSSARY = {
    "throw": "a picture with at least one scored die",
    "right": "dice with the right face, sure or unsure",
    "sure": "dice reported as sure, right or wrong",
    "sure+wrong": "sure dice with a wrong face or without a die",
    "missed": "dice not detected: false negatives, also dice whose tilt makes the face ambiguous",
    "false": "detections without a die: false positives",
    "throws": "throws wholly right: every face is right, no die is missed, no detection is false",
    "throws sure": "throws with at least one detected die in which no person is asked about any",
    "throws sure+wrong": "sure throws that are not wholly right",
    "ask": "pictures in which a person is asked",
    "silent": "pictures not wholly right in which no person is asked",
    "colour": "dice with the right colour, of the detected dice whose colour is known",
    "recall": "detected dice, of the scored dice",
    "precision": "detected dice, of these and the false positives",
    "face accuracy": "dice with the right face, of the detected dice",
    "ECE": "expected calibration error: mean difference of confidence and accuracy over the bins",
    "called cocked": "dice reported as cocked, of the detected dice that lean by over 20 degrees or are flat",
}
"""The terms of the tables, for the card and for --help."""


def section(figures: Figures, diagram: str | None = None, with_ms: bool = False) -> str:
    """The whole section.

    diagram: file name of the reliability diagram, or None. with_ms: include reading times.
    """
    parts = ["## How well they read", EXPLAINED, glossary_table(), origin(figures.origin)]
    parts += ["**Against the targets**", targets(figures)]
    if n := Tally.of(figures.nets.get(NEW, [])).undetected_throws:
        why = "nothing is accepted there, and no person is asked"
        parts.append(f"In {n} more {_throws(n)} no die was detected: {why}.")
    parts += _summary(figures.nets)
    for name in (NEW, SEEN, TRAY, TABLES, BLENDER):
        parts += _group(name, figures, with_ms)
        if name == SEEN and figures.clip:
            parts.append(clip(figures.clip))
    parts += _calibration(figures, diagram)
    parts += ["**Where they fail**", failures(figures.nets)]
    return "\n\n".join(parts) + "\n"


def glossary_table() -> str:
    lines = [f"| {term} | {meaning} |" for term, meaning in GLOSSARY.items()]
    return "\n".join(["| term | meaning |", "|---|---|", *lines])


def glossary_text() -> str:
    """The glossary as lines of plain text."""
    width = max(map(len, GLOSSARY))
    return "\n".join(f"  {term:{width}}  {meaning}" for term, meaning in GLOSSARY.items())


def _throws(n: int) -> str:
    return "throw" if n == 1 else "throws"


def origin(run: Origin) -> str:
    """The command, the seeds, and the hashes of the weights and data."""
    lines = [f"    {run.command}", "", "| file | sha256 | kB |", "|---|---|---|"]
    lines += [
        f"| {name} | {digest[:HASH_SHOWN]} | {size / 1e3:.0f} |"
        for name, (digest, size) in run.weights.items()
    ]
    lines += [f"| {name} | {digest[:HASH_SHOWN]} | |" for name, digest in run.data.items()]
    seeds = [
        f"{name} from seeds {first} to {first + count - 1}" for name, (first, count) in run.seeds.items()
    ]
    return "\n".join(lines + (["", "; ".join(seeds) + "."] if seeds else []))


# --- against the targets ------------------------------------------------------------------------------------


TARGET_COLUMNS = (
    "on photographs of new rigs", "target", "measured", "95 % interval", "result", "oblique views only",
    BASELINE_NAME,
)  # fmt: skip


def targets(figures: Figures) -> str:
    """A table with one row per target: the limit, the measurement, and whether the target is met."""
    head = f"| {' | '.join(TARGET_COLUMNS)} |"
    return "\n".join(
        [head, "|---" * len(TARGET_COLUMNS) + "|", *(_target(t) for t in target_results(figures))]
    )


def _target(t: Mapping[str, Any]) -> str:
    verdict = {True: "met", False: "**not met**", None: "not measured"}[t["met"]]
    name = t["name"] + {"top": " (top views)", "all": " (all views)"}.get(t.get("views", ""), "")
    if "whole" in t:
        low, high = t["interval_95"]
        interval = f"{100 * low:.1f} to {100 * high:.1f} %" if t["whole"] else "-"
        cells = [share_text(t["part"], t["whole"]), interval, verdict]
        cells += [share_text(*t["oblique"]), share_text(*t["baseline"])]
    elif "pictures" in t:
        seen, pictures = t["baseline"]
        cells = [f"{t['measured']} on {t['pictures']}", "-", verdict, "-", f"{seen} on {pictures}"]
    else:
        measured = t["measured"]
        cells = ["-" if measured is None else f"{_short(measured)}{t['unit']}", "-", verdict, "-", "-"]
    return f"| {name} | {t['wanted']} | " + " | ".join(cells) + " |"


def share_text(part: int, whole: int) -> str:
    """The share with its counts, as in `98.3 % (509 of 518)`."""
    return f"{percent(part, whole)} % ({part} of {whole})" if whole else "-"


def percent(part: int, whole: int) -> str:
    """The percentage with one decimal; 100.0 only if part equals whole; "-" if whole is 0."""
    if not whole:
        return "-"
    return "100.0" if part == whole else f"{min(100 * part / whole, 99.9):.1f}"


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}" if value < 1 else f"{value:.1f}"


# --- by source ----------------------------------------------------------------------------------------------

COLUMNS = (
    "source", "pictures", "dice", "right %", "sure %", "sure+wrong", "missed", "false", "throws %",
    "throws sure %", "throws sure+wrong", "ask %", "silent", "colour %",
)  # fmt: skip


def _summary(groups: Mapping[str, Sequence[ScoredPicture]]) -> list[str]:
    """The Markdown blocks on detection, faces and calibration; empty if there are no pictures."""
    rows = [
        _summary_row(name, groups[name]) for name in (NEW, SEEN, TRAY, TABLES, BLENDER) if groups.get(name)
    ]
    head = "| | dice | recall % | precision % | face accuracy % | ECE % |\n|---|---|---|---|---|---|"
    return ["**Detection, faces and calibration**", "\n".join([head, *rows])] if rows else []


def _summary_row(name: str, group: Sequence[ScoredPicture]) -> str:
    t, error = Tally.of(group), expected_calibration_error(reliability(group))
    cells = [
        percent(t.true_positives, t.dice),
        percent(t.true_positives, t.true_positives + t.false_positives),
        percent(t.right, t.true_positives),
        "-" if error is None else f"{100 * error:.1f}",
    ]
    return f"| {name} | {t.dice} | " + " | ".join(cells) + " |"


def by_source_table(
    group: Sequence[ScoredPicture], baseline: Sequence[ScoredPicture] = (), with_ms: bool = False
) -> str:
    """A table with a row per source, a total if there are several, and the baseline's total."""
    columns = (*COLUMNS, "ms") if with_ms else COLUMNS
    sources = by_source(group)
    rows = [row(source, Tally.of(part), with_ms) for source, part in sources.items()]
    rows += [row("all", Tally.of(group), with_ms)] if len(sources) > 1 else []
    rows += [row(f"{BASELINE_NAME}: all", Tally.of(baseline), with_ms)] if baseline else []
    return "\n".join(["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|", *rows])


def row(name: str, t: Tally, with_ms: bool) -> str:
    cells = [
        name, str(t.pictures), str(t.dice), percent(t.right, t.dice), percent(t.sure, t.dice),
        str(t.sure_wrong), str(t.missed), str(t.false_positives), percent(t.throws_whole, t.throws),
        percent(t.throws_sure, t.throws), str(t.throws_sure_wrong), percent(t.asked, t.pictures),
        str(t.unflagged_errors), percent(t.colour_right, t.colour_known),
    ]  # fmt: skip
    return "| " + " | ".join([*cells, f"{t.median_ms:.0f}"] if with_ms else cells) + " |"


def _group(name: str, figures: Figures, with_ms: bool) -> list[str]:
    """The Markdown blocks of one group of pictures."""
    if not (group := figures.nets.get(name)):
        return []
    baseline = figures.baseline.get(name, [])
    parts = [
        f"**{name}**",
        by_source_table(group, baseline, with_ms),
        "True face (rows) and face read (columns), with the sure ones in brackets:",
        faces_table(group),
    ]
    parts += [colours(group), cocked_text(group)]
    if name == NEW and baseline:
        parts += [f"The {BASELINE_NAME} on the same photographs:", by_source_table(baseline, with_ms=with_ms)]
    return [p for p in parts if p]


def faces_table(group: Sequence[ScoredPicture]) -> str:
    """The confusion matrix of the faces."""
    counts = face_confusion(group)
    rows, columns = [*"123456", BACKGROUND, EMBLEM], [*"123456", MISSED]
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for truth in rows:
        cells = [_cell(counts[truth, read, True], counts[truth, read, False]) for read in columns]
        if truth in "123456" or any(cells):
            lines.append(f"| **{truth}** | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(sure: int, unsure: int) -> str:
    return f"{sure + unsure} ({sure})" if sure else str(unsure or "")


def colours(group: Sequence[ScoredPicture]) -> str:
    """The colour accuracy and the confusions, most frequent first; empty if no colour is known."""
    t = Tally.of(group)
    if not t.colour_known:
        return ""
    wrong = sorted(colour_confusion(group).items(), key=lambda item: (-item[1], item[0]))
    words = ", ".join(f"{truth} as {read} {n}" for (truth, read), n in wrong)
    return f"Colours: {share_text(t.colour_right, t.colour_known)} right" + (
        f"; wrong: {words}." if words else "."
    )


def cocked_text(group: Sequence[ScoredPicture]) -> str:
    """How many tilted and how many flat dice are reported as cocked; empty if no die is tilted."""
    t = Tally.of(group)
    tilted = f"{t.tilted_called_cocked} of {t.tilted} leaning dice"
    return f"Called cocked: {tilted}, {t.flat_called_cocked} of {t.flat} flat dice." if t.tilted else ""


def clip(c: Clip) -> str:
    wrong = f"{c.sure_wrong} sure and wrong"
    return f"Clip {c.name}: {c.frames} settled frames, {c.right} right, {c.right_sure} of them sure, {wrong}."


# --- calibration --------------------------------------------------------------------------------------------

CALIBRATION_EXPLAINED = (
    "A calibrated reader is right as often as its confidence says. A detection without a die counts as wrong."
)


def calibration_series(figures: Figures) -> dict[str, list[Bin]]:
    """The bins for photographs of new rigs and for rendered tables: they represent an unknown table."""
    named = (("new rigs", NEW), ("rendered tables", TABLES), ("tables by Blender", BLENDER))
    return {name: reliability(figures.nets[group]) for name, group in named if figures.nets.get(group)}


def _calibration(figures: Figures, diagram: str | None) -> list[str]:
    series = calibration_series(figures)
    if not series:
        return []
    parts = ["**How reliable the confidence is**", CALIBRATION_EXPLAINED]
    parts += [f"![Share of dice read right, by confidence]({diagram})"] if diagram else []
    for name, bins in series.items():
        parts += [f"{name[0].upper()}{name[1:]}:", bins_table(bins)]
    return parts


def bins_table(bins: Sequence[Bin]) -> str:
    lines = ["| confidence | dice | mean confidence % | right % | 95 % interval |", "|---|---|---|---|---|"]
    for b in bins:
        low, high = wilson(b.right, b.dice)
        share = f"{100 * b.mean:.1f} | {percent(b.right, b.dice)} | {100 * low:.1f} to {100 * high:.1f}"
        lines.append(f"| {b.low:.2f} to {b.high:.2f} | {b.dice} | {share} |")
    return "\n".join(lines)


# --- failures -----------------------------------------------------------------------------------------------


def failures(groups: Mapping[str, Sequence[ScoredPicture]]) -> str:
    """One line per source with errors, from all groups, the most wrong dice first."""
    tallies = [
        (source, Tally.of(part)) for group in groups.values() for source, part in by_source(group).items()
    ]
    faulty = sorted(
        (-(t.dice - t.right + t.false_positives), source, _faults(t)) for source, t in tallies if _faults(t)
    )
    return (
        "\n".join(f"- {source}: {faults}." for _, source, faults in faulty)
        or "- No errors in these pictures."
    )


def _faults(t: Tally) -> str:
    """The errors in words; empty if every face and colour is right and no person is asked."""
    errors = [
        (t.sure_wrong, f"{t.sure_wrong} sure and wrong"),
        (t.missed, f"{t.missed} of {t.dice} dice missed"),
        (t.dice - t.right - t.missed, f"{t.dice - t.right - t.missed} of {t.dice} dice read as another face"),
        (t.false_positives, f"{t.false_positives} detected without a die"),
        (t.emblems_sure, f"{t.emblems_sure} emblems read as a face and sure"),
        (
            t.colour_known - t.colour_right,
            f"{t.colour_known - t.colour_right} of {t.colour_known} dice with the wrong colour",
        ),
        (t.asked, f"a person is asked in {t.asked} of {t.pictures} pictures"),
    ]
    return ", ".join(words for n, words in errors if n)
