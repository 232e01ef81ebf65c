"""The referee's state: all that it knows, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from table.common.tray import TrayState
from table.referee.effects import Effect, Ruled
from table.referee.interpretations import TrayContext
from table.referee.match_state import MatchState
from table.referee.sticks import NO_STICKS, SticksOnTray
from table.referee.towers_on_tray import NO_TOWERS, TowersOnTray
from table.referee.tray import LyingDie, Tray, ids
from table.referee.verdicts import (
    AskFaces,
    Doubt,
    NoThrow,
    Pending,
    Rethrow,
    UnderArm,
    Unlogged,
    Verdict,
    Void,
)
from table.rules.answers import Answer, Chosen, Kept
from table.rules.match import Corrected, Match, TakenBack
from table.rules.match import Event as MatchEvent
from table.rules.prompts import FELL, Choose, Keep, Prompt, Roll
from vision.readings import Reading

NO_THROW = NoThrow()
EMPTY_TRAY = Tray()


class Activity(StrEnum):
    """Activity at the tray since the last reading."""

    STILL = "still"
    MOVED = "moved"
    DECIDED_WHILE_ROLLING = "decided while rolling"
    """Something moved, perhaps dice that rolled, and a person decided something meanwhile."""
    HAND_SINCE_DECISION = "hand since decision"
    """The same, and a hand came since: if something moves after it, that hand threw."""
    BLIND = "blind"
    """The tray was not visible for a while."""

    @property
    def decided_while_rolling(self) -> bool:
        return self in (Activity.DECIDED_WHILE_ROLLING, Activity.HAND_SINCE_DECISION)

    def after(self, now: TrayState) -> Activity:
        """The activity after the tray has come to this state."""
        if now.blind:
            return Activity.BLIND
        if self is Activity.DECIDED_WHILE_ROLLING and now is TrayState.HAND:
            return Activity.HAND_SINCE_DECISION
        thrown_since = self is Activity.HAND_SINCE_DECISION and now is TrayState.ROLLING
        return Activity.MOVED if thrown_since or (now.moving and self is Activity.STILL) else self


@dataclass(frozen=True)
class PipelineState:
    """The last state from the vision pipeline.

    state: None after a reading, while nothing has happened since. hand_rests: something rests over the tray,
    and the dice beside it were read. preview: the dice as they seem to lie.
    """

    state: TrayState | None = None
    message: str = ""
    activity: Activity = Activity.STILL
    hand_rests: bool = False
    preview: Reading | None = None

    @property
    def rolling(self) -> bool:
        """Whether dice may be rolling, or lie there not yet judged; WAITING: the picture was unreadable."""
        if self.state is None or self.state is TrayState.ROLLING:
            return self.state is TrayState.ROLLING
        moved = self.activity is Activity.MOVED or self.activity.decided_while_rolling
        return moved and (self.state.coming_to_rest or self.state is TrayState.WAITING)

    @property
    def after_decision(self) -> PipelineState:
        """This state after a person has decided something."""
        return replace(self, activity=Activity.DECIDED_WHILE_ROLLING) if self.rolling else self


@dataclass(frozen=True)
class ThrowAttempt:
    """The act with the dice since the last decision, and its ruling.

    after: the ruling before it, by which some dice of its throw lay there already.
    decided_while_rolling: a person decided something while it was under way. fell_off: people said that its
    missing dice fell off the tray. rolled_off: number of dice seen to fall off. beside: number that lay
    beside the tray before it. tipped: counted faces of dice that tipped over in it. told_apart: people said
    that only some of the dice in question were thrown. nothing_under_arm: people said that no die lies under
    what rests over the tray.
    """

    after: Rethrow | None = None
    decided_while_rolling: bool = False
    fell_off: bool = False
    rolled_off: int = 0
    beside: int = 0
    tipped: tuple[int, ...] = ()
    told_apart: bool = False
    nothing_under_arm: bool = False
    ruling: Verdict = NO_THROW

    @property
    def next(self) -> ThrowAttempt:
        """The attempt that begins with the next dice thrown; a void throw keeps the one before it."""
        match self.ruling:
            case Rethrow():
                return ThrowAttempt(self.ruling)
            case Void() | UnderArm() | NoThrow():
                return ThrowAttempt(self.after)
            case _:
                return ThrowAttempt()

    @property
    def previous(self) -> ThrowAttempt:
        """The waiting attempt before this one, whose dice were picked up or turned out to be no dice."""
        return ThrowAttempt(ruling=self.after or NO_THROW)

    @property
    def stood(self) -> tuple[int, ...]:
        """ids of the dice that stand, of a throw of which others have to be thrown again."""
        after = self.next.after
        return after.good if after else ()

    @property
    def stands(self) -> bool:
        """Whether a complete throw waits only for a person's answer, or for the log."""
        match self.ruling:
            case Unlogged() | AskFaces(whole=True) | Doubt(thrown=True):
                return True
            case _:
                return False


