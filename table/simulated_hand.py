"""What the simulated hand does: which dice or sticks it throws, which dice it leaves, and its clumsy acts.

It uses only what a player at the page knows: the prompt, the reading, and where the dice lie. A choice that
a throw can make in one way is made first: then the prompt says which dice to throw.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from table.common.errors import IllegalAnswer
from table.common.tray import TrayState
from table.referee.snapshot import Snapshot, TrayDie
from table.rules.answers import Chosen
from table.rules.entered_prompts import COINS, Hidden, StickThrow
from table.rules.game import Seat
from table.rules.prompts import Choose, Keep, Prompt, Roll
from table.simulated_cups import CupHand, cup_of, is_from_cup
from table.simulated_dice import SimulatedDie, is_at
from table.simulated_towers import TowerHand

SPARE_COLOUR = "white"
"""Colour of dice that are new on the tray, if neither the prompt nor the player's seat has a colour."""

FREE_DICE = 2
"""Number of dice thrown on an empty tray while there is no game."""


class SimulatedHand(CupHand, TowerHand, Protocol):
    """The hand of a simulated tray. Dice are identified by their index in `lay()`."""

    @property
    def resting(self) -> bool:
        """Whether all its actions are done and every die lies still."""
        ...

    def throw(self, colours: Sequence[str], leaving: Sequence[int] = ()) -> None: ...

    def throw_sticks(self, sticks: Sequence[Sequence[str]]) -> None:
        """Takes everything off the tray and throws sticks with these faces each."""
        ...

    def lay_felt_for(self, colours: Iterable[str]) -> None:
        """Lays the felt in the tray from which dice of these colours stand out."""
        ...

    def set_person(self, from_front_rad: float = 0.0, skin: int = 0, sleeve: int = 0) -> None:
        """Makes the hand another person's (vision.simulation.playing)."""
        ...

    def lay_sticks(self) -> Sequence[object]: ...

    def push_stick(self, place: int) -> None: ...

    def tidy(self) -> None: ...

    def knock(self, place: int) -> None: ...

    def turn(self, place: int) -> None: ...

    def turn_back(self) -> bool:
        """Turns each die back that the hand turned; False if there is none."""
        ...

    def cover(self) -> None: ...

    def rest_sleeve(self) -> None: ...

    def bump(self) -> None: ...

    def lamp(self) -> None: ...

    def fault(self, fault: str, seconds: float) -> None: ...


LENS_S = 4.0
"""Time for which the lens stays covered, seconds."""


def _turn_back(hand: SimulatedHand) -> None:
    if not hand.turn_back():
        raise IllegalAnswer("No die was turned by hand, so none can be turned back.")


ACTS_ON_A_DIE: dict[str, Callable[[SimulatedHand, int], None]] = {
    "push": lambda hand, die: hand.slide(die),
    "knock": lambda hand, die: hand.knock(die),
    "turn": lambda hand, die: hand.turn(die),
}
OTHER_ACTS: dict[str, Callable[[SimulatedHand], None]] = {
    "tidy": lambda hand: hand.tidy(),
    "turn back": _turn_back,
    "lay": lambda hand: hand.lay_down(random.randint(1, 6), SPARE_COLOUR),
    "cover": lambda hand: hand.cover(),
    "sleeve": lambda hand: hand.rest_sleeve(),
    "bump": lambda hand: hand.bump(),
    "lamp": lambda hand: hand.lamp(),
    "lens": lambda hand: hand.fault("covered", LENS_S),
}
NEEDS_DICE = frozenset({*ACTS_ON_A_DIE, "tidy"})
ACTS_WITHOUT_HAND = frozenset({"lamp", "lens"})
"""Acts without the hand. They are possible while the hand is busy."""

CLUMSY_ACTS = (*ACTS_ON_A_DIE, *OTHER_ACTS)
"""The names of all clumsy acts, and of the one that sets right what a turn did."""


def do_clumsy_act(hand: SimulatedHand, act: str, die: int | None = None) -> None:
    """Does one of CLUMSY_ACTS, to the die with the index `die` in lay() or to a random die.

    Where only sticks lie on the tray, "push" pushes a random stick. Raises IllegalAnswer if the act needs a
    die and none lies there.
    """
    lay, sticks = hand.lay(), hand.lay_sticks()
    if act == "push" and sticks and not lay:
        hand.push_stick(random.randrange(len(sticks)))
        return
    if act in NEEDS_DICE and not lay:
        raise IllegalAnswer("No die lies on the tray. Throw first.")
    if act in OTHER_ACTS:
        OTHER_ACTS[act](hand)
    else:
        ACTS_ON_A_DIE[act](hand, random.randrange(len(lay)) if die is None else die)


