"""A shipped model that reads the small print of a crop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.messages import say
from vision.runtime.session import Model, load_model, run_in_batches

Crops = NDArray[np.uint8]
Floats = NDArray[np.float32]


class CropReader:
    """A model that classifies the small print of rectified tiles.

    Args:
        model: opened.
        labels: what it must distinguish, in the order of its answers.

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
    def load(cls, name: str, labels: Sequence[str], threads: int = 1) -> CropReader:
        """Open a shipped model; one call may use so many ``threads``.

        Raises:
            ModelError: it is missing, damaged, or made for other labels.
        """
        return cls(load_model(name, threads=threads), labels)

    def read(self, crops: Crops) -> Floats:
        """Probabilities (n, labels) of crops (n, *size, 3) uint8 BGR."""
        return run_in_batches(self._model, crops)[0]
