"""Sigily, as it is played: the worked examples of the rules, every ruling, every option, and whole races by chance.

Most nights begin in the middle of a race: chariots stand where the example has them, and the turns are the game's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.common.errors import UnreadableAnswer
from table.games import game
from table.games.sigily.end import shares
from table.games.sigily.fights import chance_to_win
from table.games.sigily.fouls import of_declaring
from table.games.sigily.holidays import DAYS, start_on
from table.games.sigily.meeting import Meeting
from table.games.sigily.money import Money, payouts
from table.games.sigily.moves import Move, course, must_choose_exit
from table.games.sigily.play import opened, raced
from table.games.sigily.race import Agreed, CoinsAstray, Race, Unit, Wind
from table.games.sigily.sticks import ANIMALS, STICKS, Toss, higher, toss
from table.games.sigily.topology import (
    ALL_COINS,
    ARMS,
    CENTRE,
    GATES,
    GREEN,
    PLACES,
    RING,
    SOLAR,
    Place,
    clockwise,
    first_solar,
    quadrant,
)
from table.games.sigily.treasure import Treasure
from table.odds import sigily as odds
from table.rules.answers import Bet, Chosen, Picked, Sticks
from table.rules.game import Outcome, Seat, Table
from table.rules.match import Match
from table.rules.telling import COINS, OGHAM
from tests.games import playing
from tests.games.night import Night

FLAT = {
    "aon": ("dog",),
    "dha": ("dog", "deer"),
    "tri": ("dog", "deer", "cow"),
    "ceither": ("dog", "deer", "cow", "horse"),
    "coig": (),
}


def faces(name: str, *animals: str) -> tuple[str, ...]:
    """What looks up on the four sticks: these animals, or the lowest there can be."""
    flat = animals or FLAT[name]
    return (*flat, *["round"] * (4 - len(flat)))


class Day(Night):
    """A race that is on. The players drive for Connaught, Ulster, Leinster and Munster in this order; the first has the turn.

    units: (player, chariots, place, coins), the chariots from the top; a chariot of a partner's as "Cal 1". entered: gates by which
    units in the fairy land came in, by place. loose: coins that lie there; so many are put on or taken off other sigils that there
    are 52. progress: of the units on these places, where it is not the way from the start. finished: so many chariots of a player are
    home; stored: their coins. barred: a gate for the top chariot on a place.
    """

    def __init__(
        self,
        players: Sequence[str] = ("Ann", "Ben"),
        units: Sequence[tuple[str, Sequence[int | str], Place, int]] = (),
        loose: Mapping[Place, int] | None = None,
        entered: Mapping[Place, int] | None = None,
        progress: Mapping[Place, int] | None = None,
        finished: Mapping[str, int] | None = None,
        stored: Mapping[str, int] | None = None,
        barred: Mapping[Place, int] | None = None,
        **settings: object,
    ) -> None:
        def prepared(table: Table) -> Meeting:
            meeting = opened(table, table.players)
            self.race, self.meeting = meeting.race, meeting
            for player, n in (finished or {}).items():
                for _ in range(n):
                    meeting.race.home[player].append(meeting.race.off[player].pop())
            for player, coins in (stored or {}).items():
                meeting.race.stored[player] = coins
            for owner, chariots, place, coins in units:
                self._stand(owner, chariots, place, coins, (entered or {}).get(place), (progress or {}).get(place))
            for place, gate in (barred or {}).items():
                self.unit(place).chariots[0].barred.add(gate)
            self._balance(loose or {})
            meeting.settle("as the example has it")
            return meeting

        async def play(table: Table) -> Outcome:
            return await raced(prepared(table))

        given = {k: str(v) for k, v in settings.items()}
        self.match = Match(replace(game("sigily"), play=play), [Seat(p) for p in players], given)
        assert self.match.broken is None, self.match.broken

    def _stand(
        self, owner: str, chariots: Sequence[int | str], place: Place, coins: int, entered: int | None, progress: int | None
    ) -> None:
        race, stack = self.race, []
        for chariot in chariots:
            whose, number = (owner, chariot) if isinstance(chariot, int) else (chariot.split()[0], int(chariot.split()[1]))
            found = next(c for c in race.off[whose] if c.number == number)
            race.off[whose].remove(found)
            ring = place if isinstance(place, int) else entered
            assert isinstance(ring, int)
            found.progress = clockwise(race.start_of(whose), ring) if progress is None else progress
            stack.append(found)
        race.units.append(Unit(stack, place, coins, entered))

    def _balance(self, loose: Mapping[Place, int]) -> None:
        treasure = self.race.treasure.loose
        treasure.update(loose)
        under = sum(u.coins for u in self.race.units) + sum(self.race.stored.values())
        over = sum(treasure.values()) + under - ALL_COINS
        others = [p for p in (*range(RING - 1, -1, -1), *GREEN) if p not in loose]
        for place in others:
            taken = min(max(over, 0), treasure[place])
            treasure[place] -= taken
            over -= taken
        if over < 0:
            treasure[others[0]] -= over

    # -- what happens ----------------------------------------------------------------------------------------------------

    def tosses(self, *names: str) -> Day:
        """Throws of the sticks, one after the other, by what they count."""
        for name in names:
            self.throws_sticks(*faces(name))
        return self

    def shows(self, *animals: str) -> Day:
        """A throw by the animals that look up."""
        self.throws_sticks(*faces("", *animals) if animals else ("round",) * 4)
        return self

    def unit(self, place: Place) -> Unit:
        (unit,) = self.race.at(place)
        return unit

    def stands(self, place: Place) -> list[tuple[str, list[int], int]]:
        """(owner, chariots from the top, coins) of the units there."""
        return [(u.owner, [c.number for c in u.chariots], u.coins) for u in self.race.at(place)]

    def lies(self, place: Place) -> int:
        return self.race.treasure.loose[place]


def coins_but_on(*empty: Place) -> dict[Place, int]:
    """A coin on every sigil but these, which are empty; sigil 23 has what is left."""
    return {p: 0 if p in empty else 1 for p in PLACES if p != 23}


# -- worked examples: the basic game --------------------------------------------------------------------------------------


def test_1_on_samhain_a_tri_reaches_the_winter_solstice_and_two_coins_but_no_throw() -> None:
    night = Night("sigily", "Ann", "Ben", start="Ann", date="11-01")
    assert night.rulings[:2] == ["Ann drives for Connaught and starts at Samhain.", "Ben drives for Ulster and starts at Samhain."]
    assert night.asks == "Ann: throw the four sticks."
    night.throws_sticks(*faces("tri"))
    assert night.sheet == [("Ann", 2, "chariot 1 lands on the Winter Solstice")]
    assert night.says == "The Winter Solstice is the first solar sigil after the start, and brings no throw."
    assert night.turn == "Ben"


def test_1_with_cards_it_draws() -> None:
    night = Night("sigily", "Ann", "Ben", start="Ann", cards=12).throws_sticks(*faces("tri"))
    assert night.asks == "Ben: Ann draws a question card and answers. Do you find it good?"
    assert night.options == ["good", "not_good"]


@pytest.mark.parametrize(
    ("date", "start"),
    [
        ("02-01", "Oimelc"),
        ("10-15", "Samhain"),
        ("12-21", "the Winter Solstice"),
        ("12-25", "Oimelc"),
        ("09-22", "Samhain"),
        ("11-01", "Samhain"),
    ],
)
def test_2_the_start_is_the_holiday_of_the_day_or_the_next(date: str, start: str) -> None:
    night = Night("sigily", "Ann", "Ben", start="Ann", date=date)
    assert night.rulings[0] == f"Ann drives for Connaught and starts at {start}."


def test_3_three_extra_throws_and_no_more() -> None:
    day = Day()
    day.tosses("ceither")
    assert day.awaits == "again|stop"
    assert day.asks == "Ann: throw again, extra throw 1 of 3 or no more throws?"
    for name, n in (("coig", 1), ("ceither", 2)):
        day.chooses("again")
        assert day.asks == f"Ann: throw the four sticks, extra throw {n} of 3."
        day.tosses(name).chooses("new")
    day.chooses("again").tosses("coig").chooses("new")
    assert day.says == "Ann has had three extra throws, and no more follow."
    assert day.turn == "Ben"


def attack(attacker: int = 2, defender: int = 3, place: int = 10, **settings: object) -> Day:
    """Ann on the sigil two before Ben's chariot, an aon thrown twice short of it: a dha brings the fight."""
    day = Day(units=[("Ann", [1], place - 2, attacker), ("Ben", [1], place, defender)], **settings)
    return day.tosses("dha").chooses("1")


@pytest.mark.parametrize(
    ("attacker", "defender", "lives"),
    [
        (("dog", "deer", "cow"), ("dog", "deer", "cow", "horse"), False),
        (("horse",), ("dog", "deer"), True),
        (("dog", "deer", "cow", "horse"), (), True),
        (("dog", "deer"), ("dog", "deer"), True),
        (("dog",), ("dog", "deer", "cow"), False),
    ],
)
def test_4_fights(attacker: tuple[str, ...], defender: tuple[str, ...], lives: bool) -> None:
    day = attack()
    assert day.asks == "Ann: throw the four sticks to fight Ben's chariot 1."
    assert day.prompt.to_json()["for"] == "fight"
    day.shows(*attacker)
    assert day.asks == "Ben: throw the four sticks to fight Ann's chariot 1."
    day.shows(*defender)
    assert [owner for owner, _, _ in day.stands(10)] == ["Ann" if lives else "Ben"]


def test_4_the_same_highest_animal_is_thrown_again_by_both() -> None:
    day = attack().shows("deer").shows("dog", "deer")
    assert day.says == "Ann: aon (deer) and 1 more; Ben: dha (deer). A tie: both throw again."
    assert day.asks == "Ann: throw the four sticks to fight Ben's chariot 1."
    day.tosses("tri", "aon")
    assert day.stands(10) == [("Ann", [1], 6)]


def test_4_the_board_shows_the_attacker_where_it_fights() -> None:
    board = attack().match.view().board
    assert board is not None
    assert [p.player for s in board.spots if s.id == "10" for p in s.pieces] == ["Ben", "Ann"]


def test_5_the_winner_has_all_the_coins() -> None:
    day = attack().tosses("aon", "tri")
    assert day.stands(10) == [("Ben", [1], 5)]
    assert day.scores == {"Ann": 0, "Ben": 5}
    assert day.turn == "Ben"
    day = attack(loose={10: 0}).tosses("tri", "aon")
    assert day.stands(10) == [("Ann", [1], 5)]
    assert (
        "Ann wins attacking on sigil 10 and takes 3 coins: Ann's chariot 1 stands, and the other side is off the board." in day.rulings
    )


def test_6_own_chariots_fuse_and_die_together() -> None:
    day = Day(units=[("Ann", [1], 8, 3), ("Ann", [2], 10, 1), ("Ben", [1], 9, 0)], loose={10: 0})
    day.tosses("dha").chooses("1")
    assert day.stands(10) == [("Ann", [1, 2], 4)]
    day.tosses("aon").chooses("1").tosses("ceither", "aon")
    assert day.stands(10) == [("Ben", [1], 4)]
    assert [c.number for c in day.race.off["Ann"]] == [1, 2, 3, 4]


def teams(units: Sequence[tuple[str, Sequence[int | str], Place, int]], **more: object) -> Day:
    return Day(("Ann", "Ben", "Cal", "Dee"), units, teams="on", **more)  # type: ignore[arg-type]


