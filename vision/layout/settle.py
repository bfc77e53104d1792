"""How the tiles of a photo lie and what they are, settled together.

Labels say which tiles lie together, and where a tile lies says what it can be: tiles in hand lie
face up, plain tiles of a meld may lie face down, and some places are those of flowers and seasons.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.layout.arrange import Layout, laid
from vision.layout.by_place import with_faces_down, with_faces_up, with_laid_bonus

Doubles = NDArray[np.float64]


def _hands_face_up(layout: Layout, probabilities: Doubles) -> Doubles:
    return with_faces_up(probabilities, layout.in_hand)


def _backs_in_melds(layout: Layout, probabilities: Doubles) -> Doubles:
    return with_faces_down(probabilities, [part for hand in layout.hands for part in hand.parts])


_CORRECTIONS: Final[tuple[Callable[[Layout, Doubles], Doubles], ...]] = (
    _hands_face_up,
    _backs_in_melds,
)
"""What a layout says about labels, one after the other."""


def settled(quads: NDArray[np.float32], probabilities: Doubles) -> tuple[Layout, Doubles]:
    """How the tiles lie, and their probabilities (n, 45) corrected by it.

    The layout is made again where a correction changes a label.

    Args:
        quads: (n, 4, 2) face corners in pixels; corner 0 is the top-left as read upright.
        probabilities: (n, 45), each row summing to 1; the columns are
            :data:`scorer.tiles.READING_LABELS`.
    """
    layout = laid(quads, probabilities)
    for correct in _CORRECTIONS:
        before, probabilities = probabilities, correct(layout, probabilities)
        if (before.argmax(axis=1) != probabilities.argmax(axis=1)).any():
            layout = laid(quads, probabilities)
    return layout, with_laid_bonus(probabilities, layout.bonus)
