"""Which keys of the keyboard of tiles are greyed: those of which the set has no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from vision.vocabulary.copies import copies_of_each
from webapp.deal.edits import EditError, meld_labels
from webapp.deal.state import DealState
from webapp.language.words import KEYBOARD


def spent_keys(
    state: DealState, mode: str, copies: Mapping[str, int], but: str = ""
) -> frozenset[str]:
    """The labels of the keys for which too few tiles are left, no matter who has the others.

    Args:
        state: the deal.
        mode: what a tap adds: ``tile`` or a kind of meld.
        copies: number of tiles of each face of which the tile set has an unusual number.
        but: the label of a tile that is to become another, and so is not counted; empty for none.
    """
    laid = Counter(
        tile.label for player in state.players if player.claimed is None for tile in player.tiles
    )
    laid[but] -= 1
    left = Counter(copies_of_each(copies))
    left.subtract(laid)
    labels = (label for _, row in KEYBOARD for label in row)
    return frozenset(label for label in labels if not _fits(mode, label, left))


def _fits(mode: str, label: str, left: Counter[str]) -> bool:
    """Whether what a tap adds can still be taken from the tiles that are left."""
    if mode == "tile":
        return left[label] > 0
    try:
        needed = Counter(meld_labels(mode, label))
    except EditError:
        return False
    return all(left[face] >= count for face, count in needed.items())
