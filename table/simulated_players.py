"""Simulated players on a simulated tray, for the demo and for tests of a whole table."""

from __future__ import annotations

import logging
import math
import random
import threading
import time
from typing import Protocol

from table.common.errors import BrehonError
from table.common.tray import TrayState
from table.referee.actions import Action, EnterFaces, EnterStickFaces, ResolveDoubt, SubmitAnswer
from table.referee.snapshot import Snapshot
from table.rules.entered_prompts import Hidden, StickThrow
from table.rules.prompts import Roll
from table.simulated_hand import SimulatedHand, do_clumsy_act, plan_throw, throw_by_hand

THINKING_S = 1.2
"""Pause before each act of a simulated player, seconds. It gives people time to follow the game."""

CLUMSY_CHANCE = 0.4
"""How often a clumsy player does something else between throws, as a share (0 to 1)."""

CLUMSY_WEIGHTS = {
    "push": 6,
    "tidy": 4,
    "knock": 4,
    "cover": 3,
    "sleeve": 2,
    "bump": 2,
    "lamp": 2,
    "lens": 1,
    "turn": 1,
    "lay": 1,
}
"""The clumsy acts and their relative weights. Acts that are fouls or hide the tray are rare."""

STUCK_S = 6.0
"""Time without news from the tray after which a throw without a result is repeated, seconds."""

SIDES = (0.0, math.pi, math.pi / 2, -math.pi / 2)
"""Directions of the seats, radians: in front of the tray, behind it, to its right and to its left."""


class PlayedTable(Protocol):
    """The running table of the simulated players."""

    @property
    def snapshot(self) -> Snapshot: ...

    @property
    def hand(self) -> SimulatedHand | None: ...

    def do(self, action: Action, /) -> Snapshot: ...

    def wait_after(self, seq: int, timeout_s: float) -> Snapshot: ...


class SimulatedPlayers:
    """All players of the table, in one thread. It throws with the simulated hand and makes random choices."""

    def __init__(
        self, table: PlayedTable, enabled: bool = True, thinking_s: float = THINKING_S, clumsy: bool = False
    ) -> None:
        self._table = table
        self._clumsy = clumsy
        self._thinking_s = thinking_s
        self._chance = random.Random()
        self._stop = threading.Event()
        self._thread = (
            threading.Thread(target=self._play, name="simulated players", daemon=True) if enabled else None
        )

    def __enter__(self) -> SimulatedPlayers:
        if self._thread:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join()

    def _play(self) -> None:
        while not self._stop.wait(self._thinking_s):
            now = self._table.snapshot
            if now.match is not None and now.match.phase != "play":
                return
            unread = now.tray.state.busy or now.tray.blind
            if unread or self._table.hand is None or not self._table.hand.resting:
                continue
            if self._clumsy and now.tray.dice and self._chance.random() < CLUMSY_CHANCE:
                self._act_clumsily()
            else:
                self._act(now)

    def _act_clumsily(self) -> None:
        """Does one clumsy act and waits until the hand is done."""
        assert self._table.hand is not None
        (act,) = self._chance.choices(list(CLUMSY_WEIGHTS), list(CLUMSY_WEIGHTS.values()))
        try:
            do_clumsy_act(self._table.hand, act)
        except BrehonError as error:
            logging.getLogger(__name__).warning("%s", error)
        while not self._table.hand.resting and not self._stop.wait(0.1):
            pass

    def _act(self, now: Snapshot) -> None:
        prompt = now.match.prompt if now.match else None
        asked = tuple(d.seen.face for d in now.tray.dice if d.part == "asked")
        asked_sticks = tuple(s.face for s in now.tray.sticks if s.part == "asked")
        try:
            parts = {d.part for d in now.tray.dice} | {s.part for s in now.tray.sticks}
            if "doubted" in parts:
                self._table.do(ResolveDoubt(now.number, thrown=True))
            elif asked_sticks:
                self._table.do(EnterStickFaces(now.number, asked_sticks))
            elif now.tray.state == TrayState.UNSURE and asked:
                self._table.do(EnterFaces(now.number, asked))
            elif isinstance(prompt, Roll):
                self._throw(now)
            elif isinstance(prompt, StickThrow):
                self._throw_sticks(now, prompt)
            elif prompt is not None:
                if isinstance(prompt, Hidden):
                    self._throw_under_cup(now)
                self._table.do(SubmitAnswer(now.number, prompt.random_answer(self._chance)))
        except BrehonError as error:
            logging.getLogger(__name__).warning("%s", error)

    def _throw(self, now: Snapshot) -> None:
        assert self._table.hand is not None
        plan = plan_throw(now, self._table.hand.lay())
        self._sit(now)
        throw_by_hand(self._table.hand, plan)
        self._wait_for_answer(now)

    def _throw_under_cup(self, now: Snapshot) -> None:
        assert self._table.hand is not None
        throw_by_hand(self._table.hand, plan_throw(now, self._table.hand.lay()))

    def _throw_sticks(self, now: Snapshot, prompt: StickThrow) -> None:
        """Throws the sticks, and taps an answer if the camera gives none and it may be tapped."""
        self._throw(now)
        latest = self._table.snapshot
        if latest.number == now.number and latest.can_type and not self._stop.is_set():
            self._table.do(SubmitAnswer(now.number, prompt.random_answer(self._chance)))

    def _sit(self, now: Snapshot) -> None:
        """Gives the hand to the player in turn. Each player has a side of the tray, a skin and a sleeve."""
        assert self._table.hand is not None
        assert now.match is not None
        assert now.match.prompt is not None
        seats = [seat.name for seat in now.match.seats]
        place = seats.index(now.match.prompt.player) if now.match.prompt.player in seats else 0
        self._table.hand.set_person(SIDES[place % len(SIDES)], skin=place * 2, sleeve=place)

    def _wait_for_answer(self, now: Snapshot) -> None:
        """Waits until the throw has a ruling, or nothing has happened on the tray for STUCK_S."""
        seq, since_s = now.seq, time.monotonic()
        while self._table.snapshot.number == now.number and not self._stop.is_set():
            latest = self._table.wait_after(seq, 0.5)
            if latest.seq != seq:
                seq, since_s = latest.seq, time.monotonic()
            elif time.monotonic() - since_s > STUCK_S:
                break
