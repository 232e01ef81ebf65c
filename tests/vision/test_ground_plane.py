"""A tilted die is found by its normal, anywhere in the picture and with any tilt of the camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.reading.ground_plane import (
    FOCALS,
    MANY_NORMALS,
    MAX_NORMALS,
    MIN_NORMALS,
    GroundPlane,
    Normals,
    PlaneEstimator,
    mark_cocked,
    normal_xy,
    tilts_deg,
)
from vision.readings import Reading, SeenDie

SIZE = (1280, 960)
PLACES = [(100, 80), (1200, 100), (640, 480), (90, 900), (1100, 850), (500, 200)]


def tilted(deg: float, around_deg: float = 0.0) -> np.ndarray:
    """The upward normal in the axes of a camera that is tilted by `deg` in the direction `around_deg`."""
    tilt, around = np.radians([deg, around_deg])
    return np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), -np.cos(tilt)])


def die_at(x: float, y: float, normal: np.ndarray, focal: float = 1.0) -> SeenDie:
    """A die at (x, y) px whose upper face has this normal in the camera's axes."""
    place = np.array([(x - SIZE[0] / 2) / SIZE[0] / focal, (y - SIZE[1] / 2) / SIZE[0] / focal, 1.0])
    return SeenDie(3, "white", (x - 30, y - 30, 60, 60), 0.99, True, normal_xy=normal_xy(place, normal))


def cocked(dice: list[SeenDie]) -> list[bool]:
    return [d.cocked for d in mark_cocked(dice, SIZE)]


def reading(*dice: SeenDie) -> Reading:
    return Reading(SIZE, dice)


@pytest.mark.parametrize("focal", FOCALS)
@pytest.mark.parametrize("tilt", [0, 15, 40])
@pytest.mark.parametrize("around", [0, 130, 250])
def test_a_normal_in_the_camera_axes_does_not_depend_on_the_place(
    focal: float, tilt: float, around: float
) -> None:
    normal = tilted(tilt, around)
    normals = Normals.of([die_at(x, y, normal, focal) for x, y in PLACES], SIZE)
    np.testing.assert_allclose(normals.in_camera_axes([focal])[0], [normal] * len(PLACES), atol=2e-4)


@pytest.mark.parametrize("focal", [*FOCALS, 0.65, 1.15, 2.0, 2.9])
@pytest.mark.parametrize("tilt", [0, 20, 40])
def test_flat_dice_are_flat_and_the_tilted_one_is_cocked_through_any_lens(focal: float, tilt: float) -> None:
    flat = [die_at(x, y, tilted(tilt, 70), focal) for x, y in PLACES]
    assert not any(cocked(flat))
    cocked_die = die_at(300, 700, tilted(tilt + 30, 70), focal)
    assert cocked([*flat, cocked_die]) == [False] * len(flat) + [True]


def test_neither_of_two_dice_with_different_normals_is_cocked() -> None:
    assert cocked([die_at(600, 300, tilted(35)), die_at(700, 300, tilted(3))]) == [False, False]


def test_a_die_with_a_large_error_needs_more_tilt() -> None:
    flat = [die_at(x, y, tilted(10)) for x, y in PLACES]
    cocked_die = die_at(300, 700, tilted(34))
    by_error = [
        cocked([*flat, replace(cocked_die, normal_error=error)])[-1] for error in (0.0, 0.03, 0.1, 0.3)
    ]
    assert by_error == [True, True, False, False]


def test_normals_rotate_and_mirror_with_the_picture() -> None:
    """The classifier is trained on rotated and mirrored crops."""
    place, normal = np.array([0.45, 0.34, 1.0]), tilted(30, 77)
    x, y = normal_xy(place, normal)
    for quarter, (turned_x, turned_y) in ((1, (-y, x)), (2, (-x, -y)), (3, (y, -x))):
        turn = np.linalg.matrix_power(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), quarter)
        assert normal_xy(turn @ place, turn @ normal) == pytest.approx((turned_x, turned_y), abs=2e-4)
    mirror = np.diag([-1, 1, 1])
    assert normal_xy(mirror @ place, mirror @ normal) == pytest.approx((-x, y), abs=2e-4)


