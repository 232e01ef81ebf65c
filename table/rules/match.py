"""A match: the coroutine of a game, run over the log of answers.

The log keeps only events: Answered, TakenBack and Corrected. A caller gets an event from the match, which
checks it, writes the event to the log, and then applies it (`match = match.after(event)`). The match rebuilds
prompt, sheet, rulings and view by running the coroutine over the answers. A replay compares each prompt with
the prompt in the log. A difference stops the replay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from table.common.errors import IllegalAnswer, ReplayDiverged
from table.rules import words
from table.rules.answers import Answer, Bet, Bid, Chosen, Kept, Number, Picked, Sticks, Throw, Thrown
from table.rules.best_play import Played
from table.rules.board import Board, OpenDie
from table.rules.entered_prompts import Hidden
from table.rules.following import as_thrown, kept_after
from table.rules.game import Game, Outcome, Ruling, Seat, SettingValue, Table
from table.rules.pieces import Standing, moves_text
from table.rules.programme import Programme
from table.rules.prompts import Prompt
from table.rules.sheet import Line, RowNote
from table.rules.towers import Tower

MAX_THROWS_LISTED = 10
"""Largest number of throws that the message lists when there is no such throw to correct."""

MAX_DROPPED_NAMED = 6
"""Largest number of dropped answers that a message names; the others are counted."""


@dataclass(frozen=True)
class Answered:
    """An answer. at: its number. prompt: the prompt that it answers, as JSON, to compare it on a replay.

    typed: whether it is a throw that a person typed, because the camera could not see it.
    """

    at: int
    prompt: Mapping[str, Any]
    answer: Answer
    typed: bool = False


@dataclass(frozen=True)
class TakenBack:
    """The last answer, the choice with the number `at`, was taken back."""

    at: int


@dataclass(frozen=True)
class Corrected:
    """The throw with the number `at` was read wrongly. answer: the correct reading.

    keeps: whether the dice that were kept from it stay kept by their corrected faces where these can be told,
    unlike in older logs.
    """

    at: int
    answer: Thrown
    keeps: bool = False


Event = Answered | TakenBack | Corrected


@dataclass(frozen=True)
class MatchView:
    """A match at one moment, frozen, for use outside the thread that owns the match.

    at: the number of valid answers. phase: "play", "over" or "broken".
    throws: the valid throws in order, each with the `at` that a correction needs.
    played: the prompts at which the coach knows best play, each with its answer.
    hidden_since: the number of the prompt since which dice lie under cups; None if none do.
    games_won: the games that each player has won; empty for a match of one game.
    towers: the towers of dice that stand on the tray, as the game knows them.
    lifted: the dice that came to light under the lifted cups.
    seat_order: the players clockwise.
    row_notes: what stands below rows of the sheet.
    scores_count: as in Game.
    recent_at: as in Match.
    unusual: the settings that are not the usual ones, in words.
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
    played: tuple[Played, ...] = field(default=(), compare=False, repr=False)
    hidden_since: int | None = None
    games_won: Mapping[str, int] = field(default_factory=dict)
    programme: Programme | None = None
    towers: tuple[Tower, ...] = ()
    lifted: tuple[OpenDie, ...] = ()
    seat_order: tuple[str, ...] = ()
    row_notes: tuple[RowNote, ...] = ()
    scores_count: tuple[str, str] | None = None
    unusual: tuple[str, ...] = ()
    recent_at: int = 0


