"""Finds the tiles of a photo with the shipped detector: four corners each, face or back."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.detect.sizes import ANOTHER_SIZE, CLEAR, of_another_size, of_tile_size, typical_width
from vision.detect.two_scales import SAME, seen_twice
from vision.detect.verifier import OnnxVerifier
from vision.errors import ModelError
from vision.geometry.overlap import duplicates
from vision.geometry.pyramid import half_of
from vision.geometry.quads import holds, inside, sides_of
from vision.messages import say
from vision.runtime.opencv import cv2
from vision.runtime.session import Model, load_model
from vision.vocabulary.detections import Detections, Places

Floats = NDArray[np.float32]

SEARCHED: Final = 1024
"""Long side in pixels at which a photo is searched, and"""
_ELSE: Final = (704, 1600)
"""those at which it is where that finds no tiles."""
_FROM_NEAR: Final = (448, 288, 192)
"""Where that shows fewer clear tiles than"""
_FEW: Final = 6
"""these, they may be marks on tiles seen from very near, which are found when it is smaller."""
_MAX_LONG_SIDE: Final = 2048
_USUAL_ASPECT: Final = 2.0
"""Length over width up to which a photo is no strip."""
_MAX_ENLARGEMENT: Final = 3.0
_GOOD_WIDTHS: Final = (36.0, 120.0)
"""Tile widths in pixels, in the searched picture, at which the detector is at its best."""
_AIM: Final = 60.0
_HARDLY_SEEN: Final = 0.75
"""Mean score below which tiles of a good width are searched again"""
_AIM_BLURRED: Final = 45.0
"""at this one, where it is another by"""
_OTHERWISE: Final = 0.1
"""this share: what is blurred or noisy is clearer when it is smaller. It is, if the mean score then
is higher by"""
_SURER: Final = 0.03
_LEAST: Final = 0.1
"""The detector's score from which a find is looked at, and"""
_FAINT: Final = 0.03
"""the chance by the first look from which it may be a tile."""
_EITHER_WAY: Final = 0.5
"""The chance of lying face down there, before it is looked at."""
_CLOSER: Final = 1.6
"""How much larger a photo that has the pixels for it is searched once more where some find has a
score from"""
_DOUBTFUL: Final = 0.3
"""this on and is not clear, and the typical tile is at most"""
_CLOSER_UP_TO: Final = 75.0
"""so wide, which suits the detector then too: up to 100 two more of the 130 tiles of ten table
photos are missed. Enlarged beyond its own pixels a photo shows no more, and on the benchmark 8
finds instead of 3 are invented."""
_SMALLER: Final = 0.4
"""How much smaller the picture is searched for tiles that stand so much nearer than most that they
are too large to be found well otherwise."""
_MULTIPLE: Final = 32


class Verifier(Protocol):
    """Says how likely finds are tiles, and which lie face down."""

    def first_look(self, image: NDArray[np.uint8], found: Detections) -> tuple[Floats, Floats]:
        """(n,) how likely each is a tile, as it was found; (n, 4, 2) where its corners are."""
        ...

    def verified(self, image: NDArray[np.uint8], found: Detections, quads: Floats) -> Detections:
        """The finds with chances in place of what the detector says, now at these corners."""
        ...


