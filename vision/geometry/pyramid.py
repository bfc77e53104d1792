"""Halved pictures, each made once: several stages of reading a photo look at it smaller."""

from __future__ import annotations

import threading
import weakref

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2

Image = NDArray[np.uint8]


class _Halves(threading.local):
    """The halves of pictures that are still in use, for each thread its own."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Image], Image]] = {}

    def of(self, image: Image) -> Image:
        known, key = self._known, id(image)
        if key not in known:
            size = (image.shape[1] // 2, image.shape[0] // 2)
            half = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
            known[key] = (weakref.ref(image, lambda _: known.pop(key, None)), half)
        return known[key][1]


_halves = _Halves()


def half_of(image: Image) -> Image:
    """The picture (h, w, 3) uint8 BGR half as high and wide, by areas.

    The same picture gives the same half for as long as it is in use, so neither may be changed.
    """
    return _halves.of(image)