@dataclass(frozen=True)
class ThrowPlan:
    """A throw of the hand.

    colours: of the dice to throw. leaving: indices in lay() of the dice that stay.
    sticks: the faces of each stick to throw; empty for a throw of dice.
    cup: the name of the cup that the dice come from, "" if they are thrown on the tray. by: who throws them
    under it now; "" if it is lifted. chosen: the faces of the dice that are pushed out of it; empty if the
    hand chooses. any_colour: whether the dice under the lifted cup may have other colours.
    """

    colours: tuple[str, ...]
    leaving: tuple[int, ...]
    sticks: tuple[tuple[str, ...], ...] = ()
    cup: str = ""
    by: str = ""
    chosen: tuple[int, ...] = ()
    any_colour: bool = False


def throw_by_hand(hand: SimulatedHand, plan: ThrowPlan) -> None:
    """Throws the dice or the sticks of the plan, or lifts the cup with them."""
    if plan.by:
        hand.throw_under_cup(plan.cup, plan.by, plan.colours)
    elif plan.cup:
        hand.lift_cup(plan.cup, plan.colours, plan.chosen, plan.any_colour)
    elif plan.sticks:
        hand.throw_sticks(plan.sticks)
    else:
        hand.throw(plan.colours, plan.leaving)


def plan_throw(
    now: Snapshot,
    lay: Sequence[SimulatedDie],
    picked: Collection[int] = (),
    in_towers: Collection[int] = (),
) -> ThrowPlan:
    """The plan for a throw of the `picked` dice or, if there are none, for the throw that the prompt expects.

    A prompt for sticks always expects all of them. in_towers: indices in lay() of the dice in towers, which
    stay.

    Raises IllegalAnswer if the prompt does not say which dice to throw.
    """
    wrong = [i for i in picked if not 0 <= i < len(lay)]
    if wrong:
        raise IllegalAnswer(f"There is no die {wrong[0]} on the tray; {len(lay)} lie there, counted from 0.")
    prompt = now.match.prompt if now.match else None
    if isinstance(prompt, StickThrow):
        return ThrowPlan((), (), _sticks(prompt))
    if isinstance(prompt, Hidden):
        return ThrowPlan(_colours(now, prompt), (), cup=cup_of(now, prompt), by=prompt.player)
    if isinstance(prompt, Roll) and is_from_cup(prompt):
        any_colour = all(group.sample_colour is None for group in prompt.dice)
        return ThrowPlan(_colours(now, prompt), (), cup=cup_of(now, prompt), any_colour=any_colour)
    if isinstance(prompt, Roll):
        return _plan_for_roll(now, prompt, lay, set(picked), set(in_towers))
    if in_towers and isinstance(prompt, Choose):
        return _plan_throwing(lay, set(range(len(lay))) - set(in_towers))
    if picked:
        return _plan_throwing(lay, set(picked))
    if isinstance(prompt, Keep):
        raise IllegalAnswer("Tap the dice that you keep, then throw the others.")
    if prompt is not None:
        raise IllegalAnswer("Tap your answer first, then throw.")
    everything = set(range(len(lay)))
    return _plan_throwing(lay, everything) if lay else ThrowPlan((SPARE_COLOUR,) * FREE_DICE, ())


def choice_before_throw(now: Snapshot) -> Chosen | None:
    """The choice that a throw means; None if it means none, or if several could be meant."""
    prompt = now.match.prompt if now.match else None
    thrown = [o for o in prompt.options if o.throws] if isinstance(prompt, Choose) else []
    return Chosen(thrown[0].id) if len(thrown) == 1 else None


def ready_under_cup(now: Snapshot) -> Chosen:
    """The answer that says that the dice lie under the cup; raises IllegalAnswer if nobody awaits it."""
    prompt = now.match.prompt if now.match else None
    if not isinstance(prompt, Hidden):
        raise IllegalAnswer("No throw under a cup is awaited.")
    return Chosen(prompt.options[0].id)


def _sticks(prompt: StickThrow) -> tuple[tuple[str, ...], ...]:
    """The sides of the sticks or coins to throw."""
    return (("heads", "tails"),) * len(COINS) if prompt.sticks == COINS else prompt.sticks


def places_of(picked: Collection[int], dice: Sequence[TrayDie], lay: Sequence[SimulatedDie]) -> set[int]:
    """The indices in lay() of dice that are given by their indices in the reading.

    Raises IllegalAnswer if the reading has no die with that index.
    """
    wrong = [i for i in picked if not 0 <= i < len(dice)]
    if wrong:
        raise IllegalAnswer(f"There is no die {wrong[0]} on the tray; {len(dice)} were read, counted from 0.")
    return _places_of((dice[i] for i in picked), lay)


