"""What the detector is taught is what its answers are read as."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import expit

import datasets
import models
from benchmarks.page.taps import cut_out
from datasets.photographs.benchmark import load_benchmark
from models.nets.detector_targets import SECTORS, STRIDE, encode, half_turn_angle
from tests.vision.fakes import FakeVerifier
from vision.detect import search
from vision.detect.network import decode
from vision.detect.search import BlurredSearch, OnnxDetector
from vision.detect.sizes import of_tile_size, typical_width
from vision.runtime.session import load_model
from vision.vocabulary.detections import Detections
from vision.vocabulary.odds import log_odds

Floats = NDArray[np.float32]
SIZE = (256, 320)
SAMPLES = Path(datasets.__file__).with_name("samples")


def quad_at(x: float, y: float, width: float, angle: float, height: float = 4 / 3) -> Floats:
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    corners = corners * [width, width * height]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(corners @ turn.T + [x, y], np.float32)


def read_back(quads: Floats, down: NDArray[np.bool_]) -> Detections:
    """What is read from the answers of a detector without error for these quads."""
    targets = encode(quads, down, np.ones(len(quads), np.float32), SIZE)
    heat = np.where(targets.heat == 1.0, np.float32(0.9), np.float32(0))
    return decode(heat, np.log(targets.sector + 1e-6), targets.corners, 0.3, STRIDE)


@pytest.mark.parametrize("degrees", range(0, 360, 15))
def test_perfect_answers_give_back_the_quads_up_to_half_a_turn(degrees: int) -> None:
    angle = np.deg2rad(degrees)
    quads = np.stack([quad_at(80, 90, 40, angle), quad_at(220.3, 150.7, 55, angle + 1.0)])
    down = np.array([False, True])
    found = read_back(quads, down)
    assert len(found) == 2
    for quad, is_down in zip(quads, down, strict=True):
        away = np.linalg.norm(found.quads.mean(axis=1) - quad.mean(axis=0), axis=1)
        index = int(away.argmin())
        candidates = (quad, np.roll(quad, 2, axis=0))
        assert min(np.abs(found.quads[index] - c).max() for c in candidates) < 0.01
        assert (found.down[index] > 0.5) == is_down


def test_touching_tiles_stay_apart() -> None:
    quads = np.stack([quad_at(40 + 26 * i, 100, 25, 0.02) for i in range(9)])
    found = read_back(quads, np.zeros(9, bool))
    assert len(found) == 9


def test_the_same_tile_twice_is_one() -> None:
    quads = np.stack([quad_at(100, 100, 60, 0.0), quad_at(112, 100, 60, 0.0)])
    found = read_back(quads, np.zeros(2, bool))
    assert len(found) == 1


def test_hidden_and_tiny_tiles_are_neither_required_nor_punished() -> None:
    quads = np.stack([quad_at(80, 80, 40, 0.0), quad_at(200, 80, 6, 0.0)])
    targets = encode(quads, np.zeros(2, bool), np.array([0.2, 1.0], np.float32), SIZE)
    assert not (targets.heat == 1.0).any()
    assert targets.care[10, 10] == 0
    assert targets.care[9, 24] == 0
    assert targets.care[28, 35] == 1


def test_directions_are_measured_clockwise_from_image_up() -> None:
    assert half_turn_angle(quad_at(0, 0, 10, 0.0)) == pytest.approx(0.0, abs=1e-5)
    quarter = half_turn_angle(quad_at(0, 0, 10, np.pi / 2))
    assert quarter == pytest.approx(SECTORS / 2, abs=1e-5)
    upside_down = half_turn_angle(quad_at(0, 0, 10, np.pi))
    assert min(upside_down, SECTORS - upside_down) == pytest.approx(0.0, abs=1e-5)


def found_with(widths: list[float], scores: list[float]) -> Detections:
    quads = np.stack([quad_at(100 * i, 50, width, 0.1) for i, width in enumerate(widths)])
    return Detections(quads, np.array(scores, np.float32), np.zeros(len(widths), np.float32))


def test_many_doubtful_specks_do_not_hide_the_size_of_the_tiles() -> None:
    found = found_with([60.0] * 4 + [8.0] * 12, [0.9] * 4 + [0.4] * 12)
    assert typical_width(found) == pytest.approx(60, abs=0.1)
    assert len(of_tile_size(found)) == 4


def test_tiles_made_smaller_by_perspective_are_kept() -> None:
    found = found_with([30.0, 40.0, 50.0, 60.0], [0.8] * 4)
    assert len(of_tile_size(found)) == 4


def test_a_find_that_is_not_clear_must_be_as_large_as_tiles_are_at_its_place() -> None:
    widths = [60, 50, 40, 30, 24]
    near_to_far = [
        quad_at(100 + 70 * j, 700 - 150 * i, w, 0.0) for i, w in enumerate(widths) for j in range(4)
    ]
    others = quad_at(420, 60, 22, 0.0), quad_at(560, 680, 28, 0.0), quad_at(420, 680, 17, 0.0)
    quads = np.stack([*near_to_far, *others])
    scores = np.array([0.9] * len(near_to_far) + [0.55] * len(others), np.float32)
    kept = of_tile_size(Detections(quads, scores, np.zeros(len(quads), np.float32)))
    assert len(kept) == len(quads) - 1
    assert np.abs(kept.quads[-2:] - others[:2]).max() == 0
    assert kept.scores[-2] == pytest.approx(0.55)
    assert kept.scores[-1] == pytest.approx(expit(log_odds(np.array([0.55])) - 1.5)[0])
    lying_flat = np.stack([*near_to_far, quad_at(420, 400, 42, 0.0, height=0.5)])
    flat_scores = np.append(scores[: -len(others)], np.float32(0.55))
    found = Detections(lying_flat, flat_scores, np.zeros(len(lying_flat), np.float32))
    assert of_tile_size(found).scores == pytest.approx(flat_scores)


def test_what_is_hardly_seen_is_searched_again_smaller() -> None:
    photo = next(photo for photo in load_benchmark() if photo.photo.path.name == "0061.jpg")
    place = next(i for i, hand in enumerate(photo.hands) if hand.position == "left")
    dim = cut_out(photo, place, photo.photo.load_image())
    again = OnnxDetector(load_model("detector"), FakeVerifier())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "BLURRED", BlurredSearch(below=0.0))
        once = again.detect(dim)
    assert len(once) < 12
    assert 13 <= len(again.detect(dim)) <= 16


def test_the_shipped_models_are_small() -> None:
    folder = Path(models.__file__).parent
    assert sum(file.stat().st_size for file in folder.glob("*.onnx")) <= 8_000_000
