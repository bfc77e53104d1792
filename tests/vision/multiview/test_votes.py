from __future__ import annotations

import numpy as np
import pytest

from vision.multiview.votes import log_chances, voted

LOOK = np.array([[0.6, 0.3, 0.1]])


def together(*looks: list[float], independence: float) -> list[float]:
    logs = log_chances(np.array(looks)).sum(axis=0, keepdims=True)
    shares: list[float] = voted(logs, np.array([len(looks)]), independence)[0].tolist()
    return shares


def test_one_look_is_believed_as_it_is() -> None:
    for independence in (0.0, 0.5, 1.0):
        assert together([0.6, 0.3, 0.1], independence=independence) == pytest.approx(LOOK[0])


def test_looks_that_say_the_same_count_once_where_they_are_not_independent() -> None:
    assert together(*[[0.6, 0.3, 0.1]] * 4, independence=0.0) == pytest.approx(LOOK[0])


def test_independent_looks_multiply() -> None:
    product = LOOK[0] ** 2
    assert together(*[[0.6, 0.3, 0.1]] * 2, independence=1.0) == pytest.approx(
        product / product.sum()
    )


def test_more_independent_looks_are_surer() -> None:
    sure = [max(together(*[[0.6, 0.3, 0.1]] * 3, independence=i)) for i in (0, 0.2, 0.5, 1)]
    assert sure == sorted(sure)
    assert len(set(sure)) == 4


def test_looks_are_weighed_by_how_sure_they_are() -> None:
    said = together([0.45, 0.55], [0.98, 0.02], independence=0.2)
    assert said[0] > 0.85


def test_no_single_look_rules_a_label_out() -> None:
    said = together([1.0, 0.0], *[[0.05, 0.95]] * 8, independence=1.0)
    assert said[1] > said[0] > 0


def test_each_tile_has_its_own_number_of_looks() -> None:
    logs = np.concatenate([log_chances(LOOK), 3 * log_chances(LOOK)])
    both = voted(logs, np.array([1, 3]), 0.0)
    assert np.allclose(both[0], both[1])
