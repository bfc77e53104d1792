"""What a tile says in a corner, a digit or a letter, settles what its picture leaves open.

Designers draw any picture for a suit, and number its tiles in a corner; they write N for a wind and
NORTH beneath it. The classifier, which goes by the picture, is then unsure, and the reader of small
print is asked what such a tile says. Where it gives the index i the probability r_i, and learnt
from crops of which the share p_i said i, the probability of a label becomes proportional to itself
times ::

    sum over i of r_i / p_i * P(i | label)

P(i | label) takes the share of tile sets with indices from the photo itself: it is the mean
probability that a tile of it says something. A set without indices changes nothing.

Where so many tiles are doubtful that the set must be strange, all of them are read, numbered tiles
that look alike get one suit (:mod:`vision.classify.families`), and nothing is certain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, BONUS_TILES, HONOURS, READING_LABELS, SUIT_TILES
from vision.classify.crop_reader import CropReader
from vision.classify.families import suits_of_families
from vision.classify.views import Views
from vision.geometry.crops import rectify
from vision.geometry.quads import rolled
from vision.vocabulary.labels import INDICES, column

Floats = NDArray[np.float32]
Chances = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Asked:
    """The tiles of which the index is read.

    Attributes:
        sure: probability of a label from which a tile is not doubtful.
        valid: minimum probability that there is a tile.
        strange: share of doubtful tiles from which the set is strange.
        most: maximum number of tiles of a photo.
    """

    sure: float = 0.9
    valid: float = 0.3
    strange: float = 0.4
    most: int = 64


ASKED: Final = Asked()
_NOTHING: Final = INDICES.index("")
_SHARES: Final = np.where(np.arange(len(INDICES)) == _NOTHING, 0.5, 0.5 / (len(INDICES) - 1))
"""Share of the crops that said each index where the reader learnt."""
_OWN: Final = 0.95
"""Probability that a tile of an indexed set says its own index."""
_MARKED: Final = 0.5
"""The same of flowers and seasons, whose number may be a Chinese one or a word."""
_LEAST: Final = 1e-3
"""Lowest probability of an index given a label: nothing is impossible to misread."""
_UPRIGHT: Final = 0.5
"""Weight of the log-odds that a view says something for its being the right way up."""
_NUMBERS: Final = [INDICES.index(digit) for digit in "123456789"]
"""Places of the numbers among the indices."""
_SUITS: Final = [[column(f"{digit}{suit}") for digit in "123456789"] for suit in "mps"]
"""Columns of the labels of each suit, by number."""
_CLEARLY: Final = 0.5
"""Least probability that a tile of a strange set says a number for it to be one of a suit."""
_CERTAIN: Final = 0.95
"""Largest probability of a label in a strange set."""
_FEW: Final = 4
"""Least number of doubtful tiles of a strange set."""
_SHARES_SEEN: Final = (0.02, 0.98)
"""Range to which the share of tiles with an index is limited."""


def with_indices(views: Views, image: NDArray[np.uint8], reader: CropReader) -> Views:
    """The views, those of doubtful tiles with probabilities and way up by what they say.

    Args:
        views: m views of n tiles.
        image: (h, w, 3) uint8 BGR, in which their quads lie.
        reader: reads the indices.
    """
    chosen, strange = _asked(views)
    if not len(chosen):
        return views
    quads = rolled(views.quads[views.owners[chosen]], views.turns[chosen])
    indices = reader.read(rectify(image, quads, reader.size)).astype(np.float64)
    said = 1 - indices[:, _NOTHING]
    tiles = views.owners[chosen]
    each = np.zeros(views.count)
    np.maximum.at(each, tiles, said)
    share = float(np.clip(each[np.unique(tiles)].mean(), *_SHARES_SEEN))
    probabilities, upright = views.probabilities.copy(), views.upright.copy()
    probabilities[chosen] = read_with(probabilities[chosen], indices, share)
    upright[chosen] += _UPRIGHT * share * np.log((said + 0.05) / (1.05 - said))
    found = replace(views, probabilities=probabilities, upright=upright)
    return _of_a_strange_set(found, views.probabilities, chosen, indices) if strange else found


def _of_a_strange_set(views: Views, alone: Floats, chosen: Ints, indices: Chances) -> Views:
    """The views with one suit for numbered tiles that look alike, and none of them certain.

    Args:
        views: m views, after their indices were read.
        alone: (m, 45) probabilities by the picture alone.
        chosen: (k,) the views that were read.
        indices: (k, 17) what they say.
    """
    probabilities = views.probabilities.copy()
    read = np.isin(chosen, views.pick(views.credence()))
    numbers = indices[:, _NUMBERS]
    numbered = read & (numbers.sum(axis=1) > _CLEARLY)
    at = chosen[numbered]
    if len(at):
        suits = np.stack([alone[at][:, columns].sum(axis=1) for columns in _SUITS], axis=1)
        suits = suits_of_families(views.crops[at], views.embeddings[at], suits)
        kept = 1 - numbers[numbered].sum(axis=1, keepdims=True)
        probabilities[at] *= kept
        for suit, columns in enumerate(_SUITS):
            probabilities[np.ix_(at, columns)] += numbers[numbered] * suits[:, [suit]]
    mixed = _CERTAIN * probabilities[chosen] + (1 - _CERTAIN) / probabilities.shape[1]
    probabilities[chosen] = mixed
    return replace(views, probabilities=probabilities)


def read_with(probabilities: Floats, indices: Chances, share: float) -> Floats:
    """The probabilities (n, 45) of labels after the probabilities (n, 17) of indices are seen.

    Args:
        probabilities: each row sums to 1.
        indices: likewise.
        share: share of the tiles with an index among those of the tile set.
    """
    likely = (indices / _SHARES) @ (share * _INDEXED + (1 - share) * _PLAIN)
    changed = probabilities * likely
    changed /= changed.sum(axis=1, keepdims=True)
    return np.asarray(changed, np.float32)


def _asked(views: Views) -> tuple[Ints, bool]:
    """Which views are read, and whether the set is strange.

    They are those along the long axis, both ways up, of doubtful tiles; in a strange set of all.
    """
    picked = views.pick(views.credence())
    best = views.probabilities[picked]
    tiles = (views.valid[picked] >= ASKED.valid) & (best[:, column(BACK)] < 0.5)
    doubtful = tiles & (best.max(axis=1) < ASKED.sure)
    strange = bool(doubtful.sum() >= max(_FEW, ASKED.strange * tiles.sum()))
    wanted = np.flatnonzero(tiles if strange else doubtful)
    wanted = wanted[np.argsort(best.max(axis=1)[wanted], kind="stable")][: ASKED.most]
    ways = views.turns % 2 == views.turns[picked][views.owners] % 2
    return np.flatnonzero(ways & np.isin(views.owners, wanted)), strange


def _shown(label: str) -> str:
    """The index that a tile bears in an indexed set."""
    if label in HONOURS:
        return "ESWNPFC"[HONOURS.index(label)]
    return label[0] if label in (*SUIT_TILES, *BONUS_TILES) else ""


def _chances(*, indexed: bool) -> Chances:
    """P(index | label), (17, 45), of tile sets with or without indices."""
    chances = np.full((len(INDICES), len(READING_LABELS)), _LEAST)
    for place, label in enumerate(READING_LABELS):
        own = _shown(label) if indexed else ""
        share = _MARKED if label in BONUS_TILES else _OWN
        chances[INDICES.index(own), place] += share
        chances[_NOTHING, place] += (1 - share) if own else 0.0
    shares: Chances = chances / chances.sum(axis=0)
    return shares


_INDEXED: Final = _chances(indexed=True)
_PLAIN: Final = _chances(indexed=False)
