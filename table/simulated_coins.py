"""The coins of the simulated tray: its household has shown them to the table.

They are shown when a game first asks for coins, if nobody showed the table others. They are not kept in the
file of coins, which belongs to a real tray.
"""

from __future__ import annotations

from collections.abc import Callable

from table import games
from table.referee.snapshot import Snapshot
from vision.reading.coin_finder import find_discs
from vision.reading.enrolled_coins import EnrolledCoinReader
from vision.simulation.coin_lessons import lessons
from vision.simulation.playing import SimulatedHand


class CoinShower:
    """Shows the coins of a simulated tray. on_change: called once the table knows them."""

    def __init__(
        self,
        reader: EnrolledCoinReader,
        tray: SimulatedHand,
        on_change: Callable[[], None],
        run: Callable[[Callable[[], None]], None] = lambda work: work(),
    ) -> None:
        """run: runs the work, which takes some seconds; default = at once."""
        self._reader, self._tray, self._on_change, self._run = reader, tray, on_change, run
        self._shown = False

    def on_snapshot(self, now: Snapshot) -> None:
        match = now.match
        if self._shown or match is None or not games.game(match.game).throws_coins(match.settings):
            return
        self._shown = True
        if not self._reader.enrolled.active:
            self._run(self._show)

    def _show(self) -> None:
        known = self._reader.enrolled
        for face, picture in lessons(self._tray.scene, self._tray.size_wh):
            if discs := find_discs(picture):
                known = known.with_coins(face, picture, discs)
        self._reader.enrolled = known
        self._on_change()
