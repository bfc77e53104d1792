"""Path-traced scenes are kept, read again and never rendered twice."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from datasets.pathtraced.__main__ import main
from datasets.pathtraced.store import Store
from datasets.pathtraced.truth import (
    image_row,
    tile_rows,
)
from datasets.photographs.benchmark import load_benchmark
from datasets.sets.coco import AnnotationError
from scorer.tiles import BACK
from tests.datasets.pathtraced.traced_scenes import SAMPLES, planned, rendered
from tests.optional import needed


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


@pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason=needed("bpy"))
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
