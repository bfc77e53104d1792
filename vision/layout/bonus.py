"""Flowers and seasons that are known by where they lie rather than by what they show.

Their pictures differ from set to set, so that a blurred one may look like anything. But a tile that
lies by itself beside the sets of a whole hand is hardly anything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES, READING_LABELS

Doubles = NDArray[np.float64]

BONUS_COLUMNS: Final = np.array([READING_LABELS.index(label) for label in BONUS_TILES])
"""Places of the flowers and seasons in :data:`scorer.tiles.READING_LABELS`."""
_BELOW: Final = 0.99
"""Of the likeliest bonus tile's chance is the most that another label of such a tile keeps."""


class BonusGuess(NamedTuple):
    """What n tiles are if they are flowers or seasons.

    Attributes:
        labels: the likeliest of them for each tile.
        chances: (n,) how likely each is any of them, by what it shows alone.
    """

    labels: Sequence[str]
    chances: Doubles


def bonus_guess(probabilities: Doubles) -> BonusGuess:
    """The guess for n tiles that show what (n, 45) says."""
    bonus = probabilities[:, BONUS_COLUMNS]
    return BonusGuess([BONUS_TILES[best] for best in bonus.argmax(axis=1)], bonus.sum(axis=1))


def with_laid_bonus(probabilities: Doubles, laid: Mapping[int, float]) -> Doubles:
    """What n tiles show, (n, 45), once those that lie as bonus tiles are read as such.

    Args:
        probabilities: each row sums to 1.
        laid: how likely tiles are flowers or seasons by where they lie. Those that are by what they
            show stay as they are.
    """
    changed = probabilities.copy()
    for index, chance in laid.items():
        if probabilities[index].argmax() not in BONUS_COLUMNS:
            changed[index] = _taken_for_bonus(probabilities[index], chance)
    return changed


def _taken_for_bonus(probabilities: Doubles, chance: float) -> Doubles:
    """The same (45,) where a flower or season is as likely as ``chance`` and likelier than else."""
    bonus = np.isin(np.arange(len(probabilities)), BONUS_COLUMNS)
    shares = np.where(bonus, chance, 1 - chance) * probabilities
    shares[bonus] /= probabilities[bonus].sum()
    shares[~bonus] /= probabilities[~bonus].sum()
    shares[~bonus] = np.minimum(shares[~bonus], _BELOW * shares[bonus].max())
    taken: Doubles = shares / shares.sum()
    return taken
