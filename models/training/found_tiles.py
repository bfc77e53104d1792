"""Detections of the shipped models on training pictures, matched with their true tiles."""

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
from vision.detect.network import decode
from vision.detect.verifier import OnnxVerifier
from vision.runtime.session import Model, load_model
from vision.vocabulary.detections import Detections

Floats = NDArray[np.float32]

LEAST: Final = 0.1
"""Score from which detections are used for training."""


class Runs(Protocol):
    """A model that can be run."""

    def run(self, *inputs: NDArray[np.generic]) -> list[NDArray[np.generic]]:
        """The outputs, in the model's order."""
        ...


def finds_in(model: Runs, scene: Scene, least: float) -> Detections:
    """The detector's detections with a score of ``least`` or more.

    Args:
        model: the detector.
        scene: a picture whose sides are multiples of 32 pixels.
        least: lowest score, 0..1.
    """
    heat, sector, corners = (
        np.asarray(part[0], np.float32) for part in model.run(scene.image[np.newaxis])
    )
    return decode(heat, sector, corners, least, STRIDE)


@dataclass(frozen=True)
class TileFinder:
    """Detects tiles with the shipped detector and first verifier, which open on first use.

    Attributes:
        share: share of the pictures in which tiles are detected.
    """

    share: float

    @cached_property
    def _detector(self) -> Model:
        return load_model("detector")

    @cached_property
    def _verifier(self) -> OnnxVerifier:
        return OnnxVerifier.load()

    def __call__(self, rng: Generator, scene: Scene) -> Mapping[int, Floats]:
        """Detections by the index of their true tile: (4, 2) from the tile's own top-left.

        Args:
            rng: chooses the pictures in which tiles are detected.
            scene: a picture whose sides are multiples of 32 pixels.
        """
        if rng.random() >= self.share:
            return NOT_LOOKED_FOR
        found = finds_in(self._detector, scene, LEAST)
        quads = self._verifier.verified(scene.image, found).quads
        finds = {}
        for tile, find in match(scene.quads, quads):
            _, turn = corner_errors(scene.quads[tile], quads[find])
            finds[tile] = np.asarray(np.roll(quads[find], -turn, axis=0), np.float32)
        return finds
