"""The reader of marks learns from flowers and seasons alone, and its weight is fitted on them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from datasets.crops.pictures import Mixture, TrainingPictures
from datasets.photographs.sheets import load_sheets
from datasets.scenes.scenes import STAND_IN
from datasets.sets.faces import load_designs
from models.fitting import birds
from models.fitting.likeliest import Reads, likeliest_weights
from models.nets.nets import MARKS_SIZE, MarksReader
from models.training.crop_pool import CropPool
from models.training.found_tiles import TileFinder
from models.training.marks import (
    DrawnFaces,
    bonus_places,
    losses,
    of_bonus_alone,
    with_bonus_alone,
)
from scorer.tiles import BONUS_TILES, READING_LABELS
from tests.models.fitting.command import printed_by
from vision.classify.bonus_marks import mark_terms
from vision.vocabulary.labels import BONUS_COLUMNS

pytestmark = pytest.mark.torch

DATASETS = Path(__file__).parents[3] / "datasets"
SAMPLES = DATASETS / "samples"
SIZE = (64, 48)
WEIGHTS = np.array([0.4, 0.9, 0.6])


@pytest.fixture(scope="module")
def pictures() -> TrainingPictures:
    sets = [with_bonus_alone(f) for f in load_designs([SAMPLES / "0900.npz"])]
    return TrainingPictures(
        sets, [], [], Mixture(traced_share=0.0, sheet_share=0.0, shares={STAND_IN: 0.0})
    )


def test_all_that_is_learnt_from_are_flowers_and_seasons(pictures: TrainingPictures) -> None:
    draw = DrawnFaces(pictures, TileFinder(0.0), BONUS_COLUMNS)
    pool = CropPool(draw, 1.0, 1200, MARKS_SIZE)
    crops = pool.batch(np.random.default_rng(1), 200)
    assert {READING_LABELS[label] for label in crops.labels} == set(BONUS_TILES)
    assert {0, 2} <= set(crops.turns.tolist())
    assert crops.images.shape == (200, *MARKS_SIZE, 3)


def test_of_annotated_pictures_the_flowers_and_seasons_alone_are_kept() -> None:
    sheets = load_sheets(DATASETS / "benchmark" / "scenes.coco.json", "profile")[:2]
    kept = of_bonus_alone(sheets)
    assert [set(sheet.photo.labels) for sheet in kept] == [set(BONUS_TILES)] * 2
    for sheet, whole in zip(kept, sheets, strict=True):
        where = [whole.photo.labels.index(label) for label in sheet.photo.labels]
        assert np.array_equal(sheet.photo.quads, whole.photo.quads[where])


def test_a_tile_that_is_not_upright_shall_tell_nothing() -> None:
    marks, turns = np.array([0, 1]), np.array([0, 2])
    sure = torch.tensor([[9.0, *[0.0] * 7], [0.0, 9.0, *[0.0] * 6]])
    even = torch.tensor([[9.0, *[0.0] * 7], [0.0] * 8])
    loud, quiet = (losses(logits, marks, turns, 0.0) for logits in (sure, even))
    assert loud["mark"] == quiet["mark"] < 0.01
    assert quiet["turned"] < loud["turned"]


def test_marks_are_counted_among_the_flowers_and_seasons() -> None:
    labels = np.array([READING_LABELS.index(label) for label in BONUS_TILES])
    assert bonus_places(labels).tolist() == list(range(8))


def test_the_weights_that_made_the_data_are_found_again() -> None:
    rng = np.random.default_rng(5)
    pictures, read = rng.dirichlet(np.full(8, 0.5), (2, 20_000)).astype(np.float32)
    told = mark_terms(pictures, read).astype(np.float64)
    chances = np.exp(told @ WEIGHTS)
    chances /= chances.sum(axis=1, keepdims=True)
    marks = (chances.cumsum(axis=1) < rng.random((len(told), 1))).sum(axis=1)
    reads = Reads(told, marks)
    assert np.abs(likeliest_weights(told, marks) - WEIGHTS).max() < 0.05
    assert reads.right(WEIGHTS) > max(reads.right(one) for one in np.eye(3))


def test_the_command_prints_the_weights_and_what_they_are_worth(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "bonus_marks", "--designs", str(SAMPLES), "--scenes", "8"
    table, *weights, worth = printed_by(monkeypatch, capsys, *options)
    assert table == "[bonus_marks]"
    assert [line.split()[0] for line in weights] == ["picture", "number", "kind"]
    assert int(worth.split()[1]) > 20


def test_as_many_flowers_as_birds_tell_the_weights_of_numbers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reads = birds.read_both(SAMPLES, None, 8, 3)
    assert len(reads.labels) > 10
    assert reads.labels.mean() == 0.5
    options = "birds", "--designs", str(SAMPLES), "--scenes", "8"
    table, *weights, worth = printed_by(monkeypatch, capsys, *options)
    assert table == "[flower_or_bird]"
    assert [line.split()[0] for line in weights] == ["several", "one", "illegible"]
    assert int(worth.split()[1]) > 10


def test_a_reader_goes_on_from_a_shallower_one_as_that_ended() -> None:
    torch.manual_seed(2)
    shallow, deeper = MarksReader((1, 2, 2, 1)), MarksReader((1, 3, 4, 2))
    known = {**deeper.state_dict(), **shallow.state_dict()}
    assert len(known) > len(shallow.state_dict())
    deeper.load_state_dict(known)
    crops = torch.randint(0, 256, (3, *SIZE, 3), dtype=torch.uint8)
    assert torch.equal(deeper.eval()(crops), shallow.eval()(crops))


def test_a_look_picks_the_mark_wherever_it_stands() -> None:
    net = MarksReader((1, 1, 1, 1)).eval()
    for parameter in (*net.label.parameters(), *net.look.parameters()):
        torch.nn.init.zeros_(parameter)
    crops = torch.zeros((1, *SIZE, 3), dtype=torch.uint8)
    assert torch.equal(net(crops), torch.zeros(1, 8))
    heads = net.look.weight.data.reshape(-1, 9, net.look.in_channels)
    heads[:, 0, 0], heads[0, 1 + 3, 0], heads[1, 1 + 5, 0] = 10.0, 1.0, 2.0

    def said(row: int, column: int) -> torch.Tensor:
        seen = torch.zeros(1, net.look.in_channels, 12, 9)
        seen[0, 0, row, column] = 4.0
        net.layer4 = torch.nn.Sequential(_Shows(seen))
        logits: torch.Tensor = net(crops)
        return logits

    wanted = torch.tensor([[0.0, 0, 0, 4, 0, 8, 0, 0]])
    assert all(torch.allclose(said(*place), wanted) for place in ((0, 0), (11, 8), (5, 4)))


class _Shows(torch.nn.Module):
    """In place of a layer: gives the same whatever it is shown."""

    def __init__(self, seen: torch.Tensor) -> None:
        super().__init__()
        self.seen = seen

    def forward(self, _x: torch.Tensor) -> torch.Tensor:
        return self.seen
