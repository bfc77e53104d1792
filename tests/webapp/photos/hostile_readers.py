"""Readers that behave as a broken decoder would; their processes find them by name."""

from __future__ import annotations

import os
import time

from tests.webapp.fakes import white_png
from vision.errors import ModelError, NoTilesFound
from vision.messages import Message
from vision.photo.decode import MIN_SIDE, Decoded
from vision.runtime.process import processor_time
from vision.vocabulary.readings import Reading

ERRORS = {
    b"empty": NoTilesFound(Message("No tiles.")),
    b"model": ModelError(Message("No model.")),
    b"fault": ZeroDivisionError("a fault"),
}


FATES = (b"crash", *ERRORS)
"""What can become of a photo that is opened before it is read."""


def by_this_process() -> Reading:
    """A reading that tells by its time which process made it."""
    return Reading(1, 1, (), (), seconds={"pid": os.getpid()})


def grow() -> None:
    """Uses 3 GB, a little more at each moment."""
    held = []
    for _ in range(60):
        held.append(b"x" * 50 * 1024**2)
        time.sleep(0.01)


def photo_of_fate(fate: bytes) -> bytes:
    """A photo that says what becomes of it by its width."""
    return white_png(MIN_SIDE * (1 + FATES.index(fate)), MIN_SIDE)


def hostile(photo: bytes | Decoded) -> Reading:
    """Does what the photo says."""
    data = photo if isinstance(photo, bytes) else FATES[photo.image.shape[1] // MIN_SIDE - 1]
    match data:
        case b"hang":
            time.sleep(60)
        case b"crash":
            os.abort()
        case b"eat":
            bytearray(8 * 1024**3)
        case b"grow":
            grow()
        case b"spin":
            with processor_time(0.2):
                while True:
                    pass
        case b"empty" | b"model" | b"fault":
            raise ERRORS[data]
    return by_this_process()
