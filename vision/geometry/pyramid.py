"""Halved pictures, each made only once, since several stages of a reading need a smaller photo."""

from __future__ import annotations

import threading
import weakref

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2

Image = NDArray[np.uint8]


class _Halves(threading.local):
    """A cache of halved pictures for each thread, which forgets pictures that went out of use.

    Pictures are known by their identity; a weak reference removes an entry when its picture goes.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Image], Image]] = {}

    def of(self, image: Image) -> Image:
        """The half of a picture, made at the first call."""
        known, key = self._known, id(image)
        if key not in known:
            size = (image.shape[1] // 2, image.shape[0] // 2)
            half = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
            known[key] = (weakref.ref(image, lambda _: known.pop(key, None)), half)
        return known[key][1]


_halves = _Halves()


def half_of(image: Image) -> Image:
    """The picture (h, w, 3) uint8 BGR at half its height and width, resized by area averaging.

    The half is kept for as long as the picture is in use, so neither may be changed.
    """
    return _halves.of(image)
