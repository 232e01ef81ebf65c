"""Findings: the results of checks, for `brehon doctor`, the HTTP API and the page's health screen.

Each finding has its figures for people who compare, and a sentence in plain words that says what to do.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.referee.camera_advice import CAMERA_ADVICE

if TYPE_CHECKING:  # doctor's other checks need no numpy
    from vision.health.image_quality import ImageQuality

MB_PER_GB = 1024

MIN_FREE_MB = 200
"""Least free space, MB: ten evenings, because the log of one evening with its pictures takes about 20 MB."""

MIN_LEVEL = 25.0
"""Mean brightness, grey levels, below which the picture is dim. At 20 to 37, which is a fifth of their light,
nine of ten photographs are still read as surely."""

MAX_OVEREXPOSED_SHARE = 0.1
"""Upper limit of the overexposed share of the picture. 14 of the 242 photographs are over 0.2, mostly because
of a white table; all others are under 0.03."""

MIN_SHARPNESS = 0.18
"""Least sharpness: fine structure relative to coarse structure. The photographs have 0.21 or more. When they
are blurred until one die in 25 is misread, they have 0.18 or less (vision.health.camera_health: out of focus
at 0.14)."""

MAX_BANDING = 0.05
"""Upper limit of the amplitude of bands from lamps, share of the brightness. At 0.1 throws were missed."""

ACROSS, DOWN = ("left", "middle", "right"), ("upper", "", "lower")
"""Words for the thirds of a picture."""


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    ok: None if the part is absent and optional. text: with figures. plain: a sentence for the page that says
    what is wrong and what to do; "": the text.
    """

    name: str
    ok: bool | None
    text: str
    plain: str = ""

    def to_json(self) -> dict[str, Any]:
        """{"name", "ok", "says": in plain words, "figures"}."""
        return {"name": self.name, "ok": self.ok, "says": self.plain or self.text, "figures": self.text}


def picture_findings(quality: ImageQuality) -> Iterator[Finding]:
    """The findings on the picture: trouble if there is any, light, glare, sharpness, and bands from lamps."""
    if quality.trouble is not None:
        yield Finding("picture", False, CAMERA_ADVICE[quality.trouble])
    yield _light(quality)
    yield _glare(quality)
    yield _focus(quality)
    yield _bands(quality)


def picture_to_json(quality: ImageQuality) -> dict[str, Any]:
    """What was measured, each with its limit; as `GET /api/health` has it."""
    return {
        "size": list(quality.size_wh),
        "sharpness": round(quality.sharpness, 3),
        "least_sharpness": MIN_SHARPNESS,
        "brightness": round(quality.level, 1),
        "least_brightness": MIN_LEVEL,
        "glare": round(quality.overexposed_share, 4),
        "most_glare": MAX_OVEREXPOSED_SHARE,
        "glare_at": None if quality.glare_xy is None else [round(share, 3) for share in quality.glare_xy],
        "flicker": round(quality.banding, 3),
        "most_flicker": MAX_BANDING,
        "noise": round(quality.noise, 2),
    }


def disk_finding(folder: Path) -> Finding:
    """Whether the folder of the log has room."""
    free_mb = shutil.disk_usage(folder).free // 2**20
    if free_mb < MIN_FREE_MB:
        return Finding(
            "disk",
            False,
            f"{folder} has only {free_mb} MB free;"
            f" make it {MIN_FREE_MB} MB, or give another folder with --data",
            f"The disk has only {free_mb} MB free: make room, or the next evening cannot be saved.",
        )
    free = size_in_words(free_mb)
    return Finding("disk", True, f"{folder} is writable, {free} free", f"There is room for the log: {free}.")


def size_in_words(mb: int) -> str:
    """A size as people read it: "900 MB", "1.5 GB", "39 GB"."""
    if mb < MB_PER_GB:
        return f"{mb} MB"
    gb = mb / MB_PER_GB
    return f"{gb:.1f} GB" if gb < 10 else f"{gb:.0f} GB"


def _light(quality: ImageQuality) -> Finding:
    text = f"brightness {quality.level:.0f} of 255, noise {quality.noise:.1f}"
    if quality.level < MIN_LEVEL:
        advice = "The picture is too dark: put the tray under a lamp."
        return Finding("light", False, f"{text}: too dark; put the tray under a lamp", advice)
    return Finding("light", True, text, "There is enough light.")


def _glare(quality: ImageQuality) -> Finding:
    text = f"{quality.overexposed_share:.0%} of the picture is overexposed"
    where = "" if quality.glare_xy is None else f" at the {_part_of_picture(*quality.glare_xy)}"
    if quality.overexposed_share > MAX_OVEREXPOSED_SHARE:
        advice = f"The picture is too bright{where}: turn the lamp away, or use a weaker one."
        return Finding("glare", False, f"{text}; turn the lamp away, or use a weaker one", advice)
    if where:
        return Finding(
            "glare", True, text, f"There is a little glare{where}. Turn the lamp if dice there are misread."
        )
    return Finding("glare", True, text, "No lamp glares in the tray.")


def _part_of_picture(x: float, y: float) -> str:
    """The part of the picture round this point, in words; x, y: shares of its width and height."""
    across, down = ACROSS[min(int(3 * x), 2)], DOWN[min(int(3 * y), 2)]
    return f"{down} {across}".strip()


def _focus(quality: ImageQuality) -> Finding:
    text = f"sharpness {quality.sharpness:.2f}"
    if quality.sharpness < MIN_SHARPNESS:
        return Finding(
            "focus",
            False,
            f"{text}: blurred; wipe the lens, or turn its ring until the pips are sharp",
            "The picture is blurred: wipe the lens, or turn its ring until the pips are sharp.",
        )
    return Finding("focus", True, text, "The picture is sharp.")


def _bands(quality: ImageQuality) -> Finding:
    if quality.banding < MAX_BANDING:
        return Finding("mains", True, "no bands from flickering lamps", "No lamp flickers.")
    return Finding(
        "mains",
        False,
        f"bands of {quality.banding:.0%} from a flickering lamp; use a lamp that does not flicker",
        "A lamp flickers and draws bands over the picture: use a lamp that does not flicker.",
    )