class Match:
    """One game being played. Not thread-safe: one thread owns it."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        raw_settings: Mapping[str, str] | None = None,
        logged: bool = False,
    ) -> None:
        """Starts the game; raises UnreadableAnswer if seats or settings do not fit it.

        logged: as in Game.parse_settings.
        """
        self.game = game
        self.seats = tuple(seats)
        self.raw_settings = dict(raw_settings or {})
        self.settings = game.parse_settings(self.seats, self.raw_settings, logged)
        self.answers: list[Answered] = []
        self.outcome: Outcome | None = None
        self.broken: str | None = None
        self.prompt: Prompt | None = None
        self._remarks: list[Ruling] = []
        self._played: list[Played] = []
        self._table = Table(self.seats, self.settings)
        self._play: Coroutine[Prompt, Answer, Outcome] = game.play(self._table)
        self._send(None)

    @property
    def at(self) -> int:
        """The number of valid answers, which is also the number of the current prompt."""
        return len(self.answers)

    @property
    def thrower(self) -> str | None:
        """The player of the last throw; None before the first throw."""
        thrown = next((a for a in reversed(self.answers) if isinstance(a.answer, Thrown)), None)
        return thrown.prompt["player"] if thrown else None

    @property
    def typed_faces(self) -> tuple[int, ...]:
        """The faces of the last throw of dice if it was typed, else none."""
        thrown = next((a for a in reversed(self.answers) if isinstance(a.answer, Throw)), None)
        return thrown.answer.faces if thrown and thrown.typed and isinstance(thrown.answer, Throw) else ()

    @property
    def towers(self) -> tuple[Tower, ...]:
        """The towers of dice that stand on the tray; empty for a game without towers."""
        return self._table.towers

    @property
    def hidden_since(self) -> int | None:
        """The number of the prompt since which dice lie under cups; None if none do."""
        return self._table.hidden_since if self.prompt else None

    @property
    def scores(self) -> dict[str, int]:
        return self._table.sheet.totals

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings in their order; those of the game come before remarks with the same number."""
        return tuple(sorted((*self._table.rulings, *self._remarks), key=lambda r: (r.at, r.remark)))

    # -- events: the match checks them, the caller logs them, after() applies them ---------------------------

    def answered(self, answer: Answer) -> Answered:
        """The event of this answer to the prompt; raises IllegalAnswer if the prompt does not allow it."""
        if self.prompt is None:
            raise IllegalAnswer(f"{self._ended} Start a new game.")
        self.prompt.check(answer)
        return Answered(self.at, self.prompt.to_json(), answer)

    def taken_back(self) -> TakenBack:
        """The event that takes the last choice back; raises IllegalAnswer if the last answer was a throw."""
        if not self.answers:
            raise IllegalAnswer("There is no choice to take back yet.")
        if isinstance(self.answers[-1].answer, Thrown):
            raise IllegalAnswer("A throw is never taken back. If it was read wrongly, correct it.")
        if not self._can_take_back:
            raise IllegalAnswer(
                "A throw is never taken back, not even under a cup. Go on with the dice that lie there."
            )
        return TakenBack(self.at - 1)

    @property
    def _can_take_back(self) -> bool:
        """Whether the last answer was a choice. Dice under a cup count as a throw."""
        last = self.answers[-1] if self.answers else None
        return last is not None and not isinstance(last.answer, Thrown) and last.prompt["kind"] != Hidden.kind

    @property
    def recent_at(self) -> int:
        """The number of the answer with which the turn before this one began; 0 if there was none.

        A turn is what one player answers in a row. What was ruled before is no longer what just happened.
        """
        whose = [answered.prompt["player"] for answered in self.answers]
        whose += [self.prompt.player] if self.prompt else []
        begun = [at for at, player in enumerate(whose) if at == 0 or player != whose[at - 1]]
        return begun[-2] if len(begun) > 1 else 0

    def corrected(self, at: int, answer: Thrown) -> Corrected:
        """The event that corrects the throw with the number `at`. Its dice are in the order of the throw.

        Raises IllegalAnswer if that is not a throw, if the new answer is not allowed or does not differ, or
        if it cannot be told which dice it corrects.
        """
        was = self.answers[at].answer if 0 <= at < len(self.answers) else None
        if isinstance(was, Throw) and isinstance(answer, Throw):
            answer = as_thrown(was, answer)
        self._match_before(at, answer)
        if answer == self.answers[at].answer:
            raise IllegalAnswer(
                f"Throw {at} counts as {words.listed(answer.faces)} already, so there is nothing to correct."
            )
        return Corrected(at, answer, keeps=True)

    def _match_before(self, at: int, answer: Thrown) -> Match:
        """The match just before the throw with the number `at`.

        Raises IllegalAnswer if that is not a throw, or if the new answer is not allowed there.
        """
        if not 0 <= at < len(self.answers) or not isinstance(self.answers[at].answer, Thrown):
            raise IllegalAnswer(self._no_such_throw(at))
        again = self._replayed(self.answers[:at])
        assert again.prompt is not None
        why = again.prompt.why_not(answer)
        if why is not None:
            reason = why.removesuffix(again.prompt.text).rstrip()  # that text says to throw
            raise IllegalAnswer(f"{reason} Give the whole throw {at} as it lay.")
        return again

    def dropped_by(self, event: Corrected) -> tuple[Answered, ...]:
        """The later answers that this correction would drop."""
        return tuple(self.answers[self._after_correction(event).at :])

    def _no_such_throw(self, at: int) -> str:
        throws = [a.at for a in self.answers if isinstance(a.answer, Thrown)]
        if not throws:
            next_step = f" {self.prompt.text}" if self.prompt else ""
            return f"Nothing has been thrown yet, so there is no throw to correct.{next_step}"
        numbers = f"number {throws[0]}" if len(throws) == 1 else f"numbers {words.listed(throws)}"
        these = "the only throw so far is" if len(throws) == 1 else "the throws so far are"
        if len(throws) > MAX_THROWS_LISTED:
            these, numbers = "the last throws are", f"numbers {words.listed(throws[-MAX_THROWS_LISTED:])}"
        return f"There is no throw {words.short(str(at))} to correct; {these} {numbers}."

    def after(self, event: Event) -> Match:
        """The match after the event. This match must not be used any more.

        Raises ReplayDiverged if the event does not fit the rules.
        """
        try:
            return self._after(event)
        except IllegalAnswer as refused:
            raise ReplayDiverged(f"{event} was logged, but the rules refuse it now: {refused}") from refused

    def fork(self) -> Match:
        """A copy of the match, to try answers on."""
        return self._replayed(self.answers)

    # -- running the coroutine -------------------------------------------------------------------------------

    def _after(self, event: Event) -> Match:
        match event:
            case Answered():
                self._step(event)
                return self
            case TakenBack(at):
                return self._after_take_back(at)
            case Corrected():
                return self._after_correction(event)

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
            self._fail(f"{type(bug).__name__}: {bug}")

    def _end(self, outcome: object) -> None:
        """Stores the outcome. An outcome with an unknown winner is a bug of the game and breaks the match."""
        if isinstance(outcome, Outcome) and set(outcome.winners) <= set(self._table.players):
            self.outcome = outcome
        else:
            self._fail(f"it ended with {outcome!r}")

    def _fail(self, why: str) -> None:
        self.broken = f"{self.game.title} broke at answer {self.at}: {why}"

    def _step(self, event: Answered) -> None:
        asked = self.prompt.to_json() if self.prompt else {}
        if event.at != self.at or not _is_same_prompt(asked, event.prompt):
            then, now = _prompt_text(event.prompt), _prompt_text(asked)
            raise ReplayDiverged(f"answer {event.at} was given to {then}, but the rules now ask {now}")
        assert self.prompt is not None
        self.prompt.check(event.answer)
        self.answers.append(event)
        if self.prompt.best_play is not None:
            self._played.append((self.prompt, event.answer))
        self._send(event.answer)

    def _replayed(self, answers: Iterable[Answered]) -> Match:
        again = Match(self.game, self.seats, self.raw_settings, logged=True)
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
        again._move_remarks_down()
        moves = moves_text(self._pieces, again._pieces)
        again._remark(f"{taken.prompt['player']} takes back: {_answer_text(taken)}.{moves}")
        return again

    def _after_correction(self, corrected: Corrected) -> Match:
        at, now = corrected.at, corrected.answer
        again = self._match_before(at, now)
        was, rest = self.answers[at], self.answers[at + 1 :]
        if corrected.keeps and rest:
            rest[0] = _with_kept_after(rest[0], was.answer, now)
        again._answer(now, was.typed)
        for event in rest:
            if not again._still_fits(event):
                break
            again._answer(event.answer, event.typed)
        again._move_remarks_down()
        moves = moves_text(self._pieces, again._pieces)
        again._remark(_correction_remark(self.answers, again.answers, at) + moves)
        return again

    def _answer(self, answer: Answer, typed: bool) -> None:
        self._step(replace(self.answered(answer), typed=typed))

    def _still_fits(self, event: Answered) -> bool:
        """Whether a later answer still fits the prompt: same kind, same player, same purpose, and allowed.

        An answer does not contain the number of dice under a cup, so the numbers in the prompts are compared.
        """
        if self.prompt is None:
            return False
        asked = self.prompt.to_json()
        keys = (
            ("kind", "player", "for", "dice")
            if isinstance(self.prompt, Hidden)
            else ("kind", "player", "for")
        )
        same = all(asked.get(key) == event.prompt.get(key) for key in keys)
        return same and event.answer in self.prompt

    @property
    def _pieces(self) -> tuple[Standing, ...]:
        """Where the pieces of the real board stand; empty without one, and once the game is broken."""
        return tuple(self._table.pieces()) if self._table.pieces and not self.broken else ()

    def _remark(self, text: str) -> None:
        self._remarks.append(Ruling(self.at, text, remark=True))

    def _move_remarks_down(self) -> None:
        """Lowers the numbers of older remarks after answers were dropped, so they precede new rulings."""
        self._remarks = [replace(r, at=min(r.at, self.at)) for r in self._remarks]

    # -- view ------------------------------------------------------------------------------------------------

    def view(self) -> MatchView:
        """The match at this moment, frozen."""
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
            board=self._table.current_board,
            outcome=self.outcome,
            broken=self.broken,
            throws=tuple(throws),
            can_take_back=self._can_take_back,
            played=tuple(self._played),
            hidden_since=self.hidden_since,
            games_won=dict(self._table.games_won),
            programme=self._table.programme() if self._table.programme else None,
            towers=self.towers,
            lifted=self._table.lifted,
            seat_order=self._table.seat_order,
            row_notes=self._table.sheet.row_notes,
            scores_count=self.game.scores_count,
            unusual=self.game.setting_texts([seat.name for seat in self.seats], self.settings),
            recent_at=self.recent_at,
        )


