"""The loss of the tile corners that a network regresses from crops or detections."""

from __future__ import annotations

from typing import Final

from torch import Tensor
from torch.nn import functional

_WEIGHT: Final = 10
"""Weight of the corner loss relative to the cross-entropies that it is added to."""
_NEAR: Final = 0.03
"""Error, in widths and heights of the crop, below which the loss is quadratic."""


def corner_loss(predicted: Tensor, truth: Tensor, tiles: Tensor, within: float) -> Tensor:
    """The mean error of the corners of tiles, to be added to other losses.

    Args:
        predicted: (n, 4, 2) float32 offsets from the network, in widths and heights of the crop.
        truth: (n, 4, 2) float32 true offsets in the same units.
        tiles: (n,) bool, the crops that show a tile; the others do not count.
        within: crops with a true offset of this much or more do not count.
    """
    near = tiles & (truth.abs().amax(dim=(1, 2)) < within)
    return _WEIGHT * functional.smooth_l1_loss(predicted[near], truth[near], beta=_NEAR)
