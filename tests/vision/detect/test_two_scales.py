"""What two searches of a photo say together."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import expit, logit

from vision.detect.two_scales import seen_twice
from vision.vocabulary.detections import NO_DETECTIONS, Detections

Detection = tuple[float, float, float]
"""Where a square of ten pixels begins, its score, and how likely it lies face down."""


def detections(*told: Detection) -> Detections:
    square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)
    quads = np.array([square + np.array([x, 0], np.float32) for x, *_ in told], np.float32)
    scores, down = (np.array([one[k] for one in told], np.float32) for k in (1, 2))
    return Detections(quads.reshape(-1, 4, 2), scores, down)


def starts(found: Detections) -> list[float]:
    return sorted(found.quads[:, 0, 0].tolist())


def scores_at(found: Detections) -> dict[float, float]:
    return dict(zip(found.quads[:, 0, 0].tolist(), found.scores.tolist(), strict=True))


def mean(one: float, other: float) -> float:
    return float(expit((logit(one) + logit(other)) / 2))


@pytest.mark.parametrize(("scores", "start"), [((0.9, 0.6), 0.0), ((0.6, 0.9), 3.0)])
def test_a_tile_seen_twice_is_one_detection_where_it_is_seen_more_surely(
    scores: tuple[float, float], start: float
) -> None:
    found = seen_twice(detections((0, scores[0], 0.2)), detections((3, scores[1], 0.4)))
    assert starts(found) == [start]
    assert found.scores[0] == pytest.approx(mean(0.9, 0.6), abs=1e-6)
    assert found.down[0] == pytest.approx(0.3)


def test_what_one_search_alone_found_is_kept_and_less_sure() -> None:
    found = seen_twice(
        detections((0, 0.9, 0), (50, 0.8, 0)), detections((1, 0.9, 0), (100, 0.7, 0))
    )
    assert starts(found) == [0, 50, 100]
    told = {0.0: 0.9, 50.0: mean(0.8, 0.1), 100.0: mean(0.7, 0.1)}
    assert scores_at(found) == pytest.approx(told, abs=1e-6)


def test_of_two_detections_near_one_of_the_other_search_the_nearer_is_the_same_tile() -> None:
    found = seen_twice(detections((0, 0.5, 0)), detections((4, 0.9, 0), (1, 0.6, 0)))
    assert scores_at(found) == pytest.approx({1.0: mean(0.5, 0.6), 4.0: mean(0.9, 0.1)}, abs=1e-6)


def test_a_search_that_found_nothing_says_so() -> None:
    some = detections((0, 0.9, 0.3))
    for found in (seen_twice(NO_DETECTIONS, some), seen_twice(some, NO_DETECTIONS)):
        assert starts(found) == [0]
        assert found.scores[0] == pytest.approx(mean(0.9, 0.1), abs=1e-6)
    assert len(seen_twice(NO_DETECTIONS, NO_DETECTIONS)) == 0


def test_both_searches_say_the_same_in_either_order() -> None:
    rng = np.random.default_rng(5)
    one, other = (random_detections(rng) for _ in range(2))
    there, back = seen_twice(one, other), seen_twice(other, one)
    assert np.allclose(np.sort(there.scores), np.sort(back.scores))
    assert len(there) == len(back)


def random_detections(rng: np.random.Generator) -> Detections:
    places: NDArray[np.float64] = rng.uniform(0, 400, 40)
    return detections(*((float(x), float(rng.uniform(0.1, 0.9)), 0.0) for x in places))
