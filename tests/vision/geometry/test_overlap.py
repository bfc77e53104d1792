"""Parts of a tile and repeated detections of a tile are no tiles of their own."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.classify.mirror import mirror_quads
from vision.geometry.overlap import duplicates, parts_of_others


def box(left: float, top: float, width: float, height: float) -> list[tuple[float, float]]:
    right, foot = left + width, top + height
    return [(left, top), (right, top), (right, foot), (left, foot)]


def told(*boxes: list[tuple[float, float]], tiles: list[bool] | None = None) -> NDArray[np.bool_]:
    quads = np.array(boxes, np.float32).reshape(-1, 4, 2)
    return parts_of_others(quads, np.array(tiles or [True] * len(quads), np.bool_))


def test_no_detection_has_no_parts() -> None:
    assert told().shape == (0,)


@pytest.mark.parametrize("part", [box(0, 0, 30, 20), box(2, 18, 27, 22), box(-4, -3, 28, 22)])
def test_the_smaller_of_two_that_cannot_both_be_tiles_is_a_part(
    part: list[tuple[float, float]],
) -> None:
    whole, beside = box(0, 0, 30, 40), box(31, 0, 30, 40)
    assert told(whole, part, beside).tolist() == [False, True, False]
    assert told(part, whole, beside).tolist() == [True, False, False]
    assert not told(whole, part, tiles=[False, True]).any(), "the larger is none anyway"


def test_tiles_whose_corners_are_seen_a_little_off_stay() -> None:
    assert not told(box(0, 0, 30, 40), box(22, 0, 30, 40), box(0, 30, 30, 40)).any()


def test_quads_of_a_mirrored_photo_are_taken_as_they_lie_in_memory() -> None:
    whole, part = box(0, 0, 30, 40), box(0, 0, 30, 20)
    quads = mirror_quads(np.array([whole, part], np.float32), 100)
    assert parts_of_others(quads, np.ones(2, np.bool_)).tolist() == [False, True]


def test_a_detection_that_holds_two_tiles_is_none() -> None:
    assert told(box(0, 0, 61, 40), box(0, 0, 30, 40), box(31, 0, 30, 40)).tolist() == [
        True,
        False,
        False,
    ]


def test_quads_on_known_tiles_or_on_earlier_quads_are_duplicates() -> None:
    known = np.array([box(100, 100, 30, 40)], np.float32)
    quads = np.array([box(left, 100, 30, 40) for left in (112, 140, 150, 180)], np.float32)
    assert duplicates(quads, known).tolist() == [True, False, True, False]
    assert duplicates(quads[:1], known[:0]).tolist() == [False]
