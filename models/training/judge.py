"""Training of the judge from the samples that :mod:`models.training.gather` keeps."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from torch import Tensor, nn
from torch.nn import functional

from models.nets.judge import Judge
from models.training.gather import IGNORED, Sample, load
from models.training.loop import Plan, Run
from vision.evidence.features import COSINE, DISTANCES, GROUPS, features

Floats = NDArray[np.float32]

_MOST_PAIRS: Final = 60_000
"""Maximum number of pairs of candidates in a batch, with padding."""
_MOST_PICTURES: Final = 12
"""Maximum number of pictures in a batch."""
_SMOOTHING: Final = 0.002
"""Share of the truth that is spread over all three answers."""


@dataclass(frozen=True, slots=True)
class JudgeData:
    """What the judge learns from, and how its features are disturbed.

    Attributes:
        samples: folder of samples, relative to the working folder.
        held: share of the files, the last ones, that only measure.
        shift: standard deviation of a common shift of a picture's log-odds by detector, verifier.
        noise: the same of a shift of each candidate's log-odds.
        likeness: standard deviation, of logarithms, of a common factor of a picture's colour
            distances, and of one of how unlike its embeddings are: photographs differ in these from
            drawn pictures.
        blind: share of the pictures in which a group of features is left out, each by itself.
        left_out: shares of the candidates that are left out, one of them in each picture.
    """

    samples: str
    held: float = 0.05
    shift: float = 0.25
    noise: float = 0.22
    likeness: float = 0.3
    blind: float = 0.1
    left_out: tuple[float, ...] = (0.0, 0.1, 0.3)


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """The features of one picture's candidates, with their truth.

    Attributes:
        unary: (n, UNARY) float32.
        paired: (n, n, PAIRED) float16 or float32.
        truth: (n,) int8.
    """

    unary: Floats
    paired: NDArray[np.floating]
    truth: NDArray[np.int8]


def lesson_of(sample: Sample) -> Lesson:
    """The features of a sample's candidates."""
    unary, paired = features(sample.found, tuple(sample.shape.astype(int).tolist()))
    return Lesson(unary, paired.astype(np.float16), sample.truth)


class Disturbed:
    """Batches of lessons, each disturbed again; an endless iterator.

    Args:
        lessons: at least one.
        data: how they are disturbed.
        rng: source of all randomness.
    """

    def __init__(self, lessons: Sequence[Lesson], data: JudgeData, rng: Generator) -> None:
        self._lessons, self._data, self._rng = lessons, data, rng

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        while True:
            for batch in self._batches():
                yield padded([self._disturbed(self._lessons[index]) for index in batch])

    def _batches(self) -> list[list[int]]:
        """The numbers of all lessons, those with about as many candidates together."""
        sizes = np.array([len(lesson.truth) for lesson in self._lessons])
        order = np.argsort(sizes + self._rng.normal(0, 8, len(sizes)))
        batches: list[list[int]] = [[]]
        for index in order.tolist():
            most = max(int(sizes[[*batches[-1], index]].max()), 1)
            full = len(batches[-1]) == _MOST_PICTURES
            if batches[-1] and (full or most**2 * (len(batches[-1]) + 1) > _MOST_PAIRS):
                batches.append([])
            batches[-1].append(index)
        self._rng.shuffle(batches)
        return batches

    def _disturbed(self, lesson: Lesson) -> Lesson:
        rng, data = self._rng, self._data
        kept = np.nonzero(rng.random(len(lesson.truth)) >= rng.choice(data.left_out))[0]
        kept = kept if len(kept) > 1 else np.arange(len(lesson.truth))
        unary = lesson.unary[kept].copy()
        seen = GROUPS["seen"]
        unary[:, :seen] += rng.normal(0, data.noise, (len(kept), seen)) + rng.normal(0, data.shift)
        start = 0
        for name, count in GROUPS.items():
            group = slice(start, start + count)
            start += count
            if name != "seen" and rng.random() < data.blind:
                unary[:, group] = 0
            if name in ("seen", "read"):
                unary[rng.random(len(kept)) < data.blind / 2, group] = 0
            if name == "read":
                unary[:, group] += rng.normal(0, data.noise / 2, (len(kept), count))
            if name == "labels":
                unary[:, group] *= np.exp(rng.normal(0, data.noise / 2))
        paired = lesson.paired[np.ix_(kept, kept)].astype(np.float32)
        paired[..., DISTANCES] *= np.exp(rng.normal(0, data.likeness))
        apart = (1 - paired[..., COSINE]) * np.exp(rng.normal(0, data.likeness))
        paired[..., COSINE], paired[..., COSINE + 1] = 1 - apart, (1 - apart) ** 3
        np.einsum("iik->ik", paired)[:] = 0
        return Lesson(unary, paired, lesson.truth[kept])


