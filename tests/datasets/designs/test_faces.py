"""What is drawn on the faces: the right count, the right colours, always decidable."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from datasets.designs.drawing.finish import finished, move, sample_finish
from datasets.designs.drawing.ink import SUPERSAMPLE, Face, place, pts
from datasets.designs.drawing.palette import Palette, rng_for, sample_palette
from datasets.designs.faces.bamboo import OTHERS, Eight, draw_bamboo, sample_bamboo
from datasets.designs.faces.birds import _KINDS, draw_bird
from datasets.designs.faces.bonus import sample_bonus
from datasets.designs.faces.circles import Part, draw_circles, sample_circles
from datasets.designs.faces.dragons import draw_dragon
from datasets.designs.faces.lettering import sample_index
from datasets.designs.faces.plants import FLOWERS, SEASONS, Brush
from datasets.designs.faces.season_scenes import draw_scene

PAPER = (240, 240, 240)
ROWS = 160


def palette_of(seed: int = 1) -> Palette:
    return replace(
        sample_palette(rng_for(seed, "palette")),
        paper=PAPER,
        red=(30, 30, 200),
        green=(40, 120, 30),
        blue=(180, 60, 20),
        second=(180, 60, 20),
        black=(20, 20, 20),
        red_fives=False,
    )


def blobs(face: Face) -> int:
    """How many separate shapes are drawn."""
    ink = np.abs(face.pixels.astype(int) - PAPER).max(2) > 60
    return int(cv2.connectedComponents(ink.astype(np.uint8))[0]) - 1


def colour_at(face: Face, x: float, y: float) -> tuple[int, ...]:
    """The colour at a point given in shares of the face's width and height."""
    rows, columns = face.pixels.shape[:2]
    return tuple(int(value) for value in face.pixels[int(y * rows), int(x * columns)])


@pytest.mark.parametrize("number", range(1, 10))
def test_as_many_circles_as_the_number_says(number: int) -> None:
    disc = (Part("disc", 1, 0, 0),)
    style = replace(
        sample_circles(rng_for(1, "circles"), palette_of()),
        small=disc,
        big=disc,
        scale=0.9,
        spread=(1.0, 1.0),
    )
    face = Face(ROWS, PAPER)
    draw_circles(face, number, style)
    assert blobs(face) == number


@pytest.mark.parametrize("eight", ["columns", "rows", "pairs"])
@pytest.mark.parametrize("number", range(2, 10))
def test_as_many_sticks_as_the_number_says(number: int, eight: Eight) -> None:
    style = replace(
        sample_bamboo(rng_for(1, "bamboo"), palette_of()),
        make="bars", knots=1, slim=1.0, core=0.0, hollow=False, scale=(1.0, 1.0), eight=eight,
    )  # fmt: skip
    face = Face(ROWS, PAPER)
    draw_bamboo(face, number, style)
    assert blobs(face) == number


@pytest.mark.parametrize(
    ("number", "other"), [(number, i) for number, them in OTHERS.items() for i in range(len(them))]
)
@pytest.mark.parametrize("fill", [0.86, 1.08])
def test_other_arrangements_have_as_many_sticks(number: int, other: int, fill: float) -> None:
    style = replace(
        sample_bamboo(rng_for(1, "bamboo"), palette_of()),
        make="bars", knots=1, slim=1.0, core=0.0, hollow=False, scale=(1.0, 1.0),
        others={number: other}, fill=fill,
    )  # fmt: skip
    face = Face(ROWS, PAPER)
    draw_bamboo(face, number, style)
    assert blobs(face) == number


def test_red_fives_are_red_all_over() -> None:
    palette = replace(palette_of(), red_fives=True)
    for seed in range(40):
        circles = sample_circles(rng_for(seed, "circles"), palette)
        bamboo = sample_bamboo(rng_for(seed, "bamboo"), palette)
        assert set(circles.colours[5]) == set(bamboo.colours[5]) == {palette.red}


