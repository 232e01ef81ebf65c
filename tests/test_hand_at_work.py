"""The simulated hand at a whole table: the real camera, reader and referee, asked over the page's API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from table.commands.run import start_match
from table.commands.wiring import RunningTable
from table.page.app import create_app
from table.referee.snapshot import Snapshot
from table.rules.answers import Throw
from tests.at_work import table_at_work, wait_until
from vision.cameras.simulated import SimulatedCamera

pytestmark = pytest.mark.slow

CAMERA_WH, CAMERA_FPS = (640, 480), 15.0


def camera(seed: int = 1) -> SimulatedCamera:
    return SimulatedCamera(CAMERA_WH, CAMERA_FPS, seed=seed, paced=False)


class AtPage:
    """A person at the page of a table, who plays for everybody."""

    def __init__(self, table: RunningTable) -> None:
        self._table = table
        self._http = create_app(table).test_client()

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
        """Posts an action, which the table does."""
        answer = self._http.post(f"/api/{what}", json={"number": self.now.number, **body})
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
