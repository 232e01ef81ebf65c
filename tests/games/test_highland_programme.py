"""The programme of the Games: each event is ahead, then on, then over, and the sheet says who won it."""

from __future__ import annotations

from random import Random

import pytest

from table.games.highland.drawn import EVENTS
from table.games.highland.heights import NUMBERS
from table.referee.snapshot import match_to_json
from tests.games.playing import make_seats, start


@pytest.mark.parametrize("players", [1, 3])
def test_the_events_come_one_after_another(players: int) -> None:
    seen = []
    match, chance = start("highland", make_seats(players), {}), Random(players)
    while match.prompt is not None:
        programme = match.view().programme
        assert programme is not None
        states = [event.state for event in programme.events]
        over = states.count("over")
        lots = match.prompt.to_json().get("for") == "start"
        now = "ahead" if lots else "on"
        assert states == ["over"] * over + [now] + ["ahead"] * (7 - over)
        seen.append(over)
        match = match.after(match.answered(match.prompt.random_answer(chance)))
    assert seen == sorted(seen)
    assert set(seen) == set(range(8))
    end = match.view().programme
    assert end is not None
    assert {event.state for event in end.events} == {"over"}
    assert [event.session for event in end.events] == ["Morning"] * 4 + ["Afternoon"] * 4


@pytest.mark.parametrize("seed", range(3))
def test_the_best_result_on_the_sheet_wins_its_event(seed: int) -> None:
    match, chance = start("highland", make_seats(3), {}), Random(seed)
    while match.prompt is not None:
        match = match.after(match.answered(match.prompt.random_answer(chance)))
    view = match_to_json(match.view())
    for event, (box, title) in zip(view["programme"]["events"], EVENTS, strict=True):
        points = {
            line["player"]: int(line.get("value", line["points"]))
            for line in view["sheet"]
            if line.get("box") == box
        }
        best = max(points.values())
        winners = [p for p in ("Ann", "Ben", "Cal") if points[p] == best] if best or box == "dash" else []
        assert (event["title"], event["best"], event["leaders"]) == (title, best, winners)


def test_the_bar_shows_every_height_while_an_event_over_it_is_on() -> None:
    match, chance = start("highland", make_seats(2), {}), Random(4)
    bars = 0
    while match.prompt is not None:
        view = match.view()
        assert view.programme is not None
        on = [event.id for event in view.programme.events if event.state == "on"]
        bar = view.programme.bar
        assert (bar is not None) == (on in (["sheaf"], ["weight"]))
        if bar:
            bars += 1
            assert [space.id for space in bar.spaces] == [str(feet) for feet in NUMBERS]
            tried = [space.id for space in bar.spaces if space.kind == "solar"]
            if "at which height do you start" in match.prompt.text:
                assert not tried
                assert [m["to"] for m in match.prompt.moves] == [space.id for space in bar.spaces]
            else:
                stage = getattr(match.prompt, "stage", "")
                assert len(tried) == 1
                assert f"{tried[0]} feet" in (stage or match.prompt.text)
        match = match.after(match.answered(match.prompt.random_answer(chance)))
    assert bars > 20


def test_a_cleared_height_has_its_player() -> None:
    match, chance = start("highland", make_seats(2), {}), Random(4)
    while match.prompt is not None:
        view = match.view()
        bar = view.programme.bar if view.programme else None
        done = {line.player: line.points for line in view.sheet if line.box == "sheaf"}
        if bar and len(done) == 1:
            ((player, feet),) = done.items()
            at = [space.id for space in bar.spaces if any(p.player == player for p in space.pieces)]
            assert at == ([str(feet)] if feet else [])
            return
        match = match.after(match.answered(match.prompt.random_answer(chance)))
    pytest.fail("nobody finished the Sheaf Toss first")


def test_other_games_have_no_programme() -> None:
    assert match_to_json(start("pig", make_seats(2), {}).view())["programme"] is None
