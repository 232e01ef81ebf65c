"""DiceReader, StickWatcher and CoinWatcher: what turns a picture into a Reading."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from vision.frames import Picture
from vision.readings import Reading


class DiceReader(Protocol):
    """Reads the dice of a picture: the nets, the nets with a palette, a baseline or a test's own reader."""

    def read(self, picture: Picture) -> Reading: ...


@runtime_checkable
class StickWatcher(Protocol):
    """A DiceReader that also reads sticks. sticks: whether it does; False costs a table of dice nothing."""

    sticks: bool

    def read(self, picture: Picture) -> Reading: ...


@runtime_checkable
class CoinWatcher(Protocol):
    """A DiceReader that can read coins in place of sticks. coins: whether the game is played with coins."""

    coins: bool

    def read(self, picture: Picture) -> Reading: ...


class WrappedReader:
    """The base of a reader that reads with another one."""

    def __init__(self, reader: DiceReader) -> None:
        self._reader = reader

    @property
    def sticks(self) -> bool:
        """Whether the other reader reads sticks too; False where it cannot."""
        return isinstance(self._reader, StickWatcher) and self._reader.sticks

    @sticks.setter
    def sticks(self, on: bool) -> None:
        if isinstance(self._reader, StickWatcher):
            self._reader.sticks = on

    @property
    def coins(self) -> bool:
        """Whether the other reader reads coins in place of sticks; False where it cannot."""
        return isinstance(self._reader, CoinWatcher) and self._reader.coins

    @coins.setter
    def coins(self, on: bool) -> None:
        if isinstance(self._reader, CoinWatcher):
            self._reader.coins = on
