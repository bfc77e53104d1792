"""The judge: a small network that attends between the candidates of one picture.

It learns what is a face, what a back and what neither, of each candidate by itself and by how it
lies and looks beside the others ("Attention Is All You Need", arXiv 1706.03762). Beside the usual
message, each candidate hears from each other one of what lies between the two
("Graph Attention Networks", arXiv 1710.10903).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.evidence.features import PAIRED, UNARY

CLASSES: Final = 3
"""Number of answers: nothing, face, back."""
_WIDTH, _HEADS, _ROUNDS = 56, 4, 3
"""Numbers that describe a candidate, heads of attention, and rounds of messages."""
_BETWEEN: Final = 24
"""Numbers that describe what lies between two candidates."""
_MESSAGE: Final = 8
"""Numbers that each head passes on of what lies between two candidates."""
_HIDDEN: Final = 96
"""Width of the layer within each round."""
_FAR_BELOW: Final = -1e4
"""Logit of attending to what is no candidate."""


class Round(nn.Module):
    """One round of messages between the candidates, and a step of each by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(_WIDTH), nn.LayerNorm(_WIDTH)
        self.asked, self.known, self.told = (nn.Linear(_WIDTH, _WIDTH) for _ in range(3))
        self.heard = nn.Linear(_WIDTH + _HEADS * _MESSAGE, _WIDTH)
        self.bias = nn.Linear(_BETWEEN, _HEADS)
        self.message = nn.Linear(_BETWEEN, _HEADS * _MESSAGE)
        self.alone = nn.Sequential(
            nn.Linear(_WIDTH, _HIDDEN), nn.GELU(), nn.Linear(_HIDDEN, _WIDTH)
        )
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, pairs: Tensor, there: Tensor) -> Tensor:
        """The candidates (b, n, width) after the round.

        Args:
            x: (b, n, width) candidates before it.
            pairs: (b, n, n, between) what lies between each two.
            there: (b, n) bool, which are candidates and no padding.
        """
        b, n = x.shape[:2]
        y = self.before(x)
        asked, known, told = (
            layer(y).view(b, n, _HEADS, -1).transpose(1, 2)
            for layer in (self.asked, self.known, self.told)
        )
        logits = asked @ known.transpose(2, 3) * (_WIDTH // _HEADS) ** -0.5
        logits = logits + self.bias(pairs).permute(0, 3, 1, 2)
        logits = logits.masked_fill(~there[:, None, None], _FAR_BELOW)
        nobody = torch.zeros_like(logits[..., :1])
        share = torch.cat([logits, nobody], dim=3).softmax(dim=3)[..., :-1]
        words = (share @ told).transpose(1, 2).reshape(b, n, _WIDTH)
        between = self.message(pairs).view(b, n, n, _HEADS, _MESSAGE).permute(0, 3, 1, 2, 4)
        seen = (share.unsqueeze(3) @ between).squeeze(3).transpose(1, 2).reshape(b, n, -1)
        x = x + self.drop(self.heard(torch.cat([words, seen], dim=2)))
        stepped: Tensor = x + self.drop(self.alone(self.between(x)))
        return stepped


class Judge(nn.Module):
    """Says of each candidate of a picture whether it is nothing, a face or a back."""

    def __init__(self) -> None:
        super().__init__()
        self.own = nn.Linear(UNARY, _WIDTH)
        self.pair = nn.Sequential(
            nn.Linear(PAIRED, 32), nn.GELU(), nn.Linear(32, _BETWEEN), nn.GELU()
        )
        self.rounds = nn.ModuleList(Round() for _ in range(_ROUNDS))
        self.answer = nn.Sequential(
            nn.LayerNorm(_WIDTH), nn.Linear(_WIDTH, 48), nn.GELU(), nn.Linear(48, CLASSES)
        )

    def forward(self, unary: Tensor, paired: Tensor, there: Tensor) -> Tensor:
        """Logits (b, n, 3) of nothing, face and back.

        Args:
            unary: (b, n, UNARY) features of the candidates, see :mod:`vision.evidence.features`.
            paired: (b, n, n, PAIRED) features of each two.
            there: (b, n) bool, which are candidates and no padding.
        """
        x, pairs = self.own(unary), self.pair(paired)
        for one in self.rounds:
            x = one(x, pairs, there)
        logits: Tensor = self.answer(x)
        return logits


class JudgeGraph(nn.Module):
    """Several judges of one picture, with the mean of their probabilities instead of logits.

    Runs with other seeds differ most where none of them knows, so their mean invents less
    ("Simple and Scalable Predictive Uncertainty Estimation using Deep Ensembles",
    arXiv 1612.01474).
    """

    def __init__(self, nets: Sequence[Judge], temperature: float) -> None:
        super().__init__()
        self.nets, self.temperature = nn.ModuleList(nets), temperature

    def forward(self, unary: Tensor, paired: Tensor) -> Tensor:
        """Probabilities (n, 3) of nothing, face and back, of (n, UNARY) and (n, n, PAIRED)."""
        there = torch.ones_like(unary[None, :, 0], dtype=torch.bool)
        every = [net(unary[None], paired[None], there)[0] for net in self.nets]
        chances = [functional.softmax(logits / self.temperature, dim=1) for logits in every]
        return torch.stack(chances).mean(dim=0)
