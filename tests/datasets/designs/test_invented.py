"""Sets whose suits show anything tell each tile by the number in its corner."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.designs import FontSpec
from datasets.designs.drawing.palette import rng_for
from datasets.designs.factory import draw_face, sample_style
from datasets.designs.icons import BIRDS, OTHERS, IconSet, find_icons
from datasets.designs.invented import Invented
from datasets.designs.rarer import with_inventions
from datasets.sets.fresh import Makes, fresh_set
from scorer.tiles import PLAYING_TILES, TILES
from tests.datasets.designs.test_icons import PURPLE, drawn_icon, share_of

SEEDS = range(30)


@pytest.fixture(scope="module")
def icons(tmp_path_factory: pytest.TempPathFactory) -> tuple[IconSet, ...]:
    folder = tmp_path_factory.mktemp("icons")
    for kind in (BIRDS, OTHERS):
        (folder / "someone" / kind).mkdir(parents=True)
        for index in range(4):
            drawn_icon(folder / "someone" / kind / f"{index}.png", PURPLE)
    return find_icons(folder)


def inventions(
    typefaces: list[FontSpec], icons: tuple[IconSet, ...]
) -> list[tuple[int, Invented | None]]:
    styles = [
        with_inventions(sample_style(seed, typefaces), rng_for(seed, "x"), icons) for seed in SEEDS
    ]
    assert all(style.index is not None and style.index.suits for style in styles)
    return [(style.seed, style.invented) for style in styles]


def test_every_kind_of_invention_is_drawn(
    typefaces: list[FontSpec], icons: tuple[IconSet, ...]
) -> None:
    every = [it for _, it in inventions(typefaces, icons) if it is not None]
    assert len(every) == len(SEEDS)
    assert {suit for it in every for suit in it.suits} == set("mps")
    assert {it.winds for it in every} == {"usual", "letters", "words"}
    assert len({it.ground for it in every}) > 3
    assert {bool(it.dragons) for it in every} == {True, False}
    suits = [suit for it in every for suit in it.suits.values()]
    assert {suit.counted for suit in suits} == {True, False}
    assert {suit.picture is None for suit in suits} == {True, False}


def test_tiles_of_one_picture_differ_by_their_numbers(
    typefaces: list[FontSpec], icons: tuple[IconSet, ...]
) -> None:
    seed, suit = next(
        (seed, suit)
        for seed, invented in inventions(typefaces, icons)
        for suit, it in (invented.suits if invented else {}).items()
        if not it.counted
    )
    style = with_inventions(sample_style(seed, typefaces), rng_for(seed, "x"), icons)
    faces = [draw_face(f"{number}{suit}", style) for number in range(2, 10)]
    assert len({face.tobytes() for face in faces}) == 8
    apart = [float((np.abs(face.astype(int) - faces[0]) > 60).mean()) for face in faces[1:]]
    assert max(apart) < 0.15


def test_the_same_seed_draws_the_same_set(
    typefaces: list[FontSpec], icons: tuple[IconSet, ...]
) -> None:
    makes = Makes(invented=1.0, icons=icons)
    first, second = (fresh_set(7, typefaces, TILES, makes) for _ in range(2))
    for tile in PLAYING_TILES:
        assert np.array_equal(first.faces[tile][0], second.faces[tile][0])


def test_without_icons_nothing_is_invented(
    typefaces: list[FontSpec], icons: tuple[IconSet, ...]
) -> None:
    plain = fresh_set(7, typefaces, TILES, Makes(invented=1.0)).faces
    usual = fresh_set(7, typefaces, TILES).faces
    invented = fresh_set(7, typefaces, TILES, Makes(invented=1.0, icons=icons)).faces
    assert all(np.array_equal(plain[tile][0], usual[tile][0]) for tile in PLAYING_TILES)
    assert sum(not np.array_equal(invented[t][0], usual[t][0]) for t in PLAYING_TILES) > 9


def test_a_counted_suit_shows_more_of_its_picture(
    typefaces: list[FontSpec], icons: tuple[IconSet, ...]
) -> None:
    shown = []
    for seed in SEEDS:
        style = with_inventions(sample_style(seed, typefaces), rng_for(seed, "x"), icons)
        for letter, suit in (style.invented.suits if style.invented else {}).items():
            if suit.counted and suit.picture and suit.picture.print == "colours":
                two, nine = (share_of(draw_face(n + letter, style), PURPLE) for n in "29")
                shown.append((two, nine))
    assert len(shown) > 3
    assert sum(nine > two for two, nine in shown) > len(shown) / 2
