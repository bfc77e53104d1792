"""A scored deal as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scorer import DealResult, Line, PlayerResult
from scorer.deal import ChangeValue
from scorer.melds import ReadMeld
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import NAMES, SEAT_NAMES, format_tiles

_TEXT_WIDTH = 58
"""Characters of the column of the rules' texts."""

_WIDTH = 72
"""Column at which the calculation of a total ends."""


def score_table(result: DealResult) -> str:
    """The whole deal: each player's score line by line, then who pays whom."""
    lines = [_scored_by(result.ruleset)]
    if result.changes:
        lines.append(f"House rules: {_settings(result.changes)}")
    for player in result.players:
        lines += ["", *_player(player)]
    lines += ["", "Payments", *_payments(result), "", "Gains and losses"]
    lines += [f"  {SEAT_NAMES[seat]:<6}{gain:>+8}" for seat, gain in result.net.items()]
    return "\n".join(lines)


def _scored_by(ruleset: str) -> str:
    """The line that names the ruleset, with the changes of a club's own to its base."""
    found = load_ruleset(ruleset)
    if not found.changes:
        return f"Scored by {ruleset}"
    return f"Scored by {ruleset}, which is {found.base} with {_settings(found.changes)}"


def _settings(changes: Mapping[str, ChangeValue]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in changes.items())


def _value(value: ChangeValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _player(player: PlayerResult) -> Iterator[str]:
    yield f"{SEAT_NAMES[player.seat]}: {_title(player)}"
    if player.melds:
        yield from (f"  {_set(group)}" for group in player.laid_out())
    points = [line for line in player.lines if line.points is not None]
    doubles = [line for line in player.lines if line.doubles is not None]
    yield from _column("points", points, player.points)
    if doubles:
        yield from _column("doubles", doubles, player.doubles)
        yield f"  {_sum(player):>{_WIDTH}}"


def _title(player: PlayerResult) -> str:
    kinds = {"ordinary": "", "none": " (no score)", "claimed": " (total as claimed)"}
    if player.hand in kinds:
        return f"{player.total}{kinds[player.hand]}"
    fishing, _, name = player.hand.rpartition(":")
    hand = name.replace("_", " ")
    return f"{player.total} ({'fishing for ' if fishing else ''}{hand})"


def _sum(player: PlayerResult) -> str:
    factor = 1 << player.doubles
    exact = player.points * factor
    counted = f"{player.points} x {factor} = {exact}"
    return counted if exact == player.total else f"{counted}, that is {player.total}"


def _set(group: ReadMeld) -> str:
    if group.kind in ("singles", "knitted_pair", "knitted_set"):
        return format_tiles(group.tiles)
    how = "" if group.kind == "pair" else ", concealed" if group.concealed else ", exposed"
    if group.kind == "chow":
        return f"Chow {format_tiles(group.tiles)}{how}"
    return f"{group.kind.capitalize()} of {NAMES[group.tile]}{how}"


def _column(unit: str, lines: list[Line], total: int) -> Iterator[str]:
    """The lines of one unit with their worths in a column, and their sum."""
    if not lines:
        return
    yield f"  {unit.capitalize()}"
    for line in lines:
        worth = line.points if line.doubles is None else line.doubles
        yield f"  {worth:>8}  {line.text:<{_TEXT_WIDTH}} [{line.cite}]"
    if len(lines) > 1:
        yield f"  {total:>8}  in all"


def _payments(result: DealResult) -> list[str]:
    paid = [
        f"  {SEAT_NAMES[payment.from_seat]} pays {SEAT_NAMES[payment.to_seat]} {payment.amount}"
        for payment in result.payments
    ]
    return paid or ["  Nobody pays."]
