"""The settlement: who pays whom, penalties included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

from scorer.deal import Deal, Win
from scorer.result import Payment
from scorer.ruleset import PenaltyRule, Ruleset
from scorer.tiles import SEATS

Debts = Counter[tuple[str, str]]
"""Points owed, by payer and receiver."""


def settle(deal: Deal, ruleset: Ruleset, totals: Mapping[str, int]) -> tuple[Payment, ...]:
    """The payments of a deal, one for each ordered pair of seats that has something to pay.

    Args:
        deal: a deal that can be.
        ruleset: its ruleset, changes applied.
        totals: each seat's score in points.
    """
    win = deal.win
    if win is None:
        return ()
    effects: dict[str, str] = {rule.id: rule.effect for rule in ruleset.penalty}
    given = {effects[penalty.kind] for penalty in deal.penalties}
    debts = _debts_to_winner(deal, win, totals)
    if "pay_for_all" in given and win.from_seat is not None:
        debts = Counter({(win.from_seat, win.seat): debts.total()})
    else:
        if ruleset.settlement.losers_settle:
            debts += _differences(deal, win, totals)
        if "reimburse" in given and win.from_seat is not None:
            debts += _reimbursements(deal, win, win.from_seat, totals)
    debts += _fines(deal, ruleset)
    return tuple(
        Payment(payer, receiver, debts[payer, receiver])
        for payer in SEATS
        for receiver in SEATS
        if debts[payer, receiver] > 0
    )


def net_of(deal: Deal, payments: tuple[Payment, ...]) -> dict[str, int]:
    """Each seat's gain in points, in the order of the winds."""
    net: dict[str, int] = {seat: 0 for seat in SEATS if seat in deal.seats}
    for payment in payments:
        net[payment.from_seat] -= payment.amount
        net[payment.to_seat] += payment.amount
    return net


def _factor(deal: Deal, *seats: str) -> int:
    return 2 if deal.dealer in seats else 1


def _losers(deal: Deal, win: Win) -> tuple[str, ...]:
    return tuple(seat for seat in deal.seats if seat != win.seat)


def _debts_to_winner(deal: Deal, win: Win, totals: Mapping[str, int]) -> Debts:
    return Counter(
        {
            (seat, win.seat): totals[win.seat] * _factor(deal, seat, win.seat)
            for seat in _losers(deal, win)
        }
    )


def _differences(deal: Deal, win: Win, totals: Mapping[str, int]) -> Debts:
    debts: Debts = Counter()
    for one, other in combinations(_losers(deal, win), 2):
        less, more = sorted((one, other), key=totals.__getitem__)
        debts[less, more] = (totals[more] - totals[less]) * _factor(deal, one, other)
    return debts


def _reimbursements(deal: Deal, win: Win, offender: str, totals: Mapping[str, int]) -> Debts:
    return Counter(
        {
            (offender, seat): amount
            for (seat, _), amount in _debts_to_winner(deal, win, totals).items()
            if seat != offender
        }
    )


def _fines(deal: Deal, ruleset: Ruleset) -> Debts:
    rules: dict[str, PenaltyRule] = {rule.id: rule for rule in ruleset.penalty}
    debts: Debts = Counter()
    for penalty in deal.penalties:
        rule = rules[penalty.kind]
        amount = rule.amount(ruleset.limit.value)
        if rule.effect == "pay_victim" and penalty.victim is not None:
            debts[penalty.offender, penalty.victim] += amount
        elif rule.effect == "pay_each":
            for seat in deal.seats:
                if seat != penalty.offender:
                    debts[penalty.offender, seat] += amount
    return debts
