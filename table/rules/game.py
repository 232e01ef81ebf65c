"""A game: its name, its settings, and the coroutine that plays it in the order of its rulebook."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from table.common.errors import BrehonError, UnreadableAnswer
from table.rules import words
from table.rules.answers import Answer, Throw, is_encodable
from table.rules.board import Board, Move, OpenDie, PaperBoard
from table.rules.entered_prompts import Hidden, Pick, StickThrow
from table.rules.pieces import Standing
from table.rules.programme import Programme
from table.rules.prompts import (
    REVEAL,
    Choose,
    Coach,
    DiceGroup,
    Keep,
    KeepRule,
    Option,
    Prompt,
    Roll,
    keep_at_least_one,
)
from table.rules.rulebook import Rulebook
from table.rules.sheet import CardLine, Row, Sheet, Tally
from table.rules.towers import Level, Tower

Play = Callable[["Table"], Coroutine[Prompt, Answer, "Outcome"]]
SettingValue = str | int


HIGHEST = "highest"
"""Value of the setting `start`: the highest throw decides who begins."""

LOWEST = "lowest"
"""Value of the setting `start`: the lowest throw decides who begins."""

MAX_LISTED = 8
"""Most values of a setting that a message lists. A longer range of numbers is given by its ends."""

SETTING_IN_TEXT = re.compile(r"\b([a-z_]+)=([A-Za-z0-9_]+(?:-[0-9]+)?)")
"""A setting with its value in a rulebook, as scripts name them: teams=on, date=02-01."""

WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,17}")
"""A whole number as Python writes it, of at most 18 digits."""

INVISIBLE = ("Cc", "Cf", "Zl", "Zp")
"""Unicode categories of invisible characters: controls, joiners and line ends."""


@dataclass(frozen=True)
class Seat:
    """A player at the table. colour: of their light and, if they throw their own dice, of their dice."""

    name: str
    colour: str | None = None
    second: str | None = None
    """The second colour of a clan, in games whose players throw dice of two colours."""

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "colour": self.colour} | ({"second": self.second} if self.second else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Seat:
        return cls(data["name"], data["colour"], data.get("second"))


@dataclass(frozen=True)
class Outcome:
    """How a match ended.

    winners: empty only if the rules allow a match without a winner. reason: a sentence for people.
    carried: stakes that move to the next game. next_first: who begins the next game, if the rules say so.
    why_first: the rule that says it, as the rest of the sentence “Ann begins: …”. prizes: what each winner
    won, by name, where there is more than one prize.
    """

    winners: tuple[str, ...]
    reason: str
    carried: int = 0
    next_first: str | None = None
    why_first: str = ""
    prizes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Setting:
    """A setting of a game. The first value is the default.

    name: for scripts, as each value is. help: what it sets, for both. title: its name for people.
    texts: the values for people, as many as there are values; if empty, the values themselves.
    players: numbers of players with whom it means anything; None: any number.
    """

    name: str
    values: Sequence[SettingValue]
    help: str
    title: str = ""
    texts: tuple[str, ...] = ()
    players: range | None = None

    @property
    def default(self) -> SettingValue:
        return self.values[0]

    @property
    def title_text(self) -> str:
        """'Question cards' for a setting without a title, named question_cards."""
        return self.title or _plain(self.name)

    @property
    def value_texts(self) -> tuple[str, ...]:
        """The values for people; empty for a range of numbers."""
        if isinstance(self.values, range):
            return ()
        return tuple(map(words.upper_first, self.texts or map(self.plain, self.values)))

    def plain(self, value: SettingValue) -> str:
        """'last standing' for last_standing, 'red and blue' for red+blue, '1,000' for 1000."""
        if isinstance(value, int):
            return f"{value:,}"
        return words.listed(_plain(value).split("+"))

    def text_of(self, value: str) -> str:
        """A value for people: “End: the last player with lives wins”, or “Teams” if it is on."""
        if value == "on":
            return f"“{self.title_text}”"
        texts = dict(zip(map(str, self.values), self.texts, strict=False))
        text = texts.get(value) or self.plain(int(value) if value.isdecimal() else value)
        is_name = value[:1].isupper()  # of a player
        return f"“{self.title_text}: {text if is_name else words.lower_first(text)}”"

    @property
    def full_help(self) -> str:
        """The help for scripts, which explains each value: 'who opens; winner: the winner of the round'."""
        values = (
            f"{value}: {text}"
            for value, text in zip(self.values, self.texts, strict=False)
            if text != value and text not in self.help
        )
        return "; ".join(filter(None, (self.help, *values)))

    def misfit(self, value: SettingValue, players: int) -> str | None:
        """Why the value means nothing with so many players, or None. The default is always allowed."""
        if value == self.default or self.players is None or players in self.players:
            return None
        fewest, most = self.players[0], self.players[-1]
        several = words.number(fewest) if fewest == most else f"{words.number(fewest)} or more"
        who = "a player alone" if most == 1 else f"{several} players"
        came = words.number(players)
        return f"the setting {self.name} is for {who}, and {came} came: leave it at {self.default}"

    def parse(self, text: str) -> SettingValue:
        """The value that this text names; raises UnreadableAnswer with the allowed values."""
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
        number_range = self.values if isinstance(self.values, range) else self._number_range
        if number_range:
            return f"a whole number from {number_range[0]:,} to {number_range[-1]:,}"
        return words.listed(self.values, "or")

    @property
    def _number_range(self) -> range | None:
        """The range of the allowed numbers if they are many and have no gaps; else None."""
        numbers = sorted(v for v in self.values if isinstance(v, int))
        if len(numbers) != len(self.values) or len(numbers) <= MAX_LISTED:
            return None
        span = range(numbers[0], numbers[-1] + 1)
        return span if numbers == list(span) else None


def _plain(name: str) -> str:
    """'Last standing' for last_standing."""
    return words.upper_first(name.replace("_", " "))


def _accept_settings(settings: Mapping[str, SettingValue]) -> str | None:
    return None


Implied = Mapping[str, tuple[SettingValue, str]]
"""Settings whose value follows from something else: that value, and what it follows from."""


def _imply_nothing(players: Sequence[str], settings: Mapping[str, SettingValue]) -> Implied:
    return {}


@dataclass(frozen=True)
class Game:
    """A game of the registry in table/games; raises ValueError if a part of the docstring is missing.

    doc: the docstring of the game's file, which is its rulebook.
    answers: what a script needs besides the kinds of prompts, such as how the ids of options are made.
    form: the rows of its paper sheet; if empty, the sheet has one row for each turn.
    two_colours: whether each player throws dice of two colours.
    """

    name: str
    doc: str | None
    players: range
    play: Play
    settings: tuple[Setting, ...] = ()
    answer_notes: str = ""
    best_play: str = ""
    """What the coach plays for, as sentences; "" if it does not know best play."""
    board_notes: str = ""
    """What the spots, pieces and notes of the game's board are, for scripts; "" for games without one."""
    printed_board: PaperBoard | None = None
    """Its board before a match, to print; None for games without one."""
    sticks: tuple[tuple[str, ...], ...] = ()
    """The sides of each throwing stick, to print; empty if the game throws none."""
    form: tuple[Row, ...] = ()
    card: tuple[CardLine, ...] = ()
    """The printed sheet of one player, whose boxes are those of the form; if empty, it has the turns."""
    tally: Tally | None = None
    """Its blank sheet, with a row for each match; None: a card, or a row for each turn."""
    scores_count: tuple[str, str] | None = None
    """What the scores count, one and many of it, such as "life" and "lives"; None: points."""
    two_colours: bool = False
    one_cup: bool = False
    """Whether one cup goes round; otherwise each player has an own one."""
    cup_stays_secret: bool = False
    """Whether nobody looks under the cup before it is lifted, not even the thrower."""
    own_dice: bool = True
    """Whether there is a setting dice=own: own colours for all. False if the rules name the colours."""
    start: str = "highest die thrown"
    """How the first player is found, for the help of the setting `start`; "" if there is no such setting."""
    start_value: str = HIGHEST
    """The value of the setting `start` by which the first player is found so."""
    minutes: tuple[int, int] | None = None
    """The usual minutes of one match, the shorter and the longer of the fewest players and of four; None: not
    known. Those of Bricriu's Bluff are in its rulebook. `python -m tests.games.lengths` measures the others,
    to the nearest five minutes above five: its players choose at random where the coach does not know best
    play, and the seconds of a throw and of an answer are estimates."""
    prompt_types: tuple[type[Prompt], ...] = (Roll, Choose, Keep)
    """The kinds of prompts that the game uses."""
    _rulebook: Rulebook = field(init=False, repr=False, compare=False)
    settings_error: Callable[[Mapping[str, SettingValue]], str | None] = _accept_settings
    """Why these settings do not fit one another, as a sentence for people; None if they fit."""
    implied: Callable[[Sequence[str], Mapping[str, SettingValue]], Implied] = _imply_nothing
    """The settings that follow from the players or from other settings; another value of them is refused."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rulebook", Rulebook.of(self.doc))  # here, so that mistakes fail early

    @property
    def title(self) -> str:
        return self._rulebook.title

    @property
    def aim(self) -> str:
        return self._rulebook.aim

    @property
    def rules(self) -> str:
        return self._rulebook.rules

    @property
    def rule_paragraphs(self) -> tuple[tuple[str, str], ...]:
        """The paragraphs of the rules, as Rulebook has them."""
        return self._rulebook.paragraphs

    @property
    def rulings(self) -> tuple[tuple[str, str], ...]:
        """The number and text of each ruling in the docstring."""
        return self._rulebook.rulings

    def for_people(self, text: str) -> str:
        """A text of the rulebook with settings as people see them: “Teams” for teams=on."""
        settings = {setting.name: setting for setting in self.settings_for(())}
        return SETTING_IN_TEXT.sub(
            lambda found: settings[found[1]].text_of(found[2]) if found[1] in settings else found[0], text
        )

    @property
    def player_count_text(self) -> str:
        """'2 to 10 players', '1 player'."""
        least, most = self.players[0], self.players[-1]
        return f"{least} to {most} players" if least < most else f"{most} player{'s' * (most > 1)}"

    def settings_for(self, names: Sequence[str]) -> tuple[Setting, ...]:
        """The game's own settings, then `start` and `dice` if the game has them."""
        by, texts = f"who begins: {self.start}, or the player named", (self.start, *names)
        start = Setting("start", (self.start_value, *names), by, "Who begins", texts)
        own = "their own two colours" if self.two_colours else "their own colour"
        texts = ("dice of any colour", f"each player throws {own}")
        dice = Setting("dice", ("any", "own"), "", "Colours of the dice", texts)
        return (*self.settings, *([start] if self.start else []), *([dice] if self._throws_dice else []))

    def changed_settings(
        self, names: Sequence[str], settings: Mapping[str, SettingValue]
    ) -> tuple[Setting, ...]:
        """The settings that are not at their defaults, but for those that follow from others.

        A setting such as “Magic: Fireball” is left out while the setting “Magic” is off.
        """
        every, implied = self.settings_for(names), self.implied(names, settings)
        off = tuple(f"{s.title_text}: " for s in every if settings[s.name] == "off")
        return tuple(
            s
            for s in every
            if settings[s.name] != s.default and s.name not in implied and not s.title_text.startswith(off)
        )

    def setting_texts(self, names: Sequence[str], settings: Mapping[str, SettingValue]) -> tuple[str, ...]:
        """'Who begins: Ann', for each of the changed settings."""

        def told(setting: Setting) -> str:
            value, texts = settings[setting.name], zip(setting.values, setting.value_texts, strict=False)
            return f"{setting.title_text}: {dict(texts).get(value, value)}"

        return tuple(map(told, self.changed_settings(names, settings)))

    @property
    def throws_sticks(self) -> bool:
        """Whether sticks are thrown in this game. No dice are thrown then."""
        return StickThrow in self.prompt_types

    def throws_coins(self, settings: Mapping[str, SettingValue]) -> bool:
        """Whether coins stand for the sticks with these settings: the setting “sticks” says “coins”."""
        return self.throws_sticks and settings.get("sticks") == "coins"

    @property
    def _throws_dice(self) -> bool:
        return Roll in self.prompt_types and self.own_dice

    def parse_settings(
        self, seats: Sequence[Seat], raw_settings: Mapping[str, str], logged: bool = False
    ) -> dict[str, SettingValue]:
        """Every setting with its value; raises UnreadableAnswer if seats or settings do not fit the game.

        logged: they are those of a match in the log. Version 0.1.0 accepted settings that do not apply and
        ignored them, and called the start of every game "highest".
        """
        _check_seats(self, seats)
        if logged and raw_settings.get("start") == HIGHEST and HIGHEST not in [s.name for s in seats]:
            raw_settings = {**raw_settings, "start": self.start_value}
        known = {s.name: s for s in self.settings_for([s.name for s in seats])}
        for name in raw_settings:
            if name not in known:
                raise UnreadableAnswer(
                    f"{self.title} has no setting “{words.short(name)}”; it has {words.listed(known)}"
                )
        settings = {
            s.name: s.parse(raw_settings[s.name]) if s.name in raw_settings else s.default
            for s in known.values()
        }
        implied = self.implied([s.name for s in seats], settings)
        for name, (value, cause) in implied.items():
            if name in raw_settings and settings[name] != value and not logged:
                raise UnreadableAnswer(
                    f"with {cause}, {name} is {value}; got “{settings[name]}”: give {value}, or leave it out"
                )
            settings[name] = value
        if settings.get("dice") == "own":
            _check_own_dice(self, seats)
        misfits = [s.misfit(settings[s.name], len(seats)) for s in known.values() if s.name not in implied]
        misfit = next(filter(None, [*misfits, self.settings_error(settings)]), None)
        if misfit is not None and not logged:
            raise UnreadableAnswer(misfit)
        return settings


