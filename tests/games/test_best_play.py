"""Best play: what holds in every game whose coach knows it, and the accounts of luck and choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from random import Random

import pytest

from table.games import GAMES
from table.games.highland import coach_rules
from table.odds.highland.pips import POINTS_A_PIP
from table.odds.throws import throws
from table.rules.accounts import Account, accounts, coach_to_json, valued, worth_of
from table.rules.answers import Answer, Chosen, Die, Throw
from table.rules.best_play import Advice, BestPlay, Played, after_choice
from table.rules.game import Seat, Table
from table.rules.match import Match
from table.rules.prompts import Choose, Option, Prompt, Roll
from tests.games.night import Night

ANN, BEN, CAL = Seat("Ann"), Seat("Ben"), Seat("Cal")
CLAN = Seat("Ann", "green", "white")
WELL = 0.8
"""How often these players take the best answer, as a share (0 to 1), so that games get near their end."""


@dataclass(frozen=True)
class Case:
    game: str
    seats: tuple[Seat, ...]
    settings: tuple[tuple[str, str], ...] = field(default=())
    seed: int = 1

    @property
    def id(self) -> str:
        return " ".join((self.game, str(len(self.seats)), *(f"{k}={v}" for k, v in self.settings)))


CASES = [
    Case("pig", (ANN, BEN)),
    Case("pig", (ANN, BEN, CAL)),
    Case("ship_captain_crew", (ANN, BEN)),
    Case("ship_captain_crew", (ANN, BEN), seed=14),
    Case("ship_captain_crew", (ANN, BEN, CAL)),
    Case("five_dice", (ANN, BEN)),
    Case("five_dice", (ANN, BEN, CAL), (("entry", "0"),)),
    Case("five_dice", (ANN, BEN), (("exact", "on"),)),
    Case("midnight", (ANN, BEN)),
    Case("midnight", (ANN, BEN, CAL)),
    Case("highland", (ANN,)),
    Case("highland", (ANN,), (("solo_bonus", "5"), ("hammer_excess", "drop_all"), ("caber_outside", "lost"))),
    Case("highland", (CLAN,), (("dice", "own"), ("height_pips", "tie_only"), ("solo_bonus", "2"))),
]

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


@cache
def played(case: Case) -> Match:
    """A whole match of players who mostly play best."""
    rng = Random(case.seed)
    match = Match(GAMES[case.game], case.seats, dict(case.settings))
    while match.prompt is not None:
        match = match.after(match.answered(answer_of(match.prompt, rng)))
    assert match.outcome is not None, match.broken
    return match


def answer_of(prompt: Prompt, rng: Random) -> Answer:
    choices = valued(prompt)
    return choices[0].answer if choices and rng.random() < WELL else prompt.random_answer(rng)


def plays(case: Case) -> Iterator[tuple[Prompt, BestPlay, Answer]]:
    for prompt, answer in played(case).view().played:
        assert prompt.best_play is not None
        yield prompt, prompt.best_play, answer


@each_case
def test_every_prompt_is_worth_what_the_answer_before_it_led_to(case: Case) -> None:
    """So luck and choices add up: nothing is lost between two prompts of one account."""
    led_to: dict[tuple[str, str], Fraction] = {}
    for prompt, play, answer in plays(case):
        key = (prompt.player, play.aim)
        if not play.opens:
            assert worth_of(prompt, play) == led_to[key], prompt.text
        led_to[key] = Fraction(play.after(answer))
        if play.against:
            led_to[play.against, play.aim] = 1 - led_to[key]


@each_case
def test_a_throw_is_worth_the_mean_of_what_it_can_lead_to(case: Case) -> None:
    seen = set()
    for prompt, play, _ in plays(case):
        if isinstance(prompt, Roll):
            mean = sum(chance * float(play.after(throw)) for throw, chance in throws_of(prompt))
            assert mean == pytest.approx(float(worth_of(prompt, play)), abs=1e-9), prompt.text
            seen.add(prompt.count)
    assert seen


def throws_of(prompt: Roll) -> Iterator[tuple[Throw, float]]:
    """Every throw with its chance. The dice of each colour are thrown apart."""
    groups = [[(group.colour, dice, float(p)) for dice, p in throws(group.count)] for group in prompt.dice]
    for parts in product(*groups):
        dice = tuple(Die(face, colour) for colour, faces, _ in parts for face in faces)
        yield Throw(dice), prod(p for _, _, p in parts)


@each_case
def test_no_answer_is_worth_more_than_the_best(case: Case) -> None:
    for prompt, play, answer in plays(case):
        choices = valued(prompt)
        assert [v.worth for v in choices] == sorted((v.worth for v in choices), reverse=True)
        assert all(v.answer in prompt for v in choices)
        if play.before is None:
            assert choices[0].worth == worth_of(prompt, play) >= Fraction(play.after(answer))
        if not play.points:
            assert all(0 <= v.worth <= 1 for v in choices)


@each_case
def test_expected_luck_and_choices_add_up_to_the_result(case: Case) -> None:
    match = played(case)
    books = accounts(match.view().played)
    assert books
    for book in books:
        assert book.expected + book.luck + book.choices + book.others == book.result
        assert book.choices <= 0 <= book.others
        result = result_of(match, book)
        assert result is None or book.result == result, book.aim


def result_of(match: Match, book: Account) -> Fraction | None:
    """The result by the sheet or the outcome; None where the aim is not the score."""
    assert match.outcome is not None
    if book.aim == "the chance to win":
        return Fraction(book.player in match.outcome.winners, len(match.outcome.winners))
    if match.game.name == "highland":
        return result_of_event(match, book.aim)
    if match.game.name == "pig":
        return Fraction(min(match.scores[book.player], 100))
    return None if match.game.name in SEVERAL_AIMS else Fraction(match.scores[book.player])


EVENTS = {
    "Farmer's Dash": "dash", "Haggis Hurl": "haggis", "Hammer Throw": "hammer", "Tug of War": "tug",
    "Sheaf Toss": "sheaf", "Weight for Height": "weight",
}  # fmt: skip


def result_of_event(match: Match, aim: str) -> Fraction | None:
    """The points of an event, and the worth of the pips that were left after it, if the sheet tells."""
    event = EVENTS.get(aim.partition(",")[0])
    if event is None:
        return None
    lines = match.view().sheet
    points = Fraction(sum(line.points for line in lines if line.box.partition("_")[0] == event))
    session = {"sheaf": "morning_pips", "weight": "afternoon_pips"}.get(event)
    if session is None:
        return points
    (counted,) = (line.points for line in lines if line.box == session)
    rules = coach_rules(Table(match.seats, match.settings))
    later = (rules.sheaf if event == "sheaf" else rules.weight).later
    return points + later[counted // POINTS_A_PIP]


SEVERAL_AIMS = ("five_dice",)
"""Games where the aim of some turns is not the score, so no account has the whole score."""


# -- accounts ------------------------------------------------------------------------------------------------


def choice(player: str, opens: bool = False, **worth: float) -> Prompt:
    play = BestPlay("the points", after_choice(lambda option: worth[option]), points=True, opens=opens)
    options = tuple(Option(name, f"Take {name}") for name in worth)
    return Choose(player, f"{player}: choose.", options, coach=Advice(tuple, play))


def test_an_account_tells_choice_from_luck() -> None:
    first = choice("Ann", opens=True, safe=3, bold=5)
    throw = BestPlay("the points", six_is_9, before=lambda: 3, points=True)
    die = Roll("Ann", "Ann: throw.", (), coach=Advice(tuple, throw))
    last = choice("Ben", opens=True, a=1)
    game: list[Played] = [(first, Chosen("safe")), (die, Throw.of(6)), (last, Chosen("a"))]
    ann, ben = accounts(game)
    assert (ann.expected, ann.choices, ann.luck, ann.result) == (5, -2, 6, 9)
    assert (ben.expected, ben.choices, ben.luck, ben.result) == (1, 0, 0, 1)


def six_is_9(answer: Answer) -> int:
    return 9 if answer == Throw.of(6) else 0


def test_what_one_of_two_players_gives_away_the_other_gets() -> None:
    night = Night("pig", "Ann", "Ben", start="Ann").throws(5).chooses("hold").throws(1)
    ann, ben = accounts(night.match.view().played)
    assert ann.player == "Ann"
    assert float(ann.expected) == pytest.approx(0.5305927, abs=5e-8)
    assert ben.expected == 1 - ann.expected
    assert float(ann.choices) == pytest.approx(-0.0402913, abs=5e-7)
    assert (ben.choices, ben.others, ann.others) == (0, -ann.choices, 0)
    assert ben.luck == -ann.luck
    assert ann.result + ben.result == 1


def test_a_choice_that_was_taken_back_and_a_corrected_throw_leave_no_trace() -> None:
    night = Night("pig", "Ann", "Ben", start="Ann").throws(5).chooses("hold").takes_back().corrects(0, 6)
    same = Night("pig", "Ann", "Ben", start="Ann").throws(6)
    assert accounts(night.match.view().played) == accounts(same.match.view().played)


def test_a_coach_that_fails_stops_no_game() -> None:
    night = Night("pig", "Ann", "Ben", start="Ann")
    night.match.prompt = choice("Ann", a=1)
    assert coach_to_json(night.match.view())["best_play"]["worth"] == 1
    broken = BestPlay("the points", after_choice(lambda option: [][0]), points=True)
    night.match.prompt = Choose("Ann", "Ann: choose.", (Option("a", "A"),), coach=Advice(tuple, broken))
    assert coach_to_json(night.match.view()) == {"best_play": None}


def test_a_prompt_without_such_a_coach_has_no_best_play() -> None:
    night = Night("mia", "Ann", "Ben", start="Ann")
    assert coach_to_json(night.match.view()) == {"best_play": None}
