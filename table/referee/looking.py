"""Events of the vision pipeline: the state of the tray, and the dice on it after it has come to rest."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

from table.common.tray import TrayState
from table.referee import fouls
from table.referee.effects import Ruled
from table.referee.events import TrayChanged, TrayRead
from table.referee.followed import Followed, faces, followed
from table.referee.judge import judge, matters, throws_choose
from table.referee.ruling import ask, knocked_over, let_lie, rule, rule_of_notes, show
from table.referee.sights import sights_of
from table.referee.state import Deed, Eyes, Since, State, Stepped
from table.referee.tray import LyingDie, ids
from table.referee.verdicts import Again, Ask, Counts, Doubt, Nothing, Pending, Unlogged, Void
from table.rules import words
from table.rules.prompts import Choose, Roll
from vision.tracking.tracks import TrackOutcome

UNSEEN = "Dice that came to rest while nobody could see do not count. Throw again."
CAMERA_MOVED = "The camera was moved. The game goes on."
BESIDE = "{dice} beside the tray: throw {it} again."


def changed(state: State, event: TrayChanged) -> Stepped:
    """The tray changed without a reading: something moves, comes to rest, or the camera cannot see the tray.

    The sentence of a foul or a question stays visible while hands correct the tray.
    """
    since = state.eyes.since
    if event.state.blind:
        since = Since.BLIND
    elif event.state.moving and since is Since.STILL:
        since = Since.MOVED
    message = "" if since is not Since.STILL and state.said is TrayState.ACCEPTED else state.message
    return replace(state, eyes=Eyes(event.state, event.message, since), message=message, rule=state.rule if message else ""), ()


def read(state: State, event: TrayRead) -> Stepped:
    """The tray came to rest and was read."""
    tracks = event.tracks
    setting = state.setting
    now = followed(state.tray, tracks, partial(matters, state.match, state.last), setting.shown, setting.fell)
    size = event.reading.size_wh
    after = replace(state, tray=now.tray, eyes=Eyes(hand_rests=event.hand_rests), size_wh=size, beside=len(tracks.outside))
    after, told = _came(state, after, now) if now.came else _still(state, after, now)
    if tracks.camera_moved and not isinstance(after.deed.ruling, Pending) and not now.came:
        after = replace(after, said=TrayState.MOVED, message=CAMERA_MOVED, rule="")
    return after, told


# -- dice came to lie there ----------------------------------------------------------------------------------------------------


def _came(before: State, state: State, now: Followed) -> Stepped:
    came = [d for d in state.tray.lying if d.id in now.came]
    if state.deed.stands and state.match is not None:
        return _came_besides(before, state, now, came)
    only_hands = not state.setting.shown and all(d.came in (TrackOutcome.LAID, TrackOutcome.TURNED) for d in came)
    if only_hands and not _is_foul(_begun(before, state, now)):
        return _still(before, _closed(state, came), now)
    state = _begun(before, state, now)
    return (show(state), ()) if _covered(state) else rule(state)


def _came_besides(before: State, state: State, now: Followed, came: list[LyingDie]) -> Stepped:
    """Dice came to lie there while a throw waits for an answer or for the log. Dice that were not clearly
    thrown count as moved."""
    thrown = [d for d in came if d.came is TrackOutcome.THROWN]
    state = _closed(state, [d for d in came if d not in thrown])
    if not thrown:
        return _still(before, state, now)
    if isinstance(state.deed.ruling, Unlogged):
        return rule(_idle(state, thrown))
    return _held(state, thrown) if _picked_up(state) else rule(state)  # else they lie beside the dice in question


def _begun(before: State, state: State, now: Followed) -> State:
    """The state after a new deed has begun: open dice of an earlier deed that does not stand are decided."""
    ruling = state.deed.ruling
    if isinstance(ruling, Doubt):
        state = replace(state, tray=state.tray.doubts_ended(ruling.doubted, thrown=False))
    overtaken = before.eyes.since is Since.OVERTAKEN and state.match is not None
    tipped = tuple(d.face for d in now.tipped)
    deed = replace(state.deed.next, overtaken=overtaken, rolled_off=now.rolled_out, beside=before.beside, tipped=tipped)
    return replace(state, tray=state.tray.decided(besides=now.came), deed=deed)


def _is_foul(state: State) -> bool:
    """Whether the judge gives a verdict on what hands did with the dice."""
    _, verdict = judge(state.match, sights_of(state.tray, state.setting))
    return not isinstance(verdict, Nothing)


def _held(state: State, came: list[LyingDie]) -> Stepped:
    """Dice of a waiting throw were picked up, and other dice were thrown: the waiting throw stands, and the
    new dice belong to no throw."""
    state, ruling = _idle(state, came), state.deed.ruling
    assert isinstance(ruling, Ask | Doubt)
    foul = fouls.IN_DOUBT
    question = ruling.message.removeprefix(foul.said()).strip()
    state, asked = ask(state, replace(ruling, message=f"{foul.said()} {question}"))
    return state, (Ruled("foul", foul.rule, foul.said()), *asked)


def _idle(state: State, dice: list[LyingDie]) -> State:
    """The state in which these dice belong to no throw."""
    which = ids(dice)
    tray = state.tray.changed(lambda d: replace(d.closed(), idle=True) if d.id in which else d)
    return replace(state, tray=tray)


def _closed(state: State, dice: list[LyingDie]) -> State:
    """The state in which these dice were not thrown. A die that is open for another reason stays open."""
    which = ids(dice)
    return replace(state, tray=state.tray.changed(lambda d: d.unthrown() if d.id in which else d))


# -- nothing new lies there ----------------------------------------------------------------------------------------------------


def _still(before: State, state: State, now: Followed) -> Stepped:
    """No new throw: dice lie as they lay, were moved, picked up or laid back."""
    state, told = _another_look(state, stirred=before.eyes.since is not Since.STILL)
    message, notes = _seen_besides(before, state, now)
    if message and not isinstance(state.deed.ruling, Pending) and state.writing is None:
        state = show(state, message, rule_of_notes(notes))
    return state, (*told, *notes)


def _another_look(state: State, stirred: bool) -> Stepped:
    """Judges the open dice anew if all are visible. stirred: something moved meanwhile."""
    ruling = state.deed.ruling
    if isinstance(ruling, Counts):
        return show(replace(state, deed=Deed()) if stirred else state), ()
    if _picked_up(state):
        return (show(state), ()) if state.deed.stands or isinstance(ruling, Doubt) else _some_picked_up(state)
    if _covered(state) or (isinstance(ruling, Again) and not _all_there(state, ruling)):
        return show(state), ()
    if state.tray.open:
        return rule(state)
    mended = isinstance(ruling, Void | Ask)  # its dice lie as they should, or are no dice
    return show(replace(state, deed=state.deed.undone) if mended else state), ()


def _some_picked_up(state: State) -> Stepped:
    """Dice of a throw that does not stand were picked up: a void throw ends; otherwise the rest waits."""
    rest = replace(state, tray=replace(state.tray, lifted=tuple(d.closed() for d in state.tray.lifted)))
    match state.deed.ruling:
        case Again():
            return show(rest), ()
        case Ask():
            return rule(rest)
        case _:
            return show(replace(let_lie(state), deed=state.deed.undone)), ()


def _seen_besides(before: State, state: State, now: Followed) -> tuple[str, tuple[Ruled, ...]]:
    """The message about dice that were not thrown, and the notes to announce."""
    if _unseen_throw(state, now):
        return UNSEEN, (Ruled("note", "", UNSEEN),)
    over = knocked_over(d.face for d in now.tipped)
    if over:
        return over[0].text, over
    if state.beside > before.beside and isinstance(state.prompt, Roll):
        lost = state.beside - before.beside
        lie = f"{words.dice(lost).capitalize()} {'lies' if lost == 1 else 'lie'}"
        return BESIDE.format(dice=lie, it="it" if lost == 1 else "them"), ()
    awaited = isinstance(state.prompt, Roll) or throws_choose(state.prompt)
    return _moved_sentence(now) if awaited else "", ()


def _unseen_throw(state: State, now: Followed) -> bool:
    """Whether dice that came unseen could be meant as a throw. Set-aside dice, which have no
    stored picture, cannot."""
    prompt = state.prompt
    found = [d for d in state.tray.lying if d.id in now.found]
    if isinstance(prompt, Choose):
        return len(found) in [o.throws for o in prompt.options]
    known = faces(d for d in state.tray.lying if d.id not in now.found)
    return isinstance(prompt, Roll) and bool(faces(found) - (Counter(prompt.beside) - known))


def _moved_sentence(now: Followed) -> str:
    if not now.moved:
        return ""
    were, it = ("was", "it") if len(now.moved) == 1 else ("were", "them")
    return f"The {words.listed(d.face for d in now.moved)} {were} moved, not thrown. If thrown, throw {it} again."


def _picked_up(state: State) -> bool:
    """Whether a hand holds dice that are still open."""
    return any(d.open for d in state.tray.lifted)


def _covered(state: State) -> bool:
    """Whether something covers dice of the throw under judgement. They are judged when they are visible."""
    after = state.deed.after
    return any(d.open or (after is not None and d.id in after.good) for d in state.tray.covered)


def _all_there(state: State, ruling: Again) -> bool:
    return {*ruling.good, *ruling.bad} <= set(ids(state.tray.lying))
