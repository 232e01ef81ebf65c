"""An evening without a camera: dice are put on a tray by hand, and the referee is told what would have been read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from table.log.store import Log
from table.referee.actions import Action, Confirm, Correct, FellOff, Give, Settle, Start, TakeBack
from table.referee.referee import Referee
from table.referee.snapshot import Snapshot, TrayState
from table.rules.answers import Answer, Chosen, Kept, Throw
from table.rules.game import Seat
from vision.reading import Reading, SeenDie

SIDE = 40.0
SIZE = (800, 600)


class Evening:
    """Players at a table. Dice are named by where they lie: place 0, 1, 2 ... along a spiral of free spots."""

    def __init__(self, folder: Path, game: str = "", *players: str, settled: bool = True, **settings: str) -> None:
        self.path = folder / "brehon.sqlite3"
        self.asked_to_read = 0
        self.log = Log(self.path)
        self.referee = Referee(self.log, self._read_again)
        self.lying: dict[int, SeenDie] = {}
        self._places = 0
        if settled:
            self.settle()
        if game:
            self.does(Start(self.now.number, game, tuple(_seat(p) for p in players), settings))

    def _read_again(self) -> None:
        self.asked_to_read += 1

    @property
    def now(self) -> Snapshot:
        return self.referee.snapshot()

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

    def restarts(self, first_number: int = 0) -> None:
        """The table stops and starts again; what lies on the tray is read."""
        self.log.close()
        self.log = Log(self.path)
        self.referee = Referee(self.log, self._read_again, first_number)
        self.settle()

    # -- at the tray -------------------------------------------------------------------------------------------------

    def throws(
        self, *faces: int | tuple[int, str], leaving: tuple[int, ...] = (), colour: str | Sequence[str] = "white"
    ) -> tuple[int, ...]:
        """Picks up all dice but those at `leaving`, and throws dice that show `faces`, some (5, "unsure") or (5, "cocked").

        colour: of all of them, or of each.
        """
        self.referee.see_state(TrayState.ROLLING)
        self.lying = {place: die for place, die in self.lying.items() if place in leaving}
        places = self.lays(*faces, colour=colour)
        self.settle()
        return places

    def lays(self, *faces: int | tuple[int, str], colour: str | Sequence[str] = "white") -> tuple[int, ...]:
        """Puts dice on the tray, which has not been read yet."""
        colours = [colour] * len(faces) if isinstance(colour, str) else colour
        shown = [face if isinstance(face, tuple) else (face, "") for face in faces]
        return tuple(self._put(face, how, of) for (face, how), of in zip(shown, colours, strict=True))

    def picks_up(self, *places: int) -> None:
        self.referee.see_state(TrayState.HAND)
        for place in places:
            del self.lying[place]
        self.settle()

    def hides(self) -> dict[int, SeenDie]:
        """A hand rests over the tray: nothing is seen."""
        hidden, self.lying = self.lying, {}
        self.referee.see_state(TrayState.HAND)
        self.settle()
        return hidden

    def shows(self, dice: dict[int, SeenDie]) -> None:
        self.lying = dict(dice)
        self.referee.see_state(TrayState.HAND)
        self.settle()

    def nudges(self, place: int, sides: float, settle: bool = True) -> None:
        """Pushes a die to the right, by so many of its sides."""
        x, y, w, h = self.lying[place].box_xywh
        self.changes(place, box_xywh=(x + sides * w, y, w, h))
        if settle:
            self.referee.see_state(TrayState.HAND)
            self.settle()

    def settle(self) -> None:
        dice = tuple(self.lying[p] for p in sorted(self.lying))
        self.referee.see_state(TrayState.SETTLING)
        self.referee.see_reading(Reading(SIZE, dice), b"\xff\xd8 a picture")

    def changes(self, place: int, **what: object) -> None:
        """What is read at a place is different now, though nothing was seen to move."""
        self.lying[place] = replace(self.lying[place], **what)  # type: ignore[arg-type]

    def _put(self, face: int, how: str, colour: str) -> int:
        place = self._places
        self._places += 1
        box = (60.0 * (place % 12), 60.0 * (place // 12 % 9), SIDE, SIDE)
        sure = how != "unsure"
        self.lying[place] = SeenDie(face, colour, box, 0.99 if sure else 0.5, sure, how == "cocked", ((face, 0.5), (3, 0.4)))
        return place

    # -- on the page -------------------------------------------------------------------------------------------------

    def does(self, action: Action) -> None:
        self.referee.act(action)

    def chooses(self, option: str) -> None:
        self.does(Give(self.now.number, Chosen(option)))

    def keeps(self, *faces: int) -> None:
        self.does(Give(self.now.number, Kept(faces)))

    def tells(self, answer: Answer) -> None:
        """A number, a bet or anything else that only people know."""
        self.does(Give(self.now.number, answer))

    def takes_back(self) -> None:
        self.does(TakeBack(self.now.number))

    def corrects(self, at: int, *faces: int) -> None:
        self.does(Correct(self.now.number, at, Throw.of(*faces)))

    def says(self, *faces: int | None) -> None:
        self.does(Settle(self.now.number, faces))

    def fell_off(self) -> None:
        self.does(FellOff(self.now.number))

    def confirms(self) -> None:
        self.does(Confirm())


def _seat(text: str) -> Seat:
    name, _, colour = text.partition(":")
    return Seat(name, colour or None)
