"""Imports OpenCV with limits, without its logs, and with a helpful error if it cannot start.

OpenCV's wheel links against two system libraries that a bare server lacks; without them the
import ends in a loader error that names a file, not the package to install.
"""

from __future__ import annotations

import os
from typing import Final

from vision.errors import MessageError
from vision.messages import say

MAX_PIXELS: Final = 60_000_000
"""Maximum number of pixels of a photo, width times height."""

SYSTEM_PACKAGES: Final = ("libgl1", "libglib2.0-0")
"""Debian and Ubuntu packages that hold the system libraries OpenCV's wheel needs."""


class SystemLibraryError(MessageError, ImportError):
    """A library of the operating system is missing; the text names the package to install."""


def explain(error: ImportError) -> SystemLibraryError:
    """The loader's error as one that says what to install."""
    packages = " ".join(SYSTEM_PACKAGES)
    return SystemLibraryError(say("model.no_opencv", fault=str(error), packages=packages))


os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

try:
    import cv2
except ImportError as error:
    raise explain(error) from error

__all__ = ["MAX_PIXELS", "SYSTEM_PACKAGES", "SystemLibraryError", "cv2", "explain"]
