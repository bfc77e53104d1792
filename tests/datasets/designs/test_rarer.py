"""What few drawn sets have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.designs import FontSpec
from datasets.designs.drawing.palette import rng_for
from datasets.designs.factory import SetStyle, draw_face, sample_style
from datasets.designs.rarer import draw_rarer_design, with_rarer_makes
from datasets.sets.fresh import Makes, fresh_set
from scorer.tiles import BONUS_TILES, HONOURS, TILES


@pytest.fixture(scope="module")
def styles(typefaces: list[FontSpec]) -> list[SetStyle]:
    plain = [sample_style(seed, typefaces) for seed in range(80)]
    return [with_rarer_makes(style, rng_for(style.seed, "rarer")) for style in plain]


def middle(face: np.ndarray) -> np.ndarray:
    height, width = face.shape[:2]
    return face[height * 2 // 5 : height * 3 // 5, width * 2 // 5 : width * 3 // 5]


def ink(face: np.ndarray) -> float:
    """Share of the face that is not its paper."""
    paper = np.median(face.reshape(-1, 3), axis=0)
    return float((np.abs(face - paper).max(axis=2) > 50).mean())


def test_a_whole_design_is_drawn_with_it(styles: list[SetStyle], typefaces: list[FontSpec]) -> None:
    design = draw_rarer_design(5, typefaces)
    assert set(TILES) < set(design.faces)
    for label in ("1s", "8s", "3f"):
        assert np.array_equal(design.faces[label], draw_face(label, styles[5]))


def test_all_that_is_rare_comes(styles: list[SetStyle]) -> None:
    assert {style.bamboo.one for style in styles} == {"bird", "stick", "peacock"}
    assert {"none", "emblems"} < {style.bonus.pictures for style in styles}
    assert any(style.index is not None and style.index.within for style in styles)
    assert any(style.letters.names is not None for style in styles)
    assert any(style.letters.white == "picture" for style in styles)
    assert any(style.letters.frame_pattern == 3 for style in styles)
    assert {number for style in styles for number in style.bamboo.others} == {2, 6, 7}
    assert {"columns", "rows", "pairs"} < {style.bamboo.eight for style in styles}


def test_sticks_of_one_colour_come_and_such_as_no_colour_counts(styles: list[SetStyle]) -> None:
    nines = [style.bamboo.colours[9] for style in styles]
    assert any(len(set(nine)) == 1 for nine in nines)
    assert any(len(set(nine[:6])) == 1 and nine[6] != nine[5] for nine in nines)
    sixes = [style.bamboo.colours[6] for style in styles]
    assert any(six[:2] * 3 == six and six[0] != six[1] for six in sixes)


def test_eights_in_four_columns_may_be_as_wide_as_the_face(styles: list[SetStyle]) -> None:
    columns = [style.bamboo for style in styles if style.bamboo.eight == "columns"]
    assert {bamboo.scale[0] >= 1.0 and bamboo.slim <= 1.1 for bamboo in columns} == {True, False}
    assert any(bamboo.scale[0] > 1.08 for bamboo in columns)


@pytest.mark.parametrize("tile", ["1s", "5z", "6z", *BONUS_TILES])
def test_every_face_has_something_on_it(styles: list[SetStyle], tile: str) -> None:
    for style in styles[:24]:
        if tile == "5z" and style.letters.white == "blank":
            continue
        assert ink(draw_face(tile, style)) > 0.004


def test_a_character_alone_tells_flowers_and_seasons_apart(styles: list[SetStyle]) -> None:
    alone = [style for style in styles if style.bonus.marking == "alone"]
    assert alone
    for style in alone[:3]:
        faces = [draw_face(tile, style).astype(int) for tile in BONUS_TILES]
        apart = [np.abs(a - b).mean() for i, a in enumerate(faces) for b in faces[:i]]
        assert min(apart) > 2


def test_a_number_stands_in_the_middle_where_there_is_room(typefaces: list[FontSpec]) -> None:
    styles = (sample_style(seed, typefaces) for seed in range(50))
    style = next(style for style in styles if style.index is not None and style.index.suits)
    assert style.index is not None
    within = replace(style, index=replace(style.index, within=True))
    assert ink(middle(draw_face("4p", within))) > ink(middle(draw_face("4p", style)))
    assert np.array_equal(draw_face("5p", within), draw_face("5p", style))


@pytest.mark.parametrize("tile", HONOURS)
def test_a_name_stands_beside_winds_and_dragons(typefaces: list[FontSpec], tile: str) -> None:
    style = sample_style(7, typefaces)
    named = replace(style, letters=replace(style.letters, names=style.palette.red))
    assert not np.array_equal(draw_face(tile, named), draw_face(tile, style))
    assert np.array_equal(draw_face("5m", named), draw_face("5m", style))


def test_sets_that_are_drawn_while_training_runs_have_it_when_asked(
    typefaces: list[FontSpec],
) -> None:
    changed = 0
    for seed in range(4):
        usual = fresh_set(seed, typefaces, TILES)
        rarer = fresh_set(seed, typefaces, TILES, Makes(rarer=1.0))
        faces = ("1s", "4p", "1z", "5z", "1f")
        changed += any(
            not np.array_equal(usual.faces[tile][0], rarer.faces[tile][0]) for tile in faces
        )
    assert changed >= 3
