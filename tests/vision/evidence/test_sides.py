"""Sides of tiles that look like blank faces."""

from __future__ import annotations

import numpy as np
import pytest

from vision.evidence.sides import side_faces

FACE = np.array([[100, 115], [130, 115], [130, 140], [100, 140]], np.float32)
"""Seen from low down: not much higher than half its length."""
FROM_ABOVE = np.array([[100, 100], [130, 100], [130, 140], [100, 140]], np.float32)
SLANT = np.array([[1.0, 0.3, 5], [-0.2, 0.8, 40], [0.0005, 0.001, 1]])


def below(height: float, left: float = 0.0) -> np.ndarray:
    """What begins at the face's lower edge, and how far down it reaches."""
    return np.array(
        [[100, 140], [130, 140], [130 + left, 140 + height], [100 + left, 140 + height]],
        np.float32,
    )


def told(face: np.ndarray, other: np.ndarray, turns: int = 0) -> bool:
    quads = np.stack([face, np.roll(other, turns, axis=0)])
    plain = np.array([False, True])
    return bool(side_faces(quads, plain, ~plain, np.zeros(2), 4)[1])


def seen_aslant(quad: np.ndarray) -> np.ndarray:
    points = np.hstack([quad, np.ones((4, 1))]) @ SLANT.T
    return np.asarray(points[:, :2] / points[:, 2:], np.float32)


@pytest.mark.parametrize("turns", range(4))
def test_what_goes_on_shorter_than_a_face_is_its_side(turns: int) -> None:
    assert told(FACE, below(15), turns)
    assert told(FACE, below(23, 8), turns)


@pytest.mark.parametrize("turns", range(4))
def test_a_face_against_the_face_is_none(turns: int) -> None:
    assert not told(FACE, below(25), turns)
    assert not told(FACE, FACE + np.array([30, 0], np.float32), turns)


def test_a_face_against_the_face_is_none_seen_aslant() -> None:
    assert not told(seen_aslant(FACE), seen_aslant(below(25)))
    assert told(seen_aslant(FACE), seen_aslant(below(15)))


@pytest.mark.parametrize("turns", range(4))
def test_no_side_is_seen_so_far_from_above(turns: int) -> None:
    assert not told(FROM_ABOVE, below(30), turns)
    assert told(FROM_ABOVE, below(4), turns)


def test_what_lies_apart_is_no_side() -> None:
    assert not told(FACE, below(15) + np.array([0, 6], np.float32))
    assert not told(FACE, below(15) + np.array([8, 0], np.float32))


def test_plain_finds_alone_are_told() -> None:
    quads = np.stack([FACE, below(15), below(15)])
    none = side_faces(quads, np.zeros(3, bool), np.ones(3, bool), np.zeros(3), 4)
    assert none.tolist() == [False, False, False]
    without_faces = side_faces(quads, np.ones(3, bool), np.zeros(3, bool), np.zeros(3), 4)
    assert without_faces.tolist() == [False, False, False]


@pytest.mark.parametrize("most", [4, 5])
def test_more_clear_plain_tiles_than_there_are_dragons_are_sides(most: int) -> None:
    places = np.array([[[40 * place, 0]] for place in range(6)], np.float32)
    heights = [15.0] * 5 + [25.0]
    sides = np.stack([below(height) for height in heights]) + places
    quads = np.concatenate([FACE + places, sides])
    plain = np.arange(12) >= 6
    told = side_faces(quads, plain, ~plain, np.full(12, 9.0), most)
    assert told.tolist() == (plain & (most < 5)).tolist()
