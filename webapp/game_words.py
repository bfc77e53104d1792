"""A game in the words of the table: what a hand came to, and what a correction changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Final

from scorer.corrections import Correction, HandChange
from scorer.game import Agreed, Drawn, Game, HandState
from scorer.reseat import Difference
from scorer.tiles import SEAT_NAMES
from scorer.winds import Position

NOTE_WORDS: Final = {
    "drawn": "drawn",
    "goulash": "goulash",
    "agreed": "as agreed",
    "unscored": "cannot stand, not counted",
}


def points(number: int) -> str:
    """A total: 1,234, with a minus sign below 0."""
    return f"{number:,}".replace("-", "\N{MINUS SIGN}")


def signed(number: int) -> str:
    """A gain: +40, or 0; with a minus sign below 0."""
    return f"{number:+,}".replace("-", "\N{MINUS SIGN}") if number else "0"


def money(gain: int, stake: int) -> str:
    """What a gain is worth in pounds, at so many pence for 100 points."""
    pounds = (Decimal(gain * stake) / 10_000).quantize(Decimal("0.01"))
    sign = "+" if pounds > 0 else "\N{MINUS SIGN}" if pounds < 0 else ""
    return f"{sign}£{abs(pounds):,}"


def long_day(day: date) -> str:
    """A day as people write it: Thursday 5 March 2026."""
    return f"{day:%A} {day.day} {day:%B %Y}"


def position_line(position: Position) -> str:
    """Which hand it is: “Hand 5 · South round · goulash”."""
    parts = [f"Hand {position.number}", f"{SEAT_NAMES[position.round_wind]} round"]
    if position.goulash:
        parts.append("goulash")
    return " · ".join(parts)


def run_line(position: Position) -> str:
    """How often the dealer has won in a row, or nothing."""
    if not position.dealer_wins:
        return ""
    times = "once" if position.dealer_wins == 1 else f"{position.dealer_wins} times"
    more = "" if position.dealer_wins == 1 else " in a row"
    return f"{position.seats[position.dealer]} has won {times}{more} as dealer."


def hand_line(state: HandState) -> str:
    """What came of a hand: “Bob won”, “Drawn”, “Payments as agreed”."""
    if state.fault is not None:
        return "Cannot stand, not counted"
    if state.winner is not None:
        won = f"{state.winner} won"
        return f"{won}, payments as agreed" if isinstance(state.hand, Agreed) else won
    if isinstance(state.hand, Drawn) or not state.transfers:
        return "Drawn"
    return "Drawn, with payments"


def gain_line(gains: Mapping[str, int]) -> str:
    """What everybody gained: “Ann +40 · Bob +8”; those with nothing are left out."""
    moved = [f"{name}\N{NO-BREAK SPACE}{signed(gain)}" for name, gain in gains.items() if gain]
    return " · ".join(moved) or "Nobody pays anybody."


def payment_lines(state: HandState) -> list[str]:
    """Each payment in words."""
    return [f"{t.payer} pays {t.receiver} {points(t.amount)}" for t in state.transfers]


def end_line(game: Game) -> str:
    """Why no further hand is played."""
    if game.ended == "broke":
        return f"The game is over: {' and '.join(game.broke)} went below 0 points."
    if game.ended == "rounds":
        return "The game is over: the last round has been played."
    return "The players ended the game here."


def standings(game: Game) -> list[tuple[int, str, int, int]]:
    """Place, name, total and gain, the best first; equal totals share a place."""
    start = dict.fromkeys(game.totals, 0)
    for state in game.hands:
        for name, gain in state.gains.items():
            start[name] += gain
    ordered = sorted(game.totals.items(), key=lambda item: -item[1])
    totals = [total for _, total in ordered]
    return [(1 + totals.index(total), name, total, start[name]) for name, total in ordered]


def correction_lines(before: Game, number: int, correction: Correction) -> list[str]:
    """Everything that a correction changes, in sentences: the hand itself, then later ones."""
    after = correction.game
    lines: list[str] = []
    if len(after.played) == len(before.played) and number <= len(after.hands):
        lines += _own_lines(before.hands[number - 1], after.hands[number - 1])
    for change in correction.changes:
        lines += _change_lines(change)
    if before.ended != after.ended:
        lines.append(end_line(after) if after.ended else "The game goes on.")
    return lines


def _own_lines(was: HandState, now: HandState) -> Iterator[str]:
    title = f"Hand {now.position.number}"
    if was.winner != now.winner:
        yield f"{title}: won by {now.winner or 'nobody'}, not by {was.winner or 'nobody'}."
    for name, gain in now.gains.items():
        if gain != was.gains[name]:
            yield f"{title}: {name} gets {signed(gain)}, not {signed(was.gains[name])}."


def _change_lines(change: HandChange) -> Iterator[str]:
    number = change.number or change.was
    title = f"Hand {number}"
    winds = [
        f"{item.player} is {SEAT_NAMES[item.now]}"
        for item in change.differences
        if item.field == "wind"
    ]
    if winds:
        yield f"{title} has other winds: {', '.join(winds)}."
    for difference in change.differences:
        if difference.field == "stands" and change.fault is not None:
            yield f"{title} can no longer stand: {change.fault.message}."
        elif difference.field != "wind":
            yield f"{title} {_difference(difference)}."


def _difference(item: Difference) -> str:
    if item.field == "gain":
        return f"brings {item.player} {signed(int(item.now))}, not {signed(int(item.was))}"
    if item.field == "number":
        return f"was hand {item.was}"
    if item.field in ("round_wind", "dealer"):
        now, was = SEAT_NAMES[item.now], SEAT_NAMES[item.was]
        kind = "is in the round of" if item.field == "round_wind" else "has as dealer"
        return f"{kind} {now}, not {was}"
    if item.field == "goulash":
        return "is a goulash now" if item.now == "true" else "is no goulash any more"
    return "can stand again" if item.now == "true" else "can no longer stand"