# -- writes that wait for Logged or NotLogged ----------------------------------------------------------------


@dataclass(frozen=True)
class ThrowWrite:
    """A throw that counts. thrown: its dice. notes: other observations of the same act."""

    events: tuple[MatchEvent, ...]
    thrown: tuple[LyingDie, ...]
    notes: tuple[Ruled, ...] = ()


@dataclass(frozen=True)
class StickWrite:
    """A throw of sticks that counts."""

    events: tuple[MatchEvent, ...]


@dataclass(frozen=True)
class ChoiceWrite:
    """A choice, or any other answer of a person. towers: what is known of the towers after it."""

    events: tuple[MatchEvent, ...]
    towers: TowersOnTray = NO_TOWERS


@dataclass(frozen=True)
class PlacementWrite:
    """A die seen to be put on a tower, which is a choice. towers: what is known of the towers after it."""

    events: tuple[MatchEvent, ...]
    towers: TowersOnTray


@dataclass(frozen=True)
class TypedThrowWrite:
    """A throw entered by hand."""

    events: tuple[MatchEvent, ...]


@dataclass(frozen=True)
class AmendmentWrite:
    """A choice that is taken back, or a throw that is corrected."""

    event: TakenBack | Corrected


@dataclass(frozen=True)
class StartWrite:
    """A new match."""

    match_state: MatchState


@dataclass(frozen=True)
class EndWrite:
    """The current match ends without an outcome."""


PendingWrite = (
    ThrowWrite
    | StickWrite
    | ChoiceWrite
    | PlacementWrite
    | TypedThrowWrite
    | AmendmentWrite
    | StartWrite
    | EndWrite
)


