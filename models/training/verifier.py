"""Training of the verifier of detections; :mod:`models.training` is the command.

It learns from the shipped detector's detections, mostly from those with low scores, and from places
where rows of tiles would continue. Of tiles it also learns which lie face down and where their
corners are.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from datasets.crops.crops import Crops, corners_in, crops_without_tiles
from datasets.crops.negatives import overlap
from datasets.crops.pictures import Mixture, TrainingPictures, load_pictures
from datasets.scenes.scenes import Scene
from datasets.scenes.tables import hand_scene
from datasets.sets.faces import FaceSet
from datasets.sets.sources import Sources, load_face_sets
from models.evaluation.matching import MIN_IOU, corner_errors, judged, match, overlaps
from models.nets.corner_loss import corner_loss
from models.nets.nets import Verifier
from models.nets.registration import FOLDER
from models.training.crop_pool import CropPool
from models.training.found_tiles import LEAST, finds_in
from models.training.loop import Plan, Run, feed
from models.training.open_places import open_places
from scorer.tiles import BACK, READING_LABELS, TILES
from vision.geometry.crops import with_surroundings
from vision.geometry.quads import UNIT_SQUARE
from vision.runtime.session import Model, load_model

Floats = NDArray[np.float32]

_SIZE: Final = (640, 832)
"""Height and width of most pictures in pixels."""
_HAND_SIZE: Final = (960, 1280)
"""Height and width in pixels of pictures that show a player's hand."""
_HANDS: Final = 0.25
"""Share of pictures that show a player's hand."""
_SURE: Final = 0.8
"""Score from which a detection is sure."""
_SURE_KEPT: Final = 0.3
"""Share of the sure detections that are used for training."""
_WHOLE: Final = 0.6
"""Visible share from which a tile counts; detections on tiles seen less are not used."""
_MOST_FALSE: Final = 24
"""Maximum number of false positives from one picture, so that no brick wall outweighs the rest."""
_KNOWN: Final = 0.7
"""Share of the sure detections whose rows are continued, often to where the others lie."""
_MOST_PLACES: Final = 12
"""Maximum number of places from one picture with a tile, and of places without."""
_BARELY: Final = 0.35
"""Overlap with a tile from which a place does not serve as an example without a tile."""
_BACK: Final = READING_LABELS.index(BACK)
_JITTER: Final = 0.04
"""Standard deviation of the noise on every corner, in tile widths."""
_MISPLACED: Final = 0.35
"""Share of the tiles that are shown as misplaced detections."""
_ASTRAY: Final = 0.12
"""Standard deviation of a misplaced detection's shift and stretch, in widths and heights."""
_ASKEW: Final = 0.06
"""Standard deviation of each corner of a misplaced detection, in widths and heights."""
_CORNERS_WITHIN: Final = 0.6
"""Corner error, in widths and heights of a detection, from which the corner loss ignores it."""
_TURNED: Final = 0.5
"""Share of the quads that are turned upside down."""


@dataclass(frozen=True, kw_only=True)
class VerifierData(Mixture):
    """``[data]`` of a verifier's configuration.

    Attributes:
        batch: number of detections in a step.
        reuse: mean number of times that a detection is used.
        capacity: maximum number of stored detections.
        photo_share: share of photographed tile sets among those laid in drawn scenes.
    """

    batch: int
    reuse: float
    capacity: int
    photo_share: float


@dataclass(frozen=True)
class DrawnFinds:
    """Draws crops of detections with their surroundings.

    Attributes:
        pictures: source of the pictures that are searched.
        sets: complete tile sets that players' hands are laid with.
    """

    pictures: TrainingPictures
    sets: Sequence[FaceSet]

    @cached_property
    def _detector(self) -> Model:
        return load_model("detector")

    def _scene(self, rng: Generator) -> Scene:
        if rng.random() < _HANDS:
            return hand_scene(rng, self.sets[int(rng.integers(len(self.sets)))], _HAND_SIZE)
        return self.pictures.scene(rng, _SIZE)

    def __call__(self, rng: Generator) -> Crops:
        """Draw the detections of one more picture; ``valid`` marks tiles, ``labels`` the backs."""
        scene = self._scene(rng)
        found = finds_in(self._detector, scene, LEAST)
        tiles, none = judged(scene.quads, scene.visible >= _WHOLE, found.quads)
        doubtful = (found.scores < _SURE) | (rng.random(len(found)) < _SURE_KEPT)
        false = np.nonzero(none)[0][:_MOST_FALSE]
        chosen = np.concatenate([np.nonzero(tiles & doubtful)[0], false])
        known = (found.scores >= _SURE) & (rng.random(len(found)) < _KNOWN)
        places, real = _beyond(rng, scene, found.quads[known])
        quads = np.concatenate([found.quads[chosen], places])
        shown = _shown(scene, found.quads[chosen]) | {
            len(chosen) + find: tile for find, tile in _shown(scene, places).items()
        }
        quads = _moved(rng, quads)
        for find, tile in shown.items():
            if rng.random() < _MISPLACED:
                further = _misplaced(rng, quads[find])
                if overlap(further, scene.quads[tile]) >= MIN_IOU:
                    quads[find] = further
        crops = crops_without_tiles(with_surroundings(scene.image, quads))
        crops.valid[:] = np.concatenate([tiles[chosen], real])
        for find, tile in shown.items():
            crops.labels[find] = READING_LABELS.index(scene.labels[tile])
            _, turn = corner_errors(scene.quads[tile], quads[find])
            crops.corners[find] = corners_in(quads[find], np.roll(scene.quads[tile], turn, axis=0))
        return crops


