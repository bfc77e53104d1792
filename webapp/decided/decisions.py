"""Reads and writes what the club has decided, and keeps who decided it and what held before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeVar

from sqlalchemy import Engine, Select, func, select
from sqlalchemy.orm import Session, sessionmaker

from webapp.clock import steady_now
from webapp.database.book import ClubSettingRow, DecisionRow
from webapp.decided.groups import GROUPS, Group

G = TypeVar("G", bound=Group)

MAX_LISTED: Final = 30
"""Maximum number of decisions that are listed, the latest first."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One change of what the club has decided.

    Attributes:
        number: its number.
        was: what held before.
        now: what was decided.
        who: the account under which it was decided, if any.
        at: when it was decided.
        holds: whether it is the latest of its group, so that it can be taken back.
    """

    number: int
    was: Group
    now: Group
    who: str | None
    at: datetime
    holds: bool


class Decisions:
    """Reads and writes in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessionmaker(engine, expire_on_commit=False)

    def of(self, group: type[G]) -> G:
        """What the club has decided; the group's empty form if it has decided nothing."""
        with self._sessions() as session:
            return group.from_told(ClubSettingRow.told(session, group.KEY))

    def decide(self, group: Group) -> None:
        """Let this hold from now on; what holds already makes no entry."""
        with self._sessions.begin() as session:
            was = ClubSettingRow.told(session, group.KEY)
            if type(group).from_told(was) != group:
                _enter(session, group.KEY, was, group.told())

    def take_back(self, number: int) -> bool:
        """Let hold again what held before a decision; False if a later one was made meanwhile."""
        with self._sessions.begin() as session:
            row = session.get(DecisionRow, number)
            if row is None or row.id not in session.scalars(_latest()).all():
                return False
            _enter(session, row.key, row.now, row.was)
            return True

    def all(self) -> list[Decision]:
        """The latest decisions, the latest first."""
        query = select(DecisionRow).order_by(DecisionRow.id.desc()).limit(MAX_LISTED)
        with self._sessions() as session:
            latest = set(session.scalars(_latest()))
            rows = [row for row in session.scalars(query) if row.key in GROUPS]
        return [
            Decision(
                row.id,
                GROUPS[row.key].from_told(row.was),
                GROUPS[row.key].from_told(row.now),
                row.who,
                row.at.replace(tzinfo=UTC),
                row.id in latest,
            )
            for row in rows
        ]


def _latest() -> Select[int]:
    """The numbers of the latest decision of each group."""
    return select(func.max(DecisionRow.id)).group_by(DecisionRow.key)


def _enter(session: Session, key: str, was: object, now: object) -> None:
    ClubSettingRow.decide(session, key, now)
    session.add(DecisionRow(key=key, was=was, now=now, at=steady_now()))