def _check_own_dice(game: Game, seats: Sequence[Seat]) -> None:
    if not game.two_colours:
        colours = [s.colour for s in seats]
        if None in colours or len(set(colours)) < len(colours):
            raise UnreadableAnswer(
                "with dice=own every player needs a colour of their own, such as Ann:green,Ben:red"
            )
        return
    pairs = [frozenset((s.colour, s.second)) for s in seats]
    if any(None in pair or len(pair) < 2 for pair in pairs) or len(set(pairs)) < len(pairs):
        raise UnreadableAnswer(
            "with dice=own every player needs two colours, "
            "and no two players the same two, such as Ann:green+white,Ben:red+white"
        )


def _check_seats(game: Game, seats: Sequence[Seat]) -> None:
    names = [s.name for s in seats]
    if len(names) not in game.players:
        came = words.number(len(names)) if names else "none"
        raise UnreadableAnswer(f"{game.title} is for {game.player_count_text}; {came} came")
    if not all(is_encodable(n) for n in names):
        raise UnreadableAnswer("a name has a letter that cannot be read; write it again")
    seen = [_comparable_name(n) for n in names]
    if "" in seen:
        raise UnreadableAnswer("every player needs a name")
    if game.start_value in seen:
        raise UnreadableAnswer(
            f"“{game.start_value}” cannot be a name, because it is a value of the setting start;"
            " choose another name"
        )
    if len(set(seen)) < len(seen):
        raise UnreadableAnswer(
            f"players need different names; got {words.listed(words.short(n) for n in names)}"
        )


