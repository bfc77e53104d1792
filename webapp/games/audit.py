"""Everything that was entered at a table, its hands and the disputes about them, in one list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from flask_babel import gettext

from webapp.games.disputes import Dispute, Disputes, Step
from webapp.games.store import GameStore, StoredGame
from webapp.language.translation import rule_words


@dataclass(frozen=True, slots=True)
class TableDispute:
    """A dispute of a table, with the number that the hand it is about has now."""

    hand: int
    dispute: Dispute


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One line of what happened at a table.

    Attributes:
        at: when.
        what: in words.
        who: the account under which it was entered, if any.
        note: what somebody said about it.
        dispute: the id of the dispute that it belongs to, if it does.
    """

    at: datetime
    what: str
    who: str | None
    note: str = ""
    dispute: str | None = None


def table_disputes(disputes: Disputes, stored: StoredGame) -> list[TableDispute]:
    """All disputes of a table, the first one first."""
    deals = stored.book.deals
    return [
        TableDispute(
            deals.index(dispute.deal_id) + 1 if dispute.deal_id in deals else hand, dispute
        )
        for hand, dispute in disputes.of_game(stored.id)
    ]


def audit_trail(games: GameStore, disputes: Disputes, stored: StoredGame) -> list[AuditLine]:
    """Every entry at a table and every step of its disputes, the latest first."""
    lines = [AuditLine(it.at, it.what, it.who) for it in reversed(games.history(stored.id))]
    for found in table_disputes(disputes, stored):
        lines += [_line(found.hand, found.dispute.id, step) for step in found.dispute.steps]
    return sorted(lines, key=lambda line: line.at)[::-1]


def _line(hand: int, dispute: str, step: Step) -> AuditLine:
    return AuditLine(step.at, step_words(hand, step), step.account, step.text, dispute)


def step_words(hand: int, step: Step) -> str:
    """A step of a dispute about a hand as the list of entries tells it."""
    names = {"number": hand, "who": rule_words(step.who)}
    words: dict[str, str] = {
        "opened": gettext("Hand %(number)s disputed by %(who)s", **names),
        "correcting": gettext("Hand %(number)s is to be corrected, says %(who)s", **names),
        "stands": gettext("Dispute about hand %(number)s: it stands, says %(who)s", **names),
        "corrected": gettext("Dispute about hand %(number)s: corrected (%(who)s)", **names),
    }
    return words[step.kind]
