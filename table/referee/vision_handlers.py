"""Events of the vision pipeline: the state of the tray, and the dice on it after it has come to rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from functools import partial

from table.common.tray import TrayState
from table.referee import fouls
from table.referee.effects import Ruled
from table.referee.events import TrayChanged, TrayPreviewed, TrayRead
from table.referee.hands import matters_to_game, set_aside_faces, throw_can_choose
from table.referee.interpretations import BY_HAND
from table.referee.judge import judge
from table.referee.ruling import ask, decide_all, judge_open_dice, knocked_over_note, rule_of_notes, show
from table.referee.state import Activity, PipelineState, State, StepResult, ThrowAttempt
from table.referee.stick_handlers import sticks_read
from table.referee.sticks import NO_STICKS
from table.referee.tower_handlers import towers_changed
from table.referee.tower_reading import read_towers
from table.referee.tray import LyingDie, ids
from table.referee.tray_update import GameOnTray, TrayUpdate, face_counts, update_tray
from table.referee.verdicts import (
    AskFaces,
    Doubt,
    NoThrow,
    Pending,
    Rethrow,
    UnderArm,
    Unlogged,
    Valid,
    Void,
    with_foul,
)
from table.rules import words
from table.rules.prompts import Choose, Keep, Roll
from vision.readings import Reading
from vision.tracking.tracks import TrackOutcome, Tracks

UNSEEN_DICE = "Dice that came to rest while nobody could see do not count. {what}."
CAMERA_MOVED = "The camera was moved. The game goes on."
THROWN_ALONE = "{dice} thrown alone: {they} had fallen off the tray."
BESIDE = "{dice} beside the tray: throw {it} again."
BESIDE_A_CHOICE = "{dice} beside the tray. If thrown, throw {it} again."


def tray_changed(state: State, event: TrayChanged) -> StepResult:
    """The tray changed without a reading: something moves, comes to rest, or the camera cannot see the tray.

    The sentence of a foul or a question stays visible while hands correct the tray.
    """
    activity = state.pipeline.activity.after(event.state)
    over = activity is not Activity.STILL and state.tray_state is TrayState.ACCEPTED and not state.rule
    message = "" if over else state.message
    by_hand = event.state is TrayState.HAND or event.state.blind
    return replace(
        state,
        pipeline=PipelineState(event.state, event.message, activity, preview=_kept_preview(state, event)),
        sticks=replace(state.sticks, untouched=state.sticks.untouched and not by_hand),
        message=message,
        rule=state.rule if message else "",
        revealed=state.revealed and event.state.coming_to_rest,
    ), ()


def _kept_preview(state: State, event: TrayChanged) -> Reading | None:
    """The dice that are shown while the tray comes to rest, unless something moves again."""
    return state.pipeline.preview if event.state.coming_to_rest else None


def tray_previewed(state: State, event: TrayPreviewed) -> StepResult:
    """The dice can be seen, and are not read yet: they are shown, and nothing is decided."""
    return replace(state, pipeline=replace(state.pipeline, preview=event.reading)), ()


def tray_read(state: State, event: TrayRead) -> StepResult:
    """The tray came to rest and was read: first its loose dice are judged, then its towers."""
    towers = read_towers(state, event)
    state, effects = _loose_dice_read(state, towers.loose if towers else event)
    state, more = towers_changed(state, towers)
    return state, (*effects, *more)


def _loose_dice_read(state: State, event: TrayRead) -> StepResult:
    """The state and the effects after the dice were read that stand in no tower."""
    tracks = event.tracks
    context = state.tray_context
    game = GameOnTray(
        partial(matters_to_game, state.match, state.last_throw_ids),
        placed=context.placed,
        fell=context.fell,
        stood=state.attempt.stood,
        passed=state.turn_passed,
    )
    update = update_tray(state.tray, tracks, game)
    update = _with_dice_from_under_arm(state, update, tracks)
    update = _with_dice_taken_off(state, update)
    size = event.reading.size_wh
    after = replace(
        state,
        tray=update.tray,
        pipeline=PipelineState(hand_rests=event.hand_rests),
        size_wh=size,
        beside=len(tracks.outside),
        sticks=state.sticks if state.throws_sticks else NO_STICKS,  # no others are read
    )
    after, effects = _new_dice(state, after, update) if update.new_ids else _no_new_dice(state, after, update)
    if tracks.camera_moved and not isinstance(after.attempt.ruling, Pending) and not update.new_ids:
        after = replace(after, tray_state=TrayState.MOVED, message=CAMERA_MOVED, rule="")
    after, of_sticks = sticks_read(state, after, event)
    return after, (*effects, *of_sticks)


# -- dice came to lie there ----------------------------------------------------------------------------------


def _new_dice(before: State, state: State, update: TrayUpdate) -> StepResult:
    new = [d for d in state.tray.lying if d.id in update.new_ids]
    if isinstance(state.attempt.ruling, UnderArm) and not _picked_up(state):
        return (show(state), ()) if _covered(state) else judge_open_dice(state)
    if state.attempt.stands and state.match is not None:
        return _new_dice_while_waiting(before, state, update, new)
    only_hands = not state.tray_context.placed and all(
        d.came in (TrackOutcome.PLACED, TrackOutcome.TURNED) for d in new
    )
    if only_hands and not _hands_did_something(_begin_attempt(before, state, update)):
        return _no_new_dice(before, _count_as_moved(state, new), update)
    state, fell = _with_missing_thrown_alone(before, state, update, new)
    state = _begin_attempt(before, state, update, ids(_turned_before(state)) if only_hands else ())
    state, effects = (show(state), ()) if _covered(state) else judge_open_dice(state)
    return state, (*fell, *effects)


def _with_missing_thrown_alone(
    before: State, state: State, update: TrayUpdate, new: list[LyingDie]
) -> StepResult:
    """The state in which dice of a throw of too few had fallen off, if just those are thrown now beside it.

    People see a die fall, and throw it again before they read what the table says.
    """
    ruling = before.attempt.ruling
    thrown = [d.id for d in before.tray.open if d.came is TrackOutcome.THROWN]
    came = len(new) + update.rolled_out + max(0, state.beside - before.beside)
    if not isinstance(ruling, Void) or came != ruling.missing:
        return state, ()
    if any(d.came is not TrackOutcome.THROWN for d in new) or not {*thrown} <= {*ids(state.tray.all_dice)}:
        return state, ()
    fell_off, _ = judge_open_dice(replace(before, attempt=replace(before.attempt, fell_off=True)))
    dice = "The missing die was" if came == 1 else f"The {words.number(came)} missing dice were"
    note = Ruled("note", "G4", THROWN_ALONE.format(dice=dice, they=words.it_or_they(came)))
    return replace(state, attempt=fell_off.attempt), (note,)


def _new_dice_while_waiting(
    before: State, state: State, update: TrayUpdate, new: list[LyingDie]
) -> StepResult:
    """Dice came to lie there while a throw waits for an answer or for the log.

    Dice that were not clearly thrown count as moved.
    """
    thrown = [d for d in new if d.came is TrackOutcome.THROWN]
    state = _count_as_moved(state, [d for d in new if d not in thrown])
    if not thrown:
        return _no_new_dice(before, state, update)
    if isinstance(state.attempt.ruling, Unlogged):
        return judge_open_dice(_ignore(state, thrown))
    if _picked_up(state) or isinstance(state.attempt.ruling, AskFaces):
        return _thrown_in_doubt(state, thrown)
    return judge_open_dice(state)  # they lie beside the dice in question


def _with_dice_taken_off(state: State, update: TrayUpdate) -> TrayUpdate:
    """The update in which set-aside dice are taken off that were picked up while others lay to be thrown."""
    tray, aside = update.tray, Counter(set_aside_faces(state.prompt))
    known = ids(state.tray.lifted)
    off = [d for d in tray.lifted if d.id not in known and not d.open]
    of_last_throw = face_counts(d for d in tray.lying if d.id in state.last_throw_ids)
    to_throw = of_last_throw - (aside - face_counts(off))
    if update.new_ids or not to_throw or not face_counts(off) <= aside:
        off = []
    taken_off = ids(off)
    lying = tuple(replace(d, taken_off=False) if d.taken_off else d for d in tray.lying)
    lifted = tuple(replace(d, taken_off=True) if d.id in taken_off else d for d in tray.lifted)
    return replace(update, tray=replace(tray, lying=lying, lifted=lifted))


def _with_dice_from_under_arm(state: State, update: TrayUpdate, tracks: Tracks) -> TrayUpdate:
    """The update in which dice that nobody saw coming may belong to the throw that waits for them, also if
    they look like dice that were picked up for it."""
    blind = state.pipeline.activity is Activity.BLIND
    if blind or not isinstance(state.attempt.ruling, UnderArm):
        return update
    picked_up, next_id = ids(state.tray.lifted), update.tray.next_id
    unseen = {t.id: t.seen for t in tracks.dice if t.outcome is TrackOutcome.UNOBSERVED}
    came = {
        d.track: LyingDie(next_id + n, d.track, unseen[d.track], unseen[d.track].face, TrackOutcome.UNCLEAR)
        for n, d in enumerate(update.tray.lying)
        if d.track in unseen and (d.id in update.found_ids or d.id in picked_up)
    }
    tray = update.tray.map_dice(lambda d: came.get(d.track, d))
    return replace(update, tray=replace(tray, next_id=next_id + len(tray.lying)), found_ids=())


def _turned_before(state: State) -> list[LyingDie]:
    """The dice that lie there turned by hand after a foul, and are still to be put back."""
    ruling = state.attempt.ruling
    if not (isinstance(ruling, Void) and ruling.foul is fouls.TURNED):
        return []
    return [d for d in state.tray.lying if d.came in BY_HAND and d.was is not None]


def _begin_attempt(
    before: State, state: State, update: TrayUpdate, still_open: Collection[int] = ()
) -> State:
    """The state after a new attempt has begun.

    Open dice of an earlier attempt that does not stand are decided, except those in `still_open`.
    """
    ruling = state.attempt.ruling
    if isinstance(ruling, Doubt):
        state = replace(state, tray=state.tray.doubt_resolved(ruling.in_question, thrown=False))
    decided_while_rolling = before.pipeline.activity.decided_while_rolling and state.match is not None
    tipped = tuple(d.face for d in update.tipped)
    attempt = replace(
        state.attempt.next,
        decided_while_rolling=decided_while_rolling,
        rolled_off=update.rolled_out,
        beside=before.beside,
        tipped=tipped,
    )
    tray = state.tray.decided(except_ids=(*update.new_ids, *still_open), stood=state.attempt.stood)
    return replace(state, tray=tray, attempt=attempt)


def _hands_did_something(state: State) -> bool:
    """Whether the judge gives a verdict on what hands did with the dice."""
    _, verdict = judge(state.match, state.tray, state.tray_context)
    return not isinstance(verdict, NoThrow)


def _thrown_in_doubt(state: State, thrown: list[LyingDie]) -> StepResult:
    """Handles a throw that follows a waiting one.

    The waiting throw stands, whether its dice were picked up or lie there still, and the new dice belong to
    no throw.
    """
    state, ruling = _ignore(state, thrown), state.attempt.ruling
    assert isinstance(ruling, AskFaces | Doubt)
    foul = fouls.IN_DOUBT
    state, asked = ask(state, with_foul(ruling, foul))
    return state, (Ruled("foul", foul.rule, foul.text()), *asked)


def _ignore(state: State, dice: list[LyingDie]) -> State:
    """The state in which these dice belong to no throw."""
    which = ids(dice)
    tray = state.tray.map_dice(lambda d: replace(d.closed(), ignored=True) if d.id in which else d)
    return replace(state, tray=tray)


def _count_as_moved(state: State, dice: list[LyingDie]) -> State:
    """The state in which these dice were not thrown. A die that is open for another reason stays open."""
    which = ids(dice)
    return replace(state, tray=state.tray.map_dice(lambda d: d.unthrown() if d.id in which else d))


# -- nothing new lies there ----------------------------------------------------------------------------------


def _no_new_dice(before: State, state: State, update: TrayUpdate) -> StepResult:
    """No new throw: dice lie as they lay, were moved, picked up or laid back."""
    state = replace(state, thrown_unseen=state.thrown_unseen or _unseen_throw(state, update))
    state, effects = _judge_again_if_visible(state, moved=before.pipeline.activity is not Activity.STILL)
    message, notes = _other_message(before, state, update)
    if message and not isinstance(state.attempt.ruling, Pending) and state.pending_write is None:
        state = show(state, message, rule_of_notes(notes))
    return state, (*effects, *notes)


def _judge_again_if_visible(state: State, moved: bool) -> StepResult:
    """Judges the open dice anew if all are visible. moved: something moved meanwhile."""
    ruling = state.attempt.ruling
    if isinstance(ruling, Valid):
        return show(replace(state, attempt=ThrowAttempt()) if moved else state), ()
    if isinstance(ruling, Unlogged):  # what it shows is known, wherever its dice are now
        return judge_open_dice(state)
    if _picked_up(state):
        return (
            (show(state), ()) if state.attempt.stands or isinstance(ruling, Doubt) else _some_picked_up(state)
        )
    if _covered(state) or (isinstance(ruling, Rethrow) and not _all_there(state, ruling)):
        return show(state), ()
    if isinstance(ruling, Rethrow) and not ruling.missing:  # what a hand held is back
        return judge_open_dice(replace(state, attempt=replace(state.attempt, after=ruling)))
    if state.tray.open:
        return judge_open_dice(state)
    corrected = isinstance(ruling, Void | AskFaces)  # its dice lie as they should, or are no dice
    return show(replace(state, attempt=state.attempt.previous) if corrected else state), ()


def _some_picked_up(state: State) -> StepResult:
    """Dice of a throw that does not stand were picked up: a void throw ends; otherwise the rest waits."""
    remaining = replace(state, tray=replace(state.tray, lifted=tuple(d.closed() for d in state.tray.lifted)))
    match state.attempt.ruling:
        case Rethrow():
            return show(remaining), ()
        case AskFaces():
            return judge_open_dice(remaining)
        case Void() if _turned_before(remaining):
            return judge_open_dice(remaining)
        case _:
            return show(replace(decide_all(state), attempt=state.attempt.previous)), ()


def _other_message(before: State, state: State, update: TrayUpdate) -> tuple[str, tuple[Ruled, ...]]:
    """The message about dice that were not thrown, and the notes to announce."""
    if _unseen_throw(state, update):
        unseen = UNSEEN_DICE.format(what=_instead_of_unseen(state))
        return unseen, (Ruled("note", "", unseen),)
    over = knocked_over_note(d.face for d in update.tipped)
    if over:
        return over[0].text, over
    if not (isinstance(state.prompt, Roll) or throw_can_choose(state.prompt)):
        return "", ()
    if state.beside > before.beside:
        lost = state.beside - before.beside
        lie = f"{words.dice(lost).capitalize()} {'lies' if lost == 1 else 'lie'}"
        sentence = BESIDE if isinstance(state.prompt, Roll) else BESIDE_A_CHOICE
        return sentence.format(dice=lie, it=words.it_or_them(lost)), ()
    return _moved_sentence(update), ()


def _unseen_throw(state: State, update: TrayUpdate) -> bool:
    """Whether dice that came unseen could be meant as a throw.

    Set-aside dice, which have no stored picture, cannot, and neither can those of a throw that was typed.
    """
    prompt = state.prompt
    found = [d for d in state.tray.lying if d.id in update.found_ids]
    if state.match is not None and face_counts(found) == Counter(state.match.typed_faces):
        return False
    if isinstance(prompt, Choose):
        return len(found) in [o.throws for o in prompt.options]
    if isinstance(prompt, Keep):
        return bool(face_counts(found) - Counter(prompt.faces))
    known = face_counts(d for d in state.tray.lying if d.id not in update.found_ids)
    return isinstance(prompt, Roll) and bool(face_counts(found) - (Counter(prompt.beside) - known))


def _instead_of_unseen(state: State) -> str:
    """What to do about dice that came unseen. A throw in place of a choice is only one way to go on."""
    return "Choose, or throw them again" if isinstance(state.prompt, Choose | Keep) else "Throw them again"


def _moved_sentence(update: TrayUpdate) -> str:
    if not update.moved:
        return ""
    were, it = words.was_or_were(len(update.moved)), words.it_or_them(len(update.moved))
    return (
        f"The {words.listed(d.face for d in update.moved)} {were} moved, not thrown."
        f" If thrown, throw {it} again."
    )


def _picked_up(state: State) -> bool:
    """Whether a hand holds dice that are still open."""
    return any(d.open for d in state.tray.lifted)


def _covered(state: State) -> bool:
    """Whether something covers dice of the throw under judgement. They are judged when they are visible."""
    after = state.attempt.after
    return any(d.open or (after is not None and d.id in after.good) for d in state.tray.covered)


def _all_there(state: State, ruling: Rethrow) -> bool:
    return {*ruling.good, *ruling.bad} <= set(ids(state.tray.lying))
