"""Lights follow the snapshots, and do not change while dice are read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from firmware.lights import TRIAL_TICKS, Lights, LightState, Status, light_state_of
from table.common.tray import TrayState
from table.referee.events import TrayChanged
from table.referee.snapshot import Snapshot, TrayView
from table.referee.tray_events import to_tray_changed
from tests.firmware.snapshots import ANN_CHOOSES, ANN_THROWS, BEN_THROWS, NOTHING_ON, during, of, pig
from tests.games.night import Night
from vision.events import StateChanged


@dataclass
class Lamp:
    """A lamp that records its states."""

    states: list[float] = field(default_factory=lambda: [0.0])

    @property
    def value(self) -> float:
        return self.states[-1]

    @value.setter
    def value(self, value: float) -> None:
        self.states.append(value)


class Rig:
    """Lights on recording lamps, for two seats by default."""

    def __init__(self, seats: int = 2) -> None:
        self.seats = [Lamp() for _ in range(seats)]
        self.status = Lamp()
        self.lights = Lights(self.seats, self.status)

    def show(self, *snapshots: Snapshot) -> Rig:
        for snapshot in snapshots:
            self.lights.show(snapshot)
        return self

    def tick(self, times: int = 1) -> Rig:
        for _ in range(times):
            self.lights.tick()
        return self

    @property
    def lit(self) -> list[int]:
        return [int(lamp.value) for lamp in (*self.seats, self.status)]

    @property
    def edges(self) -> int:
        return sum(len(lamp.states) - 1 for lamp in (*self.seats, self.status))


# -- states of the lights ------------------------------------------------------------------------------------


def test_all_lights_are_off_without_a_match() -> None:
    assert light_state_of(NOTHING_ON) == LightState(None, Status.OFF)


def test_while_a_throw_is_awaited_the_players_seat_is_lit_and_the_status_steady() -> None:
    assert light_state_of(ANN_THROWS) == LightState(0, Status.STEADY)
    assert light_state_of(BEN_THROWS) == LightState(1, Status.STEADY)


def test_the_status_blinks_while_a_player_has_to_choose() -> None:
    assert light_state_of(ANN_CHOOSES) == LightState(0, Status.BLINKING)


@pytest.mark.parametrize("state", [s for s in TrayState if s.wrong and not s.blind])
def test_the_status_blinks_while_a_person_has_to_act(state: TrayState) -> None:
    assert light_state_of(during(BEN_THROWS, state)) == LightState(1, Status.BLINKING)


@pytest.mark.parametrize("state", [s for s in TrayState if s.blind])
def test_the_status_flashes_for_every_camera_fault(state: TrayState) -> None:
    event = to_tray_changed(StateChanged(1.0, state))
    assert isinstance(event, TrayChanged)
    assert (event.state, bool(event.message)) == (state, True)
    assert light_state_of(during(BEN_THROWS, event.state)) == LightState(1, Status.FLASHING)


def test_the_status_blinks_after_the_camera_was_moved_and_the_game_goes_on() -> None:
    moved = replace(BEN_THROWS, tray=TrayView(TrayState.MOVED, followed=True))
    assert light_state_of(moved) == LightState(1, Status.BLINKING)


def test_a_camera_that_sees_nothing_gives_two_flashes_and_a_pause() -> None:
    rig = Rig().show(BEN_THROWS, during(BEN_THROWS, TrayState.COVERED))
    assert [rig.tick().lit[-1] for _ in range(8)] == [0, 1, 0, 0, 0, 1, 0, 1]
    rig.show(during(BEN_THROWS, TrayState.COVERED))
    assert rig.tick(2).lit[-1] == 0, "a snapshot with the same fault keeps the phase"


@pytest.mark.parametrize("state", [s for s in TrayState if s.blind])
def test_a_camera_that_fails_during_a_reading_shows_at_once_and_so_does_its_recovery(
    state: TrayState,
) -> None:
    """Lights are frozen only while dice are read, and a failed camera reads none."""
    rig = Rig().show(BEN_THROWS, during(BEN_THROWS, TrayState.READING), during(BEN_THROWS, state))
    assert [rig.tick().lit for _ in range(2)] == [[0, 1, 0], [0, 1, 1]]
    assert rig.show(during(BEN_THROWS, TrayState.WAITING)).tick(2).lit == [0, 1, 1]


@pytest.mark.parametrize("state", [s for s in TrayState if not s.wrong])
def test_no_other_state_of_the_tray_blinks(state: TrayState) -> None:
    assert light_state_of(during(BEN_THROWS, state)).status is Status.STEADY


@pytest.mark.parametrize("state", sorted(TrayState))
def test_all_lights_are_off_without_a_match_in_every_state_of_the_tray(state: TrayState) -> None:
    assert light_state_of(during(NOTHING_ON, state)) == LightState(None, Status.OFF)


def test_all_lights_are_off_when_the_game_is_over() -> None:
    night = pig()
    for _ in range(17):
        night.throws(6).chooses("roll")
    night.throws(6).chooses("hold")
    assert night.winners == ("Ann",)
    assert light_state_of(of(night)) == LightState(None, Status.OFF)


def test_a_broken_match_blinks_without_a_seat() -> None:
    view = pig().match.view()
    assert light_state_of(Snapshot(match=replace(view, phase="broken", prompt=None))) == LightState(
        None, Status.BLINKING
    )


# -- lamps ---------------------------------------------------------------------------------------------------


def test_the_lit_seat_follows_the_turn() -> None:
    night = pig(players=3)
    rig = Rig(seats=3)
    seen = []
    for _ in range(4):
        seen.append(rig.show(of(night)).lit)
        night.throws(1)
    assert seen == [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1]]
    assert rig.seats[0].states == [0, 1, 0, 1]
    assert rig.status.states == [0, 1]


def test_the_lights_follow_the_seats_that_the_players_threw_for() -> None:
    night = Night("liars_dice", "Ann", "Ben", "Cal").throws_each(2, 6, 4)
    rig, seen = Rig(seats=3), []
    for player in ("Ben", "Cal", "Ann"):
        assert night.turn == player
        seen.append(rig.show(of(night)).lit[:3])
        night.ready()
    assert seen == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_players_who_throw_for_no_seats_sit_as_they_were_entered() -> None:
    night = Night("liars_dice", "Ann", "Ben", "Cal", start="Ben")
    rig, seen = Rig(seats=3), []
    for player in ("Ben", "Cal", "Ann"):
        assert night.turn == player
        seen.append(rig.show(of(night)).lit[:3])
        night.ready()
    assert night.match.view().seat_order == ("Ann", "Ben", "Cal")
    assert seen == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]


def test_players_beyond_the_last_light_have_no_light() -> None:
    assert Rig(seats=2).show(of(pig(players=4, first="Dee"))).lit == [0, 0, 1]


def test_a_blink_starts_lit() -> None:
    rig = Rig().show(ANN_CHOOSES)
    assert [rig.tick(n).lit[2] for n in (0, 1, 1, 1)] == [1, 0, 1, 0]


def test_a_steady_or_dark_light_does_not_blink() -> None:
    rig = Rig().tick(3)
    assert rig.edges == 0
    assert rig.show(ANN_THROWS).tick(3).lit == [1, 0, 1]
    assert rig.edges == 2


def test_the_next_snapshot_does_not_restart_a_blink() -> None:
    rig = Rig().show(ANN_CHOOSES).tick()
    assert rig.show(during(BEN_THROWS, TrayState.COCKED)).lit == [0, 1, 0]


def test_a_blink_that_ends_dark_is_steady_at_once() -> None:
    assert Rig().show(ANN_CHOOSES).tick().show(ANN_THROWS).lit == [1, 0, 1]


def test_the_same_snapshot_again_changes_nothing() -> None:
    rig = Rig().show(ANN_THROWS)
    before = rig.edges
    assert rig.show(ANN_THROWS, ANN_THROWS).edges == before


# -- while the dice are read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [s for s in TrayState if s.coming_to_rest])
@pytest.mark.parametrize("blinked", [0, 1])
def test_no_light_changes_while_a_reading_is_taken(state: TrayState, blinked: int) -> None:
    rig = Rig().show(ANN_CHOOSES).tick(blinked)
    before = rig.edges
    rig.show(during(ANN_CHOOSES, state)).tick(5)
    rig.show(during(BEN_THROWS, state), during(NOTHING_ON, state)).tick(5)
    assert rig.edges == before


@pytest.mark.parametrize("state", [s for s in TrayState if s.coming_to_rest])
def test_after_a_reading_the_lights_show_its_result(state: TrayState) -> None:
    rig = Rig().show(ANN_CHOOSES).tick().show(during(ANN_CHOOSES, state)).tick(3)
    assert rig.show(during(BEN_THROWS, TrayState.ACCEPTED)).lit == [0, 1, 1]


def test_a_frozen_blink_resumes_its_phase() -> None:
    rig = Rig().show(ANN_CHOOSES).tick().show(during(ANN_CHOOSES, TrayState.READING)).tick(2)
    assert rig.show(ANN_CHOOSES).lit == [1, 0, 0]
    assert rig.tick().lit == [1, 0, 1]


def test_rolling_dice_do_not_freeze_the_lights() -> None:
    rig = Rig().show(during(ANN_CHOOSES, TrayState.ROLLING)).tick()
    assert rig.lit == [1, 0, 0]


# -- trying a light ------------------------------------------------------------------------------------------


def test_a_tried_light_shines_alone_for_a_while() -> None:
    rig = Rig().show(ANN_THROWS)
    assert rig.lights.try_light(1)
    assert rig.lit == [0, 1, 0]
    assert rig.tick(TRIAL_TICKS - 1).lit == [0, 1, 0]
    assert rig.tick().lit == [1, 0, 1]


def test_the_status_light_can_be_tried_between_two_games() -> None:
    rig = Rig().show(NOTHING_ON)
    assert rig.lights.try_light(None)
    assert rig.lit == [0, 0, 1]
    assert rig.tick(TRIAL_TICKS).lit == [0, 0, 0]


def test_no_light_can_be_tried_while_dice_are_read() -> None:
    rig = Rig().show(NOTHING_ON, during(NOTHING_ON, TrayState.READING))
    assert not rig.lights.try_light(0)
    assert rig.edges == 0


def test_a_trial_does_not_end_while_dice_are_read() -> None:
    rig = Rig().show(NOTHING_ON)
    rig.lights.try_light(0)
    edges = rig.show(during(NOTHING_ON, TrayState.SETTLING)).edges
    assert rig.tick(2 * TRIAL_TICKS).edges == edges
    assert rig.show(NOTHING_ON).tick(TRIAL_TICKS).lit == [0, 0, 0]


def test_a_turn_ends_a_trial() -> None:
    rig = Rig().show(ANN_THROWS)
    rig.lights.try_light(0)
    assert rig.show(ANN_THROWS).lit == [1, 0, 0]
    assert rig.show(BEN_THROWS).lit == [0, 1, 1]
    assert rig.tick(TRIAL_TICKS).lit == [0, 1, 1]
