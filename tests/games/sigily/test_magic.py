"""Sigily with magic: curses, fireballs, winds, stone skins and frost."""

from __future__ import annotations

from table.games.sigily.race import Agreed, Race, Wind
from table.games.sigily.topology import (
    CENTRE,
)
from tests.games.sigily.race_day import Day, fireball, magic, teams, why


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
    assert day.says == "Winds of Speed of Ann: for three rounds the caster's chariots move one more, and nobody moves backwards."
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
        day.says == "Winds of Sloth of Ann: for three rounds the caster's opponents move one less, and backward moves are one longer."
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
    assert day.says == "Dee is frozen and loses this turn."
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
    assert day.says == "Ben is frozen and loses this turn."
    day.chooses("freeze").chooses("home").chooses("home").chooses("home").tosses("aon")
    assert day.says == "Ben is frozen and loses this turn."
    assert day.options == ["none", "winds_of_speed", "winds_of_sloth"]
    assert day.refuses_choice("freeze").startswith("Nobody is frozen a third turn running: choose none")
    day.chooses("none").tosses("aon")
    assert day.turn == "Ben"
    day.tosses("coig").chooses("stop")
    assert "freeze" in day.options


def test_s14_the_curse_comes_before_the_fight_and_home_before_everything() -> None:
    day = magic(("Ann", [1], 20, 1), ("Ben", [1], 22, 1))
    day.race.curses.append(22)
    day.tosses("dha").chooses("1")
    assert day.says == "Ann's chariot 1 lands on the curse of sigil 22 and dies; 1 coin to the jackpot."
    assert day.stands(22) == [("Ben", [1], 1)]
    day = Day(units=[("Ann", [1], 23, 0), ("Ben", [1], 0, 2)], progress={0: 0}, loose={0: 2}).tosses("aon").chooses("1")
    assert day.stands(0) == [("Ben", [1], 2)]
    assert day.race.stored["Ann"] == 2


def test_s17_what_the_wind_holds_back_to_nothing_is_not_introduced() -> None:
    day = magic()
    day.race.winds.append(Wind("sloth", "Ben"))
    day.tosses("aon")
    assert day.says == "Aon. Ann has nothing that can move."
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


def test_s26_a_curse_is_paid_by_its_chariot_and_winds_by_any() -> None:
    day = magic(("Ann", [1], 16, 1), stored={"Ann": 5}, finished={"Ann": 1})
    assert day.options == ["none", "winds_of_speed", "winds_of_sloth", "freeze"]
    assert day.refuses_choice("curse").startswith("Druid Curse costs two coins, and no single chariot of yours has so many")


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


def test_s34_freezes_are_counted_by_target() -> None:
    race = Race(("Ann", "Ben", "Cal"), 0, 3, Agreed())
    race.frost_ahead["Cal"] = 2
    assert [race.can_freeze(p) for p in race.players] == [True, True, False]
    assert race.thaw("Cal")
    assert not race.can_freeze("Cal")
    assert race.thaw("Cal")
    assert not race.thaw("Cal")
    assert race.can_freeze("Cal")


def test_a_stack_keeps_the_stone_skin_of_the_one_that_did_not_move() -> None:
    day = magic(("Ann", [1], 8, 0), ("Ann", [2], 9, 0))
    day.unit(9).skin = True
    day.tosses("aon").chooses("1")
    assert day.unit(9).skin


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


def test_a_spell_is_refused_with_the_reason() -> None:
    day = magic(("Ann", [1], 1, 3))
    assert why(day, "free_turn") == "Free Turn costs four coins, and no single chariot of yours has so many"
    assert why(day, "stone_skin") == "Stone Skin is cast after the moves"
    assert why(day, "remove_curse") == "There is no curse to remove"
    assert why(day, "fireball") == "No chariot that can pay for Fireball has an enemy one or two sigils away on the ring"
