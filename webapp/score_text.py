"""A scored deal as plain text, for people who use the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer import DealResult, Line, PlayerResult
from scorer.sets import TileSet
from scorer.deal import ChangeValue
from scorer.info import OptionInfo
from scorer.tiles import SEAT_NAMES, format_tiles

_TEXT_WIDTH = 58


def score_table(result: DealResult) -> str:
    """The whole deal: every player's reasons, then who pays whom."""
    lines = [f"Scored by {result.ruleset}"]
    if result.changes:
        changes = ", ".join(f"{name} = {_value(value)}" for name, value in result.changes.items())
        lines.append(f"House rules: {changes}")
    for player in result.players:
        lines += ["", *_player(player)]
    lines += ["", "Payments", *_payments(result), "", "Gains and losses"]
    lines += [f"  {SEAT_NAMES[seat]:<6}{gain:>+8}" for seat, gain in result.net.items()]
    return "\n".join(lines)


def option_table(options: Iterable[OptionInfo]) -> str:
    """The house rules of a ruleset: what each is called, which values it takes and what it does."""
    parts: list[str] = []
    for option in options:
        choices = " or ".join(name for name, _ in option.choices)
        span = f"{option.minimum} to {option.maximum}"
        taken = {"boolean": "true or false", "integer": span}.get(option.kind, choices)
        parts += [
            f"{option.id} = {_value(option.default)}  ({taken})",
            f"    {option.name}: {option.help} [{option.cite}]",
        ]
    return "\n".join(parts)


def _value(value: ChangeValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _player(player: PlayerResult) -> Iterator[str]:
    title = f"{SEAT_NAMES[player.seat]}: {player.total}"
    if player.doubles:
        title += f" = {player.points} points, doubled {_times(player.doubles)}"
    yield title if player.hand in ("ordinary", "none") else f"{title} ({player.hand})"
    if player.sets:
        yield "  " + "  ".join(_set(group) for group in player.sets)
    yield from (_line(line) for line in player.lines)


def _set(group: TileSet) -> str:
    return format_tiles(group.tiles).replace(" ", "") + ("" if group.concealed else "*")


def _line(line: Line) -> str:
    if line.points is None:
        worth = "1 double" if line.doubles == 1 else f"{line.doubles} doubles"
    else:
        worth = "1 point" if line.points == 1 else f"{line.points} points"
    return f"  {worth:>12}  {line.text:<{_TEXT_WIDTH}} [{line.cite}]"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _payments(result: DealResult) -> list[str]:
    paid = [
        f"  {SEAT_NAMES[payment.from_seat]} pays {SEAT_NAMES[payment.to_seat]} {payment.amount}"
        for payment in result.payments
    ]
    return paid or ["  Nobody pays."]
