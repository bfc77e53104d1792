"""The settlement: who pays whom, for what, penalties included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, permutations
from typing import Final

from scorer.counting.pays import Debt, debts_of_bases, laid_down, table_of
from scorer.deal import Deal, Win
from scorer.messages import Message, plain_words, say
from scorer.result import Part, Payment, PlayerResult
from scorer.rules.ruleset import PenaltyRule, Ruleset
from scorer.tiles import SEATS

_PAIRS: Final = tuple(permutations(SEATS, 2))
_WINNER_SCORE: Final = say("part_winner_score")
_WINNER_DIFFERENCE: Final = say("part_winner_difference")
_DIFFERENCE: Final = say("part_difference")


def settle(
    deal: Deal, ruleset: Ruleset, results: Mapping[str, PlayerResult]
) -> tuple[Payment, ...]:
    """The payments of a deal, one for each ordered pair of seats that has something to pay.

    Args:
        deal: a possible deal.
        ruleset: its ruleset, changes applied.
        results: each seat's score.
    """
    owed: dict[tuple[str, str], list[Part]] = {}
    for payer, receiver, part in _debts(deal, ruleset, results):
        if part.amount:
            owed.setdefault((payer, receiver), []).append(part)
    return tuple([Payment(*pair, tuple(owed[pair])) for pair in _PAIRS if pair in owed])


def net_of(
    deal: Deal, ruleset: Ruleset, payments: tuple[Payment, ...]
) -> tuple[dict[str, int], int]:
    """Each seat's gain in points, in the order of the winds, and what comes to lie on the table."""
    seats = deal.seats
    net: dict[str, int] = {seat: 0 for seat in SEATS if seat in seats}
    for payer, receiver, parts in payments:
        for part in parts:
            net[payer] -= part.amount
            net[receiver] += part.amount
    if ruleset.counters is None:
        return net, 0
    lying, taker = table_of(deal, ruleset)
    if taker is not None:
        net[taker] += lying
        return net, -lying
    laid = laid_down(deal, ruleset)
    for seat, stick in laid.items():
        net[seat] -= stick
    return net, sum(laid.values())


def _debts(deal: Deal, ruleset: Ruleset, results: Mapping[str, PlayerResult]) -> Iterator[Debt]:
    totals = {seat: result.total for seat, result in results.items()}
    if ruleset.value is not None:
        yield from debts_of_bases(deal, ruleset, results)
    elif deal.win is not None:
        yield from _after_win(deal, ruleset, deal.win, totals)
    elif ruleset.settlement.after_draw:
        yield from _differences(deal, ruleset, totals)
    yield from _fines(deal, ruleset)


def _after_win(deal: Deal, ruleset: Ruleset, win: Win, totals: Mapping[str, int]) -> Iterator[Debt]:
    terms = ruleset.settlement
    to_winner = list(_debts_to_winner(deal, ruleset, win, totals))
    rules = () if win.from_seat is None else _rules_of(deal, ruleset)
    blamed = {rule.effect: rule for rule in rules}
    if "pay_for_all" in blamed:
        yield from _taken_over(win, to_winner, blamed["pay_for_all"])
    else:
        yield from to_winner
        if terms.losers_settle and (terms.cannon_settles or "reimburse" not in blamed):
            losers = {seat: total for seat, total in totals.items() if seat != win.seat}
            yield from _differences(deal, ruleset, losers)
        if "reimburse" in blamed:
            yield from _reimbursements(win, to_winner, blamed["reimburse"])


def _rules_of(deal: Deal, ruleset: Ruleset) -> list[PenaltyRule]:
    """The rule of each penalty of the deal."""
    if not deal.penalties:
        return []
    rules = {str(rule.id): rule for rule in ruleset.penalty}
    return [rules[penalty.kind] for penalty in deal.penalties]


def _debts_to_winner(
    deal: Deal, ruleset: Ruleset, win: Win, totals: Mapping[str, int]
) -> Iterator[Debt]:
    terms = ruleset.settlement
    whole = terms.winner_paid == "score"
    words = _WINNER_SCORE if whole else _WINNER_DIFFERENCE
    winner, dealer, cite = win.seat, deal.dealer, terms.cite
    of_others = terms.dealer_receives if dealer == winner else 1
    for seat, total in totals.items():
        if seat == winner:
            continue
        amount = totals[winner] - (0 if whole else total)
        factor = terms.dealer_pays if dealer == seat else of_others
        pair = (seat, winner) if amount >= 0 else (winner, seat)
        yield (*pair, Part("win", "winner_paid", words, abs(amount) * factor, factor, cite))


def _differences(deal: Deal, ruleset: Ruleset, totals: Mapping[str, int]) -> Iterator[Debt]:
    """What each two of these seats owe each other."""
    terms = ruleset.settlement
    cite = terms.losers_cite or terms.cite
    for (one, few), (other, many) in combinations(totals.items(), 2):
        if few == many:
            continue
        factor = terms.dealer_among_losers if deal.dealer in (one, other) else 1
        part = Part(
            "difference", "losers_settle", _DIFFERENCE, abs(many - few) * factor, factor, cite
        )
        yield (one, other, part) if few < many else (other, one, part)


def _taken_over(win: Win, debts: list[Debt], rule: PenaltyRule) -> Iterator[Debt]:
    """What the discarder pays the winner for everybody."""
    giver = win.from_seat or ""
    for payer, receiver, part in debts:
        if payer == giver:
            yield payer, receiver, part
        elif receiver == win.seat:
            words = say("part_for_another", penalty=plain_words(rule.name), seat=payer)
            yield giver, receiver, _penalty(rule, part.amount, part.factor, words)


def _reimbursements(win: Win, debts: list[Debt], rule: PenaltyRule) -> Iterator[Debt]:
    """What the discarder pays back to the others of their debts to the winner."""
    giver = win.from_seat or ""
    for payer, receiver, part in debts:
        if receiver == win.seat and payer != giver:
            words = say("part_paid_back", penalty=plain_words(rule.name))
            yield giver, payer, _penalty(rule, part.amount, part.factor, words)


def _fines(deal: Deal, ruleset: Ruleset) -> Iterator[Debt]:
    rules = _rules_of(deal, ruleset)
    for penalty, rule in zip(deal.penalties, rules, strict=True):
        paid_to: tuple[str, ...] = ()
        if rule.effect == "pay_victim" and penalty.victim is not None:
            paid_to = (penalty.victim,)
        elif rule.effect == "pay_each":
            paid_to = tuple(seat for seat in deal.seats if seat != penalty.offender)
        for seat in paid_to:
            doubled = deal.dealer in (seat, penalty.offender)
            factor = ruleset.settlement.dealer_in_fines if doubled else 1
            amount = rule.amount(ruleset.limit) * factor
            yield penalty.offender, seat, _penalty(rule, amount, factor, plain_words(rule.name))


def _penalty(rule: PenaltyRule, amount: int, factor: int, words: Message) -> Part:
    return Part("penalty", rule.id, words, amount, factor, rule.cite)
