"""Path-traced scenes show lawful deals, laid without overlap, with exact corners."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from datasets.benchmark import load_benchmark
from datasets.coco import AnnotationError
from datasets.designs.design import load_design
from datasets.faces import FaceSet, from_design
from datasets.pathtraced.__main__ import main
from datasets.pathtraced.deals import TableDeal, deal
from datasets.pathtraced.develop import develop
from datasets.pathtraced.plan import Development, Floats, Placed, ScenePlan
from datasets.pathtraced.prints import PRINTS
from datasets.pathtraced.scenes import (
    DESIGNS,
    FIRST_PROFILE,
    FIRST_TRAINING,
    SCENE_COUNT,
    design_of,
    layout_of,
    plan_scene,
)
from datasets.pathtraced.store import Store
from datasets.pathtraced.truth import (
    LABELS,
    image_row,
    lines_shown,
    shown_quad,
    tile_rows,
    visible_share,
)
from datasets.pathtraced.views import box_points
from datasets.sources import VAL_DESIGNS
from scorer import parse_deal, score_deal
from scorer.tiles import BACK, BONUS_TILES, PLAYING_TILES, TILES

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"
RENDERED = Path(__file__).with_name("pathtraced_0001.png")
"""Of scene 1 the number of the tile that each pixel shows, from 1; 0 for none."""

PLANNED = [n for n in range(SCENE_COUNT) if design_of(n) in {900, 901}]


@cache
def faces_of(number: int) -> FaceSet:
    return from_design(load_design(SAMPLES / f"{design_of(number):04d}.npz"))


@cache
def planned(number: int) -> ScenePlan:
    return plan_scene(number, design_of(number), faces_of(number), 1)


@cache
def dealt(seed: int) -> TableDeal:
    return deal(np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(30))
def test_a_deal_uses_each_of_the_144_tiles_once(seed: int) -> None:
    hands = dealt(seed).hands
    held = Counter(dealt(seed).rest)
    for hand in hands:
        held.update([*hand.concealed, *hand.bonus])
        held.update(tile for meld in hand.melds for tile in meld.tiles)
    assert held == Counter({**dict.fromkeys(PLAYING_TILES, 4), **dict.fromkeys(BONUS_TILES, 1)})
    for hand in hands:
        assert len(hand.concealed) + 3 * len(hand.melds) == 13 + hand.won


def test_winners_really_win() -> None:
    won = 0
    for seed in range(40):
        hands = dealt(seed).hands
        winner = next((hand for hand in hands if hand.won), None)
        if winner is None:
            continue
        players = [
            {
                "seat": hand.seat,
                "concealed": list(hand.concealed),
                "melds": [
                    {"kind": meld.kind, "tiles": list(meld.tiles), "concealed": meld.concealed}
                    for meld in hand.melds
                ],
                "bonus": list(hand.bonus),
            }
            for hand in hands
        ]
        win = {"seat": winner.seat, "tile": winner.concealed[0], "source": "wall"}
        result = score_deal(parse_deal({"ruleset": "bmja-u3a", "players": players, "win": win}))
        totals = {player.seat: player.total for player in result.players}
        assert totals[winner.seat] >= 20
        won += 1
    assert won >= 30


def test_the_designs_are_never_trained_on() -> None:
    assert len(set(DESIGNS)) == len(DESIGNS) >= 20
    assert set(DESIGNS) <= VAL_DESIGNS


def test_there_are_enough_scenes_of_each_layout() -> None:
    counts = Counter(layout_of(number) for number in range(SCENE_COUNT))
    assert 70 <= counts["hand"] <= 80
    assert 25 <= counts["table"] <= 30
    assert counts["hard"] >= 20
    assert layout_of(FIRST_PROFILE) == "profile"


def test_a_number_always_gives_the_same_scene() -> None:
    assert repr(plan_scene(1, design_of(1), faces_of(1), 1)) == repr(
        plan_scene(1, design_of(1), faces_of(1), 1)
    )
    assert repr(planned(0).tiles) != repr(planned(22).tiles)


def test_scenes_to_train_on_hold_more_of_what_is_seldom_dealt() -> None:
    lawful = Counter({**dict.fromkeys(PLAYING_TILES, 4), **dict.fromkeys(BONUS_TILES, 1)})
    plans = [plan_scene(FIRST_TRAINING + n, 900, faces_of(0), 1) for n in range(24)]
    as_dealt = [plan for plan in plans if plan.hands]
    assert 2 <= len(as_dealt) <= 14
    assert all(not Counter(tile.tile for tile in plan.tiles) - lawful for plan in as_dealt)
    shares = [np.mean([t.tile in BONUS_TILES for t in plan.tiles]) for plan in plans]
    assert sum(share > 0.2 for share in shares) >= 3
    again = plan_scene(FIRST_TRAINING + 5, 900, faces_of(0), 1)
    assert [tile.tile for tile in again.tiles] == [tile.tile for tile in plans[5].tiles]


@pytest.mark.parametrize("number", PLANNED)
def test_the_hands_lie_on_the_table_as_they_are_stored(number: int) -> None:
    plan = planned(number)
    for index, hand in enumerate(plan.hands):
        groups: dict[str, list[Placed]] = {}
        for tile in plan.tiles:
            if tile.hand == index:
                groups.setdefault(tile.group, []).append(tile)
        assert Counter(t.tile for t in groups.pop("hand")) == Counter(hand.concealed)
        assert Counter(t.tile for t in groups.pop("bonus", [])) == Counter(hand.bonus)
        for place, meld in enumerate(hand.melds):
            laid = groups.pop(f"meld {place}")
            assert tuple(tile.tile for tile in laid) == meld.tiles
            down = tuple(i for i, tile in enumerate(laid) if tile.axes[2, 2] < -0.9)
            assert down == meld.down
        assert groups == {}
    assert max(Counter(tile.tile for tile in plan.tiles).values()) <= 4
    shown = Counter(tile.tile for tile in plan.tiles if tile.tile in BONUS_TILES)
    assert max(shown.values(), default=1) == 1


def overlap(first: Floats, second: Floats) -> float:
    """How far two upright boxes, given by their ground plans (4, 2), reach into each other."""
    least = np.inf
    for box in (first, second):
        for edge in (box[1] - box[0], box[3] - box[0]):
            axis = edge / np.linalg.norm(edge)
            a, b = first @ axis, second @ axis
            least = min(least, float(min(a.max(), b.max()) - max(a.min(), b.min())))
    return least


@pytest.mark.parametrize("number", PLANNED)
def test_no_two_tiles_are_in_the_same_place(number: int) -> None:
    plan = planned(number)
    lying = [tile for tile in plan.tiles if abs(tile.axes[2, 2]) > 0.9]
    half = np.array([1.0, plan.shape.height]) / 2
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    plans = [tile.centre[:2] + (signs * half) @ tile.axes[:2, :2].T for tile in lying]
    for i, tile in enumerate(lying):
        for j in range(i):
            if abs(tile.centre[2] - lying[j].centre[2]) < plan.shape.depth / 2:
                assert overlap(plans[i], plans[j]) < 0.06, (number, i, j)


@pytest.mark.parametrize("number", PLANNED)
def test_all_tiles_of_the_hands_are_in_the_picture(number: int) -> None:
    plan = planned(number)
    height, width = plan.view.size
    for tile in plan.tiles:
        if tile.hand >= 0:
            seen = plan.view.project(box_points(tile, plan.shape))
            assert (seen > 0).all()
            assert (seen < (width, height)).all()


def test_a_profile_sheet_holds_each_face_once() -> None:
    plan = planned(FIRST_PROFILE)
    assert sorted(tile.tile for tile in plan.tiles) == sorted(TILES)


def rendered() -> np.ndarray:
    image = cv2.imread(str(RENDERED), cv2.IMREAD_UNCHANGED)
    assert image is not None
    return np.asarray(image, np.int32) - 1


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


SETTINGS = Development(
    stops=0.0,
    cast=(1.0, 1.0, 1.0),
    noise=0.004,
    blur=(0.0, 0.0),
    sharpening=0.3,
    contrast=1.1,
    quality=80,
)


def ramp() -> np.ndarray:
    light = np.tile(np.linspace(0.01, 2, 160, dtype=np.float32), (120, 1))
    return np.repeat(light[..., None], 3, axis=2)


def developed(**changes: object) -> np.ndarray:
    names = Development.__dataclass_fields__
    values = {name: changes.get(name, getattr(SETTINGS, name)) for name in names}
    return develop(np.random.default_rng(1), ramp(), Development(**values))  # type: ignore[arg-type]


def test_exposure_noise_and_colour_follow_the_settings() -> None:
    usual = developed()
    assert usual.shape == (120, 160, 3)
    assert usual.dtype == np.uint8
    assert np.all(np.diff(usual[..., 1].mean(axis=0)[::8]) > 0)
    assert developed(stops=-1.5).mean() < usual.mean() - 20
    assert developed(noise=0.03)[:, 40].std() > usual[:, 40].std() * 2
    warm = developed(cast=(1.3, 1.0, 0.7)).reshape(-1, 3).mean(axis=0)
    assert warm[2] > warm[1] > warm[0]


def test_exposure_does_not_depend_on_the_scale_of_the_light() -> None:
    first = develop(np.random.default_rng(1), ramp(), SETTINGS)
    second = develop(np.random.default_rng(1), ramp() * 50, SETTINGS)
    assert np.abs(first.astype(int) - second.astype(int)).max() <= 1


def test_motion_smears_along_its_direction_only() -> None:
    light = np.full((61, 61, 3), 0.2, np.float32)
    light[30, 30] = 50
    still = {"noise": 0.0, "sharpening": 0.0}
    settings = [
        Development(**{**{n: getattr(SETTINGS, n) for n in Development.__dataclass_fields__}, **c})
        for c in (still, {**still, "blur": (6.0, 0.0)})
    ]
    pictures = [develop(np.random.default_rng(1), light, s) for s in settings]
    marks = [np.argwhere(p[..., 0] > p[0, 0, 0] + 10) for p in pictures]
    assert np.ptp(marks[0], axis=0).max() == 0
    assert np.ptp(marks[1][:, 1]) >= 4
    assert np.ptp(marks[1][:, 0]) == 0


@pytest.mark.parametrize("kind", PRINTS)
def test_prints_carry_ink_and_differ(kind: str) -> None:
    first, again, other = (PRINTS[kind](np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.dtype == np.uint8
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert (first.max(axis=2) < 120).mean() > 0.005


def stored(folder: Path) -> Path:
    plan = planned(1)
    path = folder / "scenes.coco.json"
    for _ in range(2):
        store = Store(path)
        tiles = tile_rows(plan, rendered())
        store.add(image_row(plan, "drawn-0901", "0001.jpg", tiles), tiles)
        assert 1 in store
        assert 2 not in store
    return path


def test_what_is_written_is_what_load_benchmark_reads(tmp_path: Path) -> None:
    path = stored(tmp_path)
    (photo,) = load_benchmark(path)
    plan = planned(1)
    assert photo.hands == plan.hands
    assert photo.photo.path == tmp_path / "scenes" / "0001.jpg"
    assert (photo.layout, photo.photo.set_name) == ("hand", "drawn-0901")
    assert len(photo.tiles) == len(photo.photo.labels) == len(photo.visible) > 10
    for tile, label in zip(photo.tiles, photo.photo.labels, strict=True):
        assert label in {tile, BACK, "ignore"}
    ids = [row["id"] for row in json.loads(path.read_text())["annotations"]]
    assert ids == list(range(1, len(ids) + 1))
    assert load_benchmark(path, "profile") == []


def test_a_benchmark_without_true_hands_is_refused(tmp_path: Path) -> None:
    path = stored(tmp_path)
    data = json.loads(path.read_text())
    del data["images"][0]["hands"]
    path.write_text(json.dumps(data))
    with pytest.raises(AnnotationError, match="not a benchmark file: KeyError"):
        load_benchmark(path)
    with pytest.raises(AnnotationError, match="nowhere"):
        load_benchmark(tmp_path / "nowhere.coco.json")


def test_a_damaged_annotation_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "scenes.coco.json"
    path.write_text("{")
    with pytest.raises(AnnotationError, match=r"scenes\.coco\.json is damaged"):
        Store(path)
    assert path.read_text() == "{"


def test_without_blender_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "bpy", None)
    result = CliRunner().invoke(main, ["--designs", str(SAMPLES), "--out", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert "Blender's module bpy is missing" in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(
    importlib.util.find_spec("bpy") is None, reason="needs Blender's bpy, of the render extra"
)
def test_a_scene_is_rendered_once_and_then_kept(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "datasets.pathtraced", "--designs", str(SAMPLES)]
    command += ["--out", str(tmp_path), "--first", "1", "--count", "1", "--what", "scenes"]
    subprocess.run([*command, "--samples", "1"], check=True, capture_output=True)
    (photo,) = load_benchmark(tmp_path / "scenes.coco.json")
    image = photo.photo.load_image()
    assert image.shape[:2] == planned(1).view.size
    assert image.std() > 15
    again = tile_rows(planned(1), rendered())
    assert np.allclose(photo.photo.quads[0].ravel(), again[0]["segmentation"][0], atol=0.01)
    written = photo.photo.path.stat().st_mtime_ns
    subprocess.run([*command, "--samples", "1"], check=True, capture_output=True)
    assert photo.photo.path.stat().st_mtime_ns == written
