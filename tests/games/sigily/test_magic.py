"""Sigily with magic: curses, fireballs, winds, stone skins and frost."""

from __future__ import annotations

from typing import Any

from table.games.sigily.race import AgreedRules, Race, Wind
from table.games.sigily.topology import CENTRE, Place
from tests.games.sigily.race_night import RaceNight, fireball, magic, refusal_reason, teams


def test_22_a_chariot_that_lands_on_a_curse_dies() -> None:
    night = magic(("Ann", [1], 16, 2), ("Ben", [1], 14, 4), loose={CENTRE: 0, 16: 0})
    assert night.asks == "Ann: cast a spell before the throw?"
    night.chooses("curse").tosses("dha").chooses("1").chooses("over")
    assert night.coins_at(CENTRE) == 2
    night.chooses("none").tosses("dha").chooses("1")
    assert night.says == "Ben's chariot 1 lands on the curse of sigil 16 and dies; 4 coins to the jackpot."
    assert night.coins_at(CENTRE) == 6
    assert night.turn == "Ann"


def test_22_a_territory_has_at_most_one_curse() -> None:
    night = magic(("Ann", [1], 16, 4), ("Ann", [2], 13, 4))
    night.chooses("curse").chooses("1").tosses("aon").chooses("1")
    assert "curse" not in night.options
    assert night.units_at(17)


def test_23_a_fireball_burns_its_target() -> None:
    night = fireball()
    assert night.asks == "Ben: throw the four sticks against the fireball at chariot 1."
    night.tosses("dha")
    assert night.units_at(10) == []
    assert night.coins_at(10) == 3
    assert (
        night.says == "The fireball burns Ben's chariot 1 on sigil 10; 3 coins, slightly roasted, stay there."
    )
    assert night.asks == "Ann: throw the four sticks."
    night = magic(("Ann", [1], 8, 5), ("Ben", [1], 10, 1), loose={10: 0, 8: 0}).chooses("fireball")
    night.tosses("dha")
    assert night.says.endswith("on sigil 10; 1 coin, slightly roasted, stays there.")


def test_23_a_fireball_can_miss_or_fly_back() -> None:
    assert fireball().tosses("tri").units_at(10) == [("Ben", [1], 3)]
    night = fireball().tosses("coig")
    assert night.says == "Coig: the fireball flies back at Ann's chariot 1."
    assert night.turn == "Ann"
    night.tosses("aon")
    assert night.units_at(8) == []
    assert night.coins_at(8) == 3


def test_23_a_fireball_can_fly_back_twice() -> None:
    night = fireball().tosses("coig", "ceither", "aon")
    assert night.units_at(8) == [("Ann", [1], 3)]
    assert night.units_at(10) == []


def test_24_a_free_turn_and_a_ceither_give_one_throw() -> None:
    night = magic(("Ann", [1], 1, 4), ("Ann", [2], 3, 0)).chooses("free_turn").tosses("ceither").chooses("1")
    assert night.options == ["again", "stop"]
    night.chooses("again").tosses("aon").chooses("over")
    assert night.unit(6).owner == "Ann"
    assert night.turn == "Ben"


def test_25_a_stone_skin_wins_without_a_throw_until_it_moves() -> None:
    night = (
        magic(("Ann", [1], 4, 2), ("Ben", [1], 3, 2), loose={5: 0}).chooses("none").tosses("aon").chooses("1")
    )
    assert night.options == ["over", "curse", "stone_skin"]
    assert night.asks == "Ann: cast a last spell, or is your turn over?"
    night.chooses("stone_skin").chooses("none").tosses("dha").chooses("1")
    assert "Ann's chariot 1 has a stone skin: Ben's chariot 1 loses without a throw." in night.rulings
    assert night.units_at(5) == [("Ann", [1], 2)]
    assert night.unit(5).skin
    night.chooses("none").tosses("aon").chooses("1")
    assert not night.unit(6).skin


def test_26_two_chariots_can_share_the_cost_of_removing_a_curse() -> None:
    night = magic(("Ann", [1], 4, 1), ("Ann", [2], 8, 1))
    night.race.curses += [20, 2]
    night.tosses("aon").chooses("new").tosses("dha")
    assert night.options == ["none", "remove_curse", "winds_of_speed", "winds_of_sloth", "freeze"]
    night.chooses("remove_curse")
    assert night.asks == "Ann: which curse do you take off?"
    night.chooses("20")
    assert night.asks == "Ann: 2 coins to pay for the Remove Curse. Who pays the next one?"
    assert night.options == ["1", "2", "3"]
    night.chooses("1")
    assert night.options == ["2", "3"]
    night.chooses("2")
    assert night.says == "Ann takes the curse off sigil 20."
    assert [u.coins for u in night.race.units_of("Ann")] == [0, 0, 1]
    assert night.race.curses == [2]


