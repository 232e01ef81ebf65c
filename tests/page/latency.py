"""python -m tests.page.latency: how long it takes from dice at rest until a browser shows their faces.

Midnight is played on the simulated tray. The simulated camera knows when the dice have come to rest, and headless Chromium when
their faces stand in its page; both are told on this process's clock. Drawing the simulated pictures is part of it, as a real camera's
exposure and transfer would be.
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
from table.hand import plan_throw
from table.referee.actions import FellOff, Give, Settle, Start, Tell
from table.referee.snapshot import Snapshot
from table.rules.game import Seat
from table.rules.prompts import Roll
from tests.at_work import page_of, table_at_work
from tests.page.browsing import LAPTOP, chromium
from vision.cameras.simulated import SimulatedCamera
from vision.simulation.physics import REST_WINDOW_S
from vision.simulation.playing import CompletedAct

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WANTED_S = 0.35
"""Of the median throw and of the worst of fifty."""

SEATS = (Seat("Ann", "green"), Seat("Ben", "red"))

PATIENCE_S = 30.0
"""For one throw, from the hand's first movement to the page."""

LOOK_S = 0.2
"""Between two looks at what the browser has noted; it notes by itself, and looking takes time from it."""

TIMED = 25
"""Times that the two clocks are compared; the comparison that took the shortest counts."""

MOVING = (TrayState.HAND, TrayState.ROLLING, TrayState.SETTLING, TrayState.READING)

NOTES_WHAT_IS_SHOWN = """
window.shown = [];
const note = () => {
  const tray = document.querySelector("#tray-state");
  if (!tray) return;
  const faces = [...document.querySelectorAll("[data-place][data-face]")].map((die) => Number(die.dataset.face)).sort();
  const now = JSON.stringify([tray.dataset.state, faces]);
  if (now !== window.shown.at(-1)?.now) window.shown.push({ at_ms: performance.now(), state: tray.dataset.state, faces, now });
};
new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true });
"""
"""Keeps what the page shows of the tray, whenever that changes, with the browser's own time."""


class _Clock:
    """time.monotonic, and when it was first asked: then the camera began to count."""

    def __init__(self) -> None:
        self.first_s: float | None = None

    def __call__(self) -> float:
        now = time.monotonic()
        self.first_s = now if self.first_s is None else self.first_s
        return now


@dataclass(frozen=True)
class Note:
    """What was told of the tray at a moment of this process's clock. faces: in order."""

    at_s: float
    state: str
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Told:
    """One throw. dice: how many flew; state: what the tray showed; right: whether the faces shown are those that lie there.

    after_s: from rest to the page; published_s: to the snapshot; settled_s: from slow dice to the reading, as the watch counts.
    """

    dice: int
    state: str
    right: bool
    after_s: float
    published_s: float
    settled_s: float


