"""Every throw that is made counts exactly once, in random play with random disturbances.

Players throw the dice that are awaited. In between, hands pass and cover dice, the tray is read again, dice
shift slightly, the camera is lost and the table restarts. Players tap their choices or make them by throwing
on. Some readings are unsure, and players name the faces. The test compares the throws of the match with the
throws that were made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from table.common.tray import TrayState
from table.games import GAMES
from table.referee.effects import Accepted, Asked, Ruled
from table.referee.replay import event_to_line, events_from_lines, replayed
from table.rules.answers import Answer, Chosen, Kept, Throw
from table.rules.prompts import Choose, Keep, Prompt, Roll
from tests.games import playing
from tests.referee.evening import Evening

pytestmark = pytest.mark.slow

STEPS = 60


class RandomPlay:
    """Legal random play with random disturbances between the answers."""

    def __init__(self, folder: Path, game: str, rng: Random) -> None:
        self.rng = rng
        least, most = GAMES[game].players[0], GAMES[game].players[-1]
        self.table = Evening(folder, game, *("Ann", "Ben", "Cid", "Dee")[: sorted((3, least, most))[1]])
        self.thrown: list[tuple[int, ...]] = []
        self.kept: tuple[int, ...] = ()
        """Places of the dice that were set aside in this turn and still lie on the tray."""
        self.last: tuple[int, ...] = ()
        """Places of the dice of the last throw."""

    @property
    def prompt(self) -> Prompt | None:
        match = self.table.now.match
        assert match is not None
        return match.prompt

    @property
    def counted_throws(self) -> list[tuple[int, ...]]:
        match = self.table.now.match
        assert match is not None
        return [t.answer.faces for t in match.throws if isinstance(t.answer, Throw)]

    def step(self) -> None:
        self.rng.choice([self.plays, self.plays, self.plays, self.disturbs])()
        assert self.counted_throws == self.thrown
        assert self.table.state not in (TrayState.OUT_OF_TURN, TrayState.WRONG_DICE, TrayState.NO_CAMERA), (
            self.table.message
        )

    # -- play ------------------------------------------------------------------------------------------------

    def plays(self) -> None:
        match self.prompt:
            case Roll() as prompt:
                self.throws(prompt.count, prompt)
            case Choose() as prompt:
                self.chooses(prompt)
            case Keep() as prompt:
                self.keeps(prompt)
            case Prompt() as prompt:
                self.table.answers(playing.random_answer(prompt, self.rng))

    def chooses(self, prompt: Choose) -> None:
        option = self.rng.choice(prompt.options)
        if option.throws is not None and self.rng.random() < 0.5:
            self.throws(option.throws, self.after(Chosen(option.id)))
        else:
            self.table.chooses(option.id)

    def keeps(self, prompt: Keep) -> None:
        answer = playing.random_answer(prompt, self.rng)
        assert isinstance(answer, Kept)
        earlier = self.places_showing(self.kept, prompt.earlier)
        later, left = self.after(answer), self.places_showing((*earlier, *self.last), answer.faces)
        while isinstance(later, Choose) and (
            on := next((o for o in later.options if o.throws is not None), None)
        ):
            later = self.after(answer, Chosen(on.id))
        by_throwing_on = (
            isinstance(later, Roll)
            and later.player == prompt.player
            and later.beside
            and self.rng.random() < 0.5
        )
        if by_throwing_on and isinstance(later, Roll) and len(left) == len(answer.faces):
            self.throws(later.count, later, (*(p for p in self.kept if p not in earlier), *left))
        else:
            self.table.keeps(*answer.faces)

    def throws(self, count: int, prompt: Prompt | None, leaving: tuple[int, ...] | None = None) -> None:
        """Picks up the dice, sometimes with a pause, and throws them.

        Dice set aside stay or leave the tray.
        """
        assert isinstance(prompt, Roll)
        if leaving is None:
            leaving = self.places_showing((*self.kept, *self.last), prompt.beside)
            if len(leaving) < len(prompt.beside) or self.rng.random() < 0.1:
                leaving = ()
        picked = [p for p in self.table.lying if p not in leaving]
        if self.rng.random() < 0.4 and picked:
            self.table.picks_up(*picked)
        faces = tuple(self.rng.choices(range(1, 7), k=count))
        unsure = self.rng.random() < 0.2
        read = [
            (self.rng.randint(1, 6), "unsure") if unsure and i == 0 else face for i, face in enumerate(faces)
        ]
        colours = [group.colour or "white" for group in prompt.dice for _ in range(group.count)]
        self.last, self.kept = self.table.throws(*read, leaving=leaving, colour=colours), leaving
        if unsure:
            assert self.table.state == TrayState.UNSURE, self.table.message
            if self.rng.random() < 0.5:
                self.rng.choice(self.disturbances)()
            self.table.names_faces(*(faces if self.looks_set_aside else faces[:1]))
            self.table.changes(self.last[0], face=faces[0], sure=self.rng.random() < 0.5)
        if self.looks_set_aside:
            self.table.names_faces(*faces)
        self.thrown.append(faces)

    @property
    def looks_set_aside(self) -> bool:
        """Whether the throw shows the faces of dice that were set aside and taken off the tray."""
        return self.table.message.endswith("or that it is no die of this throw.")

    def places_showing(self, places: tuple[int, ...], faces: Sequence[int]) -> tuple[int, ...]:
        """The places of dice that show these faces, each as often as given, as far as the tray has them."""
        wanted, found = Counter(faces), list[int]()
        for place in places:
            if place in self.table.lying and wanted[self.table.lying[place].face] > 0:
                wanted[self.table.lying[place].face] -= 1
                found.append(place)
        return tuple(found)

    def after(self, *answers: Answer) -> Prompt | None:
        """The prompt that would follow these answers."""
        fork = self.table.match.fork()
        for answer in answers:
            fork = fork.after(fork.answered(answer))
        return fork.prompt

    # -- disturbances ----------------------------------------------------------------------------------------

    @property
    def disturbances(self) -> list[Callable[[], None]]:
        return [
            self.reads_again,
            self.passes_a_hand,
            self.rests_a_hand,
            self.shifts_dice_slightly,
            self.loses_the_camera,
        ]

    def disturbs(self) -> None:
        self.rng.choice([*self.disturbances, self.restarts])()

    def reads_again(self) -> None:
        self.table.settle()

    def passes_a_hand(self) -> None:
        self.table.uncovers(self.table.lying)

    def rests_a_hand(self) -> None:
        """A hand covers some or all of the dice for more than one reading."""
        covered = [p for p in self.table.lying if self.rng.random() < 0.6]
        whole = dict(self.table.lying)
        self.table.covers(*covered)
        self.table.settle()
        self.table.uncovers(whole)

    def shifts_dice_slightly(self) -> None:
        for place, die in list(self.table.lying.items()):
            x, y, w, h = die.box_xywh
            self.table.changes(
                place, box_xywh=(x + self.rng.uniform(-4, 4), y + self.rng.uniform(-4, 4), w, h)
            )
        self.table.settle()

    def loses_the_camera(self) -> None:
        self.table.loses_sight()
        self.table.settle()

    def restarts(self) -> None:
        self.table.restarts()


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if Roll in game.prompt_types])
@pytest.mark.parametrize("seed", range(8))
def test_every_throw_that_was_made_counts_exactly_once(tmp_path: Path, game: str, seed: int) -> None:
    evening = RandomPlay(tmp_path, game, Random(seed))
    for _ in range(STEPS):
        if evening.prompt is None:
            break
        evening.step()
    assert evening.prompt is None or len(evening.thrown) > 5
    assert evening.table.fouls == []
    assert_recording_replays_identically(evening.table)


def assert_recording_replays_identically(table: Evening) -> None:
    """The recording since the last start, as JSON lines, replays to the same effects, state and log."""
    lines = [event_to_line(event) for event in table.events]
    events = list(events_from_lines(lines))
    assert events == table.events
    *_, (_, state, _) = steps = list(replayed(events))
    replayed_effects = [
        each for _, _, effects in steps for each in effects if isinstance(each, Accepted | Ruled | Asked)
    ]
    assert replayed_effects == table.effects[len(table.effects) - len(replayed_effects) :]
    assert state == table.referee.state
    logged = table.log.current()
    assert state.match_state is not None
    assert logged is not None
    assert state.match_state.events == logged.events
