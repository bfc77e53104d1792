"""Scenes of the world: what is laid is what the truth says, whatever the set's backs look like."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.props.camera import Camera, TileBox, box_corners, look_at
from datasets.scenes.backs import draw_back_picture
from datasets.scenes.makes import WHITE, Make, is_plain, plain_dragons, random_make
from datasets.scenes.scenes import Conditions, Scene, render
from datasets.scenes.world import empty_scene, shown_to, table_scene, whites_scene, world_scene
from datasets.sets.faces import BACK_SIZE, FaceSet
from scorer.tiles import BACK, BLANK, READING_LABELS, TILES

SIZE = (240, 320)
PAPER = (235, 240, 245)


def printed(ink: tuple[int, int, int]) -> np.ndarray:
    face = np.full((90, 68, 3), PAPER, np.uint8)
    cv2.circle(face, (34, 45), 20, ink, -1)
    return face


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    prints = {label: (printed((40, 40, 5 * i)),) for i, label in enumerate(TILES)}
    return FaceSet("test", prints, PAPER, (60, 130, 40), (PAPER, (60, 130, 40)), 0.75)


def camera(azimuth: float = 0.0, elevation: float = 60.0) -> Camera:
    return look_at(
        np.zeros(3),
        elevation=np.deg2rad(elevation),
        azimuth=azimuth,
        roll=0.0,
        distance=8.0,
        focal=400.0,
        size=SIZE,
    )


def photograph(faces: FaceSet, tiles: list[TileBox], seen: Camera) -> Scene:
    dark = np.full((*SIZE, 3), 30, np.uint8)
    return render(np.random.default_rng(3), faces, tiles, seen, SIZE, dark)


def inside(scene: Scene, index: int) -> np.ndarray:
    """The pixels of the middle of a shown side, (40, 30, 3)."""
    corners = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
    quad = scene.quads[index] * 0.7 + scene.quads[index].mean(axis=0) * 0.3
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), corners)
    return np.asarray(cv2.warpPerspective(scene.image, matrix, (30, 40)))


def test_a_world_depends_on_its_seed_alone(faces: FaceSet) -> None:
    for seed in range(4):
        first, again = (world_scene(np.random.default_rng(seed), faces, SIZE) for _ in range(2))
        assert np.array_equal(first.image, again.image)
        assert first.labels == again.labels
        assert np.array_equal(first.quads, again.quads)


def test_worlds_show_known_labels_inside_the_ranges(faces: FaceSet) -> None:
    seen = set()
    for seed in range(16):
        scene = world_scene(np.random.default_rng(seed), faces, SIZE)
        assert scene.image.shape == (*SIZE, 3)
        assert scene.quads.shape == (len(scene.labels), 4, 2)
        assert np.all((scene.visible >= 0) & (scene.visible <= 1))
        seen |= {*scene.labels} or {""}
    assert seen <= {*READING_LABELS, ""}
    assert {"", BACK, WHITE} <= seen


def test_an_empty_picture_has_no_label(faces: FaceSet) -> None:
    rng = np.random.default_rng(1)
    scene = empty_scene(rng, random_make(rng, faces), SIZE)
    assert scene.labels == ()
    assert scene.quads.shape == (0, 4, 2)
    assert scene.image.std() > 5


def test_a_white_back_is_a_back(faces: FaceSet) -> None:
    white = replace(faces, back_bgr=PAPER, side_bgrs=(PAPER,))
    white = plain_dragons(Make(white, {}, WHITE)).faces
    tiles = [TileBox("1m", -1.0, 0.0, pose="down"), TileBox(WHITE, 1.0, 0.0)]
    scene = photograph(white, tiles, camera())
    assert sorted(scene.labels) == sorted([BACK, WHITE])
    colours = [inside(scene, index).mean(axis=(0, 1)) for index in range(2)]
    hues = [colour / colour.sum() for colour in colours]
    assert hues[0] == pytest.approx(hues[1], abs=0.02)


def test_a_picture_of_the_back_is_seen_on_it(faces: FaceSet) -> None:
    picture = np.zeros((*BACK_SIZE, 3), np.uint8)
    picture[::2] = 240
    picture[:45] = (20, 20, 220)
    tile = TileBox("1m", 0.0, 0.0, pose="down")
    scene = photograph(replace(faces, back_picture=picture), [tile], camera())
    assert scene.labels == (BACK,)
    head, foot = inside(scene, 0)[:15].mean(axis=(0, 1)), inside(scene, 0)[-15:].mean(axis=(0, 1))
    assert head[2] > 2 * head[0]
    assert foot[2] < 1.5 * foot[0]


@pytest.mark.parametrize("seed", range(12))
def test_pictures_of_backs_have_a_pattern_and_are_large_enough(seed: int) -> None:
    picture = draw_back_picture(np.random.default_rng(seed), (60, 130, 40))
    assert picture.dtype == np.uint8
    assert np.all(np.array(picture.shape[:2]) >= BACK_SIZE)
    assert picture.std(axis=(0, 1)).max() > 3


def test_a_tile_that_looks_away_shows_its_back_in_the_same_place(faces: FaceSet) -> None:
    tile = TileBox("1m", 0.0, 0.0, np.pi, "standing")
    assert shown_to(camera(np.pi), tile, 1 / 0.75) == tile
    away = shown_to(camera(), tile, 1 / 0.75)
    scene = photograph(faces, [away], camera(elevation=30))
    assert scene.labels == (BACK,)
    assert inside(scene, 0).mean(axis=(0, 1)).argmax() == 1
    own, other = (np.concatenate(box_corners(each, 1 / 0.75, 0.75)) for each in (tile, away))
    assert own.min(axis=0) == pytest.approx(other.min(axis=0), abs=1e-9)
    assert own.max(axis=0) == pytest.approx(other.max(axis=0), abs=1e-9)


def test_tables_show_many_backs_and_rows_of_whites_many_dragons(faces: FaceSet) -> None:
    counts = {BACK: 0, WHITE: 0}
    for seed, scene, label in ((3, table_scene, BACK), (4, whites_scene, WHITE)):
        for offset in range(3):
            rng = np.random.default_rng([seed, offset])
            make = plain_dragons(random_make(rng, faces))
            counts[label] += scene(rng, make, SIZE).labels.count(label)
    assert counts[BACK] > 15
    assert counts[WHITE] >= 3


def test_makes_say_which_plain_faces_they_hold(faces: FaceSet) -> None:
    makes = [random_make(np.random.default_rng(seed), faces) for seed in range(60)]
    spares = [make for make in makes if make.plain == BLANK]
    assert 2 <= len(spares) <= 20
    for make in spares:
        assert is_plain(make.faces, BLANK)
        assert not is_plain(make.faces, WHITE)
    plain = [make for make in makes if is_plain(make.faces, WHITE)]
    assert 10 <= len(plain) <= 35
    assert all(make.shares[BLANK] == 0 for make in plain)
    assert 8 <= sum(make.faces.back_picture is not None for make in makes) <= 30


def test_seams_darken_the_edges_of_sides_alone(faces: FaceSet) -> None:
    white = replace(faces, side_bgrs=(PAPER,))
    dark = np.full((*SIZE, 3), 30, np.uint8)
    tiles = [TileBox("1m", x, 0.0) for x in (-1.0, 0.0, 1.0)]
    low = camera(elevation=20)
    plain, seamed = (
        render(np.random.default_rng(3), white, tiles, low, SIZE, dark, Conditions(seam=seam))
        for seam in (0.0, 0.6)
    )
    assert np.array_equal(plain.quads, seamed.quads)
    darker = plain.image.astype(int).mean(axis=2) - seamed.image.mean(axis=2) > 25
    assert 0.001 < darker.mean() < 0.05
    assert darker[: int(plain.quads[..., 1].min()) - 3].sum() == 0


def test_no_tile_behind_the_camera_is_told(faces: FaceSet) -> None:
    for seed in range(10):
        rng = np.random.default_rng([9, seed])
        scene = table_scene(rng, Make(faces, {}, WHITE), SIZE)
        across, down = (scene.quads[:, i] - scene.quads[:, 0] for i in (1, 3))
        turning = across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]
        assert np.all(turning > 0)
