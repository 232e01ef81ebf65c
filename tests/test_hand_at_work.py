"""The simulated hand at a whole table: the real camera, reader and referee, asked over the page's API."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from table.commands.run import start_match
from table.commands.wiring import RunningTable
from table.common.tray import TrayState
from table.defaults import LOG_NAME
from table.games import game
from table.log.store import Log
from table.page.app import create_app
from table.referee.action_handlers import ROLLING_NOW
from table.referee.snapshot import Snapshot
from table.rules.answers import Answer, Kept, Throw
from table.rules.game import Seat
from table.rules.match import Match
from table.rules.prompts import Choose, Prompt
from tests.at_work import table_at_work, wait_until
from vision.cameras.simulated import SimulatedCamera
from vision.simulation import SimDie

pytestmark = pytest.mark.slow

CAMERA_WH, CAMERA_FPS = (640, 480), 15.0

MOST_TAPS, TAP_S = 20, 0.3
"""How often a person taps while the table says to wait, and how long after the last tap, s."""


SEATS = (Seat("Ann", "green", "white"), Seat("Ben", "red", "blue"))


def camera(seed: int = 1, lying: Sequence[SimDie] = ()) -> SimulatedCamera:
    return SimulatedCamera(CAMERA_WH, CAMERA_FPS, seed=seed, paced=False, lying=lying)


def lies(faces: Sequence[int], colour: str = "white") -> tuple[SimDie, ...]:
    """Dice that lie on the tray, in rows of four."""
    return tuple(SimDie(f, colour, 34.0 * (n % 4) - 51, 34.0 * (n // 4) - 17) for n, f in enumerate(faces))


def logs(folder: Path, match: Match) -> None:
    """The match goes on with the table that is started next with this folder."""
    with closing(Log(folder / LOG_NAME)) as log:
        log.append(log.start(match.game.name, match.seats, match.raw_settings), match.answers)


def played(name: str, *answers: Answer, **settings: str) -> Match:
    """The match after these answers."""
    match = Match(game(name), SEATS, {"start": "Ann", **settings})
    for answer in answers:
        match = match.after(match.answered(answer))
    return match


def played_until(reached: Callable[[Prompt], bool], **settings: str) -> Match:
    """A day of Highland Dice Games up to the first prompt like this."""
    for seed in range(200):
        match, chance = Match(game("highland"), SEATS, settings), Random(seed)
        while match.prompt is not None:
            if reached(match.prompt):
                return match
            match = match.after(match.answered(match.prompt.random_answer(chance)))
    raise AssertionError("no match gets there")


class AtPage:
    """A person at the page of a table, who plays for everybody."""

    def __init__(self, table: RunningTable, lying: int = 0) -> None:
        """Waits until so many dice were read on the tray."""
        self._table = table
        self._http = create_app(table).test_client()
        wait_until(table, lambda s: len(s.tray.dice) == lying)

    @property
    def now(self) -> Snapshot:
        return self._table.snapshot

    @property
    def prompt(self) -> dict[str, Any]:
        assert self.now.match is not None
        assert self.now.match.prompt is not None
        return self.now.match.prompt.to_json()

    def looks(self) -> list[int]:
        """The dice under the cup of the player in turn."""
        dice: list[int] = self._http.post("/api/hand/look", json={}).get_json()["dice"]
        return dice

    def taps(self, what: str, **body: Any) -> None:
        """Posts an action once the tray is at rest, again while the table says to wait. The table does it."""
        for _ in range(MOST_TAPS):
            wait_until(self._table, lambda s: not s.tray.state.busy)
            answer = self._http.post(f"/api/{what}", json={"number": self.now.number, **body})
            if answer.status_code == 200 or answer.get_json()["error"] != ROLLING_NOW:
                break
            time.sleep(TAP_S)
        assert answer.status_code == 200, answer.get_json()

    def throws(self, **body: Any) -> tuple[int, ...]:
        """The faces of the next throw that counts, after a tap on the hand's button."""
        before = self._counted(self.now)
        self.taps("hand", **body)
        now = wait_until(self._table, lambda s: self._counted(s) > before)
        assert now.match is not None
        answer = now.match.throws[-1].answer
        assert isinstance(answer, Throw)
        return answer.faces

    @staticmethod
    def _counted(now: Snapshot) -> int:
        return len(now.match.throws) if now.match else 0


# -- cups ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [[], ["dice=own"]], ids=["shared dice", "own dice"])
def test_the_dice_that_were_looked_at_are_lifted_by_the_next_player(
    tmp_path: Path, settings: list[str]
) -> None:
    tray = camera()
    with table_at_work(tmp_path, tray) as table:
        start_match(table, "mia", "Ann:green,Ben:red", ["start=Ann", *settings])
        page = AtPage(table)
        page.taps("hand")
        dice = page.looks()
        page.taps("answer", answer={"choose": "31"})
        page.taps("answer", answer={"choose": "liar"})
        assert sorted(page.throws()) == sorted(dice)
        assert {die.colour for die in tray.answer_key()} == {"green"}