def test_6_partners_split_what_their_stack_brings_home() -> None:
    day = teams([("Ann", [1, "Cal 1"], 23, 7)]).tosses("dha").chooses("1")
    assert day.race.stored == {"Ann": 4, "Ben": 0, "Cal": 3, "Dee": 0}
    assert day.says == "Ann's chariot 1 with one below is home with 7 coins, split 4 to Ann and 3 to Cal (ruling S-12)."


def test_7_through_the_veil_the_centre_and_out_again_with_darts_the_next_turn() -> None:
    day = Day(units=[("Ann", [1], 12, 0), ("Ben", [1], 1, 0)])
    assert day.options == ["throw", "enter"]
    day.chooses("enter")
    assert day.asks == "Ann: throw the four sticks to cross the veil at Beltane."
    day.tosses("aon")
    assert day.asks == "Ann: throw the four sticks to go into the fairy land."
    day.tosses("coig")
    assert day.options == ["samhain", "oimelc", "lughnasadh"]
    day.chooses("samhain")
    assert day.stands("S1") == [("Ann", [1], 2)]
    assert day.options == ["again", "stop"]
    day.chooses("stop").tosses("aon").chooses("1")
    assert day.asks == "Ann: throw the four sticks for the fairy darts at chariot 1, on S1."
    day.tosses("aon")
    assert day.lies(CENTRE) == 6
    assert day.stands(12) == [("Ann", [1], 0)]
    assert day.unit(12).barred == {12}
    assert day.asks == "Ann: throw the four sticks."


@pytest.mark.parametrize(("throw", "coins"), [("dha", 3), ("ceither", 1)])
def test_8_home_at_the_gate_of_the_start_with_its_coins_or_past_it_without(throw: str, coins: int) -> None:
    day = Day(units=[("Ann", [1], "S2", 1)], entered={"S2": 12}, loose={0: 2}).tosses("dha", throw).chooses("1")
    assert day.race.stored["Ann"] == coins
    assert [c.number for c in day.race.home["Ann"]] == [1]
    assert day.options == (["again", "stop"] if throw == "ceither" else [])


def test_8_another_start_is_further_on() -> None:
    day = Day(units=[("Ann", [1], "S2", 1)], entered={"S2": 12}, date="02-01").tosses("dha", "ceither").chooses("1")
    assert day.stands(2) == [("Ann", [1], 2)]
    assert day.unit(2).chariots[0].progress == 20


def test_9_where_the_veil_stays_shut_the_chariot_goes_round_without_a_free_throw() -> None:
    day = Day(units=[("Ann", [1], 12, 0)]).chooses("enter").tosses("tri")
    assert day.says == "Tri: the veil stays shut. Chariot 1 goes round by the ring, and no free throw follows."
    assert day.asks == "Ann: throw the four sticks to go on round the ring."
    day.tosses("ceither")
    assert day.stands(16) == [("Ann", [1], 1)]
    assert day.says == "No free throw for Ann, because the veil stayed shut."
    assert day.turn == "Ben"


def test_10_a_fight_on_a_gate_costs_both_their_coins() -> None:
    day = Day(units=[("Ann", [1], 4, 3), ("Ben", [1], 6, 2)], loose=coins_but_on(1, "S1") | {CENTRE: 4})
    day.tosses("dha").chooses("1")
    assert [day.lies(p) for p in (CENTRE, "S1", 1)] == [7, 1, 1]
    assert day.says == "Ann's chariot 1 fights Ben's chariot 1 on Oimelc: the fairies take 5 coins."
    day.tosses("dha", "dha")
    assert day.stands(6) == [("Ann", [1], 0)]
    assert day.unit(6).barred == {6}
    assert day.says == "Ann's chariot 1 stays on Oimelc (ruling S-9), and may not enter the fairy land there again."


def test_10_in_the_centre_the_winner_goes_back_to_its_gate() -> None:
    day = Day(units=[("Ann", [1], "B2", 3), ("Ben", [1], CENTRE, 2)], entered={"B2": 12, CENTRE: 0})
    day.tosses("dha", "aon").chooses("1").tosses("dha", "dha")
    assert day.stands(12) == [("Ann", [1], 0)]
    assert day.unit(12).barred == {12}
    assert day.stands(CENTRE) == []


def finish(
    stored: Mapping[str, int], unclaimed: int, players: Sequence[str] = ("Ann", "Ben"), done: int = 1, **settings: object
) -> Day:
    """The first player has one chariot one sigil before the start; the coins at home and on the board are these."""
    chariots = {2: 4, 3: 3, 4: 3}[len(players)]
    finished = dict.fromkeys(players[1:done], chariots) | {players[0]: chariots - 1}
    empty = dict.fromkeys(PLACES, 0) | {5: unclaimed}
    day = Day(players, [(players[0], [1], 23, 0)], finished=finished, stored=stored, loose=empty, **settings)
    day.race.done.extend(players[1:done])
    return day.tosses("dha")


def test_11_the_prizes_and_what_is_left_on_the_board() -> None:
    day = finish({"Ann": 20, "Ben": 21}, 11)
    assert day.scores == {"Ann": 27, "Ben": 25}
    assert day.winners == ("Ann",)
    assert day.outcome.reason == "Speed: Ann wins the race. Wealth: Ann wins the prize of wealth with 27 coins."
    assert day.sheet[-2:] == [("Ann", 0, "coins at the end, wins the prize of speed and wealth"), ("Ben", 0, "coins at the end")]


def test_12_two_thirds_to_the_winner_the_rest_one_by_one() -> None:
    assert shares(10, ["Ann"], ["Ben", "Cal", "Dee"]) == {"Ann": 6, "Ben": 2, "Cal": 1, "Dee": 1}
    assert shares(9, ["Ann", "Cal"], ["Ben", "Dee"]) == {"Ann": 3, "Cal": 3, "Ben": 2, "Dee": 1}
    assert shares(11, ["Cal", "Ann"], ["Ben", "Dee"]) == {"Cal": 4, "Ann": 3, "Ben": 2, "Dee": 2}
    assert shares(0, ["Ann"], ["Ben"]) == {"Ann": 0}


def test_12_three_players_have_a_coin_too_many_for_the_pot() -> None:
    assert payouts({"Ann": 20, "Ben": 22, "Cal": 10}) == {"Ann": 20, "Ben": 21, "Cal": 10}


# -- worked examples: cards, home, stacks, territorial, overflow ----------------------------------------------------------


def on_card(throw: str, answer: str, place: int = 9) -> Day:
    """Ann reaches the Spring Equinox by this throw, and her answer is judged."""
    steps = {"aon": 1, "dha": 2, "tri": 3, "ceither": 4, "coig": 5}[throw]
    return Day(units=[("Ann", [1], place - steps, 0)], cards=12).tosses(throw).chooses("1").chooses(answer)  # type: ignore[return-value]


def test_13_a_good_answer_after_a_ceither_is_one_throw() -> None:
    day = on_card("ceither", "good").chooses("again")
    assert day.awaits == "sticks"
    day.throws_sticks(*faces("aon")).chooses("1")
    assert day.turn == "Ben"


@pytest.mark.parametrize("throw", ["ceither", "dha"])
def test_13_a_bad_answer_ends_the_turn(throw: str) -> None:
    day = on_card(throw, "not_good")
    assert day.says == "Ann does not answer well on the Spring Equinox: there is no free throw of any kind."
    assert day.turn == "Ben"
    assert day.meeting.cards == 11


def test_13_without_cards_left_the_throw_is_given() -> None:
    day = Day(units=[("Ann", [1], 7, 0)], cards=12)
    day.meeting.cards = 0
    day.tosses("dha").chooses("1")
    assert day.rulings[-1] == "No question cards are left: the throw is given without one."
    assert day.options == ["again", "stop"]


def test_14_a_forward_move_from_home_is_one_longer() -> None:
    day = Day(units=[("Ben", [1], 19, 0)], home="on").tosses("aon", "dha")
    assert [o.text for o in day.prompt.options] == ["Chariot 1 from sigil 19 to sigil 22", "Introduce chariot 2 on sigil 2"]  # type: ignore[attr-defined]
    day.chooses("1")
    assert day.stands(22) == [("Ben", [1], 1)]


def test_14_and_a_ceither_from_home_keeps_its_free_throw() -> None:
    day = Day(units=[("Ann", [1], 14, 0)], home="on").tosses("ceither").chooses("1")
    assert day.stands(19) == [("Ann", [1], 1)]
    assert day.options == ["again", "stop"]


def leinster(place: int, coins: int, **more: object) -> Day:
    """Cal of Leinster has the turn: Ann and Ben have a chariot each, far away."""
    units = [("Cal", [1], place, coins), ("Ann", [1], 10, 0), ("Ben", [1], 16, 0)]
    return Day(("Ann", "Ben", "Cal"), units, finished={"Ann": 2, "Ben": 2}, home="on", **more).tosses("aon", "aon")  # type: ignore[arg-type]


def test_15_back_over_the_start_and_forward_again_is_not_home() -> None:
    day = leinster(2, 3)
    assert day.options == ["throw", "back"]
    day.chooses("back")
    assert day.scores["Cal"] == 2
    assert day.asks == "Cal: throw the four sticks to go backwards."
    day.tosses("ceither")
    assert day.unit(22).chariots[0].progress == -2
    assert day.options == ["again", "stop"]
    day.chooses("stop")
    day.tosses("aon", "aon", "coig").chooses("1")
    assert day.unit(3).chariots[0].progress == 3
    assert not day.race.home["Cal"]
    day.chooses("again")
    assert day.asks == "Cal: throw the four sticks, extra throw 1 of 3.", "once out of its quadrant backwards, it only goes on"


def test_15_still_at_home_another_coin_takes_it_further_back() -> None:
    day = Day(units=[("Ann", [1], 17, 2)], home="on", loose={13: 0}).chooses("back").tosses("ceither")
    assert day.stands(13) == [("Ann", [1], 1)]
    day.chooses("again").chooses("back")
    assert day.stands(13) == [("Ann", [1], 0)]
    day.tosses("aon")
    assert day.unit(12).chariots[0].progress == 12


def test_16_at_home_the_defender_has_the_point_and_the_attacker_none() -> None:
    day = Day(units=[("Ann", [1], 18, 0), ("Ben", [1], 20, 0)], home="on").chooses("throw").tosses("dha").chooses("1")
    day.tosses("tri", "tri")
    assert "Ann: tri (cow); Ben: tri (cow) and 1 more." in day.rulings
    assert [u.owner for u in day.race.at(20)] == ["Ben"]


def test_16_and_attacking_at_home_it_is_one_more_as_ever() -> None:
    day = Day(units=[("Ben", [1], 17, 0), ("Ann", [1], 20, 0)], home="on").tosses("aon").chooses("new").tosses("tri").chooses("1")
    day.tosses("tri", "tri")
    assert [u.owner for u in day.race.at(20)] == ["Ben"]


def test_17_a_partner_goes_underneath_in_the_other_ones_quadrant() -> None:
    day = teams([("Ann", [1], 3, 1), ("Cal", [1], 4, 2)], home="on", loose={4: 0}).tosses("aon").chooses("1")
    assert day.stands(4) == [("Cal", [1, 1], 3)]
    assert [c.owner for c in day.unit(4).chariots] == ["Cal", "Ann"]


def test_17_without_the_home_rule_whoever_arrives_is_on_top() -> None:
    day = teams([("Ann", [1], 3, 1), ("Cal", [1], 4, 2)], loose={4: 0}).tosses("aon").chooses("1")
    assert [c.owner for c in day.unit(4).chariots] == ["Ann", "Cal"]
    assert day.says == "Ann's chariot 1 and Cal's chariot 1 go on as one on sigil 4, Ann on top, with 3 coins."


