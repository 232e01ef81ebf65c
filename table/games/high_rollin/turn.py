"""A turn of High Rollin': take dice, throw and stack them, the penalty when nothing fits, falling dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from table.games.colours import coloured, named
from table.games.high_rollin.drawn import on_tower, show, spot_of, stand
from table.games.high_rollin.towers import (
    HIGH,
    Round,
    Stacked,
    fall_points,
    fits,
    foul,
    grouped,
    misfit,
    placements,
    taken,
    with_those_above,
)
from table.odds import high_rollin as odds
from table.rules import words
from table.rules.answers import Die
from table.rules.board import Move
from table.rules.game import Table
from table.rules.prompts import Coach, DiceGroup, Option
from table.rules.towers import Level, Placement

FULL = 5
MOST_NAMED = 4
"""Fallen dice that a ruling names; of more it has the number, and the sheet has their faces."""

FELL = Option("fell", "Something fell", falls=True)
NOTHING = Option("nothing", "Nothing fell")


class Fell(Exception):
    """Dice fell during a throw or while stacking; the turn ends at once."""


async def turn(table: Table, round_: Round, player: str) -> None:
    """Plays one turn and writes it on the sheet. The round is over if the player's pile is empty after it."""
    table.sheet.begin_turn(player)
    await take(table, round_, player)
    full = len(round_.hand) == FULL
    try:
        while round_.hand:
            dice = await throw(table, round_, player)
            if not placements(dice, round_.tops):
                await _confirm_nothing_fell(table, round_, player, "nothing fits")
                await penalty(table, round_, player, max(d.face for d in dice))
                return
            left = await stack(table, round_, player, dice)
            if left and not await _throws_again(table, round_, player, left):
                _stop(table, round_, player)
                return
        await _confirm_nothing_fell(table, round_, player, "all your dice are stacked")
    except Fell:
        await fall(table, round_, player)
    else:
        _score(table, round_, player, full)


# -- taking and throwing dice --------------------------------------------------------------------------------


async def take(table: Table, round_: Round, player: str) -> None:
    """Moves five dice of any colours from the pile to the hand, or all if there are no more."""
    pile = [colour for colour in round_.colours for _ in range(round_.piles[player][colour])]
    if len(pile) > FULL and len(set(pile)) > 1:
        items = [Option(f"{colour}{i}", colour) for colour, n in grouped(pile) for i in range(1, n + 1)]
        coach = partial(odds.of_colours, list(dict.fromkeys(pile)), round_.tops, fits)
        picked = await table.pick(
            player, items, f"{player}: take five dice from your pile.", FULL, FULL, coach=coach
        )
        pile = [colour for item, colour in zip(items, pile, strict=True) if item.id in picked]
    round_.take(player, pile[:FULL])
    show(table, round_)


async def throw(table: Table, round_: Round, player: str) -> list[Die]:
    """The thrown hand. Dice that rest against a tower are lifted off and read with the others."""
    groups = [DiceGroup(n, colour) for colour, n in grouped(round_.hand)]
    thrown = await table.throw(player, groups, coach=_coach(round_))
    dice = coloured(table, groups, thrown)
    _update_so_far(table, round_, dice)
    return dice


def _coach(round_: Round) -> Coach:
    return partial(odds.of_throw, tuple(round_.hand), round_.tops, fits)


# -- stacking ------------------------------------------------------------------------------------------------


async def stack(table: Table, round_: Round, player: str, dice: Sequence[Die]) -> list[Die]:
    """The dice that are left after stacking, in the player's order (R-1), until none fits."""
    left = list(dice)
    while can := placements(left, round_.tops):
        die, tower = await _placement(table, round_, player, can, partial(foul, left, round_.tops))
        left.remove(die)
        round_.place(die, tower)
        show(table, round_)
        _update_so_far(table, round_, left)
    return left


async def _placement(
    table: Table,
    round_: Round,
    player: str,
    can: Sequence[tuple[Die, int]],
    foul: Callable[[str], str | None],
) -> tuple[Die, int]:
    """The player's choice of a die and a tower. The choice also confirms that nothing fell before."""
    die, tower = can[0]
    if len(can) > 1:
        text = f"{player}: which die goes where?"
    elif round_.stacked:
        text = f"{player}: the {named(die)} must go on tower {tower + 1}. Or did something fall?"
    else:
        table.rule(f"Only one die fits: {player} puts the {named(die)} on tower {tower + 1}.")
        return die, tower
    places = [Placement(die, tower + 1) for die, tower in can]
    by_id = {place.id: of for place, of in zip(places, can, strict=True)}
    options = [
        Option(p.id, _placed(round_, p.die, p.tower - 1), places=p, move=on_tower(p.tower, p.die))
        for p in places
    ]
    closed = [
        (on_tower(number, die), words.lower_first(misfit(die, top)))
        for die in dict.fromkeys(die for die, _ in can)
        for number, top in enumerate(round_.tops, start=1)
        if not fits(die, top)
    ]
    return by_id[await _ask(table, round_, player, *options, text=text, foul=foul, closed=closed)]


