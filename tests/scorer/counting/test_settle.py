"""Who pays whom, from totals that are claimed so that only the settlement is at work."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scorer.builders import Json, claimed, deal, of, player, score, win

Pairs = dict[str, int]


def _settled(totals: Pairs, winner: str, how: str = "- wall", **more: Any) -> Pairs:
    players = [claimed(seat, total) for seat, total in totals.items()]
    result = score(deal(*players, won=win(winner, how), seats="".join(totals), **more))
    assert sum(result["net"].values()) == 0
    return {f"{item['from']}>{item['to']}": item["amount"] for item in result["payments"]}


FOUR = {"E": 10, "S": 100, "W": 30, "N": 2}


def test_everybody_pays_the_winner_then_losers_settle_differences() -> None:
    assert _settled(FOUR, "S") == {
        "E>S": 200,
        "W>S": 100,
        "N>S": 100,
        "E>W": 2 * 20,
        "N>E": 2 * 8,
        "N>W": 28,
    }


def test_east_wins_double_from_all() -> None:
    assert _settled({"E": 10, "S": 4, "W": 30, "N": 4}, "E") == {
        "S>E": 20,
        "W>E": 20,
        "N>E": 20,
        "S>W": 26,
        "N>W": 26,
    }


def test_three_players() -> None:
    assert _settled({"E": 10, "S": 100, "N": 30}, "S") == {"E>S": 200, "N>S": 100, "E>N": 40}


def test_a_winner_may_score_less_than_a_loser() -> None:
    assert _settled({"E": 0, "S": 20, "W": 500, "N": 0}, "S") == {
        "E>S": 40,
        "W>S": 20,
        "N>S": 20,
        "E>W": 1000,
        "N>W": 500,
    }


def test_payments_come_in_the_order_of_the_winds() -> None:
    result = score(
        deal(*(claimed(seat, 2 * n) for n, seat in enumerate("NWSE")), won=win("W", "- wall"))
    )
    pairs = [(item["from"], item["to"]) for item in result["payments"]]
    assert pairs == sorted(pairs, key=lambda pair: ("ESWN".index(pair[0]), "ESWN".index(pair[1])))
    assert list(result["net"]) == ["E", "S", "W", "N"]
    assert [part["seat"] for part in result["players"]] == ["N", "W", "S", "E"]


def test_cannon_pays_back_what_the_others_paid() -> None:
    cannon = {"kind": "cannon", "offender": "N", "victim": "S"}
    assert _settled(FOUR, "S", "4p discard N", penalties=[cannon]) == {
        "E>S": 200,
        "W>S": 100,
        "N>S": 100,
        "N>E": 16 + 200,
        "N>W": 28 + 100,
        "E>W": 40,
    }


def test_cannon_by_east() -> None:
    cannon = {"kind": "cannon", "offender": "E"}
    assert _settled(FOUR, "S", "4p discard E", penalties=[cannon]) == {
        "E>S": 200,
        "W>S": 100,
        "N>S": 100,
        "E>W": 40 + 100,
        "E>N": 100,
        "N>E": 16,
        "N>W": 28,
    }


def test_false_naming_for_mah_jong_pays_for_all_and_settles_nothing_else() -> None:
    naming = {"kind": "false_naming_win", "offender": "N", "victim": "S"}
    assert _settled(FOUR, "S", "4p discard N", penalties=[naming]) == {"N>S": 400}


@pytest.mark.parametrize("offender", ["E", "W"])
def test_false_naming_for_a_set_costs_a_flat_50(offender: str) -> None:
    naming = {"kind": "false_naming_set", "offender": offender, "victim": "N"}
    plain = _settled(FOUR, "S")
    fined = _settled(FOUR, "S", penalties=[naming])
    assert fined == {**plain, f"{offender}>N": 50}


def test_false_mah_jong_costs_half_the_limit_to_each() -> None:
    plain = _settled(FOUR, "S")
    fined = _settled(FOUR, "S", penalties=[{"kind": "false_win", "offender": "E"}])
    assert fined == {**plain, "E>S": 700, "E>W": 540, "E>N": 500}


def test_a_wrong_claim_moves_nothing() -> None:
    assert _settled(FOUR, "S", penalties=[{"kind": "wrong_claim", "offender": "W"}]) == _settled(
        FOUR, "S"
    )


def test_opposite_directions_are_not_netted() -> None:
    naming = {"kind": "false_naming_set", "offender": "S", "victim": "W"}
    paid = _settled(FOUR, "S", penalties=[naming])
    assert (paid["S>W"], paid["W>S"]) == (50, 100)


def test_dead_and_too_many_settle_as_nothing() -> None:
    value: Json = deal(
        player("S", "1257m468p1379s25z" + "6z", bonus="2f", status="too_many"),
        player("W", "777z", status="dead"),
        claimed("N", 10),
        won=win("N", "- wall"),
    )
    result = score(value)
    assert [(line["text"], line["points"], line["cite"]) for line in of(result, "S")["lines"]] == [
        ("Too many tiles: the hand scores nothing", 0, "000 Sheet 30.1")
    ]
    assert [line["text"] for line in of(result, "W")["lines"]] == [
        "Dead hand: the hand scores nothing"
    ]
    assert result["net"] == {"E": -20, "S": -10, "W": -10, "N": 40}


def test_claimed_totals_explain_themselves() -> None:
    part = of(score(deal(claimed("S", 120), won=win("S", "- discard"))), "S")
    assert (part["hand"], part["total"], part["points"], part["doubles"]) == (
        "claimed",
        120,
        120,
        0,
    )
    assert [(line["rule"], line["points"]) for line in part["lines"]] == [("claimed", 120)]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"losers_settle": False}, {"E>S": 200, "W>S": 100, "N>S": 100}),
        ({"losers_settle": False, "limit": 600}, {"E>S": 200, "W>S": 400, "N>S": 100}),
    ],
)
def test_house_rules_of_the_settlement(changes: Json, expected: Pairs) -> None:
    penalties = []
    if "limit" in changes:
        penalties = [{"kind": "false_win", "offender": "W"}]
        expected = {**expected, "W>E": 300, "W>N": 300}
    assert _settled(FOUR, "S", changes=changes, penalties=penalties) == expected


def _parts(totals: Pairs, winner: str | None, how: str = "- wall", **more: Any) -> dict[str, Any]:
    """The parts of each payment: cause, rule, amount and factor."""
    players = [claimed(seat, total) for seat, total in totals.items()]
    won = None if winner is None else win(winner, how)
    result = score(deal(*players, won=won, seats="".join(totals), **more))
    for item in result["payments"]:
        assert item["amount"] == sum(part["amount"] for part in item["parts"]) > 0
    return {
        f"{item['from']}>{item['to']}": [
            (part["cause"], part["rule"], part["amount"], part["factor"]) for part in item["parts"]
        ]
        for item in result["payments"]
    }


def test_each_payment_tells_its_causes() -> None:
    fine = {"kind": "false_naming_set", "offender": "N", "victim": "E"}
    assert _parts(FOUR, "S", penalties=[fine]) == {
        "E>S": [("win", "winner_paid", 200, 2)],
        "W>S": [("win", "winner_paid", 100, 1)],
        "N>S": [("win", "winner_paid", 100, 1)],
        "E>W": [("difference", "losers_settle", 40, 2)],
        "N>E": [
            ("difference", "losers_settle", 16, 2),
            ("penalty", "false_naming_set", 50, 1),
        ],
        "N>W": [("difference", "losers_settle", 28, 1)],
    }


def test_a_cause_has_words_and_a_citation() -> None:
    cannon = {"kind": "cannon", "offender": "N", "victim": "S"}
    players = [claimed(seat, total) for seat, total in FOUR.items()]
    result = score(deal(*players, won=win("S", "4p discard N"), penalties=[cannon]))
    told = {f"{item['from']}>{item['to']}": item["parts"] for item in result["payments"]}
    assert [(part["text"], part["cite"]) for part in told["E>S"] + told["N>E"]] == [
        ("The winner's score", "000 Sheet 19"),
        ("The difference of their scores", "001 Corrections: Paying double when East Wind"),
        ("Letting off a cannon, paid back", "000 Sheet 30.5"),
    ]


def test_who_pays_for_all_pays_what_each_other_would() -> None:
    named = {"kind": "false_naming_win", "offender": "N", "victim": "S"}
    assert _parts(FOUR, "S", "4p discard N", penalties=[named]) == {
        "N>S": [
            ("penalty", "false_naming_win", 200, 2),
            ("penalty", "false_naming_win", 100, 1),
            ("win", "winner_paid", 100, 1),
        ]
    }


def test_nobody_pays_for_what_the_winner_would_owe_the_others() -> None:
    fatal = {"kind": "cannon", "offender": "N", "victim": "S"}
    changes = {"winner_paid": "difference", "cannon_pays": "pays_all"}
    more: Json = {"ruleset": "uk-1924", "changes": changes, "penalties": [fatal]}
    totals = {"E": 0, "S": 100, "W": 130, "N": 2}
    assert _parts(totals, "S", "4p discard N", **more) == {
        "N>S": [("penalty", "cannon", 200, 2), ("win", "winner_paid", 98, 1)]
    }


def test_fines_are_paid_in_a_hand_that_nobody_won() -> None:
    flat = {"E": 0, "S": 0, "W": 0, "N": 0}
    fines = [
        {"kind": "false_win", "offender": "W"},
        {"kind": "false_naming_set", "offender": "W", "victim": "N"},
    ]
    assert _parts(flat, None, penalties=fines) == {
        "W>E": [("penalty", "false_win", 500, 1)],
        "W>S": [("penalty", "false_win", 500, 1)],
        "W>N": [("penalty", "false_win", 500, 1), ("penalty", "false_naming_set", 50, 1)],
    }


def test_a_dealer_who_settles_like_the_others_is_not_doubled() -> None:
    paid = _parts(FOUR, "S", ruleset="ming-1876", dealer="N")
    doubled = [pair for pair, parts in paid.items() if any(part[3] > 1 for part in parts)]
    assert doubled == ["N>S"]
