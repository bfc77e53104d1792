"""What is said of a frame of a live picture to the person who aims the camera."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision import look_at
from vision.detect.aiming import MAX_FRAME_SIDE, view_of
from vision.errors import PhotoRejected
from webapp.services import SAMPLES_FOLDER

SHAPE = (480, 640, 3)


def row(
    left: float, right: float, count: int = 14
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Tiles side by side that take up the picture from one share of its width to the other."""
    width = (right - left) * SHAPE[1] / count
    corners = np.array([[0, 0], [1, 0], [1, 1.3], [0, 1.3]])
    places = [[left * SHAPE[1] + n * width, 200] for n in range(count)]
    return np.array([corners * width + place for place in places], np.float32)


@pytest.mark.parametrize(("left", "right", "advice"), [
    (0.1, 0.9, ""), (0.4, 0.7, "nearer"), (-0.05, 0.9, "farther"), (0.2, 1.02, "farther"),
])  # fmt: skip
def test_whoever_aims_is_told_where_to_go(left: float, right: float, advice: str) -> None:
    assert view_of(row(left, right), SHAPE).advice == advice


def test_without_tiles_the_camera_is_to_be_aimed() -> None:
    assert view_of(np.zeros((0, 4, 2), np.float32), SHAPE).advice == "aim"


def frame_of(width: int, height: int) -> bytes:
    image = cv2.imread(str(SAMPLES_FOLDER / "samples" / "south.jpg"))
    assert image is not None
    return cv2.imencode(".jpg", cv2.resize(image, (width, height)))[1].tobytes()


def test_the_tiles_of_a_frame_are_counted_in_its_own_pixels() -> None:
    view = look_at(frame_of(640, 480))
    assert (len(view.tiles), view.advice, view.size) == (16, "", (640, 480))
    corners = np.array(view.tiles)
    assert corners.shape == (16, 4, 2)
    assert (corners >= 0).all()
    assert (corners <= view.size).all()


def test_a_frame_that_would_cost_time_is_refused_by_its_header() -> None:
    with pytest.raises(PhotoRejected, match=str(MAX_FRAME_SIDE)):
        look_at(frame_of(MAX_FRAME_SIDE + 8, 480)[:900])
