"""Pictures to train on, from all sources in stated shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.random import Generator

from datasets.faces import FaceSet
from datasets.scenes import SHARES, Scene, random_scene
from datasets.sheets import Sheet, load_sheets, random_crop


@dataclass(frozen=True, slots=True)
class TrainingPictures:
    """Scenes drawn fast, and parts of annotated photographs and of path-traced scenes.

    Attributes:
        sets: what is laid in the drawn scenes.
        photos, traced: annotated pictures; either may be empty.
        traced_share: of all pictures, where there are such scenes.
        photo_share: of the other pictures, where there are photographs.
        shares: how often a face is laid in a drawn scene, against 1 for those not named.
    """

    sets: Sequence[FaceSet]
    photos: Sequence[Sheet]
    traced: Sequence[Sheet]
    photo_share: float
    traced_share: float
    shares: Mapping[str, float]

    def scene(self, rng: Generator, size: tuple[int, int]) -> Scene:
        """The next picture, ``size`` (height, width) pixels."""
        for sheets, share in ((self.traced, self.traced_share), (self.photos, self.photo_share)):
            if sheets and rng.random() < share:
                return random_crop(rng, sheets[int(rng.integers(len(sheets)))], size)
        return random_scene(rng, self.sets, size, self.shares)


def load_pictures(
    sets: Sequence[FaceSet], photos: Path | None, traced: Path | None, data: Mapping[str, Any]
) -> TrainingPictures:
    """The training split of what is there.

    Args:
        sets: what is laid in the drawn scenes.
        photos: folder with ``sheets.coco.json``, or None.
        traced: folder with ``scenes.coco.json`` of :mod:`datasets.pathtraced`, or None.
        data: ``sheet_share``, ``traced_share`` and ``shares`` of a run's ``[data]``.

    Raises:
        AnnotationError: annotations cannot be read.
        FileNotFoundError: a picture is missing.
    """
    sheets = load_sheets(photos / "sheets.coco.json", "train") if photos else []
    scenes = load_sheets(traced / "scenes.coco.json", "train") if traced else []
    shares = {**SHARES, **data["shares"]}
    return TrainingPictures(sets, sheets, scenes, data["sheet_share"], data["traced_share"], shares)
