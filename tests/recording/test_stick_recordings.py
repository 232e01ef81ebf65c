"""`brehon watch` on drawn recordings of sticks: frames in, accepted throws out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from table.commands.watch import as_text, start_action, temporary_referee
from table.recording.offline_table import Line, output_lines
from table.referee.events import Opened
from tests.vision.sticks import DrawnStickReader, drawn, stick
from tests.vision.test_stick_pipeline import FPS, REST_FRAMES, arm_over
from tests.vision.test_stick_tracker import FIRST, SECOND
from vision.frames import Frame, Picture
from vision.pipeline import Pipeline
from vision.readings import SeenStick


def lines_of(game: str, pictures: Sequence[Picture]) -> list[Line]:
    pipeline = Pipeline(DrawnStickReader())
    with temporary_referee(Opened(), pipeline.read_again) as referee:
        referee.act(start_action(referee, game, "Ann,Ben", []))
        frames = (Frame(picture, n / FPS) for n, picture in enumerate(pictures))
        return list(output_lines(frames, pipeline, referee))


def resting(*sticks: SeenStick) -> Iterator[Picture]:
    return (drawn(sticks, seed) for seed in range(REST_FRAMES))


@pytest.fixture(scope="module")
def two_throws() -> list[Picture]:
    """Ann throws, then Ben takes the sticks and throws."""
    return [*resting(), *arm_over(), *resting(*FIRST), *arm_over(*FIRST, takes=True), *resting(*SECOND)]


def test_throws_of_sticks_are_accepted_without_a_tap(two_throws: list[Picture]) -> None:
    lines = lines_of("down_the_danube", two_throws)
    accepted = [line["accepted"] for line in lines if "accepted" in line]
    assert [(a["at"], a["player"], sorted(a["sticks"])) for a in accepted] == [
        (0, "Ann", ["black", "black", "white", "white"]),
        (1, "Ben", ["black", "white", "white", "white"]),
    ]
    assert all(a["faces"] == a["colours"] == [] for a in accepted)


def test_a_reading_says_how_each_stick_came_there(two_throws: list[Picture]) -> None:
    readings = [line["reading"] for line in lines_of("down_the_danube", two_throws) if "reading" in line]
    assert [s["fate"] for s in readings[-1]["sticks"]] == ["thrown"] * 4
    assert len({s["track"] for s in readings[-1]["sticks"]}) == 4


def test_three_sticks_are_not_accepted() -> None:
    lines = lines_of("down_the_danube", [*resting(), *arm_over(), *resting(*FIRST[:3])])
    (ruling,) = [line["ruling"] for line in lines if "ruling" in line]
    assert (ruling["kind"], ruling["rule"]) == ("void", "G4")
    assert ruling["text"].startswith("Three sticks are seen, four expected")
    assert not [line for line in lines if "accepted" in line]


def test_a_game_of_dice_reads_no_sticks(two_throws: list[Picture]) -> None:
    assert all(line["reading"]["sticks"] == [] for line in lines_of("pig", two_throws) if "reading" in line)


def test_lines_with_sticks_can_be_read_by_people() -> None:
    seen = stick("white", 1, 2).to_json()
    reading = {"dice": [], "sticks": [seen, {**seen, "sure": False}]}
    assert as_text({"t": 4.1, "reading": reading}).endswith("read white stick, white stick?")
    thrown = {"at": 0, "player": "Ann", "faces": [], "colours": [], "sticks": ["white", "black"]}
    assert as_text({"t": 4.1, "accepted": thrown}).endswith("Ann threw white and black")
