"""The judge learns from kept samples, and from neither padding nor ignored candidates."""

from __future__ import annotations

from argparse import Namespace
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from numpy.random import Generator

from datasets.scenes.scenes import Scene
from models.nets.judge import Judge, JudgeGraph
from models.training import loop
from models.training.gather import (
    DOWN,
    FACE,
    IGNORED,
    NOTHING,
    Sample,
    load,
    sample_of,
    truth_of,
    write,
)
from models.training.judge import Disturbed, JudgeData, Lesson, lesson_of, loss_of, padded, train
from models.training.loop import Plan
from scorer.tiles import BACK, READING_LABELS
from tests.vision.fakes import models_that_see
from tests.vision.table import lay
from vision.evidence.candidates import Candidates

FACE_ROW = np.eye(len(READING_LABELS), dtype=np.float32)[0]


def row_of(count: int, rng: Generator) -> Candidates:
    """Candidates side by side; those with a low score are nothing."""
    tile = np.array([[0, 0], [40, 0], [40, 54], [0, 54]], np.float32)
    places = np.stack([50.0 * np.arange(count), np.full(count, 100.0)], axis=1)
    embeddings = rng.normal(size=(count, 8))
    return Candidates(
        (places[:, np.newaxis] + tile).astype(np.float32),
        rng.choice([0.05, 0.95], count).astype(np.float32),
        np.full(count, 0.1, np.float32),
        np.full(count, 0.9, np.float32),
        np.tile(FACE_ROW, (count, 1)),
        (embeddings / np.linalg.norm(embeddings, axis=1, keepdims=True)).astype(np.float32),
        rng.normal(0, 10, (count, 6, 3)).astype(np.float32),
    )


def samples(count: int, seed: int) -> list[Sample]:
    rng = np.random.default_rng(seed)
    found = [row_of(int(rng.integers(1, 9)), rng) for _ in range(count)]
    return [
        Sample(each, np.array([300, 600]), np.where(each.scores > 0.5, FACE, NOTHING).astype("i1"))
        for each in found
    ]


def test_samples_are_kept_as_they_are(tmp_path: Path) -> None:
    kept = samples(5, 0)
    write(tmp_path / "0.npz", kept)
    for before, after in zip(kept, load(tmp_path / "0.npz"), strict=True):
        assert np.array_equal(before.found.quads, after.found.quads)
        assert np.allclose(before.found.embeddings, after.found.embeddings, atol=1e-3)
        assert np.array_equal(before.truth, after.truth)
        assert np.array_equal(before.shape, after.shape)
    assert [path.name for path in tmp_path.iterdir()] == ["0.npz"]


def test_the_truth_is_that_of_the_tile_below_and_of_hidden_ones_nothing_is_known() -> None:
    found = row_of(4, np.random.default_rng(1))
    labels = ("1m", BACK, "2m")
    visible = np.array([1.0, 1.0, 0.2], np.float32)
    truth = truth_of(found, labels, found.quads[:3], visible)
    assert truth.tolist() == [FACE, DOWN, IGNORED, NOTHING]


def test_a_scene_gives_the_candidates_that_the_networks_find_with_their_truth() -> None:
    laid = lay("123m")
    models = models_that_see(laid.quads, laid.labels)
    image = np.full((400, 1200, 3), 90, np.uint8)
    scene = Scene(image, ("1m", BACK), laid.quads[:2], np.ones(2, np.float32))
    sample = sample_of(scene, *models)
    assert sample is not None
    assert sample.truth.tolist() == [FACE, DOWN, NOTHING]
    assert sample.shape.tolist() == [400, 1200]
    assert sample_of(scene, *models_that_see(laid.quads[:0], [])) is None


def test_padding_and_ignored_candidates_teach_nothing() -> None:
    lessons = [lesson_of(sample) for sample in samples(2, 3)]
    short, long = sorted(lessons, key=lambda lesson: len(lesson.truth))
    torch.manual_seed(0)
    net = Judge().eval()
    alone = loss_of(net, padded([short]), "cpu")["judged"]
    beside = net(*_asked([short, long]))[0, : len(short.truth)]
    assert torch.allclose(net(*_asked([short]))[0], beside, atol=1e-5)
    long.truth[:] = IGNORED
    both = loss_of(net, padded([short, long]), "cpu")["judged"]
    assert torch.allclose(both, alone)


def _asked(lessons: list[Lesson]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    unary, paired, truth = padded(lessons)
    return unary, paired, truth > -2


def test_disturbed_lessons_keep_their_truth_and_repeat_with_their_seed() -> None:
    lessons = [lesson_of(sample) for sample in samples(30, 4)]

    def first() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return next(iter(Disturbed(lessons, JudgeData("."), np.random.default_rng(5))))

    assert all(torch.equal(one, other) for one, other in zip(first(), first(), strict=True))
    faces = sum(int((lesson.truth == FACE).sum()) for lesson in lessons)
    assert 0 < int((first()[2] == FACE).sum()) <= faces


def test_a_run_learns_what_tells_faces_from_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count(step=0.02)
    monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    for number in range(4):
        write(tmp_path / f"{number}.npz", samples(40, number))
    options = Namespace(run=tmp_path / "run", start=None, device="cpu")
    plan = Plan(minutes=0.05, learning_rate=5e-3, ema=0.9, save_every=1e9)
    train(options, plan, JudgeData(str(tmp_path), held=0.25, blind=0.0))
    told = capsys.readouterr().out.splitlines()[-1]
    assert "faces said of backs 0 and of nothing 0" in told
    assert (tmp_path / "run" / "last.pt").exists()


def test_a_folder_without_samples_is_named(tmp_path: Path) -> None:
    options = Namespace(run=tmp_path / "run", start=None, device="cpu")
    with pytest.raises(FileNotFoundError, match="holds no samples"):
        train(options, Plan(minutes=0.01), JudgeData(str(tmp_path)))


def test_a_higher_temperature_makes_it_less_sure() -> None:
    torch.manual_seed(1)
    lesson = lesson_of(samples(1, 6)[0])
    asked = torch.from_numpy(lesson.unary), torch.from_numpy(lesson.paired.astype(np.float32))
    net = Judge().eval()
    sure, unsure = (JudgeGraph([net], t) for t in (1.0, 4.0))
    assert sure(*asked).max() > unsure(*asked).max()
    assert torch.allclose(unsure(*asked).sum(dim=1), torch.ones(len(lesson.truth)))


def test_several_judges_answer_with_their_mean() -> None:
    torch.manual_seed(2)
    lesson = lesson_of(samples(1, 7)[0])
    asked = torch.from_numpy(lesson.unary), torch.from_numpy(lesson.paired.astype(np.float32))
    nets = [Judge().eval(), Judge().eval()]
    one, other = (JudgeGraph([net], 1.0)(*asked) for net in nets)
    assert torch.allclose(JudgeGraph(nets, 1.0)(*asked), (one + other) / 2, atol=1e-6)
    assert not torch.allclose(one, other, atol=1e-3)
