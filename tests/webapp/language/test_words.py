"""What the page calls things, and what the scorer's data make it ask."""

from __future__ import annotations

from typing import Literal

import pytest

from scorer.messages import say
from scorer.result import Part, Payment
from scorer.tiles import TILES
from webapp.deal import edits, rules_asked
from webapp.deal.state import DealState, Player, Win, new_deal
from webapp.language.words import KEYBOARD, payments_told
from webapp.rulesets import shown


def table(*, kongs: int = 0) -> DealState:
    winner = Player("S")
    for label in ("1m", "2m", "3m")[:kongs]:
        winner = edits.add_meld(winner, "kong", label)
    return edits.with_player(new_deal(("E", "S", "W", "N")), winner)


def test_the_keyboard_holds_every_tile_once() -> None:
    assert sorted(label for _, labels in KEYBOARD for label in labels) == sorted(TILES)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ({}, "North pays South 1,864"),
        ({"N": "Ann", "S": "Ben"}, "Ann pays Ben 1,864"),
        ({"N": "Ann", "S": "Ann"}, "Ann (North) pays Ann (South) 1,864"),
    ],
)
def test_payments_in_plain_words(names: dict[str, str], sentence: str) -> None:
    win = Part("win", "win", say("part_winner_score"), 1864, 1, "")
    payments = [Payment("N", "S", (win,))]
    assert [payment.told for payment in payments_told(payments, names)] == [sentence]


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("ordinary", "Ordinary hand"),
        ("none", "No score"),
        ("heads_and_tails", "Heads and Tails"),
        ("fishing:heads_and_tails", "Fishing for Heads and Tails"),
        ("of_tomorrow", "Of tomorrow"),
    ],
)
def test_hands_have_names(hand: str, words: str) -> None:
    assert shown.hand_words("bmja-u3a", hand) == words


def test_only_east_can_be_dealt_a_win() -> None:
    assert "dealt" in rules_asked.sources_for(table(), "E")
    assert "dealt" not in rules_asked.sources_for(table(), "S")


@pytest.mark.parametrize(
    ("win", "kongs", "flags"),
    [
        (Win(), 0, set()),
        (Win(seat="S"), 0, set()),
        (Win(seat="S", source="wall"), 0, {"last_tile", "original_call"}),
        (Win(seat="S", source="discard", source_from="N"), 0, {"last_tile", "original_call"}),
        (
            Win(seat="S", source="discard", source_from="E"),
            0,
            {"last_tile", "original_call", "first_turn"},
        ),
        (Win(seat="S", source="loose"), 1, {"original_call"}),
        (Win(seat="S", source="loose"), 2, {"original_call", "after_two_kongs"}),
    ],
)
def test_only_questions_that_fit_the_win_are_asked(win: Win, kongs: int, flags: set[str]) -> None:
    assert set(rules_asked.flags_for(table(kongs=kongs), win)) == flags


def test_an_unknown_ruleset_falls_back_to_the_usual_one() -> None:
    assert shown.rules_of("of_tomorrow") is shown.rulesets()[0]


def test_a_payment_tells_its_causes_with_their_citations() -> None:
    def part(cause: Literal["win", "difference"], amount: int, factor: int) -> Part:
        words = say("part_winner_score" if cause == "win" else "part_difference")
        return Part(cause, cause, words, amount, factor, "000 Sheet 19")

    payments = [
        Payment("E", "S", (part("win", 16, 2),)),
        Payment("N", "E", (part("difference", 6, 3), part("difference", 1, 1))),
    ]
    told = payments_told(payments, {"E": "Ann"}, "S")
    assert [(payment.told, [words for words, _ in payment.causes]) for payment in told] == [
        ("Ann pays South 16", ["The winner's score: 8, doubled for East"]),
        (
            "North pays Ann 7",
            [
                "The difference of their scores: 2, 3 times for East",
                "The difference of their scores: 1",
            ],
        ),
    ]
    assert told[0].causes[0][1] == "U3A course, sheet 19: Scoring practice"


def test_the_winner_is_paid_first() -> None:
    paid = [("E", "S", 8), ("E", "W", 2), ("N", "W", 4), ("S", "W", 6)]
    words = say("part_winner_score")
    payments = [
        Payment(payer, payee, (Part("win", "win", words, amount, 1, ""),))
        for payer, payee, amount in paid
    ]
    told = payments_told(payments, {}, "W")
    assert [payment.told.split(" pays ")[1].split()[0] for payment in told] == [
        "West", "West", "West", "South"
    ]  # fmt: skip
    assert payments_told(payments, {})[0].told == "East pays South 8"
