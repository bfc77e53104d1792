"""Training pictures come from all sources, and never from what is measured on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.crops.pictures import Mixture, load_pictures
from datasets.designs.drawing.design import load_design
from datasets.designs.errors import DesignError
from datasets.pathtraced.scenes import FIRST_TRAINING, layout_of, plan_scene
from datasets.pathtraced.table.plan import View
from datasets.pathtraced.truth import image_row
from datasets.photographs.sheets import random_crop
from datasets.sets.coco import IGNORE
from datasets.sets.faces import from_design
from datasets.sets.sources import VAL_DESIGNS, training_designs

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
FACES = from_design(load_design(SAMPLES / "0900.npz"))


def traced(folder: Path, split: str) -> Path:
    """A folder with one scene: a red picture with a tile, one to be ignored beside it."""
    (folder / "scenes").mkdir()
    cv2.imwrite(str(folder / "scenes" / "a.png"), np.full((300, 400, 3), (0, 0, 255), np.uint8))
    quads = ([150, 100, 190, 100, 190, 152, 150, 152], [200, 100, 240, 100, 240, 152, 200, 152])
    rows = [
        {"id": n, "image_id": 1, "category_id": n, "segmentation": [quad]}
        for n, quad in enumerate(quads, 1)
    ]
    image = {"id": 1, "file_name": "a.png", "set": "one", "split": split}
    names = [{"id": 1, "name": "1m"}, {"id": 2, "name": IGNORE}]
    told = {"images": [image], "categories": names, "annotations": rows}
    (folder / "scenes.coco.json").write_text(json.dumps(told))
    return folder


def test_path_traced_scenes_are_shown_in_their_share(tmp_path: Path) -> None:
    mixture = Mixture(sheet_share=0.5, traced_share=0.3)
    pictures = load_pictures([FACES], None, traced(tmp_path, "train"), mixture)
    shown = 0
    for seed in range(60):
        scene = pictures.scene(np.random.default_rng(seed), (96, 96))
        shown += IGNORE in scene.labels
    assert 8 <= shown <= 28


def test_photographs_of_tables_lie_beside_their_file_and_are_shown(tmp_path: Path) -> None:
    folder = traced(tmp_path, "train")
    told = json.loads((folder / "scenes.coco.json").read_text())
    told["images"][0]["file_name"] = "images/a.png"
    told["annotations"][0]["face_quad"] = [155, 105, 185, 105, 185, 147, 155, 147]
    (folder / "real.coco.json").write_text(json.dumps(told))
    (folder / "scenes").rename(folder / "images")
    mixture = Mixture(sheet_share=0.0, traced_share=0.0, real_share=1.0)
    pictures = load_pictures([FACES], None, None, mixture, folder)
    (table,) = pictures.real
    assert table.photo.quads[0].tolist() == [[155, 105], [185, 105], [185, 147], [155, 147]]
    assert IGNORE in pictures.scene(np.random.default_rng(1), (96, 96)).labels


def test_scenes_that_are_measured_on_are_not_shown(tmp_path: Path) -> None:
    mixture = Mixture(sheet_share=0.5, traced_share=1.0)
    pictures = load_pictures([FACES], None, traced(tmp_path, "val"), mixture)
    assert len(pictures.traced) == 0
    assert IGNORE not in pictures.scene(np.random.default_rng(1), (96, 96)).labels


def test_a_tile_to_be_ignored_counts_as_unseen(tmp_path: Path) -> None:
    mixture = Mixture(sheet_share=0.0, traced_share=1.0)
    (sheet,) = load_pictures([FACES], None, traced(tmp_path, "train"), mixture).traced
    seen = [random_crop(np.random.default_rng(seed), sheet, (256, 256)) for seed in range(20)]
    assert max(scene.visible[0] for scene in seen) == 1
    assert max(scene.visible[1] for scene in seen) == 0


def test_a_small_picture_is_not_blown_up(tmp_path: Path) -> None:
    mixture = Mixture(sheet_share=0.0, traced_share=1.0)
    (sheet,) = load_pictures([FACES], None, traced(tmp_path, "train"), mixture).traced
    for seed in range(40):
        quad = random_crop(np.random.default_rng(seed), sheet, (256, 256)).quads[0]
        assert np.linalg.norm(quad[1] - quad[0]) < 40 * 1.5 * 1.2


def test_training_designs_are_those_that_nothing_is_measured_on(tmp_path: Path) -> None:
    for seed in (3, 900, 12, 4981):
        shutil.copy(SAMPLES / "0900.npz", tmp_path / f"{seed:04d}.npz")
    assert training_designs(tmp_path) == [3, 12]
    (tmp_path / "mine.npz").touch()
    with pytest.raises(DesignError, match="named by its seed"):
        training_designs(tmp_path)


def test_training_scenes_are_mostly_whole_tables_and_say_what_they_are_for() -> None:
    layouts = [layout_of(FIRST_TRAINING + number) for number in range(40)]
    assert layouts.count("table") == 20
    assert "profile" not in layouts
    plan = plan_scene(FIRST_TRAINING + 1, 3, FACES, 1)
    assert (plan.design, plan.layout) == (3, "hand")
    assert image_row(plan, "drawn-0003", "a.jpg", [])["split"] == "train"
    measured = plan_scene(FIRST_TRAINING + 1, min(VAL_DESIGNS), FACES, 1)
    assert image_row(measured, "drawn-0300", "a.jpg", [])["split"] == "val"


def test_a_smaller_picture_shows_the_same() -> None:
    view: View = plan_scene(FIRST_TRAINING + 1, 3, FACES, 1).view
    half = view.scaled(0.5)
    points = np.array([[0.0, 0.0, 0.3], [2.0, 1.0, 0.0]])
    assert half.size == (view.size[0] // 2, view.size[1] // 2)
    assert np.allclose((half.project(points) + 0.5) * 2, view.project(points) + 0.5)
