"""Colours of detected tiles: their plastic, their print against it, and whether the table has them.

Things that look like tiles but are not of the set on the table, such as keys of a keyboard, differ
in these from the tiles beside them (:func:`of_another_set`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.geometry.crops import smaller
from vision.runtime.opencv import cv2
from vision.vocabulary.labels import SURE, chance_of_print, column, sure_prints

Floats = NDArray[np.float32]
Chances = NDArray[np.float64]

_SIZE: Final = (48, 36)
"""Height and width in pixels to which crops are reduced."""
_EDGE: Final = 4
"""Width in pixels of the margin of such a crop, which may show the tile's surroundings."""
_INSIDE: Final = slice(_EDGE, -_EDGE)
"""Rows, or columns, of such a crop within the margin."""
_RING: Final = np.pad(np.ones((40, 28), np.bool_), _EDGE)
_RING[2 * _EDGE : -2 * _EDGE, 2 * _EDGE : -2 * _EDGE] = False
"""Pixels of such a crop, (48, 36), that print seldom covers: four to eight from the edge."""
_LIGHTNESS: Final = 0.5
"""Weight of a difference of lightness in the distance of two colours: light falls unevenly."""
_EXTREMES: Final = (3.0, 97.0)
"""Percentiles of lightness that count as the darkest and the lightest of a face, without glints."""


@dataclass(frozen=True, slots=True)
class TableColours:
    """How the colours of the table beside the tiles are measured.

    Attributes:
        width: width in pixels of the picture that is measured.
        finer: width of what that is reduced from, in its widths; finer detail is left out.
        spread: size of the area left out around each tile, in its sizes: its sides may border on
            its quad.
        same: maximum CIELAB distance at which the table has a tile's colour.
        least: minimum number of pixels of the table; with fewer it has no tile's colour.
    """

    width: int = 96
    finer: int = 4
    spread: float = 1.7
    same: float = 7.0
    least: int = 30


@dataclass(frozen=True, slots=True)
class AnotherSet:
    """When a detection looks like a tile of another set than the certain tiles nearby.

    Attributes:
        prints: minimum number of tiles that certainly show print, for a comparison; of those nearby
            the lightness of so many may lie at or below that which a detection is compared with.
        nearest: number of these that a detection is compared with.
        light: minimum CIELAB lightness of light faces.
        shade: share of the others' lightness that a face keeps even in a shadow, where less than a
            fifth of the light reaches it.
        printed: minimum probability of print for the prints to be compared.
        faint: share of the others' difference between plastic and dark print that the detection's
            must exceed to be of their set.
        duller: share of the others' lightness of plastic that the detection's must reach for that.
        one_way: minimum share of the tiles nearby whose print is darker than their plastic.
    """

    prints: int = 2
    nearest: int = 7
    light: float = 50.0
    shade: float = 0.55
    printed: float = 0.5
    faint: float = 0.1
    duller: float = 0.7
    one_way: float = 0.75


TABLE_COLOURS: Final = TableColours()
ANOTHER_SET: Final = AnotherSet()


