"""Doubtful finds are tiles where the hands say so."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest

from scorer.tiles import BACK, READING_LABELS
from tests.vision.fakes import sure_of
from tests.vision.table import Laid, lay
from vision.layout import doubtful
from vision.layout.arrange import laid
from vision.layout.doubtful import by_hands

HAND = "123m 456p 789s 11z"
SURE = 8.0


def told_of(
    laid: Laid, doubts: dict[int, float], impossible: frozenset[int] = frozenset()
) -> list[int]:
    """Numbers of the finds that are no tiles in the end.

    Args:
        laid: all finds.
        doubts: log-odds of the doubtful ones; those below 0 are not told at first.
        impossible: those that cannot be tiles at all.
    """
    odds = np.full(len(laid.labels), SURE)
    odds[list(doubts)] = list(doubts.values())
    possible = ~np.isin(np.arange(len(odds)), list(impossible))
    probabilities = sure_of(laid.labels).astype(np.float64)
    told = by_hands(laid.quads, probabilities, odds, (odds >= 0) & possible, possible)
    return np.nonzero(~told)[0].tolist()


def with_concealed_kong() -> Laid:
    laid = lay("5555z", HAND)
    return Laid([BACK] * 4 + laid.labels[4:], laid.quads)


def test_a_doubtful_fifteenth_tile_is_none() -> None:
    laid = lay("777z", HAND + " 5z")
    assert told_of(laid, {14: 1.0}) == [14]
    assert told_of(laid, {14: 2.5}) == [14]
    assert told_of(laid, {14: 3.5}) == [], "it is clearer than that hands have no fifteenth"


def test_a_doubtful_tile_that_the_hand_needs_is_one() -> None:
    laid = lay("777z", HAND)
    assert told_of(laid, {13: 0.5}) == []
    assert told_of(laid, {13: -0.5, 12: -0.5}) in ([12], [13]), "thirteen are enough"


def test_what_lies_beside_a_whole_set_and_is_doubtful_is_none() -> None:
    laid = lay("3s 777z", HAND)
    assert told_of(laid, {0: 1.0}) == [0]


def test_a_concealed_kong_is_made_whole() -> None:
    laid = with_concealed_kong()
    assert told_of(laid, {0: -1.0, 3: 0.5}) == []
    assert told_of(laid, {0: -2.9, 3: 0.5}) == []
    assert told_of(laid, {0: -3.1, 3: 0.5}) == [0], "hardly anything speaks for it"


def test_a_concealed_kong_that_lacks_its_inner_two_is_made_whole_at_once() -> None:
    laid = lay("5555z", "123m 456p 789s 1z")
    kong = Laid(["5z", BACK, BACK, "5z", *laid.labels[4:]], laid.quads)
    assert told_of(kong, {1: -0.9, 2: -0.9}) == []
    assert told_of(kong, {1: -0.9, 2: -0.9}, impossible=frozenset({2})) == [1, 2]
    assert told_of(kong, {1: -3.1, 2: -0.9}) == [1, 2], "hardly anything speaks for one of them"


def test_a_concealed_kong_of_which_one_back_is_clear_is_made_whole_at_once() -> None:
    kong = with_concealed_kong()
    assert told_of(kong, {1: -0.7, 2: -0.7, 3: -0.7}) == []
    assert told_of(kong, {1: -2.9, 2: -2.9, 3: -2.9}) == [1, 2, 3], "too little speaks for them"


@pytest.mark.parametrize(
    ("label", "chance", "told"),
    [("1z", 0.6, True), ("1z", 0.4, False), ("1f", 0.95, False)],
)
def test_what_cannot_be_read_or_may_be_a_scrap_becomes_no_tile(
    label: str, chance: float, *, told: bool
) -> None:
    laid = lay("777z|1f", HAND) if label == "1f" else lay("777z", "123m 456p 789s 1z")
    place = laid.labels.index(label)
    probabilities = sure_of(laid.labels).astype(np.float64)
    probabilities[place] = (1 - chance) / (len(READING_LABELS) - 1)
    probabilities[place, READING_LABELS.index(label)] = chance
    odds = np.full(len(laid.labels), SURE)
    odds[place] = -1.0
    every = np.ones(len(odds), np.bool_)
    assert by_hands(laid.quads, probabilities, odds, odds > 0, every)[place] == told


@pytest.mark.parametrize("doubt", [1.0, -1.0])
def test_where_there_is_no_whole_hand_hands_tell_nothing(doubt: float) -> None:
    sheet = lay("1m | 4p | 7s | 2z", "9m | 3s | 6z | 5p", "2s | 8m | 1f | 7p")
    for number in range(len(sheet.labels)):
        assert told_of(sheet, {number: doubt}) == ([number] if doubt < 0 else [])


def test_what_cannot_be_a_tile_is_none() -> None:
    laid = with_concealed_kong()
    assert told_of(laid, {0: -1.0}, impossible=frozenset({0})) == [0]


def test_two_tiles_do_not_lie_in_the_same_place() -> None:
    laid = lay("777z", HAND)
    twice = Laid([*laid.labels, "1z"], np.concatenate([laid.quads, laid.quads[13:] + 6]))
    assert told_of(twice, {14: -0.4}) == [14]


@pytest.mark.parametrize("odds", [-3.0, 4.0, SURE])
def test_where_nothing_is_doubtful_no_hand_is_read_twice(odds: float) -> None:
    with patch.object(doubtful, "laid") as asked:
        assert told_of(lay("777z", HAND), {3: odds}) == ([3] if odds < 0 else [])
    assert not asked.called


def test_only_so_many_are_doubted() -> None:
    hand = lay("777z", HAND)
    with patch.object(doubtful, "laid", wraps=laid) as asked:
        told_of(hand, dict.fromkeys(range(14), 1.9))
    assert asked.call_count <= 1 + 8 * 9 / 2


def test_nothing_is_read_where_nothing_is_told() -> None:
    laid = lay("5p")
    assert told_of(laid, {0: -1.0}) == [0]
