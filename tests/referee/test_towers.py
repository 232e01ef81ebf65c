"""Towers of dice: the camera sees which die a hand puts on which tower, and what falls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from table.common.errors import IllegalAnswer
from table.common.tray import TrayState
from table.referee.actions import NothingFell, SubmitAnswer
from table.referee.events import NotLogged, Opened, ResumedMatch
from table.referee.replay import event_to_line, events_from_lines
from table.referee.state import PlacementWrite, State
from table.referee.step import step
from table.referee.towers import TowerSeen
from table.referee.towers_on_tray import TowersOnTray
from table.rules.answers import Chosen, Die, Picked, Throw
from table.rules.entered_prompts import Pick
from table.rules.game import Seat
from table.rules.prompts import Choose, Option, Roll
from tests.referee.evening import SIDE, Evening
from vision.boxes import Box
from vision.readings import SeenDie
from vision.tracking.tracks import TrackOutcome

RED, GREEN, BLUE, YELLOW = 0, 1, 2, 3
"""Places of the base dice, which are towers 1 to 4."""
CORNERS = ((330.0, 230.0), (450.0, 230.0), (450.0, 350.0), (330.0, 350.0))
"""Left and top of the base dice, px: the corners of a square in the middle of the picture."""
FIRST_LOOSE = 60
"""Place of the first die that is no base die; it lies far from the towers."""
NEW_PLACE = 96
"""Place of the first die that comes later, below the towers in the picture."""
LETTERS = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}


def dice(text: str) -> list[Die]:
    """'R3 G5' is a red 3 and a green 5."""
    return [Die(int(d[1]), LETTERS[d[0]]) for d in text.split()]


class TowerEvening(Evening):
    """A round of High Rollin' with four base dice that were set up, and Ann's first throw of five dice."""

    def __init__(self, folder: Path, bases: str = "R3 G5 B1 Y6", set_up: bool = True) -> None:
        super().__init__(folder, "high_rollin", "Ann", "Ben", start="Ann")
        self.throws(*(d.face for d in dice(bases)), colour=[str(d.colour) for d in dice(bases)])
        self.levels: dict[int, list[tuple[Die, Box]]] = {}
        if set_up:
            self.set_up()

    def _put(self, face: int, how: str, colour: str, outcome: TrackOutcome) -> int:
        """A sure die has only one likely face."""
        place = super()._put(face, how, colour, outcome)
        if how != "unsure":
            self.changes(place, likely=((face, 0.999),))
        return place

    def set_up(self) -> None:
        """Hands set the base dice at the corners of a square."""
        for place, (x, y) in enumerate(CORNERS):
            self._outcomes[place] = (TrackOutcome.PLACED, self.lying[place], True)
            self.changes(place, box_xywh=(x, y, SIDE, SIDE))
        self.sees(TrayState.HAND)
        self.settle()

    def ann_throws(self, text: str, settle: bool = True) -> tuple[int, ...]:
        """Ann takes dice of these colours from her pile and throws them; returns their places."""
        counts: dict[str, int] = {}
        ids = []
        for die in dice(text):
            counts[str(die.colour)] = counts.get(str(die.colour), 0) + 1
            ids.append(f"{die.colour}{counts[str(die.colour)]}")
        self.answers(Picked(tuple(ids)))
        self.next_place = FIRST_LOOSE
        self.sees(TrayState.ROLLING)
        faces, colours = [d.face for d in dice(text)], [str(d.colour) for d in dice(text)]
        places = self.lands(*faces, leaving=tuple(self.lying), colour=colours)
        if settle:
            self.settle()
        return places

    def puts(self, place: int, tower: int, settle: bool = True, **read: object) -> None:
        """A hand puts the die at this place on a tower. read: what is read otherwise than it is."""
        die, below = self.lying[place], self.lying[tower]
        self.levels.setdefault(tower, []).append((Die(below.face, below.colour), below.box_xywh))
        x, y, w, h = below.box_xywh
        self.sees(TrayState.HAND)
        self._lift(place)
        how = {
            "face": die.face,
            "colour": die.colour,
            "box_xywh": (x + 3, y - 4, 1.04 * w, 1.04 * h),
            "likely": ((die.face, 0.999),),
        }
        self.changes(tower, **(how | read))
        if settle:
            self.settle()

    def takes_off(self, tower: int, settle: bool = True) -> None:
        """The top die of a tower goes; the one below is visible again."""
        die, box = self.levels[tower].pop()
        likely = ((die.face, 0.999),)
        self.changes(tower, face=die.face, colour=die.colour, box_xywh=box, likely=likely, sure=True)
        if settle:
            self.sees(TrayState.HAND)
            self.settle()

    @property
    def given(self) -> list[object]:
        return [a.answer for a in self.match.answers]

    @property
    def option_ids(self) -> list[str]:
        """The options in the order in which the page shows them."""
        shown = self.now.match
        assert shown is not None
        assert isinstance(shown.prompt, Choose)
        return [o.id for o in shown.prompt.options]


@pytest.fixture
def evening(tmp_path: Path) -> TowerEvening:
    return TowerEvening(tmp_path)


def test_base_dice_are_set_up_by_hand_without_a_foul(evening: TowerEvening) -> None:
    assert not evening.fouls
    assert [len(t.dice) for t in evening.referee.state.towers.seen] == [1, 1, 1, 1]


def test_each_tower_has_a_place_in_the_picture(evening: TowerEvening) -> None:
    assert [box[:2] for box in evening.now.tray.towers] == list(CORNERS)
    _, _, blue3, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    evening.puts(blue3, RED)
    (x, y), higher = CORNERS[RED], evening.now.tray.towers[RED]
    assert higher[:2] == (x + 3, y - 4), "the highest die that was seen"


def test_a_die_put_on_a_tower_is_the_answer(evening: TowerEvening) -> None:
    red5, green5, blue3, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    evening.puts(blue3, RED)
    assert evening.given[-1] == Chosen("blue3>1")
    evening.puts(red5, GREEN)
    evening.puts(green5, GREEN)
    assert evening.given[-2:] == [Chosen("red5>2"), Chosen("green5>2")]
    assert not evening.fouls
    assert not evening.questions


def test_two_dice_put_on_different_towers_at_once_are_two_answers(evening: TowerEvening) -> None:
    red5, _, blue3, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    evening.puts(blue3, RED, settle=False)
    evening.puts(red5, GREEN)
    assert set(evening.given[-2:]) == {Chosen("blue3>1"), Chosen("red5>2")}


def test_a_second_die_that_was_taken_may_stand_below(evening: TowerEvening) -> None:
    """Ann puts the yellow 1 and then the red 5 on the green 5. From above only the red 5 is visible."""
    red5, _, _, yellow1, _ = evening.ann_throws("R5 G5 B3 Y1 R2")
    at = evening.at
    evening.puts(yellow1, GREEN, settle=False)
    evening.puts(red5, GREEN)
    assert evening.at == at
    assert evening.state == TrayState.UNSURE
    assert evening.option_ids[0] == "red5>2"


def test_a_die_on_a_wrong_tower_is_a_foul_and_is_taken_off_again(evening: TowerEvening) -> None:
    red5, _, blue3, _, red2 = evening.ann_throws("R5 G5 B3 Y1 R2")
    at = evening.at
    evening.puts(blue3, RED)
    evening.puts(red2, GREEN)
    assert evening.at == at + 1
    assert evening.state == TrayState.WRONG_DICE
    assert evening.message == "A 2 does not go on a 5, and tower 2 shows green 5. Put that die back."
    evening.settle()
    assert evening.state == TrayState.WRONG_DICE, "the die is still there"
    evening.takes_off(GREEN, settle=False)
    evening.next_place = NEW_PLACE
    evening.lays(2, colour="red", outcome=TrackOutcome.PLACED)
    evening.settle()
    assert evening.state != TrayState.WRONG_DICE
    evening.puts(red5, GREEN)
    assert evening.given[-1] == Chosen("red5>2")


def test_a_top_that_can_only_be_the_placed_die_need_not_be_read_surely(evening: TowerEvening) -> None:
    red5, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    evening.puts(red5, GREEN, sure=False, confidence=0.92, likely=((5, 0.92), (3, 0.05)))
    assert evening.given[-1] == Chosen("red5>2")


@pytest.mark.parametrize("doubt", [{"cocked": True}, {"cut_off": True}, {"confidence": 0.85}])
def test_a_top_that_leans_is_cut_or_is_hard_to_read_is_asked_about(
    evening: TowerEvening, doubt: dict[str, Any]
) -> None:
    red5, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    at = evening.at
    look = {"confidence": 0.92, "likely": ((5, 0.92), (3, 0.05)), **doubt}
    evening.puts(red5, GREEN, sure=False, **look)
    assert evening.at == at
    assert evening.state == TrayState.UNSURE


def test_a_top_that_is_not_read_surely_is_asked_about_with_the_likeliest_first(evening: TowerEvening) -> None:
    red5, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    at = evening.at
    evening.puts(red5, GREEN, sure=False, confidence=0.6, likely=((5, 0.6), (3, 0.3)))
    assert evening.at == at
    assert evening.state == TrayState.UNSURE
    assert evening.option_ids[0] == evening.now.tray.placed == "red5>2"
    assert evening.questions == [evening.message]
    assert "the red 5 on tower 2" in evening.message
    evening.chooses("red5>2")
    assert evening.state != TrayState.UNSURE


def test_a_die_that_still_lies_there_was_not_put_on_a_tower(evening: TowerEvening) -> None:
    """A tower's top is read as a loose die that did not move. Nothing counts."""
    evening.ann_throws("R5 G5 B3 Y1 R2")
    at = evening.at
    evening.changes(GREEN, colour="red", likely=((5, 0.999),))
    evening.sees(TrayState.HAND)
    evening.settle()
    assert evening.at == at


