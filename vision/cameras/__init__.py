"""Cameras: all sources of frames, behind one `open_camera`."""

from vision.cameras.choosing import CAMERAS, open_camera, reopener

__all__ = ["CAMERAS", "open_camera", "reopener"]
