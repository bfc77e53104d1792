"""Whether finds are tiles: by what is said of each, and by how it suits those beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.evidence.back_rows import in_rows
from vision.evidence.colour import Papers
from vision.geometry.proportions import shape_difference
from vision.runtime.weights import Weights
from vision.vocabulary.labels import BONUS_COLUMNS, chance_of_print, column
from vision.vocabulary.odds import log_odds

Doubles = NDArray[np.float64]
Reals = NDArray[np.floating]
Quads = NDArray[np.float32]

_SURE: Final = 0.9
"""Chance from which a find is taken for a tile that others are held against, or is read surely."""
_MOST_FORM_READ: Final = 0.5
"""However unlike the others in form a print is that is read surely, it counts no more: a row that
stands on a rack near the camera is far larger than the sets that lie beyond. On rendered hands and
tables of held-out designs three tiles more are told so, 14065, and nothing more that is none."""
_MOST_COLOUR_READ: Final = 1.5
"""However unlike theirs the colour of a face is that is read surely, it counts no more, in tens of
CIELAB: a white dragon may be all frame. Three tiles more are told so there and one that is none."""
_LEGIBLE: Final = 0.6
"""Chance of its likeliest label from which a print counts as legible, as a tile's mostly is. With
this clue three fewer of 21229 tiles are told so on such scenes and 12 fewer of 121 finds that are
none, on changed table photos one fewer of 1535 and four fewer of 15."""
_SURELY_READ: Final = (2.0, 5.0)
"""Log-odds of how surely a print is read from which that speaks for it, and up to which: what lies
about looks faintly like some print. Birds are left out, which ornaments look like."""
_MOST_COLOUR: Final = 25.0
_ALIKE: Final = 0.18
"""Share of the tiles that surely show print to which a face's colour may be alike by chance: the
keys of a keyboard are, one to another."""
_UNKNOWN: Final = 6.0
"""Distance taken at most where the set's backs may be of any colour."""
_ELSEWHERE: Final = 0.005
"""Share of the table whose having a back's colour is no more than chance."""
_SPREAD: Final = 4
"""Which clue tells that share."""

LEAST: Final = -0.32
"""Log-odds from which a find is told as a tile, a chance of 42 %: one tap takes away what is none,
while a tile that is missing takes several."""


@dataclass(frozen=True, slots=True)
class TileWeights(Weights):
    """How much each of :func:`terms` counts for a detection being a tile, as log-odds.

    Attributes:
        score: weight of the log-odds of a tile by detector and verifier.
        accepted: added where the classifier accepts the detection as a tile.
        shape: weight of how unlike the certain tiles nearby its shape is.
        colour: weight of the distance of its colour from theirs, in tens of CIELAB.
        elsewhere: weight of how much of the table has the colour of what looks like a back.
        illegible: weight of how much less certainly a print is read than a legible one.
        flower: weight of how certainly a flower or season is read.
        print: weight of how certainly any other print but the one bamboo is read.
        back: added for a back where another tile looks like one, or two beside it do.
        back_elsewhere: weight of how much of the table has the colour of such a back.
        constant: added always.
    """

    table: ClassVar = "tile"

    score: float
    accepted: float
    shape: float
    colour: float
    elsewhere: float
    illegible: float
    flower: float
    print: float
    back: float
    back_elsewhere: float
    constant: float


def belonging(told: Doubles) -> Doubles:
    """Log-odds (n,) that finds are tiles of the set on the table, of :func:`clues` (n, 10)."""
    odds: Doubles = terms(told) @ TileWeights.shipped().vector()
    return odds


