"""Quads without a tile really have none, and crops of them are marked so."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.crops.crops import crops_without_tiles, cut_crops
from datasets.crops.negatives import MAX_OVERLAP, is_no_tile, overlap, quads_without_tiles
from datasets.scenes.scenes import Scene

SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)


def two_rows(labels: tuple[str, ...], width: float = 40.0) -> Scene:
    """Touching tiles in rows of six, white on green, each with a dark middle."""
    image = np.full((400, 400, 3), (60, 110, 40), np.uint8)
    quads = []
    for index in range(len(labels)):
        x, y = 60 + width * (index % 6), 80 + 1.4 * width * (index // 6)
        quad = np.array([[x, y], [x + width, y], [x + width, y + 1.35 * width], [x, y + 54]])
        cv2.fillConvexPoly(image, quad.astype(np.int32), (240, 240, 240))
        quads.append(quad)
    return Scene(image, labels, np.array(quads, np.float32), np.ones(len(labels), np.float32))


@pytest.mark.parametrize(("shift", "wanted"), [(0, 1.0), (5, 1 / 3), (10, 0.0), (30, 0.0)])
def test_overlap_of_shifted_squares(shift: float, wanted: float) -> None:
    assert overlap(SQUARE, SQUARE + np.array([shift, 0], np.float32)) == pytest.approx(
        wanted, abs=1e-5
    )


def test_a_quad_is_no_tile_only_where_it_misses_them_all() -> None:
    tiles = np.stack([SQUARE, SQUARE + 40])
    assert not is_no_tile(SQUARE + 1, tiles)
    assert not is_no_tile(SQUARE + 41, tiles)
    assert is_no_tile(SQUARE + np.array([5, 0], np.float32), tiles)
    assert is_no_tile(SQUARE + 20, tiles)
    assert is_no_tile(SQUARE, tiles[:0])


def test_quads_without_tiles_overlap_none_and_lie_in_the_picture() -> None:
    scene = two_rows(("1m", "2p", "3s", "5z", "blank", "1f") * 2)
    quads = quads_without_tiles(np.random.default_rng(3), scene, 300)
    assert 100 < len(quads) <= 300
    shares = [max(overlap(quad, tile) for tile in scene.quads) for quad in quads]
    assert max(shares) < MAX_OVERLAP
    assert sum(share > 0.1 for share in shares) > 50, "parts and pairs of tiles are the hard ones"
    middles = quads.mean(axis=1)
    assert middles.min() > 0
    assert middles.max() < 400


def test_part_of_a_plain_tile_is_never_said_to_be_none() -> None:
    scene = two_rows(("blank",) * 6)
    for quad in quads_without_tiles(np.random.default_rng(4), scene, 300):
        low, high = quad.min(axis=0), quad.max(axis=0)
        within = (low >= scene.quads.min(axis=1)) & (high <= scene.quads.max(axis=1))
        assert not within.all(axis=1).any()


def test_crops_without_a_tile_are_marked_and_as_many_as_asked_for() -> None:
    rng = np.random.default_rng(5)
    scene = two_rows(("1m",) * 12)
    both = [cut_crops(rng, scene, (32, 24), 0.5) for _ in range(20)]
    none = sum(int((~crops.valid).sum()) for crops in both)
    assert all(crops.valid.sum() == 12 for crops in both)
    assert 60 < none < 130
    assert all((crops.turns[~crops.valid] == -1).all() for crops in both)
    assert cut_crops(rng, scene, (32, 24)).valid.all()
    empty = Scene(scene.image, (), np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
    crops = cut_crops(rng, empty, (32, 24), 0.5)
    assert len(crops.valid) > 5
    assert not crops.valid.any()


def test_crops_are_joined_and_chosen_together() -> None:
    rng = np.random.default_rng(6)
    crops = cut_crops(rng, two_rows(("1m", "2p", "3s")), (32, 24), 1.0)
    joined = crops.joined(crops)
    assert len(joined.images) == len(joined.labels) == len(joined.turns) == 2 * len(crops.valid)
    last = joined.chosen(np.array([len(joined.valid) - 1, 0]))
    assert np.array_equal(last.images[1], crops.images[0])
    assert list(last.valid) == [crops.valid[-1], crops.valid[0]]


def test_crops_without_tiles_are_marked_so() -> None:
    more = crops_without_tiles(np.zeros((3, 32, 24, 3), np.uint8))
    assert not more.valid.any()
    assert list(more.turns) == [-1] * 3
    assert len(crops_without_tiles(more.images[:0]).labels) == 0