def _placed(round_: Round, die: Die, tower: int) -> str:
    return f"{named(die).capitalize()} on {named(round_.tops[tower])}, tower {tower + 1}"


async def _ask(
    table: Table,
    round_: Round,
    player: str,
    *options: Option,
    text: str,
    foul: Callable[[str], str | None] = lambda option: None,
    coach: Coach | None = None,
    closed: Sequence[tuple[Move, str]] = (),
) -> str:
    """The chosen option. If dice are stacked, the player can also say that something fell.

    Fell: the player says so.
    """
    fell = [FELL] if round_.stacked else []
    answer = await table.choose(player, *options, *fell, text=text, foul=foul, coach=coach, closed=closed)
    if answer == FELL.id:
        raise Fell
    return answer


async def _confirm_nothing_fell(table: Table, round_: Round, player: str, what: str) -> None:
    if round_.stacked:
        await _ask(
            table, round_, player, NOTHING, text=f"{player}: {what}; wait five seconds. Did anything fall?"
        )


# -- the end of the turn -------------------------------------------------------------------------------------


async def _throws_again(table: Table, round_: Round, player: str, left: Sequence[Die]) -> bool:
    end = Option("end", "End the turn without a score")
    again = Option("again", f"Throw {words.dice(len(left))} again", throws=len(left))
    does = "does" if len(left) == 1 else "do"
    text = f"{player}: {words.listed(map(named, left))} {does} not fit. End the turn, or throw again?"
    return await _ask(table, round_, player, end, again, text=text, coach=_coach(round_)) == "again"


def _stop(table: Table, round_: Round, player: str) -> None:
    table.sheet.score(player, 0, f"ended with {words.dice(len(round_.hand))} left over")
    _end(table, round_, player)


def _score(table: Table, round_: Round, player: str, full: bool) -> None:
    """Scores a turn with all dice stacked: the tops after five dice, and going out with an empty pile."""
    if full:
        tops = [top.face for top in round_.tops]
        table.sheet.score(player, sum(tops), f"all five stacked: tops {words.listed(tops)}")
    if not round_.left(player):
        others = sum(round_.left(p) for p in table.players if p != player)
        table.rule(f"{player} goes out.")
        table.sheet.score(player, others, f"went out: {words.dice(others)} left with the others")
    _end(table, round_, player)


def _end(table: Table, round_: Round, player: str) -> None:
    round_.put_back_hand(player)
    table.so_far = ""
    show(table, round_)


# -- the penalty ---------------------------------------------------------------------------------------------


async def penalty(table: Table, round_: Round, player: str, highest_face: int) -> None:
    """Nothing fits: moves dice from the highest tower to the player's pile."""
    tower = await _highest_tower(table, round_, player)
    count = taken(highest_face, round_.heights[tower])
    if not count:
        table.rule(f"Nothing fits, and no tower has a die that can be taken: {player}'s turn is over.")
        table.sheet.score(player, 0, "nothing fitted, nothing to take")
        return _end(table, round_, player)
    table.rule(
        f"Nothing fits, and the highest face is {highest_face}: "
        f"{player} takes {words.dice(count)} off tower {tower + 1}."
    )
    return await _take_off(table, round_, player, tower, count)


async def _highest_tower(table: Table, round_: Round, player: str) -> int:
    """The highest tower; among several of the same height the player chooses (R-4)."""
    if len(round_.highest) == 1 or not round_.stacked:
        return round_.highest[0]
    options = [
        Option(str(t + 1), f"Tower {t + 1}, {named(round_.tops[t])} on top", move=on_tower(t + 1))
        for t in round_.highest
    ]
    text = f"{player}: nothing fits. From which of the highest towers do you take?"
    return int(await table.choose(player, *options, text=text)) - 1


async def _take_off(table: Table, round_: Round, player: str, tower: int, count: int) -> None:
    carried = round_.carry_off(tower, count)
    stand(table, round_)
    standing = round_.stacked
    options = [Option("clean", "Set down, nothing fell"), Option("tipped", "Only carried dice fell")]
    options += [Option("fell", "Dice fell from the towers")] if standing else []
    lowest = named(carried[0].die)
    what = f"{words.dice(count)}, {lowest} the lowest" if count > 1 else f"the {lowest}"
    text = (
        f"{player}: nothing fits. Carry {what}, from tower {tower + 1} to your pile with one hand. "
        "Did anything fall?"
    )
    how = await table.choose(player, *options, text=text)
    if how == "clean":
        table.sheet.score(player, 0, f"nothing fitted: {words.dice(count)} from tower {tower + 1}")
        _to_pile(round_, player, carried)
        return _end(table, round_, player)
    return await _dropped(table, round_, player, carried, standing if how == "fell" else [])