def test_normals_that_a_long_lens_explains_are_not_cocked() -> None:
    apart = [die_at(100, 480, tilted(0), 2.4), die_at(1180, 480, tilted(0), 2.4)]
    assert tilts_deg(Normals.of(apart, SIZE), GroundPlane((0.75,), np.array([[0, 0, -1]]))).min() > 10
    assert cocked(apart) == [False, False]


def test_a_die_of_unknown_normal_is_never_cocked() -> None:
    unknown = replace(die_at(300, 300, tilted(0)), normal_xy=None)
    assert mark_cocked([unknown], SIZE) == [unknown]
    assert cocked([unknown, *(die_at(x, y, tilted(0)) for x, y in PLACES), die_at(700, 500, tilted(35))])[
        ::7
    ] == [False, True]


def test_normals_beyond_the_horizon_are_clipped_to_it() -> None:
    die = SeenDie(3, "white", (610, 450, 60, 60), 0.99, True, normal_xy=(3.0, 4.0))
    np.testing.assert_allclose(Normals.of([die], SIZE).in_camera_axes([1.0])[0], [(0.6, 0.8, 0)], atol=1e-9)


def throw_of_three(n: int, tilt: float) -> Reading:
    """The n-th throw of three flat dice. None lies where a die of the previous throw lay."""
    return reading(
        *(
            die_at(x + 40 * (n % 3), y + 30 * (n % 2), tilted(tilt))
            for x, y in (PLACES * 2)[n % 6 : n % 6 + 3]
        )
    )


def test_a_single_tilted_die_is_marked_once_the_plane_is_known() -> None:
    estimator, lone = PlaneEstimator(), reading(die_at(640, 300, tilted(40)))
    for n in range(MIN_NORMALS):
        assert estimator.mark_cocked(lone) == lone, f"after {n} dice"
        estimator.update(reading(die_at(*PLACES[n % len(PLACES)], tilted(10))))
    assert [d.cocked for d in estimator.mark_cocked(lone).dice] == [True]
    assert [d.cocked for d in estimator.mark_cocked(reading(die_at(90, 900, tilted(10)))).dice] == [False]


def test_unsure_and_unmoved_dice_do_not_change_the_plane() -> None:
    estimator, lone = PlaneEstimator(), reading(die_at(640, 300, tilted(10)))
    for n in range(MIN_NORMALS):
        estimator.update(reading(replace(die_at(*PLACES[n % len(PLACES)], tilted(40)), sure=False)))
    for _ in range(MIN_NORMALS):
        estimator.update(reading(die_at(640, 300, tilted(40))))
    assert estimator.mark_cocked(lone) == lone


