"""Random tracking results and random taps do not stop the referee, and the recording replays identically.

Fates, leavings, states and taps are random, whether they make sense or not, because vision can be wrong in
any way.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from table.common.errors import BrehonError
from table.common.tray import TrayState
from table.games import GAMES
from table.referee.actions import Action, EnterFaces, FellOff, NothingFell, ResolveDoubt, Start, TakeBack
from table.referee.effects import Accepted
from table.referee.events import TrayChanged, TrayRead
from table.rules.answers import Throw
from table.rules.prompts import Roll
from tests.games import playing
from tests.referee.evening import SIDE, SIZE, Evening
from tests.referee.test_random_play import assert_recording_replays_identically
from vision.readings import Reading, SeenDie
from vision.tracking.tracks import LossReason, LostTrack, Track, TrackOutcome, Tracks

STEPS = 80


class RandomTracks:
    def __init__(self, folder: Path, game: str, rng: Random) -> None:
        least, most = GAMES[game].players[0], GAMES[game].players[-1]
        self.rng = rng
        self.table = Evening(folder, game, *("Ann", "Ben", "Cid", "Dee")[: sorted((2, least, most))[1]])
        self.tracks: dict[int, SeenDie] = {}

    def step(self) -> None:
        with suppress(BrehonError):  # a refused action is a sentence to the player
            self.rng.choice(
                [
                    self.reads_tray,
                    self.reads_tray,
                    self.reads_tray,
                    self.changes_state,
                    self.taps,
                    self.answers,
                ]
            )()

    def reads_tray(self) -> None:
        count = self.rng.randint(0, 8)
        ids = self.rng.sample(range(12), count)
        tracks = tuple(self.track(i) for i in ids)
        left = [i for i in self.tracks if i not in ids and self.rng.random() < 0.8]
        lost = tuple(LostTrack(i, self.tracks[i], self.rng.choice(list(LossReason))) for i in left)
        outside, rolled_off = (
            tuple(self.die() for _ in range(self.rng.choice([0, 0, 0, 1]))) for _ in range(2)
        )
        event = TrayRead(
            Reading(SIZE, tuple(t.seen for t in tracks)),
            Tracks(tracks, lost, outside, self.rng.random() < 0.1, rolled_off),
        )
        self.tracks = {t.id: t.seen for t in tracks}
        self.table.effects += self.table.referee.handle(event, b"\xff\xd8")

    def track(self, number: int) -> Track:
        was = self.tracks.get(number) if self.rng.random() < 0.7 else None
        outcome = self.rng.choice(
            [*TrackOutcome, TrackOutcome.UNMOVED, TrackOutcome.THROWN, TrackOutcome.THROWN]
        )
        seen = replace(was, face=self.rng.randint(1, 6)) if was and self.rng.random() < 0.5 else self.die()
        return Track(number, seen, outcome, was, self.rng.random() < 0.5)

    def die(self) -> SeenDie:
        rng = self.rng
        box = (rng.uniform(0, 700), rng.uniform(0, 500), SIDE, SIDE)
        sure = rng.random() < 0.8
        return SeenDie(
            rng.randint(1, 6),
            rng.choice(["white", "red"]),
            box,
            0.9 if sure else 0.5,
            sure,
            rng.random() < 0.1,
        )

    def changes_state(self) -> None:
        state = self.rng.choice(list(TrayState))
        self.table.effects += self.table.referee.handle(TrayChanged(state))

    def taps(self) -> None:
        number = self.table.now.number
        asked = len(self.table.referee.state.asked_dice)
        faces = tuple(self.rng.choice([None, *range(1, 7)]) for _ in range(asked))
        taps: list[Action] = [
            EnterFaces(number, faces),
            ResolveDoubt(number, self.rng.random() < 0.5),
            FellOff(number),
            NothingFell(number),
            TakeBack(number),
        ]
        self.table.does(self.rng.choice(taps))

    def answers(self) -> None:
        prompt = self.table.match.prompt
        if prompt is None:
            seats = self.table.match.seats
            self.table.does(Start(self.table.now.number, self.table.match.game.name, seats, {}))
        elif not isinstance(prompt, Roll) or self.rng.random() < 0.1:
            self.table.answers(playing.random_answer(prompt, self.rng))


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if Roll in game.prompt_types])
@pytest.mark.parametrize("seed", range(7))
def test_no_random_tracking_result_stops_the_referee(tmp_path: Path, game: str, seed: int) -> None:
    evening = RandomTracks(tmp_path, game, Random(seed))
    for _ in range(STEPS):
        evening.step()
        evening.table.now.to_json()
        assert "the nothing" not in evening.table.message
    assert_recording_replays_identically(evening.table)


@pytest.mark.parametrize("outcome", sorted(set(TrackOutcome) - {TrackOutcome.THROWN}))
def test_only_a_thrown_die_makes_a_throw(tmp_path: Path, outcome: TrackOutcome) -> None:
    """Any other outcome makes no throw. An unclear outcome asks a person."""
    table = Evening(tmp_path, "pig", "Ann", "Ben", start="Ann")
    (die,) = table.throws(5)
    for face in (5, 6):
        table.turns(die, face, outcome=outcome)
        table.settle()
    assert [each.faces for each in table.effects if isinstance(each, Accepted)] == [(5,)]
    thrown = Throw(table.match.answers[0].answer.dice)  # type: ignore[union-attr]
    assert [t.answer for t in table.match.view().throws] == [thrown]