class OnnxDetector:
    """The shipped detector of tile corners ("Objects as Points", arXiv 1904.07850).

    Args:
        model: as opened.
        verifier: says of each find how likely it is a tile.
        searched: long side in pixels at which a photo is searched first.
    """

    def __init__(self, model: Model, verifier: Verifier, searched: int = SEARCHED) -> None:
        threshold, stride = model.metadata.get("threshold"), model.metadata.get("stride")
        if not isinstance(threshold, float) or not isinstance(stride, int):
            raise ModelError(say("model.no_threshold", file=model.entry.file))
        self._model, self._threshold, self._stride = model, threshold, stride
        self._verifier, self._searched = verifier, searched

    @classmethod
    def load(cls, threads: int = 1) -> OnnxDetector:
        """Open the shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or lacks its description.
        """
        return cls(load_model("detector", threads=threads), OnnxVerifier.load(threads))

    def searching_at(self, searched: int) -> OnnxDetector:
        """The same opened model, that searches photos at another size first, as above."""
        return OnnxDetector(self._model, self._verifier, searched)

    def detect(self, image: NDArray[np.uint8], *, faint: bool = False) -> Detections:
        """The tiles in ``image``, (h, w, 3) uint8 BGR; with ``faint`` also what may be tiles.

        The photo is searched at one size; where few tiles are clear, it is searched smaller too,
        and where they turn out small or large in it, or hardly seen, at the size that suits them.
        Where their size suits, it is searched smaller for a few that are far nearer than the rest,
        and with ``faint`` closer where something is doubtful and the photo shows more so. Where the
        tiles stand right before the camera, those far beyond are told from the first search.
        """
        longest = max(image.shape[:2]) / _widening(image)
        most = min(_MAX_ENLARGEMENT, _MAX_LONG_SIDE / longest)
        scale = min(self._searched / longest, most)
        near = _GOOD_WIDTHS[1] / scale
        found = first = self._search(image, scale)
        if np.count_nonzero(found.scores >= CLEAR) < _FEW:
            found, scale = self._from_near(image, longest, found, scale)
        for side in _ELSE:
            if len(self._likely(found)):
                break
            scale = min(side / longest, most)
            found = self._search(image, scale)
        likely = self._likely(found)
        if not len(likely):
            return likely
        width = typical_width(likely) * scale
        if not _GOOD_WIDTHS[0] <= width <= _GOOD_WIDTHS[1]:
            again = self._search(image, min(scale * _AIM / width, most))
            if 2 * len(self._likely(again)) >= len(likely):
                found = self._with_others(again, likely, scale, width)
        else:
            found = self._seen_best(image, found, scale, most)
            found = self._with_nearer(image, found, scale)
            if faint and width <= _CLOSER_UP_TO and scale * _CLOSER <= 1 and _any_doubtful(found):
                found = self._with_closer(image, found, scale)
        found = self._with_those_beyond(of_tile_size(found), first, near)
        chances, quads = self._verifier.first_look(image, found)
        chosen = chances >= self._threshold
        if faint:
            chosen |= (chances >= _FAINT) & inside(quads, image.shape)
        return _distinct(found.at(quads).chosen(chosen))

    def look_at(self, image: NDArray[np.uint8], places: Places) -> Detections:
        """What may be tiles at ``places`` where none was found."""
        found = Detections(
            places.quads,
            places.chances,
            np.full(len(places.quads), _EITHER_WAY, np.float32),
        )
        chances, quads = self._verifier.first_look(image, found)
        return found.at(quads).chosen((chances >= _FAINT) & inside(quads, image.shape))

    def verify(self, image: NDArray[np.uint8], found: Detections, quads: Floats) -> Detections:
        """The finds at ``quads`` (n, 4, 2), with the chances of being tiles and face down."""
        return self._verifier.verified(image, found, quads)

    def _from_near(
        self, image: NDArray[np.uint8], longest: float, found: Detections, scale: float
    ) -> tuple[Detections, float]:
        """What is found where the picture is smaller, if it holds what was found; and the scale."""
        for shrunk in (side / longest for side in _FROM_NEAR if side / longest < scale):
            smaller = self._search(image, shrunk)
            if _holds(smaller, found):
                found, scale = smaller, shrunk
        return found, scale

    def _with_others(
        self, again: Detections, before: Detections, scale: float, width: float
    ) -> Detections:
        """Finds with surer ones of before, at another scale, that suited it better, elsewhere.

        At that scale the typical tile was so many pixels wide, too many or too few.

        Of tiles that stand near the camera and others that lie far off few are well seen at once.
        """
        least, most = _GOOD_WIDTHS
        widths = sides_of(before.quads)[0] * scale
        suited = widths <= most if width > most else widths >= least
        return _with_surer(again, before, suited, self._likely(again))

    def _seen_best(
        self, image: NDArray[np.uint8], found: Detections, scale: float, most: float
    ) -> Detections:
        """The finds at that scale, or at one at which hardly seen tiles are clearer."""
        likely = self._likely(found)
        smaller = _AIM_BLURRED / (typical_width(likely) * scale)
        if likely.scores.mean() < _HARDLY_SEEN and abs(smaller - 1) > _OTHERWISE:
            again = self._search(image, min(scale * smaller, most))
            if _seen_better(self._likely(again), likely):
                return again
        return found

    def _with_nearer(self, image: NDArray[np.uint8], found: Detections, scale: float) -> Detections:
        """Finds with sure ones of tiles too near the camera to be found well at that scale."""
        smaller = self._search(image, scale * _SMALLER)
        near = sides_of(smaller.quads)[0] * scale > _GOOD_WIDTHS[1]
        likely = self._likely(found)
        others = likely.chosen(sides_of(likely.quads)[0] * scale <= _GOOD_WIDTHS[1])
        return _with_surer(found, smaller, near, others)

    def _with_those_beyond(self, found: Detections, first: Detections, near: float) -> Detections:
        """Finds with those of the first search far beyond, if tiles are so many pixels wide."""
        if not len(found) or typical_width(found) < near:
            return found
        far = sides_of(first.quads)[0] < near
        others = first.chosen(far & ~duplicates(first.quads, self._likely(found).quads))
        return found.joined(of_another_size(others))

    def _with_closer(self, image: NDArray[np.uint8], found: Detections, scale: float) -> Detections:
        """Finds at that scale with what a closer search says of them and of others.

        Tiles too near the camera for that, and those too far off at first, it sees alone.
        """
        closer = self._search(image, scale * _CLOSER)
        near = sides_of(found.quads)[0] * scale * _CLOSER > _GOOD_WIDTHS[1]
        far = sides_of(closer.quads)[0] * scale < _GOOD_WIDTHS[0]
        every = seen_twice(found.chosen(~near), closer.chosen(~far))
        every = every.joined(found.chosen(near)).joined(closer.chosen(far))
        return _distinct(every.chosen(every.scores >= _LEAST))

    def _likely(self, found: Detections) -> Detections:
        return found.chosen(found.scores >= self._threshold)

    def _search(self, image: NDArray[np.uint8], scale: float) -> Detections:
        height, width = (max(1, round(side * scale)) for side in image.shape[:2])
        small = _resized(image, width, height)
        below, beside = -height % _MULTIPLE, -width % _MULTIPLE
        padded = cv2.copyMakeBorder(small, 0, below, 0, beside, cv2.BORDER_REPLICATE)
        heat, sector, corners = self._model.run(padded[np.newaxis])
        found = decode(
            heat[0].astype(np.float32),
            sector[0].astype(np.float32),
            corners[0].astype(np.float32),
            _LEAST,
            self._stride,
        )
        ratio = np.array([image.shape[1] / width, image.shape[0] / height], np.float32)
        middles = found.quads.mean(axis=1)
        shown = (middles[:, 0] < width) & (middles[:, 1] < height)
        return Detections((found.quads * ratio)[shown], found.scores[shown], found.down[shown])


