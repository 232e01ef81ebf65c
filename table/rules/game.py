"""What a game is: its name, its settings, and the coroutine that reads like its rulebook."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table.errors import BrehonError, UnreadableAnswer
from table.rules import words
from table.rules.answers import Answer, Chosen, Kept, Throw, readable
from table.rules.prompts import Choose, DiceGroup, Keep, Option, Prompt, Roll, any_of_them
from table.rules.sheet import Sheet

Play = Callable[["Table"], Coroutine[Prompt, Answer, "Outcome"]]
SettingValue = str | int


HIGHEST = "highest"
"""Value of the setting `start` that has the highest die decide who begins."""


WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,17}")
"""As Python writes it, and no longer than a setting can be."""

UNSEEN = ("Cc", "Cf", "Zl", "Zp")
"""Unicode's categories of what leaves no mark in a name: controls, joiners and ends of lines."""


@dataclass(frozen=True)
class Seat:
    """A player at the table; `colour` is the colour of their light and, where they throw their own, of their dice."""

    name: str
    colour: str | None = None


@dataclass(frozen=True)
class Outcome:
    """How a match ended. No winners is possible only where the rules say so; `reason` says why, for people.

    carried: stakes that go over to the next game.
    next_first: who begins the next game, where the rules say so.
    """

    winners: tuple[str, ...]
    reason: str
    carried: int = 0
    next_first: str | None = None


@dataclass(frozen=True)
class Setting:
    """An option of a game; the first value is the default."""

    name: str
    values: Sequence[SettingValue]
    help: str

    @property
    def default(self) -> SettingValue:
        return self.values[0]

    def parse(self, text: str) -> SettingValue:
        """The value written as text; raises UnreadableAnswer listing what is allowed."""
        if isinstance(self.values, range):
            if WHOLE_NUMBER.fullmatch(text) and int(text) in self.values:
                return int(text)
        else:
            for value in self.values:
                if str(value) == text:
                    return value
        raise UnreadableAnswer(f"{self.name} is {self.allowed}; got “{words.short(text)}”")

    @property
    def allowed(self) -> str:
        if isinstance(self.values, range):
            return f"a whole number from {self.values[0]:,} to {self.values[-1]:,}"
        return words.listed(self.values, "or")


@dataclass(frozen=True)
class Game:
    """A game as the table knows it: one entry of the registry in table/games."""

    name: str
    title: str
    aim: str
    players: range
    settings: tuple[Setting, ...]
    play: Play
    rules: str
    start: str = "highest die thrown"
    """How the first player is found, in the help of the setting `start`."""

    def settings_for(self, names: Sequence[str]) -> tuple[Setting, ...]:
        """The game's own settings and the two that every game has."""
        return (
            *self.settings,
            Setting("start", (HIGHEST, *names), f"who begins: {self.start}, or the player named"),
            Setting("dice", ("any", "own"), "any: dice of any colour; own: each player throws their own colour"),
        )

    def settle(self, seats: Sequence[Seat], given: Mapping[str, str]) -> dict[str, SettingValue]:
        """Every setting with its value; raises UnreadableAnswer where seats or settings do not fit the game."""
        _check_seats(self, seats)
        known = {s.name: s for s in self.settings_for([s.name for s in seats])}
        for name in given:
            if name not in known:
                raise UnreadableAnswer(f"{self.title} has no setting “{words.short(name)}”; it has {words.listed(known)}")
        settled = {s.name: s.parse(given[s.name]) if s.name in given else s.default for s in known.values()}
        colours = [s.colour for s in seats]
        if settled["dice"] == "own" and (None in colours or len(set(colours)) < len(colours)):
            raise UnreadableAnswer("with dice=own every player needs a colour of their own, such as Ann:green,Ben:red")
        return settled