def _plan_for_roll(
    now: Snapshot, prompt: Roll, lay: Sequence[SimulatedDie], picked: set[int], in_towers: set[int]
) -> ThrowPlan:
    """The plan for a Roll: exactly the expected dice are thrown, unless dice were picked up.

    Picked dice are thrown and all others stay. Without picked dice, those set aside stay, and so do the good
    ones of the throw while others are thrown again; all others go.
    """
    everything = set(range(len(lay)))
    aside = in_towers or _places_with_faces(Counter(prompt.beside), now.tray.dice, lay)
    good = _places_of_good_dice(now, lay) - aside
    own = _own_dice(now, prompt, _colours_at(aside, lay))
    wanted = _without(_colours_at(good, lay), own or _colours(now, prompt))
    thrown = picked or set(sorted(everything - aside - good)[: len(wanted)])
    staying = everything - picked if picked else aside | good
    from_tray = _colours_at(thrown, lay) if picked or not own else ()
    return ThrowPlan((*from_tray, *wanted[len(from_tray) :]), tuple(sorted(staying)))


def _colours_at(places: Iterable[int], lay: Sequence[SimulatedDie]) -> tuple[str, ...]:
    return tuple(lay[i].colour for i in sorted(places))


def _places_of_good_dice(now: Snapshot, lay: Sequence[SimulatedDie]) -> set[int]:
    """Indices in lay() of the dice of a throw of which others have to be thrown again."""
    if now.tray.state == TrayState.UNSURE:
        return set()
    good = (d for d in now.tray.dice if d.part == "thrown" and d.index is None)  # of no throw that counted
    return _places_of(good, lay)


def _own_dice(now: Snapshot, prompt: Roll, aside: Sequence[str]) -> tuple[str, ...]:
    """The colours of a throw of own dice; empty if the players share the dice that lie on the tray.

    A clan throws its own dice also where any colours are allowed. aside: the colours of those set aside.
    """
    if any(group.colour for group in prompt.dice):
        return _colours(now, prompt)
    seat = _seat(now, prompt)
    if seat is None or any(group.either for group in prompt.dice):
        return ()
    return _without(aside, _clan_dice(seat, prompt.count + len(aside)))


def _clan_dice(seat: Seat, count: int) -> tuple[str, ...]:
    """So many of a clan's dice, half of them in each of its colours; none for a player of one colour."""
    if not seat.colour or not seat.second:
        return ()
    seconds = count // 2
    return (seat.colour,) * (count - seconds) + (seat.second,) * seconds


def _without(lying: Iterable[str], colours: tuple[str, ...]) -> tuple[str, ...]:
    """The colours without one for each die that lies there: one of its colour, or else the last."""
    left = list(colours)
    for colour in lying:
        if left:
            left.pop(left.index(colour) if colour in left else -1)
    return tuple(left)


def _colours(now: Snapshot, prompt: Roll | Hidden) -> tuple[str, ...]:
    seat = _seat(now, prompt)
    spare = seat.colour if seat and seat.colour else SPARE_COLOUR
    return tuple(group.sample_colour or spare for group in prompt.dice for _ in range(group.count))


def _seat(now: Snapshot, prompt: Prompt) -> Seat | None:
    seats = now.match.seats if now.match else ()
    return next((s for s in seats if s.name == prompt.player), None)


def _plan_throwing(lay: Sequence[SimulatedDie], picked: set[int]) -> ThrowPlan:
    leaving = tuple(i for i in range(len(lay)) if i not in picked)
    return ThrowPlan(tuple(lay[i].colour for i in sorted(picked)), leaving)


def _places_with_faces(faces: Counter[int], dice: Sequence[TrayDie], lay: Sequence[SimulatedDie]) -> set[int]:
    """Indices in lay() of dice that were read as these faces; dice that did not move come first.

    Those of a throw that did not count come last.
    """
    wanted, found = Counter(faces), set[int]()
    for die in sorted(dice, key=lambda d: (d.void, d.part != "still")):
        place = _place_of(die, lay)
        if place is not None and place not in found and wanted[die.seen.face]:
            wanted[die.seen.face] -= 1
            found.add(place)
    return found


def _places_of(dice: Iterable[TrayDie], lay: Sequence[SimulatedDie]) -> set[int]:
    places = (_place_of(die, lay) for die in dice)
    return {p for p in places if p is not None}


def _place_of(die: TrayDie, lay: Sequence[SimulatedDie]) -> int | None:
    return next((i for i, point in enumerate(lay) if is_at(die, point)), None)