def test_a_placement_may_be_tapped_before_it_is_made(evening: TowerEvening) -> None:
    red5, _, blue3, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    evening.chooses("blue3>1")
    evening.puts(blue3, RED)
    assert not evening.fouls
    assert not evening.questions
    evening.puts(red5, GREEN)
    assert evening.given[-2:] == [Chosen("blue3>1"), Chosen("red5>2")]


def test_a_die_put_on_a_tower_is_no_throw_of_the_dice_that_are_left(tmp_path: Path) -> None:
    """Only one die fits, so the table places it by itself. Then Ann may throw the others again."""
    evening = TowerEvening(tmp_path, "R3 G5 B2 Y6")
    green3, *_ = evening.ann_throws("G3 R4 R4 Y4 Y4")
    assert evening.option_ids == ["end", "again", "fell"]
    evening.puts(green3, RED)
    assert not evening.fouls
    assert not evening.questions
    assert evening.option_ids == ["end", "again", "fell"]


def test_a_placement_on_a_tower_that_reaches_out_of_the_picture_is_asked_about(evening: TowerEvening) -> None:
    """Nothing was said, and the die that was put there was gone."""
    red5, green5, blue3, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    evening.puts(red5, GREEN)
    evening.picks_up(GREEN)
    assert evening.message == ""
    evening.picks_up(green5)
    assert evening.message == "Not seen surely: the green 5 on tower 2? Tap what was placed."
    assert evening.now.tray.placed == "green5>2"
    evening.settle()
    assert evening.now.tray.placed == "green5>2", "it is asked until something counts"
    evening.chooses("green5>2")
    assert evening.message == ""
    evening.puts(blue3, RED)
    assert evening.given[-2:] == [Chosen("green5>2"), Chosen("blue3>1")]
    assert not evening.fouls