def _any_doubtful(found: Detections) -> bool:
    """Whether something may be a tile or not."""
    return bool(((found.scores >= _DOUBTFUL) & (found.scores < CLEAR)).any())


def _with_surer(
    found: Detections, others: Detections, suited: NDArray[np.bool_], known: Detections
) -> Detections:
    """Finds with surer ones of another search that suited it (n,), elsewhere than the known."""
    elsewhere = ~duplicates(others.quads, known.quads)
    chosen = suited & elsewhere & (others.scores >= ANOTHER_SIZE)
    return _distinct(found.joined(others.chosen(chosen)))


def _seen_better(again: Detections, before: Detections) -> bool:
    """Whether finds are clearly surer than those before, and hardly fewer."""
    if len(again) < 0.9 * len(before):
        return False
    return bool(again.scores.mean() > before.scores.mean() + _SURER)


def _holds(large: Detections, small: Detections) -> bool:
    """Whether the surest of finds is a clear tile and all that is clear of the others lies on some.

    The surest of the others must be less sure.
    """
    tiles = large.quads[large.scores >= CLEAR]
    if not len(tiles) or large.scores.max() <= small.scores.max(initial=0.0):
        return False
    middles = small.quads[small.scores >= CLEAR].mean(axis=1).astype(float)
    return all(any(holds(tile, middle) for tile in tiles) for middle in middles)


def _widening(image: NDArray[np.uint8]) -> float:
    """How much longer than usual the searched picture may be: a strip has few pixels otherwise."""
    aspect = max(image.shape[:2]) / min(image.shape[:2])
    return float(np.sqrt(max(1.0, aspect / _USUAL_ASPECT)))


def _resized(image: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """The picture at another size; halved as often as possible first.

    What then is left, less than a half, is a tenth as dear by interpolation as by areas, and shows
    as much.
    """
    while image.shape[1] >= 2 * width and image.shape[0] >= 2 * height:
        image = half_of(image)
    return np.asarray(cv2.resize(image, (width, height)), np.uint8)


def decode(
    heat: Floats, sector: Floats, corners: Floats, threshold: float, stride: int
) -> Detections:
    """Tiles in pixels of the searched picture.

    Args:
        heat: (2, h, w) scores of face and back, 0 where a cell is no local maximum.
        sector: (k, h, w) logits of the half-turn sectors.
        corners: (k, 8, h, w) corner offsets in cells.
        threshold: least score of a tile.
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
    return _distinct(Detections(quads[sound], np.clip(best[ys, xs], 0, 1)[sound], down[sound]))


def _distinct(found: Detections) -> Detections:
    """The finds of tiles that no surer one is of."""
    shorter, middles = sides_of(found.quads)[0], found.quads.mean(axis=1)
    kept: list[int] = []
    for index in np.argsort(-found.scores, kind="stable").tolist():
        away = np.linalg.norm(middles[kept] - middles[index], axis=1)
        if not np.any(away < SAME * np.minimum(shorter[kept], shorter[index])):
            kept.append(index)
    return found.chosen(np.isin(np.arange(len(found)), kept))
