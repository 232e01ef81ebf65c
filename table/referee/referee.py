"""The referee: what the tray shows, against what the game awaits.

One thread calls it (table/referee/desk.py). `see_state` and `see_reading` come from the eyes, `act` from people; each changes what
`snapshot()` shows. Answers are committed to the log before the match takes them.

The dice thrown since anything was decided are *open* (table/referee/tray.py). At every reading they are judged anew, until their
throw counts or somebody decides something: so another look, a hand that passed, or a disk that has room again can change the ruling,
and dice that were decided on are never judged twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from table import games
from table.errors import BrehonError, IllegalAnswer, StaleAction, WouldDrop
from table.log.store import Evidence, Log, LoggedMatch
from table.referee import actions, events, evidence
from table.referee.effects import Accepted, Asked, Ruled, Told
from table.referee.judge import Again, Ask, Counts, Nothing, Sight, Unclear, Unlogged, Verdict, Void, judge, throw_of
from table.referee.snapshot import Snapshot, TrayDie, TrayState, TrayView
from table.referee.tray import Change, LyingDie, Tray
from table.rules import words
from table.rules.answers import Answer, Chosen, Die, Kept, Throw, Thrown
from table.rules.match import Event, Match, MatchView, new_rulings, replay
from table.rules.prompts import Choose, Keep, Roll
from vision.reading import Reading

FREE_THROWS_KEPT = 50
"""How many throws made without a game are shown; they are not logged."""

OVERTAKEN = "Out of turn: the dice were rolling already when somebody tapped, so this throw is void."
UNSEEN = "Dice that came to rest while nobody could see do not count."
ROLLING_NOW = "The dice are rolling, and to throw is a choice too. Wait until they lie still."

COMING_TO_REST = (TrayState.SETTLING, TrayState.READING, TrayState.WAITING)
"""States told by the eyes in which dice may lie there that were not judged yet; WAITING where the picture could not be read."""

NOTHING = Nothing()

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Act:
    """What was done with the dice since anything was decided, and what it was ruled to be.

    after: the ruling before it, by which some dice of its throw lay there already. standing: ids of those. overtaken: it was under way
    when somebody decided something. fell_off: people said that its missing dice fell off the tray.
    """

    after: Again | None = None
    standing: tuple[int, ...] = ()
    overtaken: bool = False
    fell_off: bool = False
    ruling: Verdict = NOTHING

    @property
    def next(self) -> _Act:
        """The act that begins when dice are thrown after this one; a void throw leaves what was before it."""
        match self.ruling:
            case Again():
                return _Act(self.ruling)
            case Void() | Nothing():
                return _Act(self.after)
            case _:
                return _Act()


class Referee:
    """One table. Not thread-safe."""

    def __init__(self, log: Log, read_again: Callable[[], None] = lambda: None, first_number: int = 0, trouble: str = "") -> None:
        """Takes up the match that the log left off at; where it cannot, says why on the tray and leaves that match in the log.

        read_again: has the tray read once more. first_number: of the snapshots; one that no earlier run used keeps a tap made before
        a restart from being taken for one of now. trouble: a sentence shown until a game is started.
        """
        self._log = log
        self._read_again = read_again
        self._number = first_number
        self._trouble = trouble
        self._moved = self._blind = True
        self._rolling = self._overtaken = False
        self._jpeg: bytes | None = None
        self._match: Match | None = None
        self._logged: LoggedMatch | None = None
        self._tray = Tray()
        self._act = _Act()
        self._last: tuple[int, ...] = ()
        self._throw_at: int | None = None
        self._view = TrayView()
        self._take_up()
        self._rest()

    def _take_up(self) -> None:
        try:
            self._logged = self._log.current()
            if self._logged is not None:
                logged = self._logged
                self._match = replay(games.game(logged.game), logged.seats, logged.given, logged.events)
                self._tray, self._throw_at = evidence.tray_of(self._log.last_evidence(logged), self._match)
                self._last = _ids(self._tray.lying)
        except Exception as error:  # whatever an old or damaged log may hold: the table goes on
            logger.warning("the last match cannot be taken up", exc_info=True)
            why = f"{error}" if isinstance(error, BrehonError) else f"the log does not hold what it should ({type(error).__name__})"
            self._trouble = f"The last match cannot be taken up: {why}. It is kept in the log; start a new game."

    @property
    def match_id(self) -> int | None:
        """The log's number of the match on the table."""
        return self._logged.id if self._logged and self._match else None

    def see(self, event: events.Event, jpeg: bytes | None = None) -> tuple[Told, ...]:
        """Takes in what the eyes say; what came of it. jpeg: the picture that a TrayRead was read from."""
        before = self._match.view() if self._match else None
        ruling, free = self._act.ruling, len(self._view.free_throws)
        match event:
            case events.TrayChanged(state, message):
                self.see_state(state, message)
            case events.TrayRead(reading):
                self.see_reading(reading, jpeg)
        return self._told(before, ruling, free)

    def _told(self, before: MatchView | None, ruling: Verdict, free: int) -> tuple[Told, ...]:
        told: list[Told] = []
        if self._match and before:
            for thrown in self._match.view().throws[len(before.throws) :]:
                dice = thrown.answer.dice if isinstance(thrown.answer, Throw) else ()
                player = thrown.prompt["player"]
                told.append(Accepted(thrown.at, player, tuple(d.face for d in dice), tuple(d.colour for d in dice)))
            told += [Ruled("score", "", r.text) for r in new_rulings(self._match.rulings, before.rulings)]
        elif self._view.free_throws[free:]:
            told.append(Accepted(None, None, self._view.free_throws[-1], (None,) * len(self._view.free_throws[-1])))
        now = self._act.ruling
        if now != ruling and isinstance(now, Void):
            told.append(Ruled("foul", "G5", now.message))
        elif now != ruling and isinstance(now, Ask | Again | Unclear):
            told.append(Asked(now.message))
        return tuple(told)

    # -- what the eyes say -------------------------------------------------------------------------------------------

    def see_state(self, state: TrayState, message: str = "") -> None:
        """HAND and ROLLING: something moves on the tray; SETTLING, READING: it comes to rest; NO_CAMERA: there are no pictures.

        What was said of a foul, or asked, stays to be read while hands mend it.
        """
        if state == TrayState.NO_CAMERA:
            self._blind = True
        if state in (TrayState.HAND, TrayState.ROLLING):
            self._moved = True
            if self._view.state == TrayState.ACCEPTED:
                self._view = replace(self._view, message="")
        if state in COMING_TO_REST:
            self._rolling = self._rolling or (self._moved and not self._blind)
        else:
            self._rolling = state == TrayState.ROLLING
        self._view = replace(self._view, state=state, message=message or self._view.message)

    def see_reading(self, reading: Reading, jpeg: bytes | None = None) -> None:
        """The tray came to rest and was read. jpeg: the picture it was read from, kept behind what is accepted."""
        blind, moved, overtaken = self._blind, self._moved or self._blind, self._overtaken
        self._blind = self._moved = self._rolling = self._overtaken = False
        self._jpeg = jpeg
        self._view = replace(self._view, size_wh=reading.size_wh)
        found = self._tray.settle(reading.dice, moved)
        if blind and found.thrown and self._playing():
            self._let_lie()
            self._rest(UNSEEN)
        elif moved and found.thrown:
            self._act = replace(self._act.next, overtaken=overtaken and self._match is not None)
            self._rule(found)
        elif moved and isinstance(self._act.ruling, Counts):
            self._act = _Act()
            self._rest()
        elif isinstance(self._act.ruling, Nothing) and not self._tray.open:
            self._rest(self._where_it_lay(found))
        else:
            self._rule(self._tray.now())

    def _rule(self, found: Change) -> None:
        """Judges what lies there, as far as it is all to be seen."""
        if self._out_of_sight() or not (found.thrown or self._tray.open):
            self._rest_or_wait()
            return
        views = self._tray.views(found)
        sights = [self._sight(view) for view in views]
        which, verdict = judge(self._match, sights)
        self._tray.take(views[which])
        self._act = replace(self._act, standing=self._standing(views[which]))
        if self._act.overtaken and not isinstance(verdict, Nothing):
            verdict = Void(TrayState.OUT_OF_TURN, f"{OVERTAKEN} {self._asked()}".rstrip())
        match verdict:
            case Counts(choices):
                self._accept(sights[which].thrown, choices)
            case Nothing():
                self._act = replace(self._act, ruling=verdict)
                self._rest(_moved_sentence(found) if not sights[which].thrown else "")
            case _:
                self._ask_people(verdict)

    def _sight(self, view: Change) -> Sight:
        standing = self._standing(view)
        open_ = tuple(d for d in (*view.left, *view.thrown) if d.open)
        other = tuple(d for d in (*view.left, *view.thrown) if not d.open and d.id not in standing)
        return Sight(
            (*(d for d in view.left if d.id in standing), *open_),
            other,
            view.gone,
            tuple(d for d in other if d.id in self._last),
            view.turned,
            self._act.fell_off,
        )

    def _standing(self, view: Change) -> tuple[int, ...]:
        """ids of the dice of earlier acts that belong to this throw: those that stood, if all of them lie there still."""
        good = set(self._act.after.good) if self._act.after else set()
        return self._act.after.good if self._act.after and good <= {d.id for d in view.left} else ()

    def _out_of_sight(self) -> bool:
        """Whether dice of the throw under judgement were picked up or are covered."""
        return any(d.open for d in self._tray.hidden) or not set(self._act.standing) <= {d.id for d in self._tray.lying}

    def _rest_or_wait(self) -> None:
        """Nothing new lies there. Dice that stand go on waiting for the rest of their throw."""
        ruling = self._act.ruling
        if isinstance(ruling, Again) and set(ruling.good) <= {d.id for d in self._tray.lying}:
            self._show(ruling.state, ruling.message)
        else:
            if not self._tray.open and not self._out_of_sight() and not isinstance(ruling, Counts):
                self._act = _Act(ruling=self._act.after or NOTHING)  # what was asked about is no die
            self._rest()

    def _where_it_lay(self, found: Change) -> str:
        """What is said where one of several dice that went out of sight is back alone, and as many dice are awaited: very likely it lay
        there all the time, but it may have been thrown."""
        prompt = self._match.prompt if self._match else None
        if not isinstance(prompt, Roll) or len(found.back) != prompt.count or not found.gone:
            return ""
        lies = "lies where it lay" if len(found.back) == 1 else "lie where they lay"
        return f"The {words.listed(d.face for d in found.back)} {lies} before, so this is no throw. If it was thrown, throw again."

    def _ask_people(self, ruling: Void | Again | Ask | Unclear | Unlogged) -> None:
        """Shows something that a person has to mend or say; what they tap must belong to it, so the number moves on."""
        if ruling != self._act.ruling:
            self._number += 1
        self._act = replace(self._act, ruling=ruling)
        self._show(ruling.state, ruling.message)

    def _accept(self, thrown: Sequence[LyingDie], choices: tuple[Answer, ...]) -> None:
        at, message = None, ""
        if self._match is not None and self._playing():
            at = self._match.at + len(choices)
            kept = evidence.of_throw(at, thrown, self._jpeg, self._view.size_wh)
            try:
                self._commit((*choices, throw_of(thrown)), kept)
            except BrehonError as error:
                logger.warning("a throw could not be logged: %s", error)
                self._ask_people(Unlogged(f"{words.sentence(str(error))} The throw counts once the tray is read again."))
                return
        else:
            faces = tuple(d.face for d in thrown)
            self._view = replace(self._view, free_throws=(*self._view.free_throws, faces)[-FREE_THROWS_KEPT:])
            message = f"Read: {words.listed(faces)}."
        self._last, self._throw_at = _ids(thrown), at
        self._let_lie()
        self._tray.forget_hidden()
        self._act = _Act(ruling=Counts())
        self._rest(message)

    def _commit(self, answers: Sequence[Answer], kept: Evidence | None = None) -> None:
        """Checks the answers, writes them in one commit, and only then lets the match take them."""
        match, logged = self._on_table()
        events = _events(match, answers)
        self._logged = self._log.append(logged, events, kept)
        for event in events:
            match = match.after(event)
        self._match = match
        self._number += 1

    # -- what people say ---------------------------------------------------------------------------------------------

    def act(self, action: actions.Action) -> tuple[Told, ...]:
        """Does what was asked; what came of it. Raises a BrehonError with a sentence where it cannot, and then has changed nothing."""
        before = self._match.view() if self._match else None
        ruling, free = self._act.ruling, len(self._view.free_throws)
        self._do(action)
        return self._told(before, ruling, free)

    def _do(self, action: actions.Action) -> None:
        number = getattr(action, "number", None)
        if number is not None and number != self._number:
            raise StaleAction("Somebody was quicker: the table has moved on. Look again, then choose again.")
        match action:
            case actions.Start():
                self._start(action)
            case actions.Give(answer=Throw() as answer):
                self._throw_by_hand(answer)
            case actions.Give(answer=answer):
                self._choose(answer)
            case actions.TakeBack():
                self._happen(lambda match: match.taken_back())
                self._look_anew()
            case actions.Correct(at=at, answer=answer, anyway=anyway):
                self._correct(at, answer, anyway)
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
        self._trouble = ""
        self._view = replace(self._view, free_throws=())
        self._forget_throw()
        self._decided()

    def _choose(self, answer: Answer) -> None:
        self._on_table()
        ruling = self._act.ruling
        if isinstance(ruling, Again | Unlogged) or (isinstance(ruling, Ask) and not self._out_of_sight()):
            raise IllegalAnswer(f"A throw was made that is not settled yet. {ruling.message}")
        if self._throws_choose():
            self._check_that_nothing_rolls()
        self._commit((answer,))
        self._overtaken |= self._rolling
        if isinstance(ruling, Ask):  # its dice are gone
            self._let_lie()
        self._look_anew()

    def _throw_by_hand(self, answer: Throw) -> None:
        match, _ = self._on_table()
        self._commit((answer,), evidence.of_throw(match.at, (), None, self._view.size_wh))
        self._forget_throw()
        self._decided()

    def _happen(self, event_of: Callable[[Match], Event]) -> None:
        match, logged = self._on_table()
        event, asked = event_of(match), match.prompt
        self._logged = self._log.append(logged, [event])
        self._match = match.after(event)
        self._overtaken |= self._rolling and self._match.prompt != asked
        self._number += 1

    def _correct(self, at: int, answer: Thrown, anyway: bool) -> None:
        match, _ = self._on_table()
        told = _with_colours(match, at, answer)
        if not anyway:
            _check_that_nothing_drops(match, at, told)
        self._happen(lambda match: match.corrected(at, told))
        if at == self._throw_at and isinstance(told, Throw):
            self._tray.count_as(dict(zip(self._last, told.faces, strict=True)))
        if self._throw_at is not None and self._match is not None and self._throw_at >= self._match.at:
            self._forget_throw()
        self._look_anew()

    def _settle(self, faces: tuple[int | None, ...]) -> None:
        """A person says what the dice show that could not be read surely, or that seem to lean; None where there is no die, or where it
        does lean."""
        ruling = self._act.ruling
        if not isinstance(ruling, Ask | Again) or not ruling.asked or self._out_of_sight():
            raise IllegalAnswer("No die is being asked about now.")
        self._check_that_nothing_rolls()
        if len(faces) != len(ruling.asked):
            raise IllegalAnswer(f"{words.dice(len(ruling.asked)).capitalize()} asked about; {words.number(len(faces))} came.")
        told = dict(zip(ruling.asked, faces, strict=True))
        self._tray.count_as({die: face for die, face in told.items() if face is not None})
        if isinstance(ruling, Again):
            self._tray.lie_flat(die for die, face in told.items() if face is not None)
        else:
            self._tray.not_thrown(die for die, face in told.items() if face is None)
        self._rule(self._tray.now())

    def _fell_off(self) -> None:
        """A throw with too few dice was a whole one, of which some fell off the tray."""
        if not self._short():
            raise IllegalAnswer("No throw with too few dice lies on the tray now.")
        self._check_that_nothing_rolls()
        self._act = replace(self._act, fell_off=True)
        self._rule(self._tray.now())

    def _end(self) -> None:
        _, logged = self._on_table()
        self._log.end(logged, "ended by a player")
        self._logged = self._match = None
        self._forget_throw()
        self._decided()

    def _confirm(self) -> None:
        answer = self._confirmed()
        if answer is None:
            raise IllegalAnswer("There is nothing to confirm now.")
        self._choose(answer)

    def _check_that_nothing_rolls(self) -> None:
        if self._rolling:
            raise IllegalAnswer(ROLLING_NOW)

    def _on_table(self) -> tuple[Match, LoggedMatch]:
        if self._match is None or self._logged is None:
            raise IllegalAnswer("No game is on. Start one first.")
        return self._match, self._logged

    def _forget_throw(self) -> None:
        """None of the dice on the tray belongs to a throw of the match."""
        self._last, self._throw_at = (), None

    def _decided(self) -> None:
        """Something was decided that has nothing to do with the dice on the tray."""
        self._overtaken |= self._rolling
        self._let_lie()
        self._number += 1
        self._rest()

    def _look_anew(self) -> None:
        """The match has changed under the dice: a throw that waits for something may mean something else now; others are decided."""
        if isinstance(self._act.ruling, Ask | Again | Unclear | Unlogged):
            self._rule(self._tray.now())
        else:
            self._let_lie()
            self._rest()

    def _let_lie(self) -> None:
        """The dice on the tray belong to nothing that is still to be judged."""
        self._tray.decided()
        self._act = _Act()

    # -- showing -----------------------------------------------------------------------------------------------------

    def _asked(self) -> str:
        prompt = self._match.prompt if self._match else None
        return prompt.text if prompt else ""

    def _playing(self) -> bool:
        return self._match is not None and self._match.prompt is not None

    def _short(self) -> bool:
        return isinstance(self._act.ruling, Void) and self._act.ruling.short > 0 and not self._out_of_sight()

    def _rest(self, message: str = "") -> None:
        """Nothing is to be mended or said; `message` tells what was seen."""
        waiting = TrayState.WAITING if self._playing() or self._tray.lying else TrayState.EMPTY
        state = TrayState.ACCEPTED if isinstance(self._act.ruling, Counts) else waiting
        self._show(state, (self._trouble if self._match is None else "") or message)

    def _show(self, state: TrayState, message: str) -> None:
        self._view = replace(
            self._view,
            state=state,
            message=message,
            dice=tuple(self._shown(d) for d in self._tray.lying),
            throw_at=self._throw_at,
            short=self._short(),
        )

    def _shown(self, die: LyingDie) -> TrayDie:
        seen, ruling = replace(die.seen, face=die.face, cocked=die.leans), self._act.ruling
        if isinstance(ruling, Ask) and die.id in ruling.asked:
            return TrayDie(seen, "asked", ruling.asked.index(die.id))
        if isinstance(ruling, Again) and die.id in ruling.asked and not self._out_of_sight():
            return TrayDie(seen, "asked", ruling.asked.index(die.id))
        if isinstance(ruling, Again) and die.id in ruling.bad:
            return TrayDie(seen, "asked")
        if isinstance(ruling, Ask | Again):
            return TrayDie(seen, "thrown" if die.open or die.id in self._act.standing else "still")
        if die.id in self._last:
            return TrayDie(seen, "thrown", self._last.index(die.id))
        return TrayDie(seen, "still")

    def _confirmed(self) -> Answer | None:
        """What the hold/confirm button means: the one option that no throw can make, or keeping the only die there is."""
        prompt = self._match.prompt if self._match else None
        if isinstance(self._act.ruling, Ask | Again | Unlogged):
            return None
        if isinstance(prompt, Choose):
            taps = [o.id for o in prompt.options if o.throws is None]
            return Chosen(taps[0]) if len(taps) == 1 else None
        if isinstance(prompt, Keep) and len(prompt.faces) == 1:
            return Kept(prompt.faces)
        return None

    def _throws_choose(self) -> bool:
        """Whether throwing dice would answer the prompt."""
        prompt = self._match.prompt if self._match else None
        return isinstance(prompt, Keep) or (isinstance(prompt, Choose) and any(o.throws is not None for o in prompt.options))

    def snapshot(self) -> Snapshot:
        """The table as it stands; `seq`, `run` and `camera` are for the desk to fill in."""
        match = self._match.view() if self._match else None
        return Snapshot(number=self._number, match=match, tray=self._view, can_confirm=_name(self._confirmed()))