def test_a_die_that_is_put_back_is_on_no_tower_that_cannot_be_seen(evening: TowerEvening) -> None:
    red5, green5, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    evening.puts(red5, GREEN)
    evening.picks_up(GREEN)
    die = evening.lying[green5]
    evening.picks_up(green5)
    assert evening.now.tray.placed == "green5>2"
    evening.lays_down(die.face, colour="green")
    assert evening.now.tray.placed == ""


@pytest.fixture
def stacked(evening: TowerEvening) -> tuple[TowerEvening, tuple[int, ...]]:
    """Blue 3 stands on red 3, and red 5 and green 5 stand on green 5; the yellow 1 and a red 2 are left."""
    places = evening.ann_throws("R5 G5 B3 Y1 R2")
    for place, tower in ((places[2], RED), (places[0], GREEN), (places[1], GREEN)):
        evening.puts(place, tower)
    return evening, places


def test_one_tap_confirms_a_fall_with_its_dice_and_faces(
    stacked: tuple[TowerEvening, tuple[int, ...]],
) -> None:
    evening, _ = stacked
    at = evening.at
    evening.next_place = NEW_PLACE
    evening.takes_off(GREEN, settle=False)
    evening.takes_off(GREEN, settle=False)
    evening.lays(6, 2, colour=["red", "green"])
    evening.sees(TrayState.ROLLING)
    evening.settle()
    assert not evening.fouls
    assert evening.at == at
    assert evening.option_ids[0] == "fell"
    assert evening.message == (
        "Did the red 5 and the green 5 fall from tower 2? They show red 6 and green 2 now."
    )
    evening.settle()
    assert evening.option_ids[0] == "fell", "the question stays while nobody answers"
    evening.chooses("fell")
    fallen = Throw((Die(6, "red"), Die(2, "green")))
    assert evening.given[at:] == [Chosen("fell"), Picked(("t2.2",)), fallen]
    assert evening.scores == {"Ann": 0, "Ben": 3}
    assert evening.accepted[-1] == (6, 2)


