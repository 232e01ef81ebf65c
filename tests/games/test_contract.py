"""The contract of every game: each registered game is played at random with a range of its settings."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import table.games
from table.common.errors import BrehonError, IllegalAnswer, UnreadableAnswer
from table.games import GAMES
from table.rules import rulebook
from table.rules.answers import Thrown, answer_from_json
from table.rules.game import Game, Seat, Setting, SettingValue
from table.rules.match import Answered, Event, Match, MatchView, replay
from table.rules.prompts import Choose, Prompt
from tests.games import playing
from tests.games.boston import BOSTON

pytestmark = pytest.mark.slow

MAX_ANSWERS = 20_000
"""An upper bound: the longest of 56 random games with ten players, a game of 5 Dice, took 2,513 answers."""

SAMPLES = 4
"""The number of positions at which a long match is checked closely."""


Given = tuple[tuple[str, str], ...]
"""Settings with their values, in the order in which they are given."""


@dataclass(frozen=True)
class Case:
    """A game with seats and settings; `seed` seeds the random play."""

    game: str
    seats: tuple[Seat, ...]
    given: tuple[tuple[str, str], ...] = ()
    seed: int = 1

    def start(self) -> Match:
        return playing.start(self.game, self.seats, dict(self.given))

    def at(self, events: Sequence[Event]) -> Match:
        return replay(GAMES[self.game], self.seats, dict(self.given), events)

    def __str__(self) -> str:
        given = " ".join(f"{name}={value}" for name, value in self.given)
        return f"{self.game} {len(self.seats)} {given}".strip()


def cases() -> Iterator[Case]:
    for name, game in GAMES.items():
        least, most = game.players[0], game.players[-1]
        yield Case(name, playing.make_seats(least))
        yield Case(name, playing.make_seats(min(least + 1, most)), seed=2)
        yield Case(name, playing.make_seats(most), seed=3)
        own = [("dice", "own")] * any(s.name == "dice" for s in game.settings_for(()))
        ben = [("start", "Ben")] * bool(game.start)
        yield Case(name, playing.make_seats(max(2, least), colours=True), (*own, *ben), seed=4)
        for setting in game.settings:
            for value in values_to_try(setting):
                given = with_what_it_needs(game, (setting.name, str(value)))
                yield Case(name, fewest_seats(game, given), given, seed=5)
        last = Given()
        for setting in game.settings:
            more = (*last, (setting.name, str(setting.values[-1])))
            last = more if seatings(game, more, least + 1) else last
        yield Case(name, fewest_seats(game, last, least + 1), last, seed=6)


def with_what_it_needs(game: Game, given: tuple[str, str]) -> Given:
    """The setting, after another one if it applies only with that."""
    others = [((s.name, str(value)),) for s in game.settings for value in values_to_try(s)]
    return next((*other, given) for other in ((), *others) if seatings(game, (*other, given)))


def fewest_seats(game: Game, given: Given, least: int = 0) -> tuple[Seat, ...]:
    """The fewest players that these settings allow, but at least `least` where the game has room for them."""
    return seatings(game, given, least)[0]


def seatings(game: Game, given: Given, least: int = 0) -> list[tuple[Seat, ...]]:
    """The players that these settings allow, the fewest first, as in `fewest_seats`."""
    seated = [playing.make_seats(n) for n in game.players if n >= min(least, game.players[-1])]
    return [seats for seats in seated if fits(game, seats, given)]


def fits(game: Game, seats: tuple[Seat, ...], given: Given) -> bool:
    try:
        game.parse_settings(seats, dict(given))
    except UnreadableAnswer:
        return False
    return True


def values_to_try(setting: Setting) -> Sequence[SettingValue]:
    """All values except the default; the second, middle and last value where there are many."""
    values = setting.values
    return values[1:] if len(values) <= 8 else (values[1], values[len(values) // 2], values[-1])


each_case = pytest.mark.parametrize("case", [pytest.param(c, id=str(c)) for c in cases()])


@dataclass(frozen=True)
class Played:
    """A match played to its end: the view before each answer, the answers, and the view at the end."""

    views: tuple[MatchView, ...]
    answers: tuple[Answered, ...]
    end: MatchView

    samples: tuple[int, ...] = field(default=())
    """The positions checked closely: the first of each kind of prompt, the last answer, and random ones."""


@cache
def play(case: Case) -> Played:
    rng, match = Random(case.seed), case.start()
    views: list[MatchView] = []
    answers: list[Answered] = []
    while match.prompt is not None and len(answers) < MAX_ANSWERS:
        views.append(match.view())
        answers.append(match.answered(playing.random_answer(match.prompt, rng)))
        match = match.after(answers[-1])
    return Played(tuple(views), tuple(answers), match.view(), _sampled(views, rng))


def _sampled(views: Sequence[MatchView], rng: Random) -> tuple[int, ...]:
    kinds: dict[str, int] = {}
    for i, view in enumerate(views):
        kinds.setdefault(prompt_of(view).kind, i)
    some = rng.sample(range(len(views)), min(SAMPLES, len(views)))
    return tuple(sorted({*kinds.values(), *some, len(views) - 1}))


def prompt_of(view: MatchView) -> Prompt:
    assert view.prompt is not None
    return view.prompt


# -- the contract --------------------------------------------------------------------------------------------


@each_case
def test_random_play_ends_and_every_winner_is_a_player(case: Case) -> None:
    end = play(case).end
    assert end.phase == "over", end.broken or f"not over after {end.at} answers"
    assert end.outcome is not None
    names = [seat.name for seat in case.seats]
    assert set(end.outcome.winners) <= set(names)
    assert len(set(end.outcome.winners)) == len(end.outcome.winners)
    assert is_sentence(end.outcome.reason)
    assert end.outcome.next_first in (None, *names)
    assert bool(end.outcome.why_first) == bool(end.outcome.next_first)
    assert end.outcome.carried >= 0
    if end.outcome.carried:
        GAMES[case.game].parse_settings(case.seats, {"carried": str(end.outcome.carried)})


@each_case
def test_every_prompt_is_a_sentence_to_a_player_and_converts_to_json(case: Case) -> None:
    names = [seat.name for seat in case.seats]
    for view in play(case).views:
        prompt = prompt_of(view)
        assert prompt.player in names
        assert is_sentence(prompt.text)
        assert json.loads(json.dumps(prompt.to_json())) == prompt.to_json()
        assert prompt.to_json()["kind"] == prompt.kind


@each_case
def test_a_game_awaits_only_its_declared_prompt_types(case: Case) -> None:
    asked = {type(prompt_of(view)) for view in play(case).views}
    assert asked <= set(GAMES[case.game].prompt_types)
    assert all(kind.answer_format for kind in asked)


@each_case
def test_the_coach_gives_valid_odds_for_every_prompt(case: Case) -> None:
    """Odds have a text and are a chance or a mean.

    The test calls the coach directly, because the page catches its errors.
    """
    game = play(case)
    for at in game.samples:
        prompt = prompt_of(game.views[at])
        for odds in prompt.coach() if prompt.coach else ():
            assert odds.text
            assert odds.points or 0 <= odds.value <= 1
            assert json.loads(json.dumps(odds.to_json())) == odds.to_json()


@each_case
def test_options_have_distinct_ids_and_texts(case: Case) -> None:
    for view in play(case).views:
        if isinstance(prompt := view.prompt, Choose):
            ids, texts = [o.id for o in prompt.options], [o.text for o in prompt.options]
            assert len(set(ids)) == len(ids) > 0
            assert len(set(texts)) == len(texts)
            assert all(texts)


@each_case
def test_score_lines_have_reasons_and_add_up(case: Case) -> None:
    end = play(case).end
    assert all(line.reason.strip() for line in end.sheet)
    without = {seat.name for seat in case.seats} - {line.player for line in end.sheet}
    assert not without, "write a turn without points as 0"
    assert {line.box for line in end.sheet} <= {row.box for row in GAMES[case.game].form} | {""}
    assert [line.at for line in end.sheet] == sorted(line.at for line in end.sheet)
    for name, score in end.scores.items():
        assert score == sum(line.points for line in end.sheet if line.player == name)
    assert all(is_sentence(ruling.text) for ruling in end.rulings)


@each_case
def test_a_match_can_be_resumed_at_any_answer(case: Case) -> None:
    game = play(case)
    for at in game.samples:
        assert case.at(game.answers[:at]).view() == game.views[at]
    assert case.at(game.answers).view() == game.end


@each_case
def test_an_illegal_answer_is_refused_in_a_sentence_and_changes_nothing(case: Case) -> None:
    game = play(case)
    for at in game.samples:
        match = case.at(game.answers[:at])
        for answer in playing.illegal_answers(prompt_of(game.views[at])):
            with pytest.raises(IllegalAnswer) as refusal:
                match.answered(answer)
            assert is_sentence(str(refusal.value)), answer
        assert match.view() == game.views[at]
        assert match.after(game.answers[at]).view() == (*game.views, game.end)[at + 1]


@each_case
def test_garbage_is_refused_and_changes_nothing(case: Case) -> None:
    game, rng = play(case), Random(case.seed)
    at = rng.choice(game.samples)
    match = case.at(game.answers[:at])
    for _ in range(100):
        with contextlib.suppress(BrehonError):
            match.answered(answer_from_json(garbage(rng)))
        with pytest.raises(UnreadableAnswer):
            answer_from_json({"roll": [1], "also": garbage(rng)})
    assert match.view() == game.views[at]


def garbage(rng: Random, depth: int = 3) -> Any:
    """A random JSON value, often almost an answer."""
    if depth and rng.random() < 0.6:
        inside = [garbage(rng, depth - 1) for _ in range(rng.randint(0, 3))]
        return rng.choice([inside, {rng.choice(["roll", "choose", "keep", "face", ""]): v for v in inside}])
    return rng.choice(
        [None, True, -1, 0, 1, 3, 6, 7, 10**30, 2.5, float("nan"), "", "hold", "3", "\0", "é" * 300]
    )


@each_case
def test_taking_a_choice_back_asks_the_same_prompt_again(case: Case) -> None:
    game = play(case)
    choices = [
        i
        for i, a in enumerate(game.answers)
        if not isinstance(a.answer, Thrown) and a.prompt["kind"] != "hidden"
    ]
    for at in Random(case.seed).sample(choices, min(SAMPLES, len(choices))):
        match = case.at(game.answers[: at + 1])
        match = match.after(match.taken_back())
        now, was = match.view(), game.views[at]
        assert (now.prompt, now.scores, now.sheet, now.so_far) == (
            was.prompt,
            was.scores,
            was.sheet,
            was.so_far,
        )
        assert [r for r in now.rulings if r in was.rulings] == list(was.rulings)
        assert len(now.rulings) == len(was.rulings) + 1


@each_case
def test_any_throw_can_be_corrected_and_play_goes_on(case: Case) -> None:
    game, rng = play(case), Random(case.seed)
    throws = [i for i, a in enumerate(game.answers) if isinstance(a.answer, Thrown)]
    match, events = case.at(game.answers), list[Event](game.answers)
    for at in sorted(rng.sample(throws, min(2, len(throws))), reverse=True):
        new = playing.random_answer(prompt_of(game.views[at]), rng)
        assert isinstance(new, Thrown)
        if new == match.answers[at].answer:
            continue
        events.append(match.corrected(at, new))
        match = match.after(events[-1])
        assert match.broken is None
        assert match.at > at
        assert match.answers[at].answer == new
    assert case.at(events).view() == match.view()
    playing.play_to_end(match, rng, MAX_ANSWERS)


def is_sentence(text: str) -> bool:
    """Whether a text is a sentence for players. It must not show internals of the program."""
    begins = text[:1].isupper() or text[:1].isdigit() or text.startswith("“")
    strange = ("None", "Traceback", "  ", "{", "}", "<", "_Ask", "\n")
    return begins and text.endswith((".", "?", "!")) and not any(s in text for s in strange)


each_rulebook = pytest.mark.parametrize("game", [*GAMES.values(), BOSTON], ids=lambda game: game.name)
"""Every registered game, and the example of docs/add-a-game.md."""


@each_rulebook
def test_the_rules_name_the_player_who_begins(game: Game) -> None:
    if game.start:
        assert re.search(r"\b(begins|opens)\b", game.rules), "write who begins, as in: The highest begins."
    else:
        assert "Nobody begins" in game.rules


@each_rulebook
def test_the_rules_name_the_fouls(game: Game) -> None:
    assert re.search(r"^Fouls\b", game.rules, re.M), "write a line that begins “Fouls”"


@each_rulebook
def test_every_numbered_ruling_of_a_rulebook_is_listed_once(game: Game) -> None:
    assert game.doc is not None
    numbers = [number for number, _ in game.rulings]
    _, _, rulings = game.doc.partition("Rulings: ")
    assert numbers == re.findall(rf"\b{rulebook.NUMBER}(?= )", rulings) != []
    assert len(set(numbers)) == len(numbers)
    assert all(2 < len(text) < 400 for _, text in game.rulings)


def test_ruling_numbers_in_game_code_exist() -> None:
    """A mark such as "# P-2" in pig.py names a ruling of a rulebook, and every game has its own letters."""
    listed = [number for game in GAMES.values() for number, _ in game.rulings]
    assert len(set(listed)) == len(listed), "another game has these letters; take others, one or two"
    folder = Path(table.games.__file__).parent
    marked = {
        mark
        for file in folder.rglob("*.py")
        for mark in re.findall(rf"\b{rulebook.NUMBER}\b", file.read_text("utf-8"))
    }
    assert marked <= set(listed)


# -- the same in every process -------------------------------------------------------------------------------


def fingerprint() -> str:
    """A hash of all prompts in one short match of every game."""
    digest = hashlib.sha256()
    for name, game in GAMES.items():
        case = Case(name, playing.make_seats(game.players[0]))
        for view in play(case).views:
            digest.update(json.dumps(prompt_of(view).to_json()).encode())
    return digest.hexdigest()


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_prompts_are_identical_in_every_process(hash_seed: str) -> None:
    code = "from tests.games.test_contract import fingerprint; print(fingerprint())"
    root = Path(__file__).parents[2]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env=env,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == fingerprint()
