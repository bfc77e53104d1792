"""Which discards are dangerous: the positions of the course, and those that nearly are one."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.deal import Meld, parse_melds
from scorer.errors import RulesetError
from scorer.evaluation.danger import DangerPosition, danger_positions
from scorer.rules.rulebook import check_table, load_ruleset
from scorer.tiles import format_tiles

SUIT = "123456789"

POSITIONS = {
    "111p 444p 678p": [("Nine tiles of one suit are shown", SUIT + "p")],
    "1111z 222z 4444z": [("Three sets of winds are shown", "3z")],
    "555z 7777z": [("Two sets of dragons are shown", "6z")],
    "111m 999m 9999s": [("Three sets of ones and nines are shown", "19p 1s")],
    "222s 8888s 666z": [("Three sets of green tiles are shown", "346s")],
    "333s 444s 888s": [
        ("Nine tiles of one suit are shown", SUIT + "s"),
        ("Three sets of green tiles are shown", "26s 6z"),
    ],
}
"""Melds that a player shows, and what must not be thrown: the positions of Sheet 30.5."""

NEARLY = (
    *("", "111p 444p", "111p 444p 678s", "1111p 4444p", "111p 444p (999p)", "111z 222z 555z"),
    *("111z 222z (333z)", "555z", "555z 111z", "555z (7777z)", "111m 999m", "111m 999m 222s"),
    *("222s 888s 234p 111z", "222s 888s 555p", "111z 222z 333z 444z", "333m 444m 555p 666p"),
)
"""Melds that make no position: a set too few, of another group, or concealed; nothing left."""


def told(
    melds: str, ruleset: str = "bmja-u3a", *, goulash: bool = False, **changes: Any
) -> list[tuple[str, str]]:
    shown = parse_melds(melds)
    rules = load_ruleset(ruleset, changes)
    found = danger_positions(rules, shown, goulash=goulash)
    return [(position.shown, format_tiles(position.tiles)) for position in found]


@pytest.mark.parametrize(("melds", "positions"), POSITIONS.items())
def test_the_positions_of_the_course(melds: str, positions: list[tuple[str, str]]) -> None:
    assert told(melds) == positions


@pytest.mark.parametrize("melds", NEARLY)
def test_what_only_nearly_is_one(melds: str) -> None:
    assert told(melds) == []


@pytest.mark.parametrize("melds", POSITIONS)
def test_one_set_less_or_concealed_is_no_position_or_a_lesser_one(melds: str) -> None:
    """Every set of a position matters, but for chows and a fourth set of the same suit."""
    shown = melds.split()
    for place, meld in enumerate(shown):
        without = [*shown[:place], *shown[place + 1 :]]
        assert told(" ".join(without)) == []
        if len(set(meld)) == 2:
            concealed = [*without, f"({meld})"]
            assert told(" ".join(concealed)) == []


def test_it_is_said_who_pays_and_where_that_is_written() -> None:
    (found,) = danger_positions(load_ruleset("bmja-u3a"), parse_melds("555z 666z"))
    assert isinstance(found, DangerPosition)
    assert found.cite == "000 Sheet 30.5"
    assert str(found.pays) == (
        "Anyone who discards one of these and so lets this player win pays the winner as usual, "
        "and pays the others back what they paid the winner."
    )
    changed = load_ruleset("uk-1924", {"cannon_pays": "pays_all"})
    (found,) = danger_positions(changed, parse_melds("555z 666z 111z"))
    assert str(found.pays) == (
        "Anyone who discards one of these and so lets this player win pays the winner for everyone."
    )


def test_other_systems_have_positions_of_their_own_or_none() -> None:
    ((shown, tiles),) = told("111z 222z 555z", "uk-1924")
    assert shown.startswith("Three sets of winds and dragons are shown")
    assert tiles == "1234567z"
    assert told("555z 666z", "uk-1924") == []
    assert told("111p 444p 678p", "uk-1924")[0][1] == SUIT + "p"
    assert told("111z 222z 333z", "bmja-mjbr") == told("111z 222z 333z")
    for ruleset in ("western", "ming-1876"):
        assert told("111z 222z 333z", ruleset) == []
    assert told("555z 666z", penalties=False) == []


def test_jokers_stand_for_a_tile_in_a_goulash_only() -> None:
    jokers = [Meld("pung", ("5z", "5z", "2s"), concealed=False), *parse_melds("666z")]
    rules = load_ruleset("bmja-u3a")
    (found,) = danger_positions(rules, jokers, goulash=True)
    assert found.tiles == ("7z",)
    assert danger_positions(rules, jokers) == ()


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"groups": ["1z"]}, "needs either sets or tiles"),
        ({"groups": ["1z"], "sets": 1, "tiles": 3}, "needs either sets or tiles"),
        ({"groups": ["1f"], "sets": 1}, "groups hold suit tiles, winds and dragons only"),
        ({"groups": ["10z"], "sets": 1}, "10z"),
    ],
)
def test_a_danger_that_cannot_be_is_refused(wrong: dict[str, Any], reason: str) -> None:
    danger = {"id": "odd", "text": "Odd", **wrong}
    raw = {"id": "ours", "name": "Ours", "description": "Ours.", "base": "bmja-u3a"}
    with pytest.raises(RulesetError, match=reason):
        check_table({**raw, "penalty": [{"id": "cannon", "danger": [danger]}]}, "ours.toml")
