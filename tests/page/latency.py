"""python -m tests.page.latency: the time from dice at rest until a browser shows their faces.

The bench plays Midnight on the simulated tray. The simulated camera knows when the dice have come to rest,
and headless Chromium knows when its page shows their faces. Both times are converted to this process's clock.
The page shows the faces before the referee rules on them: both times are told. They include drawing the
simulated pictures, as they would include the exposure and transfer of a real camera.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING

import pytest

from table.commands.wiring import RunningTable
from table.common.tray import TrayState
from table.referee.actions import EnterFaces, FellOff, ResolveDoubt, Start, SubmitAnswer
from table.referee.snapshot import Snapshot
from table.rules.game import Seat
from table.rules.prompts import Roll
from table.simulated_hand import plan_throw
from tests.at_work import page_of, table_at_work
from tests.page.browsing import LAPTOP, chromium
from vision.cameras.simulated import SimulatedCamera
from vision.simulation.physics import REST_WINDOW_S
from vision.simulation.playing import CompletedAct

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WANTED_S = 0.35
"""Target for the median throw and for the slowest of fifty."""

SEATS = (Seat("Ann", "green"), Seat("Ben", "red"))

TIMEOUT_S = 30.0
"""Longest wait for one throw, from the first movement of the hand to the page."""

POLL_S = 0.2
"""Time between two polls of the browser's notes. Every poll slows the browser down."""

CLOCK_COMPARISONS = 25
"""How often the two clocks are compared. The fastest comparison counts."""

MOVING = (TrayState.HAND, TrayState.ROLLING, TrayState.SETTLING, TrayState.READING)

NOT_RULED = (*MOVING, TrayState.EMPTY, TrayState.WAITING)
"""States before a ruling. A busy computer may read the tray as the hand has taken the dice, and show that as
late as the dice rest."""

RECORD_CHANGES = """
window.shown = [];
const note = () => {
  const tray = document.querySelector("#tray-state");
  if (!tray) return;
  const dice = [...document.querySelectorAll("[data-place][data-face]")];
  const faces = dice.map((die) => Number(die.dataset.face)).sort();
  const coming = dice.some((die) => die.dataset.part === "coming");
  const now = JSON.stringify([tray.dataset.state, faces, coming]);
  if (now === window.shown.at(-1)?.now) return;
  window.shown.push({ at_ms: performance.now(), state: tray.dataset.state, faces, coming, now });
};
new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true });
"""
"""Records every change of the tray on the page, with the browser's own time."""


class _Clock:
    """time.monotonic, and the time of its first call, when the camera begins to count."""

    def __init__(self) -> None:
        self.first_s: float | None = None

    def __call__(self) -> float:
        now = time.monotonic()
        self.first_s = now if self.first_s is None else self.first_s
        return now


@dataclass(frozen=True)
class Note:
    """The tray at one moment.

    at_s: on this process's clock. faces: sorted. coming: the dice are shown, and nothing is ruled yet.
    """

    at_s: float
    state: str
    faces: tuple[int, ...]
    coming: bool = False

    @property
    def ruled(self) -> bool:
        """Whether the referee has ruled."""
        return self.state not in NOT_RULED


@dataclass(frozen=True)
class Timing:
    """The times of one throw.

    dice: how many were thrown. state: of the tray on the page. true, shown: the faces, sorted.
    after_s: from rest to the faces on the page. published_s, ruled_s: from rest to the ruling, in a snapshot
    and on the page. settled_s: from slow dice to the reading, as the watch measures it.
    """

    dice: int
    state: str
    true: tuple[int, ...]
    shown: tuple[int, ...]
    after_s: float
    published_s: float
    ruled_s: float
    settled_s: float

    @property
    def right(self) -> bool:
        return self.shown == self.true


