"""The verdict on one settled tray, without a table around it."""

from __future__ import annotations

from itertools import count

from table.common.tray import TrayState
from table.referee.interpretations import Interpretation, TrayContext
from table.referee.judge import judge
from table.referee.tray import LyingDie, Tray
from table.referee.verdicts import NoThrow, Void
from table.rules.game import Outcome, Table
from table.rules.match import Match
from table.rules.prompts import Option
from tests.rules.tiny import SEATS, TINY, tiny
from vision.readings import SeenDie
from vision.tracking.tracks import TrackOutcome

ids = count()


def thrown(face: int) -> LyingDie:
    number = next(ids)
    seen = SeenDie(face, "white", (100.0 * number, 100.0, 40.0, 40.0), 0.999, True)
    return LyingDie(number, number, seen, face, came=TrackOutcome.THROWN)


def test_without_a_game_a_tray_that_can_mean_only_one_thing_is_not_asked_about() -> None:
    assert judge(None, Tray(), TrayContext()) == (Interpretation(thrown=()), NoThrow())


def test_one_die_of_two_is_a_throw_of_too_few_dice_where_none_stood() -> None:
    _, verdict = judge(Match(TINY, SEATS), Tray((thrown(2),)), TrayContext())
    assert isinstance(verdict, Void)
    assert verdict.message.startswith("Wrong dice: one die came to rest, two expected")


async def high_or_low(table: Table) -> Outcome:
    """Two choices that a throw of two dice makes."""
    player = table.players[0]
    options = Option("high", "Throw for high", throws=2), Option("low", "Throw for low", throws=2)
    await table.choose(player, *options, text=f"{player}: high or low?")
    await table.roll(player, 2)
    return Outcome((player,), f"{player} wins.")


def test_a_throw_that_fits_two_choices_is_void_and_says_that_the_choice_is_tapped_first() -> None:
    match = Match(tiny(high_or_low), SEATS)
    _, verdict = judge(match, Tray((thrown(2), thrown(5))), TrayContext())
    assert verdict == Void(
        TrayState.OUT_OF_TURN,
        "That throw fits more than one choice, so it is void: tap the choice first. Ann: high or low?",
        rule="G9",
    )