def test_27_winds_of_speed_add_up() -> None:
    night = magic(("Ann", [1], 4, 6)).chooses("winds_of_speed")
    assert night.says == (
        "Winds of Speed of Ann: for three rounds "
        "the caster's chariots move one more, and nobody moves backwards."
    )
    night.race.winds.append(Wind("speed", "Ann"))
    night.tosses("dha")
    assert [o.text for o in night.choice.options] == [
        "Chariot 1 from sigil 4 to sigil 8",
        "Introduce chariot 2 on sigil 4",
    ]


def test_27_speed_and_sloth_cancel_each_other() -> None:
    night = magic(("Ann", [1], 4, 0))
    night.race.winds += [Wind("speed", "Ann"), Wind("sloth", "Ben")]
    night.tosses("dha").chooses("1")
    assert night.unit(6)


def test_28_with_sloth_an_aon_moves_0_and_a_backward_tri_moves_4() -> None:
    night = magic(("Ann", [1], 4, 0), ("Ben", [1], 22, 1), home="on", loose={18: 0})
    night.race.winds += [Wind("sloth", "Ben")]
    said = len(night.rulings)
    night.tosses("aon")
    assert night.rulings[said:] == ["The winds hold chariot 1 on its sigil."]
    assert night.turn == "Ben"
    night.chooses("back").tosses("tri")
    assert night.units_at(18) == [("Ben", [1], 0)]


def test_28_sloth_slows_the_opponents_but_not_its_caster() -> None:
    night = magic(("Ann", [1], 4, 3), ("Ben", [1], 16, 0)).chooses("winds_of_sloth")
    assert night.says == (
        "Winds of Sloth of Ann: for three rounds "
        "the caster's opponents move one less, and backward moves are one longer."
    )
    night.tosses("aon").chooses("1").tosses("dha")
    assert [o.text for o in night.choice.options] == [
        "Chariot 1 from sigil 16 to sigil 17",
        "Introduce chariot 2 on sigil 1",
    ]
    night.chooses("1").tosses("dha").chooses("1").chooses("over").tosses("aon")
    assert night.says == "The winds hold chariot 1 on its sigil."


def test_28_a_chariot_held_by_the_wind_can_still_be_chosen() -> None:
    night = magic(("Ann", [1], 4, 0), ("Ann", [2], 8, 0))
    night.race.winds += [Wind("sloth", "Ben")]
    night.tosses("aon")
    assert [o.text for o in night.choice.options] == [
        "Chariot 1 from sigil 4, held up by the wind",
        "Chariot 2 from sigil 8, held up by the wind",
    ]
    night.chooses("1")
    assert night.unit(4)


def test_29_the_caster_of_freeze_chooses_any_other_player() -> None:
    night = teams([("Ann", [1], 4, 3)], magic="on").chooses("freeze")
    assert night.asks == "Ann: whom do you freeze?"
    assert night.options == ["Ben", "Cal", "Dee"]
    night.chooses("Dee").tosses("aon").chooses("1").tosses("aon", "dha")
    assert night.says == "Dee is frozen and loses this turn."
    assert night.turn == "Ann"


def test_29_five_coins_prevent_the_freeze() -> None:
    night = magic(("Ann", [1], 4, 3), ("Ben", [1], 8, 5), loose={CENTRE: 0, "S2": 0}).chooses("freeze")
    assert night.asks == "Ben: Ann freezes you. Pay 5 coins, or lose your next turn?"
    night.chooses("pay")
    assert [night.coins_at(CENTRE), night.coins_at("S2")] == [7, 1]
    assert night.says == "Ben pays 5 coins and is not frozen."
    night.tosses("aon").chooses("1").tosses("aon")
    assert night.turn == "Ben"


def test_29_a_player_is_not_frozen_three_turns_in_a_row() -> None:
    night = magic(stored={"Ann": 9}, finished={"Ann": 3}, curse="off", stone_skin="off")
    night.chooses("freeze")
    assert night.says == "Ben is frozen and loses the next turn."
    night.tosses("aon")
    assert night.says == "Ben is frozen and loses this turn."
    night.chooses("freeze").chooses("home").chooses("home").chooses("home").tosses("aon")
    assert night.says == "Ben is frozen and loses this turn."
    assert night.options == ["none", "winds_of_speed", "winds_of_sloth"]
    assert night.refuses_choice("freeze").startswith("Nobody is frozen a third turn running: choose none")
    night.chooses("none").tosses("aon")
    assert night.turn == "Ben"
    night.tosses("coig").chooses("stop")
    assert "freeze" in night.options