@pytest.mark.parametrize("game", ["liars_dice", "bricrius_bluff"])
def test_every_cup_is_lifted_off_the_dice_that_its_player_looked_at(tmp_path: Path, game: str) -> None:
    tray = camera()
    with table_at_work(tmp_path, tray) as table:
        start_match(table, game, "Ann:green,Ben:red", ["start=Ann"])
        page, dice = AtPage(table), dict[str, list[int]]()
        page.taps("hand")
        page.taps("hand")
        for count in (1, 2):
            dice[page.prompt["player"]] = page.looks()
            page.taps("answer", answer={"bid": {"count": count, "face": 5}})
        call = page.prompt["options"][0]["id"]
        page.taps("answer", answer={"choose": call})
        for _ in dice:
            player = page.prompt["player"]
            assert sorted(page.throws()) == sorted(dice[player])
            assert {die.colour for die in tray.answer_key()} == {{"Ann": "green", "Ben": "red"}[player]}


# -- choices that a throw makes ------------------------------------------------------------------------------


def test_the_hand_throws_the_cargo_again_and_leaves_the_crew(tmp_path: Path) -> None:
    logs(tmp_path, played("ship_captain_crew", Throw.of(6, 5, 4, 3, 2)))
    tray = camera(lying=lies((6, 5, 4, 3, 2)))
    with table_at_work(tmp_path, tray) as table:
        page = AtPage(table, lying=5)
        assert len(page.throws()) == 2
        assert [die.face for die in tray.answer_key()][:3] == [6, 5, 4]


def test_the_hand_throws_the_dice_that_were_not_kept(tmp_path: Path) -> None:
    logs(tmp_path, played("five_dice", Throw.of(1, 1, 1, 5, 3, 4), Kept((1, 1, 1, 5))))
    tray = camera(lying=lies((1, 1, 1, 5, 3, 4)))
    with table_at_work(tmp_path, tray) as table:
        page = AtPage(table, lying=6)
        assert page.prompt["options"][1]["text"] == "Throw two dice"
        assert len(page.throws()) == 2
        assert [die.face for die in tray.answer_key()][:4] == [1, 1, 1, 5]


def offers(option: str) -> Callable[[Prompt], bool]:
    """Whether Ann is offered this option in an event over a bar."""

    def offered(prompt: Prompt) -> bool:
        ids = [o.id for o in prompt.options] if isinstance(prompt, Choose) else []
        return option in ids and "feet" in prompt.text and prompt.player == "Ann"

    return offered


@pytest.mark.parametrize("dice", ["any", "own"])
@pytest.mark.parametrize(("option", "count", "lying"), [("throw", 2, 4), ("throw", 2, 8), ("decider", 1, 2)])
def test_the_hand_takes_old_dice_away_before_a_throw_over_the_bar(
    tmp_path: Path, option: str, count: int, lying: int, dice: str
) -> None:
    logs(tmp_path, played_until(offers(option), dice=dice))
    tray = camera(lying=lies((3, 5, 1, 2, 6, 6, 4, 2)[:lying], "green"))
    with table_at_work(tmp_path, tray) as table:
        assert len(AtPage(table, lying).throws()) == count
        assert len(tray.answer_key()) == count


# -- a die that leans ----------------------------------------------------------------------------------------


def test_the_die_that_leans_is_thrown_again_alone(tmp_path: Path) -> None:
    tray = camera(seed=34)  # with it, one of six dice that are thrown without care comes to lean
    with table_at_work(tmp_path, tray) as table:
        start_match(table, "midnight", "Ann:green,Ben:red", ["start=Ann"])
        tray.throw(["green"] * 6, careful=False)
        now = wait_until(table, lambda s: s.tray.state is TrayState.COCKED)
        leaning = [i for i, die in enumerate(now.tray.dice) if die.part == "asked"]
        assert [now.tray.dice[i].seen.cocked for i in leaning] == [True]
        stood = tuple(die for die in tray.answer_key() if not die.lean_rad)
        assert len(AtPage(table, lying=6).throws(picked_up=leaning)) == 6
        assert tray.answer_key()[:5] == stood


# -- after a restart -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "faces", "kept"),
    [("midnight", (1, 4, 6, 6, 2, 3), (1, 4, 6, 6)), ("five_dice", (1, 1, 1, 5, 3, 4), (1, 1, 1, 5))],
)
def test_the_dice_that_are_not_kept_are_thrown_after_a_restart_with_an_empty_tray(
    tmp_path: Path, name: str, faces: tuple[int, ...], kept: tuple[int, ...]
) -> None:
    logs(tmp_path, played(name, Throw.of(*faces)))
    tray = camera()
    with table_at_work(tmp_path, tray) as table:
        assert len(AtPage(table).throws(keep=list(kept))) == 2
        assert len(tray.answer_key()) == 2
