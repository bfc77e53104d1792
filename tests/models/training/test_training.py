"""A short training run learns, resumes, and ends as a model file that answers the same."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn

from datasets.crops.crops import CROP_SIZE
from datasets.crops.pictures import Mixture, TrainingPictures
from datasets.scenes.scenes import Scene
from models.fitting.calibrate import best_temperature
from models.nets import average
from models.nets.average import mean_weights
from models.nets.export import averaged_weights
from models.nets.nets import Answer, Detector
from models.nets.registration import FOLDER
from models.nets.weights import load_weights
from models.training import __main__ as train
from models.training import found_tiles, verifier
from models.training.classifier import Drawn, Truth, losses
from models.training.detector import dyed_anew
from models.training.found_tiles import TileFinder
from models.training.gather import Sample, write
from models.training.loop import Plan, Run, feed
from models.training.mine_negatives import false_finds, load_negatives, save_negatives
from scorer.tiles import READING_LABELS
from tests.datasets.designs.typeface import build_typeface
from vision.evidence.candidates import Candidates
from vision.geometry.crops import MARGIN, SURROUNDINGS_SIZE
from vision.geometry.quads import UNIT_SQUARE
from vision.vocabulary.detections import Detections

pytestmark = pytest.mark.torch


class Line(nn.Module):
    """y = w x + b, the smallest thing that can be trained."""

    def __init__(self) -> None:
        super().__init__()
        self.map = nn.Linear(1, 1)

    def forward(self, x: Tensor) -> Tensor:
        mapped: Tensor = self.map(x)
        return mapped


def run_line(folder: Path, seconds: float) -> Run:
    torch.manual_seed(0)
    plan = Plan(minutes=seconds / 60, learning_rate=0.05, weight_decay=0.0, ema=0.9)
    run = Run(Line(), plan, folder, "cpu")

    def losses_of(drawn: NDArray[np.float64]) -> dict[str, Tensor]:
        x = torch.from_numpy(drawn).float()
        return {"square": (run.net(x) - (3 * x - 1)).square().mean()}

    run.train(feed(some_numbers, 0, run.state.step, 0), losses_of)
    return run


def some_numbers(rng: Generator) -> NDArray[np.float64]:
    return rng.normal(size=(32, 1))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_drawn_does_not_depend_on_who_draws(workers: int) -> None:
    alone = feed(some_numbers, 3, 5, 0)
    shared = feed(some_numbers, 3, 5, workers)
    drawn = [next(alone) for _ in range(5)]
    assert all(np.array_equal(next(shared), wanted) for wanted in drawn)
    assert not np.array_equal(drawn[0], drawn[1])


def test_a_run_learns_resumes_and_keeps_a_log(tmp_path: Path) -> None:
    first = run_line(tmp_path, 1.5)
    assert first.progress == 1.0
    again = run_line(tmp_path, 3.0)
    assert again.state.step > first.state.step
    rows = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert rows[0]["square"] > 2 * rows[-1]["square"]
    assert [row["step"] for row in rows] == sorted({row["step"] for row in rows})
    assert averaged_weights(tmp_path)["map.weight"] == again.average.state_dict()["map.weight"]


@pytest.mark.parametrize(("processor", "fit"), [("AVX2", False), ("AVX512", True)])
def test_short_floats_are_for_processors_that_compute_them(
    processor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, fit: bool
) -> None:
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: processor)
    run = Run(Line(), Plan(minutes=1), tmp_path, "cpu")
    with run.autocast():
        assert (run.net(torch.ones(1, 1)).dtype == torch.bfloat16) is fit


DESIGN = Path("datasets/samples/0900.npz")
CONFIGS = Path("models/training/config")


def gathered(folder: Path) -> Path:
    """A folder of samples for the judge, of a few candidates anywhere."""
    samples = folder / "samples"
    samples.mkdir()
    rng = np.random.default_rng(1)
    square = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
    for name, count in (("first.npz", 5), ("last.npz", 3)):
        places = rng.uniform(0, 300, (count, 1, 2)).astype(np.float32)
        scores, down, valid = rng.random((3, count)).astype(np.float32)
        faces, colours = (np.ones(shape, np.float32) for shape in ((count, 4), (count, 6, 3)))
        labels = rng.dirichlet(np.ones(len(READING_LABELS)), count).astype(np.float32)
        found = Candidates(square + places, scores, down, valid, labels, faces, colours)
        truth = rng.integers(0, 3, count).astype(np.int8)
        write(samples / name, [Sample(found, np.array([400, 400]), truth)])
    return samples


def train_for_a_moment(folder: Path, config: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the command with the shipped configuration, but few, small and short batches."""
    designs = folder / "designs"
    designs.mkdir(exist_ok=True)
    shutil.copy(DESIGN, designs / "0001.npz")
    text = (CONFIGS / f"{config}.toml").read_text()
    for setting, value in (
        ("minutes", 0.03),
        ("size", 128),
        ("batch", 2),
        ("fresh_share", 0),
        ("capacity", 6),
        ("samples", f'"{gathered(folder)}"'),
    ):
        text = re.sub(rf"(?m)^{setting} = .*$", f"{setting} = {value}", text)
    path = folder / f"{config}.toml"
    path.write_text(text)
    (folder / "fonts").mkdir()
    build_typeface(folder / "fonts" / "bars.ttf")
    sources = ["--designs", str(designs), "--fonts", str(folder / "fonts")]
    options = [str(path), "--run", str(folder / "run"), *sources]
    monkeypatch.setattr("sys.argv", ["models.training", *options])
    train.main()


