"""A table without a camera: tests put dice on the tray, and the referee receives their tracks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from table.common.tray import TrayState
from table.log.store import Log
from table.referee.actions import (
    Action,
    Confirm,
    Correct,
    EnteredFace,
    EnterFaces,
    FellOff,
    NothingUnderArm,
    ResolveDoubt,
    Start,
    SubmitAnswer,
    TakeBack,
    TellApart,
)
from table.referee.effects import Accepted, Announcement, Asked, Ruled
from table.referee.events import Event, TrayChanged, TrayPreviewed, TrayRead
from table.referee.referee import Referee
from table.referee.snapshot import Snapshot
from table.rules.answers import Answer, Chosen, Kept, Throw
from table.rules.game import Seat
from table.rules.match import Match
from vision.readings import Reading, SeenDie
from vision.tracking.tracks import LossReason, LostTrack, Track, TrackOutcome, Tracks

SIDE = 40.0
SIZE = (800, 600)


class Evening:
    """Players, a tray and a referee. A die is named by its place: the first die that lands is at place 0.

    A method that moves dice stores their track. The referee receives all tracks when the tray settles.
    `effects` lists all effects of the referee so far, and `events` is the recording.
    """

    def __init__(
        self, folder: Path, game: str = "", *players: str, settled: bool = True, **settings: str
    ) -> None:
        self.path = folder / "brehon.sqlite3"
        self.asked_to_read = 0
        self.effects: list[Announcement] = []
        self.events: list[Event] = []
        self.log = Log(self.path)
        self.referee = Referee(self.log, self._read_again, record=self.events.append)
        self.lying: dict[int, SeenDie] = {}
        self.arm_rests = False
        self.take_picture: Callable[[], bytes | None] = lambda: b"\xff\xd8 a picture"
        """The camera's picture of the tray, JPEG. A test can set it."""
        self.next_place = 0
        """The place where the next die lands. A test can set it to a place where a die lay before."""
        self._next_track = 0
        self._forget_tracks()
        if settled:
            self.settle()
        if game:
            self.starts(game, *players, **settings)

    def starts(self, game: str, *players: str, **settings: str) -> None:
        """Starts a game. A player is a name, or "Ann:green" with the colour of their dice."""
        self.does(Start(self.now.number, game, tuple(_seat(p) for p in players), settings))

    def _read_again(self) -> None:
        self.asked_to_read += 1

    @property
    def now(self) -> Snapshot:
        return self.referee.snapshot()

    @property
    def match(self) -> Match:
        match = self.referee.state.match
        assert match is not None
        return match

    @property
    def prompt(self) -> str:
        match = self.now.match
        assert match is not None
        return match.prompt.text if match.prompt else ""

    @property
    def state(self) -> TrayState:
        return self.now.tray.state

    @property
    def message(self) -> str:
        return self.now.tray.message

    @property
    def scores(self) -> dict[str, int]:
        assert self.now.match is not None
        return dict(self.now.match.scores)

    @property
    def at(self) -> int:
        assert self.now.match is not None
        return self.now.match.at

    @property
    def accepted(self) -> list[tuple[int, ...]]:
        """The faces of all throws that counted."""
        return [each.faces for each in self.effects if isinstance(each, Accepted)]

    @property
    def fouls(self) -> list[str]:
        """The rules of all fouls that were ruled."""
        return [each.rule for each in self.effects if isinstance(each, Ruled) and each.kind == "foul"]

    @property
    def questions(self) -> list[str]:
        return [each.text for each in self.effects if isinstance(each, Asked)]

    def restarts(self, first_number: int = 0) -> None:
        """The table stops, starts again and reads the tray."""
        self.log.close()
        self.log = Log(self.path)
        self.events.clear()
        self.referee = Referee(self.log, self._read_again, first_number, record=self.events.append)
        self._forget_tracks()
        self.settle()

    # -- what the camera reports -----------------------------------------------------------------------------

    def sees(self, state: TrayState, message: str = "") -> None:
        """The state of the tray changes."""
        self.effects += self.referee.handle(TrayChanged(state, message))

    def previews(self, *places: int) -> None:
        """The dice at these places are shown before they are read."""
        self.sees(TrayState.SETTLING)
        reading = Reading(SIZE, tuple(self.lying[place] for place in places))
        self.effects += self.referee.handle(TrayPreviewed(reading))
        self.sees(TrayState.READING)

    def loses_sight(self, state: TrayState = TrayState.NO_CAMERA, message: str = "The plug is out.") -> None:
        """The camera sees nothing for a while. Dice that lie there afterwards are found, not tracked."""
        self.sees(state, message)
        self._forget_tracks()

    def settle(self, camera_moved: bool = False) -> None:
        """The tray is at rest and is read."""
        self.sees(TrayState.SETTLING)
        self.effects += self.referee.handle(self.tray_read(camera_moved), self.take_picture())

    def _forget_tracks(self) -> None:
        """Dice that lie there now are found, not tracked."""
        self._tracks: dict[int, int] = {}
        self._settled: dict[int, SeenDie] = {}
        self._covered: dict[int, SeenDie] = {}
        self._outcomes: dict[int, tuple[TrackOutcome, SeenDie | None, bool]] = {}
        self._gone: dict[int, LostTrack] = {}
        self.beside: tuple[SeenDie, ...] = ()
        self.rolled_off: tuple[SeenDie, ...] = ()

    def tray_read(self, camera_moved: bool = False) -> TrayRead:
        """The event of a tray at rest. The referee has not received it yet."""
        places = sorted(self.lying)
        tracks = tuple(self._track(place) for place in places)
        reading = Reading(SIZE, tuple(t.seen for t in tracks))
        tracks_of = Tracks(tracks, self._missing(), self.beside, camera_moved, self.rolled_off)
        read = TrayRead(reading, tracks_of, self.arm_rests)
        self._settled, self._outcomes, self._gone = dict(self.lying), {}, {}
        self.rolled_off = ()
        return read

    def _track(self, place: int) -> Track:
        self._covered.pop(place, None)
        if place not in self._tracks:
            self._tracks[place] = self._next_track
            self._next_track += 1
        was = self._settled.get(place)
        outcome, was, lifted = self._outcomes.get(
            place, (TrackOutcome.UNMOVED if was else TrackOutcome.UNOBSERVED, was, False)
        )
        return Track(self._tracks[place], self.lying[place], outcome, was, lifted)

    def _missing(self) -> tuple[LostTrack, ...]:
        lifted = [
            p for p in self._settled if p not in self.lying and p not in self._covered and p in self._tracks
        ]
        return (
            *self._gone.values(),
            *(
                LostTrack(self._tracks[p], d, LossReason.COVERED)
                for p, d in self._covered.items()
                if p not in self._gone
            ),
            *(
                LostTrack(self._tracks[p], self._settled[p], LossReason.LIFTED)
                for p in lifted
                if p not in self._gone
            ),
        )

    # -- at the tray -----------------------------------------------------------------------------------------

    def throws(
        self,
        *faces: int | tuple[int, str],
        leaving: Collection[int] = (),
        colour: str | Sequence[str] = "white",
    ) -> tuple[int, ...]:
        """Picks up all dice except those at `leaving`, and throws dice that show `faces`; returns their
        places.

        faces: a face, or (5, "unsure") or (5, "cocked").
        colour: one colour for all dice, or one for each.
        """
        self.sees(TrayState.ROLLING)
        places = self.lands(*faces, leaving=leaving, colour=colour)
        self.settle()
        return places

    def lands(
        self,
        *faces: int | tuple[int, str],
        leaving: Collection[int] = (),
        colour: str | Sequence[str] = "white",
    ) -> tuple[int, ...]:
        """The same as throws(), but the tray is not read yet."""
        for place in [p for p in self.lying if p not in leaving]:
            self._lift(place)
        return self.lays(*faces, colour=colour)

    def lays(
        self,
        *faces: int | tuple[int, str],
        colour: str | Sequence[str] = "white",
        outcome: TrackOutcome = TrackOutcome.THROWN,
    ) -> tuple[int, ...]:
        """Adds dice to the tray, which is not read yet; returns their places."""
        colours = [colour] * len(faces) if isinstance(colour, str) else colour
        shown = [face if isinstance(face, tuple) else (face, "") for face in faces]
        return tuple(
            self._put(face, how, of, outcome) for (face, how), of in zip(shown, colours, strict=True)
        )

    def comes_back(self, was: SeenDie) -> int:
        """A die shows itself again where it lay, as if it had only been hidden; returns its place.

        The tray is not read yet.
        """
        (there,) = self.lays(was.face, colour=was.colour)
        self.changes(there, box_xywh=was.box_xywh)
        self._outcomes[there] = (TrackOutcome.UNMOVED, was, False)
        return there

    def lays_down(self, *faces: int, colour: str = "white") -> tuple[int, ...]:
        """A hand puts dice down without throwing them; returns their places."""
        self.sees(TrayState.HAND)
        places = self.lays(*faces, colour=colour, outcome=TrackOutcome.PLACED)
        self.settle()
        return places

    def picks_up(self, *places: int) -> None:
        self.sees(TrayState.HAND)
        for place in places:
            self._lift(place)
        self.settle()

    def puts_back(self, place: int, face: int | None = None) -> int:
        """A hand lifts a die and puts it down elsewhere with its old or a new face; returns its new place."""
        die = self.lying[place]
        self.sees(TrayState.HAND)
        self._lift(place)
        (there,) = self.lays(face or die.face, colour=die.colour, outcome=TrackOutcome.PLACED)
        self._outcomes[there] = (TrackOutcome.PLACED, die, True)
        self.settle()
        return there

    def covers(self, *places: int) -> None:
        """A hand covers dice."""
        self.sees(TrayState.HAND)
        self._covered |= {place: self.lying.pop(place) for place in places}
        self.settle()

    def covers_all(self) -> dict[int, SeenDie]:
        """A hand covers the whole tray; returns the hidden dice."""
        hidden = dict(self.lying)
        self.covers(*hidden)
        return hidden

    def uncovers(self, dice: dict[int, SeenDie]) -> None:
        """The hand leaves. These dice lie where they lay, and other covered dice are gone."""
        self.lying = dict(dice)
        self.sees(TrayState.HAND)
        for place in [p for p in self._covered if p not in dice]:
            self._gone[place] = LostTrack(self._tracks[place], self._covered.pop(place), LossReason.LIFTED)
        self.settle()

    def nudges(
        self,
        *places: int,
        sides: float = 3.0,
        settle: bool = True,
        outcome: TrackOutcome = TrackOutcome.MOVED,
        lifted: bool = False,
    ) -> None:
        """Pushes dice to the right by `sides` times their own width.

        outcome: UNCLEAR where tracking cannot tell a push from a throw.
        lifted: whether tracking lost the dice for a while, as if they were lifted.
        """
        for place in places:
            was = self.lying[place]
            x, y, w, h = was.box_xywh
            self.changes(place, box_xywh=(x + sides * w, y, w, h))
            self._outcomes[place] = (outcome, was, lifted)
        if settle:
            self.sees(TrayState.HAND)
            self.settle()

    def turns(
        self, place: int, face: int, outcome: TrackOutcome = TrackOutcome.TURNED, settle: bool = True
    ) -> None:
        """A hand turns a die; with outcome=TIPPED the die tips over by itself."""
        self._outcomes[place] = (outcome, self.lying[place], False)
        self.changes(place, face=face)
        if settle:
            self.sees(TrayState.HAND)
            self.settle()

    def tumbles(self, place: int, *face: int) -> int:
        """A die rolls across the tray without being lifted; returns its new place.

        The tray is not read yet.
        """
        die = self.lying[place]
        self._lift(place)
        (there,) = self.lays(*(face or (die.face,)), colour=die.colour)
        self._outcomes[there] = (TrackOutcome.THROWN, die, False)
        return there

    def rolls_off(self, place: int) -> None:
        """A die rolls off the tray, which is not read yet."""
        self._gone[place] = LostTrack(self._tracks[place], self.lying.pop(place), LossReason.ROLLED_OUT)

    def changes(self, place: int, **what: object) -> None:
        """Changes what is read at a place, although no die moved."""
        self.lying[place] = replace(self.lying[place], **what)  # type: ignore[arg-type]

    def _lift(self, place: int) -> None:
        die = self.lying.pop(place)
        if place in self._settled:
            self._gone[place] = LostTrack(self._tracks[place], die, LossReason.LIFTED)

    def _put(self, face: int, how: str, colour: str, outcome: TrackOutcome) -> int:
        place = self.next_place
        self.next_place += 1
        box = (60.0 * (place % 12), 60.0 * (place // 12 % 9), SIDE, SIDE)
        sure = how != "unsure"
        self.lying[place] = SeenDie(
            face, colour, box, 0.99 if sure else 0.5, sure, how == "cocked", ((face, 0.5), (3, 0.4))
        )
        self._tracks[place] = self._next_track
        self._next_track += 1
        self._outcomes[place] = (outcome, None, outcome is TrackOutcome.THROWN)
        return place

    # -- on the page -----------------------------------------------------------------------------------------

    def does(self, action: Action) -> None:
        self.effects += self.referee.act(action)

    def chooses(self, option: str) -> None:
        self.does(SubmitAnswer(self.now.number, Chosen(option)))

    def keeps(self, *faces: int) -> None:
        self.does(SubmitAnswer(self.now.number, Kept(faces)))

    def answers(self, answer: Answer) -> None:
        """Gives a number, a bet or another answer that only people know."""
        self.does(SubmitAnswer(self.now.number, answer))

    def takes_back(self) -> None:
        self.does(TakeBack(self.now.number))

    def corrects(self, at: int, *faces: int) -> None:
        self.does(Correct(self.now.number, at, Throw.of(*faces)))

    def names_faces(self, *faces: EnteredFace) -> None:
        self.does(EnterFaces(self.now.number, faces))

    def says_thrown(self, thrown: bool) -> None:
        self.does(ResolveDoubt(self.now.number, thrown))

    def says_only_some_were_thrown(self) -> None:
        self.does(TellApart(self.now.number))

    def fell_off(self) -> None:
        self.does(FellOff(self.now.number))

    def says_nothing_is_under_arm(self) -> None:
        self.does(NothingUnderArm(self.now.number))

    def confirms(self) -> None:
        self.does(Confirm())


def _seat(text: str) -> Seat:
    name, _, colour = text.partition(":")
    return Seat(name, colour or None)
