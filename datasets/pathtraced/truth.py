"""The annotations of a rendered scene, in the form of the annotated photographs."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.pathtraced.table.plan import UNIT_MM, Floats, Placed, ScenePlan
from datasets.pathtraced.table.views import face_points
from datasets.photographs.benchmark import TrueHand
from datasets.scenes.scenes import INSET
from datasets.sets.coco import IGNORE
from datasets.sets.sources import VAL_DESIGNS
from scorer.tiles import BACK, TILES
from vision.geometry.quads import sides_of

LABELS: Final = (*TILES, BACK, IGNORE)
"""The labels of the COCO categories, numbered from 1 in this order."""

MIN_VISIBLE: Final = 0.7
"""Visible share below which a tile is labelled ``ignore``."""
_MIN_SHOWN: Final = 0.12
"""Visible share below which a tile is not annotated."""
_MIN_SINE: Final = 0.17
"""Sine of the angle of view below which a tile is labelled ``ignore``."""
MIN_LINES: Final = 9.0
"""Number of distinguishable lines below which a tile is labelled ``ignore``.

People cannot read most faces with fewer lines.
"""
_PIXEL: Final = 1.5
"""Width in pixels of a point in focus, after the phone's smoothing and the JPEG."""
_DISC: Final = 0.59
"""Perceived width of a point out of focus, as a share of its disc's diameter."""


def _blur(plan: ScenePlan, distance: float) -> float:
    """Diameter in pixels of the disc that a point at a distance becomes."""
    view = plan.view
    lens = view.focal / max(view.size) * 36.0
    opening = lens / view.aperture / UNIT_MM
    return float(view.focal * opening * abs(1 / view.focus - 1 / distance))


def lines_shown(quad: Floats, blur: float) -> float:
    """Number of distinguishable lines across the shorter sides of a quad (4, 2) in pixels.

    Args:
        quad: corners of a face.
        blur: diameter in pixels of the disc that one of its points becomes.
    """
    shorter = sides_of(quad[np.newaxis].astype(np.float32))[0][0]
    return float(shorter / np.hypot(_PIXEL, _DISC * blur))


def shown_quad(plan: ScenePlan, tile: Placed) -> tuple[Floats, bool, float]:
    """The side of a tile that faces the phone.

    Returns:
        Its quad (4, 2) in pixels, slightly inside the edge as on all annotated photographs;
        whether it is the back; and the sine of the angle of view.
    """
    ray = plan.view.position - tile.centre
    slant = float(tile.axes[:, 2] @ ray / np.linalg.norm(ray))
    back = slant < 0
    corners = face_points(tile, plan.shape, back=back)
    quad = plan.view.project(corners)
    ray = plan.view.position - corners.mean(axis=0)
    side = -1.0 if back else 1.0
    sine = float(side * (tile.axes[:, 2] @ ray) / np.linalg.norm(ray))
    return quad + (quad.mean(axis=0) - quad) * 2 * INSET, back, sine


def visible_share(quad: Floats, mask: NDArray[np.bool_]) -> float:
    """Share of a quad (4, 2) that lies on a mask (h, w), the part outside the picture included."""
    height, width = mask.shape
    low = np.clip(np.floor(quad.min(axis=0)).astype(int), 0, (width, height))
    high = np.clip(np.ceil(quad.max(axis=0)).astype(int) + 1, 0, (width, height))
    if np.any(high <= low):
        return 0.0
    inside = np.zeros(tuple(high[::-1] - low[::-1]), np.uint8)
    shifted = np.round((quad - low) * 16).astype(np.int32)
    cv2.fillConvexPoly(inside, shifted, 1, cv2.LINE_8, 4)
    seen = mask[low[1] : high[1], low[0] : high[0]] & (inside > 0)
    return float(min(1.0, seen.sum() / max(1.0, cv2.contourArea(quad.astype(np.float32)))))


def _readable(plan: ScenePlan, tile: Placed, quad: Floats, visible: float, sine: float) -> bool:
    height, width = plan.view.size
    inside = (quad > -2).all() and (quad < (width + 1, height + 1)).all()
    distance = float((tile.centre - plan.view.position) @ plan.view.rotation[2])
    clear = lines_shown(quad, _blur(plan, distance)) >= MIN_LINES
    return bool(visible >= MIN_VISIBLE and inside and sine >= _MIN_SINE and clear)


def tile_rows(plan: ScenePlan, index: NDArray[np.int32]) -> list[dict[str, Any]]:
    """COCO annotations without ids of all visible tiles.

    Args:
        plan: the scene.
        index: (h, w) number of the tile that each pixel shows, -1 for none.
    """
    rows = []
    for number, tile in enumerate(plan.tiles):
        quad, back, sine = shown_quad(plan, tile)
        visible = visible_share(quad, index == number)
        if sine <= 0 or visible < _MIN_SHOWN:
            continue
        readable = _readable(plan, tile, quad, visible, sine)
        label = (BACK if back else tile.tile) if readable else IGNORE
        low, high = quad.min(axis=0), quad.max(axis=0)
        rows.append(
            {
                "category_id": LABELS.index(label) + 1,
                "segmentation": [[round(float(v), 2) for v in quad.ravel()]],
                "bbox": [round(float(v), 1) for v in (*low, *(high - low))],
                "area": round(cv2.contourArea(quad.astype(np.float32))),
                "iscrowd": 0,
                "tile": tile.tile,
                "hand": tile.hand,
                "group": tile.group,
                "visible": round(visible, 2),
            }
        )
    return rows


def hand_row(hand: TrueHand) -> dict[str, Any]:
    """A true hand in the form of the annotation file."""
    return {
        "seat": hand.seat,
        "position": hand.position,
        "concealed": list(hand.concealed),
        "melds": [
            {
                "kind": meld.kind,
                "tiles": list(meld.tiles),
                "concealed": meld.concealed,
                "down": list(meld.down),
            }
            for meld in hand.melds
        ],
        "bonus": list(hand.bonus),
        "won": hand.won,
    }


def _split(plan: ScenePlan) -> str:
    if plan.layout == "profile":
        return "profile"
    return "val" if plan.design in VAL_DESIGNS else "train"


def image_row(
    plan: ScenePlan, set_name: str, file_name: str, tiles: list[dict[str, Any]]
) -> dict[str, Any]:
    """The picture's own entry; its id is the scene's number.

    Args:
        plan: the scene.
        set_name: name of the tile set.
        file_name: name of the picture's file.
        tiles: the annotations from :func:`tile_rows`.
    """
    height, width = plan.view.size
    readable = [row for row in tiles if LABELS[row["category_id"] - 1] != IGNORE]
    seen = sum(row["hand"] >= 0 for row in readable)
    covered = seen < sum(tile.hand >= 0 for tile in plan.tiles)
    return {
        "id": plan.number,
        "file_name": file_name,
        "width": width,
        "height": height,
        "set": set_name,
        "split": _split(plan),
        "layout": plan.layout,
        "difficulty": [*plan.difficulty, *(["covered"] if covered else [])],
        "hands": [hand_row(hand) for hand in plan.hands],
    }


def categories() -> list[dict[str, Any]]:
    """The COCO categories."""
    return [
        {"id": number, "name": label, "supercategory": "tile"}
        for number, label in enumerate(LABELS, 1)
    ]
