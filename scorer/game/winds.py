"""How the winds, the dealer's office and the round move from hand to hand.

The table has four places, numbered in the order of play (each to the right of the one before);
place 0 is that of the first East. With three players one of the others is empty: the dealer's
office passes over it, and the winds follow from East's place (to the right South, opposite West,
to the left North), so that the absent wind changes as East moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer.rules.ruleset import Game
from scorer.tiles import SEATS


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands before a hand.

    Attributes:
        number: the number of the hand, from 1.
        round: the number of the round, from 1.
        round_wind: the wind of the round.
        seats: the player of each wind, in the order of the winds; an empty place is left out.
        dealer: the wind of the dealer: East, unless the winds are kept and the office moves.
        goulash: whether this hand is a goulash.
        dealer_wins: how many hands in a row the dealer has won; the ruleset says what a draw does.
    """

    number: int
    round: int
    round_wind: str
    seats: Mapping[str, str]
    dealer: str
    goulash: bool
    dealer_wins: int

    def wind_of(self, player: str) -> str:
        """The own wind of a player of the game."""
        return next(wind for wind, name in self.seats.items() if name == player)

    def to_json(self) -> dict[str, Any]:
        """The position as a JSON value."""
        return {
            "number": self.number,
            "round": self.round,
            "round_wind": self.round_wind,
            "seats": dict(self.seats),
            "dealer": self.dealer,
            "goulash": self.goulash,
            "dealer_wins": self.dealer_wins,
        }


@dataclass(frozen=True, slots=True)
class Table:
    """The four places and the rules by which the winds move between them.

    Attributes:
        places: the players' names by place; None where nobody sits, never at place 0.
        rules: the ruleset's rules of the game.
        dealer_moves: whether players keep their winds while the dealer's office moves.
        rounds: how many rounds are played, from 1 to 4.
    """

    places: tuple[str | None, ...]
    rules: Game
    dealer_moves: bool
    rounds: int

    def first(self) -> Position:
        """The position before the first hand."""
        return self._position(1, 1, 0, goulash=False, dealer_wins=0)

    def after(self, position: Position, winner: str | None) -> Position | None:
        """The position after a hand, None when the last round is over.

        Args:
            position: the position in which the hand was played.
            winner: the name of the player who went out; None after a draw.
        """
        number, round_number = position.number + 1, position.round
        place = self.places.index(position.seats[position.dealer])
        goulash, wins = False, position.dealer_wins
        if winner is None:
            passes = self.rules.after_draw == "pass"
            goulash = self.rules.after_draw == "goulash"
            wins = 0 if self.rules.draw_ends_run else wins
        elif winner == self.places[place]:
            wins += 1
            passes = 0 < self.rules.dealer_maximum <= wins
        else:
            passes = True
        if passes:
            place, wins = self._next_place(place), 0
            round_number += place == 0
        if round_number > self.rounds:
            return None
        return self._position(number, round_number, place, goulash=goulash, dealer_wins=wins)

    def _next_place(self, place: int) -> int:
        """The next taken place to the right."""
        order = [(place + step) % len(SEATS) for step in range(1, len(SEATS) + 1)]
        return next(other for other in order if self.places[other] is not None)

    def _position(
        self, number: int, round_number: int, place: int, *, goulash: bool, dealer_wins: int
    ) -> Position:
        first_east = 0 if self.dealer_moves else place
        turned = self.places[first_east:] + self.places[:first_east]
        return Position(
            number=number,
            round=round_number,
            round_wind=SEATS[round_number - 1],
            seats={w: name for w, name in zip(SEATS, turned, strict=True) if name is not None},
            dealer=SEATS[place] if self.dealer_moves else SEATS[0],
            goulash=goulash,
            dealer_wins=dealer_wins,
        )
