"""Cameras: everything frames can come from, behind one `open_camera`."""

from vision.cameras.choosing import CAMERAS, open_camera, same_again

__all__ = ["CAMERAS", "open_camera", "same_again"]