def test_the_plane_is_estimated_again_after_the_camera_moved() -> None:
    estimator = PlaneEstimator()
    for n in range(MAX_NORMALS // 3):
        estimator.update(throw_of_three(n, 0))
    for n in range(6):
        seen = estimator.mark_cocked(throw_of_three(n, 25))
        assert not any(d.cocked for d in seen.dice)
        estimator.update(seen)
    assert estimator.mark_cocked(reading(die_at(640, 300, tilted(0)))).dice[0].cocked


def test_the_plane_holds_for_pictures_of_another_size() -> None:
    estimator = PlaneEstimator()
    for n in range(MAX_NORMALS // 3):
        estimator.update(throw_of_three(n, 20))
    half = throw_of_three(0, 20)
    boxes = [(x / 2, y / 2, w / 2, h / 2) for x, y, w, h in (d.box_xywh for d in half.dice)]
    dice = tuple(replace(d, box_xywh=box) for d, box in zip(half.dice, boxes, strict=True))
    estimator.update(Reading((SIZE[0] // 2, SIZE[1] // 2), dice))
    assert not any(d.cocked for d in estimator.mark_cocked(half).dice)


def test_a_die_that_touches_no_other_needs_more_tilt() -> None:
    flat = [die_at(x, y, tilted(3)) for x, y in PLACES]
    x, y = PLACES[-1]
    for place, deg, is_cocked in (((300, 700), 26, False), ((300, 700), 40, True), ((x + 66, y), 26, True)):
        tilted_die = die_at(*place, tilted(deg))
        assert cocked([*flat, tilted_die])[-1]
        assert (
            PlaneEstimator().mark_cocked(reading(*mark_cocked([*flat, tilted_die], SIZE))).dice[-1].cocked
            is is_cocked
        )
    three = [*flat[:2], die_at(300, 700, tilted(40))]
    assert cocked(three)[-1]
    assert not PlaneEstimator().mark_cocked(reading(*mark_cocked(three, SIZE))).dice[-1].cocked


@pytest.mark.parametrize(("smallest", "is_cocked"), [(60, False), (80, True)])
def test_whether_dice_touch_is_told_by_their_sides_and_not_by_their_boxes(
    smallest: float, is_cocked: bool
) -> None:
    """Two dice that stand on a corner have boxes 1.4 times as large as the others'. Where all are that large,
    they touch."""
    x, y = PLACES[2]
    flat = [die_at(*place, tilted(3)) for place in PLACES]
    dice = [*flat, die_at(x + 110, y, tilted(28))]
    large = [
        replace(d, box_xywh=(d.centre_xy[0] - side / 2, d.centre_xy[1] - side / 2, side, side))
        for d, side in zip(dice, [smallest, smallest, 80, *[smallest] * 3, 80], strict=True)
    ]
    marked = PlaneEstimator().mark_cocked(reading(*mark_cocked(large, SIZE)))
    assert marked.dice[-1].cocked is is_cocked


@pytest.mark.parametrize(
    ("x", "deg", "lies", "is_cocked"),
    [(668, 40, 3, True), (668, 24, 3, False), (800, 40, 3, False), (668, 60, 30, False)],
)
def test_a_die_that_leans_on_another_is_cocked_once_two_others_lay_there(
    x: float, deg: float, lies: float, is_cocked: bool
) -> None:
    """Not if its tilt may be an error, if it touches nothing, or if most dice differ: the camera moved."""
    pair = reading(die_at(600, 300, tilted(lies)), die_at(x, 300, tilted(deg)))
    estimator = PlaneEstimator()
    assert not any(d.cocked for d in estimator.mark_cocked(pair).dice)
    estimator.update(reading(*(die_at(*PLACES[n], tilted(3)) for n in range(2))))
    assert [d.cocked for d in estimator.mark_cocked(pair).dice] == [False, is_cocked]


def test_a_die_may_tip_if_it_touches_one_with_another_normal() -> None:
    flat, cocked_die = die_at(600, 300, tilted(3)), die_at(668, 300, tilted(35))
    assert PlaneEstimator().may_tip(reading(flat, cocked_die))
    assert PlaneEstimator().may_tip(reading(flat, replace(cocked_die, sure=False)))
    assert not PlaneEstimator().may_tip(reading(flat, die_at(800, 300, tilted(35))))
    assert not PlaneEstimator().may_tip(reading())


def test_an_unsure_die_that_touches_another_may_tip_until_the_plane_is_known() -> None:
    flat, unsure = die_at(600, 300, tilted(3)), replace(die_at(668, 300, tilted(3)), sure=False)
    assert PlaneEstimator().may_tip(reading(flat, unsure))
    assert not PlaneEstimator().may_tip(reading(flat, replace(unsure, sure=True)))
    assert not PlaneEstimator().may_tip(reading(flat, replace(unsure, box_xywh=(900, 300, 66, 66))))
    assert PlaneEstimator().may_tip(reading(flat, replace(unsure, sure=True, normal_error=0.1)))
    estimator = PlaneEstimator()
    for n in range(MAX_NORMALS // 3):
        estimator.update(throw_of_three(n, 3))
    assert not estimator.may_tip(reading(flat, unsure))


@pytest.mark.parametrize(
    ("throws", "is_cocked"), [(MIN_NORMALS // 3 + 1, False), (MANY_NORMALS // 3 + 1, True)]
)
def test_a_die_needs_more_tilt_until_the_plane_is_known_well(throws: int, is_cocked: bool) -> None:
    estimator = PlaneEstimator()
    for n in range(throws):
        estimator.update(throw_of_three(n, 3))
    pair = reading(die_at(600, 300, tilted(3)), die_at(668, 300, tilted(20)))
    assert [d.cocked for d in estimator.mark_cocked(pair).dice] == [False, is_cocked]


@pytest.mark.parametrize("focal", FOCALS)
def test_no_flat_die_may_tip_through_any_lens(focal: float) -> None:
    x, y = PLACES[0]
    assert not PlaneEstimator().may_tip(
        reading(*(die_at(x, y, tilted(25), focal) for x, y in (*PLACES, (x + 66, y))))
    )
