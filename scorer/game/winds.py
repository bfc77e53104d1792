"""How the winds, the dealer's office and the round move from hand to hand.

The table has four places, numbered in the order of play (each to the right of the one before);
place 0 is that of the first East. With three players one of the others is empty: the dealer's
office passes over it, and the winds follow from East's place (to the right South, opposite West,
to the left North), so that the absent wind changes as East moves.

With five or six players those who are left over wait, and come in by turns: the player who loses
the dealer's office goes out, and the one who has waited longest takes the place. So in five offices
each sits out once. None of the sources says about more than four players; it is the custom of
clubs. A round is over when the office has been at each of the four places.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

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
        waiting: those who sit out this hand, the one who comes in next first.
        place: the place of the dealer at the table.
        honba: the counters on the table.
        sticks: the sticks on the table.
    """

    number: int
    round: int
    round_wind: str
    seats: Mapping[str, str]
    dealer: str
    goulash: bool
    dealer_wins: int
    waiting: tuple[str, ...]
    place: int
    honba: int = 0
    sticks: int = 0

    @property
    def everybody(self) -> tuple[str, ...]:
        """The names of those who play the hand and of those who sit it out."""
        return (*self.seats.values(), *self.waiting)

    @property
    def winds(self) -> dict[str, str]:
        """The own wind of each player of the hand, by name."""
        return {name: wind for wind, name in self.seats.items()}

    def wind_of(self, player: str) -> str:
        """The own wind of a player of the hand."""
        return self.winds[player]

    def place_of(self, wind: str) -> int:
        """The place at the table of the player of a wind."""
        return (self.place + SEATS.index(wind) - SEATS.index(self.dealer)) % len(SEATS)

    def with_out(self, names: Collection[str]) -> Position:
        """The position in which these sit out; they are as many as sit out now.

        Who goes out gets the turn of the player who comes in for them, who gets the seat.
        """
        out = [name for name in self.seats.values() if name in names]
        come = [name for name in self.waiting if name not in names]
        other = dict(zip((*out, *come), (*come, *out), strict=True))
        return replace(
            self,
            seats={wind: other.get(name, name) for wind, name in self.seats.items()},
            waiting=tuple(other.get(name, name) for name in self.waiting),
        )

    def to_json(self) -> dict[str, Any]:
        """The position as a JSON value; who waits is told where someone does."""
        return {
            "number": self.number,
            "round": self.round,
            "round_wind": self.round_wind,
            "seats": dict(self.seats),
            "dealer": self.dealer,
            "goulash": self.goulash,
            "dealer_wins": self.dealer_wins,
            **({"waiting": list(self.waiting)} if self.waiting else {}),
            **({"honba": self.honba} if self.honba else {}),
            **({"sticks": self.sticks} if self.sticks else {}),
        }


ON_TABLE: Final = ("honba", "sticks")
"""What lies on the table from hand to hand, by the fields of a position and of a deal."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a hand leaves behind besides its winner.

    Attributes:
        also: the names of others who went out on the same tile.
        ready: the names of those who were ready when nobody went out.
        laid: how many sticks were laid down.
        aborted: whether the hand was broken off without a winner.
    """

    also: tuple[str, ...] = ()
    ready: tuple[str, ...] = ()
    laid: int = 0
    aborted: bool = False


PLAIN: Final = Ended()
"""A hand that leaves nothing behind."""


