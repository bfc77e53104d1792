"""The nouns of deciding a deal: tiles as read and as decided, suggestions, and broken laws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from scorer.tiles import READING_LABELS
from vision.messages import Message

_TOLERANCE: Final = 1e-3
"""By how much rounded probabilities may sum to more than 1."""


@dataclass(frozen=True, slots=True)
class JointTile:
    """A tile as the camera read it, and where it lies.

    Attributes:
        alternatives: labels with their calibrated probabilities, best first.
        player: name of the player whose tile it is, such as a seat; None for a tile of no hand.
        group: name of the meld laid apart that it is part of, unique for the player; None for a
            tile in hand or on its own.

    Raises:
        ValueError: a label or a probability is out of range, or they are not in order.
    """

    alternatives: tuple[tuple[str, float], ...]
    player: str | None = None
    group: str | None = None

    def __post_init__(self) -> None:
        labels = [label for label, _ in self.alternatives]
        chances = [p for _, p in self.alternatives]
        if not labels or len(set(labels)) < len(labels):
            raise ValueError(f"a tile needs labels that differ, not {labels}")
        for label in labels:
            if label not in READING_LABELS:
                raise ValueError(f"a tile holds the unknown label {label!r}")
        if not all(0 <= p <= 1 for p in chances) or math.fsum(chances) > 1 + _TOLERANCE:
            raise ValueError(f"probabilities lie in 0..1 and sum to 1 at most, unlike {chances}")
        if sorted(chances, reverse=True) != chances:
            raise ValueError("the likeliest label comes first")


@dataclass(frozen=True, slots=True)
class Change:
    """Another label for one tile.

    Attributes:
        tile: index of the tile.
        camera: the label that it has so far.
        label: the label that it may have instead.
    """

    tile: int
    camera: str
    label: str


@dataclass(frozen=True, slots=True)
class DecidedTile:
    """The label of one tile after the decision.

    Attributes:
        label: the label decided on.
        camera: the label read by the camera alone.
        ratio: how many times as likely the labels with this one are as those of the camera; None
            where the two labels agree.
        reason: why the label was changed; None where it was not.
    """

    label: str
    camera: str
    ratio: float | None = None
    reason: Message | None = None

    @property
    def changed(self) -> bool:
        """Whether the camera read another label."""
        return self.label != self.camera


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Other labels that people should be asked about.

    Attributes:
        changes: the tiles whose labels would differ from the decided ones.
        ratio: how many times as likely the suggested labels are as the decided ones.
        reason: why they are suggested.
    """

    changes: tuple[Change, ...]
    ratio: float
    reason: Message


@dataclass(frozen=True, slots=True)
class Problem:
    """A law that the decided labels do not satisfy.

    Attributes:
        text: what is wrong.
        tiles: indices of the tiles to check.
    """

    text: Message
    tiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision about all tiles of a deal.

    Attributes:
        tiles: the decided tiles, in the order in which they were given.
        suggestions: other labels that people should be asked about.
        problems: the laws that the decided labels do not satisfy.
    """

    tiles: tuple[DecidedTile, ...]
    suggestions: tuple[Suggestion, ...]
    problems: tuple[Problem, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels decided on."""
        return tuple(tile.label for tile in self.tiles)
