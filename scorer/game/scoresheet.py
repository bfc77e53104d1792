"""Score sheets: the paper on which a player and the secretary of a table keep a game.

A player's sheet is ruled like the template at the end of the U3A course (000, score sheet
template after Sheet 31). It belongs to one player and one wind of the round. Each row is a hand:
the player's own wind in it, its number, for each opponent what was received from and paid to that
opponent, and what the hand came to: under *Win* what was received more than paid, under *Lose*
what was paid more than received. Three rows close it:

* *Totals* adds up each column.
* *Subtract* takes the smaller of two columns that belong together (receive and pay, win and lose)
  from both.
* *Final totals* is what is left, in the column of the larger: receive minus pay for each
  opponent, win minus lose for the player.

The final totals of the opponents add up to that of the player. What the player had before is
brought forward from the round before (at first the points with which the ruleset starts), and is
carried forward with the final total added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.errors import GameError
from scorer.game.game import Game
from scorer.game.hands import HandState, told_gains
from scorer.messages import say


@dataclass(frozen=True, slots=True)
class Columns:
    """Two columns that belong together: receive and pay, or win and lose. Points, 0 or more."""

    plus: int
    minus: int

    @property
    def balance(self) -> int:
        """Plus minus minus."""
        return self.plus - self.minus

    @property
    def subtract(self) -> int:
        """What the subtract row takes from both columns: the smaller of them."""
        return min(self.plus, self.minus)

    @property
    def final(self) -> Columns:
        """What the final row leaves: the difference, in the column of the larger."""
        return Columns(self.plus - self.subtract, self.minus - self.subtract)

    def named(self, plus: str, minus: str) -> dict[str, int]:
        """The two columns as a JSON value under their names."""
        return {plus: self.plus, minus: self.minus}


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A hand on a player's sheet.

    Attributes:
        number: the number of the hand in the game.
        wind: the player's own wind.
        opponents: what was received from and paid to each opponent, in the order of play from
            the player's right.
        result: what the hand came to, under win or under lose.
        note: ``drawn``, ``broken_off``, ``goulash``, ``agreed`` and ``unscored`` (it cannot stand
            as it is).
    """

    number: int
    wind: str
    opponents: Mapping[str, Columns]
    result: Columns
    note: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The row as a JSON value."""
        return {
            "wind": self.wind,
            "number": self.number,
            "opponents": _opponents(self.opponents),
            **self.result.named("win", "lose"),
            "note": list(self.note),
        }


@dataclass(frozen=True, slots=True)
class PlayerSheet:
    """One player's sheet of one round.

    Attributes:
        player: whose sheet it is.
        round: the number of the round, from 1.
        round_wind: the wind of the round.
        rows: the hands of the round, in order.
        totals: the columns of each opponent, added up.
        result: the columns win and lose, added up.
        brought_forward: the player's points before the round.
        carried_forward: the player's points after it.
    """

    player: str
    round: int
    round_wind: str
    rows: tuple[PlayerRow, ...]
    totals: Mapping[str, Columns]
    result: Columns
    brought_forward: int
    carried_forward: int

    def to_json(self) -> dict[str, Any]:
        """The sheet as a JSON value: the rows, then the three rows that close it."""
        final = {name: columns.final for name, columns in self.totals.items()}
        return {
            "player": self.player,
            "round": self.round,
            "round_wind": self.round_wind,
            "brought_forward": self.brought_forward,
            "rows": [row.to_json() for row in self.rows],
            "totals": {
                "opponents": _opponents(self.totals),
                **self.result.named("win", "lose"),
            },
            "subtract": {
                "opponents": {name: columns.subtract for name, columns in self.totals.items()},
                "result": self.result.subtract,
            },
            "final_totals": {
                "opponents": _opponents(final),
                **self.result.final.named("win", "lose"),
            },
            "carried_forward": self.carried_forward,
        }


def player_sheets(game: Game, player: str) -> tuple[PlayerSheet, ...]:
    """The sheets of a player, one for each round in which the player has played.

    Hands that the player sat out are not on them.

    Raises:
        GameError: nobody in the game has that name.
    """
    if player not in game.totals:
        words = say("does_not_play", name=player, players=tuple(game.totals))
        raise GameError(None, None, "player", words)
    states = [state for state in game.hands if player in state.position.winds]
    rounds = sorted({state.position.round for state in states})
    return tuple(
        _player_sheet(player, [state for state in states if state.position.round == number])
        for number in rounds
    )


def _player_sheet(player: str, states: list[HandState]) -> PlayerSheet:
    rows = tuple(_player_row(player, state) for state in states)
    first, last = states[0], states[-1]
    return PlayerSheet(
        player=player,
        round=first.position.round,
        round_wind=first.position.round_wind,
        rows=rows,
        totals={name: _added(row.opponents[name] for row in rows) for name in rows[0].opponents},
        result=_added(row.result for row in rows),
        brought_forward=first.totals[player] - first.gains[player],
        carried_forward=last.totals[player],
    )


def _player_row(player: str, state: HandState) -> PlayerRow:
    names = list(state.gains)
    place = names.index(player)
    others = names[place + 1 :] + names[:place]
    gain = state.gains[player]
    return PlayerRow(
        number=state.position.number,
        wind=state.position.wind_of(player),
        opponents={
            name: Columns(_paid(state, name, player), _paid(state, player, name)) for name in others
        },
        result=Columns(max(gain, 0), max(-gain, 0)),
        note=_note(state),
    )


def _paid(state: HandState, payer: str, receiver: str) -> int:
    return sum(
        item.amount for item in state.transfers if (item.payer, item.receiver) == (payer, receiver)
    )


def _note(state: HandState) -> tuple[str, ...]:
    facts = {
        "drawn": state.winner is None and not state.broken_off,
        "broken_off": state.broken_off,
        "goulash": state.position.goulash,
        "agreed": state.result is None and state.fault is None and bool(state.transfers),
        "unscored": state.fault is not None,
    }
    return tuple(word for word, holds in facts.items() if holds)


def _added(columns: Iterable[Columns]) -> Columns:
    both = list(columns)
    return Columns(sum(item.plus for item in both), sum(item.minus for item in both))


def _opponents(columns: Mapping[str, Columns]) -> dict[str, dict[str, int]]:
    return {name: item.named("receive", "pay") for name, item in columns.items()}


@dataclass(frozen=True, slots=True)
class TableRow:
    """A hand on the secretary's sheet.

    Attributes:
        number: the number of the hand.
        round_wind: the wind of the round.
        dealer: the name of the dealer.
        winds: the own wind of each player of the hand; who sat it out has none.
        winner: who went out; None after a draw.
        gains: each player's gain.
        totals: each player's points after the hand.
        note: as on a player's sheet.
    """

    number: int
    round_wind: str
    dealer: str
    winds: Mapping[str, str]
    winner: str | None
    gains: Mapping[str, int]
    totals: Mapping[str, int]
    note: tuple[str, ...]

    @property
    def gained(self) -> dict[str, int]:
        """The gains that are told, as :attr:`scorer.game.hands.HandState.gained`."""
        return told_gains(self.gains, self.winds)

    def to_json(self) -> dict[str, Any]:
        """The row as a JSON value."""
        return {
            "number": self.number,
            "round_wind": self.round_wind,
            "dealer": self.dealer,
            "winds": dict(self.winds),
            "winner": self.winner,
            "gains": dict(self.gains),
            "totals": dict(self.totals),
            "note": list(self.note),
        }


@dataclass(frozen=True, slots=True)
class TableSheet:
    """The secretary's sheet of a whole game: a row for each hand, a column for each player.

    Attributes:
        players: the names, in the order of play from the first East.
        start_points: what each player began with.
        rows: the hands, in order.
        gains: what each player won or lost in all.
        totals: each player's points at the end.
    """

    players: tuple[str, ...]
    start_points: int
    rows: tuple[TableRow, ...]
    gains: Mapping[str, int]
    totals: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """The sheet as a JSON value."""
        return {
            "players": list(self.players),
            "start_points": self.start_points,
            "rows": [row.to_json() for row in self.rows],
            "gains": dict(self.gains),
            "totals": dict(self.totals),
        }


def table_sheet(game: Game) -> TableSheet:
    """The secretary's sheet of a game so far."""
    names = game.setup.names
    gains = {name: sum(state.gains[name] for state in game.hands) for name in names}
    return TableSheet(
        players=names,
        start_points=game.totals[names[0]] - gains[names[0]],
        rows=tuple(_table_row(state) for state in game.hands),
        gains=gains,
        totals=dict(game.totals),
    )


def _table_row(state: HandState) -> TableRow:
    position = state.position
    return TableRow(
        number=position.number,
        round_wind=position.round_wind,
        dealer=position.seats[position.dealer],
        winds={name: position.winds[name] for name in state.gains if name in position.winds},
        winner=state.winner,
        gains=dict(state.gains),
        totals=dict(state.totals),
        note=_note(state),
    )