def replay(
    game: Game, seats: Sequence[Seat], raw_settings: Mapping[str, str], events: Iterable[Event]
) -> Match:
    """The logged match after these events; raises ReplayDiverged at the first event that does not fit."""
    match = Match(game, seats, raw_settings, logged=True)
    for event in events:
        match = match.after(event)
    return match


def new_rulings(now: Iterable[Ruling], before: Iterable[Ruling]) -> tuple[Ruling, ...]:
    """The rulings of `now` that are not in `before`, in order. A remark with a new number is not new."""
    old = Counter(map(_ruling_key, before))
    new: list[Ruling] = []
    for ruling in now:
        if old[_ruling_key(ruling)]:
            old[_ruling_key(ruling)] -= 1
        else:
            new.append(ruling)
    return tuple(new)


def _ruling_key(ruling: Ruling) -> tuple[int | None, str]:
    return None if ruling.remark else ruling.at, ruling.text


def _is_same_prompt(asked: Any, logged: Any) -> bool:
    """Whether two prompts are the same question. Most prompts are equal, and that check is fast.

    A later version may say more of a prompt than the log has.
    """
    if asked == logged:
        return True
    common = {key: value for key, value in asked.items() if key in logged}
    return bool(_without_sentences(common) == _without_sentences(logged))


