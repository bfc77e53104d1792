"""The part of a photo with a player's tiles is shown level, whichever way the phone was held."""

from __future__ import annotations

import math

import pytest

from webapp.deal.state import Tile
from webapp.photos.pictures import level_part


def row(degrees: float) -> list[Tile]:
    """Five tiles side by side, 30 by 40 pixels, in a photo that is turned clockwise."""
    angle = math.radians(degrees)
    tiles = []
    for number in range(5):
        corners = [(0, 0), (30, 0), (30, 40), (0, 40)]
        quad = tuple(
            (
                500 + (x + 33 * number) * math.cos(angle) - y * math.sin(angle),
                400 + (x + 33 * number) * math.sin(angle) + y * math.cos(angle),
            )
            for x, y in corners
        )
        tiles.append(Tile(f"t{number}", "1m", quad=quad))
    return tiles


@pytest.mark.parametrize("degrees", [0, 17, 90, 180, -90, 133])
def test_tiles_stand_upright_and_fill_the_part(degrees: float) -> None:
    part = level_part(row(degrees), 0.5)
    assert part is not None
    assert math.isclose((part.angle + degrees) % 360, 0, abs_tol=1e-6) or math.isclose(
        (part.angle + degrees) % 360, 360, abs_tol=1e-6
    )
    left, top, width, height = part.box
    assert (width, height) == pytest.approx((4 * 33 + 30 + 40, 40 + 40))
    assert part.middle == pytest.approx((left + width / 2, top + height / 2))
    assert part.transform.startswith("rotate(")
    assert len(part.view_box.split()) == 4


def test_one_tile_upside_down_turns_nothing() -> None:
    first, *others = row(0)
    assert first.quad is not None
    turned = Tile("u", "1m", quad=(*first.quad[2:], *first.quad[:2]))
    part = level_part([turned, *others], 0.5)
    assert part is not None
    assert part.angle == pytest.approx(0)


def test_tiles_that_were_tapped_in_lie_on_no_photo() -> None:
    assert level_part([Tile("t1", "1m")], 0.5) is None