def two_attack_one(*throws: str) -> Day:
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1], 10, 3)], stacks="on", loose={10: 0}).tosses("dha").chooses("1")
    assert day.asks == "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1."
    return day.tosses(*throws)  # type: ignore[return-value]


def test_18_of_two_attackers_the_lower_dies_and_the_higher_wins() -> None:
    day = two_attack_one("dha", "ceither", "ceither")
    assert day.stands(10) == [("Ann", [2], 5)]
    assert [c.number for c in day.race.off["Ann"]] == [1, 3, 4]


def test_18_who_fell_on_the_side_that_won_is_told() -> None:
    day = two_attack_one("dha", "ceither", "ceither")
    assert "Ann's chariot 2 stands, Ann's chariot 1 fell, and the other side is off the board." in " ".join(day.rulings)


def test_18_or_both_die() -> None:
    day = two_attack_one("aon", "dha", "ceither")
    assert day.stands(10) == [("Ben", [1], 5)]
    assert day.turn == "Ben"


def test_19_stack_against_stack_by_pairs() -> None:
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on", loose={10: 0}).tosses("dha").chooses("1")
    assert day.asks == "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1 with one below."
    day.tosses("tri", "aon")
    day.tosses("aon", "ceither")
    assert day.asks == "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1 with one below."
    day.tosses("tri", "dha")
    assert day.stands(10) == [("Ann", [1], 5)]
    assert len(day.race.off["Ben"]) == 4


def test_20_territorial_starts() -> None:
    night = Night("sigily", "Ann", "Ben", start="Ann", territorial="on")
    assert night.rulings[:2] == ["Ann drives for Connaught and starts at Beltane.", "Ben drives for Ulster and starts at Lughnasadh."]
    day = Day(territorial="on").tosses("aon", "dha")
    assert [u.place for u in day.race.units] == [13, 20]
    day.tosses("tri").chooses("1").tosses("aon").chooses("1")
    assert day.says == "The Fall Equinox is the first solar sigil after the start, and brings no throw."
    day = Day(units=[("Ben", [1], 17, 0)], territorial="on").tosses("aon", "aon").chooses("1")
    assert len(day.race.home["Ben"]) == 1


def test_21_the_overflow_goes_to_empty_sigils_the_inner_green_ones_first() -> None:
    treasure = Treasure(0)
    treasure.loose.update({CENTRE: 6, "S2": 0, "B2": 0, "L1": 0, 0: 0, 4: 0, 5: 0})
    treasure.to_jackpot(6)
    assert [treasure.loose[p] for p in (CENTRE, "S2", "B2", "L1", 0, 4, 5)] == [7, 1, 1, 1, 1, 1, 0]


# -- worked examples: magic -----------------------------------------------------------------------------------------------


def magic(*units: tuple[str, Sequence[int | str], Place, int], players: Sequence[str] = ("Ann", "Ben"), **more: object) -> Day:
    return Day(players, units, magic="on", **more)  # type: ignore[arg-type]


def test_22_whoever_lands_on_a_curse_dies() -> None:
    day = magic(("Ann", [1], 16, 2), ("Ben", [1], 14, 4), loose={CENTRE: 0, 16: 0})
    assert day.asks == "Ann: cast a spell before the throw?"
    day.chooses("curse").tosses("dha").chooses("1").chooses("over")
    assert day.lies(CENTRE) == 2
    day.chooses("none").tosses("dha").chooses("1")
    assert day.says == "Ben's chariot 1 lands on the curse of sigil 16 and dies; 4 coins to the jackpot."
    assert day.lies(CENTRE) == 6
    assert day.turn == "Ann"


def test_22_a_territory_has_one_curse() -> None:
    day = magic(("Ann", [1], 16, 4), ("Ann", [2], 13, 4)).chooses("curse").chooses("1").tosses("aon").chooses("1")
    assert "curse" not in day.options
    assert day.stands(17)


def fireball(**more: object) -> Day:
    return magic(("Ann", [1], 8, 5), ("Ben", [1], 10, 3), loose={10: 0, 8: 0}, **more).chooses("fireball")  # type: ignore[return-value]


def test_23_a_fireball_burns() -> None:
    day = fireball()
    assert day.asks == "Ben: throw the four sticks against the fireball at chariot 1."
    day.tosses("dha")
    assert day.stands(10) == []
    assert day.lies(10) == 3
    assert day.says == "The fireball burns Ben's chariot 1 on sigil 10; 3 coins, slightly roasted, stay there."
    assert day.asks == "Ann: throw the four sticks."


def test_23_or_does_nothing_or_flies_back() -> None:
    assert fireball().tosses("tri").stands(10) == [("Ben", [1], 3)]  # type: ignore[attr-defined]
    day = fireball().tosses("coig")
    assert day.says == "Coig: the fireball flies back at Ann's chariot 1."
    assert day.turn == "Ann"
    day.tosses("aon")
    assert day.stands(8) == []
    assert day.lies(8) == 3


def test_23_and_back_again() -> None:
    day = fireball().tosses("coig", "ceither", "aon")
    assert day.stands(8) == [("Ann", [1], 3)]
    assert day.stands(10) == []


def test_24_a_free_turn_and_a_ceither_are_one_throw() -> None:
    day = magic(("Ann", [1], 1, 4), ("Ann", [2], 3, 0)).chooses("free_turn").tosses("ceither").chooses("1")
    assert day.options == ["again", "stop"]
    day.chooses("again").tosses("aon").chooses("over")
    assert day.unit(6).owner == "Ann"
    assert day.turn == "Ben"


def test_25_a_stone_skin_wins_without_a_throw_until_it_moves() -> None:
    day = magic(("Ann", [1], 4, 2), ("Ben", [1], 3, 2), loose={5: 0}).chooses("none").tosses("aon").chooses("1")
    assert day.options == ["over", "curse", "stone_skin"]
    assert day.asks == "Ann: cast a last spell, or is your turn over?"
    day.chooses("stone_skin").chooses("none").tosses("dha").chooses("1")
    assert "Ann's chariot 1 has a stone skin: Ben's chariot 1 loses without a throw." in day.rulings
    assert day.stands(5) == [("Ann", [1], 2)]
    assert day.unit(5).skin
    day.chooses("none").tosses("aon").chooses("1")
    assert not day.unit(6).skin


def test_26_a_curse_is_removed_with_a_coin_of_each_of_two_chariots() -> None:
    day = magic(("Ann", [1], 4, 1), ("Ann", [2], 8, 1))
    day.race.curses += [20, 2]
    day.tosses("aon").chooses("new").tosses("dha")
    assert day.options == ["none", "remove_curse", "winds_of_speed", "winds_of_sloth", "freeze"]
    day.chooses("remove_curse")
    assert day.asks == "Ann: which curse do you take off?"
    day.chooses("20")
    assert day.asks == "Ann: 2 coins to pay for the Remove Curse. Who pays the next one?"
    assert day.options == ["1", "2", "3"]
    day.chooses("1")
    assert day.options == ["2", "3"]
    day.chooses("2")
    assert day.says == "Ann takes the curse off sigil 20."
    assert [u.coins for u in day.race.units_of("Ann")] == [0, 0, 1]
    assert day.race.curses == [2]


def test_27_winds_of_speed_add_up() -> None:
    day = magic(("Ann", [1], 4, 6)).chooses("winds_of_speed")
    assert day.says == "Winds of Speed of Ann: for three rounds the chariots of its caster move one more, and nobody backwards."
    day.race.winds.append(Wind("speed", "Ann"))
    day.tosses("dha")
    assert [o.text for o in day.prompt.options] == ["Chariot 1 from sigil 4 to sigil 8", "Introduce chariot 2 on sigil 4"]  # type: ignore[attr-defined]


def test_27_speed_and_sloth_cancel_each_other() -> None:
    day = magic(("Ann", [1], 4, 0))
    day.race.winds += [Wind("speed", "Ann"), Wind("sloth", "Ben")]
    day.tosses("dha").chooses("1")
    assert day.unit(6)


def test_28_under_sloth_an_aon_moves_nothing_and_a_backward_tri_four() -> None:
    day = magic(("Ann", [1], 4, 0), ("Ben", [1], 22, 1), home="on", loose={18: 0})
    day.race.winds += [Wind("sloth", "Ben")]
    day.tosses("aon")
    assert day.says == "The winds hold chariot 1 on its sigil."
    assert day.turn == "Ben"
    day.chooses("back").tosses("tri")
    assert day.stands(18) == [("Ben", [1], 0)]


def test_28_sloth_slows_the_opponents_of_its_caster_and_not_the_caster() -> None:
    day = magic(("Ann", [1], 4, 3), ("Ben", [1], 16, 0)).chooses("winds_of_sloth")
    assert (
        day.says
        == "Winds of Sloth of Ann: for three rounds the opponents of its caster move one less, and everybody one more backwards."
    )
    day.tosses("aon").chooses("1").tosses("dha")
    assert [o.text for o in day.prompt.options] == ["Chariot 1 from sigil 16 to sigil 17", "Introduce chariot 2 on sigil 1"]  # type: ignore[attr-defined]
    day.chooses("1").tosses("dha").chooses("1").chooses("over").tosses("aon")
    assert day.says == "The winds hold chariot 1 on its sigil."


def test_28_a_chariot_held_back_may_still_be_chosen() -> None:
    day = magic(("Ann", [1], 4, 0), ("Ann", [2], 8, 0))
    day.race.winds += [Wind("sloth", "Ben")]
    day.tosses("aon")
    assert [o.text for o in day.prompt.options] == [  # type: ignore[attr-defined]
        "Chariot 1 from sigil 4, held up by the wind",
        "Chariot 2 from sigil 8, held up by the wind",
    ]
    day.chooses("1")
    assert day.unit(4)


def test_29_of_several_others_the_caster_says_whom_a_partner_too() -> None:
    day = teams([("Ann", [1], 4, 3)], magic="on").chooses("freeze")
    assert day.asks == "Ann: whom do you freeze?"
    assert day.options == ["Ben", "Cal", "Dee"]
    day.chooses("Dee").tosses("aon").chooses("1").tosses("aon", "dha")
    assert day.says == "Dee is frozen: the turn is passed over."
    assert day.turn == "Ann"


def test_29_five_coins_ward_off_the_frost() -> None:
    day = magic(("Ann", [1], 4, 3), ("Ben", [1], 8, 5), loose={CENTRE: 0, "S2": 0}).chooses("freeze")
    assert day.asks == "Ben: Ann freezes you. Pay 5 coins, or lose your next turn?"
    day.chooses("pay")
    assert [day.lies(CENTRE), day.lies("S2")] == [7, 1]
    assert day.says == "Ben pays 5 coins and is not frozen."
    day.tosses("aon").chooses("1").tosses("aon")
    assert day.turn == "Ben"


def test_29_nobody_is_frozen_a_third_turn_running() -> None:
    day = magic(stored={"Ann": 9}, finished={"Ann": 3}, curse="off", stone_skin="off")
    day.chooses("freeze")
    assert day.says == "Ben is frozen and loses the next turn."
    day.tosses("aon")
    assert day.says == "Ben is frozen: the turn is passed over."
    day.chooses("freeze").chooses("home").chooses("home").chooses("home").tosses("aon")
    assert day.says == "Ben is frozen: the turn is passed over."
    assert day.options == ["none", "winds_of_speed", "winds_of_sloth"]
    assert day.refuses_choice("freeze").startswith("Nobody is frozen a third turn running: choose none")
    day.chooses("none").tosses("aon")
    assert day.turn == "Ben"
    day.tosses("coig").chooses("stop")
    assert "freeze" in day.options