class Bench:
    """A table with its page in a browser, and both their clocks."""

    def __init__(self, table: RunningTable, camera: SimulatedCamera, clock: _Clock, page: Page) -> None:
        self._table, self._camera, self._clock, self._page = table, camera, clock, page
        self._chance = Random(5)
        self._published: list[tuple[float, Snapshot]] = []
        table.desk.subscribe(lambda now: self._published.append((time.monotonic(), now)))

    def throws(self, count: int) -> Iterator[Told]:
        """So many throws, one after another; new matches are begun as old ones end."""
        while count > 0:
            now = self._table.snapshot
            if now.match is None or now.match.phase != "play":
                self._table.do(Start(now.number, "midnight", SEATS, {}))
            elif self._asks(now):
                continue
            elif isinstance(now.match.prompt, Roll):
                yield self._thrown(now)
                count -= 1
            else:
                assert now.match.prompt is not None
                self._table.do(Give(now.number, now.match.prompt.by_chance(self._chance)))

    def _asks(self, now: Snapshot) -> bool:
        """Answers what the table asks of the dice that lie there, if it does."""
        asked = tuple(die.seen.face for die in now.tray.dice if die.part == "asked" and not die.seen.cocked)
        if any(die.part == "doubted" for die in now.tray.dice):
            self._table.do(Tell(now.number, thrown=True))
        elif asked:
            self._table.do(Settle(now.number, asked))
        elif now.tray.short:
            self._table.do(FellOff(now.number))
        else:
            return False
        return True

    def _thrown(self, now: Snapshot) -> Told:
        """One throw by the simulated hand, timed."""
        done, published = len(self._camera.answer_log()), len(self._published)
        shown = self._page.evaluate("window.shown.length")
        plan = plan_throw(now, self._camera.lay())
        self._camera.throw(plan.colours, plan.leaving)
        rested_s = self._rested_s(self._acts_after(done))
        at_page = self._first_after(rested_s, lambda: self._shown(shown))
        at_desk = self._first_after(rested_s, lambda: [_note(*each) for each in self._published[published:]])
        lies = tuple(sorted(die.face for die in self._camera.answer_key()))
        settled_s = self._table.watch.latency.last_ms / 1000
        after_s, published_s = at_page.at_s - rested_s, at_desk.at_s - rested_s
        return Told(len(plan.colours), at_page.state, at_page.faces == lies, after_s, published_s, settled_s)

    def _acts_after(self, done: int) -> CompletedAct:
        """The throw, once it has been seen to its end."""
        until_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < until_s:
            throw = next((act for act in self._camera.answer_log()[done:] if act.name == "throw"), None)
            if throw:
                return throw
            time.sleep(LOOK_S)
        raise AssertionError(f"the simulated hand did not throw within {PATIENCE_S:.0f} s")

    def _rested_s(self, throw: CompletedAct) -> float:
        """When the first picture was due in which no die moves any more. The engine ends a throw when that was REST_WINDOW_S ago."""
        assert self._clock.first_s is not None
        back = round(REST_WINDOW_S * self._camera.fps) + 1
        return self._clock.first_s + throw.to_s - back / self._camera.fps

    def _first_after(self, rested_s: float, notes: Callable[[], list[Note]]) -> Note:
        """The first of the notes that is not of moving dice and came after they had moved."""
        until_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < until_s:
            told = notes()
            moved = next((i for i, note in enumerate(told) if note.state in MOVING), len(told))
            for note in told[moved:]:
                if note.state not in MOVING and note.at_s > rested_s - WANTED_S:
                    return note
            time.sleep(LOOK_S)
        raise AssertionError(f"the throw was not told within {PATIENCE_S:.0f} s: {notes()}")

    def _shown(self, since: int) -> list[Note]:
        """What the page showed, without the first notes."""
        shown = self._page.evaluate("(since) => window.shown.slice(since)", since)
        offset_s = self._offset_s() if shown else 0.0
        return [Note(each["at_ms"] / 1000 + offset_s, each["state"], tuple(each["faces"])) for each in shown]

    def _offset_s(self) -> float:
        """This process's clock less the page's."""
        found: list[tuple[float, float]] = []
        for _ in range(TIMED):
            before = time.monotonic()
            there_s = self._page.evaluate("performance.now()") / 1000
            after = time.monotonic()
            found.append((after - before, (before + after) / 2 - there_s))
        return min(found)[1]


def _note(at_s: float, now: Snapshot) -> Note:
    return Note(at_s, now.tray.state.value, tuple(sorted(die.seen.face for die in now.tray.dice)))


@contextmanager
def bench(folder: Path, seed: int, browser: Browser) -> Iterator[Bench]:
    """A table over the simulated tray with its page open in this browser."""
    clock = _Clock()
    camera = SimulatedCamera(seed=seed, clock=clock)
    with table_at_work(folder, camera) as table, page_of(table) as address:
        page = browser.new_page(viewport={"width": LAPTOP[0], "height": LAPTOP[1]})
        page.add_init_script(NOTES_WHAT_IS_SHOWN)
        page.goto(address)
        page.locator("#tray-state").wait_for()
        yield Bench(table, camera, clock, page)


def summed_up(told: Sequence[Told]) -> str:
    """For people."""
    after = sorted(each.after_s for each in told)
    rows = (("slow dice to reading", "settled_s"), ("rest to snapshot", "published_s"), ("rest to page", "after_s"))
    lines = []
    for what, name in rows:
        values = [getattr(each, name) for each in told]
        lines.append(f"{what:22} median {median(values):.3f} s, worst {max(values):.3f} s")
    late, wrong = sum(s >= WANTED_S for s in after), sum(not each.right for each in told)
    return "\n".join([*lines, f"{late} of {len(after)} throws took {WANTED_S} s or more; {wrong} showed other faces than lie there"])


def main() -> None:
    """Prints every throw, and what they come to."""
    parser = argparse.ArgumentParser(prog="python -m tests.page.latency", description=__doc__)
    parser.add_argument("--throws", type=int, default=50, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the dice (default: %(default)s)")
    options = parser.parse_args()
    told: list[Told] = []
    try:
        with (
            tempfile.TemporaryDirectory(prefix="brehon-latency-") as folder,
            chromium() as browser,
            bench(Path(folder), options.seed, browser) as table,
        ):
            for n, each in enumerate(table.throws(options.throws), 1):
                told.append(each)
                print(f"{n:3} {each.dice} dice {each.state:10} {each.after_s:.3f} s", flush=True)
    except pytest.skip.Exception as missing:
        raise SystemExit(f"This needs a browser: {missing}") from None
    print(summed_up(told))


if __name__ == "__main__":
    main()
