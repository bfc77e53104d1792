"""Detects the tiles of a photo by up to four searches, each for tiles that the others miss.

The network sees tiles best that are some 60 pixels wide in the searched picture, and nobody knows
beforehand how wide they are in a photo. So a photo is searched:

1. at the usual size, by which a :class:`PhotoSearch` begins;
2. much smaller, where few tiles are clear: prints on huge tiles look like small tiles
   (:meth:`PhotoSearch.smaller_for_huge_tiles`);
3. at the size that suits the tiles, where they turn out small or large
   (:meth:`PhotoSearch.at_suited_size`); else a little smaller, where the scores are low: blur and
   noise show less (:meth:`PhotoSearch.smaller_for_blurred_tiles`), and
4. larger, where many tiles are doubtful and the photo has the pixels for it
   (:meth:`PhotoSearch.closer_for_doubtful_tiles`).

At last the verifier looks at the surest detections that have the size of a tile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detect.network import LEAST_SCORE, TileNetwork, without_duplicates
from vision.detect.sizes import ANOTHER_SIZE, CLEAR, of_tile_size, typical_width
from vision.detect.two_scales import seen_twice
from vision.detect.verifier import FAINT, OnnxVerifier, Verifier
from vision.geometry.overlap import duplicates
from vision.geometry.quads import holds, inside, sides_of
from vision.runtime.session import Model, load_model
from vision.vocabulary.detections import Detections
from vision.vocabulary.odds import likeliest

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]

SEARCHED: Final = 1024
"""Long side in pixels at which a photo is searched first."""


@dataclass(frozen=True, slots=True)
class SearchSizes:
    """Sizes at which a photo is searched.

    Attributes:
        longest: maximum long side in pixels of a searched picture.
        enlargement: maximum size of a searched picture over the size of the photo.
        usual_aspect: length over width from which a photo is a strip. The searched picture of a
            strip is longer, or it would have few pixels.
    """

    longest: int = 2048
    enlargement: float = 3.0
    usual_aspect: float = 2.0


SIZES: Final = SearchSizes()


@dataclass(frozen=True, slots=True)
class GoodWidths:
    """Tile widths, in pixels of the searched picture, at which the network detects tiles well.

    Attributes:
        least: smallest good width.
        most: largest good width.
        aim: width for which a photo is searched again if its tiles are narrower or wider.
    """

    least: float = 36.0
    most: float = 120.0
    aim: float = 60.0


GOOD_WIDTHS: Final = GoodWidths()


@dataclass(frozen=True, slots=True)
class HugeTilesSearch:
    """The search for tiles so near to the camera that their prints look like tiles.

    Attributes:
        clear_tiles: number of clear tiles below which it is made.
        side: long side in pixels at which it is made.
    """

    clear_tiles: int = 6
    side: int = 192


HUGE_TILES: Final = HugeTilesSearch()


@dataclass(frozen=True, slots=True)
class BlurredSearch:
    """The search of a photo whose tiles have a good width but low scores.

    Attributes:
        below: mean score of the likely tiles below which it is made.
        aim: tile width in pixels at which it is made.
        least_change: relative change of scale up to which it is not worth making.
        gain: minimum rise of the mean score for its detections to replace those before.
        kept: minimum number of its likely tiles, as a share of those before.
    """

    below: float = 0.75
    aim: float = 45.0
    least_change: float = 0.1
    gain: float = 0.03
    kept: float = 0.9


BLURRED: Final = BlurredSearch()


@dataclass(frozen=True, slots=True)
class CloserSearch:
    """The search of a larger picture where many tiles are doubtful.

    Attributes:
        enlarged: size of its picture over that before; it is not made if this exceeds the size of
            the photo, which shows no more when enlarged.
        doubtful: minimum share of the likely tiles that are not clear.
        up_to: tile width in pixels, in the searched picture before, up to which it is made, so that
            the tiles keep a good width.
    """

    enlarged: float = 1.6
    doubtful: float = 0.25
    up_to: float = 75.0


CLOSER: Final = CloserSearch()


@dataclass(frozen=True, slots=True)
class Looks:
    """Which detections of a photo are looked at, and which of them later stages may confirm.

    Attributes:
        most: maximum number of detections that the verifier looks at, the surest ones.
        most_faint: maximum number of those for later stages to confirm that are less sure than the
            network's threshold.
    """

    most: int = 400
    most_faint: int = 64


LOOKS: Final = Looks()


class OnnxDetector:
    """The shipped detector of tiles.

    Args:
        model: the opened network.
        verifier: estimates of each detection how likely it is a tile.
        searched: long side in pixels at which a photo is searched first.
    """

    def __init__(self, model: Model, verifier: Verifier, searched: int = SEARCHED) -> None:
        self._model, self._network = model, TileNetwork(model)
        self._verifier, self._searched = verifier, searched

    @classmethod
    def load(cls, threads: int = 1) -> OnnxDetector:
        """Open the shipped models, which may use ``threads`` threads in one call.

        Raises:
            ModelError: one is missing, damaged, or lacks its description.
        """
        return cls(load_model("detector", threads=threads), OnnxVerifier.load(threads))

    def searching_at(self, searched: int) -> OnnxDetector:
        """A detector with the same models that searches photos first at another size."""
        return OnnxDetector(self._model, self._verifier, searched)

    def detect(self, image: Image, *, faint: bool = False) -> Detections:
        """The detections in ``image``, (h, w, 3) uint8 BGR.

        With ``faint`` also those with low scores that lie wholly inside the image, which later
        stages may confirm, and the last search is made.
        """
        search = PhotoSearch(self._network, image, self._searched)
        search.smaller_for_huge_tiles()
        if not len(search.likely):
            return search.likely
        if search.has_good_width():
            width = search.width
            search.smaller_for_blurred_tiles()
            if faint and width <= CLOSER.up_to:
                search.closer_for_doubtful_tiles()
        else:
            search.at_suited_size()
        return self._looked_at(image, of_tile_size(search.found), faint=faint)

    def at_a_glance(self, image: Image, side: int) -> Detections:
        """The likely tiles of one pass over ``image``, (h, w, 3) uint8 BGR, at that long side."""
        return PhotoSearch(self._network, image, side).likely

    def _looked_at(self, image: Image, found: Detections, *, faint: bool) -> Detections:
        """The detections that the verifier confirms, with corrected corners."""
        found = found.chosen(np.argsort(-found.scores, kind="stable")[: LOOKS.most])
        found = self._verifier.verified(image, found)
        chosen = found.scores >= self._network.threshold
        if faint:
            doubtful = ~chosen & (found.scores >= FAINT) & inside(found.quads, image.shape)
            chosen |= likeliest(found.scores, doubtful, LOOKS.most_faint)
        return without_duplicates(found.chosen(chosen))


class PhotoSearch:
    """The searches of one photo; the first is made at once, the others in the order below.

    Args:
        network: the detector network.
        image: (h, w, 3) uint8 BGR.
        side: long side in pixels of the first search, which suits a hand or a table.

    Attributes:
        found: the detections so far, in pixels of the photo.
        scale: size of the searched picture over that of the photo.
    """

    def __init__(self, network: TileNetwork, image: Image, side: int) -> None:
        self._network, self._image = network, image
        self._longest = max(image.shape[:2]) / _widening(image)
        self._most = min(SIZES.enlargement, SIZES.longest / self._longest)
        self.scale: float = min(side / self._longest, self._most)
        self.found = self._search(self.scale)

    def _search(self, scale: float) -> Detections:
        """One pass of the network over the photo at that scale."""
        return self._network.search(self._image, scale)

    @property
    def likely(self) -> Detections:
        """The detections so far that are likely tiles."""
        return self._network.likely(self.found)

    @property
    def width(self) -> float:
        """Typical width of the likely tiles in pixels of the searched picture."""
        return typical_width(self.likely) * self.scale

    def has_good_width(self) -> bool:
        """Whether the tiles are as wide as the network sees them best."""
        return GOOD_WIDTHS.least <= self.width <= GOOD_WIDTHS.most

    def smaller_for_huge_tiles(self) -> None:
        """Where few tiles are clear, search for tiles that fill the photo.

        Their prints look like small tiles. A search is better than those before if its surest
        detection is surer than all of them and its clear tiles hold all that was clear.
        """
        clear, scale = np.count_nonzero(self.found.scores >= CLEAR), HUGE_TILES.side / self._longest
        if clear >= HUGE_TILES.clear_tiles or scale >= self.scale:
            return
        smaller = self._search(scale)
        if _holds(smaller, self.found):
            self.found, self.scale = smaller, scale

    def at_suited_size(self) -> None:
        """Where the tiles are too narrow or too wide, search so that they have a good width.

        Tiles near the camera and others far off are seldom seen well at one size, so the tiles that
        had a good width before are kept. The search does not count if it loses half of the tiles.
        """
        before, width = self.likely, self.width
        again = self._search(min(self.scale * GOOD_WIDTHS.aim / width, self._most))
        if 2 * len(self._network.likely(again)) < len(before):
            return
        widths = sides_of(before.quads)[0] * self.scale
        too_wide = width > GOOD_WIDTHS.most
        suited = widths <= GOOD_WIDTHS.most if too_wide else widths >= GOOD_WIDTHS.least
        self.found = _with_surer(again, before, suited, self._network.likely(again))

    def smaller_for_blurred_tiles(self) -> None:
        """Where scores are low, search a smaller picture, which shows less blur and noise."""
        likely = self.likely
        change = BLURRED.aim / self.width
        if likely.scores.mean() < BLURRED.below and abs(change - 1) > BLURRED.least_change:
            again = self._search(min(self.scale * change, self._most))
            if _clearer(self._network.likely(again), likely):
                self.found = again

    def closer_for_doubtful_tiles(self) -> None:
        """Where many tiles are doubtful and the photo has the pixels, search a larger picture.

        The scores of both searches are combined. Tiles too near for the larger picture keep their
        scores, and so do those that were too far off before.
        """
        scale = self.scale * CLOSER.enlarged
        if scale > 1 or (self.likely.scores < CLEAR).mean() < CLOSER.doubtful:
            return
        closer = self._search(scale)
        widths = sides_of(self.found.quads)[0] * self.scale
        near = widths * CLOSER.enlarged > GOOD_WIDTHS.most
        far = sides_of(closer.quads)[0] * self.scale < GOOD_WIDTHS.least
        every = seen_twice(self.found.chosen(~near), closer.chosen(~far))
        every = every.joined(self.found.chosen(near)).joined(closer.chosen(far))
        self.found = without_duplicates(every.chosen(every.scores >= LEAST_SCORE))


def _with_surer(
    found: Detections, others: Detections, suited: NDArray[np.bool_], known: Detections
) -> Detections:
    """The detections, with sure ones of another search that show none of the ``known`` tiles.

    Args:
        found: the detections.
        others: those of the other search.
        suited: (n,) which of the others had a good width there.
        known: likely tiles.
    """
    elsewhere = ~duplicates(others.quads, known.quads)
    chosen = suited & elsewhere & (others.scores >= ANOTHER_SIZE)
    return without_duplicates(found.joined(others.chosen(chosen)))


def _clearer(again: Detections, before: Detections) -> bool:
    """Whether the mean score is clearly higher than before, with hardly fewer tiles."""
    if len(again) < BLURRED.kept * len(before):
        return False
    return bool(again.scores.mean() > before.scores.mean() + BLURRED.gain)


def _holds(large: Detections, small: Detections) -> bool:
    """Whether clear tiles hold the middles of all clear smaller detections, and one is surer."""
    tiles = large.quads[large.scores >= CLEAR]
    if not len(tiles) or large.scores.max() <= small.scores.max(initial=0.0):
        return False
    middles = small.quads[small.scores >= CLEAR].mean(axis=1).astype(float)
    return all(any(holds(tile, middle) for tile in tiles) for middle in middles)


def _widening(image: Image) -> float:
    """By how much the searched picture of a strip is longer than that of another photo."""
    aspect = max(image.shape[:2]) / min(image.shape[:2])
    return float(np.sqrt(max(1.0, aspect / SIZES.usual_aspect)))
