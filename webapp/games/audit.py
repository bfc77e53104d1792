"""The list of everything entered at a table: the game, its hands and the disputes about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from flask_babel import gettext
from sqlalchemy import Engine, select

from webapp.database.examination import TABLES, damaged
from webapp.database.tables.deals import GameDealRow
from webapp.games.disputes import Dispute, Disputes, Step
from webapp.games.removals import Change
from webapp.games.store import GameStore, StoredGame
from webapp.language.translation import translated


@dataclass(frozen=True, slots=True)
class TableDispute:
    """A dispute about a hand of a table, with the number that this hand has now."""

    hand: int
    dispute: Dispute


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One entry at a table or one step of a dispute.

    Attributes:
        at: when it was made.
        what: what was done, in words.
        who: the account under which it was entered, if any.
        note: a remark that someone wrote with it.
        dispute: the id of the dispute that it belongs to, if any.
    """

    at: datetime
    what: str
    who: str | None
    note: str = ""
    dispute: str | None = None


def table_disputes(disputes: Disputes, stored: StoredGame) -> list[TableDispute]:
    """All disputes of a table, oldest first."""
    deals = stored.book.deals
    return [
        TableDispute(
            deals.index(dispute.deal_id) + 1 if dispute.deal_id in deals else hand, dispute
        )
        for hand, dispute in disputes.of_game(stored.id)
    ]


def audit_trail(
    games: GameStore, disputes: Disputes, changes: Sequence[Change], stored: StoredGame
) -> list[AuditLine]:
    """All entries at a table, its removals and all steps of its disputes, latest first."""
    lines = [AuditLine(it.at, it.what, it.who) for it in reversed(games.history(stored.id))]
    lines += [AuditLine(it.at, it.what, it.who) for it in reversed(changes)]
    for found in table_disputes(disputes, stored):
        lines += [_line(found.hand, found.dispute.id, step) for step in found.dispute.steps]
    return sorted(lines, key=lambda line: line.at)[::-1]


def damaged_entries(engine: Engine, game_id: str) -> int:
    """How many entries of a game, its deals and its disputes are not as they were entered."""
    deals = select(GameDealRow.deal_id).where(GameDealRow.game_id == game_id)
    with engine.connect() as connection:
        return sum(
            damaged(
                connection,
                table,
                table.c.game_id == game_id if "game_id" in table.c else table.c.deal_id.in_(deals),
            )
            for table in TABLES
            if {"game_id", "deal_id"} & set(table.c.keys())
        )


def _line(hand: int, dispute: str, step: Step) -> AuditLine:
    return AuditLine(step.at, step_words(hand, step), step.account, step.text, dispute)


def step_words(hand: int, step: Step) -> str:
    """A step of a dispute about a hand in the words of the list of entries."""
    names = {"number": hand, "who": translated(step.who)}
    words: dict[str, str] = {
        "opened": gettext("Hand %(number)s disputed by %(who)s", **names),
        "correcting": gettext("Hand %(number)s needs correcting, says %(who)s", **names),
        "stands": gettext(
            "Dispute about hand %(number)s: the score is right, says %(who)s", **names
        ),
        "corrected": gettext("Dispute about hand %(number)s: corrected (%(who)s)", **names),
    }
    return words[step.kind]
