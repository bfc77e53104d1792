"""Drawn sets whose corner numbers tell the suited tiles apart, and nothing else does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.crops.numbered import numbered_style, numbered_tiles
from datasets.designs import FontSpec
from datasets.designs.drawing.ink import Face
from datasets.designs.faces.lettering import Corner, IndexStyle, draw_index
from datasets.designs.factory import SetStyle, draw_face, sample_style
from datasets.scenes.close_ups import close_up
from datasets.scenes.scenes import STAND_IN
from datasets.sets.faces import FaceSet
from scorer.tiles import SUIT_TILES

MANY = range(60)


@pytest.fixture(scope="module")
def sets(typefaces: list[FontSpec]) -> list[FaceSet]:
    return [numbered_tiles(numbered_style(seed, typefaces)) for seed in MANY]


def style_with_numbers(typefaces: list[FontSpec]) -> SetStyle:
    """The first set of all that has numbers on its suited tiles."""
    styles = (sample_style(seed, typefaces) for seed in MANY)
    return next(style for style in styles if style.index is not None and style.index.suits)


def alike(first: FaceSet, second: FaceSet, tiles: Sequence[str]) -> list[str]:
    return [t for t in tiles if np.array_equal(first.faces[t][0], second.faces[t][0])]


def test_a_set_has_its_suited_tiles_and_is_the_same_each_time(typefaces: list[FontSpec]) -> None:
    first, again = (numbered_tiles(numbered_style(3, typefaces)) for _ in range(2))
    assert set(first.faces) == {*SUIT_TILES, STAND_IN}
    assert alike(first, again, SUIT_TILES) == list(SUIT_TILES)


def test_a_tile_shows_the_picture_of_another(typefaces: list[FontSpec]) -> None:
    style = sample_style(3, typefaces)
    plain, other = draw_face("6s", style), draw_face("6s", style, "9p")
    assert not np.array_equal(plain, other)
    assert np.array_equal(plain, draw_face("6s", style, "6s"))


def test_most_sets_have_numbers_and_some_have_none(
    typefaces: list[FontSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    indices: list[IndexStyle | None] = []

    def set_of(_: str, style: SetStyle, *_rest: object) -> None:
        indices.append(style.index)

    monkeypatch.setattr("datasets.crops.numbered.drawn_set", set_of)
    for seed in MANY:
        numbered_tiles(numbered_style(seed, typefaces))
    shown = [index for index in indices if index is not None]
    assert 0.55 < len(shown) / len(indices) < 0.95
    assert all(index.suits for index in shown)
    assert len({index.corner for index in shown}) == 6


def test_numbers_in_two_corners_may_be_turned_as_on_playing_cards(
    typefaces: list[FontSpec],
) -> None:
    style = style_with_numbers(typefaces)
    index = style.index
    assert index is not None

    def print_of(corner: Corner) -> NDArray[np.uint8]:
        face = Face(160, (255, 255, 255))
        draw_index(face, "6s", replace(index, corner=corner), style.fonts)
        return face.pixels

    one, both, turned = (print_of(corner) for corner in ("left", "both", "turned"))
    assert np.array_equal(turned, turned[::-1, ::-1])
    assert not np.array_equal(both, both[::-1, ::-1])
    half = len(one) // 2
    assert all(np.array_equal(each[:half], one[:half]) for each in (both, turned))


def test_a_picture_tells_nothing_of_the_number(sets: list[FaceSet]) -> None:
    pictures = [dict(faces.faces.pictures) for faces in sets]  # type: ignore[attr-defined]
    same = np.mean([shown[tile][0] == tile[0] for shown in pictures for tile in shown])
    assert 0.07 < same < 0.16


def test_they_can_be_laid_and_photographed(sets: list[FaceSet]) -> None:
    scene = close_up(np.random.default_rng(1), sets, {STAND_IN: 0.0})
    assert set(scene.labels) <= set(SUIT_TILES)
