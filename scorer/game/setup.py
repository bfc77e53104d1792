"""What is settled before a game: the ruleset, who sits where, and for how long they play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scorer.deal import ChangeValue
from scorer.errors import DealError, GameError
from scorer.game.winds import Table, away
from scorer.messages import say
from scorer.rules.rulebook import load_ruleset
from scorer.rules.ruleset import Ruleset
from scorer.tiles import SEATS

MAX_WAITING: Final = 2
"""The most players who wait at a table of four; seven make a table of four and one of three."""

MAX_ROUNDS: Final = len(SEATS)
"""The most rounds that a game may be agreed to have: one for each wind."""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """What is settled before the first hand.

    Attributes:
        ruleset: the id of the ruleset, which holds for the whole game.
        players: the name of the player of each wind in the first hand; three players leave one of
            S, W and N out, and that place at the table stays empty.
        changes: the club's house rules on top of the ruleset.
        rounds: the number of rounds agreed on; None for the ruleset's own.
        waiting: with five or six players those who sit out the first hand, the one who comes in
            next first; they and the others then sit out by turns.
        gone: for each player who leaves early the number of the first hand without them, then of
            the one with which they are back, and so on by turns.
    """

    ruleset: str
    players: Mapping[str, str]
    changes: Mapping[str, ChangeValue] = field(default_factory=dict)
    rounds: int | None = None
    waiting: tuple[str, ...] = ()
    gone: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The players in the order of play, the first East first, then those who wait."""
        seated = (self.players[seat] for seat in SEATS if seat in self.players)
        return (*seated, *self.waiting)

    def to_json(self) -> dict[str, Any]:
        """The setup as a JSON value; who waits and who has gone is told where someone does."""
        gone = {name: at[0] if len(at) == 1 else list(at) for name, at in self.gone.items()}
        return {
            "ruleset": self.ruleset,
            "changes": dict(self.changes),
            "rounds": self.rounds,
            "players": {seat: self.players[seat] for seat in SEATS if seat in self.players},
            **({"waiting": list(self.waiting)} if self.waiting else {}),
            **({"gone": gone} if gone else {}),
        }


def ruleset_of(setup: GameSetup) -> Ruleset:
    """The ruleset of a game, with its house rules.

    Raises:
        GameError: there is no such ruleset, or a house rule is not among its options.
    """
    try:
        return load_ruleset(setup.ruleset, setup.changes)
    except DealError as error:
        raise GameError(None, None, error.field, error.words) from error


def table_of(setup: GameSetup) -> Table:
    """The places of a game's players, and the rules by which their winds move.

    Raises:
        GameError: as :func:`ruleset_of`.
    """
    ruleset = ruleset_of(setup)
    rules = ruleset.game
    usual = rules.rounds_three_players if len(setup.players) == 3 else rules.rounds
    places = tuple(setup.players.get(seat) for seat in SEATS)
    return Table(
        places, rules, ruleset.dealer_moves, setup.rounds or usual, setup.waiting, setup.gone
    )


def check_setup(setup: GameSetup) -> None:
    """Refuse a setup with which no game can begin.

    Raises:
        GameError: the ruleset, its changes, the players or the rounds are impossible.
    """
    ruleset = ruleset_of(setup)
    seats = tuple(setup.players)
    if len(seats) not in ruleset.players:
        words = say("wrong_number_in_game", given=len(seats), wanted=ruleset.players)
        raise GameError(None, None, "players", words)
    for seat in seats:
        if seat not in SEATS:
            raise GameError(None, None, "players", say("unknown_wind", seat=seat, seats=SEATS))
    if "E" not in seats:
        raise GameError(None, None, "players", say("no_first_east"))
    _check_waiting(setup)
    _check_names(setup.names)
    if setup.rounds is not None and not 1 <= setup.rounds <= MAX_ROUNDS:
        raise GameError(None, None, "rounds", say("wrong_rounds", most=MAX_ROUNDS))


def _check_waiting(setup: GameSetup) -> None:
    if setup.waiting and len(setup.players) < len(SEATS):
        raise GameError(None, None, "waiting", say("seat_is_free", name=setup.waiting[0]))
    if len(setup.waiting) > MAX_WAITING:
        raise GameError(None, None, "waiting", say("too_many_wait", most=MAX_WAITING))
    for name in setup.gone:
        if name not in setup.names:
            words = say("does_not_play", name=name, players=setup.names)
            raise GameError(None, None, "gone", words)
    if any(len(away(setup.gone, n)) > len(setup.waiting) for at in setup.gone.values() for n in at):
        raise GameError(None, None, "gone", say("nobody_comes_in"))


def _check_names(names: tuple[str, ...]) -> None:
    for name in names:
        if not name.strip() or not name.isprintable():
            raise GameError(None, None, "players", say("no_name", name=name))
        if names.count(name) > 1:
            raise GameError(None, None, "players", say("same_names", name=name))
