"""The hands of a game as they were played, and what came of each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scorer.deal import Deal
from scorer.errors import GameError
from scorer.game.reseat import Difference
from scorer.game.winds import Position
from scorer.result import DealResult


@dataclass(frozen=True, slots=True)
class Transfer:
    """Points above zero that one player, by name, pays another."""

    payer: str
    receiver: str
    amount: int

    def to_json(self) -> dict[str, Any]:
        """The payment as a JSON value, with the players' names."""
        return {"from": self.payer, "to": self.receiver, "amount": self.amount}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A hand that nobody won and that moved no points.

    ``waiting`` are those who sat out; empty where nobody did, or where it went by turns.
    """

    waiting: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The hand as a JSON value."""
        return {"drawn": True, **_waiting_json(self.waiting)}


@dataclass(frozen=True, slots=True)
class Agreed:
    """A hand whose payments the players settled themselves; ``winner`` None when it was drawn.

    ``waiting`` are those who sat out, as for :class:`Drawn`.
    """

    winner: str | None
    transfers: tuple[Transfer, ...] = ()
    waiting: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The hand as a JSON value."""
        paid = [item.to_json() for item in self.transfers]
        return {"winner": self.winner, "payments": paid, **_waiting_json(self.waiting)}


def _waiting_json(waiting: tuple[str, ...]) -> dict[str, Any]:
    return {"waiting": list(waiting)} if waiting else {}


PlayedHand = Deal | Drawn | Agreed


def hand_json(hand: PlayedHand) -> dict[str, Any]:
    """A hand as the JSON value that :func:`scorer.text.game_json.parse_game` reads back."""
    return {"deal": hand.to_json()} if isinstance(hand, Deal) else hand.to_json()


def told_gains(gains: Mapping[str, int], winds: Mapping[str, str]) -> dict[str, int]:
    """The gains of those who have a wind, and of who sat out and gained something all the same."""
    return {name: gain for name, gain in gains.items() if gain or name in winds}


@dataclass(frozen=True, slots=True)
class HandState:
    """One hand of a game and what came of it.

    Attributes:
        position: where the game stood before it.
        hand: the hand, a deal with the winds that its players have at this position.
        winner: the name of the player who went out; None after a draw or a hand broken off.
        result: the scores of a deal; None for other hands and for a deal that cannot stand.
        transfers: who paid whom, by name.
        gains: each player's gain, 0 for those who sat out; with the sticks that come to lie on the
            table or are taken from it they sum to zero.
        totals: each player's points after the hand.
        reseated: how the deal differs from the one that was given, after an earlier hand was
            corrected; two states that differ only in this are equal.
        fault: why the hand cannot stand as it is; it then moves no points.
        broken_off: whether a fault at the table ended the hand, which is played again.
    """

    position: Position
    hand: PlayedHand
    winner: str | None
    result: DealResult | None
    transfers: tuple[Transfer, ...]
    gains: Mapping[str, int]
    totals: Mapping[str, int]
    reseated: tuple[Difference, ...] = field(default=(), compare=False)
    fault: GameError | None = None
    broken_off: bool = False

    @property
    def gained(self) -> dict[str, int]:
        """The gains that are told: of those who played, and of others who gained something."""
        return told_gains(self.gains, self.position.winds)

    def to_json(self) -> dict[str, Any]:
        """The hand as a JSON value: its position, what was played, and what came of it."""
        return {
            **self.position.to_json(),
            "hand": hand_json(self.hand),
            "winner": self.winner,
            **({"broken_off": True} if self.broken_off else {}),
            "result": None if self.result is None else self.result.to_json(),
            "payments": [item.to_json() for item in self.transfers],
            "gains": dict(self.gains),
            "totals": dict(self.totals),
            "reseated": [difference.to_json() for difference in self.reseated],
            "error": None if self.fault is None else self.fault.to_json(),
        }
