"""Pictures to train on, from all sources in stated shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from numpy.random import Generator

from datasets.photographs.sheets import Sheet, load_sheets, random_crop
from datasets.scenes.close_ups import close_up
from datasets.scenes.scenes import SHARES, Scene, random_scene
from datasets.sets.faces import FaceSet


@dataclass(frozen=True, kw_only=True)
class Mixture:
    """Which pictures a run learns from: part of ``[data]`` of its configuration.

    Attributes:
        close_share: drawn pictures of a few tiles from near among all pictures; as they show few
            tiles, most pictures have to be such for a fair share of the tiles.
        traced_share: path-traced scenes among the others, where there are such scenes.
        sheet_share: photographs among what is left, where there are photographs.
        shares: how often a face is laid in a drawn scene, against what is usual.
    """

    traced_share: float
    sheet_share: float
    close_share: float = 0.0
    shares: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrainingPictures:
    """Scenes drawn fast, and parts of annotated photographs and of path-traced scenes.

    Attributes:
        sets: what is laid in the drawn scenes.
        photos, traced: annotated pictures; either may be empty.
        mixture: their shares.
    """

    sets: Sequence[FaceSet]
    photos: Sequence[Sheet]
    traced: Sequence[Sheet]
    mixture: Mixture

    def scene(self, rng: Generator, size: tuple[int, int]) -> Scene:
        """The next picture, ``size`` (height, width) pixels unless it is one from near."""
        mixture = self.mixture
        if rng.random() < mixture.close_share:
            return close_up(rng, self.sets, mixture.shares)
        for sheets, share, careful in (
            (self.traced, mixture.traced_share, False),
            (self.photos, mixture.sheet_share, True),
        ):
            if sheets and rng.random() < share:
                sheet = sheets[int(rng.integers(len(sheets)))]
                return random_crop(rng, sheet, size, careful=careful)
        return random_scene(rng, self.sets, size, mixture.shares)


def load_pictures(
    sets: Sequence[FaceSet], photos: Path | None, traced: Path | None, mixture: Mixture
) -> TrainingPictures:
    """The training split of what is there.

    Args:
        sets: what is laid in the drawn scenes.
        photos: folder with ``sheets.coco.json``, or None.
        traced: folder with ``scenes.coco.json`` of :mod:`datasets.pathtraced`, or None.
        mixture: their shares.

    Raises:
        AnnotationError: annotations cannot be read.
        FileNotFoundError: a picture is missing.
    """
    sheets = load_sheets(photos / "sheets.coco.json", "train") if photos else []
    scenes = load_sheets(traced / "scenes.coco.json", "train") if traced else []
    every = replace(mixture, shares={**SHARES, **mixture.shares})
    return TrainingPictures(sets, sheets, scenes, every)