def _without_sentences(prompt: Any) -> Any:
    """The prompt's JSON without "text", which a later version may improve, and what is for the tray alone."""
    if isinstance(prompt, Mapping):
        return {
            key: _without_sentences(value)
            for key, value in prompt.items()
            if key not in ("text", "throws", "hides", "falls")
        }
    return [_without_sentences(p) for p in prompt] if isinstance(prompt, list | tuple) else prompt


def _prompt_text(prompt: Mapping[str, Any]) -> str:
    return f"“{prompt['text']}” ({prompt['kind']})" if prompt else "nothing"


def _prompt(awaited: object) -> Prompt:
    """The awaited object as a Prompt; raises TypeError if the game awaits something else."""
    if not isinstance(awaited, Prompt):
        raise TypeError(f"it awaits {awaited!r}, which is not a prompt")
    return awaited


def _answer_text(answered: Answered) -> str:
    match answered.answer:
        case Chosen(option):
            return f"“{_text_of(option, answered.prompt)}”"
        case Kept(faces):
            return f"keeping {words.listed(faces)}"
        case Throw(dice):
            return f"throwing {words.listed(d.face for d in dice)}"
        case Sticks(faces):
            return f"throwing {words.listed(faces)}"
        case Number(value):
            return f"{value:,}"
        case Bid(count, face):
            return f"a bid of {words.number(count, words.MOST_IN_WORDS)} {face}{'s' * (count > 1)}"
        case Bet(player, on, stake):
            return f"{player}'s {stake:,} on “{_text_of(on, answered.prompt)}”"
        case Picked(()):
            return "picking none"
        case Picked(items):
            return words.listed(_text_of(item, answered.prompt) for item in items)


