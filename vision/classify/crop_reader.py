"""Reading what is printed small on a tile, with one of the shipped models made for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classify.negatives import with_negatives
from vision.errors import ModelError
from vision.messages import say
from vision.runtime.session import Model, load_model

Floats = NDArray[np.float32]


class SmallPrint:
    """A model that tells which of some labels a rectified tile's small print stands for.

    Args:
        model: opened.
        labels: what it has to tell apart, in the order of its answers.

    Attributes:
        entry: what the registry says of it.
        size: (height, width) in pixels of the crops it looks at.

    Raises:
        ModelError: it was made for other labels.
    """

    def __init__(self, model: Model, labels: Sequence[str]) -> None:
        size = model.metadata.get("size")
        if model.metadata.get("labels") != list(labels) or not isinstance(size, list):
            raise ModelError(say("model.other_tiles", file=model.entry.file))
        self._model = model
        self.entry: Final = model.entry
        self.size: Final = (int(size[0]), int(size[1]))

    @classmethod
    def load(cls, name: str, labels: Sequence[str], threads: int = 1) -> SmallPrint:
        """Open a shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or made for other labels.
        """
        return cls(load_model(name, threads=threads), labels)

    def read(self, crops: NDArray[np.uint8]) -> Floats:
        """Probabilities (n, labels) of crops (n, *size, 3) uint8 BGR, dark ones read twice."""

        def said(some: NDArray[np.uint8]) -> Floats:
            return self._model.run(some)[0].astype(np.float32)

        return with_negatives(said(crops), crops, said)
