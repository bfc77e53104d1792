"""Reads and writes what the club has decided, and keeps who decided it and what held before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeVar

from sqlalchemy import Engine, Select, func, select
from sqlalchemy.orm import Session

from webapp.club_settings.groups import GROUPS, Group
from webapp.database.sessions import sessions_on
from webapp.database.tables.book import ClubSettingRow, DecisionRow

G = TypeVar("G", bound=Group)

MAX_LISTED: Final = 30
"""Maximum number of decisions that are listed, the latest first."""

_OF: Final = ":"
"""What goes between the key of a group and the id of a season."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One change of what the club has decided.

    Attributes:
        number: its number.
        season: the id of the season for which it was decided; None for all that have no own.
        was: what held before.
        now: what was decided.
        who: the account under which it was decided, if any.
        at: when it was decided.
        holds: whether it is the latest of its group, so that it can be taken back.
    """

    number: int
    season: str | None
    was: Group
    now: Group
    who: str | None
    at: datetime
    holds: bool


class Decisions:
    """Reads and writes in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def of(self, group: type[G], season: str | None = None) -> G:
        """What the club has decided; the group's empty form if it has decided nothing.

        Args:
            group: what is asked for.
            season: the id of a season for which alone it was decided.
        """
        with self._sessions() as session:
            return group.from_told(ClubSettingRow.told(session, _key(group.KEY, season)))

    def decide(self, group: Group, season: str | None = None) -> None:
        """Let this hold from now on, or in one season; what holds already makes no entry."""
        key = _key(group.KEY, season)
        with self._sessions.begin() as session:
            was = ClubSettingRow.told(session, key)
            if type(group).from_told(was) != group:
                _enter(session, key, was, group.told())

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
            rows = list(session.scalars(query))
        told = (_decision(row, holds=row.id in latest) for row in rows)
        return [decision for decision in told if decision is not None]


def _decision(row: DecisionRow, *, holds: bool) -> Decision | None:
    """A decision as it is kept; None for one about a group that is not known here."""
    key, _, season = row.key.partition(_OF)
    group = GROUPS.get(key)
    if group is None:
        return None
    was, now = group.from_told(row.was), group.from_told(row.now)
    return Decision(row.id, season or None, was, now, row.who, row.at.replace(tzinfo=UTC), holds)


def _key(key: str, season: str | None) -> str:
    return key if season is None else f"{key}{_OF}{season}"


def _latest() -> Select[int]:
    """The numbers of the latest decision of each group."""
    return select(func.max(DecisionRow.id)).group_by(DecisionRow.key)


def _enter(session: Session, key: str, was: object, now: object) -> None:
    ClubSettingRow.decide(session, key, now)
    session.add(DecisionRow(key=key, was=was, now=now, at=datetime.now(UTC)))