@pytest.mark.parametrize("config", sorted(path.stem for path in CONFIGS.glob("*.toml")))
def test_one_command_trains_every_network(
    config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train_for_a_moment(tmp_path, config, monkeypatch)
    kept = torch.load(tmp_path / "run" / "last.pt", weights_only=True)
    assert kept["step"] > 0
    assert averaged_weights(tmp_path / "run")


@pytest.mark.parametrize(
    ("network", "data", "said"),
    [
        (
            "segmenter",
            "",
            "network is one of classifier, detector, indices, judge, marks, verifier",
        ),
        ("detector", "[data]\nsize = 64\nbatch = 2\n", ".*'traced_share'.*'reuse'"),
    ],
)
def test_what_is_amiss_in_a_configuration_is_said(
    network: str, data: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(f'network = "{network}"\n[plan]\nminutes = 1\n{data}')
    monkeypatch.setattr("sys.argv", ["models.training", str(path), "--run", str(tmp_path)])
    with pytest.raises(SystemExit, match=rf"odd\.toml: {said}"):
        train.main()


def test_a_crop_without_a_tile_teaches_neither_label_nor_turn() -> None:
    generator = torch.Generator().manual_seed(2)
    logits, upright, valid = (
        torch.randn(shape, generator=generator) for shape in ((6, 45), (6,), (6,))
    )
    corners = torch.zeros(6, 4, 2)
    answer = Answer(logits, upright, torch.zeros(6, 4), valid, corners)
    tiles = torch.tensor([True, True, True, True, False, False])
    turns = torch.tensor([0, 2, -1, 0, 0, 1])
    truth = Truth(torch.arange(6), turns, tiles, torch.full((6, 4, 2), 0.1))
    before = losses(answer, truth, 0.05)
    logits[4:], upright[4:], corners[4:] = 9.0, -9.0, 0.3
    after = losses(answer, truth, 0.05)
    assert all(torch.equal(before[part], after[part]) for part in ("label", "upright", "corners"))
    flipped = losses(answer, truth._replace(valid=~tiles), 0.05)
    assert not torch.equal(flipped["valid"], before["valid"])


def test_corners_that_are_far_off_are_not_learnt_from() -> None:
    answer = Answer(*(torch.zeros(shape) for shape in ((2, 45), (2,), (2, 4), (2,), (2, 4, 2))))
    labels, turns, tiles = torch.zeros(2).long(), torch.zeros(2).long(), torch.ones(2).bool()
    near = torch.full((2, 4, 2), 0.1)
    far = near.clone()
    far[1, 3, 0] = 0.9
    one, other = (
        losses(answer, Truth(labels, turns, tiles, corners), 0.05) for corners in (near, far)
    )
    assert one["corners"] > 0
    assert torch.equal(one["corners"], other["corners"])


def test_a_picture_dyed_anew_keeps_its_lightness_and_what_is_grey() -> None:
    rng = np.random.default_rng(3)
    picture = np.full((20, 30, 3), 128, np.uint8)
    picture[10:] = (40, 60, 200)
    hues = set()
    for _ in range(30):
        dyed = dyed_anew(rng, picture)
        assert np.array_equal(dyed[:10], picture[:10])
        assert (dyed[10:] == dyed[-1, -1]).all()
        assert abs(int(dyed[-1, -1].max()) - 200) <= 1
        hues.add(int(dyed[-1, -1].argmax()))
    assert hues == {0, 1, 2}


def test_negatives_are_kept_in_a_file(tmp_path: Path) -> None:
    crops = np.random.default_rng(1).integers(0, 40, (5, *CROP_SIZE, 3), np.uint8)
    crops[2] = 250
    save_negatives(crops, tmp_path / "negatives.npz")
    again = load_negatives(tmp_path / "negatives.npz")
    assert again.shape == crops.shape
    assert abs(again[2].mean() - 250) < 3
    assert again[[0, 1, 3, 4]].mean() < 60
    (tmp_path / "broken.npz").write_bytes(b"PK nothing")
    with pytest.raises(ValueError, match="is no file of negatives"):
        load_negatives(tmp_path / "broken.npz")


class Finder:
    """A detector that finds a tile in each of two places."""

    def run(self, *_inputs: NDArray[np.generic]) -> list[NDArray[np.generic]]:
        heat = np.zeros((1, 2, 16, 16), np.float32)
        heat[0, 0, 4, 4] = heat[0, 0, 12, 12] = 0.6
        corners = np.zeros((1, 4, 8, 16, 16), np.float32)
        corners += np.array([-2, -2.5, 2, -2.5, 2, 2.5, -2, 2.5])[:, None, None]
        return [heat, np.zeros((1, 4, 16, 16), np.float32), corners]


def test_finds_on_a_tile_are_no_false_finds() -> None:
    tile = np.array([[[20, 16], [52, 16], [52, 56], [20, 56]]], np.float32)
    scene = Scene(np.zeros((128, 128, 3), np.uint8), ("1m",), tile, np.ones(1, np.float32))
    quads = false_finds(Finder(), scene, 0.3)
    assert quads.mean(axis=1).tolist() == [[100.0, 100.0]]
    assert len(false_finds(Finder(), scene, 0.7)) == 0


class OnePicture(TrainingPictures):
    """White tiles on black, one of them a little beside where the :class:`Finder` finds it."""

    def scene(self, _rng: Generator, _size: tuple[int, int]) -> Scene:
        tiles = np.array([[[22, 19], [56, 17], [55, 58], [23, 57]]], np.float32)
        image = np.zeros((128, 128, 3), np.uint8)
        cv2.fillConvexPoly(image, tiles[0].astype(np.int32), (255, 255, 255))
        return Scene(image, ("1m",), tiles, np.ones(1, np.float32))


@pytest.mark.parametrize("misplaced", [0.0, 1.0])
def test_a_verifier_learns_where_the_corners_of_tiles_are(
    monkeypatch: pytest.MonkeyPatch, misplaced: float
) -> None:
    monkeypatch.setattr(verifier, "load_model", lambda _name: Finder())
    monkeypatch.setattr(verifier, "_HANDS", 0.0)
    monkeypatch.setattr(verifier, "_MISPLACED", misplaced)
    draw = verifier.DrawnFinds(OnePicture([], [], [], Mixture(traced_share=0, sheet_share=0)), [])
    height, width = SURROUNDINGS_SIZE
    for seed in range(20):
        crops = draw(np.random.default_rng(seed))
        assert crops.valid.tolist() == [True, False]
        around = (UNIT_SQUARE + crops.corners[0] + 0.5) / 2
        shown = (around + MARGIN) / (1 + 2 * MARGIN) * [width, height]
        wanted = np.zeros(SURROUNDINGS_SIZE, np.uint8)
        cv2.fillConvexPoly(wanted, shown.astype(np.int32), 255)
        white = crops.images[0, :, :, 0] > 127
        assert ((wanted > 0) & white).sum() > 0.85 * ((wanted > 0) | white).sum()
        assert (crops.corners[1] == 0).all(), "of what is no tile there is nothing to learn"


class Unmoved:
    """A verifier that leaves finds where they are."""

    @classmethod
    def load(cls) -> Unmoved:
        return cls()

    def verified(self, _image: NDArray[np.uint8], found: Detections) -> Detections:
        return found


def test_a_classifier_learns_from_tiles_cut_out_where_they_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(found_tiles, "load_model", lambda _name: Finder())
    monkeypatch.setattr(found_tiles, "OnnxVerifier", Unmoved)
    pictures = OnePicture([], [], [], Mixture(traced_share=0, sheet_share=0))
    draw = Drawn(pictures, negatives=0.0, mined=None, finder=TileFinder(1.0))
    tile = pictures.scene(np.random.default_rng(0), CROP_SIZE).quads[0]
    find = np.array([[20, 16], [52, 16], [52, 56], [20, 56]], np.float32)
    turns = set()
    for seed in range(20):
        crops = draw(np.random.default_rng(seed))
        turn = int(crops.turns[0])
        rolled = np.roll(find, turn, axis=0)
        matrix = cv2.getPerspectiveTransform(UNIT_SQUARE, rolled)
        told = cv2.perspectiveTransform((UNIT_SQUARE + crops.corners[0])[np.newaxis], matrix)[0]
        assert np.allclose(told, np.roll(tile, turn, axis=0), atol=0.01)
        turns.add(turn)
    assert len(turns) > 1


def test_overconfident_logits_are_cooled_and_timid_ones_sharpened() -> None:
    generator = torch.Generator().manual_seed(0)
    true = torch.randn(4000, 10, generator=generator) * 2
    labels = torch.multinomial(torch.softmax(true, dim=1), 1, generator=generator).squeeze(1)
    assert best_temperature(true * 2, labels) == pytest.approx(2.0, rel=0.1)
    assert best_temperature(true * 0.5, labels) == pytest.approx(0.5, rel=0.1)


def test_two_runs_are_averaged_number_by_number() -> None:
    a = {"layer.weight": torch.tensor([1.0, 2.0]), "layer.steps": torch.tensor(3)}
    b = {"layer.weight": torch.tensor([3.0, 0.0]), "layer.steps": torch.tensor(9)}
    b |= {"added.weight": torch.tensor([4.0])}
    mean = mean_weights(a, b, 0.75)
    assert mean["layer.weight"].tolist() == [2.5, 0.5]
    assert mean["layer.steps"].item() == 9
    assert mean["added.weight"].item() == 4
    with pytest.raises(ValueError, match="different networks"):
        mean_weights(a, {"other": torch.tensor([0.0])}, 0.5)


def test_a_run_is_averaged_with_the_shipped_file_it_started_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped, name = FOLDER / "detector.onnx", "stem.0.weight"
    own = Detector().state_dict()
    (tmp_path / "run").mkdir()
    torch.save({"average": own}, tmp_path / "run" / "last.pt")
    options = [str(shipped), str(tmp_path / "run"), "--share", "0.25"]
    out = ["--out", str(tmp_path / "mean")]
    monkeypatch.setattr("sys.argv", ["models.nets.average", *options, *out])
    average.main()
    wanted = 0.75 * load_weights(shipped)[name] + 0.25 * own[name]
    assert torch.allclose(averaged_weights(tmp_path / "mean")[name], wanted, atol=1e-6)
