"""The region of the tray: the zone of a die, the scale, and refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.simulation import Scene
from vision.simulation.view import View, view_of
from vision.tray.quads import Quad, in_px, in_shares
from vision.tray.region import DIE_MM, Marker, RegionUnusable, TrayRegion, Zone, load_region

SIZE = (1000, 800)
SQUARE: Quad = ((0.2, 0.25), (0.8, 0.25), (0.8, 0.75), (0.2, 0.75))
"""600 x 400 px of SIZE, from 200, 200."""
BESIDE: Quad = ((0.8, 0.25), (0.95, 0.25), (0.95, 0.75), (0.8, 0.75))
"""A strip to the right of SQUARE, with a common edge."""
REGION = TrayRegion(
    SQUARE, BESIDE, (300.0, 200.0), (Marker(3, ((0.1, 0.1), (0.15, 0.1), (0.15, 0.16), (0.1, 0.16))),)
)


def view_and_region(scene: Scene) -> tuple[View, TrayRegion]:
    """The camera of a rendered tray, and the true region of its floor."""
    half_w, half_d = scene.tray_mm[0] / 2, scene.tray_mm[1] / 2
    floor = np.array(
        [(-half_w, half_d, 0), (half_w, half_d, 0), (half_w, -half_d, 0), (-half_w, -half_d, 0)], np.float32
    )
    view = view_of(scene, SIZE)
    a, b, c, d = ((float(x) / SIZE[0], float(y) / SIZE[1]) for x, y in view.project(floor))
    return view, TrayRegion((a, b, c, d), size_mm=scene.tray_mm)


# -- zones ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("xy", "zone"),
    [
        ((500, 400), Zone.THROWING),
        ((210, 210), Zone.THROWING),
        ((203, 400), Zone.OUTSIDE),  # on the rim: a die of 40 px, 3 px inside
        ((190, 400), Zone.OUTSIDE),
        ((797, 400), Zone.THROWING),  # on the line that zone and strip have in common
        ((803, 400), Zone.ASIDE),
        ((870, 400), Zone.ASIDE),
        ((947, 400), Zone.OUTSIDE),
        ((870, 700), Zone.OUTSIDE),
    ],
)
def test_a_die_is_in_the_zone_of_its_centre_and_outside_on_the_rim(xy: tuple[int, int], zone: Zone) -> None:
    assert REGION.zone_at(xy, SIZE, 40.0) == zone


def test_a_strip_within_the_tray_has_priority() -> None:
    region = TrayRegion(SQUARE, ((0.6, 0.25), (0.8, 0.25), (0.8, 0.75), (0.6, 0.75)))
    assert [region.zone_at((x, 400), SIZE, 40.0) for x in (590, 610, 790, 799)] == [
        "throwing",
        "aside",
        "aside",
        "outside",
    ]


def test_every_die_in_a_tray_is_inside_and_every_die_on_its_rim_is_outside() -> None:
    """Dice that touch the walls from inside, and dice on the rim, at 40 angles, with three cameras."""
    for scene in (Scene(), Scene(camera_height_mm=330), Scene(camera_tilt_rad=0.25, camera_roll_rad=0.1)):
        view, region = view_and_region(scene)
        half = np.array(scene.tray_mm) / 2
        for inward, z, zone in (
            (scene.die_mm / 2, 0.0, Zone.THROWING),
            (-scene.rim_mm / 2, scene.rim_height_mm, Zone.OUTSIDE),
        ):
            ring = half - inward
            for angle in np.linspace(0, 2 * np.pi, 40, endpoint=False):
                way = np.array([np.cos(angle), np.sin(angle)])
                x, y = way * np.min(ring / np.maximum(np.abs(way), 1e-9))
                centre = view.project(np.array([[x, y, z + scene.die_mm / 2]], np.float32))[0]
                assert region.zone_at((centre[0], centre[1]), SIZE) == zone, (scene, x, y)


def test_the_mask_covers_the_zones() -> None:
    mask = REGION.mask(SIZE)
    assert (mask.shape, mask.dtype, set(np.unique(mask))) == ((800, 1000), np.uint8, {0, 255})
    assert [int(mask[400, x]) for x in (198, 202, 500, 850, 952)] == [0, 255, 255, 255, 0]
    grown, narrowed = REGION.mask(SIZE, 10), REGION.mask(SIZE, -10)
    assert [int(grown[400, x]) for x in (188, 192, 500)] == [0, 255, 255]
    assert [int(narrowed[400, x]) for x in (208, 212, 500)] == [0, 255, 255]
    assert REGION.mask((500, 400))[200, 250] == 255


# -- scale ---------------------------------------------------------------------------------------------------


def test_the_scale_follows_from_the_trays_size() -> None:
    assert REGION.px_per_mm_at((500, 400), SIZE) == pytest.approx(2.0)
    assert REGION.die_px_at((500, 400), SIZE) == pytest.approx(2 * DIE_MM)
    assert REGION.px_per_mm_at((250, 200), (500, 400)) == pytest.approx(1.0)


def test_under_a_tilted_camera_nearer_dice_are_larger() -> None:
    view, region = view_and_region(Scene(camera_tilt_rad=0.3))
    for x, y in ((-90, 60), (0, 0), (90, -60)):
        corner, right, up = view.project(np.array([(x, y, 0), (x + 4, y, 0), (x, y + 4, 0)], np.float32))
        area = abs(np.linalg.det(np.array([right - corner, up - corner], np.float64)))
        assert region.px_per_mm_at((corner[0], corner[1]), SIZE) == pytest.approx(np.sqrt(area) / 4, rel=0.03)


def test_without_a_size_in_mm_dice_have_the_size_of_a_common_tray() -> None:
    region = replace(REGION, size_mm=None)
    assert region.px_per_mm_at((500, 400), SIZE) is None
    assert 30 < region.die_px_at((500, 400), SIZE) < 45


# -- another view --------------------------------------------------------------------------------------------


def test_a_region_moves_with_the_picture() -> None:
    turn = np.array([[0.995, -0.0998, 12.0], [0.0998, 0.995, -30.0], [0, 0, 1.0]])
    moved = REGION.moved_by(in_shares(turn, SIZE))
    expected = in_px(SQUARE, SIZE) @ turn[:2, :2].T + turn[:2, 2]
    assert in_px(moved.corners, SIZE) == pytest.approx(expected)
    assert moved.strip is not None
    assert moved.strip[0] == moved.corners[1]
    assert moved.markers[0].corners != REGION.markers[0].corners
    assert moved.size_mm == REGION.size_mm


def test_a_region_that_leaves_the_picture_is_refused() -> None:
    with pytest.raises(RegionUnusable, match="is in the picture"):
        REGION.moved_by(np.array([[1, 0, 0.6], [0, 1, 0], [0, 0, 1.0]]))


# -- what is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("corners", "why"),
    [
        (((0.2, 0.2), (0.8, 0.8), (0.8, 0.2), (0.2, 0.8)), "crossed"),
        (((0.2, 0.2), (0.5, 0.2), (0.8, 0.2), (0.5, 0.8)), "three lie in a line"),
        (((0.2, 0.2), (0.8, 0.2), (0.3, 0.3), (0.2, 0.8)), "crossed"),
        (((0.4, 0.4), (0.5, 0.4), (0.5, 0.5), (0.4, 0.5)), r"would be only 1\.00%"),
        (((0.2, 0.2), (2.8, 0.2), (2.8, 0.8), (0.2, 0.8)), "far outside"),
        (((0.9, 0.2), (1.5, 0.2), (1.5, 0.8), (0.9, 0.8)), "only 17% of the tray is in the picture"),
        (((0.5, 0.5),) * 4, "crossed"),
        (((0.2, 0.2), (0.8, 0.2), (0.8, float("nan")), (0.2, 0.8)), "two numbers"),
    ],
)
def test_unusable_corners_are_refused_with_a_message(corners: Quad, why: str) -> None:
    with pytest.raises(RegionUnusable, match=why):
        TrayRegion(corners)


def test_a_strip_and_a_size_are_checked_as_well() -> None:
    with pytest.raises(RegionUnusable, match="the set-aside strip"):
        replace(REGION, strip=((0.2, 0.2), (0.8, 0.8), (0.8, 0.2), (0.2, 0.8)))
    with pytest.raises(RegionUnusable, match="got 3 x 200 mm"):
        replace(REGION, size_mm=(3.0, 200.0))


# -- files ---------------------------------------------------------------------------------------------------


def test_a_region_is_read_back_from_its_file(tmp_path: Path) -> None:
    for region in (REGION, TrayRegion(SQUARE)):
        (tmp_path / "calibration.json").write_text(json.dumps(region.to_json()))
        assert load_region(tmp_path / "calibration.json") == region


def test_four_corners_alone_are_a_region(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(
        '{"corners": [[0.2, 0.25], [0.8, 0.25], [0.8, 0.75], [0.2, 0.75]], "note": "drawn by hand"}'
    )
    assert load_region(tmp_path / "mine.json") == TrayRegion(SQUARE)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("no json", "is not JSON; set the tray on the page"),
        ("[" * 100_000, "is not JSON"),
        ("[1, 2]", "an object with four “corners”"),
        ("{}", "an object with four “corners”"),
        ('{"corners": [[0, 0], [1, 0], [1, 1]]}', "“corners” is a list of four corners in order"),
        ('{"corners": [[0, 0], [1, 0], [1, 1], [0, "1"]]}', "“corners” is a list of four corners in order"),
        ('{"corners": [[0, 0], [1, 0], [1, 1], [0, 1e999]]}', "“corners” is a list of four corners in order"),
        (
            '{"corners": [[0, 0], [1, 0], [1, 1], [0, 1' + "0" * 400 + "]]}",
            "“corners” is a list of four corners in order",
        ),
        ('{"corners": [[0, 0], [1, 1], [1, 0], [0, 1]]}', "crossed"),
        (
            '{"corners": [[0, 0], [1, 0], [1, 1], [0, 1]], "version": 2}',
            "has version 2, but this Brehon knows versions up to 1; update Brehon",
        ),
        ('{"corners": [[0, 0], [1, 0], [1, 1], [0, 1]], "size_mm": [240]}', "“size_mm” is"),
        ('{"corners": [[0, 0], [1, 0], [1, 1], [0, 1]], "strip": {}}', "“strip” is a list of four corners"),
        ('{"corners": [[0, 0], [1, 0], [1, 1], [0, 1]], "markers": [{"id": "3"}]}', "each of “markers”"),
        ('{"corners": [[0, 0], [1, 0], [1, 1], [0, 1]], "markers": 3}', "“markers” is a list"),
    ],
)
def test_a_file_without_a_region_is_refused_with_its_name(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "mine.json").write_text(text)
    with pytest.raises(RegionUnusable, match=why) as refused:
        load_region(tmp_path / "mine.json")
    assert str(tmp_path / "mine.json") in str(refused.value)


def test_a_missing_file_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(
        RegionUnusable, match=r"none\.json cannot be read \(No such file or directory\); check its name"
    ):
        load_region(tmp_path / "none.json")
