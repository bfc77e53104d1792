"""What the scorer raises when a deal, a game or a ruleset cannot be used."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from scorer.messages import Message, say, values_json

_log: Final = logging.getLogger("scorer")
_log.addHandler(logging.NullHandler())


class DealError(ValueError):
    """An impossible deal, or one that cannot be understood.

    Attributes:
        player: the seat concerned (``E``, ``S``, ``W`` or ``N``), or None for the table as a whole.
        field: where in the deal the fault lies, such as ``concealed`` or ``win.tile``.
        words: what is wrong and what to do about it.
        others: what else is wrong with the deal, where all its faults were looked for.
    """

    def __init__(
        self,
        player: str | None,
        field: str,
        words: Message,
        others: tuple[DealError, ...] = (),
    ) -> None:
        super().__init__(player, field, words, others)
        self.player = player
        self.field = field
        self.words = words
        self.others = others

    @property
    def code(self) -> str:
        """The stable name of this kind of fault, such as ``second_chow``."""
        inner = self.words.values.get("fault") if self.words.id == "in_entry" else None
        return inner.id if isinstance(inner, Message) else self.words.id

    @property
    def message(self) -> str:
        """What is wrong and what to do about it, in English on one line."""
        return str(self.words)

    @property
    def errors(self) -> tuple[DealError, ...]:
        """All that is wrong, this fault first."""
        return (self, *self.others)

    def to_json(self) -> dict[str, str | None]:
        """The fault in the form that is in the place of a deal's result."""
        return {"player": self.player, "field": self.field, "message": self.message}

    def errors_json(self) -> list[dict[str, Any]]:
        """All that is wrong, each fault with its code and the values of its message."""
        return [
            {
                "code": error.code,
                **error.to_json(),
                "values": values_json(error.words),
            }
            for error in self.errors
        ]

    def refusal_json(self) -> dict[str, Any]:
        """What goes in the place of a deal's result: the first fault, and the list of all."""
        return {"error": self.to_json(), "errors": self.errors_json()}

    def __str__(self) -> str:
        if self.player:
            told = say("fault_of_player", player=self.player, field=self.field, fault=self.words)
        else:
            told = say("fault_of_deal", field=self.field, fault=self.words)
        return str(told)

    def __reduce__(
        self,
    ) -> tuple[type[DealError], tuple[str | None, str, Message, tuple[DealError, ...]]]:
        return DealError, (self.player, self.field, self.words, self.others)


MAX_ERRORS: Final = 100
"""The most faults of one deal that are listed."""


def together(found: Sequence[DealError]) -> DealError:
    """Faults of a deal, at least one, as the first of them that knows the others."""
    first, *others = found[:MAX_ERRORS]
    return DealError(first.player, first.field, first.words, tuple(others))


@contextmanager
def alone() -> Iterator[None]:
    """Let what goes wrong with one of several deals be that deal's own error, whatever it is.

    A fault of the program itself is logged.

    Raises:
        DealError: as the block did; or the program itself failed on this deal.
    """
    try:
        yield
    except DealError:
        raise
    except Exception as error:
        _log.error("a deal could not be scored", exc_info=error)
        raise DealError(None, "deal", say("own_fault", kind=type(error).__name__)) from error


def field_name(key: object) -> str:
    """A key that someone wrote, as the name of a field: printable, on one line, not too long."""
    name = "".join(sign if sign.isprintable() else "?" for sign in str(key)[:40])
    return name if name.strip() else "''"


class RulesetError(ValueError):
    """A ruleset file that breaks its own form.

    Attributes:
        file: the file's name.
        key: the key at fault, its tables joined by dots; ``the whole file`` where it is none;
            empty where the file is not a file.
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
    """An impossible game, or a hand that does not belong where it is in its game.

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
        """The fault in the form that is in the place of a hand or of the whole game."""
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
        return hash((self.hand, self.player, self.field, self.message))

    def __reduce__(self) -> tuple[type[GameError], tuple[int | None, str | None, str, Message]]:
        return GameError, (self.hand, self.player, self.field, self.words)
