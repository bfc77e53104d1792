"""What the place of a tile says about its label: in hand, in a meld, or laid as a bonus tile.

Tiles in hand lie face up. Plain tiles of a meld that is complete only with backs lie face down.
A tile that lies by itself beside the melds of a complete hand is most probably a flower or a
season, whose pictures differ from set to set, so that a blurred one may resemble anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BACK, BLANK, BONUS_TILES, PLAIN_FACES, READING_LABELS
from vision.vocabulary.labels import BONUS_COLUMNS, column
from vision.vocabulary.melds import find_meld
from vision.vocabulary.readings import Part

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FaceOdds:
    """How the place of a tile changes the odds that it lies face down, as factors.

    Attributes:
        up_in_hand: how many times as likely a tile in a hand that is shown lies face up.
        down_in_meld: how many times as likely each plain tile shows no print where the tiles are a
            meld only if it lies face down; one without print is then a back.
    """

    up_in_hand: float = 50.0
    down_in_meld: float = 1000.0


FACE_ODDS: Final = FaceOdds()

_MOST_OF_ANOTHER_LABEL: Final = 0.99
"""Maximum probability of any other label of a tile that lies as a flower or season, as a share of
the probability of its likeliest flower or season."""


class BonusGuess(NamedTuple):
    """What n tiles are, provided that they are flowers or seasons.

    Attributes:
        labels: the likeliest flower or season for each tile.
        chances: (n,) float64 in 0..1, the probability that each tile is any flower or season,
            judged by its picture alone.
    """

    labels: Sequence[str]
    chances: Doubles


def bonus_guess(probabilities: Doubles) -> BonusGuess:
    """The likeliest flower or season for each of n tiles.

    Args:
        probabilities: (n, 45), each row summing to 1; the columns are
            :data:`scorer.tiles.READING_LABELS`.
    """
    bonus = probabilities[:, BONUS_COLUMNS]
    return BonusGuess([BONUS_TILES[best] for best in bonus.argmax(axis=1)], bonus.sum(axis=1))


def with_laid_bonus(probabilities: Doubles, laid: Mapping[int, float]) -> Doubles:
    """The probabilities (n, 45) once the tiles that lie as bonus tiles are read as such.

    Args:
        probabilities: (n, 45), each row summing to 1.
        laid: the index of each tile that lies as a flower or season, with the probability that it
            is one by its place. Tiles whose likeliest label is one already stay as they are.
    """
    changed = probabilities.copy()
    for index, chance in laid.items():
        if probabilities[index].argmax() not in BONUS_COLUMNS:
            changed[index] = _as_bonus(probabilities[index], chance)
    return changed


def _as_bonus(probabilities: Doubles, chance: float) -> Doubles:
    """The probabilities (45,) with ``chance`` shared among flowers and seasons, one of them first.

    The largest is always that of a flower or season.
    """
    bonus = np.isin(np.arange(len(probabilities)), BONUS_COLUMNS)
    shares = np.where(bonus, chance, 1 - chance) * probabilities
    shares[bonus] /= probabilities[bonus].sum()
    shares[~bonus] /= probabilities[~bonus].sum()
    most = _MOST_OF_ANOTHER_LABEL * shares[bonus].max()
    shares[~bonus] = np.minimum(shares[~bonus], most)
    normalised: Doubles = shares / shares.sum()
    return normalised


def with_faces_up(probabilities: Doubles, hand: Sequence[int]) -> Doubles:
    """The probabilities (n, 45) once it is known which tiles lie in a hand.

    A tile that is almost certainly a back keeps that label.

    Args:
        probabilities: (n, 45), each row summing to 1.
        hand: indices of the tiles in hand.
    """
    return _with_back_odds(probabilities, hand, 1 / FACE_ODDS.up_in_hand)


def with_faces_down(probabilities: Doubles, parts: Sequence[Part]) -> Doubles:
    """The probabilities (n, 45) once it is known which tiles were laid apart together.

    Where tiles laid apart make no meld, but would if the plain ones among them lay face down, these
    are read as backs unless they almost certainly show the print of white dragons.

    Args:
        probabilities: (n, 45), each row summing to 1.
        parts: the parts of all hands.
    """
    plain: list[int] = []
    for part in parts:
        if part.role != "set":
            continue
        labels = [READING_LABELS[probabilities[index].argmax()] for index in part.tiles]
        down = [BACK if label in PLAIN_FACES else label for label in labels]
        if find_meld(labels) is None and find_meld(down) is not None:
            plain += [part.tiles[k] for k, label in enumerate(labels) if label in PLAIN_FACES]
    return _with_back_odds(_unprinted(probabilities, plain), plain, FACE_ODDS.down_in_meld)


def _unprinted(probabilities: Doubles, chosen: Sequence[int]) -> Doubles:
    """The probabilities (n, 45) with blanks among the chosen tiles counted as backs."""
    changed = probabilities.copy()
    changed[list(chosen), column(BACK)] += probabilities[list(chosen), column(BLANK)]
    changed[list(chosen), column(BLANK)] = 0.0
    return changed


def _with_back_odds(probabilities: Doubles, chosen: Sequence[int], factor: float) -> Doubles:
    """The probabilities (n, 45) with the chosen tiles ``factor`` times as likely to be backs."""
    changed = probabilities.copy()
    changed[list(chosen), column(BACK)] *= factor
    normalised: Doubles = changed / changed.sum(axis=1, keepdims=True)
    return normalised
