"""Red fives are told by the colour of their ink, on drawn faces laid side by side."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.designs.drawing.design import load_design
from datasets.sets.faces import from_design
from vision.classify.red_fives import red_fives

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
LABELS = ("4m", "5m", "6m", "3p", "5p", "8p", "5s", "9s", "7z")
HEIGHT, WIDTH = 120, 90


def in_red(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A face whose ink is dark red instead of what it is."""
    ink = 1 - cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)[..., None] / 255
    ink = np.clip((ink - ink.min()) / max(float(np.ptp(ink)), 0.1), 0, 1)
    paper = np.median(face.reshape(-1, 3), axis=0)
    return np.asarray((1 - ink) * paper + ink * np.array([40, 30, 190]), np.uint8)


def photo(*red: str, light: float = 1.0) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A row of drawn faces, some of them printed in red, and their corners."""
    faces = from_design(load_design(SAMPLES / "0900.npz")).faces
    shown = [in_red(faces[label][0]) if label in red else faces[label][0] for label in LABELS]
    row = [cv2.resize(face, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA) for face in shown]
    lefts = [WIDTH * place for place in range(len(row))]
    corners = [[(x, 0), (x + WIDTH, 0), (x + WIDTH, HEIGHT), (x, HEIGHT)] for x in lefts]
    dimmed = np.hstack(row).astype(np.float32) * light
    return dimmed.astype(np.uint8), np.array(corners, np.float32)


def red_on(*red: str, light: float = 1.0) -> set[str]:
    image, quads = photo(*red, light=light)
    found = red_fives(image, quads, LABELS)
    assert found.shape == (len(LABELS),)
    return {label for label, is_red in zip(LABELS, found, strict=True) if is_red}


@pytest.mark.parametrize("light", [1.0, 0.5])
@pytest.mark.parametrize("red", [(), ("5m",), ("5p", "5s"), ("5m", "5p", "5s")])
def test_only_fives_all_in_red_are_red(red: tuple[str, ...], light: float) -> None:
    assert red_on(*red, light=light) == set(red)


def test_a_suit_that_is_printed_in_red_has_no_red_fives() -> None:
    assert red_on("4m", "5m", "6m", "5s") == {"5s"}


def test_a_red_tile_that_is_no_five_is_none() -> None:
    assert red_on("3p", "7z") == set()


def test_without_tiles_nothing_is_red() -> None:
    image, quads = photo()
    assert len(red_fives(image, quads[:0], ())) == 0
