"""Hard pictures: things in front of tiles, poor light, racks and heaps, faces printed otherwise."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, pairwise

import cv2
import numpy as np
import pytest

from datasets.props.backgrounds import draw_background
from datasets.props.camera import Camera, TileBox, box_corners, look_at
from datasets.props.lookalikes.things import scatter_thing
from datasets.props.occluders import cover
from datasets.props.painting import coverage, relief, shaded
from datasets.scenes.layouts import LAYOUTS, STOREY, heap, pairs_and_blanks, player, rack, table
from datasets.scenes.photography import expose_poorly, light
from datasets.scenes.prints import Grain, pick_face
from datasets.scenes.scenes import Conditions, random_conditions, random_layout, render
from datasets.sets.faces import FaceSet

HEIGHT = 1 / 0.75
LEFT = (0.0, 0.0)


@pytest.fixture
def faces() -> FaceSet:
    """A set of two faces: a red disc on white, and nothing on white."""
    plain = np.full((160, 120, 3), 235, np.uint8)
    disc = plain.copy()
    cv2.circle(disc, (60, 60), 30, (30, 30, 200), -1)
    return FaceSet(
        "two", {"1p": (disc,), "5z": (plain,)}, (235,) * 3, (60, 120, 40), ((235,) * 3,), 0.75
    )


def overhead() -> Camera:
    """A camera straight above the origin; a tile is 100 pixels wide."""
    return look_at(
        np.zeros(3),
        elevation=np.pi / 2,
        azimuth=0.0,
        roll=0.0,
        distance=8.0,
        focal=800.0,
        size=(400, 600),
    )


@pytest.mark.parametrize("lean", [0.0, 0.6, 1.2])
def test_a_leaning_tile_keeps_its_size_and_its_foot(lean: float) -> None:
    front, rear = box_corners(TileBox("1p", 1.0, 2.0, 0.4, lean=lean), HEIGHT, 0.7)
    flat_front, flat_rear = box_corners(TileBox("1p", 1.0, 2.0, 0.4), HEIGHT, 0.7)
    for a, b in ((front, flat_front), (rear, flat_rear)):
        sides = np.linalg.norm(a - np.roll(a, 1, axis=0), axis=1)
        assert np.allclose(sides, np.linalg.norm(b - np.roll(b, 1, axis=0), axis=1))
    assert np.allclose(rear[2:], flat_rear[2:])
    assert rear[0, 2] == pytest.approx(HEIGHT * np.sin(lean))


def test_tiles_on_a_rack_lean_and_those_before_it_lie() -> None:
    leans = [
        t.lean for i in range(20) for t in rack(np.random.default_rng(i), lambda: "1p", HEIGHT)
    ]
    assert min(leans) == 0.0
    assert np.deg2rad(30) < max(leans) < np.pi / 2
    upper = [t.z for i in range(9) for t in heap(np.random.default_rng(i), lambda: "1p", HEIGHT)]
    assert 0.2 < np.mean(np.array(upper) > 0) < 0.6


def test_rows_of_equal_tiles_touch_and_hold_blanks() -> None:
    names = count()
    tiles = pairs_and_blanks(np.random.default_rng(2), lambda: f"x{next(names)}", HEIGHT)
    labels = [tile.label for tile in tiles]
    assert {"5z", "blank"} & set(labels)
    pairs = [(a, b) for a, b in pairwise(tiles) if a.y == b.y]
    assert all(b.x - a.x < 1.05 for a, b in pairs)
    assert any(a.label == b.label for a, b in pairs)


def test_a_table_has_hands_on_its_sides_and_walls_two_tiles_high() -> None:
    tables = [table(np.random.default_rng(i), lambda: "1p", HEIGHT) for i in range(12)]
    tiles = [tile for tiles in tables for tile in tiles]
    assert {tile.z for tile in tiles} == {0.0, STOREY}
    assert all(tile.pose == "down" for tile in tiles if tile.z)
    faces = [t for t in tiles if t.pose == "up" and max(abs(t.x), abs(t.y)) > 8]
    turned = {round(t.yaw / (np.pi / 2)) % 4 for t in faces}
    assert turned == {0, 1, 2, 3}


def test_stacked_tiles_rest_on_one_another_whatever_their_thickness(faces: FaceSet) -> None:
    lower = TileBox("1p", 0.0, 0.0, 0.0, "down")
    upper = replace(lower, z=STOREY)
    camera = look_at(
        np.array([0.0, 0.0, 0.5]),
        elevation=np.deg2rad(25),
        azimuth=0.0,
        roll=0.0,
        distance=12.0,
        focal=600.0,
        size=(320, 320),
    )
    lifts = []
    for seed in range(6):
        scene = render(np.random.default_rng(seed), faces, [lower, upper], camera, (320, 320))
        low, high = sorted(float(quad[:, 1].mean()) for quad in scene.quads)
        lifts.append(high - low)
    assert min(lifts) > 0.4 * 600 / 12
    assert np.ptp(lifts) > 3


def test_every_layout_uses_only_faces_that_the_set_has(faces: FaceSet) -> None:
    assert sum(share for _, share in LAYOUTS) == pytest.approx(1.0)
    for seed in range(60):
        tiles = random_layout(np.random.default_rng(seed), faces)
        assert tiles
        assert {tile.label for tile in tiles} <= set(faces.faces)


def test_a_thing_hides_what_its_outline_says() -> None:
    hidden = set()
    for seed in range(40):
        canvas = np.full((300, 300, 3), 77, np.uint8)
        outlines = cover(np.random.default_rng(seed), canvas, (150.0, 150.0), 60.0)
        inside = np.zeros((300, 300), np.uint8)
        for outline in outlines:
            cv2.fillPoly(inside, [np.round(outline).astype(np.int32)], 1)
        changed = (canvas != 77).any(axis=2)
        assert (changed & (cv2.dilate(inside, np.ones((5, 5))) == 0)).mean() < 0.01
        assert changed[inside > 0].mean() > 0.85
        hidden.add(round(float(inside.mean()), 3))
    assert len(hidden) > 20


def test_a_covered_tile_is_less_visible() -> None:
    quad = np.array([[40, 40], [140, 40], [140, 170], [40, 170]], np.float32)
    half = np.array([[0, 0], [90, 0], [90, 300], [0, 300]], np.float32)
    assert coverage([quad], [quad], (300, 300))[0] > 0.95
    assert coverage([quad], [quad], (300, 300), [half])[0] == pytest.approx(0.5, abs=0.06)


def test_covers_lower_visibility_in_a_rendered_scene(faces: FaceSet) -> None:
    tiles = [TileBox("1p", x, 0.0) for x in (-1.1, 0.0, 1.1)]
    seen = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        scene = render(rng, faces, tiles, overhead(), (400, 600), conditions=Conditions(covers=3))
        seen.append(scene.visible.min())
    clear = render(np.random.default_rng(0), faces, tiles, overhead(), (400, 600))
    assert clear.visible.min() > 0.9
    assert min(seen) < 0.5


def test_edges_towards_the_light_are_brighter() -> None:
    face = np.full((160, 120, 3), 150, np.uint8)
    form = relief(160, 120, 0.08)
    lit = shaded(face, form, 0.1, np.array([0.6, 0.0])).astype(int)
    assert lit[80, 118].mean() > 155
    assert lit[80, 1].mean() < 145
    assert abs(lit[80, 60].mean() - 150) < 3
    dark = shaded(face, form, 0.4, np.zeros(2)).astype(int)
    assert dark[80, 118].mean() == pytest.approx(dark[80, 1].mean(), abs=2)
    assert dark[80, 1].mean() < 125


def test_poor_light_varies_more_than_careful_light() -> None:
    grey = np.full((120, 120, 3), 128, np.float32)

    def levels(*, harsh: bool) -> tuple[float, float]:
        shots = [light(np.random.default_rng(i), grey, harsh=harsh) for i in range(60)]
        means = np.array([shot.mean(axis=(0, 1)) for shot in shots])
        return float(means.mean(axis=1).std()), float((means[:, 2] / means[:, 0]).std())

    careful, poor = levels(harsh=False), levels(harsh=True)
    assert poor[0] > 1.3 * careful[0]
    assert poor[1] > 1.3 * careful[1]


def test_a_poor_photo_is_noisy_but_keeps_large_shapes() -> None:
    image = np.full((200, 200, 3), 60, np.float32)
    image[:, 100:] = 160
    noise = []
    for seed in range(12):
        shot = expose_poorly(np.random.default_rng(seed), image.copy(), 50.0).astype(float)
        assert shot.shape == image.shape
        assert shot[:, 130:].mean() > shot[:, :70].mean() + 40
        noise.append(shot[:, :70].std())
    assert np.mean(noise) > 2


def test_reprinted_faces_differ_and_stay_the_same_tile(faces: FaceSet) -> None:
    tile, drawn = TileBox("1p", *LEFT), faces.faces["1p"][0]
    shots = [pick_face(np.random.default_rng(i), faces, tile, 1.0, None) for i in range(20)]
    assert sum(np.array_equal(shot, drawn) for shot in shots) == 0
    for shot in shots:
        ink = np.abs(shot.astype(int) - 235).max(axis=2) > 60
        assert 0.05 < ink.mean() < 0.35
        assert ink[40:80, 40:80].mean() > 0.7
    white = TileBox("5z", *LEFT)
    kept = [pick_face(np.random.default_rng(i), faces, white, 0.0, None) for i in range(9)]
    assert all(np.array_equal(face, faces.faces["5z"][0]) for face in kept)


def test_the_grain_of_backs_runs_along_or_across_the_tile(faces: FaceSet) -> None:
    tile = TileBox("1p", *LEFT, pose="down")
    for seed in range(5):
        for axis, grain in enumerate((Grain(0.2, across=True), Grain(0.2, across=False))):
            back = pick_face(np.random.default_rng(seed), faces, tile, 0.0, grain).astype(float)
            steps = [np.abs(np.diff(back, axis=a)).mean() for a in (axis, 1 - axis)]
            assert steps[0] > 3 * steps[1]
    plain = pick_face(np.random.default_rng(1), faces, tile, 0.0, None)
    assert (plain == plain[0, 0]).all()


def test_training_pictures_are_hard_in_stated_shares() -> None:
    drawn = [random_conditions(np.random.default_rng(i)) for i in range(300)]
    assert 0.2 < np.mean([c.harsh for c in drawn]) < 0.4
    assert 0.1 < np.mean([c.covers > 0 for c in drawn]) < 0.3


def test_things_are_laid_into_the_picture() -> None:
    for seed in range(40):
        image = np.full((300, 300, 3), 128, np.uint8)
        scatter_thing(np.random.default_rng(seed), image)
        assert (image != 128).any()
    assert draw_background(np.random.default_rng(1), (128, 128), 20).shape == (128, 128, 3)


def test_concealed_sets_show_every_convention() -> None:
    found = set()
    for seed in range(400):
        tiles = player(np.random.default_rng(seed), lambda: "1p", HEIGHT)
        for start in range(len(tiles) - 3):
            four = tiles[start : start + 4]
            steps = {round(b.x - a.x, 1) for a, b in pairwise(four)}
            if max(steps) <= 1.1 and four[0].y < -1:
                found.add("".join("d" if tile.pose == "down" else "u" for tile in four))
    assert {"duud", "uddu", "dddd", "uuuu"} <= found


def test_a_shadow_falls_on_part_of_a_shaded_face(faces: FaceSet) -> None:
    darkest = []
    for shaded_share in (0.0, 1.0):
        levels = []
        for seed in range(6):
            rng = np.random.default_rng(seed)
            table_top = np.full((400, 600, 3), 90, np.uint8)
            conditions = Conditions(shaded=shaded_share)
            tile = [TileBox("5z", *LEFT)]
            scene = render(rng, faces, tile, overhead(), (400, 600), table_top, conditions)
            inner = scene.image[150:250, 260:340].mean(axis=2)
            levels.append(float(np.percentile(inner, 5) / np.percentile(inner, 95)))
        darkest.append(float(np.mean(levels)))
    assert darkest[1] < darkest[0] - 0.08
