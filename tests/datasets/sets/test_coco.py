"""Annotated photographs are read with their corners, and bad files are named."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.hostile.heics import Heic
from datasets.designs.errors import DesignError
from datasets.photographs.sheets import load_sheets, random_crop
from datasets.sets.coco import AnnotationError, Photo, load_photos
from datasets.sets.faces import cut_face, load_photographed
from datasets.sets.sources import Sources, load_face_sets

NONE = np.zeros((0, 4, 2), np.float32)
QUAD = [30.0, 20.0, 90.0, 20.0, 90.0, 100.0, 30.0, 100.0]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with one train photo of a red tile that has a blue head, and one val photo."""
    (tmp_path / "sheets").mkdir()
    image = np.full((140, 160, 3), 90, np.uint8)
    image[20:100, 30:90] = (0, 0, 255)
    image[20:60, 30:90] = (255, 0, 0)
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / "sheets" / name), image)
    sizes = {"width": 160, "height": 140}
    images = [
        {"id": 1, "file_name": "a.png", "set": "one", "split": "train", **sizes},
        {"id": 2, "file_name": "b.png", "set": "two", "split": "val", **sizes},
    ]
    images[0]["unlabelled_quads"] = [{"why": "tile back", "quad": [value + 60 for value in QUAD]}]
    annotation = {"category_id": 5, "segmentation": [QUAD]}
    data = {
        "images": images,
        "categories": [{"id": 5, "name": "3p"}],
        "annotations": [{"id": i, "image_id": i, **annotation} for i in (1, 2)],
    }
    (tmp_path / "sheets.coco.json").write_text(json.dumps(data))
    return tmp_path


def test_photos_of_a_split(root: Path) -> None:
    (photo,) = load_photos(root / "sheets.coco.json", "train")
    assert (photo.set_name, photo.labels) == ("one", ("3p",))
    assert photo.quads.shape == (1, 4, 2)
    assert photo.quads[0, 2].tolist() == [90.0, 100.0]
    assert photo.unlabelled.shape == (1, 4, 2)
    assert len(load_photos(root / "sheets.coco.json")) == 2


def test_three_corners_are_refused_with_the_number_of_the_annotation(root: Path) -> None:
    path = root / "sheets.coco.json"
    data = json.loads(path.read_text())
    data["annotations"][1]["segmentation"] = [QUAD[:6]]
    path.write_text(json.dumps(data))
    with pytest.raises(AnnotationError, match="annotation 2 has not exactly four corners"):
        load_photos(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(AnnotationError, match="nowhere"):
        load_photos(tmp_path / "nowhere.coco.json")


def test_faces_are_cut_upright(root: Path) -> None:
    image = np.asarray(cv2.imread(str(root / "sheets" / "a.png")), np.uint8)
    quad = np.array(QUAD, np.float32).reshape(4, 2)
    face = cut_face(image, quad)
    assert face.shape == (80, 60, 3)
    assert face[20, 30].tolist() == [255, 0, 0]
    turned = cut_face(image, np.roll(quad, 2, axis=0))
    assert turned[20, 30].tolist() == [0, 0, 255]


def test_photographed_sets_keep_their_split(root: Path) -> None:
    (faces,) = load_photographed(root, "train")
    assert faces.name == "one"
    assert faces.photographed
    assert list(faces.faces) == ["3p"]


@pytest.mark.parametrize("careful", [{"careful": False}, {"careful": True}])
def test_crops_of_a_sheet_move_the_quads_with_the_picture(
    root: Path, careful: dict[str, bool]
) -> None:
    (sheet,) = load_sheets(root / "sheets.coco.json", "train")
    checked = 0
    for seed in range(20):
        scene = random_crop(np.random.default_rng(seed), sheet, (256, 256), **careful)
        assert scene.visible[1] == 0
        quad = scene.quads[0]
        if scene.visible[0] < 0.95:
            continue
        head = (quad[0] + quad[1]) / 2 * 0.75 + (quad[2] + quad[3]) / 2 * 0.25
        foot = (quad[0] + quad[1]) / 2 * 0.25 + (quad[2] + quad[3]) / 2 * 0.75
        blue = [scene.image[int(y), int(x)].astype(int) for x, y in (head, foot)]
        assert blue[0][0] - blue[0][2] > blue[1][0] - blue[1][2]
        checked += 1
    assert checked >= 5


def test_careful_photographs_are_also_shown_from_lower_down(root: Path) -> None:
    (sheet,) = load_sheets(root / "sheets.coco.json", "train")

    def narrowing(seed: int, *, careful: bool) -> float:
        rng = np.random.default_rng(seed)
        quad = random_crop(rng, sheet, (256, 256), careful=careful).quads[0]
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        return float(max(abs(np.log(sides[0] / sides[2])), abs(np.log(sides[1] / sides[3]))))

    assert max(narrowing(seed, careful=False) for seed in range(30)) < 0.01
    tilted = [narrowing(seed, careful=True) > 0.02 for seed in range(30)]
    assert 5 <= sum(tilted) <= 25


def test_no_faces_at_all_is_an_error() -> None:
    with pytest.raises(DesignError, match="give a folder"):
        load_face_sets(Sources(None, None), "train")


def test_annotated_photographs_are_read_in_every_format_that_people_send(tmp_path: Path) -> None:
    (tmp_path / "a.heic").write_bytes(bytes(Heic()))
    (tmp_path / "b.heic").write_bytes(bytes(Heic())[:-60])
    first, second = (
        Photo(tmp_path / name, "club", "train", (), NONE, NONE) for name in ("a.heic", "b.heic")
    )
    assert first.load_image().shape == (64, 96, 3)
    with pytest.raises(FileNotFoundError):
        second.load_image()
