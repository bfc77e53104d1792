"""The tile on which somebody went out lies turned, or apart from the hand."""

from __future__ import annotations

import pytest

from vision.layout.set_off import claimed_from, set_off
from vision.vocabulary.readings import Corner, Quad


def tile(x: float, y: float = 0.0, *, turned: bool = False, lean: float = 0.0) -> Quad:
    """A tile of 30 x 40 pixels at a place; ``lean`` moves its upper edge to the right."""
    width, height = (40.0, 30.0) if turned else (30.0, 40.0)
    corners: list[Corner] = [
        (x + lean, y), (x + lean + width, y), (x + width, y + height), (x, y + height)
    ]  # fmt: skip
    if turned:
        corners = corners[1:] + corners[:1]
    a, b, c, d = corners
    return a, b, c, d


def row(count: int, start: float = 0.0) -> list[Quad]:
    return [tile(start + 32 * place) for place in range(count)]


def test_the_one_turned_tile_is_told_whichever_way_it_is_turned() -> None:
    quads = row(6)
    turned = tile(200, 8, turned=True)
    assert set_off([*quads, turned]) == 6
    a, b, c, d = turned
    assert set_off([(c, d, a, b), *quads]) == 0
    upside_down = quads[2][2:] + quads[2][:2]
    assert set_off([*quads[:2], upside_down, *quads[3:]]) is None


def test_the_one_tile_that_lies_apart_is_told() -> None:
    assert set_off([*row(6), tile(32 * 6 + 40)]) == 6
    assert set_off([tile(60, -80), *row(6)]) == 0
    assert set_off([*row(6), tile(32 * 6 + 12)]) is None, "hardly a gap"


def test_what_cannot_be_told_is_not() -> None:
    assert set_off(row(13)) is None
    assert set_off([*row(2), tile(200)]) is None, "too few to tell one from the others"
    two_turned = [tile(200, 8, turned=True), tile(260, 8, turned=True)]
    assert set_off([*row(6), *two_turned]) is None
    assert set_off([*row(4), *row(3, 200), tile(400)]) == 7
    assert set_off([*row(4), tile(200), tile(400)]) is None, "two lie alone"
    assert set_off([*row(6), *row(6, 240)]) is None


def test_a_photo_from_aside_turns_no_tile() -> None:
    leaning = [tile(32 * place, lean=3.0 * (place - 6)) for place in range(13)]
    assert set_off(leaning) is None


@pytest.mark.parametrize(
    ("tiles", "side"),
    [
        ([tile(0, 10, turned=True), *row(2, 42)], "left"),
        ([tile(0), tile(32, 10, turned=True), tile(74)], "far"),
        ([*row(2), tile(64, 10, turned=True)], "right"),
        ([tile(0, 10, turned=True), *row(3, 42)], "left"),
        ([tile(0), tile(32, 10, turned=True), *row(2, 74)], "far"),
        ([*row(3), tile(96, 10, turned=True)], "right"),
        ([tile(0, 10, turned=True), tile(0, -22, turned=True), *row(2, 42)], "left"),
        ([tile(0), tile(32, 10, turned=True), tile(32, -22, turned=True), tile(74)], "far"),
        ([*row(2), tile(64, 10, turned=True), tile(64, -22, turned=True)], "right"),
        (row(3), None),
        (row(4), None),
        ([tile(0), *(tile(32 + 42 * n, 10, turned=True) for n in range(3))], None),
    ],
)
def test_the_tile_across_tells_from_whom_a_set_was_claimed(
    tiles: list[Quad], side: str | None
) -> None:
    assert claimed_from(tiles) == side
    turned_round = [tuple((400 - x, 300 - y) for x, y in quad) for quad in tiles]
    assert claimed_from(turned_round) == side
