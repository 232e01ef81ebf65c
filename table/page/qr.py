"""QR codes: the page's address for a phone's camera."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np


@lru_cache(maxsize=16)
def qr_rows(text: str) -> tuple[str, ...]:
    """The modules of the QR code of this text, row by row: "1" is dark, "0" light; without a quiet zone."""
    code = cv2.QRCodeEncoder.create().encode(text) == 0
    rows, columns = np.flatnonzero(code.any(axis=1)), np.flatnonzero(code.any(axis=0))
    code = code[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return tuple("".join("1" if dark else "0" for dark in row) for row in code)
