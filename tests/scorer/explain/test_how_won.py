"""How a hand was won, and which of its sets is exposed only by the winning claim."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scorer import parse_deal, score_hand
from scorer.explain.how_won import claimed_meld, how_won
from tests.scorer.builders import Json, claimed, deal, player, win


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (deal(won=None), ["nobody went out"]),
        (
            deal(player("E", "111222333444m55m"), won=win("E", "- dealt")),
            ["East went out with the tiles as dealt"],
        ),
        (
            deal(claimed("S", 8), won=win("S", "- wall")),
            ["South went out; the tiles are not shown"],
        ),
        (
            deal(player("S", "66s11s777z666999p6s"), won=win("S", "6s wall", last_tile=True)),
            [
                "South went out with the six bamboo, drawn from the wall",
                "it was the last tile of the wall",
            ],
        ),
        (
            deal(
                player("S", "66s11s777z6s", "(9999s) (1111m)"),
                won=win("S", "6s loose", after_two_kongs=True),
            ),
            [
                "South went out with the six bamboo, drawn as a loose tile",
                "it followed two kongs in a row",
            ],
        ),
        (
            deal(
                player("S", "66s11s777z666999p6s"),
                won=win("S", "6s discard E", last_tile=True, original_call=True),
            ),
            [
                "South went out with the six bamboo that East discarded",
                "it was the final discard",
                "fishing since the first discard",
            ],
        ),
        (
            deal(player("S", "66s11s777z666999p6s"), won=win("S", "6s discard E", first_turn=True)),
            [
                "South went out with the six bamboo that East discarded",
                "it was East's first discard",
            ],
        ),
        (
            deal(
                player("S", "44p", "2222m 555p 888s 333s"),
                won=win("S", "4p loose", last_tile=True),
                ruleset="uk-1924",
            ),
            [
                "South went out with the four circles, drawn as a loose tile",
                "it was the last tile of the wall",
            ],
        ),
        (
            deal(
                player("S", "34s11s777z666999p5s"),
                player("N", "124568m1245p", "555s"),
                won=win("S", "5s robbed_kong N"),
            ),
            ["South went out with the five bamboo by robbing the kong of North"],
        ),
    ],
)
def test_how_a_hand_was_won(value: Json, told: list[str]) -> None:
    assert [str(words) for words in how_won(parse_deal(value))] == told


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("discard E", "South went out with the six bamboo, a discard"),
        ("robbed_kong N", "South went out with the six bamboo by robbing a kong"),
    ],
)
def test_a_giver_whom_nobody_named_is_not_told(source: str, told: str) -> None:
    shown = parse_deal(deal(player("S", "66s11s777z666999p6s"), won=win("S", f"6s {source}")))
    assert shown.win is not None
    unsaid = replace(shown, win=replace(shown.win, from_seat=None))
    assert [str(words) for words in how_won(unsaid)] == [told]


@pytest.mark.parametrize(
    ("tiles", "melds", "how", "expected"),
    [
        ("66s11s999s6s", "111z 777z", "6s discard N", ("pung", ("6s",) * 3)),
        ("66s11s999s6s", "111z 777z", "6s wall", None),
        ("666s1s999s1s", "111z 777z", "1s discard N", None),
        ("34s11s999s5s", "111z 777z", "5s discard N", ("chow", ("3s", "4s", "5s"))),
        ("19m19p19s1234567z7z", "", "7z discard N", None),
    ],
)
def test_a_set_is_exposed_by_the_winning_claim(
    tiles: str, melds: str, how: str, expected: Any
) -> None:
    asked = parse_deal(deal(player("S", tiles, melds), won=win("S", how)))
    found = claimed_meld(asked, score_hand(asked, "S"))
    assert (None if found is None else (found.kind, found.tiles)) == expected
    assert claimed_meld(asked, score_hand(asked, "E")) is None
