"""A deal larger than any can be is refused before anything of it is looked at."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

import scorer
from scorer.deal import MOST, Deal, Meld, Penalty, Player
from tests.scorer.builders import Json, claimed, deal, player

MANY = 100_000
PUNG: Json = {"kind": "pung", "tiles": ["1m"] * 3}
FINE: Json = {"kind": "false_naming_set", "offender": "W", "victim": "N"}

LARGE: dict[str, tuple[str, Callable[[Json], object]]] = {
    "players": ("players", lambda value: value.update(players=[claimed("S")] * MANY)),
    "concealed": ("concealed", lambda value: _south(value, concealed=["1m"] * MANY)),
    "bonus": ("bonus", lambda value: _south(value, bonus=["1f"] * MANY)),
    "melds": ("melds", lambda value: _south(value, melds=[PUNG] * MANY)),
    "a meld": (
        "melds.tiles",
        lambda value: _south(value, melds=[{"kind": "pung", "tiles": ["1m"] * MANY}]),
    ),
    "penalties": ("penalties", lambda value: value.update(penalties=[FINE] * MANY)),
    "changes": (
        "changes",
        lambda value: value.update(changes={f"rule {n}": True for n in range(MANY)}),
    ),
}


def _south(value: Json, **changed: object) -> None:
    value["players"][0].update(changed)


def _base() -> Json:
    return deal(player("S", "1257m468p1379s25z"), won=None)


@pytest.mark.parametrize(("field", "enlarge"), LARGE.values(), ids=LARGE.keys())
def test_a_hundred_thousand_entries_are_refused_at_once(
    field: str, enlarge: Callable[[Json], object]
) -> None:
    value = _base()
    enlarge(value)
    start = time.process_time()
    with pytest.raises(scorer.DealError, match="more than any deal has") as caught:
        scorer.parse_deal(value)
    assert time.process_time() - start < 0.1
    assert (caught.value.code, caught.value.field) == ("too_many_entries", field)


def test_unknown_keys_without_end_are_refused_at_once() -> None:
    value = _base() | {f"key {number}": 1 for number in range(MANY)}
    start = time.process_time()
    with pytest.raises(scorer.DealError, match="unknown key"):
        scorer.parse_deal(value)
    assert time.process_time() - start < 0.1


PLAYERS = tuple(Player(seat, claimed=0) for seat in "ESWN")
HUGE: dict[str, Deal] = {
    "players": Deal("bmja-u3a", PLAYERS * MANY, None),
    "penalties": Deal("bmja-u3a", PLAYERS, None, penalties=(Penalty("false_win", "W"),) * MANY),
    "melds": Deal(
        "bmja-u3a",
        (*PLAYERS[:3], Player("N", melds=(Meld("pung", ("1m",) * 3),) * MANY)),
        None,
    ),
    "melds.tiles": Deal(
        "bmja-u3a", (*PLAYERS[:3], Player("N", melds=(Meld("pung", ("1m",) * MANY),))), None
    ),
    "concealed": Deal("bmja-u3a", (*PLAYERS[:3], Player("N", ("1m",) * MANY)), None),
}


@pytest.mark.parametrize(("field", "given"), HUGE.items(), ids=HUGE.keys())
def test_deals_that_were_not_parsed_are_bounded_too(field: str, given: Deal) -> None:
    start = time.process_time()
    with pytest.raises(scorer.DealError) as caught:
        scorer.score_deal(given)
    assert time.process_time() - start < 0.1
    assert (caught.value.code, caught.value.field) == ("too_many_entries", field)


def test_as_many_fines_as_may_be_are_paid() -> None:
    value = {**_base(), "penalties": [FINE] * MOST.penalties}
    (payment,) = scorer.score_deal(scorer.parse_deal(value)).payments
    assert payment.amount == 50 * MOST.penalties
