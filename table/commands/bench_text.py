"""The figures of the benchmark as `brehon bench` prints them for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from table.benchmark.figures import A_FIFTH, FOLLOWING_SHARE, MOST_MB

MOSTLY = 0.95
"""Share of its core that a measurement has to have had to be believed."""

STAGES = {
    "detector_shrink": "detector: shrink, decode",
    "detector_net": "detector: net",
    "cutting": "classifier: crops",
    "classifier_net": "classifier: net",
    "rest": "the rest",
}


BOUNDLESS = 99.0
"""A margin over this is told as that: nothing moved at all."""

NAME_W = 34
"""Columns of a recording's name."""


def table_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """What reading, waiting and following cost."""
    cores, stages, waiting = found["cores"], found["stages_ms"], found["waiting"]
    w, h = found["picture"]["size"]
    yield f"{cores} core{'s' * (cores > 1)}, {w}x{h} pictures of {found['picture']['dice']} dice; medians of {found['rounds']} rounds"
    if not found["pinned"]:
        yield "This system cannot keep a process to some of its cores: the nets' threads are as many, but OpenCV may use more."
    if cores == 1 and found["had_share"] < MOSTLY:
        yield f"Other programs took {1 - found['had_share']:.0%} of this core meanwhile, and of its caches: times are too long."
    yield ""
    for stage, ms in stages.items():
        yield _row(STAGES[stage], ms, "ms")
    yield _row("frame to reading", found["total_ms"], "ms", f"{found['frames_a_second']:.0f} frames a second")
    yield _row("yardstick", found["yardstick_ms"], "ms", "a net of YOLO11n's size at 640x640, run in turn with the reading")
    yield _row("ratio", found["ratio"], "", f"under {A_FIFTH} is wanted: {_met(found['met']['fifth'])}", digits=3)
    yield _row("peak memory", found["peak_mb"], "MB", f"under {MOST_MB} MB is wanted: {_met(found['met']['memory'])}", digits=0)
    yield _row("loading the nets", found["load_ms"], "ms", f"after {found['import_ms']:.0f} ms for the libraries")
    yield ""
    share, frames = f"{waiting['share']:.2%} of a core", f"{waiting['frames_a_second']:.0f} frames a second"
    yield _row("a table that waits", waiting["cpu_ms_a_second"], "ms a second", f"{share}, {frames} of {waiting['camera']}")
    if waiting["drawing_ms_a_second"] is not None:
        yield _row("of it, drawing them", waiting["drawing_ms_a_second"], "ms a second", "which a real camera does by itself")
    following, wanted = found["following"], f"under {FOLLOWING_SHARE:.0%} is wanted: {_met(found['met']['following'])}"
    share = f"{following['share']:.1%} of a core at {following['fps']:.0f} frames a second; {wanted}"
    yield _row("dice that roll", following["cpu_ms_a_second"], "ms a second", share)


def _row(what: str, value: float, unit: str, remark: str = "", digits: int = 1) -> str:
    return f"  {what:22} {value:8.{digits}f} {unit:12} {remark}".rstrip()


def _met(met: bool) -> str:
    return "met" if met else "not met"


def rules_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """What the rules cost."""
    cores, answers = found["cores"], found["resumed_answers"]
    yield f"Every game played by chance, on {cores} core{'s' * (cores > 1)}; resuming: to come back to {answers:,} answers"
    yield ""
    yield f"  {'game':22} {'players':>8} {'games a second':>15} {'answers a game':>15} {'resuming':>12}"
    for name, cost in found["games"].items():
        a_second, a_game = f"{cost['games_a_second']:,.1f}", f"{cost['answers_a_game']:,.1f}"
        yield f"  {name:22} {cost['players']:8} {a_second:>15} {a_game:>15} {cost['resume_ms']:>9,.0f} ms"


def margin_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """How far rest and motion lie from their bounds."""
    bounds = found["bounds"]
    yield f"Rest is under {bounds['rest']:g} sides of a die a second for {bounds['rest_s']:g} s, motion is over {bounds['roll']:g}."
    yield "Told is what came nearest to each bound, how many times nearer it could have come, and in brackets out of how many."
    yield "  noise  of the picture, grey levels"
    yield "  rest   the fastest look at dice that lay"
    yield "  roll   the fastest look at a throw, of the slowest throw"
    yield f"  lull   the fastest look at the calmest {bounds['rest_s']:g} s of a throw, which must not seem to be rest"
    yield ""
    yield f"  {'recording':{NAME_W}} {'looks/s':>8} {'die px':>6} {'noise':>13} {'rest':>18} {'roll':>18} {'lull':>18}"
    for one in found["recordings"]:
        yield from _margin_rows(one)


def _margin_rows(one: Mapping[str, Any]) -> Iterator[str]:
    name = one["recording"]
    name = name if len(name) <= NAME_W else f"{name[: NAME_W - 3]}..."
    a_second, die = (f"{value:.0f}" if value else "-" for value in (one["looks_a_second"], one["die_px"]))
    noise = f"{one['noise']['value']:.1f} {_times(one['noise'])}" if one["noise"] else "-"
    told = " ".join(f"{_told(one[what]):>18}" for what in ("rest", "roll", "lull"))
    yield f"  {name:{NAME_W}} {a_second:>8} {die:>6} {noise:>13} {told}"
    yield from (f"  {'':{NAME_W}} {remark}" for remark in _remarks(one))


def _remarks(one: Mapping[str, Any]) -> Iterable[str]:
    """What the columns do not say."""
    if one["disturbed"]:
        rests = "1 rest was" if one["disturbed"] == 1 else f"{one['disturbed']} rests were"
        yield f"{rests} disturbed: dice that were left alone seemed to move; something else in the picture changes"
    if one["restless"]:
        calmest = one["restless"]
        yield f"it ends without rest: its calmest spell has {calmest['value']:.1f}, {calmest['times']:.1f} times as fast as rest"
    if one["trouble"]:
        yield one["trouble"]


def _told(margin: Mapping[str, Any] | None) -> str:
    return f"{margin['value']:.1f} {_times(margin)} ({margin['of']})" if margin else "-"


def _times(margin: Mapping[str, Any]) -> str:
    return f"x{margin['times']:.1f}" if margin["times"] < BOUNDLESS else f">x{BOUNDLESS:.0f}"