class FaceColours:
    """The colours of the tiles of one picture, each measured when it is first asked for.

    Args:
        image: (h, w, 3) uint8 BGR, the picture.
        crops: (n, h, w, 3) uint8 BGR, rectified faces.
        quads: (n, 4, 2) float32 corners of the tiles in pixels.

    Attributes:
        quads: as given.
        middles: (n, 2) float32, middles of the tiles in pixels.
    """

    def __init__(self, image: NDArray[np.uint8], crops: NDArray[np.uint8], quads: Floats) -> None:
        self._image, self._large = image, crops
        self.quads: Final[Floats] = quads
        self.middles: Final[Floats] = quads.mean(axis=1)

    @cached_property
    def _crops(self) -> NDArray[np.uint8]:
        return smaller(self._large, _SIZE)

    @cached_property
    def _lightness(self) -> Floats:
        inside = self._crops[:, _INSIDE, _INSIDE]
        return _lab(inside.reshape(len(inside), -1, 3))[..., 0]

    @cached_property
    def plastic(self) -> Floats:
        """(n, 3) CIELAB colour of the plastic: the median of what lies around the print."""
        return _lab(np.median(self._crops[:, _RING], axis=1)[:, np.newaxis])[:, 0]

    @cached_property
    def light(self) -> Floats:
        """(n,) CIELAB lightness of the plastic, or that which a quarter exceeds, if lighter."""
        return np.maximum(self.plastic[:, 0], np.percentile(self._lightness, 75, axis=1))

    @cached_property
    def print_lighter(self) -> Floats:
        """(n,) by how much CIELAB lightness print is lighter than the plastic; below 0 if darker.

        For a face with both it is the difference of the lighter print less that of the darker.
        """
        darkest, lightest = np.percentile(self._lightness, _EXTREMES, axis=1)
        lighter: Floats = darkest + lightest - 2 * self.plastic[:, 0]
        return lighter

    @cached_property
    def _table(self) -> Floats:
        """(m, 3) CIELAB colours of what lies beside the tiles."""
        height, width = self._image.shape[:2]
        across = TABLE_COLOURS.width
        extent = (across, max(1, round(across * height / width)))
        step = max(1, width // (TABLE_COLOURS.finer * across))
        small = cv2.resize(self._image[::step, ::step], extent, interpolation=cv2.INTER_AREA)
        middles = self.middles[:, np.newaxis]
        spread = (self.quads - middles) * TABLE_COLOURS.spread + middles
        covered = np.zeros(extent[::-1], np.uint8)
        for quad in spread * np.float32(across / width):
            cv2.fillConvexPoly(covered, quad.astype(np.int32), 1)
        return np.asarray(_lab(small.reshape(1, -1, 3))[0][covered.ravel() == 0], np.float32)

    def share_of_table(self, index: int) -> float:
        """The share, 0 to 1, of the table beside the tiles that has the colour of one of them."""
        if len(self._table) < TABLE_COLOURS.least:
            return 0.0
        away = _distances(self._table, self.plastic[index])
        return float((away < TABLE_COLOURS.same).mean())

    def distance(
        self, among: NDArray[np.intp], index: int, most: float, share: float = 0.0
    ) -> float | None:
        """CIELAB distance of a tile's plastic from the most similar of the others among some.

        Args:
            among: (m,) indices of the tiles to compare with.
            index: of the tile.
            most: to which the distance is limited.
            share: 0 to 1, of the others, the most similar first, that are left out.

        Returns:
            The distance, or None where there is no other tile.
        """
        others = among[among != index]
        if not len(others):
            return None
        away = np.sort(_distances(self.plastic[others], self.plastic[index]))
        return min(float(away[int(share * (len(away) - 1))]), most)

    def nearest(self, among: NDArray[np.intp], to: int, count: int) -> NDArray[np.intp]:
        """The ``count`` tiles among some, or fewer, that lie nearest to one of the tiles."""
        away = np.linalg.norm(self.middles[among] - self.middles[to], axis=1)
        return among[np.argsort(away)[:count]]


def of_another_set(
    colours: FaceColours, probabilities: Chances, evidence: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Which detections (n,) cannot be of the same set as the certain tiles beside them.

    Either they are far darker than light faces, of which one nearby may be in shade too, since a
    rack or a cup may shade several; or light print, or next to none, stands on duller plastic where
    the print of the others is dark. No detection that is certain itself counts as one, nor a back,
    nor any where too few tiles certainly show print.

    Args:
        colours: of the n detections.
        probabilities: (n, 45), each row summing to 1.
        evidence: (n,) from 0 to 1, as :data:`vision.vocabulary.labels.SURE` describes it.
    """
    others = np.zeros(len(evidence), np.bool_)
    printed = chance_of_print(probabilities)
    faces = sure_prints(probabilities, evidence)
    doubtful = np.nonzero((evidence < SURE) & (probabilities[:, column(BACK)] < 0.5))[0]
    if len(faces) < ANOTHER_SET.prints:
        return others
    for index in doubtful.tolist():
        near = colours.nearest(faces, index, ANOTHER_SET.nearest)
        others[index] = _far_darker(colours, index, near) or (
            printed[index] >= ANOTHER_SET.printed and _printed_otherwise(colours, index, near)
        )
    return others


def _far_darker(colours: FaceColours, index: int, near: NDArray[np.intp]) -> bool:
    plastic = float(np.sort(colours.plastic[near, 0])[ANOTHER_SET.prints - 1])
    darker = float(colours.light[index]) < ANOTHER_SET.shade * plastic
    return plastic >= ANOTHER_SET.light and darker


def _printed_otherwise(colours: FaceColours, index: int, near: NDArray[np.intp]) -> bool:
    lighter = colours.print_lighter
    darker = float((lighter[near] < 0).mean())
    duller = colours.light[index] < ANOTHER_SET.duller * np.median(colours.plastic[near, 0])
    faint = lighter[index] > ANOTHER_SET.faint * np.median(lighter[near])
    return bool(darker >= ANOTHER_SET.one_way and duller and faint)


def _distances(colours: Floats, colour: Floats) -> NDArray[np.float64]:
    """(m,) distance of each of (m, 3) CIELAB colours from one of them (3,)."""
    away = (colours - colour) * [_LIGHTNESS, 1.0, 1.0]
    return np.asarray(np.linalg.norm(away, axis=1), np.float64)


def _lab(colours: NDArray[np.generic]) -> Floats:
    """CIELAB of (n, m, 3) BGR from 0 to 255."""
    return np.asarray(cv2.cvtColor(colours.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)