def padded(lessons: Sequence[Lesson]) -> tuple[Tensor, Tensor, Tensor]:
    """One batch of b lessons.

    Returns:
        (b, n, UNARY) and (b, n, n, PAIRED) features, 0 beyond the candidates of each picture, and
        (b, n) int64 truth, there -2.
    """
    most = max(len(lesson.truth) for lesson in lessons)
    unary = np.zeros((len(lessons), most, lessons[0].unary.shape[1]), np.float32)
    paired = np.zeros((len(lessons), most, most, lessons[0].paired.shape[2]), np.float32)
    truth = np.full((len(lessons), most), _PADDING, np.int64)
    for row, lesson in enumerate(lessons):
        count = len(lesson.truth)
        unary[row, :count], truth[row, :count] = lesson.unary, lesson.truth
        paired[row, :count, :count] = lesson.paired
    return torch.from_numpy(unary), torch.from_numpy(paired), torch.from_numpy(truth)


_PADDING: Final = -2
"""The truth of what is no candidate but fills a batch."""


def loss_of(net: Judge, batch: tuple[Tensor, Tensor, Tensor], device: str) -> dict[str, Tensor]:
    """The cross-entropy of a batch; ignored candidates are only context."""
    unary, paired, truth = (part.to(device) for part in batch)
    logits = net(unary, paired, truth != _PADDING)
    asked = truth > IGNORED
    loss = functional.cross_entropy(logits[asked], truth[asked], label_smoothing=_SMOOTHING)
    return {"judged": loss}


@torch.no_grad()
def answers(net: nn.Module, lessons: Sequence[Lesson], device: str) -> tuple[Tensor, Tensor]:
    """Logits (n, 3) and truth (n,) of all candidates of some pictures whose truth is known."""
    logits, truths = [], []
    for lesson in lessons:
        unary, paired, truth = (part.to(device) for part in padded([lesson]))
        known = truth[0] > IGNORED
        logits.append(net(unary, paired, truth != _PADDING)[0][known])
        truths.append(truth[0][known])
    return torch.cat(logits), torch.cat(truths)


def temperature_of(logits: Tensor, truth: Tensor) -> float:
    """The temperature with which the logits (n, 3) are calibrated best for the truth (n,)."""

    def loss(temperature: float) -> float:
        return float(functional.cross_entropy(logits / temperature, truth))

    found = minimize_scalar(loss, bounds=(0.25, 4.0), method="bounded")
    return float(found.x)


def measured(logits: Tensor, truth: Tensor) -> str:
    """How a judge does that gives some candidates the logits (n, 3), in words."""
    counts = np.zeros((3, 3), np.int64)
    np.add.at(counts, (truth.numpy(), logits.argmax(dim=1).numpy()), 1)
    nothing, face, back = counts
    return (
        f"held-out loss {float(functional.cross_entropy(logits, truth)):.4f}: faces {face[1]} of "
        f"{face.sum()}, backs {back[2]} of {back.sum()}, faces said of backs {back[1]} and of "
        f"nothing {nothing[1]}; temperature {temperature_of(logits, truth):.2f}"
    )


def train(options: argparse.Namespace, plan: Plan, data: JudgeData) -> None:
    """Train the judge, or resume the run.

    Args:
        options: of the command line, with ``run``, ``start`` and ``device``.
        plan: duration, learning rate and seed.
        data: what it learns from.

    Raises:
        OSError: the folder of samples is missing or empty.
    """
    files = sorted(Path(data.samples).glob("*.npz"))
    if not files:
        raise FileNotFoundError(f"{data.samples} holds no samples; gather them first")
    kept = len(files) - max(1, round(data.held * len(files)))
    lessons = [lesson_of(sample) for path in files[:kept] for sample in load(path)]
    held = [lesson_of(sample) for path in files[kept:] for sample in load(path)]
    net = Judge()
    run = Run(net, plan, options.run, options.device, options.start)
    rng = np.random.default_rng([plan.seed, run.state.step])
    batches = iter(Disturbed(lessons, data, rng))
    run.train(batches, lambda batch: loss_of(net, batch, options.device))
    print(measured(*answers(run.average, held, options.device)), flush=True)
