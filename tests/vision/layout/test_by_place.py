"""A plain tile in hand is a white dragon, one in a set that is none else lies face down.

Tiles that lie as flowers and seasons are read as such, the more doubtful the less they show.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES, READING_LABELS, is_bonus
from vision.layout.by_place import bonus_guess, with_faces_down, with_faces_up, with_laid_bonus
from vision.messages import say
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
    part = Part(role, tuple(range(len(rows))), None, 1.0, say("part.bonus_near"))
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


def shows(**chances: float) -> NDArray[np.float64]:
    """(1, 45): one tile that may be what is named ``t1f`` and so on."""
    row = np.full(len(READING_LABELS), 1e-6)
    for name, chance in chances.items():
        row[READING_LABELS.index(name[1:])] = chance
    shares: NDArray[np.float64] = row / row.sum()
    return shares[np.newaxis]


def label_of(row: NDArray[np.float64]) -> str:
    return READING_LABELS[int(row.argmax())]


def test_the_guess_is_the_likeliest_flower_or_season_and_the_chance_of_any() -> None:
    guess = bonus_guess(shows(t3m=0.6, t1y=0.3, t2f=0.1))
    assert list(guess.labels) == ["1y"]
    assert abs(guess.chances[0] - 0.4) < 1e-4


def test_a_tile_laid_as_a_flower_is_read_as_one_with_the_layouts_doubt() -> None:
    read = with_laid_bonus(shows(t3m=0.6, t1y=0.3, t2f=0.1), {0: 0.8})[0]
    assert label_of(read) == "1y"
    assert abs(read[READING_LABELS.index("1y")] - 0.8 * 0.75) < 1e-3
    assert abs(read[READING_LABELS.index("3m")] - 0.2) < 1e-3


def test_other_tiles_and_clear_flowers_stay_as_they_are() -> None:
    tiles = np.concatenate([shows(t3m=0.6, t1y=0.4), shows(t1y=0.7, t3m=0.3)])
    assert np.array_equal(with_laid_bonus(tiles, {1: 0.5}), tiles)


@given(
    st.lists(st.floats(1e-6, 1.0), min_size=45, max_size=45),
    st.floats(0.0, 1.0),
)
def test_whatever_it_shows_it_is_read_as_a_flower_or_season(
    shares: list[float], chance: float
) -> None:
    tile = np.array([shares])
    read = with_laid_bonus(tile / tile.sum(), {0: max(chance, 1e-3)})[0]
    assert abs(read.sum() - 1) < 1e-9
    assert is_bonus(label_of(read))
    assert label_of(read) in BONUS_TILES
