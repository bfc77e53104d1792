"""What the scorer raises when a deal, a game or a ruleset cannot be used."""

from __future__ import annotations

from scorer.messages import Message, say


class DealError(ValueError):
    """A deal that cannot be, or that cannot be understood.

    Attributes:
        player: the seat concerned (``E``, ``S``, ``W`` or ``N``), or None for the table as a whole.
        field: where in the deal the fault lies, such as ``concealed`` or ``win.tile``.
        words: what is wrong and what to do about it.
    """

    def __init__(self, player: str | None, field: str, words: Message) -> None:
        super().__init__(player, field, words)
        self.player = player
        self.field = field
        self.words = words

    @property
    def message(self) -> str:
        """What is wrong and what to do about it, in English on one line."""
        return str(self.words)

    def to_json(self) -> dict[str, str | None]:
        """The fault in the form that stands in the place of a deal's result."""
        return {"player": self.player, "field": self.field, "message": self.message}

    def __str__(self) -> str:
        if self.player:
            told = say("fault_of_player", player=self.player, field=self.field, fault=self.words)
        else:
            told = say("fault_of_deal", field=self.field, fault=self.words)
        return str(told)

    def __reduce__(self) -> tuple[type[DealError], tuple[str | None, str, Message]]:
        return DealError, (self.player, self.field, self.words)


def field_name(key: object) -> str:
    """A key that somebody wrote, as the name of a field: printable, on one line, not too long."""
    name = "".join(sign if sign.isprintable() else "?" for sign in str(key)[:40])
    return name if name.strip() else "''"


class RulesetError(ValueError):
    """A ruleset file that breaks its own form.

    Attributes:
        file: the file's name.
        key: the key at fault, its tables joined by dots; ``the whole file`` where it is none;
            empty where the file is no file.
        reason: what is wrong.
    """

    def __init__(self, file: str, key: str, reason: Message | str) -> None:
        super().__init__(file, key, reason)
        self.file = file
        self.key = key
        self.reason = reason

    @property
    def words(self) -> Message:
        """The file, the key and what is wrong."""
        if not self.key:
            return say("fault_of_file", file=self.file, reason=self.reason)
        return say("fault_in_file", file=self.file, key=self.key, reason=self.reason)

    def __str__(self) -> str:
        return str(self.words)


class GameError(ValueError):
    """A game that cannot be, or a hand that does not belong where it stands in its game.

    Attributes:
        hand: the number of the hand, from 1; None when the game's setup is at fault.
        player: the name of the player concerned, or None.
        field: where the fault lies, such as ``round_wind`` or ``players``.
        words: what is wrong and what to do about it.
    """

    def __init__(self, hand: int | None, player: str | None, field: str, words: Message) -> None:
        super().__init__(hand, player, field, words)
        self.hand = hand
        self.player = player
        self.field = field
        self.words = words

    @property
    def message(self) -> str:
        """What is wrong and what to do about it, in English on one line."""
        return str(self.words)

    def to_json(self) -> dict[str, int | str | None]:
        """The fault in the form that stands in the place of a hand or of the whole game."""
        return {
            "hand": self.hand,
            "player": self.player,
            "field": self.field,
            "message": self.message,
        }

    def __str__(self) -> str:
        field, fault = self.field, self.words
        if self.hand is None and self.player:
            told = say("fault_of_game_player", player=self.player, field=field, fault=fault)
        elif self.hand is None:
            told = say("fault_of_game", field=field, fault=fault)
        elif self.player:
            told = say(
                "fault_of_hand_player",
                hand=self.hand,
                player=self.player,
                field=field,
                fault=fault,
            )
        else:
            told = say("fault_of_hand", hand=self.hand, field=field, fault=fault)
        return str(told)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameError) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.hand, self.player, self.field, self.words))

    def __reduce__(self) -> tuple[type[GameError], tuple[int | None, str | None, str, Message]]:
        return GameError, (self.hand, self.player, self.field, self.words)
