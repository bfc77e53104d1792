"""Sets that are drawn while training runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.designs import FontSpec, draw_design, fonts
from datasets.designs.faces.bonus import with_any_pictures, with_words
from datasets.designs.factory import draw_face, sample_style
from datasets.scenes.scenes import random_scene
from datasets.sets.faces import FaceSet, load_designs
from datasets.sets.fresh import FIRST_SEED, Makes, WithFreshSets, among_fresh_sets, fresh_set
from datasets.sets.sources import VAL_DESIGNS
from scorer.tiles import BLANK, BONUS_TILES, TILES

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
FEW = (*BONUS_TILES, "5z")


@pytest.fixture(scope="module")
def stored() -> list[FaceSet]:
    return load_designs([SAMPLES / "0900.npz"])


def test_a_fresh_set_has_the_faces_that_a_stored_design_of_its_seed_has(
    typefaces: list[FontSpec],
) -> None:
    fresh = fresh_set(7, typefaces, (*TILES, BLANK))
    design = draw_design(7, typefaces)
    assert list(fresh.faces) == [*TILES, BLANK]
    assert all(np.array_equal(fresh.faces[code][0], design.faces[code]) for code in ("3y", "8s"))
    assert fresh.proportion == design.proportion
    assert fresh.body_bgr == design.body_bgr


def test_faces_that_were_not_asked_for_are_not_there(typefaces: list[FontSpec]) -> None:
    fresh = fresh_set(7, typefaces, FEW)
    assert len(fresh.faces) == len(FEW)
    assert "1m" not in fresh.faces
    with pytest.raises(KeyError):
        fresh.faces["1m"]


def test_words_may_be_asked_for_on_flowers_and_seasons_alone(typefaces: list[FontSpec]) -> None:
    fresh, worded = fresh_set(7, typefaces, FEW), fresh_set(7, typefaces, FEW, Makes(worded=1.0))
    other = {code for code in FEW if not np.array_equal(fresh.faces[code], worded.faces[code])}
    assert other == set(BONUS_TILES)


def test_any_pictures_may_be_asked_for_on_flowers_and_seasons_alone(
    typefaces: list[FontSpec],
) -> None:
    fresh, loose = fresh_set(7, typefaces, FEW), fresh_set(7, typefaces, FEW, Makes(loose=1.0))
    assert sample_style(7, typefaces).bonus.pictures == "own"
    other = {code for code in FEW if not np.array_equal(fresh.faces[code], loose.faces[code])}
    assert "5z" not in other
    assert len(other) >= 4


def test_any_pictures_leave_the_marks_but_for_their_strokes(typefaces: list[FontSpec]) -> None:
    style = sample_style(7, typefaces).bonus
    made = [with_any_pictures(style, np.random.default_rng(seed)) for seed in range(40)]
    assert {one.pictures for one in made} == {"anything", "shuffled"}
    marks = {replace(one, pictures=style.pictures, weight=0.0) for one in made}
    assert marks == {style, replace(style, marking="number", chinese=(True, True))}
    assert min(one.weight for one in made) < 0 < max(one.weight for one in made)


def test_thicker_characters_have_more_ink(typefaces: list[FontSpec]) -> None:
    style = sample_style(7, typefaces)
    bare = replace(style.bonus, pictures="none", marking="alone")
    thin, thick = (
        draw_face("1f", replace(style, bonus=replace(bare, weight=weight))).astype(int)
        for weight in (0.0, 0.014)
    )
    assert (thick.min(axis=2) < 128).sum() > 1.1 * (thin.min(axis=2) < 128).sum()


@pytest.mark.parametrize("words", range(4))
def test_every_list_of_words_can_be_drawn(typefaces: list[FontSpec], words: int) -> None:
    style = sample_style(7, typefaces)
    bonus = replace(style.bonus, marking="word", pictures="own", words=words)
    faces = [draw_face(code, replace(style, bonus=bonus)) for code in BONUS_TILES]
    bare = replace(bonus, marking="number", size=(0.0, 0.0), number_ink=(style.palette.paper,) * 2)
    for face, code in zip(faces, BONUS_TILES, strict=True):
        unmarked = draw_face(code, replace(style, bonus=bare))
        rows = np.nonzero(np.abs(face.astype(int) - unmarked).max(axis=(1, 2)) > 40)[0]
        assert len(rows) > 5


def test_words_stand_on_any_picture_and_with_or_without_a_number(
    typefaces: list[FontSpec],
) -> None:
    style = sample_style(7, typefaces).bonus
    made = [with_words(style, np.random.default_rng(seed)) for seed in range(40)]
    assert {one.marking for one in made} == {"word", "word-number"}
    assert {one.words for one in made} == set(range(4))
    assert {"anything", "shuffled"} <= {one.pictures for one in made}
    assert len({one.word_size for one in made}) == len(made)


def test_a_share_of_the_sets_is_fresh_and_never_one_that_is_measured_with(
    typefaces: list[FontSpec], stored: list[FaceSet]
) -> None:
    every = WithFreshSets(stored, 0.6, typefaces, FEW)
    rng = np.random.default_rng(0)
    drawn = [every[int(rng.integers(len(every)))] for _ in range(100)]
    fresh = [faces for faces in drawn if faces is not stored[0]]
    assert 40 <= len(fresh) <= 80
    assert len({faces.name for faces in fresh}) > 0.9 * len(fresh)
    assert max(VAL_DESIGNS) < FIRST_SEED
    with pytest.raises(IndexError):
        every[len(every)]
    assert [faces.name for faces in every[0:2]] == [stored[0].name] * 2


def test_scenes_are_laid_with_them(typefaces: list[FontSpec], stored: list[FaceSet]) -> None:
    every = WithFreshSets(stored, 0.99, typefaces, FEW)
    scenes = [random_scene(np.random.default_rng(seed), every, (256, 256)) for seed in range(8)]
    labels = {label for scene in scenes for label in scene.labels}
    assert labels & set(BONUS_TILES)


def test_without_a_share_no_typefaces_are_needed(
    stored: list[FaceSet], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "_FOLDERS", ())
    assert among_fresh_sets(stored, 0, None, FEW) is stored
