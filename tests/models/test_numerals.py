"""The reader of corner numbers learns from suited tiles alone, and its weight is fitted on them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

import torch

from models import fit_numerals
from models.likeliest import Reads, likeliest_weights
from models.readers import READERS
from models.train_numerals import places
from scorer.tiles import READING_LABELS, SUIT_TILES
from vision.numerals import NUMBERS, numbers_of, terms

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"
WEIGHTS = np.array([0.8, 1.3])


def test_tiles_are_counted_by_their_numbers() -> None:
    labels = np.array([READING_LABELS.index(label) for label in ("1m", "9p", "6s")])
    assert places(labels).tolist() == [0, 8, 5]


def test_the_network_tells_nine_numbers() -> None:
    reader = READERS["numerals"]
    crops = torch.zeros((2, *reader.size, 3), dtype=torch.uint8)
    assert reader.net().eval()(crops).shape == (2, len(NUMBERS))


def test_the_weights_that_made_the_data_are_found_again() -> None:
    rng = np.random.default_rng(5)
    pictures = rng.dirichlet(np.full(len(SUIT_TILES), 0.5), 20_000).astype(np.float32)
    numbers = rng.dirichlet(np.full(len(NUMBERS), 0.5), 20_000).astype(np.float32)
    told = terms(pictures, numbers).astype(np.float64)
    chances = np.exp(told @ WEIGHTS)
    chances /= chances.sum(axis=1, keepdims=True)
    tiles = (chances.cumsum(axis=1) < rng.random((len(told), 1))).sum(axis=1)
    assert np.abs(likeliest_weights(told, tiles) - WEIGHTS).max() < 0.05
    reads = Reads(told, tiles)
    assert reads.right(WEIGHTS) > max(reads.right(one) for one in np.eye(2))


def test_a_number_counts_for_all_suits_alike() -> None:
    pictures = np.full((1, len(SUIT_TILES)), 1 / len(SUIT_TILES), np.float32)
    numbers = np.linspace(0.01, 0.2, len(NUMBERS), dtype=np.float32)[np.newaxis]
    told = terms(pictures, numbers)[0, :, 1]
    assert np.allclose(told, np.log(numbers[0, numbers_of(np.arange(len(SUIT_TILES)))]))


def test_the_command_prints_the_weights_and_what_they_are_worth(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["fit_numerals", "--designs", str(SAMPLES), "--scenes", "24"])
    fit_numerals.main()
    *weights, worth = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in weights] == ["PICTURE", "NUMERAL"]
    assert int(worth.split()[1]) > 10
