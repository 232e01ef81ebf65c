"""A match: its events, taking back, correcting, replaying, and the effect of a bug in a game."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace

import pytest

from table.common.errors import IllegalAnswer, ReplayDiverged
from table.rules.answers import Answer, Bet, Bid, Chosen, Die, Kept, Number, Picked, Sticks, Throw
from table.rules.entered_prompts import AskBid, AskNumber
from table.rules.game import Game, Outcome, Play, Table
from table.rules.match import (
    Answered,
    Corrected,
    Event,
    Match,
    TakenBack,
    dropped_text,
    new_rulings,
    replay,
)
from table.rules.prompts import Option
from tests.rules.tiny import (
    SEATS,
    TINY,
    breaks_at_once,
    breaks_on_a_3,
    crowns_a_stranger,
    ends_with_nothing,
    keeps_by_a_rule_with_a_bug,
    match,
    tiny,
)

TAKE, DOUBLE = Chosen("take"), Chosen("double")


def after(match: Match, *answers: Answer) -> Match:
    for answer in answers:
        match = match.after(match.answered(answer))
    return match


def texts(match: Match) -> list[str]:
    return [r.text for r in match.rulings]


# -- playing -------------------------------------------------------------------------------------------------


def test_what_is_recent_begins_with_the_turn_before() -> None:
    m = match()
    assert m.recent_at == 0
    m = after(m, Throw.of(1, 2))  # Ann, and now Ben
    assert m.view().recent_at == 0
    m = after(m, Throw.of(2, 2))
    assert m.prompt is not None
    assert m.prompt.player == "Ben"
    assert m.recent_at == 0, "the same turn goes on"
    m = after(m, TAKE)
    assert m.recent_at == 1


def test_an_event_changes_nothing_until_it_is_applied() -> None:
    m = match()
    event = m.answered(Throw.of(3, 3))
    dice = [{"colour": None, "count": 2}]
    prompt = {"kind": "roll", "player": "Ann", "dice": dice, "beside": [], "text": "Ann: throw two dice."}
    assert event == Answered(0, prompt, Throw.of(3, 3))
    assert m.at == 0
    m = m.after(event)
    assert m.at == 1
    assert m.prompt is not None
    assert m.prompt.text == "Ann: take it or throw one die for double?"


def test_a_finished_match_has_an_outcome_and_awaits_nothing() -> None:
    m = after(match(), Throw.of(6, 5), Throw.of(1, 2), Throw.of(6, 6), TAKE)
    assert m.outcome == Outcome(("Ann",), "Ann wins.")
    assert m.view().phase == "over"
    assert m.view().prompt is None
    assert m.scores == {"Ann": 23, "Ben": 3}
    with pytest.raises(IllegalAnswer, match=r"^The game is over\. Start a new game\.$"):
        m.answered(Throw.of(1, 1))


def test_a_view_does_not_change_with_its_match() -> None:
    m = after(match(), Throw.of(3, 3), TAKE)
    view = m.view()
    after(m, Throw.of(1, 2))
    assert (view.at, view.phase, dict(view.scores)) == (2, "play", {"Ann": 6, "Ben": 0})
    assert [(line.at, line.player, line.points) for line in view.sheet] == [(2, "Ann", 6)]
    assert [(r.at, r.text) for r in view.rulings] == [(2, "Ann makes 6.")]
    assert [t.at for t in view.throws] == [0]
    assert view.can_take_back


def test_a_fork_does_not_change_its_match() -> None:
    m = after(match(), Throw.of(3, 3))
    tried = after(m.fork(), TAKE)
    assert tried.at == 2
    assert m.at == 1
    assert m.scores["Ann"] == 0


# -- taking back ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (Bid(1, 3), "a bid of one 3"),
        (Bid(2, 3), "a bid of two 3s"),
        (Picked(("a", "b")), "Red 4 and 2"),
        (Picked(()), "picking none"),
        (Number(1200), "1,200"),
    ],
)
def test_an_answer_that_is_taken_back_is_named_in_words(answer: Answer, text: str) -> None:
    async def play(table: Table) -> Outcome:
        player = table.players[0]
        match answer:
            case Bid():
                await AskBid.opening(player, "Ann: bid.")
            case Picked():
                await table.pick(player, (Option("a", "Red 4"), Option("b", "2")), "Ann: pick.")
            case _:
                await AskNumber(player, "Ann: how many?", 0, 2000)
        await table.roll(player, 1)
        return Outcome((player,), "Ann wins.")

    m = after(Match(tiny(play), SEATS), answer)
    assert texts(m.after(m.taken_back())) == [f"Ann takes back: {text}."]


def test_taking_a_choice_back_asks_the_same_prompt_again() -> None:
    m = after(match(), Throw.of(3, 3))
    asked = m.prompt
    m = after(m, TAKE)
    event = m.taken_back()
    assert event == TakenBack(1)
    m = m.after(event)
    assert m.prompt == asked
    assert m.scores["Ann"] == 0
    assert m.view().sheet == ()
    assert texts(m) == ["Ann takes back: “Take it”."]


def test_the_choice_that_ended_the_game_can_be_taken_back() -> None:
    m = after(match(), Throw.of(6, 5), Throw.of(1, 2), Throw.of(6, 6), TAKE)
    m = m.after(m.taken_back())
    assert m.outcome is None
    assert after(m, DOUBLE, Throw.of(1)).view().phase == "play"


def test_a_throw_is_never_taken_back() -> None:
    m = after(match(), Throw.of(3, 3))
    assert not m.view().can_take_back
    with pytest.raises(
        IllegalAnswer, match=r"A throw is never taken back\. If it was read wrongly, correct it\."
    ):
        m.taken_back()


def test_nothing_can_be_taken_back_before_the_first_answer() -> None:
    with pytest.raises(IllegalAnswer, match="There is no choice to take back yet"):
        match().taken_back()


# -- correcting ----------------------------------------------------------------------------------------------


def correct(m: Match, at: int, *faces: int) -> Match:
    return m.after(m.corrected(at, Throw.of(*faces)))


def test_a_correction_of_the_last_throw_changes_its_score() -> None:
    m = correct(after(match(), Throw.of(2, 3), Throw.of(1, 2)), 1, 1, 4)
    assert m.scores == {"Ann": 5, "Ben": 5}
    assert texts(m) == ["Ann makes 5.", "Ben makes 5.", "Ben's throw is corrected from 1 and 2 to 1 and 4."]


def test_a_correction_of_an_earlier_throw_keeps_the_later_answers() -> None:
    m = correct(after(match(), Throw.of(2, 3), Throw.of(3, 3), TAKE, Throw.of(1, 2)), 0, 6, 5)
    assert m.at == 4
    assert m.scores == {"Ann": 14, "Ben": 6}
    assert [line.points for line in m.view().sheet] == [11, 6, 3]
    assert texts(m)[-1] == "Ann's throw is corrected from 2 and 3 to 6 and 5."


def test_later_answers_that_no_longer_fit_are_dropped_and_named_in_the_ruling() -> None:
    m = correct(after(match(), Throw.of(3, 3), DOUBLE, Throw.of(5), Throw.of(1, 2)), 0, 3, 4)
    assert m.at == 1
    assert m.scores == {"Ann": 7, "Ben": 0}
    assert texts(m)[-1] == (
        "Ann's throw is corrected from 3 and 3 to 3 and 4. "
        "Three later answers no longer fit and must be given again: "
        "Ann's “Throw one die for double”, throw of 5 and Ben's throw of 1 2."
    )
    assert m.prompt is not None
    assert m.prompt.player == "Ben"


def test_dropped_by_tells_the_answers_that_a_correction_would_drop() -> None:
    m = after(match(), Throw.of(3, 3), DOUBLE, Throw.of(5), Throw.of(1, 2))
    before = m.view()
    assert [a.at for a in m.dropped_by(m.corrected(0, Throw.of(3, 4)))] == [1, 2, 3]
    assert m.dropped_by(m.corrected(0, Throw.of(4, 4))) == ()
    assert m.view() == before


def test_a_correction_by_faces_keeps_the_colours_of_the_throw() -> None:
    m = after(match(), Throw((Die(2, "red"), Die(3, "green"))))
    assert m.corrected(0, Throw.of(2, 5)).answer == Throw((Die(2, "red"), Die(5, "green")))


def test_the_ruling_names_one_dropped_answer_in_the_singular() -> None:
    m = correct(after(match(), Throw.of(3, 3), TAKE), 0, 3, 4)
    assert texts(m)[-1].endswith("One later answer no longer fits and must be given again: Ann's “Take it”.")


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (Sticks(("round", "dog")), "Ann's throw of round dog"),
        (Kept((1, 5)), "Ann's choice to keep 1 5"),
        (Kept(()), "Ann's choice to keep none"),
        (Bid(2, 5), "Ann's bid of two 5s"),
        (Bet("Ben", "low", 1000), "Ben's bet of 1,000 on “Low”"),
        (Number(12), "Ann's answer 12"),
        (Picked(("low",)), "Ann's choice of Low"),
        (Picked(()), "Ann's choice of none"),
    ],
)
def test_each_kind_of_dropped_answer_has_a_name(answer: Answer, text: str) -> None:
    prompt = {"player": "Ann", "on": [{"id": "low", "text": "Low"}]}
    assert dropped_text([Answered(3, prompt, answer)]) == text


def test_of_many_dropped_answers_the_first_ones_are_named() -> None:
    dropped = [Answered(at, {"player": "Ann"}, Throw.of(at % 6 + 1)) for at in range(9)]
    assert dropped_text(dropped) == (
        "Ann's throw of 1, throw of 2, throw of 3, throw of 4, throw of 5, throw of 6 and three more"
    )


def test_a_correction_can_end_the_game_and_drop_later_answers() -> None:
    m = after(match(), Throw.of(6, 5), Throw.of(1, 2), Throw.of(2, 3), Throw.of(1, 2))
    m = correct(m, 2, 6, 3)
    assert m.outcome == Outcome(("Ann",), "Ann wins.")
    assert m.at == 3


def test_a_correction_can_reopen_a_finished_game() -> None:
    m = after(match(), Throw.of(6, 5), Throw.of(1, 2), Throw.of(6, 5))
    assert m.view().phase == "over"
    assert correct(m, 2, 1, 2).view().phase == "play"


def test_a_correction_of_a_colour_names_the_colours() -> None:
    m = after(match(), Throw((Die(2, "red"), Die(3, "red"))))
    m = m.after(m.corrected(0, Throw((Die(2, "red"), Die(3, "green")))))
    assert texts(m)[-1] == "Ann's throw is corrected from red 2 and red 3 to red 2 and green 3."


def test_a_correction_of_coloured_dice_names_the_faces_alone() -> None:
    m = after(match(), Throw((Die(2, "red"), Die(3, "red"))))
    m = m.after(m.corrected(0, Throw((Die(2, "red"), Die(4, "red")))))
    assert texts(m)[-1] == "Ann's throw is corrected from 2 and 3 to 2 and 4."


@pytest.mark.parametrize("at", [1, 3, -1, 99])
def test_only_a_throw_that_was_made_can_be_corrected(at: int) -> None:
    m = after(match(), Throw.of(3, 3), TAKE, Throw.of(1, 2))
    with pytest.raises(IllegalAnswer) as refusal:
        m.corrected(at, Throw.of(1, 1))
    assert str(refusal.value) == f"There is no throw {at} to correct; the throws so far are numbers 0 and 2."


def test_a_refused_correction_names_the_only_throw() -> None:
    with pytest.raises(IllegalAnswer) as refusal:
        after(match(), Throw.of(3, 3)).corrected(1, Throw.of(1, 1))
    assert str(refusal.value) == "There is no throw 1 to correct; the only throw so far is number 0."


def test_before_the_first_throw_a_correction_is_refused_with_what_to_do() -> None:
    with pytest.raises(IllegalAnswer) as refusal:
        match().corrected(0, Throw.of(1, 1))
    assert str(refusal.value) == (
        "Nothing has been thrown yet, so there is no throw to correct. Ann: throw two dice."
    )


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (Throw.of(1), "Two dice expected, one die came."),
        (Throw.of(1, 7), "A die shows 1 to 6; 7 came."),
        (Sticks(("round",)), "A throw of dice is expected, not a throw of sticks."),
    ],
)
def test_a_refused_correction_asks_for_the_whole_throw(now: Throw | Sticks, why: str) -> None:
    with pytest.raises(IllegalAnswer) as refusal:
        after(match(), Throw.of(3, 3), TAKE).corrected(0, now)
    assert str(refusal.value) == f"{why} Give the whole throw 0 as it lay."


def test_a_refused_correction_names_the_last_ten_throws() -> None:
    m = after(Match(TINY, SEATS, {"goal": "20"}), *[Throw.of(1, 2), Throw.of(1, 2)] * 6)
    with pytest.raises(IllegalAnswer) as refusal:
        m.corrected(10**4000, Throw.of(1, 1))
    assert str(refusal.value) == (
        f"There is no throw 1{'0' * 56}... to correct; "
        "the last throws are numbers 2, 3, 4, 5, 6, 7, 8, 9, 10 and 11."
    )


def test_a_correction_that_changes_nothing_is_refused() -> None:
    m = after(match(), Throw.of(2, 3))
    with pytest.raises(
        IllegalAnswer, match=r"^Throw 0 counts as 2 and 3 already, so there is nothing to correct\.$"
    ):
        m.corrected(0, Throw.of(2, 3))


def test_a_log_with_a_correction_that_changed_nothing_still_replays() -> None:
    m = after(match(), Throw.of(2, 3), Throw.of(1, 2))
    assert m.after(Corrected(0, Throw.of(2, 3))).scores == {"Ann": 5, "Ben": 3}


def test_a_bug_in_a_keep_rule_refuses_the_answer_and_leaves_the_match_unchanged() -> None:
    m = after(Match(tiny(keeps_by_a_rule_with_a_bug), SEATS), Throw.of(2, 3))
    with pytest.raises(IllegalAnswer, match=r"^The rules failed on keeping 3 \(ZeroDivisionError\)\."):
        m.answered(Kept((3,)))
    assert m.view().phase == "play"
    assert after(m, Kept((2,))).view().phase == "over"


def test_a_correction_must_be_a_legal_throw() -> None:
    m = after(match(), Throw.of(3, 3))
    with pytest.raises(IllegalAnswer, match="Two dice expected, three dice came"):
        m.corrected(0, Throw.of(3, 3, 3))


def test_a_match_can_be_taken_back_and_then_corrected() -> None:
    m = after(match(), Throw.of(3, 3), TAKE)
    m = m.after(m.taken_back())
    m = correct(after(m, DOUBLE, Throw.of(1)), 2, 6)
    assert m.scores["Ann"] == 12
    assert texts(m) == [
        "Ann takes back: “Take it”.",
        "Ann makes 12.",
        "Ann's throw is corrected from 1 to 6.",
    ]


# -- the order of rulings and remarks ------------------------------------------------------------------------


def test_a_remark_moves_back_when_answers_are_dropped() -> None:
    m = after(match(), Throw.of(2, 3), Throw.of(1, 2), Throw.of(3, 3), TAKE)
    m = m.after(m.taken_back())
    m = correct(m, 0, 4, 4)
    dropped = (
        "Ann's throw is corrected from 2 and 3 to 4 and 4. "
        "Two later answers no longer fit and must be given again: Ben's throw of 1 2 and Ann's throw of 3 3."
    )
    assert [(r.at, r.text) for r in m.rulings] == [(1, "Ann takes back: “Take it”."), (1, dropped)]
    m = after(m, TAKE, Throw.of(1, 2))
    assert texts(m) == ["Ann takes back: “Take it”.", dropped, "Ann makes 8.", "Ben makes 3."]


def test_rulings_of_the_game_come_before_later_remarks() -> None:
    m = after(match(), Throw.of(3, 3), TAKE)
    m = correct(m.after(m.taken_back()), 0, 3, 4)
    assert [(r.text, r.remark) for r in m.rulings] == [
        ("Ann makes 7.", False),
        ("Ann takes back: “Take it”.", True),
        ("Ann's throw is corrected from 3 and 3 to 3 and 4.", True),
    ]


def test_a_log_with_remarks_replays_to_the_same_rulings() -> None:
    log = LoggedMatch().answers(Throw.of(2, 3), Throw.of(1, 2), Throw.of(3, 3), TAKE)
    log.apply(log.match.taken_back())
    log.apply(log.match.corrected(0, Throw.of(4, 4)))
    log.answers(TAKE, Throw.of(1, 2))
    assert replay(TINY, SEATS, {}, log.events).rulings == log.match.rulings


def test_new_rulings_are_the_rulings_and_the_remark_of_a_correction() -> None:
    m = after(match(), Throw.of(3, 3), TAKE)
    before = m.rulings
    now = correct(m, 0, 2, 4).rulings
    assert [r.text for r in new_rulings(now, before)] == [
        "Ann makes 6.",
        (
            "Ann's throw is corrected from 3 and 3 to 2 and 4. "
            "One later answer no longer fits and must be given again: Ann's “Take it”."
        ),
    ]


def test_a_repeated_sentence_is_a_new_ruling() -> None:
    m = after(match(), Throw.of(1, 2), Throw.of(1, 2))
    assert [r.text for r in new_rulings(after(m.fork(), Throw.of(1, 2)).rulings, m.rulings)] == [
        "Ann makes 3."
    ]
    assert new_rulings(m.rulings, m.rulings) == ()


# -- replaying -----------------------------------------------------------------------------------------------


class LoggedMatch:
    """A match and the list of its events, as a log stores them."""

    def __init__(self, game: Game = TINY) -> None:
        self.match = Match(game, SEATS)
        self.events: list[Event] = []

    def apply(self, event: Event) -> None:
        self.events.append(event)
        self.match = self.match.after(event)

    def answers(self, *answers: Answer) -> LoggedMatch:
        for answer in answers:
            self.apply(self.match.answered(answer))
        return self


def log_with_corrections() -> LoggedMatch:
    log = LoggedMatch().answers(Throw.of(3, 3), TAKE)
    log.apply(log.match.taken_back())
    log.answers(DOUBLE, Throw.of(2), Throw.of(4, 4), TAKE)
    log.apply(log.match.corrected(2, Throw.of(6)))
    log.apply(log.match.corrected(0, Throw.of(2, 3)))
    return log.answers(Throw.of(1, 1))


def test_replaying_any_part_of_a_log_gives_the_same_match() -> None:
    log = log_with_corrections()
    m = Match(TINY, SEATS)
    for i, event in enumerate(log.events):
        m = m.after(event)
        assert replay(TINY, SEATS, {}, log.events[: i + 1]).view() == m.view()
    assert m.view() == log.match.view()


def replay_error(game: Game, events: Iterable[Event]) -> str:
    with pytest.raises(ReplayDiverged) as divergence:
        replay(game, SEATS, {}, events)
    return str(divergence.value)


async def three_dice(table: Table) -> Outcome:
    await table.roll(table.players[0], 3)
    return Outcome((table.players[0],), "Ann wins.")


def test_a_log_of_other_rules_is_refused_at_the_first_different_prompt() -> None:
    message = replay_error(tiny(three_dice), LoggedMatch().answers(Throw.of(1, 2)).events)
    asked, now = "“Ann: throw two dice.” (roll)", "“Ann: throw three dice.” (roll)"
    assert message.startswith(f"answer 0 was given to {asked}, but the rules now ask {now}")


def test_a_prompt_that_says_more_than_its_log_is_the_same_prompt() -> None:
    log = LoggedMatch().answers(Throw.of(1, 2))
    (event,) = log.events
    assert isinstance(event, Answered)
    shorter = {key: value for key, value in event.prompt.items() if key != "beside"}
    older = replace(event, prompt=shorter)
    assert replay(TINY, SEATS, {}, [older]).scores == log.match.scores
    other = replace(event, prompt={**event.prompt, "for": "start"})
    assert "but the rules now ask" in replay_error(TINY, [other])


def game_that_forbids_keeping(forbidden: int) -> Play:
    async def play(table: Table) -> Outcome:
        dice = await table.roll(table.players[0], 3)
        await table.keep(
            table.players[0], dice, rule=lambda kept: "Not that one." if forbidden in kept else None
        )
        return Outcome((table.players[0],), "Ann wins.")

    return play


def test_an_answer_that_the_rules_now_refuse_stops_the_replay() -> None:
    events = LoggedMatch(tiny(game_that_forbids_keeping(6))).answers(Throw.of(1, 2, 3), Kept((1,))).events
    assert replay_error(tiny(game_that_forbids_keeping(1)), events).endswith(
        "was logged, but the rules refuse it now: Not that one."
    )


@pytest.mark.parametrize(
    "event",
    [
        TakenBack(0),
        TakenBack(5),
        Corrected(3, Throw.of(1, 2)),
        Corrected(-1, Throw.of(1, 2)),
        Corrected(0, Throw.of(1, 2, 3)),
    ],
    ids=str,
)
@pytest.mark.parametrize("answers", [(), (Throw.of(1, 2),)], ids=["at once", "after a throw"])
def test_an_impossible_event_stops_the_replay(event: Event, answers: tuple[Throw, ...]) -> None:
    replay_error(TINY, [*LoggedMatch().answers(*answers).events, event])


def test_an_answer_logged_twice_stops_the_replay() -> None:
    events = LoggedMatch().answers(Throw.of(1, 2)).events
    replay_error(TINY, events * 2)


def test_an_answer_after_the_end_stops_the_replay() -> None:
    log = LoggedMatch().answers(Throw.of(6, 5), Throw.of(1, 2), Throw.of(6, 5))
    assert log.match.outcome
    extra = Answered(3, log.events[0].prompt, Throw.of(1, 1))  # type: ignore[union-attr]
    assert replay_error(TINY, [*log.events, extra]).endswith("but the rules now ask nothing")


# -- games with bugs -----------------------------------------------------------------------------------------


def test_an_exception_in_a_game_breaks_the_match_and_keeps_its_answers() -> None:
    m = after(Match(tiny(breaks_on_a_3), SEATS), Throw.of(3), Chosen("on"))
    assert m.broken == "Tiny broke at answer 2: KeyError: 'three'"
    assert m.view().phase == "broken"
    assert m.outcome is None
    assert [a.answer for a in m.answers] == [Throw.of(3), Chosen("on")]
    with pytest.raises(IllegalAnswer, match=r"^Tiny cannot go on\. Start a new game\.$"):
        m.answered(Throw.of(1))


def test_a_correction_can_repair_a_broken_match() -> None:
    m = after(Match(tiny(breaks_on_a_3), SEATS), Throw.of(3), Chosen("on"))
    m = correct(m, 0, 4)
    assert m.broken is None
    assert m.prompt is not None
    assert m.prompt.text == "Ann: throw one die."


def test_the_last_choice_of_a_broken_match_can_be_taken_back() -> None:
    m = after(Match(tiny(breaks_on_a_3), SEATS), Throw.of(3), Chosen("on"))
    assert m.after(m.taken_back()).view().phase == "play"


@pytest.mark.parametrize(
    ("play", "why"),
    [
        (ends_with_nothing, "it ended with None"),
        (crowns_a_stranger, "it ended with Outcome(winners=('Zoe',), reason='Zoe wins.'"),
    ],
)
def test_an_outcome_that_is_none_or_names_a_stranger_breaks_the_match(play: Play, why: str) -> None:
    m = after(Match(tiny(play), SEATS), Throw.of(1))
    assert m.view().phase == "broken"
    assert m.outcome is None
    assert m.broken is not None
    assert m.broken.startswith(f"Tiny broke at answer 1: {why}")


def test_an_exception_before_the_first_prompt_breaks_the_match() -> None:
    assert Match(tiny(breaks_at_once), SEATS).broken == "Tiny broke at answer 0: RuntimeError: no start"


async def awaits_a_string(table: Table) -> Outcome:
    class Odd:
        def __await__(self) -> Generator[str, None, None]:
            yield "hello"

    await Odd()
    raise AssertionError


def test_awaiting_something_other_than_a_prompt_breaks_the_match() -> None:
    m = Match(tiny(awaits_a_string), SEATS)
    assert m.view().phase == "broken"
    assert m.prompt is None


async def one_choice_and_no_winner(table: Table) -> Outcome:
    await table.choose(table.players[0], Option("a", "A"), Option("b", "B"))
    return Outcome((), "Nobody wins.")


def test_a_match_can_end_without_a_winner() -> None:
    m = after(Match(tiny(one_choice_and_no_winner), SEATS), Chosen("b"))
    assert m.outcome == Outcome((), "Nobody wins.")
    assert m.view().phase == "over"
