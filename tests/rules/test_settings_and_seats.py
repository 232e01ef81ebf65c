"""Settings and seats that a game accepts, and how the others are refused."""

from __future__ import annotations

import re

import pytest

from table import games
from table.common.errors import UnreadableAnswer
from table.rules.game import Game, Seat, Setting
from table.rules.match import Match, replay
from tests.rules.tiny import TINY


def settings_of(*names: str, **given: str) -> dict[str, str | int]:
    return TINY.parse_settings([Seat(n) for n in names], given)


def refusal_of(*names: str, **given: str) -> str:
    with pytest.raises(UnreadableAnswer) as refusal:
        settings_of(*names, **given)
    return str(refusal.value)


def test_the_first_value_of_a_setting_is_its_default() -> None:
    assert settings_of("Ann", "Ben") == {"goal": 20, "start": "highest", "dice": "any"}


def test_the_help_of_start_names_the_ways_to_find_the_first_player() -> None:
    (start,) = (s for s in TINY.settings_for(["Ann"]) if s.name == "start")
    assert start.help == "who begins: highest die thrown, or the player named"


def test_a_setting_without_a_title_is_called_by_its_name() -> None:
    setting = Setting("pass_on", ("off", "last_standing"), "whether")
    assert setting.title_text == "Pass on"
    assert setting.value_texts == ("Off", "Last standing")
    assert setting.full_help == "whether"


def test_a_setting_has_one_text_for_people_and_one_for_scripts() -> None:
    setting = Setting("auto", ("now", "after_all"), "a 4-5-6", "4-5-6", ("it wins", "the others throw"))
    assert setting.title_text == "4-5-6"
    assert setting.value_texts == ("It wins", "The others throw")
    assert setting.full_help == "a 4-5-6; now: it wins; after_all: the others throw"
    assert Setting("stake", range(3), "units").value_texts == ()


@pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: str(game.name))
def test_settings_have_names_for_people(game: Game) -> None:
    for setting in game.settings_for(()):
        texts = setting.value_texts
        assert len(texts) == (0 if isinstance(setting.values, range) else len(setting.values))
        assert not any("_" in text for text in (setting.title_text, setting.help, *texts))
        assert all(text == text[:1].upper() + text[1:] for text in (setting.title_text, *texts))


def test_rules_name_settings_as_people_see_them() -> None:
    def said(game: str, text: str) -> str:
        return games.GAMES[game].for_people(text)

    assert said("sigily", "With teams=on, you help.") == "With “Teams”, you help."
    assert said("sigily", "(date=02-01 is Oimelc)") == "(“Date: 1 February” is Oimelc)"
    assert said("mia", "With play=last_standing.") == "With “End: the last player with lives wins”."
    assert said("mia", "a=b stays") == "a=b stays"
    assert said("down_the_danube", "With start=Ann, Ann begins.") == "With “Who begins: Ann”, Ann begins."


@pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: str(game.name))
def test_no_rule_for_people_has_a_setting_of_scripts(game: Game) -> None:
    told = [game.rules, *(text for _, text in game.rulings)]
    of_scripts = re.compile(r"[a-z_]=[A-Za-z0-9]|[a-z]_[a-z]")
    assert not [text for text in map(game.for_people, told) if of_scripts.search(text)]


@pytest.mark.parametrize(
    ("name", "value"), [("pig", "highest"), ("hot_score", "lowest"), ("down_the_danube", "first_1")]
)
def test_the_value_of_start_says_how_the_first_player_is_found(name: str, value: str) -> None:
    game, seats = games.game(name), [Seat("Ann"), Seat("Ben")]
    assert game.parse_settings(seats, {})["start"] == value
    if value != "highest":
        with pytest.raises(UnreadableAnswer, match=f"^start is {value}, Ann or Ben; got “highest”$"):
            game.parse_settings(seats, {"start": "highest"})
    with pytest.raises(UnreadableAnswer, match=f"^“{value}” cannot be a name"):
        game.parse_settings([Seat("Ann"), Seat(value)], {})


