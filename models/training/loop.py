"""The training of all networks: batches, schedule, averaged weights, checkpoints and a log."""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

Batch = TypeVar("Batch")

_AHEAD = 8
"""Number of batches that each worker process draws in advance."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Duration, learning rate and seed of a training run.

    Attributes:
        minutes: total training time, also of a run that is stopped and resumed.
        learning_rate: peak of the cosine schedule.
        weight_decay: weight decay of AdamW.
        ema: decay of the averaged weights per step.
        seed: seed of the initial weights and of every batch.
        save_every: seconds between checkpoints.
    """

    minutes: float
    learning_rate: float = 1e-3
    weight_decay: float = 0.02
    ema: float = 0.998
    seed: int = 0
    save_every: float = 120.0


@dataclass(slots=True)
class State:
    """Progress of a run."""

    step: int = 0
    seconds: float = 0.0


class Run:
    """A training run in a folder: resumes from ``last.pt`` there and leaves ``log.jsonl``."""

    def __init__(
        self, net: nn.Module, plan: Plan, folder: Path, device: str, start: Path | None = None
    ) -> None:
        self.plan, self.folder, self.device = plan, folder, device
        if start is not None:
            from models.nets.weights import start_from

            start_from(net, start)
        self.net = net.to(torch.device(device))
        for parameter in net.parameters():
            if parameter.ndim == 4:
                parameter.data = parameter.data.contiguous(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.net).eval().requires_grad_(requires_grad=False)
        decay = [p for p in net.parameters() if p.ndim > 1]
        plain = [p for p in net.parameters() if p.ndim <= 1]
        groups = [
            {"params": decay, "weight_decay": plan.weight_decay},
            {"params": plain, "weight_decay": 0.0},
        ]
        self.optimiser = torch.optim.AdamW(groups, lr=plan.learning_rate)
        self.state = State()
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / "last.pt").exists():
            self._resume()

    def _resume(self) -> None:
        kept = torch.load(self.folder / "last.pt", map_location=self.device, weights_only=True)
        self.net.load_state_dict(kept["net"])
        self.average.load_state_dict(kept["average"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.state = State(kept["step"], kept["seconds"])

    def save(self) -> None:
        """Write ``last.pt`` atomically."""
        kept = {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.state.step,
            "seconds": self.state.seconds,
        }
        temporary = self.folder / "last.pt.tmp"
        torch.save(kept, temporary)
        temporary.replace(self.folder / "last.pt")

    @property
    def progress(self) -> float:
        """Share of the planned time that is spent, 0..1."""
        return min(1.0, self.state.seconds / (60 * self.plan.minutes))

    def autocast(self) -> torch.autocast:
        """The precision to run the network in: bfloat16 where it is fast, else float32.

        On a processor with AVX2 alone, bfloat16 makes the backward pass ten times slower.
        """
        kind = torch.device(self.device).type
        fit = kind != "cpu" or torch.backends.cpu.get_cpu_capability() == "AVX512"
        return torch.autocast(kind, torch.bfloat16, enabled=fit)

    def _learning_rate(self) -> float:
        warm = min(1.0, (self.state.step + 1) / 200)
        cosine = 0.5 * (1 + math.cos(math.pi * self.progress))
        return self.plan.learning_rate * warm * (0.01 + 0.99 * cosine)

    def _update_average(self) -> None:
        decay = min(self.plan.ema, (1 + self.state.step) / (10 + self.state.step))
        with torch.no_grad():
            ours = self.average.state_dict()
            for name, value in self.net.state_dict().items():
                if value.dtype.is_floating_point:
                    ours[name].lerp_(value, 1 - decay)
                else:
                    ours[name].copy_(value)

    def train(self, batches: Iterator[Batch], losses: Callable[[Batch], dict[str, Tensor]]) -> None:
        """Step until the planned time is spent.

        Args:
            batches: a batch for each step from ``state.step`` on.
            losses: computes the parts of the loss of a batch, which are summed.
        """
        saved = time.monotonic()
        self.net.train()
        sums: dict[str, float] = {}
        while self.progress < 1.0:
            started = time.monotonic()
            rate = self._learning_rate()
            for group in self.optimiser.param_groups:
                group["lr"] = rate
            parts = losses(next(batches))
            total = torch.stack(list(parts.values())).sum()
            self.optimiser.zero_grad()
            total.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
            self.optimiser.step()
            self._update_average()
            self.state.step += 1
            self.state.seconds += time.monotonic() - started
            for name, value in parts.items():
                sums[name] = sums.get(name, 0.0) + float(value.detach())
            if self.state.step % 50 == 0:
                self._log({name: value / 50 for name, value in sums.items()}, rate)
                sums = {}
            if time.monotonic() - saved > self.plan.save_every:
                self.save()
                saved = time.monotonic()
        self.save()

    def _log(self, parts: dict[str, float], rate: float) -> None:
        row: dict[str, Any] = {
            "step": self.state.step,
            "minutes": round(self.state.seconds / 60, 2),
            "lr": float(f"{rate:.3g}"),
            **{name: round(value, 4) for name, value in parts.items()},
        }
        line = json.dumps(row)
        print(line, flush=True)
        with (self.folder / "log.jsonl").open("a") as log:
            log.write(line + "\n")


class _Steps(IterableDataset[Batch]):
    """The batches of successive steps; each worker process draws its share of the steps."""

    def __init__(self, draw: Callable[[Generator], Batch], seed: int, first: int) -> None:
        self.draw, self.seed, self.first = draw, seed, first

    def __iter__(self) -> Iterator[Batch]:
        info = get_worker_info()
        ours, all_of_us = (info.id, info.num_workers) if info else (0, 1)
        for step in count(self.first + ours, all_of_us):
            yield self.draw(np.random.default_rng([self.seed, step]))


def feed(
    draw: Callable[[Generator], Batch], seed: int, first: int, workers: int
) -> Iterator[Batch]:
    """An endless iterator over batches.

    Args:
        draw: draws a batch; each worker process has a copy of it.
        seed: seed of the run, from which each step has a generator of its own.
        first: number of the first step.
        workers: number of worker processes; 0 draws each batch in this process on demand.
    """
    steps = _Steps(draw, seed, first)
    ahead = _AHEAD if workers else None
    return iter(
        DataLoader(
            steps,
            batch_size=None,
            collate_fn=_as_drawn,
            num_workers=workers,
            prefetch_factor=ahead,
        )
    )


def _as_drawn(batch: Batch) -> Batch:
    return batch