def test_s14_a_curse_acts_before_a_fight_and_homecoming_before_both() -> None:
    night = magic(("Ann", [1], 20, 1), ("Ben", [1], 22, 1))
    night.race.curses.append(22)
    night.tosses("dha").chooses("1")
    assert night.says == "Ann's chariot 1 lands on the curse of sigil 22 and dies; 1 coin to the jackpot."
    assert night.units_at(22) == [("Ben", [1], 1)]
    night = (
        RaceNight(units=[("Ann", [1], 23, 0), ("Ben", [1], 0, 2)], progress={0: 0}, loose={0: 2})
        .tosses("aon")
        .chooses("1")
    )
    assert night.units_at(0) == [("Ben", [1], 2)]
    assert night.race.stored["Ann"] == 2


def test_s17_a_chariot_held_to_0_steps_is_not_introduced() -> None:
    night = magic()
    night.race.winds.append(Wind("sloth", "Ben"))
    night.tosses("aon")
    assert night.says == "Aon. Ann has nothing that can move."
    assert night.turn == "Ben"


def test_s18_winds_last_three_rounds_from_the_turn_of_the_spell() -> None:
    night = magic(("Ann", [1], 1, 3)).chooses("winds_of_speed")
    rounds = []
    while night.race.winds:
        rounds.append(night.race.winds[0].rounds)
        night.tosses("aon")
        while night.awaits != "sticks":
            night.chooses({"none", "1", "over", "stop", "throw"}.intersection(night.options).pop())
    assert rounds == [3, 3, 2, 2, 1, 1]
    assert night.turn == "Ann"


def test_s18_winds_do_not_act_in_or_out_of_the_fairy_land() -> None:
    night = magic(("Ann", [1], "O1", 0), entered={"O1": 12})
    night.race.winds += [Wind("speed", "Ann")] * 2
    night.tosses("dha", "aon").chooses("1")
    assert night.unit(6)
    night = magic(("Ann", [1], 12, 0))
    night.race.winds += [Wind("speed", "Ann")] * 2
    night.chooses("enter").tosses("aon", "aon")
    assert night.unit("B1")


def test_s20_a_fireball_reaches_gates_but_not_partners_or_green_sigils() -> None:
    units: list[tuple[str, list[int], Place, int]] = [
        ("Ann", [1], 12, 5),
        ("Ben", [1], 14, 0),
        ("Cal", [1], 13, 0),
        ("Dee", [1], 10, 0),
        ("Dee", [2], "B1", 0),
    ]
    night = teams(units, magic="on", entered={"B1": 12}).chooses("fireball")
    assert night.options == ["ulster_1", "munster_1"]
    night.chooses("munster_1")
    assert night.asks == "Dee: throw the four sticks against the fireball at chariot 1."
    night = magic(("Ann", [1], "B1", 3), ("Ben", [1], 12, 0), entered={"B1": 18})
    assert "fireball" not in night.options
    night = magic(("Ann", [1], 15, 3), ("Ben", [1], 18, 0))
    assert "fireball" not in night.options


def test_s20_a_fireball_burns_a_whole_stack() -> None:
    night = magic(("Ann", [1], 8, 2), ("Ben", [1, 2], 9, 4), stacks="on").chooses("fireball").tosses("aon")
    assert len(night.race.off["Ben"]) == 4


def test_s21_a_stone_skin_on_a_gate_wins_loses_its_coins_and_stays() -> None:
    night = magic(("Ann", [1], 4, 1), ("Ben", [1], 6, 4), loose={CENTRE: 0})
    night.unit(6).skin = True
    night.tosses("dha").chooses("1")
    assert night.units_at(6) == [("Ben", [1], 0)]
    assert night.unit(6).skin, "it has not moved"
    assert night.coins_at(CENTRE) == 5


def test_s21_a_stone_skin_sent_back_to_its_gate_is_lost() -> None:
    race = magic(("Ann", [1], "B1", 1), entered={"B1": 12}).race
    race.units[0].skin = True
    assert race.send_to_gate(race.units[0]) == 12
    assert not race.units[0].skin


def test_s21_a_fireball_does_nothing_to_a_stone_skin() -> None:
    night = magic(("Ann", [1], 8, 2), ("Ben", [1], 9, 4))
    night.unit(9).skin = True
    night.chooses("fireball")
    assert night.says == "Ben's chariot 1 has a stone skin: the fireball does nothing."
    assert night.asks == "Ann: throw the four sticks."


def test_s21_a_curse_kills_a_chariot_with_stone_skin() -> None:
    night = magic(("Ann", [1], 20, 1))
    night.unit(20).skin = True
    night.race.curses.append(22)
    night.tosses("dha").chooses("1")
    assert len(night.race.off["Ann"]) == 4


