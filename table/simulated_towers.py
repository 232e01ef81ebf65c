"""Towers of the simulated hand: it puts the bases apart, builds what the game says, and leaves it in a throw.

The hand remembers which dice are the bases. All else follows from where dice stand, and from the reading.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from table.common.tray import TrayState
from table.referee.snapshot import Snapshot, TrayDie
from table.rules.answers import Die
from table.rules.prompts import Choose, Roll
from table.rules.towers import Placement, Tower
from table.simulated_dice import SimulatedDie, is_at

SPOTS_MM = ((-78.0, 52.0), (-34.0, 52.0), (-34.0, 8.0), (-78.0, 8.0))
"""Where the bases of towers 1 to 4 stand, mm right and up of the tray's centre: at the corners of a square,
as the game says, and beside where the dice are thrown."""

ROOM_MM = 26.0
"""A base is laid down where no other die lies nearer than this."""


class StandingDie(SimulatedDie, Protocol):
    """A die on the simulated tray, as vision.simulation.playing.LyingDie."""

    @property
    def id(self) -> int: ...

    @property
    def base(self) -> int: ...

    @property
    def level(self) -> int: ...

    @property
    def floor_mm(self) -> tuple[float, float]: ...


class TowerHand(Protocol):
    """What a simulated hand can do with towers. bases: ids of the dice at the foot of each tower."""

    bases: tuple[int, ...]

    def lay(self) -> Sequence[StandingDie]: ...

    def put_on(self, place: int, on: int) -> None: ...

    def pick_up(self, places: Sequence[int]) -> None: ...

    def lay_again(self, place: int) -> None: ...

    def slide(self, place: int, to_mm: tuple[float, float] | None = None) -> None: ...

    def lay_down(self, face: int, colour: str, at_mm: tuple[float, float] | None = None) -> None: ...


@dataclass(frozen=True)
class Lifted:
    """A die that can be put on a tower: its index in lay(), and that of the die on top of the tower."""

    place: int
    on: int


def prepare_towers(now: Snapshot, hand: TowerHand) -> None:
    """Makes the towers on the tray those of the game, as far as its dice lie there.

    The bases of new towers are put apart, dice that the game does not have on them are taken off, and laid
    beside them if they may be placed again, and those that it has put there without a choice are put there.
    """
    towers = now.match.towers if now.match else ()
    if not towers:
        hand.bases = ()
        return
    if not _bases_stand(hand, len(towers)):
        _set_up(now, hand, towers)
    if not hand.bases:
        return
    _set_right(now, hand, towers)
    _take_off(now, hand, _all_surplus(now, hand, towers))
    for number, tower in enumerate(towers):
        for die in tower[len(_standing(hand.lay(), hand.bases[number])) :]:
            if (lifted := _liftable(now, hand, die, number)) is None:
                break
            hand.put_on(lifted.place, lifted.on)


def tower_places(now: Snapshot, hand: TowerHand) -> tuple[int, ...]:
    """The indices in lay() of the dice that stand in towers, less tops that a void throw counted as its own:
    a player takes these away with it."""
    if not (now.match and now.match.towers):
        return ()
    lay, counted = hand.lay(), [die for die in _in_void_throw(now) if die.part == "thrown"]
    places = list[int]()
    for base in hand.bases:
        tower = _standing(lay, base)
        if tower and lay[tower[-1]].level and any(is_at(die, lay[tower[-1]]) for die in counted):
            tower.pop()
        places += tower
    return tuple(sorted(places))


def place_by_hand(now: Snapshot, hand: TowerHand, option: str) -> bool:
    """Puts a die on a tower if that makes this choice and both are there. Returns whether it did."""
    prompt = now.match.prompt if now.match else None
    options = prompt.options if isinstance(prompt, Choose) else ()
    places = next((o.places for o in options if o.id == option), None)
    if places is None or _is_asked_about(now, hand, places):
        return False
    if _put_over(now, hand, places):
        return True
    prepare_towers(now, hand)
    lifted = _liftable(now, hand, places.die, places.tower - 1) if hand.bases else None
    if lifted is None:
        return False
    hand.put_on(lifted.place, lifted.on)
    return True


def _is_asked_about(now: Snapshot, hand: TowerHand, places: Placement) -> bool:
    """Whether such a die stands on this tower and the table asks what was placed: the option answers that."""
    towers = now.match.towers if now.match else ()
    if now.tray.state is not TrayState.UNSURE or not _bases_stand(hand, len(towers)):
        return False
    lay, number = hand.lay(), places.tower - 1
    return any(lay[i].colour == places.die.colour for i in _surplus(now, hand, number, towers[number]))


def show_fallen(now: Snapshot, hand: TowerHand) -> bool:
    """Shows the dice that fell, if the prompt asks for them and they lie there: takes the others away, and
    lays those down elsewhere that were not counted, as they lie. Returns whether it did.

    A die whose face was not read is slid, which may push others, and towers. One out of the picture is laid
    down.
    """
    prompt = now.match.prompt if now.match else None
    if not isinstance(prompt, Roll) or not prompt.placed or not hand.bases:
        return False
    lay = hand.lay()
    thrown = [die for die in now.tray.dice if die.part == "thrown" and die.index is None]
    loose = [i for i, die in enumerate(lay) if die.base not in hand.bases]
    counted = [any(is_at(die, lies) for die in thrown) for lies in lay]
    before = [die for die in now.tray.dice if die.part == "thrown" and die.index is not None]
    # what counts stays; the dice of the last throw come last, and before them others that lie in sight
    loose.sort(
        key=lambda i: (
            not counted[i],
            any(is_at(die, lay[i]) for die in before),
            _read_at(now, lay[i]) is not None,
        )
    )
    shown = list[int]()
    for group in prompt.dice:
        alike = [i for i in loose if lay[i].colour == group.colour]
        if len(alike) < group.count:
            return False
        shown += alike[: group.count]
    moved = [i for i in shown if not counted[i]] or shown[:1]
    read = {i: die for i in moved if (die := _read_at(now, lay[i]))}
    unread = [lay[i].id for i in moved if i not in read]
    if lifted := sorted({*loose} - {*shown} | read.keys()):
        hand.pick_up(lifted)
    for die in read.values():
        hand.lay_down(die.face, str(die.colour))
    for id_ in unread:
        place = [die.id for die in hand.lay()].index(id_)
        (hand.slide if _is_in_picture(now, hand.lay()[place]) else hand.lay_again)(place)
    return True


def _is_in_picture(now: Snapshot, lies: StandingDie) -> bool:
    width, height = now.tray.size_wh
    return 0 <= lies.x < width and 0 <= lies.y < height


def _put_over(now: Snapshot, hand: TowerHand, places: Placement) -> bool:
    """Puts a die that the game took back from the top of one tower on this one. Returns whether it did."""
    towers = now.match.towers if now.match else ()
    if not _bases_stand(hand, len(towers)):
        return False
    surplus = _all_surplus(now, hand, towers)
    if len(surplus) != 1 or _taken_back(now, hand.lay()[surplus[0]]) != places.die:
        return False
    target = [i for i in _standing(hand.lay(), hand.bases[places.tower - 1]) if i not in surplus]
    hand.put_on(surplus[0], target[-1])
    return True


def _all_surplus(now: Snapshot, hand: TowerHand, towers: Sequence[Tower]) -> list[int]:
    return [i for number, tower in enumerate(towers) for i in _surplus(now, hand, number, tower)]


def _take_off(now: Snapshot, hand: TowerHand, surplus: Sequence[int]) -> None:
    """Takes these dice off their towers. Those that a choice can place are laid on the tray."""
    laid = list[Die]()
    for i in surplus:
        if die := _taken_back(now, hand.lay()[i], laid):
            laid.append(die)
    if surplus:
        hand.pick_up(surplus)
    for die in laid:
        hand.lay_down(die.face, str(die.colour))


def _taken_back(now: Snapshot, lies: StandingDie, found: Sequence[Die] = ()) -> Die | None:
    """The die that stands here and that a choice can place. On a tower it may not have been read: then it is
    one of its colour that lies nowhere if there is any, or else one that looks like another. found: others
    that were taken back."""
    prompt = now.match.prompt if now.match else None
    placeable = [o.places.die for o in prompt.options if o.places] if isinstance(prompt, Choose) else []
    if (read := _read_at(now, lies)) is not None:
        return read if read in placeable else None
    elsewhere = {*found, *(Die(d.seen.face, d.seen.colour) for d in now.tray.dice)}
    alike = [die for die in placeable if die.colour == lies.colour]
    return min(alike, key=lambda die: die in elsewhere, default=None)


def _read_at(now: Snapshot, lies: StandingDie) -> Die | None:
    """The die of this colour that was read here, and lies flat."""
    flat = (d.seen for d in now.tray.dice if is_at(d, lies) and not d.seen.cocked)
    here = (seen for seen in flat if seen.colour == lies.colour)
    return next((Die(seen.face, seen.colour) for seen in here), None)


def _bases_stand(hand: TowerHand, count: int) -> bool:
    return len(hand.bases) == count and {die.id for die in hand.lay() if not die.level} >= set(hand.bases)


def _set_up(now: Snapshot, hand: TowerHand, towers: Sequence[Tower]) -> None:
    """Picks up all dice, if the bases are among them, and sets these apart."""
    hand.bases = ()
    found = [_place_of(now.tray.dice, hand.lay(), tower[0], ()) for tower in towers]
    places = [place for place in found if place is not None]
    if len(set(places)) < len(towers) or len(towers) > len(SPOTS_MM):
        return
    hand.pick_up(range(len(hand.lay())))
    for number, tower in enumerate(towers):
        hand.bases = (*hand.bases, _laid(hand, tower[0], number))


def _set_right(now: Snapshot, hand: TowerHand, towers: Sequence[Tower]) -> None:
    """Lays bases that a fall turned over with their face up again."""
    for number, tower in enumerate(towers):
        lay, bases = hand.lay(), list(hand.bases)
        standing = _standing(lay, bases[number])
        read = _read_at(now, lay[standing[0]])
        if len(standing) == 1 and read is not None and read != tower[0]:
            hand.pick_up(standing)
            bases[number] = _laid(hand, tower[0], number)
            hand.bases = tuple(bases)


def _laid(hand: TowerHand, base: Die, number: int) -> int:
    """Lays this die down where the tower of this number stands, or elsewhere if others lie there. Its id."""
    spot = SPOTS_MM[number]
    free = all(math.dist(die.floor_mm, spot) > ROOM_MM for die in hand.lay())
    hand.lay_down(base.face, str(base.colour), spot if free else None)
    return hand.lay()[-1].id


def _surplus(now: Snapshot, hand: TowerHand, number: int, tower: Tower) -> list[int]:
    """The indices in lay() of the dice of this tower that the game does not have there: those from the first
    one of another colour on, and a top that a void throw counted, read with another face."""
    lay = hand.lay()
    standing = _standing(lay, hand.bases[number])
    for n, i in enumerate(standing[1:], start=1):
        is_top = i == standing[-1]
        if (
            n >= len(tower)
            or lay[i].colour != tower[n].colour
            or (is_top and _read_otherwise(now, lay[i], tower[n]))
        ):
            return standing[n:]
    return []


def _read_otherwise(now: Snapshot, lies: StandingDie, die: Die) -> bool:
    """Whether a die that lies here was surely read with another face than this one's, in a void throw: before
    that, the reading may be of what lay under it."""
    return any(d.seen.sure and d.seen.face != die.face and is_at(d, lies) for d in _in_void_throw(now))


def _in_void_throw(now: Snapshot) -> Sequence[TrayDie]:
    """The dice that were read when the throw was void; none after any other reading."""
    return now.tray.dice if now.tray.state is TrayState.WRONG_DICE else ()


def _standing(lay: Sequence[StandingDie], base: int) -> list[int]:
    """The indices of the dice of the tower on this base, from the base up."""
    tower = [i for i, die in enumerate(lay) if die.base == base]
    return sorted(tower, key=lambda i: lay[i].level)


def _liftable(now: Snapshot, hand: TowerHand, wanted: Die, number: int) -> Lifted | None:
    """The loose die with this face and colour, and the top of this tower."""
    lay = hand.lay()
    tower = _standing(lay, hand.bases[number])
    place = _place_of(now.tray.dice, lay, wanted, hand.bases)
    return None if place is None or not tower else Lifted(place, tower[-1])


def _place_of(
    dice: Sequence[TrayDie], lay: Sequence[StandingDie], wanted: Die, bases: Sequence[int]
) -> int | None:
    """The index in lay() of a die on the floor that was read so; None if there is none. bases: not these."""
    for die in dice:
        if (die.seen.face, die.seen.colour) == (wanted.face, wanted.colour):
            for i, lies in enumerate(lay):
                if is_at(die, lies) and lies.base not in bases:
                    return i
    return None
