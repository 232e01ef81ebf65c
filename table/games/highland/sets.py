"""The eight dice of a clan: two sets of four. They are thrown as a set, or as pairs with one die of each set.

With dice=own, the two sets are the player's two colours. Otherwise colours do not count: the first set is the
four dice that are thrown first, and the second set is the other four.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from table.odds.highland.plays import Keeps
from table.rules import words
from table.rules.answers import Throw
from table.rules.best_play import advised
from table.rules.game import Table
from table.rules.prompts import Coach, DiceGroup, Odds, Option

SET = 4
Dice = tuple[int, ...]
CoachOfKeeps = Callable[[Dice, int], Iterable[Odds]]
"""The odds of keeping some of these dice, with this number of rerolls left."""


@dataclass(frozen=True)
class ClanSet:
    """Four dice of one colour, or of any. name: the words for them, as in "the four green dice"."""

    colour: str | None
    name: str


def sets_of(colour: str | None, other: str | None) -> tuple[ClanSet, ClanSet]:
    if colour is None or other is None:
        return ClanSet(None, "the first four dice"), ClanSet(None, "the other four dice")
    return ClanSet(colour, f"the four {colour} dice"), ClanSet(other, f"the four {other} dice")


async def choose_sets(
    table: Table, player: str, what: str, taken: str | None = None
) -> tuple[ClanSet, ClanSet]:
    """The set that the player chooses, and the other one.

    Only own dice give a choice, and never of the colour `taken`.
    """
    first, second = table.colours(player)
    if first is None or second is None:
        return sets_of(None, None)
    colours = [c for c in (first, second) if c != taken]
    chosen = colours[0]
    if len(colours) > 1:
        options = [Option(c, f"The {c} dice", throws=SET, colour=c) for c in colours]
        chosen = await table.choose(player, *options, text=f"{player}: {what}")
    return sets_of(chosen, second if chosen == first else first)


async def throw_set(
    table: Table,
    player: str,
    four: ClanSet,
    why: str = "",
    beside: Sequence[int] = (),
    purpose: str = "",
    coach: Coach | None = None,
) -> Dice:
    groups = (DiceGroup(SET, four.colour),)
    text = f"{player}: throw {four.name}{why}."
    return (await table.throw(player, groups, beside, purpose=purpose, text=text, coach=coach)).faces


async def throw_pair(
    table: Table,
    player: str,
    why: str,
    beside: Sequence[int] = (),
    purpose: str = "",
    coach: Coach | None = None,
    stage: str = "",
) -> Dice:
    """The faces of one die of each colour, thrown together."""
    colours = [c for c in table.colours(player) if c]
    groups = tuple(DiceGroup(1, c) for c in colours) or (DiceGroup(2),)
    text = f"{player}: throw {pair_text(table, player)}{why}."
    return (
        await table.throw(player, groups, beside, purpose=purpose, text=text, coach=coach, stage=stage)
    ).faces


def pair_text(table: Table, player: str) -> str:
    """The words for a pair, as in "throw one green and one white die"."""
    dice = dice_of_a_pair(table, player)
    return dice if table.colour(player) else f"a pair ({dice})"


def dice_of_a_pair(table: Table, player: str) -> str:
    """'one die of each set', or 'one green and one white die' with own dice."""
    first, second = table.colours(player)
    return f"one {first} and one {second} die" if first and second else "one die of each set"


async def throw_all(table: Table, player: str, why: str, purpose: str, coach: Coach | None) -> Throw:
    """All eight dice, each with its colour if it is known."""
    colours = [c for c in table.colours(player) if c]
    groups = tuple(DiceGroup(SET, c) for c in colours) or (DiceGroup(2 * SET),)
    text = f"{player}: throw all eight dice{why}."
    return await table.throw(player, groups, purpose=purpose, text=text, coach=coach)


def groups_left(table: Table, player: str, aside: Sequence[Collection[str | None]]) -> tuple[DiceGroup, ...]:
    """The dice of the player that are not aside, by colour.

    aside: the colours that each die aside can have; None is an unknown colour. Dice whose colour is open
    are a group of either colour.
    """
    first, second = table.colours(player)
    count = 2 * SET - len(aside)
    if first is None or second is None:
        return (DiceGroup(count),)
    sure = {
        colour: max(0, SET - sum(bool({colour, None} & set(die)) for die in aside))
        for colour in (first, second)
    }
    groups = [DiceGroup(n, colour) for colour, n in sure.items()]
    groups.append(DiceGroup(count - sum(sure.values()), either=(first, second)))
    return tuple(group for group in groups if group.count)


async def rerolled(
    table: Table,
    player: str,
    four: ClanSet,
    dice: Dice,
    rerolls: int,
    worth: Callable[[Dice], str],
    coach: CoachOfKeeps,
    fewest_kept: int = 0,
    beside: Sequence[int] = (),
    purpose: str = "",
    best_play: Keeps | None = None,
) -> Dice:
    """The four dice after up to this many rerolls.

    Keeping all of them ends the rerolls. A die that was kept once may be thrown the next time.

    worth: the value of the dice as text. fewest_kept: how many dice must stay at each reroll.
    best_play: of the coach, if it knows it.
    """
    earlier: Dice = ()
    for left in range(rerolls, 0, -1):
        table.so_far = worth(dice)
        which = f"which {words.number(fewest_kept)} or more dice" if fewest_kept else "which dice"
        text = f"{player}: {which} do you keep? {worth(dice)}; {_rerolls(left)}."
        rule = partial(_why_not, fewest_kept)
        advice = advised(partial(coach, dice, left), best_play.chosen(dice, left) if best_play else None)
        kept = await table.keep(player, dice, rule, text, advice, earlier, beside, fewest_kept)
        if len(kept) == len(dice):
            break
        group = DiceGroup(len(dice) - len(kept), four.colour)
        text = f"{player}: throw {words.dice(group.count, four.colour)} again."
        advice = advised(None, best_play.again(kept, dice, left) if best_play else None)
        new = await table.throw(player, (group,), (*beside, *kept), purpose=purpose, text=text, coach=advice)
        dice, earlier = kept + new.faces, kept
    table.so_far = worth(dice)
    return dice


def _rerolls(left: int) -> str:
    return "one reroll left" if left == 1 else f"{words.number(left)} rerolls left"


def _why_not(fewest: int, kept: Dice) -> str | None:
    if len(kept) >= fewest:
        return None
    most = words.dice(SET - fewest)
    return f"At most {most} are thrown again here: keep {words.number(fewest)} or more."
