"""A pin-hole camera over a table, and tiles as boxes on it.

World units are tile widths; x and y span the table, z points up. Image coordinates are pixels from
the top-left corner of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """A 3x4 projection matrix and the camera's place in the world (3,)."""

    matrix: Floats
    position: Floats

    def project(self, points: Floats) -> Floats:
        """Image coordinates (..., 2) in pixels of world points (..., 3)."""
        homogeneous = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return homogeneous[..., :2] / homogeneous[..., 2:]


def look_at(
    target: Floats,
    *,
    elevation: float,
    azimuth: float,
    roll: float,
    distance: float,
    focal: float,
    size: tuple[int, int],
) -> Camera:
    """A camera that looks at ``target`` (3,).

    Args:
        target: world point shown in the middle of the picture.
        elevation: radians above the table, up to pi / 2 for a view from straight above.
        azimuth: radians around the z axis; 0 looks along +y.
        roll: radians by which the phone is turned about its own axis.
        distance: from camera to target in tile widths.
        focal: focal length in pixels.
        size: (height, width) of the picture in pixels.
    """
    flat = np.array([np.sin(azimuth), np.cos(azimuth), 0.0])
    forward = flat * np.cos(elevation) + np.array([0.0, 0.0, -np.sin(elevation)])
    right = np.array([np.cos(azimuth), -np.sin(azimuth), 0.0])
    down = np.cross(forward, right)
    position = target - forward * distance
    rotation = np.stack([right, down, forward])
    turn = np.array(
        [[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1.0]]
    )
    rotation = turn @ rotation
    height, width = size
    intrinsic = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
    extrinsic = np.hstack([rotation, (-rotation @ position)[:, None]])
    return Camera(intrinsic @ extrinsic, position)


@dataclass(frozen=True, slots=True)
class TileBox:
    """A tile on the table.

    Attributes:
        label: label of its face.
        x: centre on the table along x, in tile widths.
        y: centre on the table along y, in tile widths.
        z: height of its underside above the table.
        yaw: radians, counter-clockwise seen from above; at 0 the face's top points along +y.
        pose: ``up`` (face up), ``down`` (face down), ``standing`` (face towards -y at yaw 0) or
            ``racked`` (face up, raised by ``lean`` against a rack).
        lean: radians by which the head of a lying tile is raised about its foot, as on a rack.
    """

    label: str
    x: float
    y: float
    yaw: float = 0.0
    pose: str = "up"
    z: float = 0.0
    lean: float = 0.0


def _raised(points: Floats, lean: float, height: float) -> Floats:
    """Points (n, 3) of a lying tile after its head is lifted about its foot."""
    along, up = points[:, 1] + height / 2, points[:, 2]
    cos, sin = np.cos(lean), np.sin(lean)
    return np.stack([points[:, 0], along * cos - up * sin - height / 2, along * sin + up * cos], 1)


def box_corners(tile: TileBox, height: float, depth: float) -> tuple[Floats, Floats]:
    """The eight corners of a tile of width 1, as its shown side and the side behind it.

    Args:
        tile: the pose and place of the tile.
        height: height of the face in tile widths.
        depth: depth from face to back in tile widths.

    Returns:
        front (4, 3) and rear (4, 3) world points, each top-left, top-right, bottom-right,
        bottom-left as seen when looking at the shown side the right way up.
    """
    face = np.array(
        [
            [-0.5, height / 2, 0],
            [0.5, height / 2, 0],
            [0.5, -height / 2, 0],
            [-0.5, -height / 2, 0],
        ]
    )
    if tile.pose == "standing":
        lift = height / 2
        front = np.stack([face[:, 0], np.full(4, -depth / 2), face[:, 1] + lift], axis=1)
        rear = front + np.array([0.0, depth, 0.0])
    else:
        front = face + np.array([0.0, 0.0, depth])
        rear = face
        front, rear = _raised(front, tile.lean, height), _raised(rear, tile.lean, height)
    cos, sin = np.cos(tile.yaw), np.sin(tile.yaw)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
    place = np.array([tile.x, tile.y, tile.z])
    return front @ turn.T + place, rear @ turn.T + place
