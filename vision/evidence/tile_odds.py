"""Whether detections are tiles: by what is known of each, and by how it suits those beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK
from vision.evidence.backs import backs_in_rows
from vision.evidence.colour import FaceColours
from vision.geometry.proportions import shape_difference
from vision.runtime.weights import Weights
from vision.vocabulary.labels import BONUS_COLUMNS, chance_of_print, column
from vision.vocabulary.odds import log_odds

Doubles = NDArray[np.float64]
Reals = NDArray[np.floating]
Quads = NDArray[np.float32]

LEAST: Final = -0.32
"""Minimum log-odds for a detection to be accepted as a tile, a probability of 42 %: one tap removes
a false positive, while a missed tile takes several."""


@dataclass(frozen=True, slots=True)
class ClueLimits:
    """Limits of the clues to whether a detection is a tile.

    Attributes:
        sure: minimum probability of a tile that others are compared with, and of a certain reading.
        shape_if_read: limit of the shape clue for a print that is read with certainty: a row on a
            rack near the camera is far larger than the melds that lie beyond.
        colour_if_read: limit of the colour clue, in tens of CIELAB, for a face that is read with
            certainty: a white dragon may be all frame.
        legible: minimum probability of its label for a print to count as legible.
        certain: log-odds of the label from which a reading counts for a tile, and from which it
            counts no more; things on a table look faintly like some print.
        distance: limit in CIELAB of the distance of a colour from those of certain tiles.
        distance_of_backs: the same for a back where no other back is certain, since the backs of
            the set may then have any colour.
        alike_by_chance: share of the certain prints, the most similar first, that a face's colour
            is not compared with: the keys of a keyboard are alike.
        of_table_by_chance: share of the table that has the colour of a back by chance.
    """

    sure: float = 0.9
    shape_if_read: float = 0.5
    colour_if_read: float = 1.5
    legible: float = 0.6
    certain: tuple[float, float] = (2.0, 5.0)
    distance: float = 25.0
    distance_of_backs: float = 6.0
    alike_by_chance: float = 0.18
    of_table_by_chance: float = 0.005


LIMITS: Final = ClueLimits()
_ELSEWHERE: Final = 4
"""Column of the clue that says how much of the table has the colour of a back."""


@dataclass(frozen=True, slots=True)
class TileWeights(Weights):
    """How much each of :func:`tile_terms` counts for a detection being a tile, as log-odds.

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


def tile_log_odds(clues: Doubles) -> Doubles:
    """Log-odds (n,) that detections are tiles of the set on the table.

    Args:
        clues: (n, 10) of :func:`tile_clues`.
    """
    odds: Doubles = tile_terms(clues) @ TileWeights.shipped().vector()
    return odds


def tile_terms(clues: Doubles) -> Doubles:
    """The terms (n, 11) that the weights of :class:`TileWeights` are multiplied with.

    These are all clues but the last two; 1 for what looks like a back if another one is accepted as
    a tile by these alone, or if it lies in a row of backs; for these, once more how much of the
    table has its colour; and 1.

    Args:
        clues: (n, 10) of :func:`tile_clues`.
    """
    own, down, in_row = clues[:, :-2], clues[:, -2] > 0, clues[:, -1] > 0
    weights = TileWeights.shipped().vector()
    alone = own @ weights[: own.shape[1]] + weights[-1]
    tiles = down & (alone > 0)
    confirmed = in_row | (down & (np.count_nonzero(tiles) > tiles))
    elsewhere = confirmed * own[:, _ELSEWHERE]
    return np.column_stack([own, confirmed, elsewhere, np.ones(len(own))])


def tile_clues(
    colours: FaceColours,
    upright: Quads,
    scores: Reals,
    probabilities: Doubles,
    accepted: Reals,
    read: Reals,
) -> Doubles:
    """The clues to whether each detection is a tile.

    Args:
        colours: of the n detections, at their corners as detected.
        upright: (n, 4, 2) the same corners as each is read, clockwise from its top-left, in pixels.
        scores: (n,) probability 0..1 of a tile, by detector and verifier.
        probabilities: (n, 45), each row summing to 1.
        accepted: (n,) 1 where the classifier accepts the detection as a tile, else 0.
        read: (n,) from 0 to 1, how certainly each is read, with or without a profile of the set: in
            shade a face may be unlike its set's and still be read with certainty.

    Returns:
        (n, 10), by column:

        0. log-odds of the score;
        1. whether the classifier accepts it;
        2. difference of its shape from that of the certain tiles nearby, 0 if there is none; for
           what is read with certainty the smaller one of its corners as detected and as read, since
           a face seen from low down may be detected lying on its side;
        3. distance of its colour from that of certain tiles, in tens of CIELAB, 0 if there is none:
           for a face those that show print, all but a few of them, else the most similar;
        4. for what looks like a back, how much of the table has its colour, as the logarithm of a
           share;
        5. by how much a print is read less certainly than a legible one;
        6. how certainly a flower or season is read, beyond what things on a table are;
        7. the same of any other print but the one bamboo, which ornaments look like;
        8. whether it looks like a back;
        9. whether it does so in a row of such.
    """
    sure = np.nonzero(scores >= LIMITS.sure)[0]
    down, printed = probabilities[:, column(BACK)] > 0.5, chance_of_print(probabilities) > 0.5
    colour, elsewhere = np.zeros(len(scores)), np.zeros(len(scores))
    for index in range(len(scores)):
        colour[index] = _colour_distance(colours, sure, down, printed, index) / 10
        if down[index]:
            share = colours.share_of_table(index)
            elsewhere[index] = np.log1p(share / LIMITS.of_table_by_chance)
    as_read = shape_difference(upright, sure)
    shape = shape_difference(colours.quads, sure)
    certain = read >= LIMITS.sure
    shape = np.where(certain, np.minimum(shape, as_read), shape)
    shape = np.where(certain & printed, np.minimum(shape, LIMITS.shape_if_read), shape)
    colour = np.where(certain & ~down, np.minimum(colour, LIMITS.colour_if_read), colour)
    illegible = printed * np.maximum(LIMITS.legible - read, 0)
    surer = np.clip(log_odds(read), *LIMITS.certain) - LIMITS.certain[0]
    shown = probabilities.argmax(axis=1)
    flower = np.isin(shown, BONUS_COLUMNS)
    other = printed & ~flower & (shown != column("1s"))
    every = (log_odds(scores), accepted, shape, colour, elsewhere, illegible)
    in_row = backs_in_rows(colours.quads, down)
    return np.column_stack([*every, flower * surer, other * surer, down, in_row])


def _colour_distance(
    colours: FaceColours,
    sure: NDArray[np.intp],
    down: NDArray[np.bool_],
    printed: NDArray[np.bool_],
    index: int,
) -> float:
    """CIELAB distance of a detection's colour from those of the other tiles that are ``sure``."""
    others = sure[sure != index]
    most, share = LIMITS.distance, 0.0
    if down[index]:
        most = most if down[others].any() else LIMITS.distance_of_backs
    elif printed[others].any():
        others, share = others[printed[others]], LIMITS.alike_by_chance
    return colours.distance(others, index, most, share) or 0.0
