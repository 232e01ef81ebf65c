"""Ornaments for print: a plaited band and a triskele."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from table.paper.page import RGB, Page
from vision.tray.quads import Floats

PLAIT: RGB = (0.30, 0.45, 0.34)

PLAIT_MM = 11.0
"""Wavelength of the band's two strands: the distance over two crossings."""
STRAND_MM, HALO_MM = 0.8, 1.7
"""Width of a strand, and of the gap in the strand under it."""


def draw_plait(page: Page, rect: Sequence[float], reach: float, ground: RGB) -> None:
    """Draws two interlaced strands around the rectangle. reach: greatest distance from its edge, mm."""
    x0, y0, x1, y1 = rect
    for begin, end in itertools.pairwise([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]):
        edge = np.array([begin, end])
        crossings = 2 * round(float(np.abs(edge[1] - edge[0]).sum()) / PLAIT_MM)
        _strand(page, _swaying(edge, crossings, reach, 0, crossings), ground)
        _strand(page, _swaying(edge, crossings, -reach, 0, crossings), ground)
        for crossing in range(1, crossings, 2):  # the first strand is on top here
            _strand(page, _swaying(edge, crossings, reach, crossing - 0.3, crossing + 0.3), ground)


def _swaying(
    edge: Floats, crossings: int, reach: float, first: float, last: float
) -> list[tuple[float, float]]:
    """Points of a sine wave with this many crossings of an edge, (2, 2) mm, from crossing first to last."""
    t = np.linspace(first, last, max(2, round((last - first) * 16)))[:, None]
    along = edge[1] - edge[0]
    aside = np.array([-along[1], along[0]]) / np.linalg.norm(along)
    return [
        (float(x), float(y)) for x, y in edge[0] + t / crossings * along + reach * np.sin(np.pi * t) * aside
    ]


def _strand(page: Page, points: Sequence[tuple[float, float]], ground: RGB) -> None:
    page.line(points, ground, HALO_MM)
    page.line(points, PLAIT, STRAND_MM)


def draw_triskele(page: Page, middle: tuple[float, float], colour: RGB) -> None:
    """Draws three large, faint spirals that join in the middle."""
    turn = np.linspace(0, 2.25 * 2 * np.pi, 160)
    for third in range(3):
        heading = third * 2 * np.pi / 3 - np.pi / 2
        centre = np.array(middle) + 34 * np.array([np.cos(heading), np.sin(heading)])
        radius = 2 + 32 * turn / turn[-1]
        angle = turn + heading + np.pi - turn[-1]
        spiral = centre + np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
        page.line([(float(x), float(y)) for x, y in spiral], colour, 3.2)