@pytest.mark.parametrize("kind", range(len(_KINDS)))
def test_every_bird_is_drawn_inside_the_face(kind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.designs.faces.birds._KINDS", (_KINDS[kind],))
    palette = palette_of()
    for seed in range(4):
        face = Face(ROWS, PAPER)
        bamboo = sample_bamboo(rng_for(seed, "bamboo"), palette)
        draw_bird(face, rng_for(seed, "bird"), palette, bamboo)
        ink = np.abs(face.pixels.astype(int) - PAPER).max(2) > 60
        assert 0.03 < ink.mean() < 0.6
        assert ink[:, :2].mean() < 0.15
        assert ink[:, -2:].mean() < 0.15


def test_birds_of_different_sets_differ() -> None:
    faces = []
    for seed in range(6):
        face = Face(ROWS, PAPER)
        palette = palette_of()
        draw_bird(face, rng_for(seed, "bird"), palette, sample_bamboo(rng_for(1, "b"), palette))
        faces.append(face.pixels.astype(int))
    changes = [np.abs(a - b).mean() for a, b in pairwise(faces)]
    assert min(changes) > 3


def test_both_dragons_have_one_pose() -> None:
    green, red = Face(ROWS, PAPER), Face(ROWS, PAPER)
    draw_dragon(green, rng_for(5, "dragon"), (40, 120, 30))
    draw_dragon(red, rng_for(5, "dragon"), (30, 30, 200))
    shapes = [np.any(face.pixels != PAPER, axis=2) for face in (green, red)]
    assert np.array_equal(*shapes)
    assert shapes[0].mean() > 0.08


@pytest.mark.parametrize("season", range(4))
def test_scenes_and_plants_are_drawn(season: int) -> None:
    for seed in range(3):
        for picture in (FLOWERS[season], SEASONS[season], lambda b: draw_scene(b, season)):
            face = Face(ROWS, PAPER)
            inks = palette_of()
            brush = Brush(
                face, rng_for(seed, "x"), inks.black, inks.green, inks.red, inks.blue, 0.016
            )
            picture(brush)
            ink = np.abs(face.pixels.astype(int) - PAPER).max(2) > 60
            assert 0.02 < ink.mean() < 0.6


def test_flowers_and_seasons_are_always_decidable() -> None:
    for seed in range(400):
        palette = sample_palette(rng_for(seed, "palette"))
        style = sample_bonus(rng_for(seed, "bonus"), palette)
        if style.marking == "number":
            assert style.pictures == "own"
            assert style.number_ink[0] != style.number_ink[1] or palette.red == palette.black
        for char, number in zip(style.char_corner, style.number_corner, strict=True):
            assert char != number


def test_no_dragon_has_the_letter_of_a_wind() -> None:
    styles = [sample_index(rng_for(seed, "index"), palette_of()) for seed in range(300)]
    drawn = [style for style in styles if style is not None]
    assert 0 < len(drawn) < len(styles)
    assert not {letter for style in drawn for letter in style.dragons} & set("ESWN")


def test_inks_stand_out_from_the_body() -> None:
    for seed in range(300):
        palette = sample_palette(rng_for(seed, "palette"))
        for ink in (palette.numeral, palette.wan, palette.second, palette.red, palette.green):
            assert np.abs(np.array(ink) - palette.paper).max() > 50


def test_finishing_keeps_the_drawing_and_its_size() -> None:
    face = Face(ROWS, PAPER)
    face.disc(0.5, 0.67, 0.2, (20, 20, 20))
    rng = rng_for(2, "finish")
    finish = sample_finish(rng, indexed=False)
    move(face, rng, finish, 1.0, (0.0, 0.0))
    picture = finished(face, rng, finish)
    assert picture.shape == (ROWS, 120, 3)
    assert picture[80, 60].max() < 120
    assert picture[10, 10].min() > 200


def test_moving_shifts_by_shares_of_the_width() -> None:
    face = Face(ROWS, PAPER)
    face.disc(0.3, 0.5, 0.05, (0, 0, 0))
    still = replace(sample_finish(rng_for(2, "finish"), indexed=False), wobble=0.0)
    move(face, rng_for(2, "move"), still, 1.0, (0.2, 0.4))
    rows, columns = np.nonzero(face.pixels.max(2) < 100)
    assert abs(columns.mean() / (120 * SUPERSAMPLE) - 0.5) < 0.03
    assert abs(rows.mean() / (120 * SUPERSAMPLE) - 0.9) < 0.03


def test_a_turn_goes_anticlockwise() -> None:
    assert place(pts((1.0, 0.0)), 2.0, 3.0, 90)[0] == pytest.approx((2.0, 2.0))


def test_seven_circles_have_a_row_of_one_ink_over_four_of_another() -> None:
    palette = palette_of()
    sets = [sample_circles(rng_for(seed, "circles"), palette).colours[7] for seed in range(30)]
    many = [colours for colours in sets if len(set(colours)) > 1]
    assert many
    assert all(len(set(c[:3])) == len(set(c[3:])) == 1 and c[0] != c[3] for c in many)


def test_a_wheel_is_painted_from_the_rim_inward() -> None:
    face = Face(ROWS, PAPER)
    style = replace(
        sample_circles(rng_for(1, "circles"), palette_of()),
        big=(Part("disc", 1, 0, 0), Part("disc", 0.5, 0, -1), Part("disc", 0.2, 0, 1)),
        big_inks=((20, 20, 20), (30, 30, 200), (0, 0, 0)),
        big_radius=0.4,
    )
    draw_circles(face, 1, style)
    assert colour_at(face, 0.5, 0.5) == (30, 30, 200)
    assert colour_at(face, 0.65, 0.5) == PAPER
    assert colour_at(face, 0.8, 0.5) == (20, 20, 20)
