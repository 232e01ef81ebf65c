"""What follows from the towers in a reading: a placement that counts, a question, or a foul."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from table.common.errors import IllegalAnswer
from table.referee.effects import Append, Asked, Effect, Ruled
from table.referee.ruling import events_of, judge_open_dice
from table.referee.state import PlacementWrite, State, StepResult
from table.referee.tower_falls import Fall, NewDie
from table.referee.tower_reading import TowersRead
from table.referee.towers import TowerReading, as_die, colours_of
from table.referee.towers_on_tray import NO_TOWERS, TowersOnTray, placement_question
from table.rules.answers import Answer, Chosen, Die
from table.rules.match import Event as MatchEvent
from table.rules.match import Match
from table.rules.prompts import Choose, Roll
from table.rules.towers import Placement

LIKELY_CHANCE = 0.03
"""Lowest chance of a placement that a question names."""

WRONG_PLACE = "{why}. Put that die back."
"""The sentence on a die that does not belong where it was put. why: the game's reason."""


def towers_changed(state: State, read: TowersRead | None) -> StepResult:
    """The state and the effects after the towers were read. state: after the loose dice were judged."""
    if read is None:
        return replace(state, towers=NO_TOWERS), ()
    known = tuple(r.tower if r.best.kind == "placed" else r.now for r in read.towers)
    before = state.towers
    kept = before.fall and (state.tray_context.fell or _still_low(state, read, before.fall))
    fall = read.fall or (before.fall if kept else None)
    if fall and not read.fall:
        tracks = {t.id for t in read.loose.tracks.dice}
        fall = replace(fall, there=tuple(d for d in fall.there if d.track in tracks))
    state = replace(state, towers=TowersOnTray(known, fall, tops=tuple(r.top for r in read.towers)))
    prompt, placed = state.prompt, [p for i, r in enumerate(read.towers) if (p := _placed(i, r, read.gone))]
    goes_on = bool(placed) and read.fall is None  # as the question asks, if nothing fell
    if state.pending_write is not None or (fall and not goes_on):
        return state, _asked_about_fall(before, state)
    if not isinstance(prompt, Choose) or not any(o.places for o in prompt.options):
        return state, ()
    if placed and _others_are_plain(read):
        events = placements(state.match, placed) if _were_taken(read, placed) else ()
        if events:
            after = TowersOnTray(tuple(r.now for r in read.towers))
            return replace(state, pending_write=PlacementWrite(events, after)), (Append(events),)
        taken = [p.die for p in placed] == list(read.gone.elements())
        if taken or (before.foul and not read.gone):
            return _wrong_place(before, state, prompt, placed[0])
    return _unsure(before, state, prompt, read)


def _still_low(state: State, read: TowersRead, fall: Fall) -> bool:
    """Whether a tower of this fall still lacks dice that the game has on it, or shows another top."""
    expected = state.match.towers if state.match else ()
    towers = [(read.towers[i - 1], expected[i - 1]) for i in fall.towers if expected]
    return any(r.best.kind != "same" or r.now.height < len(tower) for r, tower in towers)


def _placed(i: int, reading: TowerReading, gone: Counter[Die]) -> Placement | None:
    """The placement that this tower shows surely.

    A colour's name that the game does not have counts if exactly that die was picked up.
    """
    if not reading.sure or reading.best.kind != "placed" or reading.top is None:
        return None
    die = reading.best.dice[-1]
    its_colour = reading.top.colour == die.colour or gone == Counter([die])
    return Placement(die, i + 1) if its_colour and reading.top.face == die.face else None


def _were_taken(read: TowersRead, placed: Sequence[Placement]) -> bool:
    """Whether exactly these dice were picked up, or none that lay there.

    A die more may be in a hand, or may stand in a tower below one of these.
    """
    return not read.gone or Counter(p.die for p in placed) == read.gone


def _others_are_plain(read: TowersRead) -> bool:
    """Whether no tower shows something that cannot be told."""
    return all(r.sure or r.best.kind == "same" for r in read.towers)


def placements(match: Match | None, placed: list[Placement]) -> tuple[MatchEvent, ...]:
    """The events of these placements, in an order that the rules allow; empty if there is none."""
    for order in permutations(placed):
        try:
            return events_of(match, [Chosen(p.id) for p in order]) if match else ()
        except IllegalAnswer:
            continue
    return ()


