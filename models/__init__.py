"""The nets that come with Brehon, and all that makes and measures them."""

from pathlib import Path

WEIGHTS = Path(__file__).parent
"""The folder of the ONNX files that come with Brehon."""