@pytest.mark.parametrize(
    ("name", "players", "given", "why"),
    [
        ("highland", 2, {"solo_bonus": "3"}, "for a player alone, and two came: leave it at 1"),
        (
            "highland",
            1,
            {"tug_format": "bracket"},
            "for two or more players, and one came: leave it at pairs",
        ),
        ("ho_han", 2, {"mode": "house", "house": "5"}, "with mode=house none do: leave it at 0"),
        ("chuck_a_luck", 1, {"bank": "first"}, "for two or more players, and one came: leave it at house"),
        ("sigily", 3, {"chariots": "4"}, "is for four players, and three came: leave it at 3"),
        ("sigily", 2, {"freeze": "off", "curse": "off"}, "leave curse and freeze on"),
    ],
)
def test_a_setting_that_does_not_apply_is_refused(
    name: str, players: int, given: dict[str, str], why: str
) -> None:
    game, seats = games.game(name), [Seat(letter) for letter in "ABC"[:players]]
    with pytest.raises(UnreadableAnswer) as refusal:
        game.parse_settings(seats, given)
    assert str(refusal.value).endswith(why)
    assert game.parse_settings(seats, {k: str(game_default(game, k)) for k in given})


@pytest.mark.parametrize(
    ("name", "players", "given", "implied"),
    [
        ("bricrius_bluff", 3, {"loss": "one_die", "exact": "all_others"}, {"exact": "challenger"}),
        ("bricrius_bluff", 3, {"loss": "one_die", "opener": "winner"}, {"opener": "loser"}),
        ("sigily", 2, {"chariots": "3"}, {"chariots": 4}),
    ],
)
def test_a_setting_that_another_decides_has_that_value_and_any_other_is_refused(
    name: str, players: int, given: dict[str, str], implied: dict[str, str | int]
) -> None:
    game, seats = games.game(name), [Seat(letter) for letter in "ABC"[:players]]
    ((setting, value),) = implied.items()
    cause = "two players" if name == "sigily" else "loss=one_die"
    with pytest.raises(UnreadableAnswer) as refusal:
        game.parse_settings(seats, given)
    came = given.pop(setting)
    assert str(refusal.value) == (
        f"with {cause}, {setting} is {value}; got “{came}”: give {value}, or leave it out"
    )
    assert game.parse_settings(seats, given)[setting] == value
    again = game.parse_settings(seats, {k: str(v) for k, v in game.parse_settings(seats, given).items()})
    assert again[setting] == value


@pytest.mark.parametrize(
    ("name", "players", "given"),
    [
        ("bricrius_bluff", 3, {"loss": "one_die", "exact": "all_others", "opener": "winner"}),
        ("sigily", 2, {"chariots": "3"}),
        ("sigily", 3, {"chariots": "4"}),
        ("highland", 1, {"tug_format": "bracket"}),
        ("hot_score", 2, {"start": "highest"}),
        ("down_the_danube", 2, {"start": "highest"}),
    ],
)
def test_a_logged_match_goes_on_with_settings_that_an_earlier_version_ignored(
    name: str, players: int, given: dict[str, str]
) -> None:
    game, seats = games.game(name), [Seat(letter) for letter in "ABC"[:players]]
    match = replay(game, seats, given, ())
    assert match.settings == game.parse_settings(seats, given, logged=True)
    assert match.fork().prompt == match.prompt
    with pytest.raises(UnreadableAnswer):
        Match(game, seats, given)


def game_default(game: Game, setting: str) -> object:
    return next(s.default for s in game.settings if s.name == setting)


@pytest.mark.parametrize("name", ["high_rollin", "sigily", "down_the_danube"])
def test_a_game_that_names_the_colours_or_throws_sticks_has_no_setting_of_own_dice(name: str) -> None:
    assert "dice" not in [s.name for s in games.game(name).settings_for(["Ann", "Ben"])]


def test_settings_are_parsed_from_text() -> None:
    assert settings_of("Ann", "Ben", goal="10", start="Ben") == {"goal": 10, "start": "Ben", "dice": "any"}


def test_unknown_settings_and_values_are_refused() -> None:
    assert refusal_of("Ann", "Ben", goal="15") == "goal is 20 or 10; got “15”"
    assert refusal_of("Ann", "Ben", start="Cal") == "start is highest, Ann or Ben; got “Cal”"
    assert refusal_of("Ann", "Ben", gaol="10") == "Tiny has no setting “gaol”; it has goal, start and dice"


@pytest.mark.parametrize("text", ["-1", "11", "x", "", "1.0", "01", "+1", "1_0", " 1", "-0", "٣", "1\n"])
def test_a_setting_of_many_numbers_is_described_by_its_range(text: str) -> None:
    with pytest.raises(UnreadableAnswer) as refusal:
        Setting("stake", range(11), "units").parse(text)
    assert str(refusal.value) == f"stake is a whole number from 0 to 10; got “{text}”"
    assert [Setting("stake", range(11), "units").parse(t) for t in ("0", "10")] == [0, 10]