def test_who_goes_on_with_another_placement_says_that_nothing_fell(
    stacked: tuple[TowerEvening, tuple[int, ...]],
) -> None:
    """The die was put there, and nothing counted while the question stood."""
    evening, (*_, yellow1, red2) = stacked
    evening.next_place = NEW_PLACE
    evening.takes_off(RED, settle=False)
    evening.lays(6, colour=["blue"])
    evening.sees(TrayState.ROLLING)
    evening.settle()
    assert evening.message.startswith("Did the blue 3 fall from tower 1?")
    evening.puts(yellow1, GREEN)
    assert evening.given[-1] == Chosen("yellow1>2")
    assert evening.message == ""
    evening.settle()
    assert evening.message == "", "it is not asked again"
    evening.puts(red2, BLUE)
    assert evening.given[-1] == Chosen("red2>3")


def test_one_tap_says_that_nothing_fell(stacked: tuple[TowerEvening, tuple[int, ...]]) -> None:
    """The top of tower 1 looks as the die below it did. It is asked once."""
    evening, (*_, yellow1, _) = stacked
    at = evening.at
    evening.takes_off(RED)
    assert evening.message == "Did dice fall from tower 1?"
    assert evening.now.tray.fall
    evening.does(NothingFell(evening.now.number))
    assert (evening.message, evening.now.tray.fall, evening.at) == ("", False, at)
    assert evening.option_ids[-1] == "fell"
    evening.settle()
    evening.puts(yellow1, GREEN)
    assert evening.given[-1] == Chosen("yellow1>2")
    assert not evening.fouls
    with pytest.raises(IllegalAnswer, match="Nobody asks"):
        evening.does(NothingFell(evening.now.number))


def test_a_fall_whose_faces_are_not_read_is_confirmed_and_the_faces_are_asked_for(
    stacked: tuple[TowerEvening, tuple[int, ...]],
) -> None:
    evening, _ = stacked
    at = evening.at
    evening.next_place = NEW_PLACE
    evening.takes_off(RED, settle=False)
    evening.lays((4, "unsure"), colour="blue")
    evening.sees(TrayState.ROLLING)
    evening.settle()
    evening.chooses("fell")
    assert evening.given[at:] == [Chosen("fell"), Picked(("t1.2",))]
    prompt = evening.match.prompt
    assert isinstance(prompt, Roll)
    assert prompt.purpose == "fell"


