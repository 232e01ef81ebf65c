"""Words on paper: paragraphs in a font that has the letters of most scripts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph

from table.rules.words import MINUS

FONTS = Path("/usr/share/fonts/truetype/dejavu")
"""DejaVu Sans has the letters of most scripts, and Raspberry Pi OS and Debian have it with their desktop."""

LEADING = 1.25
"""Distance of two lines of text, divided by the size of the letters."""


def paragraph(text: str, size: float, bold: bool = False, after: float = 0, lead: str = "") -> Paragraph:
    """A paragraph of plain text. size, after: of the letters and of the space below, points.

    lead: words before the text, in bold.
    """
    plain, strong = fonts()
    style = ParagraphStyle(
        "",
        fontName=strong if bold else plain,
        fontSize=size,
        leading=LEADING * size,
        spaceAfter=after,
        splitLongWords=1,
    )
    before = f'<font name="{strong}">{escape(printable(lead, strong))}</font> ' if lead else ""
    return Paragraph(before + escape(printable(text, style.fontName)), style)


@cache
def fonts() -> tuple[str, str]:
    """The names of a plain and a bold font. Without DejaVu Sans only Western letters can be printed."""
    files = {"Sheet": "DejaVuSans.ttf", "Sheet bold": "DejaVuSans-Bold.ttf"}
    if not all((FONTS / file).exists() for file in files.values()):
        return "Helvetica", "Helvetica-Bold"
    for name, file in files.items():
        pdfmetrics.registerFont(TTFont(name, FONTS / file))
    plain, bold = files
    return plain, bold


def printable(text: str, font: str) -> str:
    """The text with “?” for each letter that the font does not have."""
    face = pdfmetrics.getFont(font).face
    glyphs = getattr(face, "charToGlyph", None)
    if glyphs is None:
        return text.replace(MINUS, "-").encode("cp1252", "replace").decode("cp1252")
    return "".join(letter if ord(letter) in glyphs else "?" for letter in text)
