"""How the picture moves from one frame to the next: the camera itself, and things before it.

Corners of a small grey copy are followed by optical flow (Lucas and Kanade); the projective change
of view that most of them agree on is the camera's movement. What differs after that movement is
taken out has changed on the table: a hand, a tile that was laid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2

Matrix = NDArray[np.float64]
Image = NDArray[np.uint8]

SMALL_WIDTH: Final = 320
"""Pixels across the copy in which movement is measured."""

STEADY_SPEED: Final = 0.08
"""Picture widths per second up to which the camera is still enough to read: at a thirtieth of a
second per picture, tiles a twentieth of its width wide are smeared by a twentieth of their own."""

STEADY_CHANGE: Final = 0.015
"""The share of the picture, 0..1, that may change in a view that is still."""

_GREY_STEP: Final = 22
"""Grey levels, of 255, by which a pixel must differ to have changed."""
_MOST_POINTS: Final = 160
_LEAST_POINTS: Final = 12
_LEAST_INLIERS: Final = 0.5
_RANSAC_PX: Final = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """What moved since the frame before.

    Attributes:
        carry: (3, 3) float64, takes pixels of the frame before to pixels of this one.
        followed: whether the camera's movement could be followed; if not, ``carry`` says nothing.
        speed: picture widths per second at which the camera moves.
        changed: share 0..1 of the picture that changed apart from the camera's movement.
    """

    carry: Matrix
    followed: bool
    speed: float
    changed: float

    @property
    def steady(self) -> bool:
        """Whether the view stands still enough to be read."""
        return self.followed and self.speed <= STEADY_SPEED and self.changed <= STEADY_CHANGE


class MotionMeter:
    """Compares each frame with the one before it."""

    def __init__(self) -> None:
        self._grey: Image | None = None
        self._seconds = 0.0

    def measure(self, image: Image, seconds: float) -> Motion:
        """The movement up to this frame.

        Args:
            image: (h, w, 3) uint8 BGR; frames of another size start anew.
            seconds: when it was taken.
        """
        grey = small_grey(image)
        before, elapsed = self._grey, seconds - self._seconds
        self._grey, self._seconds = grey, seconds
        if before is None or before.shape != grey.shape or elapsed <= 0:
            return Motion(np.eye(3), followed=False, speed=np.inf, changed=1.0)
        small = _camera_movement(before, grey)
        if small is None:
            return Motion(np.eye(3), followed=False, speed=np.inf, changed=1.0)
        height, width = grey.shape
        inner = np.array([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]) * [width, height]
        moved = carried(small, inner) - inner
        speed = float(np.linalg.norm(moved, axis=1).max()) / width / elapsed
        scale = np.diag([image.shape[1] / width, image.shape[0] / height, 1.0])
        carry = scale @ small @ np.linalg.inv(scale)
        return Motion(carry, followed=True, speed=speed, changed=_changed(before, grey, small))


def small_grey(image: Image) -> Image:
    """The picture in grey, :data:`SMALL_WIDTH` pixels wide and a little blurred."""
    height = max(1, round(image.shape[0] * SMALL_WIDTH / image.shape[1]))
    small = cv2.resize(image, (SMALL_WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0))


def carried(matrix: Matrix, points: NDArray[np.floating]) -> Matrix:
    """Points (..., 2) after the projective change of view ``matrix`` (3, 3)."""
    flat = points.astype(np.float64) @ matrix[:, :2].T + matrix[:, 2]
    result: Matrix = flat[..., :2] / flat[..., 2:]
    return result


def difference(first: Image, second: Image) -> float:
    """Share 0..1 of the pixels of two small grey pictures that differ."""
    return float((cv2.absdiff(first, second) > _GREY_STEP).mean())


def _camera_movement(before: Image, now: Image) -> Matrix | None:
    """(3, 3) from the one grey picture to the other; None if it cannot be followed."""
    found = cv2.goodFeaturesToTrack(before, _MOST_POINTS, 0.01, 6)
    if len(np.atleast_1d(found)) < _LEAST_POINTS:
        return np.eye(3) if difference(before, now) <= STEADY_CHANGE else None
    after, status, _ = cv2.calcOpticalFlowPyrLK(before, now, found, np.empty_like(found))
    kept = status.ravel() == 1
    if kept.sum() < _LEAST_POINTS:
        return None
    matrix, inliers = cv2.findHomography(found[kept], after[kept], cv2.RANSAC, _RANSAC_PX)
    if matrix is None or inliers.mean() < _LEAST_INLIERS:
        return None
    return np.asarray(matrix, np.float64)


def _changed(before: Image, now: Image, matrix: Matrix) -> float:
    """Share of the pixels seen in both that differ once the movement is taken out."""
    extent = (now.shape[1], now.shape[0])
    warped = cv2.warpPerspective(before, matrix, extent)
    seen = cv2.warpPerspective(np.full_like(before, 255), matrix, extent) == 255
    if not seen.any():
        return 1.0
    return float((cv2.absdiff(warped, now) > _GREY_STEP)[seen].mean())
