"""What a deal is worth: each player's explained score, and who pays whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from scorer.deal import ChangeValue
from scorer.english.sources import cited
from scorer.melds import ReadMeld
from scorer.messages import Message, plain_words
from scorer.tiles import ORDER, SEAT_NAMES

SET_ORDER: Final = ("chow", "pung", "kong", "knitted_set", "singles", "knitted_pair", "pair")
"""The kinds of sets of a result, in the order in which people lay them."""


def _as_laid(group: ReadMeld) -> tuple[int, tuple[int, ...]]:
    return SET_ORDER.index(group.kind), tuple(ORDER[tile] for tile in group.tiles)


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}" if abs(number) == 1 or unit in ("fan", "fu") else f"{number} {unit}s"


def _words(value: Mapping[str, Any]) -> Message:
    """The message of a line or a cause; what was kept without one says its text."""
    message = value.get("message")
    return plain_words(value["text"]) if message is None else Message.from_json(message)


_SINGULAR: Final = {
    "points": "point",
    "doubles": "double",
    "fan": "fan",
    "fu": "fu",
    "limits": "limit",
}
"""The units of lines, and one of each."""


@dataclass(frozen=True, slots=True)
class Line:
    """One reason for points, doubles, fan, fu or limits; exactly one of them is given.

    Attributes:
        rule: the id of the rule, special hand or text of the ruleset from which the line comes.
        words: what the line says, from a template of the ruleset.
        cite: where the rule is written.
        points: the points that it brings, or None.
        doubles: the doubles that it brings, or None.
        tiles: those of the meld, or the bonus tile, that the line counts for; none where it counts
            for the hand as a whole.
        fan: the fan, faan or han that it brings, or None.
        fu: the fu that it brings, or None.
        limits: how many limits it is worth, or None.
    """

    rule: str
    words: Message
    cite: str
    points: int | None = None
    doubles: int | None = None
    tiles: tuple[str, ...] = ()
    fan: int | None = None
    fu: int | None = None
    limits: int | None = None

    @property
    def text(self) -> str:
        """What the line says, in English."""
        return str(self.words)

    def __str__(self) -> str:
        unit, worth = self.worth
        return f"{self.text}: {_counted(worth, _SINGULAR[unit])} [{cited(self.cite)}]"

    @property
    def worth(self) -> tuple[str, int]:
        """The unit in which the line counts, and how many."""
        units = {name: getattr(self, name) for name in _SINGULAR}
        return next(((name, n) for name, n in units.items() if n is not None), ("doubles", 0))

    def to_json(self, *, whole: bool = False) -> dict[str, Any]:
        """The line as a JSON value; if ``whole`` with its message and tiles, as a line again."""
        unit, number = self.worth
        worth = {unit: number}
        value = {"rule": self.rule, "text": self.text, **worth, "cite": self.cite}
        more = {"message": self.words.to_json(), "tiles": list(self.tiles)}
        return value | more if whole else value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Line:
        """The line that :meth:`to_json` gave; without its message it has its English text alone."""
        return cls(
            value["rule"],
            _words(value),
            value["cite"],
            value.get("points"),
            value.get("doubles"),
            tuple(value.get("tiles", ())),
            value.get("fan"),
            value.get("fu"),
            value.get("limits"),
        )


class InFan(NamedTuple):
    """What a hand that is counted in fan comes to.

    Attributes:
        fan: the fan, faan or han of its lines.
        fu: its fu, rounded.
        limits: how many limits it is worth.
        base: the points from which payments are worked out.
        liable: the limits of rules by which somebody else may be liable.
    """

    fan: int = 0
    fu: int = 0
    limits: int = 0
    base: int = 0
    liable: int = 0


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One player's score: ``hand`` says what it counts as, the lines add up to it.

    A hand that is counted in fan says in ``counted`` what they come to.
    """

    seat: str
    total: int
    points: int
    doubles: int
    hand: str
    melds: tuple[ReadMeld, ...] = ()
    lines: tuple[Line, ...] = ()
    counted: InFan | None = None

    def laid_out(self) -> list[ReadMeld]:
        """The melds in the order in which people lay them: chows, pungs, kongs, the pair last."""
        return sorted(self.melds, key=_as_laid)

    def __str__(self) -> str:
        how = {"ordinary": "", "none": ", no score", "claimed": ", as claimed"}
        hand = how.get(self.hand, f", {self.hand.replace(':', ' for ').replace('_', ' ')}")
        sum_ = (
            f" ({self.points} points, {_counted(self.doubles, 'double')})" if self.doubles else ""
        )
        head = f"{SEAT_NAMES[self.seat]}: {self.total}{sum_}{hand}"
        return "\n".join([head, *(f"  {line}" for line in self.lines)])

    def to_json(self, *, whole: bool = False) -> dict[str, Any]:
        """The player's score as a JSON value; ``whole`` as in :meth:`DealResult.to_json`."""
        return {
            "seat": self.seat,
            "total": self.total,
            "points": self.points,
            "doubles": self.doubles,
            "hand": self.hand,
            "sets": [
                {
                    "kind": group.kind,
                    "tiles": list(group.tiles),
                    "concealed": group.concealed,
                    **({"jokers": list(group.jokers)} if group.jokers else {}),
                }
                for group in (self.melds if whole else self.laid_out())
            ],
            "lines": [line.to_json(whole=whole) for line in self.lines],
            **({} if self.counted is None else self.counted._asdict()),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> PlayerResult:
        """The player's score that :meth:`to_json` gave."""
        return cls(
            seat=value["seat"],
            total=value["total"],
            points=value["points"],
            doubles=value["doubles"],
            hand=value["hand"],
            melds=tuple(
                ReadMeld(
                    group["kind"],
                    tuple(group["tiles"]),
                    group["concealed"],
                    tuple(group.get("jokers", ())),
                )
                for group in value["sets"]
            ),
            lines=tuple(Line.from_json(line) for line in value["lines"]),
            counted=InFan(*(value[unit] for unit in InFan._fields)) if "base" in value else None,
        )


class Part(NamedTuple):
    """One cause of a payment.

    Attributes:
        cause: the winner's score, a difference between two scores, a penalty, counters or a stick.
        rule: the id of the penalty, or the name of the settlement's term.
        words: what is paid for.
        amount: points, doubled already where the dealer doubles; negative if they go the other way.
        factor: how many times over it is paid because one of the two is the dealer.
        cite: where it is written.
    """

    cause: Literal["win", "difference", "penalty", "counters", "stick"]
    rule: str
    words: Message
    amount: int
    factor: int
    cite: str

    def to_json(self, *, whole: bool = False) -> dict[str, Any]:
        """The cause as a JSON value; if ``whole`` with its message."""
        return {
            "cause": self.cause,
            "rule": self.rule,
            "text": str(self.words),
            "amount": self.amount,
            "factor": self.factor,
            "cite": self.cite,
            **({"message": self.words.to_json()} if whole else {}),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Part:
        """The cause that :meth:`to_json` gave."""
        amounts = value["amount"], value["factor"], value["cite"]
        return cls(value["cause"], value["rule"], _words(value), *amounts)


class Payment(NamedTuple):
    """Points that one seat pays another; the amounts of its parts add up to what is paid."""

    from_seat: str
    to_seat: str
    parts: tuple[Part, ...]

    @property
    def amount(self) -> int:
        """What is paid, in points."""
        return sum(part.amount for part in self.parts)

    def __str__(self) -> str:
        causes = "; ".join(f"{part.words} {part.amount}" for part in self.parts)
        payer, receiver = SEAT_NAMES[self.from_seat], SEAT_NAMES[self.to_seat]
        return f"{payer} pays {receiver} {self.amount} ({causes})"

    def to_json(self, *, whole: bool = False) -> dict[str, Any]:
        """The payment as a JSON value; ``whole`` as in :meth:`DealResult.to_json`."""
        return {
            "from": self.from_seat,
            "to": self.to_seat,
            "amount": self.amount,
            "parts": [part.to_json(whole=whole) for part in self.parts],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Payment:
        """The payment that :meth:`to_json` gave."""
        parts = tuple(Part.from_json(part) for part in value["parts"])
        return cls(value["from"], value["to"], parts)


@dataclass(frozen=True, slots=True)
class DealResult:
    """A scored deal; ``net`` gives each seat's gain in points.

    It sums to zero with ``table``, the points that come to lie on the table; negative where they
    are taken from it.
    """

    ruleset: str
    changes: Mapping[str, ChangeValue]
    players: tuple[PlayerResult, ...]
    payments: tuple[Payment, ...]
    net: Mapping[str, int]
    table: int = 0

    def __str__(self) -> str:
        gains = ", ".join(f"{SEAT_NAMES[seat]} {gain:+}" for seat, gain in self.net.items())
        parts = [f"Scored by {self.ruleset}", *self.players, *self.payments, gains]
        return "\n".join(map(str, parts))

    def to_json(self, *, whole: bool = False) -> dict[str, Any]:
        """The result as a JSON value, players in the order of the deal.

        Args:
            whole: with all from which :meth:`from_json` makes the same result, in any language,
                the melds in their own order and not as people lay them.
        """
        return {
            "ruleset": self.ruleset,
            "changes": dict(self.changes),
            "players": [player.to_json(whole=whole) for player in self.players],
            "payments": [payment.to_json(whole=whole) for payment in self.payments],
            "net": dict(self.net),
            **({"table": self.table} if self.table else {}),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> DealResult:
        """The result that :meth:`to_json` gave; one that was not whole has English texts only.

        Raises:
            KeyError: it is no such value.
        """
        return cls(
            value["ruleset"],
            dict(value["changes"]),
            tuple(PlayerResult.from_json(player) for player in value["players"]),
            tuple(Payment.from_json(payment) for payment in value["payments"]),
            dict(value["net"]),
            value.get("table", 0),
        )