def _check_seats(game: Game, seats: Sequence[Seat]) -> None:
    names = [s.name for s in seats]
    if len(names) not in game.players:
        least, most = game.players[0], game.players[-1]
        raise UnreadableAnswer(f"{game.title} is for {least} to {most} players; {words.number(len(names)) if names else 'none'} came")
    if not all(readable(n) for n in names):
        raise UnreadableAnswer("a name is written in letters; there is one that cannot be read")
    seen = [_as_seen(n) for n in names]
    if "" in seen:
        raise UnreadableAnswer("every player needs a name")
    if HIGHEST in seen:
        raise UnreadableAnswer(f"nobody can be called “{HIGHEST}” here, because that is how the first player is found")
    if len(set(seen)) < len(seen):
        raise UnreadableAnswer(f"players need different names; got {words.listed(words.short(n) for n in names)}")


def _as_seen(name: str) -> str:
    """The name as people tell it from others: without what cannot be seen, and small or capital letters alike."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return " ".join("".join(c for c in plain if c == " " or unicodedata.category(c) not in UNSEEN).split())


@dataclass(frozen=True)
class Ruling:
    """A sentence of the referee; `at` is the number of answers given before it was made.

    remark: it tells of a correction or of a choice taken back, and not of the game: so it stays where the game is played anew.
    """

    at: int
    text: str
    remark: bool = False


class Table:
    """What a game sees of the world: seats and settings to read, a sheet to write, and things to await."""

    def __init__(self, seats: Sequence[Seat], settings: Mapping[str, SettingValue]) -> None:
        self.seats = tuple(seats)
        self.players = tuple(s.name for s in seats)
        self.settings = settings
        self.sheet = Sheet(self.players)
        self.rulings: list[Ruling] = []
        self.so_far = ""
        """What the running turn has come to, for people; the game sets it."""

    def rule(self, text: str) -> None:
        """Says something of the referee's, kept with the match."""
        self.rulings.append(Ruling(self.sheet.at, text))

    def number(self, setting: str) -> int:
        """The value of a setting that is a number."""
        value = self.settings[setting]
        if not isinstance(value, int):
            raise BrehonError(f"setting {setting} is no number: {value!r}")
        return value

    def after(self, player: str) -> str:
        """The next player clockwise."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def before(self, player: str) -> str:
        """The player to the right, who sits before this one clockwise."""
        return self.players[self.players.index(player) - 1]

    def round_from(self, first: str) -> tuple[str, ...]:
        """All players once, clockwise, `first` first."""
        i = self.players.index(first)
        return self.players[i:] + self.players[:i]

    async def roll(
        self, player: str, count: int, beside: Sequence[int] = (), why: str = "", purpose: str = ""
    ) -> tuple[int, ...]:
        """The faces of `count` dice thrown by the player.

        beside: faces set aside that may lie on the tray. why: goes into the sentence. purpose: what else than a turn the throw is for.
        """
        group = DiceGroup(count, self._colour(player))
        text = f"{player}: throw {words.dice(count, group.colour)}{why}."
        answer = await _ask(Roll(player, text, (group,), tuple(beside), purpose))
        assert isinstance(answer, Throw)
        return answer.faces

    async def choose(self, player: str, *options: Option, text: str = "") -> str:
        """The id of the option the player took."""
        text = text or f"{player}: {words.listed((words.lower_first(o.text) for o in options), 'or')}?"
        answer = await _ask(Choose(player, text, options))
        assert isinstance(answer, Chosen)
        return answer.option

    async def keep(
        self,
        player: str,
        faces: Sequence[int],
        rule: Callable[[tuple[int, ...]], str | None] = any_of_them,
        text: str = "",
    ) -> tuple[int, ...]:
        """The faces that the player sets aside out of `faces`."""
        text = text or f"{player}: which dice do you keep?"
        answer = await _ask(Keep(player, text, tuple(faces), rule))
        assert isinstance(answer, Kept)
        return answer.faces

    def _colour(self, player: str) -> str | None:
        if self.settings.get("dice") != "own":
            return None
        return self.seats[self.players.index(player)].colour


class _Ask(Awaitable[Answer]):
    def __init__(self, prompt: Prompt) -> None:
        self._prompt = prompt

    def __await__(self) -> Generator[Any, Any, Answer]:
        answer: Answer = yield self._prompt
        return answer


async def _ask(prompt: Prompt) -> Answer:
    return await _Ask(prompt)