def test_a_base_that_a_fall_took_along_is_found_where_it_lies(
    stacked: tuple[TowerEvening, tuple[int, ...]],
) -> None:
    """The table looked for tower 2 where it had stood, and asked about dice that fell from it, for ever."""
    evening, _ = stacked
    evening.next_place = NEW_PLACE
    evening.picks_up(GREEN)
    base, *fallen = evening.lays(5, 6, 2, colour=["green", "red", "green"])
    evening.sees(TrayState.ROLLING)
    evening.settle()
    evening.chooses("fell")
    if isinstance(evening.match.prompt, Pick):
        evening.answers(Picked(("t2.2",)))
    for die in fallen:
        evening.nudges(die)
    assert sorted(evening.accepted[-1]) == [2, 6], "each is shown by one push"
    assert evening.now.tray.towers[GREEN] == evening.lying[base].box_xywh
    red5, *_ = evening.ann_throws("R5 G3 B3 Y1 R2")
    assert evening.message == ""
    evening.puts(red5, base)
    assert evening.given[-1] == Chosen("red5>2")
    assert not evening.fouls


def test_a_base_that_is_seen_nowhere_is_asked_for(evening: TowerEvening) -> None:
    """Nothing can have fallen from it."""
    red5, *_ = evening.ann_throws("R5 G2 B3 Y1 R2")
    evening.picks_up(GREEN)
    assert evening.message == "Tower 2 is not seen: set its base on the tray, the green 5, with that face up."
    evening.next_place = NEW_PLACE
    (base,) = evening.lays_down(5, colour="green")
    assert evening.message == ""
    evening.puts(red5, base)
    assert evening.given[-1] == Chosen("red5>2")


def falls(evening: TowerEvening, *faces: tuple[int, str] | int, colour: list[str]) -> list[int]:
    """Both dice on the base of tower 2 fall, and these dice come to lie on the tray. Returns their places."""
    evening.next_place = NEW_PLACE
    for _ in range(2):
        evening.takes_off(GREEN, settle=False)
    fallen = evening.lays(*faces, colour=colour)
    evening.sees(TrayState.ROLLING)
    evening.settle()
    evening.chooses("fell")
    return list(fallen)


def test_only_a_base_without_dice_on_it_is_asked_for() -> None:
    """A tower of which only the base is remembered may reach out of the picture."""
    base, top = Die(5, "green"), Die(5, "red")
    seen = TowerSeen((base,), (SeenDie(5, "green", (100.0, 100.0, SIDE, SIDE), 0.99, True),))
    towers = TowersOnTray((seen,), tops=(None,))
    prompt = Choose("Ann", "Which die goes where?", (Option("end", "End"),))
    assert towers.notice(prompt, [(base, top)]) is None
    asked = "Tower 1 is not seen: set its base on the tray, the green 5, with that face up."
    assert towers.notice(prompt, [(base,)]) == (TrayState.UNSURE, asked)


@pytest.mark.parametrize("seen", [TrackOutcome.MOVED, TrackOutcome.UNCLEAR])
def test_fallen_dice_count_as_they_lie_once_people_said_which_fell(
    stacked: tuple[TowerEvening, tuple[int, ...]], seen: TrackOutcome
) -> None:
    """The red die lies there, and the green one fell off the tray: the camera could not tell which fell."""
    evening, _ = stacked
    falls(evening, 6, colour=["red"])
    assert isinstance(evening.match.prompt, Pick)
    evening.settle()
    evening.answers(Picked(("t2.2",)))
    assert evening.message == "One die is shown, two expected: slide the green die onto the tray beside it."
    evening.lays(2, colour="green", outcome=seen)
    evening.settle()
    assert evening.accepted[-1] == (6, 2)
    assert not evening.fouls


def test_a_fallen_die_that_is_not_read_surely_is_asked_about_where_it_lies(
    stacked: tuple[TowerEvening, tuple[int, ...]],
) -> None:
    evening, _ = stacked
    _, green = falls(evening, 6, (2, "unsure"), colour=["red", "green"])
    assert evening.now.tray.state is TrayState.UNSURE
    assert evening.message == "One die could not be read surely: 2 or 3? Tap it and say what it shows."
    evening.changes(green, sure=True)
    evening.settle()
    assert evening.accepted[-1] == (6, 2)