def test_30_a_bet_on_a_fight_is_noted_and_changes_nothing() -> None:
    day = Day(units=[("Ann", [1], 8, 2), ("Ben", [1], 10, 3)], side_bets="on", loose={10: 0})
    assert day.asks == "Ann: does anybody bet on Ann's throw?"
    day.chooses("close").tosses("dha").chooses("1")
    assert day.asks == "Ann: does anybody bet on Ann's chariot 1 against Ben's chariot 1 on sigil 10?"
    day.bets("Ben", "attacker", 1)
    assert day.asks == "Ben: who bets 1 against your “attacker”? Nobody need."
    day.picks("Ann").chooses("close").tosses("tri", "aon")
    notes = [(line.player, line.points, line.value, line.reason) for line in day.match.view().sheet if line.value]
    assert notes == [
        ("Ann", 0, "-1 in money", "bet of Ben on “attacker”, against Ann"),
        ("Ben", 0, "+1 in money", "bet of Ben on “attacker”, against Ann"),
    ]
    assert day.scores == {"Ann": 5, "Ben": 0}
    assert day.meeting.money.sum == 0


def test_30_a_bet_that_nobody_takes_is_none() -> None:
    day = Day(side_bets="on").bets("Ann", "dha", 5).picks().chooses("close").tosses("aon")
    assert day.meeting.money.ahead("Ann") == 0
    day.bets("Ann", "tri", 5).picks("Ben").chooses("close").tosses("aon")
    assert [day.meeting.money.ahead(p) for p in ("Ann", "Ben")] == [-5, 5]


# -- rulings --------------------------------------------------------------------------------------------------------------


def test_s1_the_board_has_24_sigils_nine_green_ones_and_52_coins() -> None:
    assert ALL_COINS == 52
    assert len(PLACES) == 24 + 9
    assert [len(arm) for arm in ARMS.values()] == [2, 2, 2, 2]
    assert Counter(quadrant(p) for p in range(RING)) == {0: 5, 6: 5, 12: 5, 18: 5, None: 4}


@pytest.mark.parametrize(("province", "home"), [("Connaught", 12), ("Ulster", 18), ("Leinster", 0), ("Munster", 6)])
def test_s2_a_home_quadrant_follows_the_territorial_start(province: str, home: int) -> None:
    race = Race(("Ann", "Ben", "Cal", "Dee"), 0, 3, Agreed(home=True, territorial=True))
    player = race.players[["Connaught", "Ulster", "Leinster", "Munster"].index(province)]
    assert race.start_of(player) == home
    assert [p for p in PLACES if race.at_home(player, p)] == list(range(home + 1, home + 6))


def test_s3_a_solar_sigil_counts_among_the_three_extra_throws() -> None:
    day = Day(units=[("Ann", [1], 7, 0)]).tosses("dha").chooses("1")
    assert day.asks == "Ann: throw again, extra throw 1 of 3 or no more throws?"
    day.chooses("again").tosses("ceither").chooses("1").chooses("again").tosses("dha").chooses("1").chooses("again")
    assert [day.asks, day.so_far] == [
        "Ann: throw the four sticks, extra throw 3 of 3.",
        "dha: chariot 1 to the Spring Equinox; ceither: chariot 1 to sigil 13; dha: chariot 1 to the Summer Solstice",
    ]
    day.tosses("ceither").chooses("1")
    assert day.says == "Ann has had three extra throws, and no more follow."


def test_s4_a_ceither_to_a_solar_sigil_is_one_throw() -> None:
    day = Day(units=[("Ann", [1], 5, 0)]).tosses("ceither").chooses("1").chooses("again").tosses("aon").chooses("1")
    assert day.turn == "Ben"


@pytest.mark.parametrize(("start", "off"), [(0, 3), (3, 9), (6, 9), (18, 21), (21, 3), (15, 21)])
def test_s5_the_first_solar_sigil_is_strictly_after_the_start(start: int, off: int) -> None:
    assert first_solar(start) == off


def test_s5_the_start_is_turned_off_all_game_for_all() -> None:
    day = Day(units=[("Ben", [1], 2, 0)]).tosses("ceither").chooses("stop").tosses("aon").chooses("1")
    assert day.says == "The Winter Solstice is the first solar sigil after the start, and brings no throw."
    assert day.turn == "Ann"


def test_s6_the_veil_is_not_tried_in_the_turn_of_arrival_but_in_any_later_one() -> None:
    day = Day(units=[("Ann", [1], 2, 0)]).tosses("ceither").chooses("1").chooses("again")
    assert day.awaits == "sticks"
    day.tosses("aon").chooses("new").tosses("coig").chooses("stop")
    assert day.options == ["throw", "enter"]
    day.chooses("throw").tosses("aon")
    assert day.options == ["1", "2", "new"]
    day.chooses("2").tosses("aon").chooses("new")
    assert day.options == ["throw", "enter"]


def test_s7_a_good_test_keeps_the_free_throw() -> None:
    day = Day(units=[("Ann", [1], 12, 0)]).chooses("enter").tosses("dha", "coig").chooses("oimelc")
    assert day.stands("O1") == [("Ann", [1], 2)]
    assert day.options == ["again", "stop"]
    assert "Dha: the veil opens. Ann throws for chariot 1 to go in." in day.rulings


def test_s8_coming_out_beyond_the_start_is_not_home() -> None:
    day = Day(units=[("Ann", [1], "O1", 2)], entered={"O1": 12}, date="12-21").tosses("dha", "aon")
    assert day.asks == "Ann: aon, 1. Which chariot moves?"
    day.chooses("1")
    assert day.unit(6).chariots[0].progress == 3
    assert not day.race.home["Ann"]


def test_s9_a_defender_on_a_gate_stays_there_barred() -> None:
    day = Day(units=[("Ann", [1], 4, 3), ("Ben", [1], 6, 2)]).tosses("dha").chooses("1").tosses("aon", "ceither")
    assert day.stands(6) == [("Ben", [1], 0)]
    assert day.unit(6).barred == {6}
    assert day.says == "Ben's chariot 1 stays on Oimelc (ruling S-9), and may not enter the fairy land there again."


def test_s9_the_winner_who_stays_takes_no_loose_coins() -> None:
    day = Day(units=[("Ann", [1], 4, 3), ("Ben", [1], 6, 0)], loose={6: 2}).tosses("dha").chooses("1").tosses("tri", "aon")
    assert day.stands(6) == [("Ann", [1], 0)]
    assert day.lies(6) == 2


def test_s9_whoever_just_comes_out_goes_back_to_the_gate_of_entry() -> None:
    day = Day(units=[("Ann", [1], "L1", 3), ("Ben", [1], 18, 2)], entered={"L1": 12}).tosses("dha", "aon").chooses("1")
    day.tosses("tri", "aon")
    assert day.stands(12) == [("Ann", [1], 0)]
    assert day.unit(12).chariots[0].progress == 12
    assert day.says == "Ann's chariot 1 goes back to Beltane, and may not enter the fairy land there again."


def test_s10_a_unit_sent_to_a_gate_only_stands_there() -> None:
    day = Day(units=[("Ann", [1], "B1", 3), ("Ben", [1], 12, 2), ("Ann", [2], 12, 1)], entered={"B1": 12}, loose={12: 2})
    day.tosses("aon")
    assert day.stands(12) == [("Ben", [1], 2), ("Ann", [2], 1), ("Ann", [1], 0)]
    assert day.lies(12) == 2


def test_s10_who_arrives_later_fights_them_in_their_order_then_fuses() -> None:
    day = Day(("Ann", "Ben", "Cal"), [("Cal", [1], 12, 1), ("Ben", [1], 12, 2), ("Ann", [2], 12, 4), ("Ann", [1], 10, 3)])
    day.chooses("throw").tosses("dha").chooses("1")
    assert day.asks == "Ann: throw the four sticks to fight Cal's chariot 1."
    day.tosses("tri", "aon")
    assert day.asks == "Ann: throw the four sticks to fight Ben's chariot 1."
    day.tosses("tri", "aon")
    assert day.stands(12) == [("Ann", [1, 2], 4)]


@pytest.mark.parametrize("plus", [1, -1])
def test_s11_only_throws_one_apart_tie_and_a_coig_loses_the_tie(plus: int) -> None:
    throws = [Toss(v, a) for v in range(1, 6) for a in range(5)]
    assert all(abs(a.value - b.value) == 1 for a in throws for b in throws if higher(a, b, plus) == 0)
    assert higher(toss(faces("ceither")), toss(faces("coig")), 1) > 0
    assert higher(toss(faces("coig")), toss(faces("ceither")), -1) < 0


def test_s12_the_top_player_moves_the_stack_and_owns_its_coins_on_the_way() -> None:
    day = teams([("Ann", [1, "Cal 1"], 7, 7)])
    assert day.scores == {"Ann": 7, "Ben": 0, "Cal": 0, "Dee": 0}
    day.tosses("aon").chooses("new").tosses("dha", "tri")
    assert day.turn == "Dee"


def test_s13_a_winner_keeps_the_free_throw_and_who_dies_has_none() -> None:
    def fight(*throws: str) -> Day:
        return Day(units=[("Ann", [1], 4, 0), ("Ben", [1], 8, 0)]).tosses("ceither").chooses("1").tosses(*throws)

    assert fight("tri", "aon").options == ["again", "stop"]
    assert fight("aon", "tri").turn == "Ben"


def test_s14_the_curse_comes_before_the_fight_and_home_before_everything() -> None:
    day = magic(("Ann", [1], 20, 1), ("Ben", [1], 22, 1))
    day.race.curses.append(22)
    day.tosses("dha").chooses("1")
    assert day.says == "Ann's chariot 1 lands on the curse of sigil 22 and dies; 1 coin to the jackpot."
    assert day.stands(22) == [("Ben", [1], 1)]
    day = Day(units=[("Ann", [1], 23, 0), ("Ben", [1], 0, 2)], progress={0: 0}, loose={0: 2}).tosses("aon").chooses("1")
    assert day.stands(0) == [("Ben", [1], 2)]
    assert day.race.stored["Ann"] == 2


def test_s14_a_solar_start_has_no_effect_on_who_comes_home() -> None:
    day = Day(units=[("Ann", [1], 2, 0)], date="12-21", cards=12).tosses("aon").chooses("1")
    assert day.race.home["Ann"]
    assert day.turn == "Ben"


@pytest.mark.parametrize(
    ("coins", "paid"),
    [
        ({"Ann": 30, "Ben": 22}, {"Ann": 30, "Ben": 22}),
        ({"Ann": 22, "Ben": 22, "Cal": 8}, {"Ann": 21, "Ben": 22, "Cal": 8}),
        ({"Ann": 20, "Ben": 12, "Cal": 10, "Dee": 10}, {"Ann": 21, "Ben": 13, "Cal": 11, "Dee": 11}),
    ],
)
def test_s15_the_pot(coins: dict[str, int], paid: dict[str, int]) -> None:
    assert payouts(coins) == paid
    assert sum(paid.values()) == {2: 52, 3: 51, 4: 56}[len(coins)]


def test_s15_money_goes_into_the_pot_and_comes_out_and_the_scores_stay_coins() -> None:
    day = finish({"Ann": 20, "Ben": 21}, 11, gambling="on")
    assert day.outcome.reason.endswith(" In money: Ann +1 and Ben -1.")
    assert day.scores == {"Ann": 27, "Ben": 25}
    assert day.meeting.money.sum == 0
    notes = [(line.player, line.value, line.reason) for line in day.match.view().sheet if line.value]
    assert notes[:2] == [("Ann", "-26 in money", "put into the pot"), ("Ben", "-26 in money", "put into the pot")]
    assert notes[-2:] == [("Ann", "+27 in money", "paid from the pot"), ("Ben", "+25 in money", "paid from the pot")]


