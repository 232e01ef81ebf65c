"""A match: a game's coroutine run over the log of answers.

The events are the truth: Answered, TakenBack, Corrected. Whoever keeps a match asks it for the event (which checks), commits the
event, and only then lets it happen (`match = match.after(event)`). Everything else, prompt, sheet, rulings and view, is rebuilt
by running the coroutine over the answers. On replay each prompt is compared with the one logged; a difference stops the replay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from table.common.errors import IllegalAnswer, ReplayDiverged
from table.rules import words
from table.rules.answers import Answer, Bet, Bid, Chosen, Kept, Number, Picked, Sticks, Throw, Thrown
from table.rules.board import Board
from table.rules.game import Game, Outcome, Ruling, Seat, SettingValue, Table
from table.rules.prompts import Prompt
from table.rules.sheet import Line
from table.rules.telling import Hidden

THROWS_NAMED = 10
"""How many throws are listed where one that is none was to be corrected."""


@dataclass(frozen=True)
class Answered:
    """The prompt at `at` (as JSON, for the divergence check) and the answer it got."""

    at: int
    prompt: Mapping[str, Any]
    answer: Answer


@dataclass(frozen=True)
class TakenBack:
    """The choice at `at`, the last answer given, was taken back."""

    at: int


@dataclass(frozen=True)
class Corrected:
    """The throw at `at` was read wrongly; this is what lay there."""

    at: int
    answer: Thrown


Event = Answered | TakenBack | Corrected


@dataclass(frozen=True)
class MatchView:
    """A match at one moment, frozen, for everyone outside the thread that owns it.

    at: how many answers stand. phase: "play", "over" or "broken".
    throws: the throws that stand, in order, with the `at` that a correction needs.
    """

    game: str
    title: str
    seats: tuple[Seat, ...]
    settings: Mapping[str, SettingValue]
    at: int
    phase: str
    prompt: Prompt | None
    scores: Mapping[str, int]
    sheet: tuple[Line, ...]
    rulings: tuple[Ruling, ...]
    so_far: str
    board: Board | None
    outcome: Outcome | None
    broken: str | None
    throws: tuple[Answered, ...]
    can_take_back: bool


class Match:
    """One game being played. Not thread-safe: one thread owns it."""

    def __init__(self, game: Game, seats: Sequence[Seat], given: Mapping[str, str] | None = None) -> None:
        """Starts the game; raises UnreadableAnswer where seats or settings do not fit it."""
        self.game = game
        self.seats = tuple(seats)
        self.given = dict(given or {})
        self.settings = game.settle(self.seats, self.given)
        self.answers: list[Answered] = []
        self.outcome: Outcome | None = None
        self.broken: str | None = None
        self.prompt: Prompt | None = None
        self._remarks: list[Ruling] = []
        self._table = Table(self.seats, self.settings)
        self._play: Coroutine[Prompt, Answer, Outcome] = game.play(self._table)
        self._send(None)

    @property
    def at(self) -> int:
        """How many answers stand; the number of the prompt now asked."""
        return len(self.answers)

    @property
    def thrower(self) -> str | None:
        """Who made the last throw; None before the first."""
        thrown = next((a for a in reversed(self.answers) if isinstance(a.answer, Thrown)), None)
        return thrown.prompt["player"] if thrown else None

    @property
    def scores(self) -> dict[str, int]:
        return self._table.sheet.totals

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """In the order in which they were made; what the game itself says comes before what is said of it afterwards."""
        return tuple(sorted((*self._table.rulings, *self._remarks), key=lambda r: (r.at, r.remark)))

    # -- events: asked for, committed by the caller, then made to happen ---------------------------------------------

    def answered(self, answer: Answer) -> Answered:
        """The event of this answer to the prompt; raises IllegalAnswer where it does not fit."""
        if self.prompt is None:
            raise IllegalAnswer(f"{self._ended} Nothing is awaited; start a new game.")
        self.prompt.check(answer)
        return Answered(self.at, self.prompt.to_json(), answer)

    def taken_back(self) -> TakenBack:
        """The event of taking the last choice back; raises IllegalAnswer when the last answer was a throw."""
        if not self.answers:
            raise IllegalAnswer("There is no choice to take back yet.")
        if isinstance(self.answers[-1].answer, Thrown):
            raise IllegalAnswer("A throw is never taken back. If it was read wrongly, correct it.")
        if not self._can_take_back:
            raise IllegalAnswer("A throw is never taken back, under a cup neither. Go on with the dice that lie there.")
        return TakenBack(self.at - 1)

    @property
    def _can_take_back(self) -> bool:
        """Whether the last answer was a choice; that dice lie under a cup tells of a throw."""
        last = self.answers[-1] if self.answers else None
        return last is not None and not isinstance(last.answer, Thrown) and last.prompt["kind"] != Hidden.kind

    def corrected(self, at: int, answer: Thrown) -> Corrected:
        """The event of reading the throw at `at` anew; raises IllegalAnswer where that was no throw, or it does not fit or differ."""
        self._up_to(at, answer)
        if answer == self.answers[at].answer:
            raise IllegalAnswer(f"Throw {at} counts as {words.listed(answer.faces)} already, so there is nothing to correct.")
        return Corrected(at, answer)

    def _up_to(self, at: int, answer: Thrown) -> Match:
        """The match as it was when the throw at `at` was awaited; raises IllegalAnswer where that was no throw, or it does not fit."""
        if not 0 <= at < len(self.answers) or not isinstance(self.answers[at].answer, Thrown):
            raise IllegalAnswer(f"There is no throw {words.short(str(at))} to correct; {self._latest_throws()}.")
        again = self._replayed(self.answers[:at])
        assert again.prompt is not None
        again.prompt.check(answer)
        return again

    def dropped_by(self, event: Corrected) -> int:
        """How many answers would no longer fit once that correction had happened."""
        return self.at - self._after_correction(event.at, event.answer).at

    def _latest_throws(self) -> str:
        throws = [a.at for a in self.answers if isinstance(a.answer, Thrown)]
        if len(throws) <= THROWS_NAMED:
            return f"throws so far: {words.listed(throws)}"
        return f"the last throws are {words.listed(throws[-THROWS_NAMED:])}"

    def after(self, event: Event) -> Match:
        """The match once the event has happened; this match is used up. Raises ReplayDiverged on a log that does not fit."""
        try:
            return self._after(event)
        except IllegalAnswer as refused:
            raise ReplayDiverged(f"{event} was logged, but the rules refuse it now: {refused}") from refused

    def fork(self) -> Match:
        """The same match to try things on."""
        return self._replayed(self.answers)

    # -- running the coroutine ---------------------------------------------------------------------------------------

    def _after(self, event: Event) -> Match:
        match event:
            case Answered():
                self._step(event)
                return self
            case TakenBack(at):
                return self._after_take_back(at)
            case Corrected(at, answer):
                return self._after_correction(at, answer)

    @property
    def _ended(self) -> str:
        return f"{self.game.title} cannot go on." if self.broken else "The game is over."

    def _send(self, answer: Answer | None) -> None:
        self._table.sheet.at = len(self.answers)
        try:
            self.prompt = _prompt(self._play.send(answer))  # type: ignore[arg-type]
        except StopIteration as stop:
            self.prompt = None
            self._end(stop.value)
        except Exception as bug:  # a bug in a game must not take the table or the log down
            self.prompt = None
            self._break(f"{type(bug).__name__}: {bug}")

    def _end(self, outcome: object) -> None:
        """Nobody wins who does not sit at the table: such an ending is a bug of the game."""
        if isinstance(outcome, Outcome) and set(outcome.winners) <= set(self._table.players):
            self.outcome = outcome
        else:
            self._break(f"it ended with {outcome!r}")

    def _break(self, why: str) -> None:
        self.broken = f"{self.game.title} broke at answer {self.at}: {why}"

    def _step(self, event: Answered) -> None:
        asked = self.prompt.to_json() if self.prompt else {}
        if event.at != self.at or not _same_question(asked, event.prompt):
            then, now = _in_words(event.prompt), _in_words(asked)
            raise ReplayDiverged(f"answer {event.at} was given to {then}, but the rules now ask {now}")
        assert self.prompt is not None
        self.prompt.check(event.answer)
        self.answers.append(event)
        self._send(event.answer)

    def _replayed(self, answers: Iterable[Answered]) -> Match:
        again = Match(self.game, self.seats, self.given)
        again._remarks = list(self._remarks)
        for event in answers:
            again._step(event)
        return again

    def _after_take_back(self, at: int) -> Match:
        last = self.taken_back().at
        if last != at:
            raise ReplayDiverged(f"choice {at} was taken back, but the last answer is {last}")
        taken = self.answers[at]
        again = self._replayed(self.answers[:-1])
        again._keep_remarks_in_order()
        again._remark(f"{taken.prompt['player']} takes back: {_said(taken)}.")
        return again

    def _after_correction(self, at: int, answer: Thrown) -> Match:
        rest = self.answers[at + 1 :]
        again = self._up_to(at, answer)
        again._answer(answer)
        for i, event in enumerate(rest):
            if not again._fits(event):
                dropped = len(rest) - i
                break
            again._answer(event.answer)
        else:
            dropped = 0
        again._keep_remarks_in_order()
        again._remark(_correction_remark(self.answers[at], again.answers[at], dropped))
        return again

    def _answer(self, answer: Answer) -> None:
        self._step(self.answered(answer))

    def _fits(self, event: Answered) -> bool:
        """Whether a later answer still answers what is now asked: same kind, same player, same purpose, legal.

        Dice under a cup are as many as were asked for: no answer tells their number, so the prompts are compared.
        """
        if self.prompt is None:
            return False
        asked = self.prompt.to_json()
        keys = ("kind", "player", "for", "dice") if isinstance(self.prompt, Hidden) else ("kind", "player", "for")
        same = all(asked.get(key) == event.prompt.get(key) for key in keys)
        return same and event.answer in self.prompt

    def _remark(self, text: str) -> None:
        self._remarks.append(Ruling(self.at, text, remark=True))

    def _keep_remarks_in_order(self) -> None:
        """Where answers were dropped, older remarks move down with them, or they would come after all that is ruled from now on."""
        self._remarks = [replace(r, at=min(r.at, self.at)) for r in self._remarks]

    # -- looking -----------------------------------------------------------------------------------------------------

    def view(self) -> MatchView:
        """The match as it stands, frozen."""
        throws = [a for a in self.answers if isinstance(a.answer, Thrown)]
        return MatchView(
            game=self.game.name,
            title=self.game.title,
            seats=self.seats,
            settings=self.settings,
            at=self.at,
            phase="broken" if self.broken else "over" if self.outcome else "play",
            prompt=self.prompt,
            scores=self.scores,
            sheet=self._table.sheet.lines,
            rulings=self.rulings,
            so_far=self._table.so_far,
            board=self._table.drawn,
            outcome=self.outcome,
            broken=self.broken,
            throws=tuple(throws),
            can_take_back=self._can_take_back,
        )


def replay(game: Game, seats: Sequence[Seat], given: Mapping[str, str], events: Iterable[Event]) -> Match:
    """The match that these events make; raises ReplayDiverged at the first that does not fit."""
    match = Match(game, seats, given)
    for event in events:
        match = match.after(event)
    return match


def new_rulings(now: Iterable[Ruling], before: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """Those of `now` that were not there `before`, in their order. A remark stays the same where it moved down to fewer answers."""
    old = Counter(map(_same_ruling, before))
    new: list[Ruling] = []
    for ruling in now:
        if old[_same_ruling(ruling)]:
            old[_same_ruling(ruling)] -= 1
        else:
            new.append(ruling)
    return tuple(new)


def _same_ruling(ruling: Ruling) -> tuple[int | None, str]:
    return None if ruling.remark else ruling.at, ruling.text


def _same_question(asked: Any, logged: Any) -> bool:
    """Whether two prompts ask the same. Nearly always they are the same to the letter, which is soon seen."""
    return bool(asked == logged or _question(asked) == _question(logged))


def _question(prompt: Any) -> Any:
    """The prompt's JSON without its sentences, which may be put better in a later version, and without what the camera may see."""
    if isinstance(prompt, Mapping):
        return {key: _question(value) for key, value in prompt.items() if key not in ("text", "throws")}
    return [_question(p) for p in prompt] if isinstance(prompt, list | tuple) else prompt