def _shown(scene: Scene, quads: Floats) -> dict[int, int]:
    """The index of the true tile that a detection shows, by the index of the detection."""
    return {find: tile for tile, find in match(scene.quads, quads)}


def _beyond(rng: Generator, scene: Scene, known: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Quads (n, 4, 2) that continue the rows of known tiles, and whether each has a tile (n,)."""
    places = open_places(known, scene.image.shape)
    tiles, none = judged(scene.quads, scene.visible >= _WHOLE, places)
    none &= overlaps(scene.quads, places).max(axis=0, initial=0.0) < _BARELY
    chosen = [rng.permutation(np.nonzero(which)[0])[:_MOST_PLACES] for which in (tiles, none)]
    return places[np.concatenate(chosen)], np.repeat([True, False], [len(c) for c in chosen])


def _moved(rng: Generator, quads: Floats) -> Floats:
    """The quads with noise on their corners, half of them turned upside down."""
    sides = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)[:, np.newaxis, np.newaxis]
    moved = quads + rng.normal(0, _JITTER, quads.shape) * sides
    turned = rng.random(len(quads)) < _TURNED
    moved[turned] = np.roll(moved[turned], 2, axis=1)
    return np.asarray(moved, np.float32)


def _misplaced(rng: Generator, quad: Floats) -> Floats:
    """The quad (4, 2) of a poor detection: shifted, stretched and with displaced corners."""
    across, along = quad[1] - quad[0], quad[3] - quad[0]
    middle = quad.mean(axis=0)
    place = middle + rng.normal(0, _ASTRAY) * across + rng.normal(0, _ASTRAY) * along
    wide, high = rng.normal(1, _ASTRAY, 2)
    shares = (UNIT_SQUARE - 0.5) * [wide, high] + rng.normal(0, _ASKEW, (4, 2))
    moved = place + shares[:, :1] * across + shares[:, 1:] * along
    return np.asarray(moved, np.float32)


def new_verifier() -> Verifier:
    """An untrained verifier with the first layers of the shipped detector."""
    from models.nets.weights import load_weights

    net = Verifier()
    own, known = net.state_dict(), load_weights(FOLDER / "detector.onnx")
    net.load_state_dict({name: known.get(name, value) for name, value in own.items()})
    return net


def train(options: Namespace, plan: Plan, data: VerifierData) -> None:
    """Train or resume the run in the folder ``options.run``.

    Args:
        options: the parsed command line of :mod:`models.training`.
        plan: duration and learning rate of the run.
        data: the ``[data]`` of its configuration.
    """
    cv2.setNumThreads(options.threads)
    sets = load_face_sets(Sources(options.photos, options.designs), "train", data.photo_share)
    whole = [faces for faces in sets if faces.faces.keys() >= set(TILES)]
    draw = DrawnFinds(load_pictures(sets, options.photos, options.traced, data), whole)
    pool = CropPool(draw, data.reuse, data.capacity)
    run = Run(new_verifier(), plan, options.run, options.device, options.start)

    def losses_of(crops: Crops) -> dict[str, Tensor]:
        images = torch.from_numpy(crops.images).to(options.device)
        wanted = torch.from_numpy(crops.valid.astype(np.float32)).to(options.device)
        down = torch.from_numpy((crops.labels == _BACK).astype(np.float32)).to(options.device)
        with run.autocast():
            tile, face_down, corners = (answer.float() for answer in run.net(images))
        real = wanted > 0
        placed = torch.from_numpy(crops.corners).to(options.device)
        return {
            "tile": functional.binary_cross_entropy_with_logits(tile, wanted),
            "down": functional.binary_cross_entropy_with_logits(face_down[real], down[real]),
            "corners": corner_loss(corners, placed, real, _CORNERS_WITHIN),
        }

    batch = partial(pool.batch, count=data.batch)
    run.train(feed(batch, plan.seed, run.state.step, options.workers), losses_of)
