"""The shipped detector network: one pass over a photo at one size ("Objects as Points").

The network is a variant of CenterNet (arXiv 1904.07850) with four corners for each tile.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.geometry.pyramid import half_of
from vision.geometry.quads import sides_of
from vision.messages import say
from vision.runtime.opencv import cv2
from vision.runtime.session import Model
from vision.vocabulary.detections import Detections

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

LEAST_SCORE: Final = 0.1
"""Minimum score of the network for a detection, so that even faint tiles can be verified."""

SAME_TILE: Final = 0.5
"""Maximum distance of the middles of two detections of the same tile, as a share of the shorter
side of the smaller one."""

_MULTIPLE: Final = 32
"""Pixels of which the sides of the network's input must be multiples: its coarsest features have
one cell for so many."""


class TileNetwork:
    """The detector network.

    Args:
        model: the opened model; its description has ``threshold``, the score from which a detection
            is likely a tile, and ``stride``, the input pixels for each cell of its output.

    Raises:
        ModelError: the description lacks one of these.
    """

    def __init__(self, model: Model) -> None:
        threshold, stride = model.metadata.get("threshold"), model.metadata.get("stride")
        if not isinstance(threshold, float) or not isinstance(stride, int):
            raise ModelError(say("model.no_threshold", file=model.entry.file))
        self._model, self.threshold, self._stride = model, threshold, stride

    def likely(self, found: Detections) -> Detections:
        """The detections that are likely tiles by their scores alone."""
        return found.chosen(found.scores >= self.threshold)

    def search(self, image: Image, scale: float) -> Detections:
        """The detections of one pass, in pixels of the image.

        Args:
            image: (h, w, 3) uint8 BGR.
            scale: size of the searched picture over the size of the image.
        """
        height, width = (max(1, round(side * scale)) for side in image.shape[:2])
        small = _resized(image, width, height)
        below, beside = -height % _MULTIPLE, -width % _MULTIPLE
        padded = cv2.copyMakeBorder(small, 0, below, 0, beside, cv2.BORDER_REPLICATE)
        heat, sector, corners = self._model.run(padded[np.newaxis])
        found = decode(
            heat[0].astype(np.float32),
            sector[0].astype(np.float32),
            corners[0].astype(np.float32),
            LEAST_SCORE,
            self._stride,
        )
        ratio = np.array([image.shape[1] / width, image.shape[0] / height], np.float32)
        middles = found.quads.mean(axis=1)
        shown = (middles[:, 0] < width) & (middles[:, 1] < height)
        return Detections((found.quads * ratio)[shown], found.scores[shown], found.down[shown])


def decode(
    heat: Floats, sector: Floats, corners: Floats, threshold: float, stride: int
) -> Detections:
    """The detections in the network's answer, in pixels of its input.

    Args:
        heat: (2, h, w) scores of face and back, 0 where a cell is no local maximum.
        sector: (k, h, w) logits of the half-turn sectors.
        corners: (k, 8, h, w) corner offsets in cells.
        threshold: minimum score of a detection.
        stride: pixels per cell.
    """
    best = heat.max(axis=0)
    ys, xs = np.nonzero(best >= threshold)
    order = np.argsort(-best[ys, xs], kind="stable")
    ys, xs = ys[order], xs[order]
    chosen = sector[:, ys, xs].argmax(axis=0)
    offsets = corners[chosen, :, ys, xs].reshape(-1, 4, 2)
    quads = ((offsets + np.stack([xs, ys], axis=1)[:, np.newaxis] + 0.5) * stride).astype(
        np.float32
    )
    down = heat[1, ys, xs] / heat[:, ys, xs].sum(axis=0)
    shorter = sides_of(quads)[0]
    sound = np.isfinite(shorter) & (shorter > stride / 2)
    found = Detections(quads[sound], np.clip(best[ys, xs], 0, 1)[sound], down[sound])
    return without_duplicates(found)


def without_duplicates(found: Detections) -> Detections:
    """The best detection of each tile, in their order (non-maximum suppression)."""
    shorter, middles = sides_of(found.quads)[0], found.quads.mean(axis=1)
    away = np.linalg.norm(middles[:, np.newaxis] - middles, axis=2)
    same = away < SAME_TILE * np.minimum(shorter[:, np.newaxis], shorter)
    kept = np.zeros(len(found), np.bool_)
    for index in np.argsort(-found.scores, kind="stable").tolist():
        kept[index] = not same[index, kept].any()
    return found.chosen(kept)


def _resized(image: Image, width: int, height: int) -> Image:
    """The picture at another size, by way of cached halves.

    The rest is interpolated, which takes a tenth of the time of resizing by areas and is as good
    for less than a half.
    """
    while image.shape[1] >= 2 * width and image.shape[0] >= 2 * height:
        image = half_of(image)
    return np.asarray(cv2.resize(image, (width, height)), np.uint8)
