"""The evaluation results as Markdown: the section "How well they read" of the model card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from models.evaluation.results import BLENDER, NEW, SEEN, TABLES, TRAY, Clip, Figures, Origin, target_results
from models.evaluation.scoring import (
    EMBLEM,
    MISSED,
    NO_DIE,
    Bin,
    ScoredCase,
    Tally,
    by_source,
    colour_confusion,
    face_confusion,
    reliability,
    wilson,
)

BASELINE_NAME = "blob recipe"
HASH_SHOWN = 12

EXPLAINED = """\
The results are by rig, because results on a known rig look better than the model is. A *throw* is a picture
with at least one die. It is *sure* if dice were detected and no person is asked about any of them. It is
*sure and wrong* if, besides, a face is wrong, a die is missed, or there is a detection without a die. Emblems
and dice that people cannot read are not scored. `--help` explains the columns of the tables by source. The
*blob recipe* is the usual method without learning (`models/evaluation/blobs.py`), scored on the same
pictures."""


def section(figures: Figures, diagram: str | None = None, with_ms: bool = False) -> str:
    """The whole section. diagram: file name of the reliability diagram, or None. with_ms: include reading times."""
    parts = ["## How well they read", EXPLAINED, origin(figures.origin), "**Against the targets**", targets(figures)]
    if blind := Tally.of(figures.nets.get(NEW, [])).blind:
        parts.append(f"In {blind} more {_throws(blind)} no die was detected: nothing is accepted there, and no person is asked.")
    for name in (NEW, SEEN, TRAY, TABLES, BLENDER):
        parts += _group(name, figures, with_ms)
        if name == SEEN and figures.clip:
            parts.append(clip(figures.clip))
    parts += _calibration(figures, diagram)
    parts += ["**Where they fail**", failures(figures.nets)]
    return "\n\n".join(parts) + "\n"


def _throws(n: int) -> str:
    return "throw" if n == 1 else "throws"


def origin(run: Origin) -> str:
    """The command, the seeds, and the hashes of the weights and data."""
    lines = [f"    {run.command}", "", "| file | sha256 | kB |", "|---|---|---|"]
    lines += [f"| {name} | {digest[:HASH_SHOWN]} | {size / 1e3:.0f} |" for name, (digest, size) in run.weights.items()]
    lines += [f"| {name} | {digest[:HASH_SHOWN]} | |" for name, digest in run.data.items()]
    seeds = [f"{name} from seeds {first} to {first + count - 1}" for name, (first, count) in run.seeds.items()]
    return "\n".join(lines + (["", "; ".join(seeds) + "."] if seeds else []))


# --- against the targets --------------------------------------------------------------------------------------------------


def targets(figures: Figures) -> str:
    """A table with one row per target: the limit, the measurement, and whether the target is met."""
    head = f"| on photographs of new rigs | target | measured | 95 % interval | | oblique views only | {BASELINE_NAME} |"
    return "\n".join([head, "|---|---|---|---|---|---|---|", *(_target(t) for t in target_results(figures))])


def _target(t: Mapping[str, Any]) -> str:
    verdict = {True: "met", False: "**not met**", None: "not measured"}[t["met"]]
    name = t["name"] + {"top": " (top views)", "all": " (all views)"}.get(t.get("views", ""), "")
    if "whole" in t:
        low, high = t["interval_95"]
        interval = f"{100 * low:.1f} to {100 * high:.1f} %" if t["whole"] else "-"
        cells = [of(t["part"], t["whole"]), interval, verdict, of(*t["oblique"]), of(*t["baseline"])]
    elif "pictures" in t:
        seen, pictures = t["baseline"]
        cells = [f"{t['measured']} on {t['pictures']}", "-", verdict, "-", f"{seen} on {pictures}"]
    else:
        measured = t["measured"]
        cells = ["-" if measured is None else f"{_short(measured)}{t['unit']}", "-", verdict, "-", "-"]
    return f"| {name} | {t['wanted']} | " + " | ".join(cells) + " |"


def of(part: int, whole: int) -> str:
    """The share with its counts, as in `98.3 % (509 of 518)`."""
    return f"{percent(part, whole)} % ({part} of {whole})" if whole else "-"


def percent(part: int, whole: int) -> str:
    """The percentage with one decimal; 100.0 only if part equals whole; "-" if whole is 0."""
    if not whole:
        return "-"
    return "100.0" if part == whole else f"{min(100 * part / whole, 99.9):.1f}"


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}" if value < 1 else f"{value:.1f}"


# --- by source ------------------------------------------------------------------------------------------------------------

COLUMNS = (
    "source", "pictures", "dice", "right %", "sure %", "sure+wrong", "missed", "false", "throws %", "throws sure %",
    "throws sure+wrong", "ask %", "silent", "colour %",
)  # fmt: skip


def by_source_table(group: Sequence[ScoredCase], baseline: Sequence[ScoredCase] = (), with_ms: bool = False) -> str:
    """A table with a row per source, a total if there are several, and the baseline's total."""
    columns = (*COLUMNS, "ms") if with_ms else COLUMNS
    sources = by_source(group)
    rows = [row(source, Tally.of(part), with_ms) for source, part in sources.items()]
    rows += [row("all", Tally.of(group), with_ms)] if len(sources) > 1 else []
    rows += [row(f"{BASELINE_NAME}: all", Tally.of(baseline), with_ms)] if baseline else []
    return "\n".join(["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|", *rows])


