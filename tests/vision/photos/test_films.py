"""Rendered films read with the shipped models: tiles laid by hand, a camera moved over a hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.props.backgrounds import draw_cloth
from datasets.scenes.films import Film, laying_film, moved
from datasets.scenes.layouts import row_of
from datasets.scenes.scenes import render
from datasets.scenes.tables import phone_camera
from datasets.sets.faces import FaceSet, load_designs
from vision.multiview.cameras import frames, parse_source
from vision.multiview.watcher import Sight, open_watcher

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
SIZE = (360, 640)
HAND = ("1m", "2m", "3m", "4p", "5p", "6p", "7z")


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return load_designs([SAMPLES / "0900.npz"])[0]


def watched(film: Film, path: Path) -> list[Sight]:
    film.write(path)
    eye = open_watcher()
    return [eye.look(f.image, f.seconds) for f in frames(parse_source(str(path)))]


def settled(sights: list[Sight]) -> list[list[str]]:
    """What settled, each reading once."""
    told: list[list[str]] = []
    for sight in sights:
        if sight.state == "settled" and sight.reading is not None:
            labels = [tile.label for tile in sight.reading.tiles]
            if told[-1:] != [labels]:
                told.append(labels)
    return told


def test_a_hand_that_lays_tiles_is_read_after_each_time(faces: FaceSet, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    tiles = row_of(HAND, 0, 0)
    table = draw_cloth(rng, SIZE, np.array((62, 104, 38), np.float32))
    camera = phone_camera(rng, tiles, SIZE)
    film = laying_film(rng, faces, [tiles[:3], tiles[3:]], camera, table, still=13)
    assert sorted(film.labels) == sorted(HAND)
    assert settled(watched(film, tmp_path / "laid.avi")) == [list(HAND[:3]), list(HAND)]


def test_a_camera_that_moves_over_a_hand_reads_both_ends(faces: FaceSet, tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    tiles = row_of(HAND, 0, 0)
    wide = (SIZE[0], 1000)
    table = draw_cloth(rng, wide, np.array((62, 104, 38), np.float32))
    scene = render(rng, faces, tiles, phone_camera(rng, tiles, wide), wide, table)
    way = [0.0] * 13 + list(np.linspace(0, 360, 14)) + [360.0] * 13
    film = Film(tuple(moved(rng, scene.image, [(x, 0.0) for x in way], SIZE)), HAND)
    told = settled(watched(film, tmp_path / "moved.avi"))
    assert told[0] == list(HAND[: len(told[0])])
    assert told[-1] == list(HAND[-len(told[-1]) :])
    assert {*told[0], *told[-1]} == set(HAND)
