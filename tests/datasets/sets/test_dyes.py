"""Dyed sets keep their prints: only the plastic changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.designs.drawing.design import load_design
from datasets.scenes.scenes import random_scene
from datasets.sets.dyes import Dye, dyed, dyed_face, random_dye
from datasets.sets.faces import FaceSet, from_design

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
PURPLE = Dye((120, 30, 90), (20, 90, 30), dark=True)
PINK = Dye((200, 180, 255), (20, 90, 30), dark=False)


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return from_design(load_design(SAMPLES / "0900.npz"))


def test_white_plastic_takes_the_colour_of_the_dye() -> None:
    white = np.full((4, 3, 3), 255, np.uint8)
    assert np.abs(dyed_face(white, PURPLE) - np.array(PURPLE.body_bgr)).max() <= 2
    assert np.abs(dyed_face(white, PINK) - np.array(PINK.body_bgr)).max() <= 2


def test_prints_turn_light_on_dark_plastic_and_stay_dark_on_light() -> None:
    black = np.zeros((4, 3, 3), np.uint8)
    assert dyed_face(black, PURPLE).min() > 240
    assert dyed_face(black, PINK).max() == 0


def test_a_red_print_stays_reddish_on_dark_plastic() -> None:
    blue, green, red = dyed_face(np.full((1, 1, 3), (30, 30, 200), np.uint8), PURPLE)[0, 0]
    assert red > green + 40
    assert red > blue + 40


def test_the_whole_set_is_dyed(faces: FaceSet) -> None:
    layered = replace(faces, side_bgrs=(faces.body_bgr, (1, 2, 3), faces.back_bgr))
    after = dyed(layered, PURPLE)
    assert after.faces.keys() == faces.faces.keys()
    for label, copies in after.faces.items():
        assert [face.shape for face in copies] == [face.shape for face in faces.faces[label]]
    assert after.back_bgr == PURPLE.back_bgr
    assert sum(after.body_bgr) < sum(faces.body_bgr)
    assert after.side_bgrs == (after.body_bgr, (1, 2, 3), PURPLE.back_bgr)
    assert dyed(replace(faces, side_bgrs=((9, 9, 9),)), PURPLE).side_bgrs == (after.body_bgr,)
    blank = after.faces["1m"][0].reshape(-1, 3)
    assert np.abs(np.median(blank, axis=0) - np.array(after.body_bgr)).max() < 40


def test_dyes_are_pale_to_strong_and_light_to_dark() -> None:
    dyes = [random_dye(np.random.default_rng(seed)) for seed in range(60)]
    dark = [dye for dye in dyes if dye.dark]
    assert 15 <= len(dark) <= 45
    assert all(max(dye.body_bgr) <= 128 for dye in dark)
    assert all(max(dye.body_bgr) >= 190 for dye in dyes if not dye.dark)


def test_some_training_pictures_show_dark_tiles(
    faces: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[FaceSet] = []

    def noted(before: FaceSet, dye: Dye) -> FaceSet:
        seen.append(before)
        return dyed(before, dye)

    monkeypatch.setattr("datasets.scenes.scenes.dyed", noted)
    for seed in range(40):
        random_scene(np.random.default_rng(seed), [faces], (64, 64))
    assert 1 <= len(seen) <= 12
