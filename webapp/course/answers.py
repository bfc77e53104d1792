"""What is right in an exercise: the scorer's answer, wherever it has one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from scorer.deal import Deal
from scorer.errors import DealError
from scorer.evaluation.evaluate import score_deal, score_hand
from scorer.evaluation.waits import find_waits
from scorer.game.winds import Table
from scorer.messages import Message
from scorer.result import PlayerResult
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import (
    HONOURS,
    SEAT_NAMES,
    SEATS,
    SUITS,
    is_bonus,
    is_dragon,
    is_honour,
    is_major,
    is_minor,
    is_suit,
    is_wind,
    parse_tiles,
)
from webapp.course.hands import deal_of
from webapp.course.sheet import (
    Ask,
    Choice,
    Gets,
    Out,
    Pays,
    Score,
    Sheet,
    Special,
    Tap,
    Waits,
    Winds,
)
from webapp.language.noted import noted

CLASSES: Final[dict[str, Callable[[str], bool]]] = {
    "major": is_major,
    "minor": is_minor,
    "honour": is_honour,
    "wind": is_wind,
    "dragon": is_dragon,
    "bonus": is_bonus,
    "suit": is_suit,
}
"""The classes of tiles that an exercise can ask for."""

YES: Final = {"yes": noted("Yes"), "no": noted("No")}
"""The answers to a question of yes or no."""

Form = Literal["one", "tiles", "numbers"]


@dataclass(frozen=True, slots=True)
class Task:
    """An exercise with its answer.

    Attributes:
        ask: the exercise.
        form: whether one answer is chosen, tiles are tapped, or numbers are typed.
        right: the values of what is to be chosen, or the numbers by what they are.
        options: what can be chosen, by value; rows of tiles are options, too.
        rows: the tiles that can be tapped, row by row.
        deal: the hand as a deal, if there is one.
        result: what the scorer counts of it, if that explains the answer.
    """

    ask: Ask
    form: Form
    right: tuple[str, ...] | dict[str, int]
    options: dict[str, Message | str] | None = None
    rows: tuple[tuple[str, ...], ...] = ()
    deal: Deal | None = None
    result: PlayerResult | None = None


def task(ask: Ask, ruleset: str) -> Task:
    """An exercise with what is right in it.

    Raises:
        DealError: the hand of the exercise is impossible.
    """
    return _ANSWERS[type(ask)](ask, ruleset)


@cache
def tasks(sheet: Sheet) -> tuple[Task, ...]:
    """The exercises of a sheet with their answers."""
    return tuple(task(ask, sheet.ruleset) for ask in sheet.ask)


def _choice(ask: Choice, _: str) -> Task:
    options: dict[str, Message | str] = {str(n): words for n, words in enumerate(ask.choices, 1)}
    return Task(ask, "one", (str(ask.right),), options)


def _tap(ask: Tap, _: str) -> Task:
    tiles = tuple(parse_tiles(ask.tiles))
    if ask.which:
        right = tuple(tile for tile in tiles if CLASSES[ask.which](tile))
    else:
        right = tuple(parse_tiles(ask.right))
    return Task(ask, "tiles", right, rows=(tiles,))


def _waits(ask: Waits, ruleset: str) -> Task:
    deal = deal_of(ask, ruleset)
    right = tuple(wait.tile for wait in find_waits(deal, ask.seat).waits)
    held = {*parse_tiles(ask.hand), *right}
    rows = [tuple(f"{n}{suit}" for n in range(1, 10)) for suit in SUITS]
    shown = tuple(row for row in (*rows, HONOURS) if held & {*row})
    return Task(ask, "tiles", right, rows=shown, deal=deal)


def _score(ask: Score, ruleset: str) -> Task:
    deal = deal_of(ask, ruleset)
    result = score_hand(deal, ask.seat)
    right: dict[str, int] = {name: getattr(result, name) for name in ask.asked}
    return Task(ask, "numbers", right, deal=deal, result=result)


def _special(ask: Special, ruleset: str) -> Task:
    deal = deal_of(ask, ruleset)
    result = score_hand(deal, ask.seat)
    names = {hand.id: hand.name for hand in load_ruleset(ruleset).special_hand}
    options: dict[str, Message | str] = {own: names[own] for own in ask.among}
    return Task(ask, "one", (result.hand,), options, deal=deal, result=result)


def _gets(ask: Gets, ruleset: str) -> Task:
    deal = deal_of(ask, ruleset)
    result = score_hand(deal, ask.seat)
    got = any(line.rule == ask.rule for line in result.lines)
    return Task(ask, "one", ("yes" if got else "no",), {**YES}, deal=deal, result=result)


def _out(ask: Out, ruleset: str) -> Task:
    deal = deal_of(ask, ruleset)
    try:
        result = score_hand(deal, ask.seat)
    except DealError:
        return Task(ask, "one", ("no",), {**YES}, deal=deal)
    return Task(ask, "one", ("yes",), {**YES}, deal=deal, result=result)


def _pays(ask: Pays, ruleset: str) -> Task:
    deal = deal_of(ask, ruleset)
    scored = score_deal(deal)
    paid = sum(
        payment.amount
        for payment in scored.payments
        if (payment.from_seat, payment.to_seat) == (ask.payer, ask.payee)
    )
    result = next(part for part in scored.players if part.seat == ask.seat)
    told = result if ask.payee == ask.seat else None
    return Task(ask, "numbers", {"payment": paid}, deal=deal, result=told)


def _winds(ask: Winds, ruleset: str) -> Task:
    game = load_ruleset(ruleset).game
    table = Table(SEATS, game, dealer_moves=False, rounds=len(SEATS))
    position = table.first()
    for wind in ask.won:
        after = table.after(position, None if wind == "-" else position.seats[wind])
        if after is None:
            break
        position = after
    right = position.round_wind if ask.asked == "round" else position.wind_of(ask.began)
    return Task(ask, "one", (right,), {seat: SEAT_NAMES[seat] for seat in SEATS})


_ANSWERS: Final[dict[type, Callable[[Any, str], Task]]] = {
    Choice: _choice,
    Tap: _tap,
    Waits: _waits,
    Score: _score,
    Special: _special,
    Gets: _gets,
    Out: _out,
    Pays: _pays,
    Winds: _winds,
}