def test_a_range_whose_default_is_not_its_first_number_is_described_by_its_range() -> None:
    pays = Setting("pays", (30, *range(30), *range(31, 61)), "to one")
    assert pays.default == 30
    assert pays.allowed == "a whole number from 0 to 60"
    assert [pays.parse(t) for t in ("0", "30", "60")] == [0, 30, 60]


@pytest.mark.parametrize(
    ("values", "allowed"), [((1, 0, 2), "1, 0 or 2"), ((*range(9), 10), "0, 1, 2, 3, 4, 5, 6, 7, 8 or 10")]
)
def test_few_numbers_and_numbers_with_a_gap_are_listed(values: tuple[int, ...], allowed: str) -> None:
    assert Setting("some", values, "numbers").allowed == allowed


def test_a_setting_can_have_a_thousand_million_values() -> None:
    stake = Setting("stake", range(1_000_000_001), "units")
    assert stake.parse("1000000000") == 1_000_000_000
    with pytest.raises(UnreadableAnswer) as refusal:
        stake.parse("9" * 5000)
    assert str(refusal.value) == f"stake is a whole number from 0 to 1,000,000,000; got “{'9' * 57}...”"


def test_wrong_seats_are_refused() -> None:
    assert refusal_of("Ann") == "Tiny is for 2 to 3 players; one came"
    assert refusal_of() == "Tiny is for 2 to 3 players; none came"
    assert refusal_of("Ann", "Ben", "Cal", "Dee") == "Tiny is for 2 to 3 players; four came"
    assert refusal_of("Ann", " ") == "every player needs a name"
    assert refusal_of("Ann", "Ann") == "players need different names; got Ann and Ann"
    assert refusal_of("Ann", "\ud800") == "a name has a letter that cannot be read; write it again"


@pytest.mark.parametrize("other", ["ann", "ANN", "Ann\u200b", "\u2066Ann", "Ａｎｎ", " Ann", "A\u00adnn"])
def test_names_that_look_alike_are_refused(other: str) -> None:
    assert refusal_of("Ann", other).startswith("players need different names; got Ann and ")


def test_names_that_only_begin_alike_are_accepted() -> None:
    assert settings_of("Ann", "Anna")
    assert settings_of("Zoe", "Zoë", start="Zoë")["start"] == "Zoë"
    assert settings_of("👨‍👩‍👧", "👨‍👩‍👦")


@pytest.mark.parametrize("name", ["\u200b", "\u00a0", "\t", "\u2028"])
def test_a_name_of_invisible_characters_is_refused(name: str) -> None:
    assert refusal_of("Ann", name) == "every player needs a name"


def test_a_player_cannot_be_called_highest() -> None:
    assert refusal_of("Ann", "Highest").startswith("“highest” cannot be a name")


def test_long_names_and_settings_are_quoted_in_short() -> None:
    long = "x" * 10_000
    short = "x" * 57 + "..."
    assert refusal_of(long, long) == f"players need different names; got {short} and {short}"
    assert refusal_of("Ann", "Ben", goal=long) == f"goal is 20 or 10; got “{short}”"
    assert refusal_of("Ann", "Ben", **{long: "1"}) == (
        f"Tiny has no setting “{short}”; it has goal, start and dice"
    )


OWN = "with dice=own every player needs a colour of their own, such as Ann:green,Ben:red"


@pytest.mark.parametrize("colours", [(None, None), ("green", None), ("green", "green")])
def test_own_dice_need_own_colours(colours: tuple[str | None, ...]) -> None:
    with pytest.raises(UnreadableAnswer) as refusal:
        TINY.parse_settings(
            [Seat(n, c) for n, c in zip(("Ann", "Ben"), colours, strict=True)], {"dice": "own"}
        )
    assert str(refusal.value) == OWN


def test_an_unknown_game_is_refused_with_the_names_of_all_games() -> None:
    with pytest.raises(UnreadableAnswer, match=r"there is no game “chess”; there are .*pig"):
        games.game("chess")
    with pytest.raises(UnreadableAnswer, match=r"^there is no game “x{57}\.\.\.”; there are "):
        games.game("x" * 1000)


def test_values_are_shown_in_words_and_stay_as_they_are_for_scripts() -> None:
    assert Setting("entry", (1000, 0), "").value_texts == ("1,000", "0")
    assert Setting("colours", ("red+blue+white",), "").value_texts == ("Red, blue and white",)
    date = next(s for s in games.GAMES["sigily"].settings if s.name == "date")
    assert (date.values[0], date.value_texts[0]) == ("11-01", "1 November")
