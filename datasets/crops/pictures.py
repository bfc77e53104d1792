"""Training pictures from all sources in stated shares."""

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
    """The shares of a run's training pictures, part of ``[data]`` of its configuration.

    Attributes:
        close_share: share of drawn close-ups among all pictures; since they show few tiles, most
            pictures have to be close-ups for a fair share of the tiles.
        traced_share: share of path-traced scenes among the other pictures, if there are any.
        real_share: share of photographs of tables among the remaining pictures, likewise.
        sheet_share: share of photographs of whole sets among the rest, likewise.
        shares: frequency of a face in drawn scenes relative to the usual.
    """

    traced_share: float
    sheet_share: float
    real_share: float = 0.0
    close_share: float = 0.0
    shares: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrainingPictures:
    """Drawn scenes, and parts of annotated photographs and of path-traced scenes.

    Attributes:
        sets: tile sets of the drawn scenes.
        photos: annotated photographs of whole sets from straight above; may be empty.
        traced: annotated path-traced scenes; may be empty.
        mixture: the shares of the sources.
        real: annotated photographs of tables; may be empty.
    """

    sets: Sequence[FaceSet]
    photos: Sequence[Sheet]
    traced: Sequence[Sheet]
    mixture: Mixture
    real: Sequence[Sheet] = ()

    def scene(self, rng: Generator, size: tuple[int, int]) -> Scene:
        """Draw a picture of ``size`` (height, width) in pixels, unless it is a close-up."""
        mixture = self.mixture
        if rng.random() < mixture.close_share:
            return close_up(rng, self.sets, mixture.shares)
        for sheets, share, careful in (
            (self.traced, mixture.traced_share, False),
            (self.real, mixture.real_share, False),
            (self.photos, mixture.sheet_share, True),
        ):
            if sheets and rng.random() < share:
                sheet = sheets[int(rng.integers(len(sheets)))]
                return random_crop(rng, sheet, size, careful=careful)
        return random_scene(rng, self.sets, size, mixture.shares)


def load_pictures(
    sets: Sequence[FaceSet],
    photos: Path | None,
    traced: Path | None,
    mixture: Mixture,
    real: Path | None = None,
) -> TrainingPictures:
    """The training split of the available sources.

    Args:
        sets: tile sets of the drawn scenes.
        photos: folder with ``sheets.coco.json``, or None.
        traced: folder with ``scenes.coco.json`` of :mod:`datasets.pathtraced`, or None.
        mixture: the shares of the sources.
        real: folder with ``real.coco.json`` and its pictures, or None.

    Raises:
        AnnotationError: annotations cannot be read.
        FileNotFoundError: a picture is missing.
    """
    sheets = load_sheets(photos / "sheets.coco.json", "train") if photos else []
    scenes = load_sheets(traced / "scenes.coco.json", "train") if traced else []
    every = replace(mixture, shares={**SHARES, **mixture.shares})
    tables = load_sheets(real / "real.coco.json", "train") if real else []
    return TrainingPictures(sets, sheets, scenes, every, tables)