def _ids(dice: Iterable[LyingDie]) -> tuple[int, ...]:
    return tuple(d.id for d in dice)


def _events(match: Match, answers: Sequence[Answer]) -> list[Event]:
    """What these answers will be once they have happened, one after the other; only several have to be tried on."""
    trying, events = match.fork() if len(answers) > 1 else match, list[Event]()
    for answer in answers:
        events.append(trying.answered(answer))
        if len(answers) > 1:
            trying = trying.after(events[-1])
    return events


def _with_colours(match: Match, at: int, answer: Thrown) -> Thrown:
    """A correction that gives faces alone keeps the colours that were seen."""
    was = match.answers[at].answer if 0 <= at < match.at else None
    if not isinstance(was, Throw) or not isinstance(answer, Throw) or len(was.dice) != len(answer.dice):
        return answer
    return Throw(tuple(Die(d.face, d.colour or w.colour) for d, w in zip(answer.dice, was.dice, strict=True)))


def _check_that_nothing_drops(match: Match, at: int, told: Thrown) -> None:
    """Raises WouldDrop where later answers would no longer fit the corrected throw."""
    drops = match.dropped_by(match.corrected(at, told))
    if drops:
        answers, have = ("answer", "has") if drops == 1 else ("answers", "have")
        raise WouldDrop(f"{words.number(drops).capitalize()} later {answers} would no longer fit and {have} to be given again.", drops)


def _name(answer: Answer | None) -> str | None:
    return answer.option if isinstance(answer, Chosen) else "keep" if answer else None


def _moved_sentence(found: Change) -> str:
    """Dice that lie almost where they lay, as they lay, were nudged."""
    if not found.thrown:
        return ""
    were, it = ("was", "it") if len(found.thrown) == 1 else ("were", "them")
    dice = words.listed(d.face for d in found.thrown)
    return f"The {dice} {were} moved, not thrown. If thrown, throw {it} again."