@dataclass(frozen=True)
class State:
    """All that the referee knows.

    number: grows with every decision; an action names the number it answers. trouble: a sentence shown until
    a game starts. match_state: the match on the table. tray, attempt: the dice, and their ruling. sticks: the
    sticks, and their ruling.
    last_throw_ids: of the dice of the last throw that counted, in its order; throw_at: its `at` in the log,
    None if there is none; thrown_unseen: dice came since that nobody saw come, so that those may only look
    like its dice. pipeline: the last state from the vision pipeline. tray_state, message: the referee's state
    of the tray and its sentence; rule: the number of the shared rule behind them, or "". size_wh: of the
    picture that was read, px. beside: number of dice beside the tray. free_throws: made while no game is on.
    pending_write: the write that waits for the log. towers: of a game with towers of dice. revealed: no die
    lies under a cup yet, and nothing has moved since the last throw, which decided.
    """

    number: int = 0
    trouble: str = ""
    match_state: MatchState | None = None
    tray: Tray = EMPTY_TRAY
    attempt: ThrowAttempt = ThrowAttempt()
    sticks: SticksOnTray = NO_STICKS
    last_throw_ids: tuple[int, ...] = ()
    throw_at: int | None = None
    thrown_unseen: bool = False
    pipeline: PipelineState = PipelineState(activity=Activity.BLIND)
    tray_state: TrayState = TrayState.EMPTY
    message: str = ""
    rule: str = ""
    size_wh: tuple[int, int] = (0, 0)
    beside: int = 0
    free_throws: tuple[tuple[int, ...], ...] = ()
    pending_write: PendingWrite | None = None
    towers: TowersOnTray = NO_TOWERS
    revealed: bool = False

    @property
    def match(self) -> Match | None:
        return self.match_state.match if self.match_state else None

    @property
    def prompt(self) -> Prompt | None:
        return self.match.prompt if self.match else None

    @property
    def turn_passed(self) -> bool:
        """Whether another player than the last thrower is to throw."""
        thrower = self.match.thrower if self.match else None
        return isinstance(self.prompt, Roll) and thrower not in (None, self.prompt.player)

    @property
    def throws_sticks(self) -> bool:
        """Whether a match is on in which sticks are thrown."""
        return self.match is not None and self.prompt is not None and self.match.game.throws_sticks

    @property
    def throws_coins(self) -> bool:
        """Whether a match is on that is played with coins in place of sticks."""
        return self.match is not None and self.match.game.throws_coins(self.match.settings)

    @property
    def ruling(self) -> Verdict:
        """The ruling to show: a pending one, of dice or sticks; else the last one, if there is any."""
        of_dice, of_sticks = self.attempt.ruling, self.sticks.ruling
        if isinstance(of_dice, Pending) or isinstance(of_sticks, NoThrow):
            return of_dice
        return of_sticks

    @property
    def tray_context(self) -> TrayContext:
        """The setting in which the dice on the tray are judged, besides the match."""
        prompt, attempt = self.prompt, self.attempt
        return TrayContext(
            after=attempt.after,
            last_throw_ids=self.last_throw_ids,
            set_aside=prompt.beside if isinstance(prompt, Roll) else (),
            placed=isinstance(prompt, Roll) and prompt.placed,
            fell=isinstance(prompt, Roll) and prompt.purpose == FELL,
            rolled_off=attempt.rolled_off,
            beside=max(0, self.beside - attempt.beside),
            fell_off=attempt.fell_off,
            told_apart=attempt.told_apart,
            arm_rests=self._arm_rests and not attempt.nothing_under_arm,
        )

    @property
    def _arm_rests(self) -> bool:
        """Whether something rested over the tray when it was last read."""
        still = self.pipeline.state is not None and isinstance(self.attempt.ruling, UnderArm)
        return self.pipeline.hand_rests or still

    @property
    def short(self) -> bool:
        """Whether a throw with too few dice lies there."""
        ruling = self.attempt.ruling
        return isinstance(ruling, Void) and ruling.missing > 0 and not any(d.open for d in self.tray.covered)

    @property
    def confirm_answer(self) -> Answer | None:
        """The answer of the hold/confirm button; None if it has none.

        It is the one option that no throw makes, or to keep the only die.
        """
        prompt = self.prompt
        if isinstance(self.attempt.ruling, AskFaces | Rethrow | Unlogged):
            return None
        if isinstance(prompt, Choose):
            tap_only = [o.id for o in prompt.options if o.throws is None]
            return Chosen(tap_only[0]) if len(tap_only) == 1 else None
        if isinstance(prompt, Keep) and len(prompt.faces) == 1:
            return Kept(prompt.faces)
        return None

    @property
    def asked_dice(self) -> tuple[int, ...]:
        """ids of the dice whose face a person may give; empty if a leaning die was picked up."""
        ruling = self.attempt.ruling
        if isinstance(ruling, AskFaces):
            return ruling.asked
        if isinstance(ruling, Rethrow) and set(ruling.asked) <= set(ids(self.tray.lying)):
            return ruling.asked
        return ()


StepResult = tuple[State, tuple[Effect, ...]]
"""A state, and the effects of the step to it."""
