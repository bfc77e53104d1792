"""What a detector and a classifier are asked for and what they answer.

Coordinates are pixels of the upright full-resolution photo, x to the right, y down. The four
corners of a tile's face run clockwise: top-left, top-right, bottom-right, bottom-left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from vision.errors import ModelError
from vision.messages import say

LIKELY: Final = 0.45
"""Minimum score of a detection that is likely a tile, whatever lies beside it."""

_TOLERANCE: Final = 1e-3
"""Maximum error of a probability in float32 arithmetic."""


def _require_array(
    name: str, array: NDArray[np.generic], shape: tuple[int | None, ...], kinds: str
) -> None:
    """Raise ValueError unless the array has that shape and a dtype of one of those kinds."""
    fits = array.ndim == len(shape) and all(
        want is None or want == have for want, have in zip(shape, array.shape, strict=True)
    )
    wanted = "(" + ", ".join("n" if side is None else str(side) for side in shape) + ")"
    if not fits:
        raise ValueError(f"{name} must have shape {wanted}, not {array.shape}")
    if array.dtype.kind not in kinds:
        raise ValueError(f"{name} must not be of dtype {array.dtype}")


def _require_unit_range(name: str, array: NDArray[np.float32]) -> None:
    """Raise ValueError unless all values lie in 0..1."""
    if not ((array >= 0) & (array <= 1 + _TOLERANCE)).all():
        raise ValueError(f"{name} must lie in 0..1")


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """The detections of one photo, in no particular order.

    Attributes:
        quads: (n, 4, 2) float32, face corners clockwise in pixels; corner 0 is the tile's own
            top-left up to half a turn.
        scores: (n,) float32 in 0..1, the probability of a tile there.
        down: (n,) float32 in 0..1, the probability that the tile lies face down.

    Raises:
        ValueError: a shape, a dtype or a range is wrong.
    """

    quads: NDArray[np.float32]
    scores: NDArray[np.float32]
    down: NDArray[np.float32]

    def __post_init__(self) -> None:
        n = len(self.quads)
        _require_array("quads", self.quads, (None, 4, 2), "f")
        _require_array("scores", self.scores, (n,), "f")
        _require_array("down", self.down, (n,), "f")
        _require_unit_range("scores", self.scores)
        _require_unit_range("down", self.down)
        if not np.isfinite(self.quads).all():
            raise ValueError("quads must be finite")

    def __len__(self) -> int:
        return len(self.quads)

    def chosen(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Detections:
        """The detections selected by a mask (n,) or by indices (m,)."""
        return Detections(self.quads[which], self.scores[which], self.down[which])

    def joined(self, others: Detections) -> Detections:
        """These detections followed by the others."""
        return Detections(
            np.concatenate([self.quads, others.quads]),
            np.concatenate([self.scores, others.scores]),
            np.concatenate([self.down, others.down]),
        )

    def at(self, quads: NDArray[np.float32]) -> Detections:
        """The same detections with other corners, ``quads`` (n, 4, 2)."""
        return Detections(quads, self.scores, self.down)


NO_DETECTIONS: Final = Detections(
    np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32)
)
"""No detection at all."""


@dataclass(frozen=True, slots=True, eq=False)
class Classified:
    """What each detection shows, in the order of the quads that were classified.

    Attributes:
        quads: (n, 4, 2) float32, the quads with their corners corrected.
        probabilities: (n, 45) float32, calibrated, each row summing to 1; the columns are
            :data:`scorer.tiles.READING_LABELS`.
        turns: (n,) int, how many corners the quad's list must be rolled forward so that corner 0
            is the top-left of the tile as read upright: ``np.roll(quad, -turn, axis=0)``.
        embeddings: (n, d) float32 unit vectors; similar faces have a large cosine.
        valid: (n,) float32 in 0..1, the probability that the crop shows a tile at all; without one
            the rest is meaningless.

    Raises:
        ValueError: a shape, a dtype or a range is wrong.
    """

    quads: NDArray[np.float32]
    probabilities: NDArray[np.float32]
    turns: NDArray[np.int64]
    embeddings: NDArray[np.float32]
    valid: NDArray[np.float32]

    def __post_init__(self) -> None:
        n = len(self.probabilities)
        _require_array("quads", self.quads, (n, 4, 2), "f")
        _require_array("probabilities", self.probabilities, (None, len(READING_LABELS)), "f")
        _require_array("turns", self.turns, (n,), "iu")
        _require_array("embeddings", self.embeddings, (n, None), "f")
        _require_array("valid", self.valid, (n,), "f")
        _require_unit_range("probabilities", self.probabilities)
        _require_unit_range("valid", self.valid)
        if not np.allclose(self.probabilities.sum(axis=1), 1, atol=_TOLERANCE):
            raise ValueError("each row of probabilities must sum to 1")


class Detector(Protocol):
    """Detects the tiles of a photo."""

    def detect(self, image: NDArray[np.uint8], *, faint: bool = False) -> Detections:
        """The detections in ``image``, (h, w, 3) uint8 BGR, upright.

        With ``faint`` also those with low scores, which later stages may confirm.
        """
        ...


class Classifier(Protocol):
    """Reads what detections show."""

    def classify(self, image: NDArray[np.uint8], quads: NDArray[np.float32]) -> Classified:
        """What the (n, 4, 2) ``quads`` of ``image``, (h, w, 3) uint8 BGR, show; n may be 0."""
        ...

    def glance(self, image: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
        """Probabilities (n, 45) of what they show at a first look, the ``quads`` upright."""
        ...


def classified(classifier: Classifier, image: NDArray[np.uint8], found: Detections) -> Classified:
    """The classifier's reading of the detections.

    Raises:
        ModelError: it answers about another number of tiles.
    """
    seen = classifier.classify(image, found.quads)
    if len(seen.probabilities) != len(found):
        raise ModelError(say("model.counts", found=len(found), read=len(seen.probabilities)))
    return seen
