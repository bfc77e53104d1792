"""The pictures of a set profile made ready for comparison with the views of a tile.

Two similarities are computed: the cosine between embeddings, and the correlation of ink. Ink is how
much darker a place is than its surroundings, in units of the contrast there ("What is the best
multi-stage architecture for object recognition?", Jarrett et al. 2009), so that shade, glare and
blur change it little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.geometry.crops import coarser, smaller
from vision.runtime.opencv import cv2
from vision.tilesets.profile import SetProfile
from vision.vocabulary.labels import column

Floats = NDArray[np.float32]

MOST_TEMPLATES: Final = 4
"""Maximum number of pictures of a label, the newest ones, with whose ink a tile is compared."""


@dataclass(frozen=True, slots=True)
class Ink:
    """How the ink of a face is computed and compared.

    Attributes:
        size: (height, width) in pixels of the picture of the ink.
        shift: maximum offset in pixels, each way, of a tile in its crop against a template.
        coarse: width in pixels at which the templates are also seen, since tiles may be out of
            focus.
        around: standard deviation in pixels of the Gaussian that averages the surroundings.
        darkest: added to grey levels, 0..255, before the logarithm; smaller differences are noise.
        flat: added to the contrast, in logarithms of light; smaller contrasts are noise.
        faint: mean square of ink per pixel, added before a face is scaled to unit length, so that
            a plain face correlates with nothing.
    """

    size: tuple[int, int] = (32, 24)
    shift: int = 4
    coarse: int = 18
    around: float = 2.0
    darkest: float = 8.0
    flat: float = 0.05
    faint: float = 0.002


INK: Final = Ink()


class Templates:
    """The embeddings and the ink of a set profile's pictures, ready for comparison.

    Args:
        profile: with the embeddings of its shots, which were taken from near.
        from_afar: further embeddings (shots, d) of the same shots, each seen from farther away.

    Attributes:
        columns: (k,) int, columns in :data:`scorer.tiles.READING_LABELS` of the labels with shots.
    """

    def __init__(self, profile: SetProfile, from_afar: Sequence[Floats] = ()) -> None:
        by_label: dict[str, list[int]] = {}
        for index, shot in enumerate(profile.shots):
            by_label.setdefault(shot.label, []).append(index)
        self.columns = np.array([column(label) for label in by_label], np.int64)
        near = np.stack([shot.embedding for shot in profile.shots])
        groups = list(by_label.values())
        self._prototypes = np.stack([_means(seen, groups) for seen in (near, *from_afar)])
        kept = [(k, i) for k, s in enumerate(groups) for i in s[-MOST_TEMPLATES:]]
        self._owners = np.array([k for k, _ in kept] * 2)
        crops = np.stack([profile.shots[i].crop for _, i in kept])
        pictures = ink(np.concatenate([crops, coarser(crops, INK.coarse)]))
        self._templates = _in_units(_windows(pictures)[:, INK.shift, INK.shift])

    def cosines(self, embeddings: Floats) -> Floats:
        """Cosines (m, k), -1..1, between embeddings (m, d) and the nearest prototype of each label.

        The prototype of a label is the normalised mean of the embeddings of its shots, one as seen
        from near and one for each distance that the profile was seen from.
        """
        every = np.einsum("md,ckd->cmk", embeddings, self._prototypes)
        cosines: Floats = every.max(axis=0).astype(np.float32)
        return cosines

    def correlations(self, crops: NDArray[np.uint8]) -> Floats:
        """Correlations (m, k), -1..1, of the ink of (m, h, w, 3) crops with that of each label.

        Each is the largest over the label's pictures and over small shifts.
        """
        windows = _windows(ink(crops))
        found = np.full((len(crops), len(self._owners)), -1, np.float32)
        for down in range(windows.shape[1]):
            units = _in_units(windows[:, down].reshape(-1, *windows.shape[3:]))
            every = (units @ self._templates.T).reshape(len(crops), -1, len(self._owners))
            np.maximum(found, every.max(axis=1), out=found)
        best = np.full((len(self.columns), len(crops)), -1, np.float32)
        np.maximum.at(best, self._owners, found.T)
        return best.T


def _means(embeddings: Floats, groups: Sequence[Sequence[int]]) -> Floats:
    """The normalised means (k, d) of k groups of the embeddings (n, d)."""
    means = np.stack([embeddings[list(group)].mean(axis=0) for group in groups])
    unit: Floats = means / np.linalg.norm(means, axis=1, keepdims=True)
    return unit


def _windows(pictures: Floats) -> Floats:
    """The windows (m, 9, 9, 3, 24, 16) of pictures (m, 32, 24, 3) at each shift down and across."""
    inner = (INK.size[0] - 2 * INK.shift, INK.size[1] - 2 * INK.shift)
    return sliding_window_view(pictures, inner, axis=(1, 2))


def _in_units(parts: Floats) -> Floats:
    """Parts (n, 3, h, w) of pictures less their means, (n, 3 * h * w), each of unit length."""
    apart = (parts - parts.mean(axis=(2, 3), keepdims=True)).reshape(len(parts), -1)
    faint = np.float32(INK.faint * parts.shape[2] * parts.shape[3])
    units: Floats = apart / np.sqrt((apart**2).sum(axis=1, keepdims=True) + faint)
    return units


def ink(crops: NDArray[np.uint8]) -> Floats:
    """How much darker each place is than its surroundings, (m, 32, 24, 3) float32, about -3..3.

    Args:
        crops: (m, h, w, 3) uint8 BGR faces.
    """
    light = np.log(smaller(crops, INK.size) + np.float32(INK.darkest))
    pictures = np.empty(light.shape, np.float32)
    for picture, seen in zip(pictures, light, strict=True):
        above = seen - _around(seen)
        contrast = np.sqrt(_around((above**2).sum(axis=2)))
        picture[:] = -above / (contrast + INK.flat)[:, :, np.newaxis]
    return pictures


def _around(picture: Floats) -> Floats:
    """The mean (h, w) or (h, w, 3) of the surroundings of each place of a picture."""
    mean = cv2.GaussianBlur(picture, (0, 0), INK.around, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(mean, np.float32)
