"""A game as plain text: the table's sheet, the next hand, and the players' score sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scorer.game.game import Game
from scorer.game.hands import HandState
from scorer.game.reseat import Difference, listed
from scorer.game.scoresheet import (
    Columns,
    PlayerRow,
    PlayerSheet,
    TableRow,
    TableSheet,
    table_sheet,
)
from scorer.tiles import SEAT_NAMES

_NARROWEST = 9
"""Minimum number of characters of a column of points, with the blank before it."""

_NOTES = {
    "drawn": "drawn",
    "broken_off": "abandoned, played again",
    "goulash": "goulash",
    "agreed": "as agreed",
    "unscored": "not valid, not counted",
}
"""The words for the remarks on a hand."""

_FIELDS = {
    "round_wind": "the wind of the round",
    "dealer": "the dealer's wind",
    "goulash": "goulash",
    "ruleset": "the ruleset",
    "changes": "the house rules",
}
"""The words for the facts of a deal that can differ from the one given."""


def game_table(game: Game) -> str:
    """The table's sheet of a game, and the hand that is played next."""
    sheet = table_sheet(game)
    lines = [f"Scored by {game.setup.ruleset}"]
    if game.setup.changes:
        lines.append(f"House rules: {listed(game.setup.changes)}")
    lines += ["", *_table(sheet), "", next_hand(game)]
    return "\n".join(lines)


def next_hand(game: Game) -> str:
    """The hand that is played next, or why none is."""
    position = game.next
    if position is None:
        if game.ended == "broke":
            return f"The game is over: no points left for {' and '.join(game.broke)}."
        return "The game is over: the last round has been played."
    seats = (
        f"{SEAT_NAMES[wind]} {name}" + (" (dealer)" if wind == position.dealer else "")
        for wind, name in position.seats.items()
    )
    kind = ", a goulash" if position.goulash else ""
    lines = [
        f"Next: hand {position.number}{kind}, round of {SEAT_NAMES[position.round_wind]}",
        f"  {', '.join(seats)}",
        *([f"  Sits out: {', '.join(position.waiting)}"] if position.waiting else []),
    ]
    if position.dealer_wins:
        lines.append(f"  The dealer's wins in a row so far: {position.dealer_wins}")
    return "\n".join(lines)


def reseated_line(state: HandState) -> str:
    """How a deal that was given other winds differs from the deal as it was given."""
    told = ", ".join(_told(item) for item in state.reseated)
    return f"hand {state.position.number} as it was given does not follow: {told}"


def sheet_text(sheet: PlayerSheet) -> str:
    """A player's score sheet of one round, laid out like the paper sheet."""
    widths = {name: max(_NARROWEST, (len(name) + 2) // 2) for name in sheet.totals}
    head = (f"{name:>{2 * widths[name]}}" for name in sheet.totals)
    pairs = (f"{'Receive':>{widths[name]}}{'Pay':>{widths[name]}}" for name in sheet.totals)
    final = {name: columns.final for name, columns in sheet.totals.items()}
    taken = {
        name: Columns(columns.subtract, columns.subtract) for name, columns in sheet.totals.items()
    }
    result = sheet.result
    lines = [
        f"Name: {sheet.player}    Wind of the round: {SEAT_NAMES[sheet.round_wind]}",
        f"Brought forward: {sheet.brought_forward}",
        " " * 14 + "".join(head),
        f"{'Wind':<6} {'Hand':>5}  " + "".join(pairs) + f"{'Win':>9}{'Lose':>9}",
        *(_sheet_row(row, widths) for row in sheet.rows),
        _closing("Totals", sheet.totals, result, widths),
        _closing("Subtract", taken, Columns(result.subtract, result.subtract), widths),
        _closing("Final totals", final, result.final, widths),
        f"Carried forward: {sheet.carried_forward}",
    ]
    return "\n".join(lines)


def _sheet_row(row: PlayerRow, widths: Mapping[str, int]) -> str:
    start = f"{SEAT_NAMES[row.wind]:<6} {row.number:>5}  "
    return (start + _cells(row.opponents, row.result, widths) + _note(row.note)).rstrip()


def _closing(
    title: str, columns: Mapping[str, Columns], result: Columns, widths: Mapping[str, int]
) -> str:
    return f"{title:<14}{_cells(columns, result, widths)}"


def _cells(columns: Mapping[str, Columns], result: Columns, widths: Mapping[str, int]) -> str:
    cells = [
        f"{_points(item.plus):>{widths[name]}}{_points(item.minus):>{widths[name]}}"
        for name, item in columns.items()
    ]
    return "".join(cells) + f"{_points(result.plus):>9}{_points(result.minus):>9}"


def _points(amount: int) -> str:
    return str(amount) if amount else "-"


def _table(sheet: TableSheet) -> Iterator[str]:
    widths = {name: max(_NARROWEST, len(name) + 2) for name in sheet.players}
    longest = max(6, *(len(name) for name in sheet.players))
    names = "".join(f"{name:>{widths[name]}}" for name in sheet.players)
    yield f"{'Hand':>4}  {'Round':<6} {'Won':<{longest}}{names}"
    if sheet.start_points:
        start = (f"{sheet.start_points:>{width}}" for width in widths.values())
        yield " " * (14 + longest - 1) + "".join(start)
    for row in sheet.rows:
        yield from _table_row(row, widths, longest)


def _table_row(row: TableRow, widths: Mapping[str, int], longest: int) -> Iterable[str]:
    gains = "".join(f"{_gain(row, name, width - 2):>{width}}" for name, width in widths.items())
    totals = "".join(f"{row.totals[name]:>{width}}" for name, width in widths.items())
    start = f"{row.number:>4}  {SEAT_NAMES[row.round_wind]:<6} {row.winner or '-':<{longest}}"
    return (start + gains + _note(row.note)).rstrip(), " " * len(start) + totals


def _gain(row: TableRow, name: str, width: int) -> str:
    if name not in row.gained:
        return ""
    return f"{row.winds.get(name, '')}{row.gained[name]:>+{width}}"


def _note(note: tuple[str, ...]) -> str:
    return "  " + ", ".join(_NOTES[word] for word in note)


def _told(difference: Difference) -> str:
    if difference.field == "wind":
        was, now = SEAT_NAMES[difference.was], SEAT_NAMES[difference.now]
        return f"{difference.player} is {now}, not {was}"
    return f"{_FIELDS[difference.field]} is {difference.now}, not {difference.was}"
