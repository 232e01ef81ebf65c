"""The printed mat, and cards at the corners of a tray, are located by their markers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.shared_files import PHOTOS, needs_photos
from tests.vision.mats import drawn_page, laid_mat, laid_page, tray_with_cards
from vision.frames import Picture
from vision.tray.mat import (
    CARDS,
    KNOWN_IDS,
    MARGIN_MM,
    QUIET_MM,
    SHEETS,
    Sheet,
    find_markers,
    marker_modules,
    region_from_markers,
)
from vision.tray.quads import Floats, Quad, in_px
from vision.tray.region import DIE_MM, Zone

SIZES = ((640, 480), (1280, 720))


def sheet_to_px(sheet: Sheet, size_wh: tuple[int, int], rng: np.random.Generator) -> Floats:
    """The homography from the sheet's mm to a picture that it nearly fills, in slight perspective."""
    (w, h), size = sheet.paper_mm, np.array(size_wh, np.float64)
    inset = rng.uniform(0.03, 0.16, (4, 2))
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) + inset * [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    page = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(page, (corners * size).astype(np.float32)), np.float64)


def error_mm(
    corners: Quad, rect: tuple[float, float, float, float], to_px: Floats, size_wh: tuple[int, int]
) -> float:
    """Largest error of a corner, mm on the sheet."""
    x0, y0, x1, y1 = rect
    found = cv2.perspectiveTransform(in_px(corners, size_wh)[None], np.linalg.inv(to_px))[0]
    return float(np.linalg.norm(found - np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), axis=1).max())


def degraded(picture: Picture, rng: np.random.Generator) -> Picture:
    """The picture through a soft lens and a noisy sensor, in a dim room."""
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8) * rng.uniform(0.5, 1.0)
    return np.asarray(np.clip(soft + rng.normal(0, 4, soft.shape), 0, 255), np.uint8)


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("size_wh", SIZES, ids=str)
def test_a_sheet_is_located_to_a_tenth_of_a_die(name: str, size_wh: tuple[int, int]) -> None:
    sheet, rng = SHEETS[name], np.random.default_rng(3)
    for _ in range(3):
        to_px = sheet_to_px(sheet, size_wh, rng)
        picture = degraded(laid_page(drawn_page(sheet.paper_mm, sheet.markers), to_px, size_wh), rng)
        region = region_from_markers(picture)
        assert region is not None
        assert region.strip is not None
        assert error_mm(region.corners, sheet.zone, to_px, size_wh) < DIE_MM / 10
        assert error_mm(region.strip, sheet.strip, to_px, size_wh) < DIE_MM / 10
        assert {marker.id for marker in region.markers} == {marker.id for marker in sheet.markers}


def test_the_scale_is_that_of_the_print() -> None:
    sheet, size = SHEETS["a4"], (1280, 960)
    picture, to_px = laid_mat(sheet, size, 1000)
    region = region_from_markers(picture)
    assert region is not None
    assert region.size_mm == (sheet.zone[2] - sheet.zone[0], sheet.zone[3] - sheet.zone[1])
    assert region.px_per_mm_at((640, 480), size) == pytest.approx(to_px[0, 0], rel=0.005)


def test_zone_and_strip_meet_and_a_die_lies_in_one_of_them() -> None:
    sheet, size = SHEETS["letter"], (1280, 960)
    picture, to_px = laid_mat(sheet, size, 1000)
    region = region_from_markers(picture)
    assert region is not None
    middle = (sheet.strip[1] + sheet.strip[3]) / 2
    line = sheet.strip[0]
    positions = [
        (line - 30, middle),
        (line - 1, middle),
        (line + 1, middle),
        (line + 17, middle),
        (sheet.zone[0] + 1, middle),
    ]
    points = [tuple(cv2.perspectiveTransform(np.array([[position]]), to_px)[0, 0]) for position in positions]
    zones = [region.zone_at((x, y), size) for x, y in points]
    assert zones == [Zone.THROWING, Zone.THROWING, Zone.ASIDE, Zone.ASIDE, Zone.OUTSIDE]


@pytest.mark.parametrize("covered", [1, 2, 3])
def test_some_markers_may_be_covered(covered: int) -> None:
    sheet, size = SHEETS["a4"], (1280, 960)
    picture, to_px = laid_mat(sheet, size, 1000)
    for marker in sheet.markers[:covered]:
        x, y = cv2.perspectiveTransform(marker.corners_mm[None], to_px)[0].mean(axis=0)
        cv2.circle(picture, (int(x), int(y)), 30, (118, 152, 205), -1)
    region = region_from_markers(picture)
    assert region is not None
    assert len(region.markers) == 5 - covered
    assert error_mm(region.corners, sheet.zone, to_px, size) < DIE_MM / 5


