"""Fit the weights by which a set profile and the classifier decide together.

``python -m models.fitting profiles --designs DIR`` renders a photo of one of each face of every
held-out design, and of ``--strange N`` more with what few sets have, draws pictures of their tiles
anyhow, reads these with a profile made from the photo, and gives the weights of
:mod:`vision.tilesets.fusion` with the least negative log-likelihood, and the accuracy that weights
found on the other half of the designs give.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets.designs.fonts import find_fonts
from datasets.designs.icons import find_icons
from datasets.scenes.scenes import Scene, laid_anyhow
from datasets.scenes.set_photos import set_photo
from datasets.sets.faces import FaceSet
from datasets.sets.fresh import HELD_SEED, Makes, fresh_set
from models.evaluation.examples import held_out_sets
from models.evaluation.matching import match
from models.evaluation.tally import KINDS
from models.fitting.likeliest import Fitted, likeliest_weights, rounded
from scorer.tiles import BLANK, READING_LABELS, TILES
from vision.classify.classifier import OnnxClassifier
from vision.classify.views import Views
from vision.detect.search import OnnxDetector
from vision.tilesets.classifier import seen_from_afar
from vision.tilesets.fusion import ProfileWeights, best_of_views
from vision.tilesets.profile import Shot, make_profile
from vision.tilesets.templates import Templates

Doubles = NDArray[np.float64]

_COUNT: Final = len(fields(ProfileWeights))
"""How many weights there are."""
_SIZE: Final = (1152, 1152)
"""Height and width of the pictures."""
_MIN_VISIBLE: Final = 0.7
"""Minimum visible share of a tile's face for the tile to count."""
_FLOOR: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Tiles of one photo as the rule sees them.

    Attributes:
        terms: (n, 45, 4) what each weight is multiplied with for each label.
        labels: (n,) indices of the true labels.
        group: number of the design.
    """

    terms: Doubles
    labels: NDArray[np.int64]
    group: int


@dataclass(frozen=True, slots=True, eq=False)
class SeenPhoto:
    """A photo of one of each face with the truth of the tiles that were found."""

    views: Views
    truth: dict[int, str]

    def shots(self) -> list[Shot]:
        """The profile that an owner would confirm: every tile found, rightly labelled."""
        columns = np.full(self.views.count, -1)
        for tile, label in self.truth.items():
            columns[tile] = READING_LABELS.index(label)
        chances = self.views.probabilities[
            np.arange(len(self.views.owners)), columns[self.views.owners]
        ]
        picked = self.views.pick(self.views.upright + np.log(np.maximum(chances, 1e-6)))
        return [
            Shot(label, self.views.crops[picked[tile]], self.views.embeddings[picked[tile]])
            for tile, label in self.truth.items()
        ]


def terms_of(photo: SeenPhoto, templates: Templates) -> Doubles:
    """(n, 45, 4) terms of the tiles of known truth, in the order of ``photo.truth``."""
    views = photo.views
    chances = views.probabilities[views.pick(views.credence())]
    terms = np.zeros((views.count, len(READING_LABELS), _COUNT))
    terms[:, :, 0] = np.log(np.maximum(chances, _FLOOR))
    terms[:, templates.columns, 1] = best_of_views(views, templates.cosines(views.embeddings))
    terms[:, templates.columns, 2] = best_of_views(views, templates.correlations(views.crops))
    terms[:, templates.columns, 3] = -1
    return terms[list(photo.truth)]


def strange_sets(count: int, fonts: Path | None, icons: Path | None) -> list[FaceSet]:
    """Sets that nothing learnt from, with what few drawn sets have.

    Args:
        count: how many.
        fonts: folder with further typefaces, or None.
        icons: folder with icons, or None.

    Raises:
        DesignError: there are no icons where they should be.
        FontError: the typefaces lack characters that tiles need.
    """
    makes = Makes(rarer=1.0, icons=find_icons(icons))
    typefaces = find_fonts([fonts] if fonts else []) if count else []
    return [fresh_set(HELD_SEED + i, typefaces, (*TILES, BLANK), makes) for i in range(count)]


def samples(sets: list[FaceSet], pictures: int, seed: int) -> Iterator[Sample]:
    """Pictures of each design, read with a profile made from one photo of its faces."""
    detector, classifier = OnnxDetector.load(), OnnxClassifier.load()

    def seen(scene: Scene) -> SeenPhoto:
        quads = detector.detect(scene.image).quads
        truth = {
            j: scene.labels[i]
            for i, j in match(scene.quads, quads)
            if scene.visible[i] >= _MIN_VISIBLE
        }
        return SeenPhoto(classifier.look(scene.image, quads), truth)

    for group, faces in enumerate(tqdm(sets, unit="design", disable=None)):
        rng = np.random.default_rng([seed, group])
        shots = seen(set_photo(rng, faces)).shots()
        if not shots:
            continue
        profile = make_profile("fit", shots, classifier.entry)
        templates = Templates(profile, seen_from_afar(profile, classifier))
        for _ in range(pictures):
            photo = seen(laid_anyhow(rng, faces, _SIZE))
            if photo.truth:
                labels = [READING_LABELS.index(label) for label in photo.truth.values()]
                yield Sample(terms_of(photo, templates), np.array(labels), group)


def fit(chosen: list[Sample]) -> Doubles:
    """The weights (4,) with the least negative log-likelihood."""
    terms = np.concatenate([sample.terms for sample in chosen])
    labels = np.concatenate([sample.labels for sample in chosen])
    return likeliest_weights(terms, labels)


def held_out_accuracy(chosen: list[Sample]) -> dict[str, tuple[float, float]]:
    """Share read right without and with a profile, by kind, each design held out from its fit."""
    right: dict[str, list[tuple[bool, bool]]] = {kind: [] for kind in ("all", *KINDS)}
    for half in (0, 1):
        weights = fit([sample for sample in chosen if sample.group % 2 != half])
        for sample in (sample for sample in chosen if sample.group % 2 == half):
            plain = sample.terms[:, :, 0].argmax(axis=1) == sample.labels
            fused = (sample.terms @ weights).argmax(axis=1) == sample.labels
            for label, before, after in zip(sample.labels, plain, fused, strict=True):
                name = READING_LABELS[label]
                for kind in ("all", *(k for k, labels in KINDS.items() if name in labels)):
                    right[kind].append((bool(before), bool(after)))
    return {
        kind: (float(np.mean([b for b, _ in rows])), float(np.mean([a for _, a in rows])))
        for kind, rows in right.items()
        if rows
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What :func:`run` takes from the command line."""
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--strange", type=int, default=0, help="further sets with what few have")
    parser.add_argument("--fonts", type=Path, help="further typefaces for these")
    parser.add_argument("--icons", type=Path, help="other people's pictures for these")
    parser.add_argument("--pictures", type=int, default=8, help="pictures of each design")
    parser.add_argument("--seed", type=int, default=78)


def run(options: argparse.Namespace) -> Fitted:
    """The weights and what they are worth."""
    sets = held_out_sets(options.designs)
    sets += strange_sets(options.strange, options.fonts, options.icons)
    chosen = list(samples(sets, options.pictures, options.seed))
    accuracy = held_out_accuracy(chosen) if len(sets) > 1 else {}
    report = [
        f"{kind:<18}{before:.2%} without, {after:.2%} with a profile"
        for kind, (before, after) in accuracy.items()
    ]
    return Fitted([rounded(ProfileWeights, fit(chosen))], report)