async def _dropped(
    table: Table, round_: Round, player: str, carried: list[Stacked], standing: list[Stacked]
) -> None:
    """Settles a fall of carried dice. standing: tower dice of which some fell too; empty if none did."""
    fallen = await _which_fell(table, player, standing, carried)
    round_.remove(s for s in fallen if s in standing)
    stand(table, round_)
    _to_pile(round_, player, [s for s in carried if s not in fallen])
    await _pay_for_fallen(table, round_, player, fallen, all_to_pile=not standing)


def _to_pile(round_: Round, player: str, dice: Sequence[Stacked]) -> None:
    round_.piles[player].update(str(s.die.colour) for s in dice)


# -- fallen dice ---------------------------------------------------------------------------------------------


async def fall(table: Table, round_: Round, player: str) -> None:
    """Settles a fall during a throw or while stacking: the others get points, the turn has no score."""
    fallen = await _which_fell(table, player, round_.stacked)
    round_.remove(fallen)
    stand(table, round_)
    await _pay_for_fallen(table, round_, player, fallen)
    if not round_.left(player):
        table.rule(
            f"{player}'s pile is empty because of a fall: the round is over, and nobody goes out."
        )


async def _which_fell(
    table: Table, player: str, standing: Sequence[Stacked], carried: Sequence[Stacked] = ()
) -> list[Stacked]:
    """The fallen dice. If tower dice are `standing`, at least one of them fell."""
    dice = [*standing, *carried]
    if len(dice) == 1:
        return dice
    items = [Option(s.id, f"{named(s.die)}, tower {s.tower}") for s in standing]
    items += [Option(s.id, f"{named(s.die)}, carried") for s in carried]
    towers = [s.id for s in standing]

    def rule(picked: tuple[str, ...]) -> str | None:
        if not standing or any(i in towers for i in picked):
            return None
        return (
            "Pick a die that fell from a tower too; "
            "if only carried dice fell, take your last answer back and say that."
        )

    if not carried:
        where = "Of each tower pick the lowest die that fell"
    elif not standing:
        where = "Pick the lowest carried die that fell"
    else:
        where = "Pick the lowest of each tower, and of the carried dice if some of them fell"
    text = f"{player}: which dice fell? {where}."
    levels = {s.id: Level(spot_of(s.tower), s.level) for s in standing}
    levels |= {s.id: Level(spot_of(s.tower), s.level, carried=True) for s in carried}
    picked = await table.pick(player, items, text, 1, rule=rule, purpose="fell", levels=levels)
    return with_those_above(picked, standing) + with_those_above(picked, carried)


async def _pay_for_fallen(
    table: Table, round_: Round, player: str, fallen: Sequence[Stacked], all_to_pile: bool = False
) -> None:
    """Reads the fallen dice, gives the others their points, and moves the dice to the pile or out.

    all_to_pile: only carried dice fell, so all of them go to the pile.
    """
    dice = await _read(table, round_, player, [str(s.die.colour) for s in fallen])
    faces = sorted(d.face for d in dice)
    points = fall_points(faces)
    many = words.dice(len(dice))
    shown = f"{many} fall, showing {words.listed(faces)}"
    for other in table.round_from(player)[1:]:
        table.sheet.score(other, points, f"{player} let {shown}")
    table.sheet.score(player, 0, f"let {shown}")
    to_pile = [str(d.colour) for d in dice if all_to_pile or d.face >= HIGH]
    out = [str(d.colour) for d in dice if not all_to_pile and d.face < HIGH]
    round_.piles[player].update(to_pile)
    round_.out += out
    went = words.listed(
        filter(
            None,
            [_dice_moved_text(to_pile, f"to {player}'s pile"), _dice_moved_text(out, "out of the round")],
        )
    )
    fell = f"{many.capitalize()} fell"
    which = f", {words.listed(map(named, dice))}" if len(dice) <= MOST_NAMED else ""
    table.rule(f"{fell}{which}: {words.points(points)} for {_the_others(table, player)}; {went}.")
    _end(table, round_, player)


async def _read(table: Table, round_: Round, player: str, colours: Sequence[str]) -> list[Die]:
    """The fallen dice with the faces that they show now."""
    groups = [DiceGroup(n, colour) for colour, n in grouped(round_.by_colour(colours))]
    what = words.listed(words.dice(g.count, g.colour) for g in groups)
    fallen = f"{'die' if len(colours) == 1 else 'dice'} onto the tray {words.as_they_lie(len(colours))}"
    text = f"{player}: slide the fallen {fallen}, {what}."
    return coloured(table, groups, await table.throw(player, groups, purpose="fell", text=text))


def _dice_moved_text(dice: Sequence[str], where: str) -> str:
    return f"{words.number(len(dice))} {'goes' if len(dice) == 1 else 'go'} {where}" if dice else ""


def _the_others(table: Table, player: str) -> str:
    others = table.round_from(player)[1:]
    if len(others) > 2:
        return "each of the others"
    return words.listed(others) + (" each" if len(others) > 1 else "")


def _update_so_far(table: Table, round_: Round, unstacked: Sequence[Die]) -> None:
    table.so_far = f"not stacked: {words.listed(map(named, unstacked))}" if unstacked else "all stacked"