def test_one_marker_is_not_a_mat() -> None:
    sheet, size = SHEETS["a4"], (1280, 960)
    picture, to_px = laid_mat(sheet, size, 1000)
    for marker in sheet.markers[1:]:
        x, y = cv2.perspectiveTransform(marker.corners_mm[None], to_px)[0].mean(axis=0)
        cv2.circle(picture, (int(x), int(y)), 30, (118, 152, 205), -1)
    assert len(find_markers(picture)) == 1
    assert region_from_markers(picture) is None


def test_a_marker_that_was_cut_out_and_laid_elsewhere_is_an_outlier() -> None:
    sheet, size = SHEETS["a4"], (1280, 960)
    markers = (*sheet.markers[:4], type(sheet.markers[4])(sheet.markers[4].id, (140.0, 90.0), 18.0))
    to_px = np.array([(3.4, 0, 130), (0, 3.4, 110), (0, 0, 1)])
    region = region_from_markers(laid_page(drawn_page(sheet.paper_mm, markers), to_px, size))
    assert region is not None
    assert len(region.markers) == 4
    assert error_mm(region.corners, sheet.zone, to_px, size) < DIE_MM / 10


# -- cards at the corners of a tray --------------------------------------------------------------------------


def test_four_cards_give_the_trays_corners_and_its_size() -> None:
    rng, size = np.random.default_rng(4), (1280, 960)
    for tray in ((250.0, 180.0), (200.0, 200.0), (320.0, 160.0)):
        inset = rng.uniform(0.14, 0.2, (4, 2))
        corners = (
            np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) + inset * [(1, 1), (-1, 1), (-1, -1), (1, -1)]
        ) * size
        floor = np.array([(0, 0), (tray[0], 0), tray, (0, tray[1])], np.float32)
        to_px = np.asarray(cv2.getPerspectiveTransform(floor, corners.astype(np.float32)), np.float64)
        region = region_from_markers(degraded(tray_with_cards(tray, to_px, size), rng))
        assert region is not None
        assert error_mm(region.corners, (0, 0, *tray), to_px, size) < DIE_MM / 10
        assert region.size_mm == pytest.approx(tray, rel=0.03)
        assert region.strip is None


def test_three_cards_do_not_locate_the_fourth_corner() -> None:
    to_px = np.array([(3.2, 0, 200), (0, 3.2, 150), (0, 0, 1)])
    assert region_from_markers(tray_with_cards((250.0, 180.0), to_px, (1280, 960))) is not None
    assert region_from_markers(tray_with_cards((250.0, 180.0), to_px, (1280, 960), missing=CARDS[2])) is None


# -- the printed sheets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHEETS)
def test_zones_and_markers_fit_on_the_paper_without_overlap(name: str) -> None:
    sheet = SHEETS[name]
    squares = [(*m.at_mm, m.at_mm[0] + m.side_mm, m.at_mm[1] + m.side_mm) for m in sheet.markers]
    for x0, y0, x1, y1 in (sheet.zone, sheet.strip, *squares):
        assert min(x0, y0, sheet.paper_mm[0] - x1, sheet.paper_mm[1] - y1) >= MARGIN_MM - 1e-9
    for left, top, right, bottom in squares:
        for x0, y0, x1, y1 in (sheet.zone, sheet.strip):
            assert max(x0 - right, left - x1, y0 - bottom, top - y1) >= QUIET_MM - 1e-9


def test_every_number_is_printed_once() -> None:
    ids = [marker.id for sheet in SHEETS.values() for marker in sheet.markers] + list(CARDS)
    assert len(ids) == len(set(ids)) == len(KNOWN_IDS)


def test_no_marker_reads_as_another_in_any_rotation() -> None:
    modules = {number: marker_modules(number) for number in KNOWN_IDS}
    for number, black in modules.items():
        for other, other_modules in modules.items():
            for turns in range(4):
                assert (number == other and turns == 0) or (
                    black != np.rot90(other_modules, turns)
                ).sum() >= 3


# -- no mat --------------------------------------------------------------------------------------------------


@needs_photos
def test_no_photograph_of_dice_shows_a_mat() -> None:
    pictures = [cv2.imread(str(path)) for path in sorted(PHOTOS.glob("*/*.jpg"))[::4]]
    shown = [picture for picture in pictures if picture is not None]
    assert len(shown) > 50
    assert [
        region for picture in shown if (region := region_from_markers(np.asarray(picture, np.uint8)))
    ] == []
