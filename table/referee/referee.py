"""The referee: what the tray shows, against what the game awaits.

One thread calls it (table/referee/desk.py). `see_state` and `see_reading` come from the eyes, `act` from people; each changes what
`snapshot()` shows. Answers are committed to the log before the match takes them. A throw that waits for something, a face that a
person must say or a die to be thrown again alone, is `_pending` until that came, or until its dice were picked up; a throw that was
ruled void is `_void` as long as its dice lie there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from table import games
from table.errors import BrehonError, IllegalAnswer, StaleAction
from table.log.store import Evidence, Log, LoggedMatch
from table.referee import actions, evidence
from table.referee.judge import Accepted, Nothing, Sight, Void, judge, throw_of
from table.referee.snapshot import Snapshot, TrayDie, TrayState, TrayView
from table.referee.tray import Change, LyingDie, Tray, stacked_dice
from table.rules import words
from table.rules.answers import Answer, Chosen, Die, Kept, Throw
from table.rules.match import Event, Match, replay
from table.rules.prompts import Choose, Keep
from vision.reading import Reading

FREE_THROWS_KEPT = 50
"""How many throws made without a game are shown; they are not logged."""

OVERTAKEN = "Out of turn: the dice were rolling already when somebody tapped, so this throw is void."

TROUBLE = {
    TrayState.COCKED: "leaning, so that no face looks up",
    TrayState.STACKED: "lying on one another",
    TrayState.OFF_THE_TRAY: "off the tray",
}


@dataclass(frozen=True)
class _Pending:
    """A throw that cannot count yet.

    dice: ids of its dice so far. choices: what it implied. missing: dice still to be thrown, alone. asked: ids of those of its dice
    whose face a person is to say. bad: ids of dice that lie there but do not count, leaning or stacked. state, message: what is shown.
    """

    dice: tuple[int, ...]
    choices: tuple[Answer, ...] = ()
    missing: int = 0
    asked: tuple[int, ...] = ()
    bad: tuple[int, ...] = ()
    state: TrayState = TrayState.WAITING
    message: str = ""


class Referee:
    """One table. Not thread-safe."""

    def __init__(self, log: Log, read_again: Callable[[], None] = lambda: None) -> None:
        """Takes up the match that the log left off at; where it cannot, says why on the tray and leaves that match in the log."""
        self._log = log
        self._read_again = read_again
        self._number = 0
        self._moved = True
        self._first = True
        self._overtaken = False
        self._jpeg: bytes | None = None
        self._pending: _Pending | None = None
        self._void: _Pending | None = None
        self._accepted = False
        self._match: Match | None = None
        self._logged = log.current()
        self._tray, self._last = Tray(), tuple[int, ...]()
        self._throw_at: int | None = None
        self._view = TrayView()
        trouble = self._take_up()
        if self._match is not None and self._logged is not None:
            self._tray, self._throw_at = evidence.tray_of(log.last_evidence(self._logged))
            self._last = _ids(self._tray.lying)
        self._show(TrayState.EMPTY, trouble)

    def _take_up(self) -> str:
        if self._logged is None:
            return ""
        try:
            logged = self._logged
            self._match = replay(games.game(logged.game), logged.seats, logged.given, logged.events)
        except (BrehonError, LookupError, TypeError, ValueError) as error:
            return f"The last match cannot be taken up: {error}. It is kept in the log; start a new game."
        return ""

    @property
    def match_id(self) -> int | None:
        """The log's number of the match on the table."""
        return self._logged.id if self._logged and self._match else None

    # -- what the eyes say -------------------------------------------------------------------------------------------

    def see_state(self, state: TrayState, message: str = "") -> None:
        """HAND and ROLLING: something moves on the tray; SETTLING, READING: it comes to rest; NO_CAMERA: there are no pictures.

        What was said of a foul, or asked, stays to be read while hands mend it.
        """
        if state == TrayState.NO_CAMERA:
            self._first = True
        if state in (TrayState.HAND, TrayState.ROLLING):
            self._moved = True
            if self._view.state == TrayState.ACCEPTED:
                self._view = replace(self._view, message="")
        self._view = replace(self._view, state=state, message=message or self._view.message)

    def see_reading(self, reading: Reading, jpeg: bytes | None = None) -> None:
        """The tray came to rest and was read. jpeg: the picture it was read from, kept behind what is accepted."""
        moved, self._moved = self._moved, False
        if self._accepted and not moved:
            self._show(TrayState.ACCEPTED)
            return
        self._jpeg = jpeg
        self._view = replace(self._view, size_wh=reading.size_wh)
        found = self._tray.settle(reading.dice, moved or self._first)
        first, self._first = self._first, False
        if first and self._playing():
            self._pending = self._void = None
            self._rest()
            return
        try:
            self._rule_on(found)
        except BrehonError as error:
            self._show(TrayState.WAITING, f"{error}. The throw has not counted; read the tray again.")

    def _rule_on(self, found: Change) -> None:
        if self._pending is not None:
            if _stands(self._pending, found):
                self._go_on_waiting(self._pending, found)
                return
            self._pending = None
        if self._void is not None and not found.thrown and _stands(self._void, found):
            self._show(self._void.state, self._void.message)
            return
        self._void = None
        overtaken, self._overtaken = self._overtaken, False
        if not found.thrown:
            self._rest()
        elif overtaken and self._match is not None:
            self._rule_void(found, TrayState.OUT_OF_TURN, f"{OVERTAKEN} {self._asked()}".rstrip())
        elif not self._playing():
            self._consider(_Pending(_ids(found.thrown)))
        else:
            self._judge(found)

    def _judge(self, found: Change) -> None:
        assert self._match is not None
        last = tuple(d for d in found.left if d.id in self._last)
        match judge(self._match, Sight(found.thrown, found.left, found.gone, last)):
            case Nothing():
                self._rest()
            case Void(state, message, short, choices):
                self._rule_void(found, state, message, short, choices)
            case Accepted(choices):
                self._tray.forget_hidden()
                self._consider(_Pending(_ids(found.thrown), choices))

    def _rule_void(
        self, found: Change, state: TrayState, message: str, short: int = 0, choices: tuple[Answer, ...] = ()
    ) -> None:
        self._tray.forget_hidden()
        self._void = _Pending(_ids(found.thrown), choices, missing=short, state=state, message=message)
        self._ask_people(state, message)

    # -- a throw that waits for something ----------------------------------------------------------------------------

    def _go_on_waiting(self, pending: _Pending, found: Change) -> None:
        if found.thrown:
            self._consider(_Pending((*pending.dice, *_ids(found.thrown)), pending.choices))
        else:
            self._show(pending.state, pending.message)

    def _consider(self, throw: _Pending) -> None:
        """Accepts the throw, unless dice of it lean, lie on one another, or were not surely read."""
        dice = self._dice(throw.dice)
        cocked, stacked = _ids(d for d in dice if d.seen.cocked), stacked_dice(dice)
        unsure = tuple(d for d in dice if not d.seen.sure)
        if cocked or stacked:
            bad = tuple(i for i in throw.dice if i in cocked or i in stacked)
            good = tuple(i for i in throw.dice if i not in bad)
            state = TrayState.COCKED if cocked else TrayState.STACKED
            self._wait_for_rest(state, replace(throw, dice=good, missing=len(bad), bad=bad))
        elif unsure:
            self._wait(replace(throw, asked=_ids(unsure), state=TrayState.UNSURE, message=_which_face(unsure)))
        else:
            self._accept(throw)

    def _wait_for_rest(self, state: TrayState, throw: _Pending) -> None:
        """The dice of the throw stand; those that are missing are thrown again alone (shared rule G4)."""
        dice, it = words.dice(throw.missing).capitalize(), "it" if throw.missing == 1 else "them"
        others = ", and leave the others as they lie" if throw.dice else ""
        self._wait(replace(throw, state=state, message=f"{dice} {TROUBLE[state]}: throw {it} again alone{others}."))

    def _wait(self, pending: _Pending) -> None:
        self._pending = pending
        self._ask_people(pending.state, pending.message)

    def _accept(self, throw: _Pending) -> None:
        dice = self._dice(throw.dice)
        if self._playing():
            assert self._match is not None
            at = self._match.at + len(throw.choices)
            kept = evidence.of_throw(at, dice, self._jpeg, self._view.size_wh)
            self._commit((*throw.choices, throw_of(dice)), kept)
            self._counts(throw, at, "")
        else:
            faces = tuple(d.face for d in dice)
            self._view = replace(self._view, free_throws=(*self._view.free_throws, faces)[-FREE_THROWS_KEPT:])
            self._counts(throw, None, f"Read: {words.listed(faces)}.")

    def _counts(self, throw: _Pending, at: int | None, message: str) -> None:
        self._last, self._throw_at = throw.dice, at
        self._pending, self._accepted = None, True
        self._show(TrayState.ACCEPTED, message)

    def _commit(self, answers: Sequence[Answer], kept: Evidence | None = None) -> None:
        """Checks the answers, writes them in one commit, and only then lets the match take them."""
        assert self._match is not None
        assert self._logged is not None
        fork, events = self._match.fork(), []
        for answer in answers:
            events.append(fork.answered(answer))
            fork = fork.after(events[-1])
        self._logged = self._log.append(self._logged, events, kept)
        self._match = fork
        self._number += 1

    # -- what people say ---------------------------------------------------------------------------------------------

    def act(self, action: actions.Action) -> None:
        """Does what was asked; raises a BrehonError with a sentence where it cannot, and then has changed nothing."""
        number = getattr(action, "number", None)
        if number is not None and number != self._number:
            raise StaleAction("Somebody was quicker: the table has moved on. Look again, then choose again.")
        match action:
            case actions.Start():
                self._start(action)
            case actions.Give(answer=answer):
                self._give(answer)
            case actions.TakeBack():
                self._happen(lambda match: match.taken_back())
            case actions.Correct(at=at, answer=answer):
                self._correct(at, answer)
            case actions.Settle(faces=faces):
                self._settle(faces)
            case actions.FellOff():
                self._fell_off()
            case actions.End():
                self._end()
            case actions.Confirm():
                self._confirm()
            case actions.ReadAgain():
                self._read_again()

    def _start(self, action: actions.Start) -> None:
        game = games.game(action.game)
        match = Match(game, action.seats, action.given)
        self._logged = self._log.start(game.name, action.seats, action.given, ending=self._logged)
        self._match = match
        self._view = replace(self._view, free_throws=())
        self._forget_throw()
        self._decided()

    def _give(self, answer: Answer) -> None:
        self._on_table()
        self._commit((answer,))
        if isinstance(answer, Throw):
            self._forget_throw()
        self._decided()

    def _happen(self, event_of: Callable[[Match], Event]) -> None:
        match, logged = self._on_table()
        event = event_of(match)
        self._logged = self._log.append(logged, [event])
        self._match = match.after(event)
        self._decided()

    def _correct(self, at: int, answer: Throw) -> None:
        match, _ = self._on_table()
        told = _with_colours(match, at, answer)
        self._happen(lambda match: match.corrected(at, told))
        if at == self._throw_at:
            self._tray.recount(dict(zip(self._last, told.faces, strict=True)))
            self._rest()

    def _settle(self, faces: tuple[int, ...]) -> None:
        """A person says what the dice show that could not be read surely."""
        pending = self._pending
        if pending is None or not pending.asked:
            raise IllegalAnswer("No die is being asked about now.")
        if len(faces) != len(pending.asked):
            raise IllegalAnswer(f"{words.dice(len(pending.asked)).capitalize()} asked about; {words.number(len(faces))} came.")
        self._tray.recount(dict(zip(pending.asked, faces, strict=True)))
        self._accept(replace(pending, asked=()))

    def _fell_off(self) -> None:
        """A throw with too few dice was a whole one, of which some fell off the tray."""
        if self._void is None or not self._void.missing:
            raise IllegalAnswer("No throw with too few dice lies on the tray now.")
        short, self._void = self._void, None
        self._wait_for_rest(TrayState.OFF_THE_TRAY, short)

    def _end(self) -> None:
        _, logged = self._on_table()
        self._log.end(logged, "ended by a player")
        self._logged = self._match = None
        self._forget_throw()
        self._decided()

    def _confirm(self) -> None:
        answer = _confirmed(self._match)
        if answer is None:
            raise IllegalAnswer("There is nothing to confirm now.")
        self._give(answer)

    def _on_table(self) -> tuple[Match, LoggedMatch]:
        if self._match is None or self._logged is None:
            raise IllegalAnswer("No game is on. Start one first.")
        return self._match, self._logged

    def _forget_throw(self) -> None:
        """None of the dice on the tray belongs to a throw of the match."""
        self._last, self._throw_at = (), None

    def _decided(self) -> None:
        """Something was decided by hand; dice that roll meanwhile were thrown for what was asked before."""
        self._overtaken |= self._view.state in (TrayState.ROLLING, TrayState.SETTLING)
        self._pending = self._void = None
        self._number += 1
        self._rest()

    # -- showing -----------------------------------------------------------------------------------------------------

    def _asked(self) -> str:
        prompt = self._match.prompt if self._match else None
        return prompt.text if prompt else ""

    def _playing(self) -> bool:
        return self._match is not None and self._match.prompt is not None

    def _dice(self, ids: Sequence[int]) -> tuple[LyingDie, ...]:
        lying = {d.id: d for d in self._tray.lying}
        return tuple(lying[i] for i in ids)

    def _ask_people(self, state: TrayState, message: str) -> None:
        """Shows something that a person has to mend or say; what they tap must belong to it, so the number moves on."""
        self._number += 1
        self._accepted = False
        self._show(state, message)

    def _rest(self) -> None:
        self._accepted = False
        waiting = self._playing() or self._tray.lying
        self._show(TrayState.WAITING if waiting else TrayState.EMPTY)

    def _show(self, state: TrayState, message: str = "") -> None:
        self._view = replace(
            self._view,
            state=state,
            message=message,
            dice=tuple(self._shown(d) for d in self._tray.lying),
            throw_at=self._throw_at,
            short=self._void is not None and self._void.missing > 0,
        )

    def _shown(self, die: LyingDie) -> TrayDie:
        seen = replace(die.seen, face=die.face)
        pending = self._pending
        if pending is not None and die.id in (*pending.asked, *pending.bad):
            return TrayDie(seen, "asked", pending.asked.index(die.id) if die.id in pending.asked else None)
        if pending is not None and die.id in pending.dice:
            return TrayDie(seen, "thrown")
        if die.id in self._last and pending is None:
            return TrayDie(seen, "thrown", self._last.index(die.id))
        return TrayDie(seen, "still")

    def snapshot(self) -> Snapshot:
        """The table as it stands; `seq` and `camera` are for the desk to fill in."""
        match = self._match.view() if self._match else None
        return Snapshot(number=self._number, match=match, tray=self._view, can_confirm=_name(_confirmed(self._match)))


