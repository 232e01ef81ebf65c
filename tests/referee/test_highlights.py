"""What people tell about a match afterwards."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from table.referee.highlights import Highlight, highlights
from table.rules.answers import Throw
from table.rules.game import Outcome
from table.rules.match import Answered
from table.rules.sheet import Line
from tests.games.cups import hide, lift
from tests.games.night import Night


def told(night: Night, minutes: float | None = None) -> list[tuple[str, ...]]:
    length = None if minutes is None else timedelta(minutes=minutes)
    return [
        tuple(filter(None, (each.title, each.value, each.player)))
        for each in highlights(night.match.view(), length)
    ]


def pig_in_turns(*turns: tuple[int, ...]) -> Night:
    """A game of Pig: the throws of each turn, which is held unless the last one is a 1."""
    pig = Night("pig", "Ann", "Ben", start="Ann")
    for throws in turns:
        for n, face in enumerate(throws):
            if n:
                pig.chooses("roll")
            pig.throws(face)
        if throws[-1] != 1:
            pig.chooses("hold")
    return pig


SIXES = (6,) * 6


def test_a_match_that_goes_on_has_none() -> None:
    assert told(pig_in_turns(SIXES), minutes=3) == []


def test_the_best_turn_the_comeback_and_the_longest_run_are_told() -> None:
    pig = pig_in_turns(SIXES, (1,), SIXES, (6, 6), (2,), (6,) * 9, (1,), (6,) * 6)
    assert pig.match.view().scores == {"Ann": 74, "Ben": 102}
    assert told(pig) == [
        ("Most at once", "54", "Ben"),
        ("Came back from", "60 behind", "Ben"),
        ("Throws in a row", "9", "Ben"),
        ("Throws", "32"),
    ]


@pytest.mark.parametrize(("sixes", "expected"), [(4, []), (5, ["30 behind"])])
def test_a_small_gap_is_no_comeback(sixes: int, expected: list[str]) -> None:
    pig = pig_in_turns((6,) * sixes, (1,), (2,), SIXES, (1,), SIXES, (1,), SIXES)
    assert pig.match.view().scores["Ben"] == 108
    assert [value for title, value, *_ in told(pig) if title == "Came back from"] == expected


def test_what_each_player_begins_with_is_no_round() -> None:
    mia = Night("mia", "Ann", "Ben", start="Ann")
    for _ in range(2):
        mia = loses_a_life(mia, "Ann")
    over = Outcome(("Ann",), "The match ends here.")
    two = replace(mia.match.view(), outcome=over, scores={"Ann": 4, "Ben": 4})
    three = replace(loses_a_life(mia, "Ben").match.view(), outcome=over, scores={"Ann": 4, "Ben": 4})
    assert "Came back from" not in [each.title for each in highlights(two)]
    assert Highlight("Came back from", "2 behind", "Ann") in highlights(three)


def loses_a_life(mia: Night, loser: str) -> Night:
    """A round of Mia in which the loser announces too much, or calls what is true a lie."""
    own = mia.turn == loser
    mia.ready().chooses("41").chooses("liar")
    return mia.throws(*(3, 1) if own else (6, 5))


@pytest.mark.parametrize(("without_a_hand", "expected"), [(1, []), (2, ["3"])])
def test_throws_of_two_rounds_are_not_in_a_row(without_a_hand: int, expected: list[str]) -> None:
    """The winner of the first round throws last in it, and first in the second."""
    night = Night("cee_lo", "Ann", "Ben", start="Ann", stake=1).throws(3, 3, 5)
    for again in ("again", "end"):
        for _ in range(without_a_hand):
            night.throws(1, 2, 4)
        night.throws(4, 5, 6).chooses(again)
    assert [value for title, value, *_ in told(night) if title == "Throws in a row"] == expected


def test_throws_of_two_events_of_a_card_are_not_in_a_row() -> None:
    """Ann is the last in the caber and the first in the tug; the attempts of one event are in a row."""
    caber = [Line(at, "Ann", 0, "an attempt", f"caber_{n}", "12") for n, at in enumerate((2, 4), 1)]
    sheet = (*caber, Line(4, "Ann", 12, "the caber", "caber"), Line(7, "Ann", 3, "the tug", "tug"))
    throws = tuple(Answered(at, {"player": "Ann"}, Throw.of(1, 2)) for at in range(7))
    match = replace(pig_in_turns(SIXES, SIXES, SIXES, (2,), SIXES).match.view(), sheet=sheet, throws=throws)
    assert Highlight("Throws in a row", "4", "Ann") in highlights(match)


def test_what_two_share_names_both_and_belongs_to_neither() -> None:
    pig = pig_in_turns(SIXES, SIXES, SIXES, (2,), SIXES)
    both = (None, "Ann and Ben", ("Ann", "Ben"))
    assert highlights(pig.match.view())[0] == Highlight("Most at once", "36", *both)
    night = Night("midnight", "Ann", "Ben", start="Ann")
    for faces in ((1, 4, 3, 3, 3, 6), (3, 3, 3, 2, 1, 4)):
        night.throws(*faces).keeps(*faces)
    assert Highlight("Most alike", "three 3s", *both) in highlights(night.match.view())


@pytest.mark.parametrize(
    ("names", "thrice", "expected"),
    [("Ann Ben", 2, []), ("Ann Ben", 1, ["3"]), ("Ann Ben Cal Dan", 2, []), ("Ann B C D E", 2, ["3"])],
)
def test_as_many_throws_as_half_of_the_players_had_are_no_news(
    names: str, thrice: int, expected: list[str]
) -> None:
    """Ship, Captain, Crew allows three, and almost everybody takes them."""
    players = names.split()
    night = Night("ship_captain_crew", *players, start="Ann")
    for cargo, _ in enumerate(players, 1):
        if cargo > thrice:
            night.throws(6, 5, 4, 6, cargo).chooses("stay")
        else:
            night.throws(6, 5, 4, 1, 1).chooses("again").throws(1, 1).chooses("again").throws(6, cargo)
    assert night.over
    assert [value for title, value, *_ in told(night) if title == "Throws in a row"] == expected


def test_lots_bases_and_fallen_dice_are_no_throws_of_a_turn() -> None:
    rollin = Night("high_rollin", "Ann", "Ben")
    rollin.throws_dice(("red", 3), ("green", 3), ("blue", 3), ("yellow", 3)).throws(2).throws(5)
    rollin.picks("red1", "red2", "green1", "blue1", "yellow1")
    rollin.throws_dice(("red", 2), ("red", 4), ("green", 3), ("blue", 6), ("yellow", 2))
    rollin.chooses("green3>1").chooses("fell").throws_coloured("green", 6)
    over = replace(rollin.match.view(), outcome=Outcome(("Ben",), "The match ends here."))
    titles = [(each.title, each.value) for each in highlights(over)]
    assert [each for each in titles if each[0] != "Most at once"] == [("Throws in turns", "1")]


def test_dice_that_lay_under_a_cup_are_no_throws_of_who_lifts_it() -> None:
    liars = Night("liars_dice", "Ann", "Ben", start="Ann")
    while not liars.over:
        hide(liars)
        if liars.turn == "Ben":
            liars.bids(1, 2)
        liars.bids(20, 3).chooses("call")
        lift(liars, {name: (3,) * left for name, left in liars.scores.items()})
    assert liars.outcome.winners == ("Ben",)
    assert [each[0] for each in told(liars, minutes=4)] == ["Minutes"]


def test_a_match_in_which_no_dice_were_shown_has_no_number_of_throws() -> None:
    night = Night("ho_han", "Ann", "Ben", "Cal").ready().closes().chooses("void")
    over = replace(night.match.view(), outcome=Outcome(("Ann",), "The match ends here."))
    length = timedelta(minutes=4)
    assert [each.title for each in highlights(over, length)] == ["Minutes"]


def test_somebody_who_always_led_did_not_come_from_behind() -> None:
    pig = pig_in_turns(SIXES, (1,), SIXES, (2,), SIXES)
    assert [each[0] for each in told(pig)] == ["Most at once", "Throws in a row", "Throws"]


def test_the_most_dice_alike_are_told() -> None:
    night = Night("midnight", "Ann", "Ben", start="Ann")
    for faces in ((1, 4, 2, 2, 5, 6), (3, 3, 3, 3, 1, 4)):
        night.throws(*faces).keeps(*faces)
    assert ("Most alike", "four 3s", "Ben") in told(night)


@pytest.mark.parametrize(
    ("minutes", "expected"), [(0.2, ("Minutes", "1")), (34.4, ("Minutes", "34")), (150, ("Hours", "2.5"))]
)
def test_the_length_is_told_if_it_is_known(minutes: float, expected: tuple[str, str]) -> None:
    assert told(pig_in_turns(SIXES, (1,), SIXES, (2,), SIXES), minutes)[-1] == expected
