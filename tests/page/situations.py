"""Every kind of prompt of every game, as the page gets it: played positions with the most to show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from table.common.tray import TrayState
from table.games import GAMES
from table.referee.snapshot import Snapshot, TrayDie, TrayView
from table.referee.tower_falls import Fall, NewDie
from table.referee.towers_on_tray import TowersOnTray
from table.rules.answers import Die, Throw
from table.rules.game import Seat
from table.rules.match import Match, MatchView
from table.rules.prompts import REVEAL
from table.simulated_cups import cup_of
from tests.games.playing import start
from tests.page.fake_table import FakeTable, tray_picture
from tests.referee.evening import SIDE, SIZE
from vision.frames import Frame
from vision.readings import SeenDie

NAMES = (
    "Maximiliane-Charlotte", "Ben", "Cú Chulainn Mac Sualtam", "Dagmar", "Eoghan", "Fionn",
    "Gráinne of the West Shore", "Hugh", "Isolde the Younger", "Jürgen",
)  # fmt: skip
"""Ten players, some with names of 24 letters, which is the most that the table takes."""

COLOURS = ("green", "red", "blue", "yellow", "white", "purple", "orange", "black", "pink", "brown")

SETTINGS: Mapping[str, Mapping[str, str]] = {
    "sigily": {"magic": "on", "side_bets": "on", "cards": "12", "gambling": "on"},
    "mia": {"pass_on": "on"},
    "midnight": {"stake": "5"},
}
"""Settings that bring in prompts which a game with its defaults does not have."""

SEED = 1
MOST_ANSWERS = 1500
"""Answers after which a match that is not over has shown all its kinds of prompts."""

FOUL = (
    "Wrong dice: the game asks for four green dice, and three red dice were thrown. The throw is void. "
    "Throw the four green dice again."
)


@dataclass(frozen=True)
class Situation:
    """One position of a match: the game, the kind of its prompt ("over" at the end), and the match."""

    game: str
    kind: str
    match: MatchView
    doubt: bool = False

    def __str__(self) -> str:
        return f"{self.game}-{self.kind}"

    def snapshot(self, foul: bool = False) -> Snapshot:
        """The table in this position, with the dice of the last throw on the tray.

        foul: with a long message. In doubt, the table asks which of the first two dice were thrown.
        """
        thrown = next((t for t in reversed(self.match.throws) if isinstance(t.answer, Throw)), None)
        dice = _lying(thrown.answer) if thrown and isinstance(thrown.answer, Throw) else ()
        state = TrayState.WRONG_DICE if foul else TrayState.WAITING
        tray = TrayView(
            state,
            FOUL if foul else "",
            "G5" if foul else "",
            SIZE,
            tuple(TrayDie(seen, "thrown", i) for i, seen in enumerate(dice)),
            throw_at=thrown.at if thrown else None,
        )
        if self.doubt:
            doubted = tuple(
                replace(die, part="doubted" if i < 2 else "still") for i, die in enumerate(tray.dice)
            )
            tray = replace(tray, state=TrayState.UNSURE, message=QUESTION, rule="", dice=doubted, some=True)
        return Snapshot(match=self.match, tray=tray, camera="test tray", hidden_since=self.match.hidden_since)


@dataclass(frozen=True)
class OfAFall(Situation):
    """The table asks whether two dice fell from the towers."""

    def snapshot(self, foul: bool = False) -> Snapshot:
        shown = super().snapshot()
        now = _lying(Throw((Die(6, "red"), Die(2, "green"))))
        lying = tuple(NewDie(seen, Die(seen.face, seen.colour)) for seen in now)
        fall = Fall((2,), (Die(5, "red"), Die(5, "green")), ("t2.2",), lying)
        asked = TowersOnTray(fall=fall).prompt_shown(self.match.prompt)
        tray = replace(shown.tray, state=TrayState.UNSURE, message=fall.question, fall=True)
        return replace(shown, tray=tray, match=replace(self.match, prompt=asked))


QUESTION = "Were the 6 and 5 thrown, or only moved?"


@cache
def situations(game: str) -> tuple[Situation, ...]:
    """The position with the most to show for each kind of prompt of the game, with the most players.

    Short choices and long ones count as kinds of their own, and so do raises and lifted cups. The last
    situation is the end of the match.
    """
    rules = GAMES[game]
    seats = tuple(
        Seat(_short(name), colour, COLOURS[i - 1] if rules.two_colours else None)
        for i, (name, colour) in enumerate(zip(NAMES, COLOURS, strict=True))
    )[: rules.players[-1]]
    match, chance = start(game, seats, SETTINGS.get(game, {})), Random(SEED)
    fullest: dict[str, tuple[tuple[int, int], MatchView]] = {}
    while match.prompt is not None:
        asked = match.prompt.to_json()
        view = match.view()
        shown = (len(view.lifted), len(json.dumps(asked)))
        if shown > fullest.get(kind := _kind(asked), ((0, 0),))[0]:
            fullest[kind] = (shown, view)
        if match.at >= MOST_ANSWERS:
            break
        match = match.after(match.answered(match.prompt.random_answer(chance)))
    over = match.view() if match.prompt is None else _ended(match)
    played = [(kind, view) for kind, (_, view) in fullest.items()]
    return tuple(Situation(game, kind, view) for kind, view in [*played, ("over", over)])


def _kind(prompt: Mapping[str, Any]) -> str:
    """The kind of the prompt. Choices of more than four, and of more than eight, are other kinds, and so are
    a bid above another one and cups that are lifted, because the page draws each in its own way."""
    if prompt["kind"] == "bid" and prompt["above"]:
        return "raise"
    if prompt.get("for") == REVEAL:
        return REVEAL
    options = len(prompt["options"]) if prompt["kind"] == "choose" else 0
    return "choose many" if options > 8 else "choose some" if options > 4 else str(prompt["kind"])


def _ended(match: Match) -> MatchView:
    """The match as if its first player had won it now."""
    from table.rules.game import Outcome

    winner = match.seats[0].name
    return replace(match.view(), phase="over", prompt=None, outcome=Outcome((winner,), f"{winner} wins."))


def _short(name: str) -> str:
    return name[:24]


def _lying(thrown: Throw) -> tuple[SeenDie, ...]:
    """The dice of a throw, in rows across the tray."""
    return tuple(
        SeenDie(
            die.face,
            die.colour or "white",
            (90.0 + 110 * (i % 6), 120.0 + 110 * (i // 6), SIDE, SIDE),
            confidence=0.99,
            sure=True,
        )
        for i, die in enumerate(thrown.dice)
    )


class ShowingTable(FakeTable):
    """A table that shows the snapshots that the test gives it, one after another."""

    def __init__(self, folder: Path, **how: Any) -> None:
        self._given: Snapshot | None = None
        super().__init__(folder, **how)

    def show(self, snapshot: Snapshot) -> int:
        """Shows the snapshot on every screen. Returns its number.

        With a simulated hand, the player in turn may look at five dice under the cup, if dice are under cups.
        """
        if self.hand and snapshot.match and snapshot.match.prompt:
            prompt = snapshot.match.prompt
            self.hand.throw_under_cup(cup_of(snapshot, prompt), prompt.player, ["white"] * 5)
        with self._changed:
            self._given = snapshot
            return self._publish().number

    def _publish(self) -> Snapshot:
        now = super()._publish()
        if self._given is None:
            return now
        with self._changed:
            self._snapshot = replace(self._given, seq=now.seq, run=now.run, number=now.seq)
            self._changed.notify_all()
            return self._snapshot

    def _frame(self) -> Frame | None:
        if self._given is None:
            return super()._frame()
        return Frame(tray_picture([die.seen for die in self._given.tray.dice]), 0.0)