def test_s22_the_throw_of_a_free_turn_moves_its_own_chariot() -> None:
    night = magic(("Ann", [1], 23, 4), ("Ann", [2], 2, 0))
    night.chooses("free_turn").tosses("aon").chooses("2").chooses("again").tosses("dha")
    assert len(night.race.home["Ann"]) == 1
    night = magic(("Ann", [1], 23, 4), ("Ann", [2], 3, 0))
    night.chooses("free_turn").tosses("aon").chooses("1").chooses("again").tosses("aon")
    assert night.options == ["2", "new"]


def test_s23_coins_at_home_can_pay_to_prevent_a_freeze() -> None:
    night = (
        magic(("Ann", [1], 4, 3), ("Ben", [1], 8, 2), stored={"Ben": 3}, finished={"Ben": 1})
        .chooses("freeze")
        .chooses("pay")
    )
    assert night.options == ["1", "home"]
    night.chooses("home").chooses("home").chooses("home")
    assert night.says == "Ben pays 5 coins and is not frozen."
    assert night.scores == {"Ann": 0, "Ben": 0}


def test_s23_four_coins_do_not_prevent_a_freeze() -> None:
    night = magic(("Ann", [1], 4, 3), ("Ben", [1], 8, 4)).chooses("freeze")
    assert night.says == "Ben is frozen and loses the next turn."
    night.tosses("aon").chooses("1")
    assert night.turn == "Ann"


def test_s26_a_curse_is_paid_by_one_chariot_and_winds_by_any() -> None:
    night = magic(("Ann", [1], 16, 1), stored={"Ann": 5}, finished={"Ann": 1})
    assert night.options == ["none", "winds_of_speed", "winds_of_sloth", "freeze"]
    assert night.refuses_choice("curse").startswith(
        "Druid Curse costs two coins, and no single chariot of yours has so many"
    )


def test_s30_a_player_at_home_has_turns_only_for_collective_spells() -> None:
    units = [("Ann", [1], 23, 3), ("Ben", [1], 5, 0)]
    night = teams(units, finished={"Ann": 2}, magic="on", stone_skin="off", curse="off")
    night.chooses("none").tosses("coig")
    assert night.says == "All chariots of Ann are home."
    night.tosses("aon").chooses("1").tosses("dha", "tri")
    assert night.turn == "Ann"
    assert night.options == ["none", "winds_of_speed", "winds_of_sloth", "freeze"]
    night.chooses("winds_of_speed")
    assert night.turn == "Ben"


def test_s30_a_player_at_home_is_skipped_without_magic() -> None:
    night = teams([("Ann", [1], 23, 3)], finished={"Ann": 2}).tosses("aon", "aon", "dha", "tri")
    assert night.turn == "Ben"


def test_s34_freezes_are_counted_by_target() -> None:
    race = Race(("Ann", "Ben", "Cal"), 0, 3, AgreedRules())
    race.frost_ahead["Cal"] = 2
    assert [race.can_freeze(p) for p in race.players] == [True, True, False]
    assert race.thaw("Cal")
    assert not race.can_freeze("Cal")
    assert race.thaw("Cal")
    assert not race.thaw("Cal")
    assert race.can_freeze("Cal")


def test_a_stack_keeps_the_stone_skin_of_the_chariot_that_did_not_move() -> None:
    night = magic(("Ann", [1], 8, 0), ("Ann", [2], 9, 0))
    night.unit(9).skin = True
    night.tosses("aon").chooses("1")
    assert night.unit(9).skin


def test_each_spell_can_be_turned_off() -> None:
    spells = ["curse", "fireball", "free_turn", "remove_curse", "winds_of_speed", "winds_of_sloth", "freeze"]
    units = [("Ann", [1], 8, 5), ("Ben", [1], 10, 3)]
    night = magic(*units)
    night.race.curses.append(20)
    for off in spells:
        settings: dict[str, Any] = {off: "off"}
        night = RaceNight(units=units, magic="on", **settings)
        assert off not in night.options
        assert [s for s in spells if s not in night.options] == sorted(
            {off, "remove_curse"}, key=spells.index
        )
    assert "fireball" not in RaceNight(units=units).options


def test_a_spell_is_refused_with_the_reason() -> None:
    night = magic(("Ann", [1], 1, 3))
    assert refusal_reason(night, "free_turn") == (
        "Free Turn costs four coins, and no single chariot of yours has so many"
    )
    assert refusal_reason(night, "stone_skin") == "Stone Skin is cast after the moves"
    assert refusal_reason(night, "remove_curse") == "There is no curse to remove"
    assert refusal_reason(night, "fireball") == (
        "No chariot that can pay for Fireball has an enemy one or two sigils away on the ring"
    )