def _stands(throw: _Pending, found: Change) -> bool:
    """Whether its dice lie there yet, and nothing more was thrown than the dice it waits for."""
    lying = {d.id for d in found.left}
    return lying.issuperset(throw.dice) and len(found.thrown) in (0, throw.missing)


def _ids(dice: Iterable[LyingDie]) -> tuple[int, ...]:
    return tuple(d.id for d in dice)


def _with_colours(match: Match, at: int, answer: Throw) -> Throw:
    """A correction that gives faces alone keeps the colours that were seen."""
    was = match.answers[at].answer if 0 <= at < match.at else None
    if not isinstance(was, Throw) or len(was.dice) != len(answer.dice):
        return answer
    return Throw(tuple(Die(d.face, d.colour or w.colour) for d, w in zip(answer.dice, was.dice, strict=True)))


def _confirmed(match: Match | None) -> Answer | None:
    """What the hold/confirm button means: the one option that no throw can make, or keeping the only die there is."""
    prompt = match.prompt if match else None
    if isinstance(prompt, Choose):
        taps = [o.id for o in prompt.options if o.throws is None]
        return Chosen(taps[0]) if len(taps) == 1 else None
    if isinstance(prompt, Keep) and len(prompt.faces) == 1:
        return Kept(prompt.faces)
    return None


def _name(answer: Answer | None) -> str | None:
    return answer.option if isinstance(answer, Chosen) else "keep" if answer else None


def _which_face(dice: Sequence[LyingDie]) -> str:
    if len(dice) > 1:
        return f"{words.dice(len(dice)).capitalize()} could not be read surely. Tap each and say what it shows."
    faces = [face for face, _ in dice[0].seen.likely[:2]] or [dice[0].face]
    return f"One die could not be read surely: {words.listed(faces, 'or')}? Tap it and say what it shows."
