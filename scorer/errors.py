"""What the scorer says when a deal or a ruleset cannot be used."""

from __future__ import annotations


class DealError(ValueError):
    """A deal that cannot be, or that cannot be understood.

    Attributes:
        player: the seat concerned (``E``, ``S``, ``W`` or ``N``), or None for the table as a whole.
        field: where in the deal the fault lies, such as ``concealed`` or ``win.tile``.
        message: what is wrong and what to do about it, on one line.
    """

    def __init__(self, player: str | None, field: str, message: str) -> None:
        who = f"player {player}" if player else "the deal"
        super().__init__(f"{who}, {field}: {message}")
        self.player = player
        self.field = field
        self.message = message

    def to_json(self) -> dict[str, str | None]:
        """The fault in the form that stands in the place of a deal's result."""
        return {"player": self.player, "field": self.field, "message": self.message}

    def __reduce__(self) -> tuple[type[DealError], tuple[str | None, str, str]]:
        return DealError, (self.player, self.field, self.message)


def field_name(key: object) -> str:
    """A key that somebody wrote, as the name of a field: printable, on one line, not too long."""
    name = "".join(sign if sign.isprintable() else "?" for sign in str(key)[:40])
    return name if name.strip() else "''"


class RulesetError(ValueError):
    """A ruleset file that breaks its own form; the text names the file, the key and the reason."""


class GameError(ValueError):
    """A game that cannot be, or a hand that does not belong where it stands in its game.

    Attributes:
        hand: the number of the hand, from 1; None when the game's setup is at fault.
        player: the name of the player concerned, or None.
        field: where the fault lies, such as ``round_wind`` or ``players``.
        message: what is wrong and what to do about it, on one line.
    """

    def __init__(self, hand: int | None, player: str | None, field: str, message: str) -> None:
        where = "the game" if hand is None else f"hand {hand}"
        who = f", {player}" if player else ""
        super().__init__(f"{where}{who}, {field}: {message}")
        self.hand = hand
        self.player = player
        self.field = field
        self.message = message

    def to_json(self) -> dict[str, int | str | None]:
        """The fault in the form that stands in the place of a hand or of the whole game."""
        return {
            "hand": self.hand,
            "player": self.player,
            "field": self.field,
            "message": self.message,
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameError) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.hand, self.player, self.field, self.message))

    def __reduce__(self) -> tuple[type[GameError], tuple[int | None, str | None, str, str]]:
        return GameError, (self.hand, self.player, self.field, self.message)
