"""The settlement: who pays whom, penalties included."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, permutations
from typing import Final

from scorer.deal import Deal, Win
from scorer.result import Payment
from scorer.rules.ruleset import PenaltyRule, Ruleset, Settlement
from scorer.tiles import SEATS

Debts = dict[tuple[str, str], int]
"""Points owed, by payer and receiver."""

_PAIRS: Final = tuple(permutations(SEATS, 2))
_DEALER_TERMS: Final = ("dealer_pays", "dealer_receives", "dealer_among_losers", "dealer_in_fines")


def settle(deal: Deal, ruleset: Ruleset, totals: Mapping[str, int]) -> tuple[Payment, ...]:
    """The payments of a deal, one for each ordered pair of seats that has something to pay.

    Args:
        deal: a possible deal.
        ruleset: its ruleset, changes applied.
        totals: each seat's score in points.
    """
    debts = _debts(deal, ruleset, totals)
    return tuple(
        [
            Payment(payer, receiver, debts[payer, receiver])
            for payer, receiver in _PAIRS
            if debts.get((payer, receiver), 0) > 0
        ]
    )


def dealer_times(deal: Deal, ruleset: Ruleset, totals: Mapping[str, int]) -> Debts:
    """How many times over the dealer pays or receives, by payer and receiver.

    Each number is at least 2: the payment is so many times what it would be if the dealer were
    paid and paid like the others. Payments of which that is no whole number are left out.

    Args:
        deal: a possible deal.
        ruleset: its ruleset, changes applied.
        totals: each seat's score in points.
    """
    alike = ruleset.settlement.model_copy(update=dict.fromkeys(_DEALER_TERMS, 1))
    plain = _debts(deal, ruleset.model_copy(update={"settlement": alike}), totals)
    return {
        pair: amount // plain[pair]
        for pair, amount in _debts(deal, ruleset, totals).items()
        if deal.dealer in pair and amount > plain[pair] > 0 and amount % plain[pair] == 0
    }


def net_of(deal: Deal, payments: tuple[Payment, ...]) -> dict[str, int]:
    """Each seat's gain in points, in the order of the winds."""
    net: dict[str, int] = {seat: 0 for seat in SEATS if seat in deal.seats}
    for payment in payments:
        net[payment.from_seat] -= payment.amount
        net[payment.to_seat] += payment.amount
    return net


def _debts(deal: Deal, ruleset: Ruleset, totals: Mapping[str, int]) -> Debts:
    win, terms = deal.win, ruleset.settlement
    if win is None:
        return _differences(deal, terms, deal.seats, totals) if terms.after_draw else {}
    effects: dict[str, str] = {rule.id: rule.effect for rule in ruleset.penalty}
    given = {effects[penalty.kind] for penalty in deal.penalties}
    debts = _debts_to_winner(deal, terms, win, totals)
    if "pay_for_all" in given and win.from_seat is not None:
        debts = {(win.from_seat, win.seat): sum(debts.values())}
    else:
        reimbursed = "reimburse" in given and win.from_seat is not None
        back = _reimbursements(win, debts) if reimbursed else {}
        if terms.losers_settle and (terms.cannon_settles or not reimbursed):
            losers = tuple([seat for seat in deal.seats if seat != win.seat])
            debts |= _differences(deal, terms, losers, totals)
        _add(debts, back)
    if deal.penalties:
        _add(debts, _fines(deal, ruleset))
    return debts


def _add(debts: Debts, further: Debts) -> None:
    for pair, amount in further.items():
        debts[pair] = debts.get(pair, 0) + amount


def _debts_to_winner(deal: Deal, terms: Settlement, win: Win, totals: Mapping[str, int]) -> Debts:
    debts: Debts = {}
    for seat in deal.seats:
        if seat == win.seat:
            continue
        amount = totals[win.seat]
        if terms.winner_paid == "difference":
            amount -= totals[seat]
        factor = 1
        if deal.dealer == win.seat:
            factor = terms.dealer_receives
        elif deal.dealer == seat:
            factor = terms.dealer_pays
        pair = (seat, win.seat) if amount >= 0 else (win.seat, seat)
        debts[pair] = abs(amount) * factor
    return debts


def _differences(
    deal: Deal, terms: Settlement, seats: tuple[str, ...], totals: Mapping[str, int]
) -> Debts:
    debts: Debts = {}
    for one, other in combinations(seats, 2):
        less, more = (one, other) if totals[one] <= totals[other] else (other, one)
        factor = terms.dealer_among_losers if deal.dealer in (one, other) else 1
        debts[less, more] = (totals[more] - totals[less]) * factor
    return debts


def _reimbursements(win: Win, debts: Debts) -> Debts:
    """What the discarder pays back to the others of their debts to the winner."""
    return {
        (win.from_seat or "", payer): amount
        for (payer, receiver), amount in debts.items()
        if receiver == win.seat and payer != win.from_seat
    }


def _fines(deal: Deal, ruleset: Ruleset) -> Debts:
    rules: dict[str, PenaltyRule] = {rule.id: rule for rule in ruleset.penalty}
    debts: Debts = {}
    for penalty in deal.penalties:
        rule = rules[penalty.kind]
        paid_to: tuple[str, ...] = ()
        if rule.effect == "pay_victim" and penalty.victim is not None:
            paid_to = (penalty.victim,)
        elif rule.effect == "pay_each":
            paid_to = tuple(seat for seat in deal.seats if seat != penalty.offender)
        for seat in paid_to:
            doubled = deal.dealer in (seat, penalty.offender)
            factor = ruleset.settlement.dealer_in_fines if doubled else 1
            _add(debts, {(penalty.offender, seat): rule.amount(ruleset.limit) * factor})
    return debts
