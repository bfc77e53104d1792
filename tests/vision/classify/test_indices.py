"""A digit or a letter in the corner settles what a picture leaves open, and only that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorer.tiles import READING_LABELS
from tests.vision.classify.small_print import PHOTO, QUAD, indices_by, saying
from vision.classify.indices import ASKED, read_with, with_indices
from vision.classify.views import Views
from vision.geometry.crops import rectify
from vision.vocabulary.labels import INDICES, column


def chances_of(**odds: float) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """(1, 45) probabilities of labels given as ``m5=0.4``."""
    row = np.full(len(READING_LABELS), (1 - sum(odds.values())) / 45, np.float32)
    for name, chance in odds.items():
        row[column(name[1:] + name[0])] += chance
    return np.asarray(row[np.newaxis] / row.sum(), np.float32)


def told(index: str, sure: float = 0.99) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """(1, 17) probabilities of indices."""
    row = np.full(len(INDICES), (1 - sure) / (len(INDICES) - 1))
    row[INDICES.index(index)] = sure
    return row[np.newaxis]


def best(probabilities: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> str:
    return READING_LABELS[int(probabilities[0].argmax())]


@pytest.mark.parametrize(
    ("index", "label"), [("3", "3s"), ("4", "4s"), ("", "4s"), ("N", "4z"), ("P", "5z")]
)
def test_the_index_decides_between_labels(index: str, label: str) -> None:
    doubtful = chances_of(s4=0.5, s3=0.3, z4=0.05, z5=0.05, z6=0.05)
    assert best(read_with(doubtful, told(index), 0.9)) == label


def test_a_set_without_indices_changes_hardly_anything() -> None:
    doubtful = chances_of(m5=0.5, p5=0.3)
    after = read_with(doubtful, told("", 0.999), 0.02)
    assert np.abs(after - doubtful).max() < 0.05


def test_a_number_leaves_the_suit_to_the_picture() -> None:
    doubtful = chances_of(m5=0.3, p6=0.4, s6=0.2)
    after = read_with(doubtful, told("6"), 0.9)
    assert after[0, column("6p")] / after[0, column("6s")] == pytest.approx(2, rel=0.1)
    assert after.sum() == pytest.approx(1, abs=1e-5)


def views_of(probabilities: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> Views:
    """One tile, seen upright and upside down."""
    quads = QUAD[np.newaxis]
    both = np.repeat(probabilities, 2, axis=0)
    return Views(
        quads,
        np.array([0, 0]),
        np.array([0, 2]),
        np.array([[0, -1], [0, 1]], np.float32),
        np.zeros((1, 1), np.float32),
        np.zeros((2, 1, 1), np.float32),
        rectify(PHOTO, np.repeat(quads, 2, axis=0), (32, 24)),
        both,
        np.array([0.1, 0.0], np.float32),
        np.full((2, 4), 0.5, np.float32),
        np.ones(2, np.float32),
    )


def test_only_what_is_doubtful_is_asked() -> None:
    sure, doubtful = saying("6"), saying("6")
    clear = views_of(chances_of(p5=0.95))
    assert with_indices(clear, PHOTO, indices_by(sure)) is clear
    assert sure.asked == 0
    seen = with_indices(views_of(chances_of(p5=0.6, p6=0.1)), PHOTO, indices_by(doubtful))
    assert doubtful.asked == 2, "both ways up"
    assert best(seen.probabilities) == "6p"


def test_at_most_so_many_tiles_are_asked() -> None:
    count, model = ASKED.most + 6, saying("6")
    one = views_of(chances_of(p5=0.6, p6=0.1))
    many = replace(
        one,
        quads=np.repeat(one.quads, count, axis=0),
        owners=np.repeat(np.arange(count), 2),
        **{
            name: np.tile(getattr(one, name), (count, *[1] * (getattr(one, name).ndim - 1)))
            for name in ("turns", "ups", "crops", "probabilities", "upright", "embeddings", "valid")
        },
        nearness=np.zeros((count, count), np.float32),
        heights=np.zeros((2, count, count), np.float32),
    )
    with_indices(many, PHOTO, indices_by(model))
    assert model.asked == 2 * ASKED.most
