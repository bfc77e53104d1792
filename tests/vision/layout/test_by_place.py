"""A plain tile in hand is a white dragon, one in a set that is none else lies face down."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import READING_LABELS
from vision.layout.by_place import with_faces_down, with_faces_up
from vision.vocabulary.readings import Part, Role


def plain(back: float) -> NDArray[np.float64]:
    """(45,): a back as likely as that, else a white dragon."""
    row = np.zeros(len(READING_LABELS))
    row[READING_LABELS.index("back")] = back
    row[READING_LABELS.index("5z")] = 1 - back
    return row


def labels(rows: NDArray[np.float64]) -> list[str]:
    return [READING_LABELS[best] for best in rows.argmax(axis=1)]


def test_a_doubtful_back_in_hand_is_its_likeliest_face() -> None:
    rows = np.stack([plain(0.7), plain(0.7), plain(0.999)])
    told = with_faces_up(rows, [0, 2])
    assert labels(told) == ["5z", "back", "back"]
    assert np.allclose(told.sum(axis=1), 1)
    assert 0.9 < told[0].max() < 0.99, "it is still asked about"


def test_other_tiles_stay_as_they_are() -> None:
    rows = np.stack([plain(0.7), plain(0.0)])
    assert np.array_equal(with_faces_up(rows, [1]), rows)
    assert np.array_equal(with_faces_up(rows, []), rows)


def showing(label: str) -> NDArray[np.float64]:
    """(45,): surely that."""
    row = np.zeros(len(READING_LABELS))
    row[READING_LABELS.index(label)] = 1
    return row


def told_of(rows: list[NDArray[np.float64]], role: Role) -> list[str]:
    part = Part(role, tuple(range(len(rows))), None, 1.0, "")
    return labels(with_faces_down(np.stack(rows), [part]))


def test_plain_tiles_within_a_kong_lie_face_down() -> None:
    kong = [showing("8s"), plain(0.01), plain(0.005), showing("8s")]
    assert told_of(kong, "set") == ["8s", "back", "back", "8s"]
    assert told_of(kong, "hand") == ["8s", "5z", "5z", "8s"]


def test_sure_white_dragons_within_a_kong_stay_to_be_checked() -> None:
    rows = [showing("8s"), plain(1e-5), plain(1e-5), showing("8s")]
    assert told_of(rows, "set") == ["8s", "5z", "5z", "8s"]


def test_what_is_a_set_or_would_not_be_one_stays_as_it_is() -> None:
    for first, last in (("5z", "5z"), ("8s", "7s")):
        rows = [showing(first), plain(0.1), plain(0.1), showing(last)]
        assert told_of(rows, "set") == [first, "5z", "5z", last]


def faint(face: str, back: float) -> NDArray[np.float64]:
    """(45,): a back as likely as that, else a face."""
    return (1 - back) * showing(face) + back * showing("back")


@pytest.mark.parametrize(("back", "told"), [(0.2, "back"), (0.02, "1p")])
def test_of_a_kong_two_tiles_are_shown_or_none(back: float, told: str) -> None:
    rows = [showing("back")] * 3
    assert told_of([*rows, faint("1p", back)], "set") == ["back"] * 3 + [told]
    assert told_of([*rows[:2], *[faint("1p", back)] * 2], "set") == ["back", "back", "1p", "1p"]
