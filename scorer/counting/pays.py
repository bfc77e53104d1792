"""Payments of base points: by whom, how often, rounded, with counters, sticks and liability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from scorer.deal import Deal, Win
from scorer.facts.value import Counters
from scorer.messages import say
from scorer.result import InFan, Part, PlayerResult
from scorer.rules.ruleset import Ruleset

Debt = tuple[str, str, Part]
"""Who owes whom, and for what."""

_BASE: Final = say("part_base")
_COUNTERS: Final = say("part_counters")
_STICK: Final = say("part_stick")
_NOTEN: Final = say("part_noten")


def debts_of_bases(
    deal: Deal, ruleset: Ruleset, results: Mapping[str, PlayerResult]
) -> Iterator[Debt]:
    """What is owed after a hand that is counted in fan."""
    for win in deal.wins:
        yield from _to_winner(deal, ruleset, win, results[win.seat])
    if deal.wins:
        yield from _after_first(deal, ruleset, deal.wins[0])
    elif ruleset.counters is not None and not (deal.aborted or played_again(deal, ruleset)):
        yield from _not_ready(deal, ruleset.counters)


def table_of(deal: Deal, ruleset: Ruleset) -> tuple[int, str | None]:
    """The points on the table, and who takes them: the first winner, or nobody."""
    stick = 0 if ruleset.counters is None else ruleset.counters.stick
    return deal.sticks * stick, deal.wins[0].seat if deal.wins else None


def played_again(deal: Deal, ruleset: Ruleset) -> bool:
    """Whether a false win ended the hand without a winner, so that it is played again."""
    if deal.win is not None or not ruleset.game.false_win_again:
        return False
    return any(penalty.kind == "false_win" for penalty in deal.penalties)


def laid_down(deal: Deal, ruleset: Ruleset) -> dict[str, int]:
    """The points of sticks laid down in this hand, by the seats that laid them.

    Those who play it again take them back.
    """
    if ruleset.counters is None or played_again(deal, ruleset):
        return {}
    stick = ruleset.counters.stick
    return {it.seat: stick for it in deal.players if stick and (it.riichi or it.double_riichi)}


def _to_winner(deal: Deal, ruleset: Ruleset, win: Win, result: PlayerResult) -> Iterator[Debt]:
    liable = win.liable if ruleset.settlement.liable else None
    limit = 0 if ruleset.value is None else ruleset.value.limit
    counted = InFan() if result.counted is None else result.counted
    fed = counted.liable * limit if liable is not None else 0
    if counted.base > fed:
        yield from _shares(deal, ruleset, win, counted.base - fed)
    if not fed or liable is None:
        return
    if win.from_seat is None or win.from_seat == liable:
        as_discard = Win(win.seat, win.tile, "discard", liable)
        yield from _shares(deal, ruleset, as_discard, fed)
        return
    for payer in (liable, win.from_seat):
        as_discard = Win(win.seat, win.tile, "discard", payer)
        for giver, taker, part in _shares(deal, ruleset, as_discard, fed):
            yield giver, taker, part._replace(amount=part.amount // 2)


def _shares(deal: Deal, ruleset: Ruleset, win: Win, base: int) -> Iterator[Debt]:
    terms, giver, dealer = ruleset.settlement, win.from_seat, deal.dealer
    amounts: dict[str, int] = {}
    rests: dict[str, int] = {}
    winners = [win.seat, *(other.seat for other in deal.wins if other.seat != giver)]
    for seat in deal.seats:
        case = giver is None, win.seat == dealer, seat == giver, seat == dealer
        pay = None if seat in winners else terms.pay_by_case.get(case)
        if pay is None:
            continue
        amounts[seat] = -(-pay.amount(base) // terms.paid_to) * terms.paid_to
        if pay.rest_of:
            rests[seat] = pay.rest_of * base
    for seat, whole in rests.items():
        amounts[seat] = whole - sum(amounts[other] for other in amounts if other != seat)
    for seat, amount in amounts.items():
        yield seat, win.seat, Part("win", "pays", _BASE, amount, 1, terms.cite)


def _after_first(deal: Deal, ruleset: Ruleset, win: Win) -> Iterator[Debt]:
    """Counters and sticks, which go to the first of the winners."""
    counters = ruleset.counters
    if counters is None:
        return
    if deal.honba:
        payers = [seat for seat in deal.seats if seat != win.seat]
        one = win.liable if ruleset.settlement.liable and win.liable else win.from_seat
        if one is not None:
            payers = [one]
        each = deal.honba * counters.honba // len(payers)
        for seat in payers:
            yield seat, win.seat, Part("counters", "honba", _COUNTERS, each, 1, counters.cite)
    for seat, stick in laid_down(deal, ruleset).items():
        if seat != win.seat:
            yield seat, win.seat, Part("stick", "stick", _STICK, stick, 1, counters.cite)


def _not_ready(deal: Deal, counters: Counters) -> Iterator[Debt]:
    """What those who were not ready pay those who were."""
    ready = [player.seat for player in deal.players if player.fishing]
    others = [seat for seat in deal.seats if seat not in ready]
    for payer in others if ready else ():
        for receiver in ready:
            amount = counters.noten // (len(ready) * len(others))
            yield payer, receiver, Part("win", "noten", _NOTEN, amount, 1, counters.cite)
