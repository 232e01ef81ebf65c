"""Who sits down to what: settings and seats that fit a game, and what is said of those that do not."""

from __future__ import annotations

import pytest

from table import games
from table.common.errors import UnreadableAnswer
from table.rules.game import Seat, Setting
from tests.rules.tiny import TINY


def settle(*names: str, **given: str) -> dict[str, str | int]:
    return TINY.settle([Seat(n) for n in names], given)


def refused(*names: str, **given: str) -> str:
    with pytest.raises(UnreadableAnswer) as refusal:
        settle(*names, **given)
    return str(refusal.value)


def test_the_first_value_of_a_setting_is_its_default() -> None:
    assert settle("Ann", "Ben") == {"goal": 20, "start": "highest", "dice": "any"}


def test_the_help_of_start_tells_how_the_first_player_is_found() -> None:
    (start,) = (s for s in TINY.settings_for(["Ann"]) if s.name == "start")
    assert start.help == "who begins: highest die thrown, or the player named"


def test_a_setting_is_given_as_text() -> None:
    assert settle("Ann", "Ben", goal="10", start="Ben") == {"goal": 10, "start": "Ben", "dice": "any"}


def test_settings_that_are_none_are_refused() -> None:
    assert refused("Ann", "Ben", goal="15") == "goal is 20 or 10; got “15”"
    assert refused("Ann", "Ben", start="Cal") == "start is highest, Ann or Ben; got “Cal”"
    assert refused("Ann", "Ben", gaol="10") == "Tiny has no setting “gaol”; it has goal, start and dice"


@pytest.mark.parametrize("text", ["-1", "11", "x", "", "1.0", "01", "+1", "1_0", " 1", "-0", "٣", "1\n"])
def test_a_setting_of_many_numbers_says_its_ends(text: str) -> None:
    with pytest.raises(UnreadableAnswer) as refusal:
        Setting("stake", range(11), "units").parse(text)
    assert str(refusal.value) == f"stake is a whole number from 0 to 10; got “{text}”"
    assert [Setting("stake", range(11), "units").parse(t) for t in ("0", "10")] == [0, 10]


def test_many_numbers_with_another_default_than_the_first_are_told_by_their_ends_too() -> None:
    pays = Setting("pays", (30, *range(30), *range(31, 61)), "to one")
    assert pays.default == 30
    assert pays.allowed == "a whole number from 0 to 60"
    assert [pays.parse(t) for t in ("0", "30", "60")] == [0, 30, 60]


@pytest.mark.parametrize(("values", "allowed"), [((1, 0, 2), "1, 0 or 2"), ((*range(9), 10), "0, 1, 2, 3, 4, 5, 6, 7, 8 or 10")])
def test_a_few_numbers_or_some_with_a_gap_are_told_one_by_one(values: tuple[int, ...], allowed: str) -> None:
    assert Setting("some", values, "numbers").allowed == allowed


def test_a_setting_may_have_very_many_numbers() -> None:
    stake = Setting("stake", range(1_000_000_001), "units")
    assert stake.parse("1000000000") == 1_000_000_000
    with pytest.raises(UnreadableAnswer) as refusal:
        stake.parse("9" * 5000)
    assert str(refusal.value) == f"stake is a whole number from 0 to 1,000,000,000; got “{'9' * 57}...”"


def test_seats_that_do_not_fit_are_refused() -> None:
    assert refused("Ann") == "Tiny is for 2 to 3 players; one came"
    assert refused() == "Tiny is for 2 to 3 players; none came"
    assert refused("Ann", "Ben", "Cal", "Dee") == "Tiny is for 2 to 3 players; four came"
    assert refused("Ann", " ") == "every player needs a name"
    assert refused("Ann", "Ann") == "players need different names; got Ann and Ann"
    assert refused("Ann", "\ud800") == "a name is written in letters; there is one that cannot be read"


@pytest.mark.parametrize("other", ["ann", "ANN", "Ann\u200b", "\u2066Ann", "Ａｎｎ", " Ann", "A\u00adnn"])
def test_names_that_look_alike_are_refused(other: str) -> None:
    assert refused("Ann", other).startswith("players need different names; got Ann and ")


def test_names_that_only_begin_alike_are_not() -> None:
    assert settle("Ann", "Anna")
    assert settle("Zoe", "Zoë", start="Zoë")["start"] == "Zoë"
    assert settle("👨‍👩‍👧", "👨‍👩‍👦")


@pytest.mark.parametrize("name", ["\u200b", "\u00a0", "\t", "\u2028"])
def test_a_name_that_cannot_be_seen_is_none(name: str) -> None:
    assert refused("Ann", name) == "every player needs a name"


def test_nobody_is_called_as_the_first_player_is_found() -> None:
    assert refused("Ann", "Highest").startswith("nobody can be called “highest” here")


def test_long_names_and_settings_are_quoted_short() -> None:
    long = "x" * 10_000
    short = "x" * 57 + "..."
    assert refused(long, long) == f"players need different names; got {short} and {short}"
    assert refused("Ann", "Ben", goal=long) == f"goal is 20 or 10; got “{short}”"
    assert refused("Ann", "Ben", **{long: "1"}) == f"Tiny has no setting “{short}”; it has goal, start and dice"


OWN = "with dice=own every player needs a colour of their own, such as Ann:green,Ben:red"


@pytest.mark.parametrize("colours", [(None, None), ("green", None), ("green", "green")])
def test_own_dice_need_own_colours(colours: tuple[str | None, ...]) -> None:
    with pytest.raises(UnreadableAnswer) as refusal:
        TINY.settle([Seat(n, c) for n, c in zip(("Ann", "Ben"), colours, strict=True)], {"dice": "own"})
    assert str(refusal.value) == OWN


def test_a_game_that_is_not_there_is_told_those_that_are() -> None:
    with pytest.raises(UnreadableAnswer, match=r"there is no game “chess”; there are .*pig"):
        games.game("chess")
    with pytest.raises(UnreadableAnswer, match=r"^there is no game “x{57}\.\.\.”; there are "):
        games.game("x" * 1000)
