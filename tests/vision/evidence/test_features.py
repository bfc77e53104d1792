"""What the judge is told of candidates, and that it depends on nothing that does not matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import Generator

from scorer.tiles import READING_LABELS
from vision.evidence.candidates import Candidates, face_colours
from vision.evidence.features import GROUPS, PAIRED, UNARY, features
from vision.evidence.judge import shipped_judge

SHAPE = (1200, 1600, 3)
TYPICAL_SIZE = UNARY - GROUPS["counts"] - 3
"""Column of the logarithm of the typical tile's size in pixels."""


def scattered(rng: Generator, count: int) -> Candidates:
    """So many candidates anywhere in a picture."""
    tile = np.array([[0, 0], [40, 2], [38, 56], [-2, 54]])
    places = rng.uniform(100, 1100, (count, 1, 2))
    embeddings = rng.normal(size=(count, 16))
    embeddings /= np.linalg.norm(embeddings, axis=1, keepdims=True)
    scores, down, valid = rng.random((3, count)).astype(np.float32)
    return Candidates(
        (places + tile + rng.normal(0, 2, (count, 4, 2))).astype(np.float32),
        scores,
        down,
        valid,
        rng.dirichlet(np.full(len(READING_LABELS), 0.1), count).astype(np.float32),
        embeddings.astype(np.float32),
        rng.normal(0, 20, (count, 6, 3)).astype(np.float32),
    )


@pytest.mark.parametrize("count", [0, 1, 2, 320])
def test_any_number_of_candidates_has_features_and_a_judgement(count: int) -> None:
    found = scattered(np.random.default_rng(count), count)
    unary, paired = features(found, SHAPE)
    assert unary.shape == (count, UNARY)
    assert paired.shape == (count, count, PAIRED)
    assert np.isfinite(unary).all()
    assert np.isfinite(paired).all()
    chances = shipped_judge().judged(found, SHAPE)
    assert chances.shape == (count, 3)
    assert np.allclose(chances.sum(axis=1), 1, atol=1e-5)


def test_another_order_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    found, order = scattered(rng, 40), rng.permutation(40)
    judge = shipped_judge()
    before, after = judge.judged(found, SHAPE), judge.judged(found.chosen(order), SHAPE)
    assert np.allclose(before[order], after, atol=1e-5)


def test_of_a_larger_picture_of_the_same_only_the_typical_size_differs() -> None:
    found = scattered(np.random.default_rng(2), 30)
    doubled = replace(found, quads=found.quads * 2)
    (one, pairs), (other, again) = features(found, SHAPE), features(doubled, (2400, 3200, 3))
    assert np.allclose(pairs, again, atol=0.01)
    assert other[:, TYPICAL_SIZE] - one[:, TYPICAL_SIZE] == pytest.approx(np.log(2), abs=0.01)
    rest = np.arange(UNARY) != TYPICAL_SIZE
    assert np.allclose(one[:, rest], other[:, rest], atol=0.01)


def test_a_candidate_sees_the_others_in_its_own_widths_and_heights() -> None:
    rng = np.random.default_rng(3)
    found = scattered(rng, 1)
    top, bottom = (found.quads[:, b] - found.quads[:, a] for a, b in ((0, 1), (3, 2)))
    across = (top + bottom) / 2
    beside = replace(found, quads=(found.quads + 3 * across[:, np.newaxis]).astype(np.float32))
    _, paired = features(found.joined(beside), SHAPE)
    assert paired[1, 0, 0] == pytest.approx(np.arcsinh(3) / 2, abs=1e-3)
    assert paired[1, 0, 1] == pytest.approx(0, abs=1e-3)
    assert paired[0, 1, 0] == pytest.approx(-np.arcsinh(3) / 2, abs=1e-3)
    assert (paired[[0, 1], [0, 1]] == 0).all()


def test_colours_are_those_of_the_face_and_of_what_lies_around_it() -> None:
    image = np.full((200, 200, 3), (200, 40, 40), np.uint8)
    quad = np.array([[[80, 70], [120, 70], [120, 124], [80, 124]]], np.float32)
    image[70:124, 80:120] = (230, 230, 230)
    image[40:70, 80:120] = (20, 20, 220)
    border, face, above, *others = face_colours(image, quad)[0]
    assert border[0] > 85
    assert np.allclose(border, face, atol=1)
    assert above[1] > 40, "the strip above is red"
    assert all(other[2] < -40 for other in others), "the others are blue"