def test_a_hand_that_shows_a_fallen_die_may_push_others(
    stacked: tuple[TowerEvening, tuple[int, ...]],
) -> None:
    """Two green dice move where one is missing: what was shown before stays, and the throw is not void."""
    evening, _ = stacked
    falls(evening, 6, colour=["red"])
    evening.answers(Picked(("t2.2",)))
    evening.lays(2, 4, colour="green", outcome=TrackOutcome.MOVED)
    evening.settle()
    assert evening.message == "One die is shown, two expected: slide the green die onto the tray beside it."
    assert not evening.fouls
    evening.lays(3, colour="green", outcome=TrackOutcome.MOVED)
    evening.settle()
    assert evening.accepted[-1] == (6, 3)


def test_fallen_dice_are_no_throw_after_it_is_taken_back_which_fell(
    stacked: tuple[TowerEvening, tuple[int, ...]],
) -> None:
    """What was shown was a throw that nobody awaited."""
    evening, _ = stacked
    falls(evening, 6, colour=["red"])
    evening.answers(Picked(("t2.2",)))
    evening.takes_back()
    assert isinstance(evening.match.prompt, Pick)
    assert evening.message == ""
    evening.answers(Picked(("t2.2",)))
    assert evening.message == "One die is shown, two expected: slide the green die onto the tray beside it."
    evening.takes_back()
    evening.takes_back()
    evening.settle()
    assert evening.message == ""
    assert not evening.fouls


def test_fallen_dice_may_be_typed(stacked: tuple[TowerEvening, tuple[int, ...]]) -> None:
    """They were not thrown, and may lie beside the tray: after a large fall nothing else led on."""
    evening, _ = stacked
    falls(evening, 6, colour=["red"])
    assert not evening.now.can_type
    evening.answers(Picked(("t2.2",)))
    assert evening.now.can_type
    evening.does(SubmitAnswer(evening.now.number, Throw((Die(6, "red"), Die(2, "green")))))
    assert evening.given[-1] == Throw((Die(6, "red"), Die(2, "green")))
    assert isinstance(evening.match.prompt, Pick)
    assert evening.now.tray.fallen_from == (), "the fall is told"


def test_more_dice_than_people_said_fell_are_not_counted_without_them(
    stacked: tuple[TowerEvening, tuple[int, ...]],
) -> None:
    evening, _ = stacked
    accepted = len(evening.accepted)
    green, _ = falls(evening, 6, 4, colour=["green", "green"])
    evening.answers(Picked(("t2.3",)))
    assert len(evening.accepted) == accepted
    assert not evening.fouls
    evening.nudges(green)
    assert evening.accepted[-1] == (6,)


def ben_takes(stacked: tuple[TowerEvening, tuple[int, ...]], *dice: str) -> TowerEvening:
    """The evening after Ann stacked all her dice, and before Ben throws these of his."""
    evening, (*_, yellow1, red2) = stacked
    evening.puts(yellow1, GREEN)
    evening.puts(red2, BLUE)
    evening.chooses("nothing")
    evening.answers(Picked(dice))
    evening.next_place = NEW_PLACE
    return evening


def test_dice_that_fall_in_a_throw_are_no_dice_of_the_throw(
    stacked: tuple[TowerEvening, tuple[int, ...]],
) -> None:
    evening = ben_takes(stacked, "red1", "red2", "yellow1", "yellow2", "yellow3")
    evening.takes_off(RED, settle=False)
    thrown = (4, 4, 2, 2, 2)
    evening.lays(*thrown, 6, colour=["red", "red", "yellow", "yellow", "yellow", "blue"])
    evening.sees(TrayState.ROLLING)
    evening.settle()
    assert evening.accepted[-1] == thrown
    assert evening.option_ids[0] == "fell"
    assert evening.message == "Did the blue 3 fall from tower 1? It shows blue 6 now."
    assert not evening.fouls


