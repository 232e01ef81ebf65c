"""The reliability diagram."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from models.evaluation.reliability_diagram import diagram
from models.evaluation.scoring import (
    Bin,
)


def test_the_diagram_has_a_dot_for_every_bin_and_colours_for_dark_mode() -> None:
    text = diagram(
        {
            "new rigs": [Bin(0.9, 0.95, 40, 0.93, 38), Bin(0.99, 1, 400, 0.995, 400)],
            "rendered tables": [Bin(0, 0.5, 4, 0.3, 1)],
        }
    )
    root = ET.fromstring(text)
    dots = [c for c in root.iter("{http://www.w3.org/2000/svg}circle") if len(c)]
    assert len(dots) == 3
    assert all(0 < float(c.get("cx", -1)) < 560 and 0 < float(c.get("cy", -1)) < 400 for c in dots)
    assert "prefers-color-scheme:dark" in text