def terms(told: Doubles) -> Doubles:
    """What the weights are multiplied with, (n, 11), of :func:`clues` (n, 10).

    These are all clues but the last two; whether it looks like a back, and another that does is
    rather a tile by them or two that do lie beside it; then once more how much of the table has its
    colour; and 1.
    """
    own, down, rowed = told[:, :-2], told[:, -2] > 0, told[:, -1] > 0
    weights = TileWeights.shipped().vector()
    alone = own @ weights[: own.shape[1]] + weights[-1]
    tiles = down & (alone > 0)
    vouched = rowed | (down & (np.count_nonzero(tiles) > tiles))
    return np.column_stack([own, vouched, vouched * own[:, _SPREAD], np.ones(len(own))])


def clues(
    papers: Papers,
    upright: Quads,
    scores: Reals,
    probabilities: Doubles,
    taken: Reals,
    read: Reals,
) -> Doubles:
    """What speaks for and against each find being a tile.

    Args:
        papers: of the n finds, at their corners as found.
        upright: (n, 4, 2) the same corners as each find is read, clockwise from its top-left.
        scores: (n,) chance 0..1 of being a tile, by detector and verifier.
        probabilities: (n, 45), each row summing to 1.
        taken: (n,) 1 where the classifier takes a find for a tile, else 0.
        read: (n,) from 0 to 1, how surely the finds are read, with or without what is known of the
            set: in shade a face may be unlike its set's and be read surely all the same.

    Returns:
        (n, 10): log-odds of the score; whether the classifier takes it for a tile; how unlike the
        sure tiles near it its form is; distance of its colour from that of sure tiles, in tens of
        CIELAB; how much of the table has the colour of what looks like a back, as the logarithm of
        a share; how much less surely a print is read than what is legible, 0 for what is; how much
        more surely a flower or season, and any other print but a bird, is read than such as are
        none; whether it looks like a back; and whether it does so in a row of such. The form of
        what is read surely is that of its corners as found or as read, whichever is the more like:
        a face seen from low down may be found lying on its side. A face's colour is held against
        those that show print, all but a few of them, any other against the most alike, but none of
        what looks like a back is far where no other back is sure. Form and colour are 0 where no
        other tile is sure.
    """
    sure = np.nonzero(scores >= _SURE)[0]
    down, printed = probabilities[:, column(BACK)] > 0.5, chance_of_print(probabilities) > 0.5
    colour, spread = np.zeros(len(scores)), np.zeros(len(scores))
    for index in range(len(scores)):
        colour[index] = _unlike(papers, sure, down, printed, index) / 10
        if down[index]:
            spread[index] = np.log1p(papers.elsewhere(index) / _ELSEWHERE)
    as_read = shape_difference(upright, sure)
    form = shape_difference(papers.quads, sure)
    surely = read >= _SURE
    form = np.where(surely, np.minimum(form, as_read), form)
    form = np.where(surely & printed, np.minimum(form, _MOST_FORM_READ), form)
    colour = np.where(surely & ~down, np.minimum(colour, _MOST_COLOUR_READ), colour)
    illegible = printed * np.maximum(_LEGIBLE - read, 0)
    surer = np.clip(log_odds(read), *_SURELY_READ) - _SURELY_READ[0]
    shown = probabilities.argmax(axis=1)
    flower = np.isin(shown, BONUS_COLUMNS)
    other = printed & ~flower & (shown != column("1s"))
    every = (log_odds(scores), taken, form, colour, spread, illegible)
    rowed = in_rows(papers.quads, down)
    return np.column_stack([*every, flower * surer, other * surer, down, rowed])


def _unlike(
    papers: Papers,
    sure: NDArray[np.intp],
    down: NDArray[np.bool_],
    printed: NDArray[np.bool_],
    index: int,
) -> float:
    """CIELAB distance of a find's colour from that of the tiles that are ``sure``."""
    others = sure[sure != index]
    most, share = _MOST_COLOUR, 0.0
    if down[index]:
        most = most if down[others].any() else _UNKNOWN
    elif printed[others].any():
        others, share = others[printed[others]], _ALIKE
    return papers.unlike(others, index, most, share) or 0.0