def row(name: str, t: Tally, with_ms: bool) -> str:
    cells = [
        name, str(t.pictures), str(t.dice), percent(t.right, t.dice), percent(t.sure, t.dice), str(t.sure_wrong), str(t.missed),
        str(t.false), percent(t.throws_whole, t.throws), percent(t.throws_sure, t.throws), str(t.throws_sure_wrong),
        percent(t.asked, t.pictures), str(t.silent), percent(t.colour_right, t.coloured),
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
    parts += [colours(group), leaning(group)]
    if name == NEW and baseline:
        parts += [f"The {BASELINE_NAME} on the same photographs:", by_source_table(baseline, with_ms=with_ms)]
    return [p for p in parts if p]


def faces_table(group: Sequence[ScoredCase]) -> str:
    """The confusion matrix of the faces."""
    counts = face_confusion(group)
    rows, columns = [*"123456", NO_DIE, EMBLEM], [*"123456", MISSED]
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for truth in rows:
        cells = [_cell(counts[truth, read, True], counts[truth, read, False]) for read in columns]
        if truth in "123456" or any(cells):
            lines.append(f"| **{truth}** | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(sure: int, unsure: int) -> str:
    return f"{sure + unsure} ({sure})" if sure else str(unsure or "")


def colours(group: Sequence[ScoredCase]) -> str:
    """The colour accuracy and the confusions, most frequent first; empty if no colour is known."""
    t = Tally.of(group)
    if not t.coloured:
        return ""
    wrong = sorted(colour_confusion(group).items(), key=lambda item: (-item[1], item[0]))
    words = ", ".join(f"{truth} as {read} {n}" for (truth, read), n in wrong)
    return f"Colours: {of(t.colour_right, t.coloured)} right" + (f"; wrong: {words}." if words else ".")


def leaning(group: Sequence[ScoredCase]) -> str:
    """How many tilted and how many flat dice are reported as cocked; empty if no die is tilted."""
    t = Tally.of(group)
    words = f"Called cocked: {t.leaning_called_cocked} of {t.leaning} leaning dice, {t.flat_called_cocked} of {t.flat} flat dice."
    return words if t.leaning else ""


def clip(c: Clip) -> str:
    wrong = f"{c.sure_wrong} sure and wrong"
    return f"Clip {c.name}: {c.frames} settled frames, {c.right} right, {c.right_sure} of them sure, {wrong}."


# --- calibration ----------------------------------------------------------------------------------------------------------

CALIBRATION_EXPLAINED = "A calibrated reader is right as often as its confidence says. A detection without a die counts as wrong."


def calibration_series(figures: Figures) -> dict[str, list[Bin]]:
    """The bins for photographs of new rigs and for rendered tables: they represent an unknown user's table."""
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


# --- failures -------------------------------------------------------------------------------------------------------------


def failures(groups: Mapping[str, Sequence[ScoredCase]]) -> str:
    """One line per source with errors, from all groups, the most wrong dice first."""
    tallies = [(source, Tally.of(part)) for group in groups.values() for source, part in by_source(group).items()]
    faulty = sorted(((s, t) for s, t in tallies if _faults(t)), key=lambda st: (-(st[1].dice - st[1].right + st[1].false), st[0]))
    return "\n".join(f"- {source}: {_faults(t)}." for source, t in faulty) or "- No errors in these pictures."


def _faults(t: Tally) -> str:
    """The errors in words; empty if every face and colour is right and no person is asked."""
    errors = [
        (t.sure_wrong, f"{t.sure_wrong} sure and wrong"),
        (t.missed, f"{t.missed} of {t.dice} dice missed"),
        (t.dice - t.right - t.missed, f"{t.dice - t.right - t.missed} of {t.dice} dice read as another face"),
        (t.false, f"{t.false} detected without a die"),
        (t.emblems_sure, f"{t.emblems_sure} emblems read as a face and sure"),
        (t.coloured - t.colour_right, f"{t.coloured - t.colour_right} of {t.coloured} dice with the wrong colour"),
        (t.asked, f"a person is asked in {t.asked} of {t.pictures} pictures"),
    ]
    return ", ".join(words for n, words in errors if n)