def _asked_about_fall(before: TowersOnTray, state: State) -> tuple[Effect, ...]:
    fall = state.towers.fall
    return (Asked(fall.question),) if fall and fall != before.fall else ()


def _wrong_place(before: TowersOnTray, state: State, prompt: Choose, placed: Placement) -> StepResult:
    why = prompt.foul(placed.id)
    if why is None:
        return state, ()
    text = WRONG_PLACE.format(why=why)
    state = replace(state, towers=replace(state.towers, foul=text))
    return state, (Ruled("foul", "", text),) if before.foul != text else ()


def _unsure(before: TowersOnTray, state: State, prompt: Choose, read: TowersRead) -> StepResult:
    """The state that names the placements which are likely, if there are any."""
    chances = {
        Placement(c.dice[-1], i + 1).id: c.chance
        for i, reading in enumerate(read.towers)
        for c in reading.conditions
        if c.kind == "placed" and c.chance >= LIKELY_CHANCE
    }
    chances = _out_of_sight(state, before, prompt, read) | chances
    likely = sorted((o for o in prompt.options if o.id in chances), key=lambda o: -chances[o.id])
    state = replace(state, towers=replace(state.towers, likely=tuple(o.id for o in likely)))
    asked = likely and state.towers.likely != before.likely
    return state, (Asked(placement_question(likely)),) if asked else ()


def _out_of_sight(state: State, before: TowersOnTray, prompt: Choose, read: TowersRead) -> dict[str, float]:
    """The placements of a die that was picked up on towers whose tops are not seen, as where they reach out
    of the picture. state: after the reading.

    They are asked about until that die lies there again, or something else counts.
    """
    hidden = [i for i, r in enumerate(read.towers, start=1) if r.top is None and r.tower.height > 1]
    colours = colours_of([r.tower.dice for r in read.towers])
    away = {as_die(d.seen, colours) for d in state.tray.lifted}
    places = [o.places for o in prompt.options if o.places and o.places.tower in hidden]
    gone = [p.id for p in places if read.gone == Counter([p.die])]
    still = [p.id for p in places if p.id in before.likely and p.die in away]
    return dict.fromkeys(gone or still, LIKELY_CHANCE)


def with_fall(state: State, answer: Answer) -> tuple[Answer, ...]:
    """The answer, and if it says that something fell, also what the camera saw of that."""
    prompt, fall, match = state.prompt, state.towers.fall, state.match
    fell = isinstance(prompt, Choose) and any(Chosen(o.id) == answer for o in prompt.options if o.falls)
    if not fell or fall is None or match is None:
        return (answer,)
    for more in (fall.answers, fall.answers[:1], fall.answers[1:]):
        try:
            events_of(match, (answer, *more))
        except IllegalAnswer:
            continue
        return (answer, *more)
    return (answer,)


def fallen_dice_shown(state: State) -> StepResult:
    """The state and the effects after the dice that are seen to have fallen are judged, if the game asks for
    them now.

    Those of a colour of which more lie there than people said are not told from others, and not judged.
    """
    prompt, fall, match = state.prompt, state.towers.fall, state.match
    if not isinstance(prompt, Roll) or fall is None or match is None:
        return state, ()
    if not state.tray_context.fell:
        return replace(state, towers=replace(state.towers, fall=None)), ()
    wanted = Counter({str(group.colour): group.count for group in prompt.dice})
    there = _without_tops(fall.there, [match.towers[i - 1][-1] for i in fall.towers], wanted)
    came = Counter(str(d.die.colour) for d in there)
    shown = [d for d in there if came[str(d.die.colour)] <= wanted[str(d.die.colour)]]
    if not shown:
        return state, ()
    seen = [(replace(d.seen, colour=str(d.die.colour)), d.track) for d in shown]
    return judge_open_dice(replace(state, tray=state.tray.with_shown(seen)))


def _without_tops(dice: Sequence[NewDie], tops: Sequence[Die], wanted: Counter[str]) -> list[NewDie]:
    """The dice without those that the fall left on towers and pushed, so that they seem to be new.

    wanted: number of fallen dice of each colour.
    """
    rest = list(dice)
    for top in tops:
        alike = [d for d in rest if d.die.colour == top.colour]
        same = next((d for d in alike if d.die == top), None)
        if same is not None and len(alike) > wanted[str(top.colour)]:
            rest.remove(same)
    return rest
