"""The truth of path-traced scenes is exact: corners, what is seen, and what is left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.pathtraced.table.plan import Floats, Placed, ScenePlan
from datasets.pathtraced.truth import (
    LABELS,
    image_row,
    lines_shown,
    shown_quad,
    tile_rows,
    visible_share,
)
from scorer.tiles import BACK
from tests.datasets.pathtraced.traced_scenes import planned, rendered


def outline(plan: ScenePlan, tile: Placed) -> Floats:
    """Outline (n, 2) of a tile with its rounded edges, in pixels."""
    half = np.array([1.0, plan.shape.height, plan.shape.depth]) / 2 - plan.shape.bevel
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    ball = np.random.default_rng(0).normal(0, 1, (3000, 3))
    ball *= plan.shape.bevel / np.linalg.norm(ball, axis=1, keepdims=True)
    points = (corners[:, None] + ball).reshape(-1, 3)
    seen = plan.view.project(tile.centre + points @ tile.axes.T).astype(np.float32)
    return np.asarray(cv2.convexHull(seen)[:, 0], np.float64)


def test_projected_tiles_agree_with_what_was_rendered_to_a_fraction_of_a_pixel() -> None:
    plan, index = planned(1), rendered()
    assert index.shape == plan.view.size
    away = []
    for number, tile in enumerate(plan.tiles):
        hull = outline(plan, tile)
        rows, columns = np.nonzero(index == number)
        moments = cv2.moments(hull.astype(np.float32))
        if abs(len(rows) / moments["m00"] - 1) > 0.004:
            continue
        middle = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
        away.append(middle - (columns.mean(), rows.mean()))
        assert np.abs(hull.min(axis=0) - (columns.min(), rows.min())).max() < 1.2
        assert np.abs(hull.max(axis=0) - (columns.max(), rows.max())).max() < 1.2
    assert len(away) >= 6
    assert np.abs(away).max() < 0.25
    assert np.abs(np.mean(away, axis=0)).max() < 0.1


def test_the_inside_of_each_quad_shows_its_tile() -> None:
    plan, index = planned(1), rendered()
    rows = tile_rows(plan, index)
    names = dict(enumerate(LABELS, 1))
    found = Counter(names[row["category_id"]] for row in rows)
    assert found[BACK] >= 4
    checked = 0
    for number, tile in enumerate(plan.tiles):
        quad, back, _ = shown_quad(plan, tile)
        if tile.hand < 0 or visible_share(quad, index == number) < 0.9:
            continue
        inner = (quad + (quad.mean(axis=0) - quad) * 0.2).astype(np.float32)
        mask = np.zeros(index.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(inner).astype(np.int32), 1)
        assert (index[mask > 0] == number).mean() > 0.995
        assert back == (tile.axes[2, 2] < -0.5)
        checked += 1
    assert checked >= 10


def test_corners_start_at_the_tiles_own_top_left() -> None:
    plan = planned(1)
    for tile in plan.tiles:
        quad, back, _ = shown_quad(plan, tile)
        top = plan.view.project(tile.centre + tile.axes[:, 1] * 0.1)
        bottom = plan.view.project(tile.centre - tile.axes[:, 1] * 0.1)
        right = plan.view.project(tile.centre + tile.axes[:, 0] * (-0.1 if back else 0.1))
        left = plan.view.project(tile.centre - tile.axes[:, 0] * (-0.1 if back else 0.1))
        assert (quad[0] - quad[3]) @ (top - bottom) > 0
        assert (quad[1] - quad[0]) @ (right - left) > 0
        assert cv2.contourArea(quad.astype(np.float32), oriented=True) > 0


def test_the_visible_share_counts_cover_and_the_pictures_edge() -> None:
    mask = np.zeros((100, 100), np.bool_)
    mask[:, :50] = True
    quad = np.array([[30.0, 30], [70, 30], [70, 70], [30, 70]])
    assert visible_share(quad, mask) == pytest.approx(0.5, abs=0.03)
    everywhere = np.ones((100, 100), np.bool_)
    assert visible_share(quad - 50, everywhere) == pytest.approx(0.25, abs=0.03)
    assert visible_share(quad + 200, everywhere) == 0.0


def test_covered_tiles_are_ignored_and_hidden_ones_left_out() -> None:
    plan, index = planned(1), rendered()
    number = next(
        n
        for n, tile in enumerate(plan.tiles)
        if tile.group == "hand" and visible_share(shown_quad(plan, tile)[0], index == n) > 0.95
    )
    quad = shown_quad(plan, plan.tiles[number])[0]

    def label(covered: float) -> str | None:
        changed = index.copy()
        cut = int(quad[:, 1].min() + covered * np.ptp(quad[:, 1]))
        changed[:cut][changed[:cut] == number] = -1
        rows = [
            row
            for row in tile_rows(plan, changed)
            if np.allclose(row["segmentation"][0], quad.ravel(), atol=0.01)
        ]
        return LABELS[rows[0]["category_id"] - 1] if rows else None

    assert label(0.0) == plan.tiles[number].tile
    assert label(0.5) == "ignore"
    assert label(1.0) is None


def test_tiles_that_nobody_can_read_are_ignored() -> None:
    plan, index = planned(1), rendered()
    view = plan.view

    def read(**changed: float) -> float:
        blurred = replace(plan, view=replace(view, **changed))  # type: ignore[arg-type]
        rows = tile_rows(blurred, index)
        return float(np.mean([LABELS[row["category_id"] - 1] != "ignore" for row in rows]))

    sharp = read(aperture=1000.0)
    assert sharp > read() > read(aperture=view.aperture / 2) > 0
    assert read(aperture=0.1) < 0.2


@pytest.mark.parametrize(("blur", "lines"), [(0.0, 20.0), (5.0, 9.1), (30.0, 1.7)])
def test_blur_leaves_fewer_lines_of_a_face(blur: float, lines: float) -> None:
    quad = np.array([[0.0, 0], [40, 0], [40, 30], [0, 30]])
    assert lines_shown(quad, blur) == pytest.approx(lines, rel=0.02)


def test_a_picture_in_which_a_players_tile_is_covered_says_so() -> None:
    plan = planned(1)
    tiles = tile_rows(plan, rendered())
    assert image_row(plan, "any", "any.jpg", tiles)["difficulty"] == list(plan.difficulty)
    fewer = [row for row in tiles if row["group"] != "bonus"]
    assert image_row(plan, "any", "any.jpg", fewer)["difficulty"][-1] == "covered"