def test_s16_of_partners_the_one_who_finished_first_has_the_odd_coin() -> None:
    day = finish({"Ann": 20, "Ben": 20, "Cal": 0, "Dee": 1}, 11, ("Ann", "Ben", "Cal", "Dee"), done=3, teams="on")
    assert day.outcome.winners == ("Ann", "Cal")
    assert day.scores == {"Ann": 23, "Ben": 22, "Cal": 4, "Dee": 3}
    assert day.outcome.reason == "Speed: Cal and Ann win the race. Wealth: Ann wins the prize of wealth with 23 coins."


def test_s17_winds_help_an_introduction_and_home_does_not() -> None:
    day = magic(home="on", territorial="on")
    day.race.winds.append(Wind("speed", "Ann"))
    day.tosses("dha")
    assert day.unit(15)


def test_s17_what_the_wind_holds_back_to_nothing_is_not_introduced() -> None:
    day = magic()
    day.race.winds.append(Wind("sloth", "Ben"))
    day.tosses("aon")
    assert day.says == "Aon. Ann has nothing that can move."
    assert day.turn == "Ben"


def test_no_free_throw_is_offered_to_who_has_nothing_to_move_but_below_a_partner() -> None:
    day = teams([("Cal", [1, "Ann 1"], 10, 0)], finished={"Ann": 2}).tosses("coig")
    assert day.says == "Coig. Ann has nothing that can move."
    assert day.asks == "Ben: throw the four sticks."


def test_nor_once_the_move_ended_below_a_partner_at_home() -> None:
    day = teams([("Ann", [1], 1, 0), ("Cal", [1], 5, 0)], finished={"Ann": 2}, home="on").tosses("ceither")
    assert day.stands(5) == [("Cal", [1, 1], 1)]
    assert day.turn == "Ben"


def test_s18_winds_blow_three_rounds_from_the_turn_they_are_called() -> None:
    day = magic(("Ann", [1], 1, 3)).chooses("winds_of_speed")
    rounds = []
    while day.race.winds:
        rounds.append(day.race.winds[0].rounds)
        day.tosses("aon")
        while day.awaits != "sticks":
            day.chooses({"none", "1", "over", "stop", "throw"}.intersection(day.options).pop())
    assert rounds == [3, 3, 2, 2, 1, 1]
    assert day.turn == "Ann"


def test_s18_winds_do_not_act_in_or_out_of_the_fairy_land() -> None:
    day = magic(("Ann", [1], "O1", 0), entered={"O1": 12})
    day.race.winds += [Wind("speed", "Ann")] * 2
    day.tosses("dha", "aon").chooses("1")
    assert day.unit(6)
    day = magic(("Ann", [1], 12, 0))
    day.race.winds += [Wind("speed", "Ann")] * 2
    day.chooses("enter").tosses("aon", "aon")
    assert day.unit("B1")


def test_s19_no_coin_no_way_back() -> None:
    day = Day(units=[("Ann", [1], 17, 0), ("Ann", [2], 16, 1)], home="on").chooses("back")
    assert day.asks == "Ann: throw the four sticks to go backwards."
    day.tosses("aon")
    assert day.stands(15) == [("Ann", [2], 2)]
    assert day.options == ["again", "stop"]


def test_s19_a_move_backwards_fights_where_it_lands() -> None:
    day = Day(units=[("Ann", [1], 17, 1), ("Ben", [1], 16, 2)], home="on").chooses("back").tosses("aon", "tri", "aon")
    assert [u.owner for u in day.race.at(16)] == ["Ann"]


def test_s19_nobody_moves_backwards_in_a_wind_of_speed_and_nobody_outside_home() -> None:
    day = Day(units=[("Ann", [1], 17, 3)], home="on", magic="on")
    day.chooses("winds_of_speed")
    assert day.awaits == "sticks"
    day = Day(units=[("Ann", [1], 20, 3)], home="on")
    assert day.awaits == "sticks"
    day = Day(units=[("Ann", [1], 17, 3)])
    assert day.awaits == "sticks"


def test_s20_a_fireball_flies_from_a_gate_and_at_one_but_not_at_partners_nor_into_green() -> None:
    units = [("Ann", [1], 12, 5), ("Ben", [1], 14, 0), ("Cal", [1], 13, 0), ("Dee", [1], 10, 0), ("Dee", [2], "B1", 0)]
    day = teams(units, magic="on", entered={"B1": 12}).chooses("fireball")
    assert day.options == ["ulster_1", "munster_1"]
    day.chooses("munster_1")
    assert day.asks == "Dee: throw the four sticks against the fireball at chariot 1."
    day = magic(("Ann", [1], "B1", 3), ("Ben", [1], 12, 0), entered={"B1": 18})
    assert "fireball" not in day.options
    day = magic(("Ann", [1], 15, 3), ("Ben", [1], 18, 0))
    assert "fireball" not in day.options


def test_s20_a_fireball_burns_a_whole_stack() -> None:
    day = magic(("Ann", [1], 8, 2), ("Ben", [1, 2], 9, 4), stacks="on").chooses("fireball").tosses("aon")
    assert len(day.race.off["Ben"]) == 4


def test_s21_a_stone_skin_on_a_gate_wins_but_loses_its_coins_and_stays_stone_where_it_stays() -> None:
    day = magic(("Ann", [1], 4, 1), ("Ben", [1], 6, 4), loose={CENTRE: 0})
    day.unit(6).skin = True
    day.tosses("dha").chooses("1")
    assert day.stands(6) == [("Ben", [1], 0)]
    assert day.unit(6).skin, "it has not moved"
    assert day.lies(CENTRE) == 5


def test_s21_a_stone_skin_that_is_sent_back_to_its_gate_is_broken() -> None:
    race = magic(("Ann", [1], "B1", 1), entered={"B1": 12}).race
    race.units[0].skin = True
    assert race.send_to_gate(race.units[0]) == 12
    assert not race.units[0].skin


def test_s21_a_fireball_does_nothing_to_a_stone_skin() -> None:
    day = magic(("Ann", [1], 8, 2), ("Ben", [1], 9, 4))
    day.unit(9).skin = True
    day.chooses("fireball")
    assert day.says == "Ben's chariot 1 has a stone skin: the fireball does nothing."
    assert day.asks == "Ann: throw the four sticks."


def test_s21_a_curse_kills_a_stone_skin_that_moves_there() -> None:
    day = magic(("Ann", [1], 20, 1))
    day.unit(20).skin = True
    day.race.curses.append(22)
    day.tosses("dha").chooses("1")
    assert len(day.race.off["Ann"]) == 4


def test_s22_the_throw_of_a_free_turn_moves_its_chariot_unless_that_is_off_the_board() -> None:
    day = magic(("Ann", [1], 23, 4), ("Ann", [2], 2, 0)).chooses("free_turn").tosses("aon").chooses("2").chooses("again").tosses("dha")
    assert len(day.race.home["Ann"]) == 1
    day = magic(("Ann", [1], 23, 4), ("Ann", [2], 3, 0)).chooses("free_turn").tosses("aon").chooses("1").chooses("again").tosses("aon")
    assert day.options == ["2", "new"]


def test_s23_the_block_is_paid_out_of_chariots_at_home_too() -> None:
    day = magic(("Ann", [1], 4, 3), ("Ben", [1], 8, 2), stored={"Ben": 3}, finished={"Ben": 1}).chooses("freeze").chooses("pay")
    assert day.options == ["1", "home"]
    day.chooses("home").chooses("home").chooses("home")
    assert day.says == "Ben pays 5 coins and is not frozen."
    assert day.scores == {"Ann": 0, "Ben": 0}


def test_s23_the_casters_coins_are_spent_all_the_same_and_too_few_block_nothing() -> None:
    day = magic(("Ann", [1], 4, 3), ("Ben", [1], 8, 4)).chooses("freeze")
    assert day.says == "Ben is frozen and loses the next turn."
    day.tosses("aon").chooses("1")
    assert day.turn == "Ann"


def test_s24_the_others_judge_and_the_author_where_they_split() -> None:
    day = Day(("Ann", "Ben", "Cal"), [("Ann", [1], 7, 0)], cards=12).tosses("dha").chooses("1")
    assert day.asks == "Ben: Ann draws a question card and answers. Do the others find it good? Its author settles a split."


def test_s25_a_sigil_with_a_chariot_but_no_coins_is_empty_and_where_none_is_the_centre_keeps_them() -> None:
    day = magic(("Ann", [1], 16, 2), ("Ben", [1], "S2", 0), entered={"S2": 0}, loose={CENTRE: 7, "S2": 0})
    day.chooses("curse")
    assert day.lies("S2") == 1
    assert day.unit("S2").coins == 0
    full = Treasure(0)
    full.to_jackpot(9)
    assert full.loose[CENTRE] == 13


def test_s26_a_curse_is_paid_by_its_chariot_and_winds_by_any() -> None:
    day = magic(("Ann", [1], 16, 1), stored={"Ann": 5}, finished={"Ann": 1})
    assert day.options == ["none", "winds_of_speed", "winds_of_sloth", "freeze"]
    assert day.refuses_choice("curse").startswith("Druid Curse costs two coins of one chariot, and none of yours has so many")


def test_s27_coins_in_place_of_sticks_have_no_animals() -> None:
    day = Day(units=[("Ann", [1], 8, 0), ("Ben", [1], 10, 0)], sticks="coins")
    assert day.asks == "Ann: throw the four coins."
    assert "cannot show dog" in day.refuses_answer(Sticks(("dog", "round", "round", "round")))
    day.throws_sticks("flat", "flat", "round", "round").chooses("1")
    day.throws_sticks("flat", "round", "round", "round").throws_sticks("flat", "flat", "round", "round")
    assert day.says == "Ann: aon and 1 more; Ben: dha. A tie: both throw again."


def test_s28_without_teams_four_race_alone() -> None:
    day = Day(("Ann", "Ben", "Cal", "Dee"), [("Ann", [1], 7, 0), ("Cal", [1], 8, 0)]).tosses("aon").chooses("1")
    assert day.asks == "Ann: throw the four sticks to fight Cal's chariot 1."


@pytest.mark.parametrize("players", [("Ann", "Ben"), ("Ann", "Ben", "Cal")])
def test_s28_teams_are_refused_to_fewer_than_four(players: tuple[str, ...]) -> None:
    with pytest.raises(UnreadableAnswer, match=r"^teams are for four players, two against two; (two|three) came: leave teams off$"):
        Night("sigily", *players, teams="on")


def test_s29_darts_strike_in_the_centre_as_well() -> None:
    day = Day(units=[("Ann", [1], CENTRE, 5)], entered={CENTRE: 18}).tosses("aon")
    assert day.stands(18) == [("Ann", [1], 0)]
    assert day.says == (
        "Aon: the fairy darts strike Ann's chariot 1. 5 coins go to the jackpot. "
        "It is back on Lughnasadh and may not enter there again."
    )


def test_s30_who_is_home_has_no_turns_but_for_collective_spells() -> None:
    day = (
        teams([("Ann", [1], 23, 3), ("Ben", [1], 5, 0)], finished={"Ann": 2}, magic="on", stone_skin="off", curse="off")
        .chooses("none")
        .tosses("coig")
    )
    assert day.says == "All chariots of Ann are home."
    day.tosses("aon").chooses("1").tosses("dha", "tri")
    assert day.turn == "Ann"
    assert day.options == ["none", "winds_of_speed", "winds_of_sloth", "freeze"]
    day.chooses("winds_of_speed")
    assert day.turn == "Ben"


