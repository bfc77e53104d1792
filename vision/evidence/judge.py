"""The judge: of all candidates of a picture together, which are faces, backs, or neither."""

from __future__ import annotations

from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.evidence.candidates import Candidates
from vision.evidence.features import features
from vision.runtime.session import Model, load_model

Chances = NDArray[np.float64]


class Judge(Protocol):
    """Judges the candidates of one picture."""

    def judged(self, found: Candidates, shape: tuple[int, ...]) -> Chances:
        """Probabilities (n, 3) that each candidate is nothing, a face, or a tile face down.

        Args:
            found: n candidates.
            shape: of their picture, (height, width, ...) in pixels.
        """
        ...


class OnnxJudge:
    """The shipped judge.

    Args:
        model: opened; it attends between the candidates.
    """

    def __init__(self, model: Model) -> None:
        self._model = model

    def judged(self, found: Candidates, shape: tuple[int, ...]) -> Chances:
        """Probabilities (n, 3) that each candidate is nothing, a face, or a tile face down."""
        if not len(found):
            return np.zeros((0, 3))
        (chances,) = self._model.run(*features(found, shape))
        return chances.astype(np.float64)


@cache
def shipped_judge() -> OnnxJudge:
    """The shipped judge, opened at the first call and kept.

    Raises:
        ModelError: its file is missing or damaged.
    """
    return OnnxJudge(load_model("judge"))
