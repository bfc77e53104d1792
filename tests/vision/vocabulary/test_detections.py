from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vision.fakes import sure_of
from vision.vocabulary.detections import Classified, Detections


def detections(**changes: Any) -> Detections:
    values: dict[str, Any] = {
        "quads": np.zeros((2, 4, 2), np.float32),
        "scores": np.ones(2, np.float32),
        "down": np.zeros(2, np.float32),
    }
    return Detections(**{**values, **changes})


def classified(**changes: Any) -> Classified:
    values: dict[str, Any] = {
        "quads": np.zeros((2, 4, 2), np.float32),
        "probabilities": sure_of(["1m", "2m"]),
        "turns": np.zeros(2, np.int64),
        "embeddings": np.zeros((2, 8), np.float32),
        "valid": np.ones(2, np.float32),
    }
    return Classified(**{**values, **changes})


def test_well_formed_answers_are_taken() -> None:
    assert len(detections()) == 2
    assert len(classified().turns) == 2


def test_some_of_the_tiles_joined_with_the_others_are_all_of_them() -> None:
    first = np.array([True, False])
    found = detections(scores=np.array([0.2, 0.9], np.float32))
    assert found.chosen(~first).joined(found.chosen(first)).scores.tolist() == pytest.approx(
        [0.9, 0.2]
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"quads": np.zeros((2, 8), np.float32)}, r"quads must have shape \(n, 4, 2\)"),
        ({"quads": np.zeros((2, 4, 2), np.int64)}, "quads must not be of dtype int64"),
        ({"quads": np.full((2, 4, 2), np.nan, np.float32)}, "finite"),
        ({"scores": np.ones(3, np.float32)}, r"scores must have shape \(2\)"),
        ({"scores": np.full(2, 1.2, np.float32)}, "scores must lie in 0..1"),
        ({"down": np.zeros(2, bool)}, "down must not be of dtype bool"),
    ],
)
def test_malformed_detections_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        detections(**changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"quads": np.zeros((1, 4, 2), np.float32)}, r"quads must have shape \(2, 4, 2\)"),
        ({"probabilities": np.zeros((2, 44), np.float32)}, r"shape \(n, 45\)"),
        ({"probabilities": sure_of(["1m", "2m"]) * 0.5}, "sum to 1"),
        ({"probabilities": sure_of(["1m", "2m"]) - 0.1}, "0..1"),
        ({"turns": np.zeros(1, np.int64)}, "turns must have shape"),
        ({"turns": np.zeros(2, np.float32)}, "turns must not be of dtype"),
        ({"embeddings": np.zeros(2, np.float32)}, "embeddings must have shape"),
        ({"valid": np.ones(2, bool)}, "valid must not be of dtype bool"),
        ({"valid": np.full(2, 1.5, np.float32)}, "valid must lie in 0..1"),
    ],
)
def test_malformed_classifications_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        classified(**changes)
