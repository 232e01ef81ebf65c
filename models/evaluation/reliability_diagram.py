"""A reliability diagram as SVG: accuracy against confidence; the dashed line is perfect calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.evaluation.scoring import Bin, wilson

WIDTH, HEIGHT = 560, 400
LEFT, RIGHT, TOP, BOTTOM = 58, 20, 42, 50
MIN_RADIUS, MAX_RADIUS = 3.0, 9.0
"""Radii of the dots. The area grows with the number of dice, up to MANY."""
MANY = 400
COLOURS = ("#2f81f7", "#d9730d", "#2da44e")
"""Colours of the first, second and third series, legible on white and on black."""

STYLE = (
    "text{font:13px sans-serif;fill:#24292f}.axis{stroke:#57606a;fill:none}.grid{stroke:#d0d7de;fill:none}"
    ".even{stroke:#57606a;stroke-dasharray:5 4;fill:none}"
    "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.axis,.even{stroke:#9da7b3}.grid{stroke:#30363d}}"
)


def diagram(series: Mapping[str, Sequence[Bin]]) -> str:
    """The SVG text: x is the mean confidence of a bin, y its share of correct dice with the 95 % interval."""
    dots = [_dot(b, colour) for bins, colour in zip(series.values(), COLOURS, strict=False) for b in bins]
    keys = [_key(n, name, colour) for n, (name, colour) in enumerate(zip(series, COLOURS, strict=False))]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img">',
        "<title>Share of dice read right, by the confidence they were read with</title>",
        f"<style>{STYLE}</style>", *_frame(), *dots, *keys, "</svg>", "",
    ])  # fmt: skip


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _frame() -> list[str]:
    """Grid, axes with ticks and labels, and the line of perfect calibration."""
    lines = []
    for tenth in range(0, 11, 2):
        x, y = _x(tenth / 10), _y(tenth / 10)
        lines.append(
            f'<path class="grid" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        )
        lines.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{tenth * 10}</text>')
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tenth * 10}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    return [
        *lines,
        f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>',
        f'<path class="even" d="M{_x(0):.1f} {_y(0):.1f}L{_x(1):.1f} {_y(1):.1f}"/>',
        f'<text x="{_x(0.5):.1f}" y="{HEIGHT - 10}" text-anchor="middle">confidence, %</text>',
        f'<text x="16" y="{middle:.1f}" text-anchor="middle" transform="rotate(-90 16 {middle:.1f})">'
        "right, %</text>",
    ]


def _dot(b: Bin, colour: str) -> str:
    x, low, high = _x(b.mean), *(_y(v) for v in wilson(b.right, b.dice))
    radius = MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * min(b.dice / MANY, 1) ** 0.5
    return (
        f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="{colour}"/>'
        f'<circle cx="{x:.1f}" cy="{_y(b.right / b.dice):.1f}" r="{radius:.1f}" '
        f'fill="{colour}" fill-opacity="0.75">'
        f"<title>{b.right} of {b.dice} right, mean confidence {100 * b.mean:.1f} %</title></circle>"
    )


def _key(n: int, name: str, colour: str) -> str:
    x = LEFT + n * 170
    return f'<circle cx="{x + 6}" cy="22" r="5" fill="{colour}"/><text x="{x + 17}" y="26">{name}</text>'