def test_a_die_that_falls_before_a_throw_is_none_of_it(
    stacked: tuple[TowerEvening, tuple[int, ...]],
) -> None:
    """One die came, five were expected: the throw was void."""
    evening = ben_takes(stacked, "red1", "red2", "blue1", "yellow1", "yellow2")
    evening.takes_off(RED, settle=False)
    evening.lays(6, colour="blue")
    evening.sees(TrayState.ROLLING)
    evening.settle()
    assert evening.message == "Dice seem to have fallen from tower 1: throw, and then say what fell."
    evening.sees(TrayState.ROLLING)
    colours = ["red", "red", "blue", "yellow", "yellow"]
    evening.lands(4, 4, 2, 2, 2, leaving=tuple(evening.lying), colour=colours)
    evening.settle()
    assert evening.accepted[-1] == (4, 4, 2, 2, 2)
    assert evening.message == "Did the blue 3 fall from tower 1? It shows blue 6 now."
    assert not evening.fouls


def test_a_die_that_was_seen_to_fall_is_told_from_a_thrown_one_of_its_colour(
    stacked: tuple[TowerEvening, tuple[int, ...]],
) -> None:
    evening = ben_takes(stacked, "red1", "red2", "blue1", "yellow1", "yellow2")
    top = evening.lying[RED]
    evening.takes_off(RED, settle=False)
    thrown = (4, 4, 2, 2, 2)
    *_, fallen = evening.lays(*thrown, 6, colour=["red", "red", "blue", "yellow", "yellow", "blue"])
    evening._outcomes[fallen] = (TrackOutcome.THROWN, top, False)
    evening.sees(TrayState.ROLLING)
    evening.settle()
    assert evening.accepted[-1] == thrown
    assert evening.message == "Did the blue 3 fall from tower 1? It shows blue 6 now."


def test_towers_beside_the_camera_take_no_thrown_dice(tmp_path: Path) -> None:
    evening = TowerEvening(tmp_path, set_up=False)
    evening.picks_up(RED, GREEN, BLUE, YELLOW)
    evening.ann_throws("R3 G5 B1 Y6 R2")
    assert evening.accepted[-1] == (3, 5, 1, 6, 2)
    assert not evening.referee.state.towers.seen


def test_a_placement_that_could_not_be_logged_counts_at_the_next_reading(evening: TowerEvening) -> None:
    red5, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    state, at = evening.referee.state, evening.at
    evening.puts(red5, GREEN, settle=False)
    read = evening.tray_read()
    state, _ = step(state, read)
    assert isinstance(state.pending_write, PlacementWrite)
    state, effects = step(state, NotLogged("The disk is full"))
    assert [e.to_json()["ruling"]["kind"] for e in effects] == ["note"]
    assert state.match is not None
    assert state.match.at == at
    state, _ = step(state, read)
    assert isinstance(state.pending_write, PlacementWrite)


def test_towers_are_found_again_after_a_restart(evening: TowerEvening) -> None:
    red5, _, blue3, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    evening.puts(blue3, RED)
    evening.restarts()
    evening.puts(red5, GREEN)
    assert evening.given[-1] == Chosen("red5>2")


def test_a_recorded_evening_with_towers_gives_the_same_answers(evening: TowerEvening) -> None:
    red5, *_ = evening.ann_throws("R5 G5 B3 Y1 R2")
    evening.puts(red5, GREEN)
    state = State()
    for event in events_from_lines([event_to_line(e) for e in evening.events]):
        state, _ = step(state, event)
    assert state.match is not None
    assert [a.answer for a in state.match.answers] == evening.given


def test_a_match_that_is_resumed_knows_no_places(evening: TowerEvening) -> None:
    events = tuple(evening.match.answers)
    state, _ = step(
        State(),
        Opened(match=ResumedMatch("high_rollin", (Seat("Ann"), Seat("Ben")), {"start": "Ann"}, events)),
    )
    assert state.towers.seen == ()