def _text_of(id_: str, prompt: Mapping[str, Any]) -> str:
    """The text of the option, the item or the bet with this id in the prompt."""
    listed = [option for key in ("options", "items", "on") for option in prompt.get(key, ())]
    return next((str(o["text"]) for o in listed if o["id"] == id_), id_)


def _with_kept_after(event: Answered, was: Answer, now: Thrown) -> Answered:
    """The answer after a throw that is corrected; if dice were kept from it, by their corrected faces."""
    if not (isinstance(event.answer, Kept) and isinstance(was, Throw) and isinstance(now, Throw)):
        return event
    return replace(event, answer=kept_after(event.answer, event.prompt["from"], was, now))


def _correction_remark(before: Sequence[Answered], after: Sequence[Answered], at: int) -> str:
    """What the correction of the throw `at` did. before, after: all answers before and after it."""
    was, now, dropped = before[at], after[at], before[len(after) :]
    text = (
        f"{was.prompt['player']}'s throw is corrected "
        f"from {_throw_text(was, now)} to {_throw_text(now, was)}."
    )
    kept = after[at + 1].answer if len(after) > at + 1 else None
    if isinstance(kept, Kept) and kept != before[at + 1].answer:
        text += f" {was.prompt['player']} keeps the same dice: {words.listed(kept.faces)}."
    for moved, new in zip(before[at + 1 :], after[at + 1 :], strict=False):
        text += _moved_text(moved, new)
    if dropped:
        later = "answer no longer fits" if len(dropped) == 1 else "answers no longer fit"
        text += (
            f" {words.number(len(dropped)).capitalize()} later {later} and must be given again:"
            f" {dropped_text(dropped)}."
        )
    return text


def dropped_text(dropped: Sequence[Answered]) -> str:
    """What these answers were, and whose: "Ann's throw of 3 4 and “Double it”"."""
    players = [_player_of(answered) for answered in dropped]
    named = [
        _name_of(answered) if player == before else f"{player}'s {_name_of(answered)}"
        for answered, player, before in zip(dropped, players, ["", *players], strict=False)
    ]
    more = len(named) - MAX_DROPPED_NAMED
    return words.listed([*named[:MAX_DROPPED_NAMED], *([f"{words.number(more)} more"] if more > 0 else [])])


def _player_of(answered: Answered) -> str:
    """Whose answer it is. A person gives the bets of all players."""
    answer = answered.answer
    return answer.player if isinstance(answer, Bet) else str(answered.prompt["player"])


def _name_of(answered: Answered) -> str:
    """'throw of 3 4', for a sentence that says whose it is."""
    match answered.answer:
        case Throw(faces=faces) | Sticks(faces=faces):
            return f"throw of {' '.join(map(str, faces))}"
        case Chosen():
            return _answer_text(answered)
        case Kept(faces):
            return f"choice to keep {' '.join(map(str, faces)) or 'none'}"
        case Bid():
            return _answer_text(answered).removeprefix("a ")
        case Bet(_, on, stake):
            return f"bet of {stake:,} on “{_text_of(on, answered.prompt)}”"
        case Number(value):
            return f"answer {value:,}"
        case Picked():
            return f"choice of {_answer_text(answered).removeprefix('picking ')}"


def _moved_text(was: Answered, now: Answered) -> str:
    """' The throw of 3 and 4 now counts at 12 feet, not at 10 feet.', or "" if it is where it was."""
    old, new = was.prompt.get("stage", ""), now.prompt.get("stage", "")
    if old == new or not isinstance(now.answer, Thrown):
        return ""
    return f" The throw of {words.listed(now.answer.faces)} now counts at {new}, not at {old}."


def _throw_text(shown: Answered, beside: Answered) -> str:
    """The faces of the throw `shown`, with colours if only the colours differ from the throw `beside`."""
    a, b = shown.answer, beside.answer
    assert isinstance(a, Thrown)
    assert isinstance(b, Thrown)
    if isinstance(a, Sticks) or isinstance(b, Sticks) or a.faces != b.faces:
        return words.listed(a.faces)
    return words.listed(f"{d.colour or 'any'} {d.face}" for d in a.dice)
