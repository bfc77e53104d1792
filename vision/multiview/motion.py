"""Motion from one frame to the next: of the camera itself, and of things in front of it.

Corners in a small grey copy of the frame are followed by optical flow (Lucas and Kanade); the
homography that most of them agree on is the motion of the camera. Pixels that differ after that
motion is compensated have changed on the table: a hand, a tile that was laid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.photo.thresholds import STEADY_SPEED
from vision.runtime.opencv import cv2

Matrix = NDArray[np.float64]
Image = NDArray[np.uint8]

SMALL_WIDTH: Final = 320
"""Width in pixels of the copy in which motion is measured."""

STEADY_CHANGE: Final = 0.015
"""Maximum share of the picture, 0..1, that changes in a still view."""

_GREY_STEP: Final = 22
"""Grey levels, 0..255, by which a pixel must differ to have changed."""


@dataclass(frozen=True, slots=True)
class Flow:
    """How the motion of the camera is found by optical flow.

    Attributes:
        most_points: maximum number of corners that are followed.
        least_points: minimum number of corners that must be found and followed.
        least_inliers: minimum share of the corners that agree on the homography.
        ransac: distance in pixels of the small copy within which a corner agrees.
    """

    most_points: int = 160
    least_points: int = 12
    least_inliers: float = 0.5
    ransac: float = 1.5


FLOW: Final = Flow()


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """The motion since the frame before.

    Attributes:
        carry: (3, 3) float64 homography from pixels of the frame before to this one.
        followed: whether the motion of the camera could be followed; if not, ``carry`` has no
            meaning.
        speed: speed of the camera in picture widths per second.
        changed: share of the picture, 0..1, that changed besides the motion of the camera.
        grey: :func:`small_grey` of this frame.
    """

    carry: Matrix
    followed: bool
    speed: float
    changed: float
    grey: Image

    @property
    def steady(self) -> bool:
        """Whether the view is still enough to be read."""
        return self.followed and self.speed <= STEADY_SPEED and self.changed <= STEADY_CHANGE


class MotionMeter:
    """Measures the motion from each frame to the next."""

    def __init__(self) -> None:
        self._grey: Image | None = None
        self._seconds = 0.0

    def measure(self, image: Image, seconds: float) -> Motion:
        """The motion since the frame before.

        Args:
            image: (h, w, 3) uint8 BGR; after a frame of another size nothing can be followed.
            seconds: the time at which the frame was taken.
        """
        grey = small_grey(image)
        before, elapsed = self._grey, seconds - self._seconds
        self._grey, self._seconds = grey, seconds
        lost = Motion(np.eye(3), followed=False, speed=np.inf, changed=1.0, grey=grey)
        if before is None or before.shape != grey.shape or elapsed <= 0:
            return lost
        small = _camera_movement(before, grey)
        if small is None:
            return lost
        height, width = grey.shape
        inner = np.array([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]) * [width, height]
        moved = carried(small, inner) - inner
        speed = float(np.linalg.norm(moved, axis=1).max()) / width / elapsed
        scale = np.diag([image.shape[1] / width, image.shape[0] / height, 1.0])
        carry = scale @ small @ np.linalg.inv(scale)
        changed = _changed(before, grey, small)
        return Motion(carry, followed=True, speed=speed, changed=changed, grey=grey)


def small_grey(image: Image) -> Image:
    """A slightly blurred grey copy of the picture, :data:`SMALL_WIDTH` pixels wide."""
    height = max(1, round(image.shape[0] * SMALL_WIDTH / image.shape[1]))
    small = cv2.resize(image, (SMALL_WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0))


def carried(matrix: Matrix, points: NDArray[np.floating]) -> Matrix:
    """Points (..., 2) transformed by the homography ``matrix`` (3, 3)."""
    flat = points.astype(np.float64) @ matrix[:, :2].T + matrix[:, 2]
    result: Matrix = flat[..., :2] / flat[..., 2:]
    return result


def in_view(quad: NDArray[np.floating], shape: tuple[int, ...]) -> bool:
    """Whether all corners (4, 2) lie in a picture of ``shape`` (height, width, ...)."""
    return bool(
        (quad >= 0).all() and (quad[:, 0] < shape[1]).all() and (quad[:, 1] < shape[0]).all()
    )


def difference(first: Image, second: Image) -> float:
    """The share, 0..1, of pixels in which two small grey pictures differ."""
    return float((cv2.absdiff(first, second) > _GREY_STEP).mean())


def _camera_movement(before: Image, now: Image) -> Matrix | None:
    """Homography (3, 3) between two small grey pictures; None if the camera cannot be followed."""
    found = cv2.goodFeaturesToTrack(before, FLOW.most_points, 0.01, 6)
    if len(np.atleast_1d(found)) < FLOW.least_points:
        return np.eye(3) if difference(before, now) <= STEADY_CHANGE else None
    after, status, _ = cv2.calcOpticalFlowPyrLK(before, now, found, np.empty_like(found))
    kept = status.ravel() == 1
    if kept.sum() < FLOW.least_points:
        return None
    matrix, inliers = cv2.findHomography(found[kept], after[kept], cv2.RANSAC, FLOW.ransac)
    if matrix is None or inliers.mean() < FLOW.least_inliers:
        return None
    return np.asarray(matrix, np.float64)


def _changed(before: Image, now: Image, matrix: Matrix) -> float:
    """The share, 0..1, of the pixels in both pictures that differ besides the camera's motion."""
    extent = (now.shape[1], now.shape[0])
    warped = cv2.warpPerspective(before, matrix, extent)
    seen = cv2.warpPerspective(np.full_like(before, 255), matrix, extent) == 255
    if not seen.any():
        return 1.0
    return float((cv2.absdiff(warped, now) > _GREY_STEP)[seen].mean())