def test_s30_without_magic_the_turn_is_passed_over() -> None:
    day = teams([("Ann", [1], 23, 3)], finished={"Ann": 2}).tosses("aon", "aon", "dha", "tri")
    assert day.turn == "Ben"


def test_s31_only_the_two_who_tie_throw_again() -> None:
    day = Day(units=[("Ann", [1, 2], 8, 0), ("Ben", [1], 10, 0)], stacks="on").tosses("dha").chooses("1")
    day.shows("deer").tosses("aon").tosses("dha")
    assert day.says == "Ann: aon (deer) and 1 more; Ben: dha (deer). A tie: both throw again."
    assert day.asks == "Ann: throw the four sticks for Ann's chariot 1 to fight Ben's chariot 1."
    day.tosses("tri", "aon")
    assert day.stands(10) == [("Ann", [1], 1)]


def test_s32_one_throw_against_darts_for_a_whole_stack() -> None:
    day = Day(units=[("Ann", [1, 2], "S2", 5)], entered={"S2": 0}, stacks="on").tosses("aon")
    assert day.stands(0) == [("Ann", [1, 2], 0)]
    assert [c.barred for c in day.unit(0).chariots] == [{0}, {0}]


def test_s33_the_surplus_is_lost_and_the_free_throw_kept() -> None:
    day = Day(units=[("Ann", [1], 22, 1)], loose={0: 2}).tosses("coig").chooses("1")
    assert day.race.stored["Ann"] == 1
    assert day.options == ["again", "stop"]


def test_s34_freezes_are_counted_by_target() -> None:
    race = Race(("Ann", "Ben", "Cal"), 0, 3, Agreed())
    race.frost_ahead["Cal"] = 2
    assert [race.can_freeze(p) for p in race.players] == [True, True, False]
    assert race.thaw("Cal")
    assert not race.can_freeze("Cal")
    assert race.thaw("Cal")
    assert not race.thaw("Cal")
    assert race.can_freeze("Cal")


def test_s35_an_extra_throw_may_be_declined_but_not_a_move() -> None:
    day = Day().tosses("ceither").chooses("stop")
    assert day.turn == "Ben"
    day.tosses("coig").chooses("again").tosses("aon")
    assert day.options == ["1", "new"]
    assert day.refuses_choice("pass") == "Not “pass”: choose 1 or new. Ben: aon, 1. Which chariot moves?"


def test_s36_a_coin_gone_astray_stops_the_race() -> None:
    day = Day()
    day.race.treasure.loose[7] -= 1
    day.tosses("aon")
    assert day.match.broken is not None
    assert "CoinsAstray: 51 coins are on the table" in day.match.broken


def test_s36_so_does_a_chariot_in_two_places_or_a_debt() -> None:
    race = Race(("Ann", "Ben"), 0, 4, Agreed())
    race.check()
    race.home["Ann"].append(race.off["Ann"][0])
    with pytest.raises(CoinsAstray, match="9 chariots are counted; there are 4 a player"):
        race.check()
    race = Race(("Ann", "Ben"), 0, 4, Agreed())
    race.treasure.loose.update({1: -1, 2: 3})
    with pytest.raises(CoinsAstray, match="the least pile is -1"):
        race.check()


# -- the order of play ----------------------------------------------------------------------------------------------------


def test_the_highest_throw_begins_and_the_others_throw_again_for_the_next_places() -> None:
    night = Night("sigily", "Ann", "Ben", "Cal")
    assert night.asks == "Ann: throw the four sticks to see who begins."
    assert night.prompt.to_json()["for"] == "start"
    night.throws_sticks(*faces("aon")).throws_sticks(*faces("coig")).throws_sticks(*faces("coig"))
    assert night.says == "Ben and Cal tie with 5 and throw again."
    night.throws_sticks(*faces("aon")).throws_sticks(*faces("dha"))
    assert night.says == "Cal begins."
    assert night.asks == "Ann: throw the four sticks to see who is second."
    night.throws_sticks(*faces("ceither")).throws_sticks(*faces("tri"))
    assert night.rulings[-4:] == [
        "Ann is second.",
        "Cal drives for Connaught and starts at Samhain.",
        "Ann drives for Ulster and starts at Samhain.",
        "Ben drives for Leinster and starts at Samhain.",
    ]
    assert night.turn == "Cal"
    night.throws_sticks(*faces("aon"))
    assert night.turn == "Ann"


def test_who_is_named_begins_and_the_others_throw_for_the_next_places() -> None:
    night = Night("sigily", "Ann", "Ben", "Cal", "Dee", start="Ben", teams="on")
    assert night.asks == "Ann: throw the four sticks to see who is second."
    for name in ("aon", "dha", "tri", "dha", "aon"):
        night.throws_sticks(*faces(name))
    assert night.rulings[-1] == "Ben and Ann are partners, against Dee and Cal."
    assert night.turn == "Ben"


@pytest.mark.parametrize(
    ("players", "chariots", "settings"), [(2, 4, {}), (3, 3, {"chariots": "4"}), (4, 3, {}), (4, 4, {"chariots": "4"})]
)
def test_how_many_chariots(players: int, chariots: int, settings: dict[str, str]) -> None:
    night = Night("sigily", *["Ann", "Ben", "Cal", "Dee"][:players], **settings)
    while night.turn and night.prompt.to_json().get("for") == "start":
        night.throws_sticks(*faces("aon" if Random(night.match.at).random() < 0.5 else "dha"))
    board = night.match.view().board
    assert board is not None
    assert sum(f": {chariots} off the board" in note for note in board.notes) == players


@pytest.mark.parametrize("date", ["02-30", "2-1", "13-01", "Samhain"])
def test_a_day_that_is_none_is_refused(date: str) -> None:
    with pytest.raises(UnreadableAnswer, match="date is a day of the year as MM-DD, such as 02-01; got"):
        Night("sigily", "Ann", "Ben", date=date)


def test_every_day_of_the_year_has_its_start() -> None:
    assert len(DAYS) == 366
    assert Counter(start_on(day) for day in DAYS) == {6: 42, 9: 49, 12: 41, 15: 51, 18: 41, 21: 51, 0: 41, 3: 50}
    assert [start_on(d) for d in ("12-22", "01-31", "02-02", "03-21", "03-22", "12-20")] == [6, 6, 9, 9, 12, 3]


# -- moves and fouls ------------------------------------------------------------------------------------------------------


def test_there_is_no_passing_and_no_other_answer_than_a_throw() -> None:
    day = Day(units=[("Ann", [1], 4, 0)])
    assert day.refuses_choice("pass") == "A throw of sticks is awaited, not a choice. Ann: throw the four sticks."
    assert day.refuses_answer(Sticks(("dog", "dog", "round", "round"))).startswith("These sticks cannot show dog so often")
    assert day.refuses_answer(Sticks(("dog",) * 3)).startswith("Four sticks expected, three came.")
    day.tosses("dha")
    assert day.refuses_choice("3").startswith("Chariot 3 is off the board, and comes in as a new one: choose 1 or new.")
    assert day.refuses_answer(Picked(("1", "new"))).startswith("A choice is awaited, not a pick")


def test_coins_jumped_over_and_chariots_jumped_over_are_left_alone() -> None:
    day = Day(units=[("Ann", [1], 7, 0), ("Ben", [1], 8, 3)], loose={10: 1, 9: 2}).tosses("tri").chooses("1")
    assert day.stands(8) == [("Ben", [1], 3)]
    assert day.lies(9) == 2
    assert day.stands(10) == [("Ann", [1], 1)]


def test_a_barred_gate_is_not_offered_but_another_is() -> None:
    day = Day(units=[("Ann", [1], 12, 0), ("Ann", [2], 18, 0)], barred={12: 12}).chooses("enter")
    assert day.asks == "Ann: throw the four sticks to cross the veil at Lughnasadh."
    day = Day(units=[("Ann", [1], 12, 0)], barred={12: 12})
    assert day.awaits == "sticks"
    day = Day(units=[("Ann", [1], 12, 0)], barred={12: 18})
    assert day.options == ["throw", "enter"]


def test_of_two_chariots_at_gates_the_player_says_which_enters() -> None:
    day = Day(units=[("Ann", [1], 12, 0), ("Ann", [2], 18, 0)]).chooses("enter")
    assert day.asks == "Ann: which chariot tries to enter?"
    day.chooses("2").tosses("aon", "tri")
    assert day.stands(CENTRE) == [("Ann", [2], 4)]


def test_there_is_no_way_back_by_the_arm_of_entry() -> None:
    day = Day(units=[("Ann", [1], CENTRE, 0)], entered={CENTRE: 6}).tosses("dha", "dha").chooses("1")
    assert day.options == ["samhain", "beltane", "lughnasadh"]
    assert day.refuses_choice("oimelc").startswith("Not “oimelc”: choose samhain, beltane or lughnasadh.")
    day.chooses("beltane")
    assert day.unit("B1").entered_by == 6


def test_a_chariot_that_goes_out_has_no_choice_left() -> None:
    day = Day(units=[("Ann", [1], "B2", 0)], entered={"B2": 6}).tosses("dha", "tri").chooses("1")
    assert day.unit(13).entered_by is None
    assert day.unit(13).chariots[0].progress == 13


def test_every_unit_in_the_fairy_land_needs_its_throw() -> None:
    day = Day(units=[("Ann", [1], "B2", 1), ("Ann", [2], "O1", 2)], entered={"B2": 12, "O1": 6}).tosses("dha")
    assert day.asks == "Ann: throw the four sticks for the fairy darts at chariot 2, on O1."
    day.tosses("ceither", "aon")
    assert day.options == ["1", "2", "new"]


def test_the_chariot_that_is_introduced_is_named_where_they_differ() -> None:
    day = Day()
    day.race.off["Ann"][1].barred.add(6)
    day.tosses("dha")
    assert [(o.id, o.text) for o in day.prompt.options] == [  # type: ignore[attr-defined]
        ("new", "Introduce chariot 1 on sigil 2"),
        ("new_2", "Introduce chariot 2 on sigil 2, barred from Oimelc"),
    ]
    day.chooses("new_2")
    assert day.stands(2) == [("Ann", [2], 1)]


def test_a_beaten_chariot_starts_anew_but_stays_barred() -> None:
    day = Day(units=[("Ann", [1], 8, 0), ("Ben", [1], 10, 0)], barred={10: 6}).tosses("dha").chooses("1").tosses("tri", "aon")
    (beaten,) = [c for c in day.race.off["Ben"] if c.number == 1]
    assert (beaten.progress, beaten.barred) == (0, {6})


def test_in_the_fairy_land_a_fight_sends_the_winner_to_the_gate() -> None:
    day = Day(units=[("Ann", [1], "B1", 1), ("Ben", [1], "B2", 2)], entered={"B1": 12, "B2": 12}).tosses("dha", "aon").chooses("1")
    day.tosses("aon", "tri")
    assert day.stands(12) == [("Ben", [1], 0)]
    assert day.race.off["Ann"][0].number == 1
    assert day.turn == "Ben"


def test_under_home_rules_gates_are_nobodys() -> None:
    day = Day(units=[("Ann", [1], 10, 0), ("Ben", [1], 12, 0)], home="on").tosses("dha").chooses("1").tosses("aon", "aon")
    assert [u.owner for u in day.race.at(12)] == ["Ann"]


def test_without_the_stacks_rule_a_stack_has_one_throw() -> None:
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)]).tosses("dha").chooses("1").tosses("aon", "tri")
    assert day.stands(10) == [("Ben", [1, 2], 5)]


