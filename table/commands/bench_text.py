"""The output of `brehon bench` for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from table.benchmark.figures import MAX_FOLLOWING_SHARE, MAX_MB, MAX_RATIO
from table.rules import words

MIN_CORE_SHARE = 0.95
"""Share of its core that a measurement needs to be valid."""

STAGES = {
    "detector_shrink": "detector: shrink, decode",
    "detector_net": "detector: net",
    "cutting": "classifier: crops",
    "classifier_net": "classifier: net",
    "rest": "the rest",
}


MAX_FACTOR = 99.0
"""A larger margin is printed as “more than this”: nothing moved at all."""

NAME_W = 34
"""Width of a recording's name, columns."""


def table_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines on reading, waiting and following."""
    yield from _circumstance_lines(found)
    yield ""
    yield from _reading_lines(found)
    yield ""
    yield from _waiting_lines(found["waiting"])
    yield _following_row(found["following"], found["met"]["following"])


def _circumstance_lines(found: Mapping[str, Any]) -> Iterator[str]:
    cores, (w, h) = found["cores"], found["picture"]["size"]
    yield (
        f"{cores} core{'s' * (cores > 1)}, {w}x{h} pictures of {found['picture']['dice']} dice;"
        f" medians of {found['rounds']} rounds"
    )
    if not found["pinned"]:
        yield (
            "This system cannot limit a process to some cores."
            " The nets use that many threads; OpenCV may use more."
        )
    if cores == 1 and found["had_share"] < MIN_CORE_SHARE:
        yield (
            f"Other programs used {1 - found['had_share']:.0%} of this core and of its caches,"
            " so the times are too long."
        )


def _reading_lines(found: Mapping[str, Any]) -> Iterator[str]:
    for stage, ms in found["stages_ms"].items():
        yield _row(STAGES[stage], ms, "ms")
    yield _row("frame to reading", found["total_ms"], "ms", f"{found['frames_a_second']:.0f} frames a second")
    yardstick = "a net of YOLO11n's size at 640x640, run in turn with the reading"
    yield _row("reference net", found["yardstick_ms"], "ms", yardstick)
    ratio_target = f"target under {MAX_RATIO}: {_met_text(found['met']['fifth'])}"
    yield _row("ratio", found["ratio"], "", ratio_target, digits=3)
    memory_target = f"target under {MAX_MB} MB: {_met_text(found['met']['memory'])}"
    yield _row("peak memory", found["peak_mb"], "MB", memory_target, digits=0)
    libraries = f"after {found['import_ms']:.0f} ms for the libraries"
    yield _row("loading the nets", found["load_ms"], "ms", libraries)


def _waiting_lines(waiting: Mapping[str, Any]) -> Iterator[str]:
    share, frames = f"{waiting['share']:.2%} of a core", f"{waiting['frames_a_second']:.0f} frames a second"
    camera = f"{share}, {frames} of {waiting['camera']}"
    yield _row("waiting table", waiting["cpu_ms_a_second"], "ms a second", camera)
    if waiting["drawing_ms_a_second"] is not None:
        part = "part of it; a real camera does this itself"
        yield _row("  drawing frames", waiting["drawing_ms_a_second"], "ms a second", part)


def _following_row(following: Mapping[str, Any], met: bool) -> str:
    target = f"target under {MAX_FOLLOWING_SHARE:.0%}: {_met_text(met)}"
    share = f"{following['share']:.1%} of a core at {following['fps']:.0f} frames a second; {target}"
    return _row("rolling dice", following["cpu_ms_a_second"], "ms a second", share)


def _row(what: str, value: float, unit: str, remark: str = "", digits: int = 1) -> str:
    return f"  {what:22} {value:8.{digits}f} {unit:12} {remark}".rstrip()


def _met_text(met: bool) -> str:
    return "met" if met else "not met"


def rules_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines on the rules."""
    cores, answers = found["cores"], found["resumed_answers"]
    yield (
        f"Every game, played at random on {cores} core{'s' * (cores > 1)};"
        f" resuming: time to replay {answers:,} answers;"
        " best play: the coach's first answer, with its tables, and the slowest after it"
    )
    yield ""
    heads = f"  {'game':22} {'players':>8} {'games a second':>15} {'answers a game':>15} {'resuming':>12}"
    heads += f" {'best play':>18}"
    yield heads
    for name, cost in found["games"].items():
        a_second, a_game = f"{cost['games_a_second']:,.1f}", f"{cost['answers_a_game']:,.1f}"
        yield f"  {name:22} {cost['players']:8} {a_second:>15} {a_game:>15} {cost['resume_ms']:>9,.0f} ms" + (
            _best_play_text(cost["best_play"]) if "best_play" in cost else ""
        )


def _best_play_text(cost: Mapping[str, float]) -> str:
    return f" {cost['first_ms']:>6,.0f}, {cost['later_ms']:>6,.0f} ms"


def margin_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines on the margins of rest and motion."""
    bounds = found["bounds"]
    yield (
        f"Rest is under {bounds['rest']:g} sides of a die a second for {bounds['rest_s']:g} s."
        f" Motion is over {bounds['roll']:g}."
    )
    yield (
        "Each column shows the value closest to its limit, its margin as a factor,"
        " and in brackets the number of cases."
    )
    yield "  noise  noise of the picture, grey levels"
    yield "  rest   highest speed of dice at rest"
    yield "  roll   highest speed within a throw, for the slowest throw"
    yield (
        f"  lull   highest speed in the calmest {bounds['rest_s']:g} s of a throw; it must not look like rest"
    )
    yield ""
    yield (
        f"  {'recording':{NAME_W}} {'looks/s':>8} {'die px':>6} {'noise':>13}"
        f" {'rest':>18} {'roll':>18} {'lull':>18}"
    )
    for one in found["recordings"]:
        yield from _margin_rows(one)


def _margin_rows(one: Mapping[str, Any]) -> Iterator[str]:
    name = words.short(one["recording"], NAME_W)
    a_second, die = (f"{value:.0f}" if value else "-" for value in (one["looks_a_second"], one["die_px"]))
    noise = f"{one['noise']['value']:.1f} {_factor_text(one['noise'])}" if one["noise"] else "-"
    margins = " ".join(f"{_margin_text(one[what]):>18}" for what in ("rest", "roll", "lull"))
    yield f"  {name:{NAME_W}} {a_second:>8} {die:>6} {noise:>13} {margins}"
    yield from (f"  {'':{NAME_W}} {remark}" for remark in _remarks(one))


def _remarks(one: Mapping[str, Any]) -> Iterable[str]:
    """Remarks that have no column."""
    if one["disturbed"]:
        rests = "1 rest was" if one["disturbed"] == 1 else f"{one['disturbed']} rests were"
        yield f"{rests} disturbed: resting dice seemed to move; something else in the picture changes"
    if one["restless"]:
        calmest = one["restless"]
        yield (
            f"it ends without rest: its calmest part has {calmest['value']:.1f},"
            f" {calmest['times']:.1f} times the limit for rest"
        )
    if one["trouble"]:
        yield one["trouble"]


def _margin_text(margin: Mapping[str, Any] | None) -> str:
    return f"{margin['value']:.1f} {_factor_text(margin)} ({margin['of']})" if margin else "-"


def _factor_text(margin: Mapping[str, Any]) -> str:
    return f"x{margin['times']:.1f}" if margin["times"] < MAX_FACTOR else f">x{MAX_FACTOR:.0f}"