def _in_words(prompt: Mapping[str, Any]) -> str:
    return f"“{prompt['text']}” ({prompt['kind']})" if prompt else "nothing"


def _prompt(awaited: object) -> Prompt:
    """What a game awaits is a prompt; raises TypeError where it awaits something else."""
    if not isinstance(awaited, Prompt):
        raise TypeError(f"it awaits {awaited!r}, which is no prompt")
    return awaited


def _said(given: Answered) -> str:
    match given.answer:
        case Chosen(option):
            return f"“{_text_of(option, given.prompt)}”"
        case Kept(faces):
            return f"keeping {words.listed(faces)}"
        case Throw(dice):
            return f"throwing {words.listed(d.face for d in dice)}"
        case Sticks(faces):
            return f"throwing {words.listed(faces)}"
        case Number(value):
            return f"{value:,}"
        case Bid(count, face):
            return f"a bid of {count} of {face}"
        case Bet(player, on, stake):
            return f"{player}'s {stake:,} on {on}"
        case Picked(items):
            return words.listed(_text_of(item, given.prompt) for item in items)


def _text_of(id_: str, prompt: Mapping[str, Any]) -> str:
    """What the prompt calls the option, or the item, of this id."""
    listed = [*prompt.get("options", ()), *prompt.get("items", ())]
    return next((str(o["text"]) for o in listed if o["id"] == id_), id_)


def _correction_remark(was: Answered, now: Answered, dropped: int) -> str:
    text = f"{was.prompt['player']}'s throw is corrected from {_lay(was, now)} to {_lay(now, was)}."
    if dropped:
        later = "answer no longer fits" if dropped == 1 else "answers no longer fit"
        text += f" {words.number(dropped).capitalize()} later {later} and must be given again."
    return text


def _lay(shown: Answered, beside: Answered) -> str:
    """The faces of a throw; the colours too where those are all that tells it from the throw beside."""
    a, b = shown.answer, beside.answer
    assert isinstance(a, Thrown)
    assert isinstance(b, Thrown)
    if isinstance(a, Sticks) or isinstance(b, Sticks) or a.faces != b.faces:
        return words.listed(a.faces)
    return words.listed(f"{d.colour or 'any'} {d.face}" for d in a.dice)