class Bench:
    """A table with its page in a browser, and the clocks of both."""

    def __init__(self, table: RunningTable, camera: SimulatedCamera, clock: _Clock, page: Page) -> None:
        self._table, self._camera, self._clock, self._page = table, camera, clock, page
        self._chance = Random(5)
        self._published: list[tuple[float, Snapshot]] = []
        table.desk.subscribe(lambda now: self._published.append((time.monotonic(), now)))

    def throws(self, count: int) -> Iterator[Timing]:
        """The times of this many throws. Starts a new match whenever one ends."""
        while count > 0:
            now = self._table.snapshot
            if now.match is None or now.match.phase != "play":
                self._table.do(Start(now.number, "midnight", SEATS, {}))
            elif self._answered(now):
                continue
            elif isinstance(now.match.prompt, Roll):
                yield self._thrown(now)
                count -= 1
            else:
                assert now.match.prompt is not None
                self._table.do(SubmitAnswer(now.number, now.match.prompt.random_answer(self._chance)))

    def _answered(self, now: Snapshot) -> bool:
        """Whether the table asks about the dice on the tray. Answers the question."""
        asked = tuple(die.seen.face for die in now.tray.dice if die.part == "asked" and not die.seen.cocked)
        if any(die.part == "doubted" for die in now.tray.dice):
            self._table.do(ResolveDoubt(now.number, thrown=True))
        elif asked:
            self._table.do(EnterFaces(now.number, asked))
        elif now.tray.short:
            self._table.do(FellOff(now.number))
        else:
            return False
        return True

    def _thrown(self, now: Snapshot) -> Timing:
        """One throw by the simulated hand, timed."""
        done, published = len(self._camera.answer_log()), len(self._published)
        shown = self._page.evaluate("window.shown.length")
        plan = plan_throw(now, self._camera.lay())
        self._camera.throw(plan.colours, plan.leaving)
        rested_s = self._rested_s(self._acts_after(done))
        shown_first, shown_ruled = self._first_after(rested_s, lambda: self._shown(shown))
        _, published_ruled = self._first_after(
            rested_s, lambda: [_note(*each) for each in self._published[published:]]
        )
        faces = tuple(sorted(die.face for die in self._camera.answer_key()))
        return Timing(
            len(plan.colours),
            shown_ruled.state,
            faces,
            shown_ruled.faces,
            after_s=shown_first.at_s - rested_s,
            published_s=published_ruled.at_s - rested_s,
            ruled_s=shown_ruled.at_s - rested_s,
            settled_s=self._table.capture.latency.last_ms / 1000,
        )

    def _acts_after(self, done: int) -> CompletedAct:
        """The throw, once it has been seen to its end."""
        until_s = time.monotonic() + TIMEOUT_S
        while time.monotonic() < until_s:
            throw = next((act for act in self._camera.answer_log()[done:] if act.name == "throw"), None)
            if throw:
                return throw
            time.sleep(POLL_S)
        raise AssertionError(f"the simulated hand did not throw within {TIMEOUT_S:.0f} s")

    def _rested_s(self, throw: CompletedAct) -> float:
        """When the first picture of all dice at rest was due: REST_WINDOW_S before the throw ended."""
        assert self._clock.first_s is not None
        back = round(REST_WINDOW_S * self._camera.fps) + 1
        return self._clock.first_s + throw.to_s + self._camera.slowed_s - back / self._camera.fps

    def _first_after(self, rested_s: float, notes: Callable[[], list[Note]]) -> tuple[Note, Note]:
        """The first notes after the dice had moved with the faces at rest, and with the ruling."""
        until_s = time.monotonic() + TIMEOUT_S
        while time.monotonic() < until_s:
            found = notes()
            moved = next((i for i, note in enumerate(found) if note.state in MOVING), len(found))
            late = [note for note in found[moved:] if note.at_s > rested_s - WANTED_S]
            ruled = next((note for note in late if note.ruled), None)
            if ruled is not None:
                return next(note for note in late if note.ruled or note.coming), ruled
            time.sleep(POLL_S)
        raise AssertionError(f"the throw was not shown within {TIMEOUT_S:.0f} s: {notes()}")

    def _shown(self, since: int) -> list[Note]:
        """The notes of the page from number `since` on."""
        shown = self._page.evaluate("(since) => window.shown.slice(since)", since)
        offset_s = self._offset_s() if shown else 0.0
        return [
            Note(each["at_ms"] / 1000 + offset_s, each["state"], tuple(each["faces"]), each["coming"])
            for each in shown
        ]

    def _offset_s(self) -> float:
        """This process's clock minus the page's clock, in seconds."""
        found: list[tuple[float, float]] = []
        for _ in range(CLOCK_COMPARISONS):
            before = time.monotonic()
            there_s = self._page.evaluate("performance.now()") / 1000
            after = time.monotonic()
            found.append((after - before, (before + after) / 2 - there_s))
        return min(found)[1]


def _note(at_s: float, now: Snapshot) -> Note:
    faces = tuple(sorted(die.seen.face for die in now.tray.dice))
    return Note(at_s, now.tray.state.value, faces, any(die.part == "coming" for die in now.tray.dice))


@contextmanager
def bench(folder: Path, seed: int, browser: Browser) -> Iterator[Bench]:
    """A table with the simulated tray, and its page in this browser."""
    clock = _Clock()
    camera = SimulatedCamera(seed=seed, clock=clock)
    with table_at_work(folder, camera) as table, page_of(table) as address:
        page = browser.new_page(viewport={"width": LAPTOP[0], "height": LAPTOP[1]})
        page.add_init_script(RECORD_CHANGES)
        page.goto(address)
        page.locator("#tray-state").wait_for()
        try:
            yield Bench(table, camera, clock, page)
        finally:
            page.close()


def summary(timings: Sequence[Timing]) -> str:
    """The report for people."""
    after = sorted(each.after_s for each in timings)
    rows = (
        ("slow dice to reading", "settled_s"),
        ("rest to faces on page", "after_s"),
        ("rest to snapshot", "published_s"),
        ("rest to ruling on page", "ruled_s"),
    )
    lines = []
    for what, name in rows:
        values = [getattr(each, name) for each in timings]
        lines.append(f"{what:22} median {median(values):.3f} s, worst {max(values):.3f} s")
    late, wrong = sum(s >= WANTED_S for s in after), sum(not each.right for each in timings)
    return "\n".join(
        [*lines, f"{late} of {len(after)} throws took {WANTED_S} s or more; {wrong} showed wrong faces"]
    )


def main() -> None:
    """Prints every throw and a summary."""
    parser = argparse.ArgumentParser(prog="python -m tests.page.latency", description=__doc__)
    parser.add_argument("--throws", type=int, default=50, help="number of throws (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the dice (default: %(default)s)")
    options = parser.parse_args()
    timings: list[Timing] = []
    try:
        with (
            tempfile.TemporaryDirectory(prefix="brehon-latency-") as folder,
            chromium() as browser,
            bench(Path(folder), options.seed, browser) as table,
        ):
            for n, each in enumerate(table.throws(options.throws), 1):
                timings.append(each)
                times = f"{each.after_s:.3f} s, ruled {each.ruled_s:.3f} s"
                print(f"{n:3} {each.dice} dice {each.state:10} {times}", flush=True)
    except pytest.skip.Exception as missing:
        raise SystemExit(f"The bench needs a browser: {missing}") from None
    print(summary(timings))


if __name__ == "__main__":
    main()