def _comparable_name(name: str) -> str:
    """The name for comparison with others: without invisible characters and without capitals."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return " ".join("".join(c for c in plain if c == " " or unicodedata.category(c) not in INVISIBLE).split())


@dataclass(frozen=True)
class Ruling:
    """A sentence of the referee. at: the number of answers before it.

    remark: whether it reports a correction or a choice that was taken back. Such a ruling is not part of the
    game, so a replay keeps it.
    task: whether it says what the players are to do before the next throw, which shows that it is done.
    """

    at: int
    text: str
    remark: bool = False
    task: bool = False


class Table:
    """The interface of a running game: seats and settings to read, a sheet to write, and prompts to await."""

    def __init__(self, seats: Sequence[Seat], settings: Mapping[str, SettingValue]) -> None:
        self.seats = tuple(seats)
        self.players = tuple(s.name for s in seats)
        self.seat_order = self.players
        """The players clockwise. A game in which they throw for their seats sets it."""
        self.settings = settings
        self.sheet = Sheet(self.players)
        self.rulings: list[Ruling] = []
        self.so_far = ""
        """The result of the current turn so far, for people. The game sets it."""
        self.board: Board | Callable[[], Board] | None = None
        """The board, or a function that returns it; None for games without one. The game sets it."""
        self.lifted: tuple[OpenDie, ...] = ()
        """The dice that came to light under the lifted cups. The game sets them."""
        self.pieces: Callable[[], Iterable[Standing]] | None = None
        """Where the pieces of the real board stand; None for games without one. The game sets it."""
        self.programme: Callable[[], Programme] | None = None
        """Computes the programme of a match in several events; None for other games. The game sets it."""
        self.games_won: Mapping[str, int] = {}
        """The games that each player has won; empty in a match of one game. The game sets it."""
        self.towers: tuple[Tower, ...] = ()
        """The towers of dice that stand on the tray now. The game sets them."""
        self.hidden_since: int | None = None
        """The number of the prompt since which dice lie under cups; None if none do."""

    @property
    def current_board(self) -> Board | None:
        """The board now. It is computed only on request, because a match that resumes needs no board."""
        return self.board() if callable(self.board) else self.board

    def rule(self, text: str, task: bool = False) -> None:
        """Adds a ruling with this text to the match. task: as in Ruling."""
        self.rulings.append(Ruling(self.sheet.at, text, task=task))

    def number(self, setting: str) -> int:
        """The value of a numeric setting; raises BrehonError if it is not a number."""
        value = self.settings[setting]
        if not isinstance(value, int):
            raise BrehonError(f"the setting {setting} is not a number: {value!r}")
        return value

    def after(self, player: str) -> str:
        """The next player, clockwise."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def before(self, player: str) -> str:
        """The previous player, clockwise: the one to the right."""
        return self.players[self.players.index(player) - 1]

    def round_from(self, first: str) -> tuple[str, ...]:
        """All players once, clockwise, from `first`."""
        i = self.players.index(first)
        return self.players[i:] + self.players[:i]

    async def roll(
        self,
        player: str,
        count: int,
        beside: Sequence[int] = (),
        why: str = "",
        purpose: str = "",
        coach: Coach | None = None,
        again: bool = False,
    ) -> tuple[int, ...]:
        """The faces of `count` dice that the player throws.

        beside: faces set aside that may lie on the tray. why: an addition to the sentence.
        purpose, again: as in Roll.
        """
        groups = (DiceGroup(count, self.colour(player)),)
        return (await self.throw(player, groups, beside, why, purpose, coach=coach, again=again)).faces

    async def throw(
        self,
        player: str,
        groups: Sequence[DiceGroup],
        beside: Sequence[int] = (),
        why: str = "",
        purpose: str = "",
        text: str = "",
        coach: Coach | None = None,
        stage: str = "",
        again: bool = False,
    ) -> Throw:
        """The dice of these groups, thrown together, each with its colour if it is known.

        purpose, stage, again: as in Roll.
        """
        text = text or f"{player}: throw {words.listed(words.dice(g.count, g.colour) for g in groups)}{why}."
        if purpose == REVEAL:
            self.lift_cups()
        return await Roll(player, text, tuple(groups), tuple(beside), purpose, stage, again, coach=coach)

    async def throw_sticks(
        self,
        player: str,
        sticks: tuple[tuple[str, ...], ...],
        why: str = "",
        purpose: str = "",
        coach: Coach | None = None,
        text: str = "",
    ) -> tuple[str, ...]:
        """The upper side of each stick that the player throws. sticks: the faces of each stick."""
        text = text or f"{player}: throw the {words.number(len(sticks))} sticks{why}."
        return (await StickThrow(player, text, sticks, purpose, coach=coach)).faces

    async def hide(self, player: str, count: int, text: str = "") -> None:
        """Waits until the player's dice lie under the cup."""
        if self.hidden_since is None:
            self.hidden_since = self.sheet.at
        group = DiceGroup(count, self.colour(player))
        dice, they_lie = words.dice(count, group.colour), "it lies" if count == 1 else "they lie"
        text = text or f"{player}: throw {dice} under your cup, and say when that is done."
        ready = Option("ready", f"{words.upper_first(they_lie)} under the cup")
        await Hidden(player, text, (ready,), dice=(group,))

    async def reveal(self, player: str, count: int, text: str = "") -> tuple[int, ...]:
        """The faces of the `count` dice that a player shows when the cups are lifted."""
        group = DiceGroup(count, self.colour(player))
        dice, as_they_lie = words.dice(count, group.colour), words.as_they_lie(count)
        text = text or f"{player}: lift your cup and slide {dice} onto the tray {as_they_lie}."
        return (await self.throw(player, (group,), purpose=REVEAL, text=text)).faces

    def lift_cups(self) -> None:
        """Says that no dice are secret any more. Only a round that ends without a reveal needs this call."""
        self.hidden_since = None

    async def choose(
        self,
        player: str,
        *options: Option,
        text: str = "",
        foul: Callable[[str], str | None] = lambda option: None,
        coach: Coach | None = None,
        closed: Sequence[tuple[Move, str]] = (),
    ) -> str:
        """The id of the option that the player takes.

        foul: what is wrong with an id that is not listed, such as "There is no red 5". closed: as in Choose.
        """
        text = text or f"{player}: {words.listed((words.lower_first(o.text) for o in options), 'or')}?"
        return (await Choose(player, text, options, foul, tuple(closed), coach=coach)).option

    async def keep(
        self,
        player: str,
        faces: Sequence[int],
        rule: KeepRule = keep_at_least_one,
        text: str = "",
        coach: Coach | None = None,
        earlier: Sequence[int] = (),
        beside: Sequence[int] = (),
        least: int = 0,
        lying_rule: KeepRule | None = None,
        worth: Callable[[tuple[int, ...]], int] | None = None,
    ) -> tuple[int, ...]:
        """The faces that the player keeps out of `faces`. earlier, beside, least, lying_rule, worth: as in
        Keep."""
        text = text or f"{player}: which dice do you keep?"
        aside = tuple(earlier), tuple(beside)
        prompt = Keep(player, text, tuple(faces), rule, *aside, least, lying_rule, worth, coach=coach)
        return (await prompt).faces

    async def pick(
        self,
        player: str,
        items: Sequence[Option],
        text: str,
        least: int = 0,
        most: int | None = None,
        rule: Callable[[tuple[str, ...]], str | None] = lambda items: None,
        coach: Coach | None = None,
        purpose: str = "",
        levels: Mapping[str, Level] | None = None,
    ) -> tuple[str, ...]:
        """The ids of the items that the player picks, in their order. purpose, levels: as in Pick."""
        most = len(items) if most is None else most
        prompt = Pick(player, text, tuple(items), least, most, rule, purpose, levels or {}, coach=coach)
        return prompt.ids(await prompt)

    def colour(self, player: str) -> str | None:
        """The colour of the dice that the player must throw; None for any colour."""
        return self.colours(player)[0]

    def colours(self, player: str) -> tuple[str | None, str | None]:
        """Both colours of a player in a game of two colours; None for any colour."""
        if self.settings.get("dice") != "own":
            return None, None
        seat = self.seats[self.players.index(player)]
        return seat.colour, seat.second
