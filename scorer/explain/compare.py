"""One deal under several rule systems, side by side: what each gives, and which lines differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from scorer.deal import FURTHER_FLAGS, WIN_FLAGS, ChangeValue, Deal
from scorer.errors import DealError, alone
from scorer.evaluation.evaluate import score_deal
from scorer.messages import Message
from scorer.result import DealResult, Line, PlayerResult
from scorer.rules.info import asks
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from scorer.tiles import SEAT_NAMES


@dataclass(frozen=True, slots=True)
class System:
    """A ruleset with a club's changes to it."""

    ruleset: str
    changes: Mapping[str, ChangeValue] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The ruleset's id, with its changes in brackets."""
        changes = ", ".join(f"{option} = {_value(value)}" for option, value in self.changes.items())
        return f"{self.ruleset} ({changes})" if changes else self.ruleset


def _value(value: ChangeValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Column:
    """What one system makes of the deal: a result, or why it cannot be scored there."""

    system: System
    result: DealResult | None
    error: DealError | None

    def part(self, seat: str) -> PlayerResult | None:
        """One player's score."""
        players = () if self.result is None else self.result.players
        return next((part for part in players if part.seat == seat), None)


@dataclass(frozen=True, slots=True)
class Worth:
    """What all lines of one rule bring together."""

    points: int = 0
    doubles: int = 0
    fan: int = 0
    fu: int = 0
    limits: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One rule, and what it brings in each column; None where it brings nothing.

    Attributes:
        rule: the id of the rule.
        words: what its lines say.
        worths: what they bring together, by column; None where there are none.
        differs: whether the columns in which the deal is scored do not agree.
    """

    rule: str
    words: tuple[Message, ...]
    worths: tuple[Worth | None, ...]
    differs: bool

    @property
    def text(self) -> str:
        """What its lines say, in English."""
        return "; ".join(str(words) for words in self.words)


@dataclass(frozen=True, slots=True)
class HandRows:
    """One player's score in each column (None where the deal is refused), rule by rule."""

    seat: str
    parts: tuple[PlayerResult | None, ...]
    rows: tuple[Row, ...]

    @property
    def differs(self) -> bool:
        """Whether the columns give different totals."""
        return len({part.total for part in self.parts if part is not None}) > 1

    def to_json(self) -> dict[str, Any]:
        """The player's scores as a JSON value."""
        return {
            "seat": self.seat,
            "totals": [None if part is None else part.total for part in self.parts],
            "hands": [None if part is None else part.hand for part in self.parts],
            "differs": self.differs,
            "lines": [
                {
                    "rule": row.rule,
                    "text": row.text,
                    "worths": [_worth_json(worth) for worth in row.worths],
                    "differs": row.differs,
                }
                for row in self.rows
            ],
        }


def _worth_json(worth: Worth | None) -> dict[str, int] | None:
    if worth is None:
        return None
    further = {unit: getattr(worth, unit) for unit in _FURTHER if getattr(worth, unit)}
    return {"points": worth.points, "doubles": worth.doubles, **further}


_FURTHER: Final = ("fan", "fu", "limits")
"""The units that are told where a line counts in them."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A deal under several systems, in the order in which they were asked for."""

    columns: tuple[Column, ...]
    hands: tuple[HandRows, ...]

    def __str__(self) -> str:
        return "\n".join(
            f"{column.system.name}: {_totals(column.result) if column.result else column.error}"
            for column in self.columns
        )

    def to_json(self) -> dict[str, Any]:
        """The comparison as a JSON value."""
        return {
            "systems": [
                {
                    "ruleset": column.system.ruleset,
                    "changes": dict(column.system.changes),
                    "net": None if column.result is None else dict(column.result.net),
                    "error": None if column.error is None else column.error.to_json(),
                }
                for column in self.columns
            ],
            "players": [hand.to_json() for hand in self.hands],
        }


def _totals(result: DealResult) -> str:
    return ", ".join(f"{SEAT_NAMES[part.seat]} {part.total}" for part in result.players)


def alike(ruleset: str, changes: Mapping[str, ChangeValue] | None = None) -> tuple[str, ...]:
    """The rulesets whose hands are worth the same kind of thing as this one's: points, han, fan.

    >>> "western" in alike("ming-1876"), "western" in alike("hong-kong")
    (True, False)
    """
    unit = asks(load_ruleset(ruleset, changes)).unit
    return tuple(name for name in ruleset_ids() if asks(load_ruleset(name)).unit == unit)


def compare(deal: Deal, systems: Sequence[System]) -> Comparison:
    """One deal under several systems.

    >>> from scorer import Deal, Player, System, Win, compare
    >>> others = [Player(seat, claimed=0) for seat in "EWN"]
    >>> hand = Player("S", "22m 333m", "444p 555s 666s")
    >>> deal = Deal("bmja-u3a", (hand, *others), Win("S", "2m", "wall"))
    >>> print(compare(deal, [System("bmja-u3a"), System("ming-1876")]))
    bmja-u3a: South 64, East 0, West 0, North 0
    ming-1876: South 10, East 0, West 0, North 0

    A system under which the deal is impossible keeps its column, with the reason. What is said of
    the win and another system has no use for is left out in its column.

    Args:
        deal: the deal; its own ruleset and changes count only where a system names them.
        systems: at least one.
    """
    columns = tuple(_column(deal, system) for system in systems)
    return Comparison(columns, tuple(_hand(columns, seat) for seat in deal.seats))


def _column(deal: Deal, system: System) -> Column:
    try:
        with alone():
            result = score_deal(_under(deal, system))
    except DealError as error:
        return Column(system, None, error)
    return Column(system, result, None)


def _under(deal: Deal, system: System) -> Deal:
    """The deal by a system's rules, without what these have no use for."""
    other = replace(deal, ruleset=system.ruleset, changes=dict(system.changes))
    if deal.win is None or system.ruleset == deal.ruleset:
        return other
    known = {flag.id for flag in load_ruleset(system.ruleset, system.changes).flag}
    needless: dict[str, Any] = {
        flag: False for flag in (*WIN_FLAGS, *FURTHER_FLAGS) if flag not in known
    }
    return replace(other, win=replace(deal.win, **needless))


def _hand(columns: Sequence[Column], seat: str) -> HandRows:
    parts = tuple(column.part(seat) for column in columns)
    lines = [line for part in parts if part is not None for line in part.lines]
    rules = dict.fromkeys(line.rule for line in lines)
    return HandRows(seat, parts, tuple(_row(rule, parts) for rule in rules))


def _row(rule: str, parts: Sequence[PlayerResult | None]) -> Row:
    found = [_lines(rule, part) for part in parts]
    worths = tuple(_worth(lines) for lines in found)
    first = next(lines for lines in found if lines)
    scored = {worth for worth, part in zip(worths, parts, strict=True) if part is not None}
    words = dict.fromkeys(line.words for line in first)
    return Row(rule, tuple(words), worths, len(scored) > 1)


def _lines(rule: str, part: PlayerResult | None) -> list[Line]:
    return [] if part is None else [line for line in part.lines if line.rule == rule]


def _worth(lines: Sequence[Line]) -> Worth | None:
    if not lines:
        return None
    units = (each.name for each in fields(Worth))
    return Worth(*(sum(getattr(line, unit) or 0 for line in lines) for unit in units))
