"""Which colours of tiles the table has, too."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.evidence.plastic import CLOTH, GREEN, IVORY, coloured_table
from tests.vision.table import lay
from vision.evidence.colour import FaceColours
from vision.geometry.crops import rectify

QUADS = lay("1235p").quads
PAINTS = [IVORY, GREEN, CLOTH, IVORY]


@pytest.mark.parametrize("enlarged", [1, 4])
def test_the_table_has_its_own_colour_and_not_that_of_the_tiles(enlarged: int) -> None:
    image = coloured_table(QUADS, PAINTS, [None] * 4)
    image = np.repeat(np.repeat(image, enlarged, axis=0), enlarged, axis=1)
    quads = QUADS * np.float32(enlarged)
    colours = FaceColours(image, rectify(image, quads, (96, 72)), quads)
    shares = [colours.share_of_table(index) for index in range(4)]
    assert shares == pytest.approx([0, 0, 1, 0], abs=0.01)


def test_a_picture_full_of_tiles_tells_nothing_of_the_table() -> None:
    image = np.full((120, 90, 3), GREEN, np.uint8)
    quads = np.array([[[5, 5], [85, 5], [85, 115], [5, 115]]], np.float32)
    assert FaceColours(image, rectify(image, quads, (96, 72)), quads).share_of_table(0) == 0
