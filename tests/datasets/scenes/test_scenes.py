"""Rendered scenes: the truth that comes with a picture is the truth of the picture."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.crops.crops import cut_crops
from datasets.props.camera import Camera, TileBox, box_corners, look_at
from datasets.scenes.scenes import Scene, random_layout, random_scene, render
from datasets.scenes.tables import LaidHand, LaidMeld, lay_out, photograph_hand, random_hand
from datasets.sets.faces import FaceSet
from scorer.tiles import BACK, READING_LABELS, TILES

Image = NDArray[np.uint8]
TABLE: Image = np.full((640, 640, 3), 110, np.uint8)
SMALL_TABLE: Image = np.full((300, 300, 3), 110, np.uint8)
COLOURS = {"1m": (40, 40, 220), "6z": (40, 40, 220), "9p": (40, 200, 40), "7z": (220, 60, 40)}


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    """A set whose faces have a coloured head and a white foot, so that direction shows."""
    drawn: dict[str, tuple[Image, ...]] = {}
    for index, code in enumerate(TILES):
        face = np.full((128, 96, 3), 235, np.uint8)
        face[:64] = COLOURS.get(code, (index * 5, 255 - index * 5, 128))
        drawn[code] = (face,)
    return FaceSet(
        name="test",
        faces=drawn,
        body_bgr=(235, 235, 235),
        back_bgr=(0, 120, 0),
        side_bgrs=((235, 235, 235), (0, 120, 0)),
        proportion=0.75,
    )


def overhead(size: tuple[int, int], target: tuple[float, float] = (1.0, 0.0)) -> Camera:
    return look_at(
        np.array([*target, 0.0]),
        elevation=np.pi / 2,
        azimuth=0.0,
        roll=0.0,
        distance=10.0,
        focal=600.0,
        size=size,
    )


def mean_colour(scene: Scene, quad: np.ndarray, low: float, high: float) -> np.ndarray:
    left = quad[0] + (quad[3] - quad[0]) * np.array([[low], [high]])
    right = quad[1] + (quad[2] - quad[1]) * np.array([[low], [high]])
    band = np.array([left[0], right[0], right[1], left[1]])
    inner = band.mean(axis=0) + (band - band.mean(axis=0)) * 0.6
    mask = np.zeros(scene.image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, inner.astype(np.int32), 255)
    return np.array(cv2.mean(scene.image, mask)[:3])


def test_overhead_camera_shows_east_to_the_right_and_north_up() -> None:
    camera = overhead((400, 600))
    middle, right, up = camera.project(np.array([[1.0, 0, 0], [2.0, 0, 0], [1.0, 1.0, 0]]))
    assert middle == pytest.approx([300, 200])
    assert right == pytest.approx([360, 200])
    assert up == pytest.approx([300, 140])


@pytest.mark.parametrize("yaw", [0.0, 0.7, np.pi, -2.0])
def test_quads_start_at_the_tiles_own_top_left(faces: FaceSet, yaw: float) -> None:
    tiles = [TileBox("1m", 0.0, 0.0, yaw), TileBox("7z", 2.5, 0.0, yaw)]
    rng = np.random.default_rng(3)
    scene = render(rng, faces, tiles, overhead((400, 600)), (400, 600), TABLE[:400, :600])
    assert sorted(scene.labels) == ["1m", "7z"]
    for label, quad in zip(scene.labels, scene.quads, strict=True):
        head, foot = mean_colour(scene, quad, 0.05, 0.45), mean_colour(scene, quad, 0.55, 0.95)
        assert np.ptp(head) > 2 * np.ptp(foot), label


def test_colours_of_two_faces_are_where_their_quads_say(faces: FaceSet) -> None:
    tiles = [TileBox("1m", 0.0, 0.0), TileBox("7z", 2.0, 0.0)]
    scene = render(
        np.random.default_rng(5), faces, tiles, overhead((400, 600)), (400, 600), TABLE[:400, :600]
    )
    heads = {
        label: mean_colour(scene, quad, 0.05, 0.45)
        for label, quad in zip(scene.labels, scene.quads, strict=True)
    }
    assert heads["1m"].argmax() == 2
    assert heads["7z"].argmax() == 0


def test_a_tile_face_down_is_a_back(faces: FaceSet) -> None:
    tiles = [TileBox("1m", 1.0, 0.0, pose="down")]
    scene = render(
        np.random.default_rng(1), faces, tiles, overhead((300, 300)), (300, 300), SMALL_TABLE
    )
    assert scene.labels == (BACK,)
    assert mean_colour(scene, scene.quads[0], 0.1, 0.9).argmax() == 1


def test_a_covered_tile_counts_as_little_visible(faces: FaceSet) -> None:
    lower, upper = TileBox("1m", 1.0, 0.0), TileBox("7z", 1.1, 0.0, z=0.9)
    camera = overhead((300, 300))
    scene = render(np.random.default_rng(2), faces, [lower, upper], camera, (300, 300), SMALL_TABLE)
    seen = dict(zip(scene.labels, scene.visible, strict=True))
    assert seen["7z"] > 0.9
    assert seen["1m"] < 0.3


def test_a_tile_cut_by_the_edge_is_partly_visible(faces: FaceSet) -> None:
    camera = overhead((300, 300), (0.0, 0.0))
    tiles = [TileBox("1m", 2.5, 0.0), TileBox("9p", 0.0, 0.0)]
    scene = render(np.random.default_rng(2), faces, tiles, camera, (300, 300), SMALL_TABLE)
    seen = dict(zip(scene.labels, scene.visible, strict=True))
    assert seen["9p"] > 0.9
    assert 0.2 < seen["1m"] < 0.8


def test_front_and_rear_of_a_box_are_a_depth_apart() -> None:
    for pose in ("up", "down", "standing"):
        front, rear = box_corners(TileBox("1m", 3.0, -2.0, 0.4, pose), 1.33, 0.8)
        assert np.linalg.norm(front - rear, axis=1) == pytest.approx([0.8] * 4)
        assert min(front[:, 2].min(), rear[:, 2].min()) == pytest.approx(0.0)


def test_a_scene_depends_on_its_seed_alone(faces: FaceSet) -> None:
    first, again, other = (
        random_scene(np.random.default_rng(seed), [faces], (256, 256)) for seed in (7, 7, 8)
    )
    assert np.array_equal(first.image, again.image)
    assert np.array_equal(first.quads, again.quads)
    assert first.image.shape == other.image.shape
    assert not np.array_equal(first.image, other.image)


def test_in_some_layouts_like_tiles_follow_each_other(faces: FaceSet) -> None:
    shares = []
    for seed in range(30):
        labels = [tile.label for tile in random_layout(np.random.default_rng(seed), faces)]
        shares.append(np.mean([a == b for a, b in pairwise(labels)]))
    assert 5 <= sum(share > 0.35 for share in shares) <= 20


def test_scenes_show_known_labels_inside_the_ranges(faces: FaceSet) -> None:
    for seed in range(12):
        scene = random_scene(np.random.default_rng(seed), [faces], (256, 256))
        assert scene.quads.shape == (len(scene.labels), 4, 2)
        assert set(scene.labels) <= set(READING_LABELS)
        assert np.all((scene.visible >= 0) & (scene.visible <= 1))


def test_a_laid_hand_shows_all_its_tiles(faces: FaceSet) -> None:
    hand = LaidHand(("1m", "2m", "3m"), (LaidMeld(("7z",) * 4, concealed=True),), ("1f",))
    tiles = lay_out(np.random.default_rng(0), hand, 1.33)
    assert sum(tile.pose == "down" for tile in tiles) == 2
    scene = photograph_hand(np.random.default_rng(0), faces, hand, (600, 800))
    assert sorted(scene.labels) == sorted(["1m", "2m", "3m", "7z", "7z", BACK, BACK, "1f"])
    inside = (scene.quads >= 0).all(axis=(1, 2)) & (scene.quads < [800, 600]).all(axis=(1, 2))
    assert inside.all()


def test_random_hands_hold_at_most_four_of_a_kind() -> None:
    for seed in range(50):
        hand = random_hand(np.random.default_rng(seed))
        tiles = [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)]
        assert all(tiles.count(tile) <= 4 for tile in tiles)
        assert len(set(hand.bonus)) == len(hand.bonus)
        assert len(hand.concealed) + 3 * len(hand.melds) in {13, 14}


def test_crops_are_turned_as_they_say(faces: FaceSet) -> None:
    rng = np.random.default_rng(11)
    tiles = [TileBox("6z", x, y) for x in (-2.5, 0.0, 2.5) for y in (-3.0, 0.0, 3.0)]
    camera = overhead((640, 640), (0.0, 0.0))
    scene = render(rng, faces, tiles, camera, (640, 640), TABLE)
    agree = []
    for _ in range(8):
        crops = cut_crops(rng, scene, (64, 48))
        assert set(crops.labels) == {READING_LABELS.index("6z")}
        for image, turn in zip(crops.images.astype(int), crops.turns, strict=True):
            red = image[..., 2] - image[..., 0]
            halves = [red[:28].mean(), red[:, 28:].mean(), red[36:].mean(), red[:, :20].mean()]
            agree.append(int(np.argmax(halves)) == turn)
    assert len(agree) >= 60
    assert np.mean(agree) > 0.85
