"""How far off the corners are that a network tells of crops or finds."""

from __future__ import annotations

from typing import Final

from torch import Tensor
from torch.nn import functional

_WEIGHT: Final = 10
"""Of this loss beside cross-entropies."""
_NEAR: Final = 0.03
"""Below this an error counts by its square."""


def corner_loss(told: Tensor, truth: Tensor, tiles: Tensor, within: float) -> Tensor:
    """The mean error of the corners of tiles, to be added to other losses.

    Args:
        told: (n, 4, 2) float32, as the network says, in widths and heights of what it looks at.
        truth: (n, 4, 2) float32, likewise.
        tiles: (n,) bool, what corners are learnt from.
        within: farther off than this, no true corner is learnt from.
    """
    near = tiles & (truth.abs().amax(dim=(1, 2)) < within)
    return _WEIGHT * functional.smooth_l1_loss(told[near], truth[near], beta=_NEAR)