def test_three_against_two_pair_off_from_the_top() -> None:
    day = Day(units=[("Ann", [1, 2, 3], 8, 0), ("Ben", [1, 2], 10, 3)], stacks="on", loose={10: 0}).tosses("dha").chooses("1")
    day.tosses("aon", "tri", "tri", "aon")
    assert day.asks == "Ann: throw the four sticks for Ann's chariot 2 to fight Ben's chariot 1 with one below."
    day.tosses("tri", "aon")
    assert day.stands(10) == [("Ann", [2, 3], 3)]


def test_a_single_attacker_may_die_and_take_one_of_the_stack_along() -> None:
    day = Day(units=[("Ann", [1], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on", loose={10: 0}).tosses("dha").chooses("1")
    assert day.asks == "Ann: throw the four sticks to fight Ben's chariot 1 with one below."
    day.tosses("dha", "ceither", "dha")
    assert day.stands(10) == [("Ben", [1], 5)]
    assert day.turn == "Ben"


def test_who_is_carried_back_to_its_own_start_by_the_darts_has_not_come_round() -> None:
    day = teams([("Ann", [1, "Cal 1"], "C", 0)], entered={"C": 0}, stacks="on", territorial="on")
    below = day.unit("C").chariots[1]
    below.progress = 6
    day.tosses("aon")
    assert [c for c in day.unit(0).chariots if c is below]
    assert below.progress == 0, "Cal starts at Samhain"


def test_where_the_top_dies_the_stack_is_the_next_ones() -> None:
    day = teams([("Ann", [1, "Cal 1"], 8, 2), ("Ben", [1], 10, 3)], stacks="on", loose={10: 0}).tosses("dha").chooses("1")
    day.tosses("aon", "tri", "dha")
    won = "Cal wins attacking on sigil 10 and takes 3 coins"
    assert day.says == f"{won}: Cal's chariot 1 stands, Ann's chariot 1 fell, and the other side is off the board."
    assert day.scores == {"Ann": 0, "Ben": 0, "Cal": 5, "Dee": 0}


def test_a_stack_keeps_the_stone_skin_of_the_one_that_did_not_move() -> None:
    day = magic(("Ann", [1], 8, 0), ("Ann", [2], 9, 0))
    day.unit(9).skin = True
    day.tosses("aon").chooses("1")
    assert day.unit(9).skin


def walked(place: Place, entered_by: int, exit_by: int, start: int, progress: int, steps: int) -> tuple[Place, int, bool]:
    """Where a chariot is after so many single steps through and out of the fairy land, its progress, and whether it came home."""
    way: list[Place] = [*ARMS[entered_by], CENTRE, *reversed(ARMS[exit_by]), exit_by]
    at = -1 if place == entered_by else way.index(place)
    for _ in range(steps):
        if at < len(way) - 1:
            at += 1
            place = way[at]
            if place == exit_by:
                progress = (exit_by - start) % RING
        else:
            assert isinstance(place, int)
            place, progress = (place + 1) % RING, progress + 1
        if place == start:
            return place, RING, True
    return place, progress, False


@given(st.sampled_from(GATES), st.sampled_from(GATES), st.integers(0, 6), st.integers(0, 7), st.integers(1, 9))
def test_a_move_through_the_fairy_land_is_its_steps_one_by_one(
    entered_by: int, exit_by: int, at: int, holiday: int, steps: int
) -> None:
    if entered_by == exit_by:
        return
    start = 3 * holiday
    place: Place = [entered_by, *ARMS[entered_by], CENTRE, *reversed(ARMS[exit_by]), exit_by][at]
    if place == exit_by:
        return
    race = Race(("Ann", "Ben"), start, 4, Agreed())
    unit = race.introduce(race.off["Ann"][0], place)
    unit.entered_by = None if place == entered_by else entered_by
    unit.chariots[0].progress = clockwise(start, entered_by)
    move = Move(unit, steps, entering=place == entered_by)
    end = course(race, move, exit_by if must_choose_exit(move) else None)
    where, progress, home = walked(place, entered_by, exit_by, start, clockwise(start, entered_by), steps)
    assert end.home == home
    if not home:
        assert (end.place, end.progress) == (where, (progress,))
    elif end.exact:
        assert end.place == start


@given(st.integers(1, 23), st.integers(-24, 23), st.integers(1, 9), st.booleans())
def test_a_move_round_the_ring_is_home_only_past_a_whole_circuit(start: int, progress: int, steps: int, backwards: bool) -> None:
    start = start // 3 * 3
    race = Race(("Ann", "Ben"), start, 4, Agreed())
    unit = race.introduce(race.off["Ann"][0], (start + progress) % RING)
    unit.chariots[0].progress = progress
    end = course(race, Move(unit, steps, backwards=backwards))
    after = progress - steps if backwards else progress + steps
    assert (end.place, end.progress) == ((start + after) % RING, (after,))
    assert (end.home, end.exact) == (after >= RING, after == RING)


# -- the end --------------------------------------------------------------------------------------------------------------


def test_of_three_play_goes_on_until_two_are_home() -> None:
    day = finish({"Ann": 20}, 32, ("Ann", "Ben", "Cal"))
    assert not day.over
    day = finish({"Ann": 21, "Ben": 1, "Cal": 19}, 11, ("Ann", "Ben", "Cal"), done=2)
    assert day.outcome.winners == ("Ann", "Ben")
    assert day.outcome.reason == "Speed: Ben wins the race. Wealth: Ann wins the prize of wealth with 23 coins."


def test_of_four_in_teams_the_first_to_finish_of_the_losers_does_not_stop_play() -> None:
    day = teams([("Ann", [1], 23, 0)], finished={"Ann": 2, "Ben": 3}, stored={"Ben": 5})
    day.race.done.append("Ben")
    day.tosses("aon")
    assert not day.over
    assert day.turn == "Cal"


def test_a_tie_for_wealth_has_two_winners() -> None:
    day = finish({"Ann": 20, "Ben": 23}, 9)
    assert day.scores == {"Ann": 26, "Ben": 26}
    assert day.winners == ("Ann", "Ben")
    assert day.outcome.reason == "Speed: Ann wins the race. Wealth: Ann and Ben tie for the prize of wealth with 26 coins."


def test_coins_under_chariots_on_the_board_are_their_owners() -> None:
    day = Day(units=[("Ann", [1], 23, 1), ("Ben", [1], 4, 9)], finished={"Ann": 3}).tosses("aon")
    assert day.over
    assert sum(day.scores.values()) == 52
    left = 52 - 1 - 2 - 9
    assert day.scores["Ben"] == 9 + left - left * 2 // 3


# -- the coach ------------------------------------------------------------------------------------------------------------


def told(day: Day) -> dict[str, Fraction | float]:
    return {o.text: o.value for o in day.prompt.odds}


def test_four_sticks() -> None:
    assert [odds.VALUES[v] * 16 for v in range(1, 6)] == [4, 6, 4, 1, 1]
    assert sum(odds.VALUES.values()) == 1
    assert odds.tosses(STICKS["ogham"], toss)[Toss(1, ANIMALS.index("horse"))] == Fraction(1, 16)
    assert Fraction(1, 8) == odds.FREE_THROW
    assert Fraction(1, 4) == odds.DARTS_HIT
    assert Fraction(5, 8) == odds.VEIL_OPENS


def test_the_chance_to_win_a_fight_by_counting_every_pair_of_throws() -> None:
    """256 pairs: the attacker wins w, loses l, the others are thrown again."""
    throws = [toss(f) for f in every_throw(OGHAM)]
    assert len(throws) == 16
    won, lost = (sum(sign * higher(a, b, 1) > 0 for a in throws for b in throws) for sign in (1, -1))
    assert chance_to_win("ogham", 1) == Fraction(won, won + lost)
    assert chance_to_win("ogham", -1) == 1 - chance_to_win("ogham", 1)
    assert chance_to_win("coins", 1) > Fraction(1, 2)


def every_throw(sticks: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    first, *rest = sticks
    return [(face, *others) for face in first for others in (every_throw(rest) if rest else [()])]


def test_the_figures_of_fights_by_playing_them() -> None:
    rng, won, n = Random(7), 0, 20_000
    throws = [toss(f) for f in every_throw(OGHAM)]
    for _ in range(n):
        verdict = 0
        while not verdict:
            verdict = higher(rng.choice(throws), rng.choice(throws), 1)
        won += verdict > 0
    assert won / n == pytest.approx(float(chance_to_win("ogham", 1)), abs=0.012)


def test_stacks_and_fireballs() -> None:
    half = Fraction(1, 2)
    assert odds.paired(half, 1, 1) == odds.paired(half, 2, 2) == half
    assert odds.paired(half, 2, 1) == Fraction(3, 4)
    assert odds.paired(Fraction(1), 1, 3) == 1
    throws = odds.tosses(STICKS["coins"], toss)
    one = odds.beats_all(throws, partial(higher, plus=1), 1)
    assert one == chance_to_win("coins", 1)
    assert odds.beats_all(throws, partial(higher, plus=1), 2) < one
    target, caster = odds.fireball()
    assert target == Fraction(10, 16) / (1 - Fraction(1, 64))
    assert target + caster < 1


def test_the_coach_tells_of_a_free_throw_of_coming_home_and_of_enemies_in_reach() -> None:
    day = Day(units=[("Ann", [1], 21, 0), ("Ben", [1], 2, 0), ("Ben", [2], 22, 0)])
    assert told(day) == {
        "a ceither or a coig, and with it a free throw": Fraction(1, 8),
        "chariot 1 can come home": Fraction(6, 16),
        "chariot 1 can land on Ben's chariot 2": Fraction(4, 16),
        "the new chariot can land on Ben's chariot 1": Fraction(6, 16),
    }
    day.tosses("aon")
    assert told(day) == {"chariot 1 wins against Ben's chariot 2 on sigil 22": chance_to_win("ogham", 1)}
    day.chooses("1")
    assert told(day) == {"the attacker wins": chance_to_win("ogham", 1)}
    day.shows("horse")
    defends = 1 - odds.wins_with(Toss(1, 4), odds.tosses(OGHAM, toss), partial(higher, plus=1))
    assert told(day) == {"the defender wins": defends}


def test_the_coach_tells_of_darts_veils_and_fireballs() -> None:
    assert told(Day(units=[("Ann", [1], "S1", 0)], entered={"S1": 0})) == {"the darts strike": Fraction(1, 4)}
    assert told(Day(units=[("Ann", [1], 12, 0)]).chooses("enter")) == {"the veil opens": Fraction(5, 8)}  # type: ignore[arg-type]
    assert [round(float(v), 4) for v in told(fireball()).values()] == [0.6349, 0.0794]


def test_the_coach_says_nothing_of_a_race_that_has_gone_on() -> None:
    day = Day(units=[("Ann", [1], 21, 0)])
    before = day.prompt
    day.tosses("aon")
    assert before.coach is not None
    assert tuple(before.coach()) == ()


def test_the_coach_of_stacks() -> None:
    win = chance_to_win("ogham", 1)
    throws = odds.tosses(OGHAM, toss)
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on").tosses("dha").chooses("1")
    assert told(day) == {"the attackers' side is left": odds.paired(win, 2, 2)}
    day = Day(units=[("Ann", [1], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on").tosses("dha").chooses("1")
    assert told(day) == {"the attacker lives": odds.beats_all(throws, partial(higher, plus=1), 2)}
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1], 10, 3)], stacks="on").tosses("dha").chooses("1")
    assert told(day) == {"the defender lives": odds.beats_all(throws, lambda b, a: -higher(a, b, 1), 2)}
    assert told(day)["the defender lives"] < 1 - win


def test_the_coach_of_stacks_counts_the_pairs_that_have_fought() -> None:
    win = chance_to_win("ogham", 1)
    day = Day(units=[("Ann", [1, 2], 8, 2), ("Ben", [1, 2], 10, 3)], stacks="on").tosses("dha").chooses("1").tosses("aon", "coig")
    one_against_two = odds.paired(win, 1, 2)
    assert told(day) == {"the attackers' side is left": win * odds.paired(win, 1, 1)}
    assert told(day)["the attackers' side is left"] == odds.paired(win, 1, 2, 1) == one_against_two
    day.tosses("coig", "aon")
    assert told(day) == {"the attackers' side is left": win}


def test_before_the_move_the_coach_counts_stacks_too_and_no_fight_on_a_curse() -> None:
    units = [("Ann", [1], 8, 2), ("Ann", [2], 1, 0), ("Ben", [1, 2], 10, 3)]
    beats_two = odds.beats_all(odds.tosses(OGHAM, toss), partial(higher, plus=1), 2)
    day = Day(units=units, stacks="on").tosses("dha")
    assert told(day) == {"chariot 1 wins against Ben's chariot 1 with one below on sigil 10": beats_two}
    day = Day(units=units).tosses("dha")
    assert told(day) == {"chariot 1 wins against Ben's chariot 1 with one below on sigil 10": chance_to_win("ogham", 1)}
    day = Day(units=units)
    day.race.curses.append(10)
    assert told(day.tosses("dha")) == {}


def test_the_coach_promises_no_free_throw_where_none_can_follow() -> None:
    free = "a ceither or a coig, and with it a free throw"
    day = Day(units=[("Ann", [1], 12, 0)]).chooses("enter")  # type: ignore[arg-type]
    assert free not in told(day.tosses("tri")), "the veil stayed shut"
    day = Day(units=[("Ann", [1], 1, 0)]).tosses("coig").chooses("1")
    assert free in told(day)
    day.chooses("again")
    assert free in told(day)
    day.tosses("coig").chooses("1").chooses("again").tosses("coig").chooses("1")
    assert day.options == ["again", "stop"]
    assert free not in told(day), "the third extra throw is the last"
    assert free not in told(day.chooses("again"))


def test_the_coach_sees_that_a_stone_skin_keeps_a_fireball_from_its_caster() -> None:
    day = magic(("Ann", [1], 8, 2), ("Ben", [1], 9, 4))
    day.unit(8).skin = True
    assert told(day.chooses("fireball")) == {"whoever throws first against it dies": Fraction(10, 16)}


def test_the_coach_looks_through_the_centre_and_ahead_of_an_extra_throw() -> None:
    day = Day(units=[("Ann", [1], "B2", 0), ("Ann", [2], 1, 0), ("Ben", [1], "L1", 0)], entered={"B2": 12, "L1": 18}).tosses("dha")
    assert told(day)["chariot 1 can come home"] == Fraction(2, 16)
    assert told(day)["chariot 1 can land on Ben's chariot 1"] == Fraction(4, 16)
    day.tosses("ceither").chooses("2")
    assert day.options == ["again", "stop"]
    assert told(day)["chariot 1 can come home"] == Fraction(2, 16)


# -- the board ------------------------------------------------------------------------------------------------------------


def test_the_board_shows_what_stands_and_lies_where() -> None:
    day = teams(
        [("Ann", [1, "Cal 1"], 16, 5), ("Ben", [2], "S2", 0)], magic="on", entered={"S2": 0}, barred={"S2": 6}, finished={"Dee": 1}
    )
    day.chooses("curse")
    day.race.frost_ahead["Ben"] = 1
    day.race.winds.append(Wind("sloth", "Dee", 1))
    day.meeting.settle("for the board")
    board = day.match.view().board
    assert board is not None
    spots = {s.id: s for s in board.spots}
    assert len(spots) == 33
    assert sum(s.coins for s in board.spots) + 3 == 52
    assert (spots["16"].kind, spots["16"].text) == ("danger", "16, cursed")
    assert [(p.player, p.text) for p in spots["16"].pieces] == [("Ann", "1+Cal 1 ×2, 3 coins")]
    assert [s.kind for s in (spots["0"], spots["3"], spots["S1"], spots["C"], spots["1"])] == [
        "gate",
        "solar",
        "green",
        "centre",
        "plain",
    ]
    assert (spots["0"].x, spots["0"].y, spots["6"].x, spots["C"].y) == (50.0, 4.0, 96.0, 50.0)
    assert all(a in spots and b in spots for a, b in board.lines)
    assert board.notes == (
        "Ann (Connaught), start Samhain: 2 off the board, 0 home",
        "Ben (Ulster), start Samhain: 2 off the board, 0 home",
        "Cal (Leinster), start Samhain: 2 off the board, 0 home",
        "Dee (Munster), start Samhain: 2 off the board, 1 home with 0 coins",
        "curse on sigil 16",
        "Wind of Sloth of Dee: its last round",
        "Ben is frozen for one turn",
        "Ben's chariot 2 may not enter by Oimelc",
    )


# -- whole races by chance ------------------------------------------------------------------------------------------------

ADVANCED = ("home", "stacks", "territorial", "magic", "gambling")


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 4), st.sets(st.sampled_from((*ADVANCED, "teams"))), st.sampled_from(("off", "12")), st.integers(0, 10**6))
def test_whatever_is_agreed_a_race_ends_with_52_coins_shared_out(players: int, on: set[str], cards: str, seed: int) -> None:
    settings = {name: "on" for name in sorted(on) if name != "teams" or players == 4} | {"cards": cards}
    match, rng = Match(game("sigily"), playing.seated(players), settings), Random(seed)
    while match.prompt is not None:
        match = match.after(match.answered(playing.a_legal_answer(match.prompt, rng)))
        check_board(match)
    assert match.broken is None, match.broken
    assert sum(match.scores.values()) == 52


def check_board(match: Match) -> None:
    """The sheet has the coins that players hold, and the board those that lie loose: together there are always 52."""
    view = match.view()
    if view.board is None:
        return
    loose = sum(spot.coins for spot in view.board.spots)
    assert sum(view.scores.values()) + (0 if match.outcome else loose) == 52
    assert min(view.scores.values()) >= 0


@given(st.lists(st.tuples(st.sampled_from(PLACES), st.integers(0, 9)), max_size=12), st.sampled_from((0, 3, 6, 9, 12, 15, 18, 21)))
def test_what_is_paid_lies_on_the_board_and_the_centre_has_seven_while_anything_is_empty(
    payments: list[tuple[Place, int]], start: int
) -> None:
    treasure = Treasure(start)
    for place, coins in payments:
        taken = treasure.take(place)
        before, in_centre = treasure.total, treasure.loose[CENTRE]
        treasure.to_jackpot(coins)
        assert treasure.total == before + coins
        assert treasure.loose[CENTRE] <= max(7, in_centre) or all(treasure.loose.values())
        assert taken >= 0


@given(st.integers(0, 52), st.permutations(("Ann", "Ben", "Cal", "Dee")), st.integers(1, 2))
def test_shares_add_up(unclaimed: int, players: list[str], winners: int) -> None:
    parts = shares(unclaimed, players[:winners], players[winners:])
    assert sum(parts.values()) == unclaimed
    assert sum(parts[p] for p in players[:winners]) == unclaimed * 2 // 3


@given(
    st.lists(st.tuples(st.sampled_from(("Ann", "Ben", None)), st.sampled_from(("Ann", "Ben", None)), st.integers(0, 50)), max_size=20)
)
def test_money_adds_to_zero(payments: list[tuple[str | None, str | None, int]]) -> None:
    money = Money(Table([Seat("Ann"), Seat("Ben")], {}))
    for payer, payee, units in payments:
        money.pay(payer, payee, units, "a test")
        assert money.sum == 0


def test_the_eight_spells_can_each_be_turned_off() -> None:
    spells = ["curse", "fireball", "free_turn", "remove_curse", "winds_of_speed", "winds_of_sloth", "freeze"]
    units = [("Ann", [1], 8, 5), ("Ben", [1], 10, 3)]
    day = magic(*units)
    day.race.curses.append(20)
    for off in spells:
        day = Day(units=units, magic="on", **{off: "off"})
        assert off not in day.options
        assert [s for s in spells if s not in day.options] == sorted({off, "remove_curse"}, key=spells.index)
    assert "fireball" not in Day(units=units).options


def test_the_solar_sigils_and_gates_are_where_the_digest_has_them() -> None:
    assert SOLAR == (3, 9, 15, 21)
    assert GATES == (0, 6, 12, 18)
    assert Bet("Ann", "tri", 1) not in Day(side_bets="off").prompt
    assert Chosen("x") not in Day().prompt
    assert STICKS == {"ogham": OGHAM, "coins": COINS}


def test_the_rules_page_says_where_the_sigils_are_and_what_cards_and_spells_do() -> None:
    rules = " ".join(game("sigily").rules.split())
    for said in (
        "12 Beltane, 15 the Summer Solstice",
        "S1 and S2 from Samhain",
        "after one that is not good no free throw of any kind follows",
        "the inner four first",
        "a partner who lands on you goes below",
        "not on gates or green, one a quadrant",
        "fireballs do nothing",
        "moves backwards one longer",
        "never a third turn running",
    ):
        assert said in rules, said


# -- what is refused, with the reason -----------------------------------------------------------------------------------


def why(day: Day, option: str) -> str:
    """Why the choice is refused, without what could be chosen instead."""
    return day.refuses_choice(option).split(": choose ")[0]


def test_a_barred_gate_and_a_gate_just_reached_are_no_way_in() -> None:
    barred = Day(units=[("Ann", [1], 12, 0), ("Ann", [2], 17, 1)], barred={12: 12}, home="on")
    assert why(barred, "enter") == "That chariot is barred from its gate"
    on_the_ring = Day(units=[("Ann", [2], 17, 1)], home="on")
    assert why(on_the_ring, "enter") == "No chariot of yours stands on a gate"
    arrived = Day(units=[("Ann", [1], 8, 0), ("Ann", [2], 17, 1)], home="on").chooses("throw").tosses("ceither").chooses("1")
    arrived.chooses("again")
    assert why(arrived, "enter") == "Nobody enters the fairy land on an extra throw"


def test_going_backwards_is_refused_with_the_reason() -> None:
    gate = [("Ann", [1], 12, 0)]
    assert why(Day(units=gate), "back") == "Backwards moves belong to the home rule, which is not agreed on"
    assert why(Day(units=gate, home="on"), "back") == "No chariot of yours is in its home quadrant"
    poor = Day(units=[*gate, ("Ann", [2], 17, 0)], home="on")
    assert why(poor, "back") == "Going backwards costs that chariot a coin, and it has none"
    out = Day(units=[("Ann", [2], 17, 2)], home="on").race
    out.units[0].chariots[0].sun_wise = True
    assert of_declaring(out, "Ann", (), 0, "back") == "A chariot that went backwards out of its quadrant goes sun-wise only"


def test_a_spell_is_refused_with_the_reason() -> None:
    day = magic(("Ann", [1], 1, 3))
    assert why(day, "free_turn") == "Free Turn costs four coins of one chariot, and none of yours has so many"
    assert why(day, "stone_skin") == "Stone Skin is cast after the moves"
    assert why(day, "remove_curse") == "There is no curse to remove"
    assert why(day, "fireball") == "No chariot that can pay for Fireball has an enemy one or two sigils away on the ring"


def test_a_chariot_that_cannot_move_is_named() -> None:
    day = Day(units=[("Ann", [1], 1, 0), ("Ann", [3], 5, 0)], finished={"Ann": 1}).tosses("dha")
    assert why(day, "4") == "Chariot 4 is home and does not come back"
    assert why(day, "2") == "Chariot 2 is off the board, and comes in as a new one"
    assert why(day, "9") == "Not “9”"
