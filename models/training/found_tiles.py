"""Where the shipped models find the tiles of pictures to train on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.crops.crops import NOT_LOOKED_FOR
from datasets.scenes.scenes import Scene
from models.evaluation.matching import corner_errors, match
from models.nets.detector_targets import STRIDE
from vision.detect.search import decode
from vision.detect.verifier import OnnxVerifier
from vision.runtime.session import Model, load_model
from vision.vocabulary.detections import Detections

Floats = NDArray[np.float32]

LEAST: Final = 0.1
"""Score of the finds that are learnt from."""


class Runs(Protocol):
    """A model as it is run."""

    def run(self, *inputs: NDArray[np.generic]) -> list[NDArray[np.generic]]:
        """The outputs, in the model's order."""
        ...


def finds_in(model: Runs, scene: Scene, least: float) -> Detections:
    """What the detector finds and scores ``least`` or more, from 0 to 1.

    Args:
        model: the detector.
        scene: a picture whose sides are multiples of 32 pixels.
        least: score, 0..1.
    """
    heat, sector, corners = (
        np.asarray(part[0], np.float32) for part in model.run(scene.image[np.newaxis])
    )
    return decode(heat, sector, corners, least, STRIDE)


@dataclass(frozen=True)
class TileFinder:
    """The shipped detector and first verifier, opened where and when they are first asked.

    Attributes:
        share: of the pictures that they look at.
    """

    share: float

    @cached_property
    def _detector(self) -> Model:
        return load_model("detector")

    @cached_property
    def _verifier(self) -> OnnxVerifier:
        return OnnxVerifier.load()

    def __call__(self, rng: Generator, scene: Scene) -> Mapping[int, Floats]:
        """The finds of tiles, by their index: (4, 2) from the tile's own top-left.

        Args:
            rng: of which pictures are looked at.
            scene: a picture whose sides are multiples of 32 pixels.
        """
        if rng.random() >= self.share:
            return NOT_LOOKED_FOR
        found = finds_in(self._detector, scene, LEAST)
        _, quads = self._verifier.first_look(scene.image, found)
        finds = {}
        for tile, find in match(scene.quads, quads):
            _, turn = corner_errors(scene.quads[tile], quads[find])
            finds[tile] = np.asarray(np.roll(quads[find], -turn, axis=0), np.float32)
        return finds