@dataclass(frozen=True, slots=True)
class Table:
    """The four places and the rules by which the winds move between them.

    Attributes:
        places: the players' names by place in the first hand; None where nobody sits, never at
            place 0.
        rules: the ruleset's rules of the game.
        dealer_moves: whether players keep their winds while the dealer's office moves.
        rounds: how many rounds are played, from 1 to 4.
        waiting: those who sit out the first hand, the one who comes in next first.
        gone: for each player who leaves early the first hand without them, the one with which they
            are back, and so on by turns; never are more away than wait.
    """

    places: tuple[str | None, ...]
    rules: Game
    dealer_moves: bool
    rounds: int
    waiting: tuple[str, ...] = ()
    gone: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def first(self) -> Position:
        """The position before the first hand."""
        position = Position(
            number=1,
            round=1,
            round_wind=SEATS[0],
            seats=self._seats(self.places, 0),
            dealer=SEATS[0],
            goulash=False,
            dealer_wins=0,
            waiting=self.waiting,
            place=0,
        )
        return self._without_gone(position)

    def again(self, position: Position) -> Position:
        """The position after a hand that was broken off and is played again, as it was."""
        return self._without_gone(replace(position, number=position.number + 1))

    def after(
        self, position: Position, winner: str | None, ended: Ended = PLAIN
    ) -> Position | None:
        """The position after a hand, None when the last round is over.

        Args:
            position: the position in which the hand was played.
            winner: the name of the player who went out; None after a draw.
            ended: what else the hand leaves behind.
        """
        round_number, place, waiting = position.round, position.place, position.waiting
        places, dealer = _places(position), position.seats[position.dealer]
        goulash, wins = False, position.dealer_wins
        if winner is None:
            passes = self._passes_when_drawn(dealer, ended)
            goulash = self.rules.after_draw == "goulash"
            wins = 0 if self.rules.draw_ends_run else wins
        elif dealer in (winner, *ended.also):
            wins += 1
            passes = 0 < self.rules.dealer_maximum <= wins
        else:
            passes = True
        if passes:
            line = (*waiting, dealer)
            places[place], waiting = line[0], line[1:]
            place, wins = self._next_place(place), 0
            round_number += place == 0
        if round_number > self.rounds:
            return None
        following = Position(
            number=position.number + 1,
            round=round_number,
            round_wind=SEATS[round_number - 1],
            seats=self._seats(places, place),
            dealer=SEATS[place] if self.dealer_moves else SEATS[0],
            goulash=goulash,
            dealer_wins=wins,
            waiting=waiting,
            place=place,
            **self.on_table(position, winner, ended),
        )
        return self._without_gone(following)

    def _passes_when_drawn(self, dealer: str, ended: Ended) -> bool:
        """Whether the winds pass after a drawn hand."""
        if ended.aborted:
            return False
        if self.rules.after_draw == "ready":
            return dealer not in ended.ready
        return self.rules.after_draw == "pass"

    def on_table(self, position: Position, winner: str | None, ended: Ended) -> dict[str, int]:
        """The counters and sticks on the table after a hand."""
        if not self.rules.counters:
            return {}
        dealer = position.seats[position.dealer]
        grows = winner is None or dealer in (winner, *ended.also)
        return {
            "honba": position.honba + 1 if grows else 0,
            "sticks": position.sticks + ended.laid if winner is None else 0,
        }

    def _without_gone(self, position: Position) -> Position:
        """The position in which those who wait have the seats of those who have gone.

        Who is back waits after all others.
        """
        gone = away(self.gone, position.number)
        back = [n for n in self.gone if n not in gone and n not in position.everybody]
        come = [*(name for name in position.waiting if name not in gone), *back]
        seats = {w: come.pop(0) if name in gone else name for w, name in position.seats.items()}
        return replace(position, seats=seats, waiting=tuple(come))

    def _next_place(self, place: int) -> int:
        """The next taken place to the right."""
        order = [(place + step) % len(SEATS) for step in range(1, len(SEATS) + 1)]
        return next(other for other in order if self.places[other] is not None)

    def _seats(self, places: Sequence[str | None], place: int) -> dict[str, str]:
        """The player of each wind, from the players by place and the dealer's place."""
        east = 0 if self.dealer_moves else place
        turned = (*places[east:], *places[:east])
        return {w: name for w, name in zip(SEATS, turned, strict=True) if name is not None}


def away(gone: Mapping[str, tuple[int, ...]], number: int) -> tuple[str, ...]:
    """Who has gone and is not back in a hand; ``gone`` is that of a :class:`Table`."""
    return tuple(name for name, at in gone.items() if sum(it <= number for it in at) % 2)


def _places(position: Position) -> list[str | None]:
    """The players by place, as they sit in a position."""
    names = {position.place_of(wind): name for wind, name in position.seats.items()}
    return [names.get(place) for place in range(len(SEATS))]
