"""The reader of signs learns from windows on tiles, and its weight is fitted on suited tiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

import torch

from datasets.crops.laid_signs import SIDE, Windows
from datasets.designs.fonts import find_fonts
from models.fitting.likeliest import Reads, likeliest_weights
from models.nets.readers import READERS, SIGNS_READER
from models.training.signs import SignsData, TilePool, WindowPool
from scorer.tiles import SUIT_TILES
from tests.datasets.designs.typeface import build_typeface
from tests.models.fitting.command import printed_by
from vision.classify.corner_numbers import number_terms, numbers_of
from vision.classify.signs import NUMBERS, SIGNS, WINDOW

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
WEIGHTS = np.array([0.8, 1.3])


def test_the_network_tells_all_signs_apart() -> None:
    reader = READERS[SIGNS_READER]
    shown = torch.zeros((2, *reader.size, 3), dtype=torch.uint8)
    assert reader.net().eval()(shown).shape == (2, len(SIGNS))


def windows_of(number: int, count: int) -> Windows:
    images = np.full((count, 6, SIDE, SIDE, 3), number, np.uint8)
    return Windows(images, np.full((count, 6), number), np.zeros(count, np.bool_))


def test_each_tile_is_used_so_often_in_the_mean_and_the_oldest_go_first() -> None:
    drawn = iter(range(1000))
    pool = TilePool(lambda _: windows_of(next(drawn), 2), 20)
    rng = np.random.default_rng(3)
    numbers = [int(pool.tile(rng, 4.0)[1][0]) for _ in range(400)]
    assert next(drawn) == pytest.approx(400 / 4 / 2, abs=8)
    assert max(numbers[:100]) < min(numbers[-100:])


def test_a_picture_without_upright_tiles_is_followed_by_another() -> None:
    counts = iter([0, 0, 3, 3, 3])
    pool = TilePool(lambda _: windows_of(7, next(counts)), 4)
    assert pool.tile(np.random.default_rng(1), 2.0)[1].tolist() == [7] * 6


def test_a_batch_shows_every_sign_and_none(tmp_path: Path) -> None:
    build_typeface(tmp_path / "bars.ttf")
    typefaces = find_fonts([tmp_path])
    data = SignsData(
        batch=400,
        reuse=40.0,
        capacity=24,
        numbered=0.3,
        written=0.3,
        rewritten=0.5,
        flowers=0.5,
        marked=0.3,
        smoothing=0.05,
    )
    batch = WindowPool(typefaces, (), data).batch(np.random.default_rng(8))
    assert batch.images.shape == (400, WINDOW, WINDOW, 3)
    assert set(batch.signs.tolist()) == set(range(len(SIGNS)))
    assert 0.2 < np.mean(batch.signs == 0) < 0.6


def test_the_weights_that_made_the_data_are_found_again() -> None:
    rng = np.random.default_rng(5)
    pictures = rng.dirichlet(np.full(len(SUIT_TILES), 0.5), 20_000).astype(np.float32)
    numbers = rng.dirichlet(np.full(len(NUMBERS), 0.5), 20_000).astype(np.float32)
    told = number_terms(pictures, numbers).astype(np.float64)
    chances = np.exp(told @ WEIGHTS)
    chances /= chances.sum(axis=1, keepdims=True)
    tiles = (chances.cumsum(axis=1) < rng.random((len(told), 1))).sum(axis=1)
    assert np.abs(likeliest_weights(told, tiles) - WEIGHTS).max() < 0.05
    reads = Reads(told, tiles)
    assert reads.right(WEIGHTS) > max(reads.right(one) for one in np.eye(2))


def test_a_number_counts_for_all_suits_alike() -> None:
    pictures = np.full((1, len(SUIT_TILES)), 1 / len(SUIT_TILES), np.float32)
    numbers = np.linspace(0.01, 0.2, len(NUMBERS), dtype=np.float32)[np.newaxis]
    told = number_terms(pictures, numbers)[0, :, 1]
    assert np.allclose(told, np.log(numbers[0, numbers_of(np.arange(len(SUIT_TILES)))]))


def test_the_command_prints_the_weights_and_what_they_are_worth(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "corner_numbers", "--designs", str(SAMPLES), "--scenes", "24"
    *weights, written, beside = printed_by(monkeypatch, capsys, *options)
    tables = [line for line in weights if line.startswith("[")]
    assert tables == ["[chinese_numeral]", "[corner_number]"]
    assert [line.split()[0] for line in weights if line not in tables] == ["picture", "number"] * 2
    for line, table in ((written, "chinese_numeral"), (beside, "corner_number")):
        assert line.startswith(f"{table}: of ")
        assert int(line.split()[2]) > 10


def test_the_command_for_flowers_prints_weights_and_what_they_are_worth(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "bonus_signs", "--designs", str(SAMPLES), "--scenes", "16"
    table, *weights, worth = printed_by(monkeypatch, capsys, *options)
    assert table == "[bonus_signs]"
    assert [line.split()[0] for line in weights] == [
        "before",
        "sign",
        "character",
        "word",
        "nameless",
    ]
    assert int(worth.split()[1]) > 10
