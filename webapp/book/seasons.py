"""The seasons of the club, each with a name, a first and a last day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from flask_babel import gettext
from sqlalchemy import Engine, delete, select
from sqlalchemy.orm import Session

from webapp.database.ids import new_id
from webapp.database.sessions import once_a_page, sessions_on
from webapp.database.tables.book import BalanceRow, SeasonRow

MAX_NAME: Final = 40
"""Maximum number of characters of a season's name."""


class SeasonRefused(ValueError):
    """The season cannot be stored; the message says why."""


@dataclass(frozen=True, slots=True)
class Span:
    """The evenings from ``first`` to ``last``, both included; None leaves an end open.

    ``season`` is the id of the season whose opening balances count too, if it is one.
    """

    first: date | None = None
    last: date | None = None
    season: str | None = None

    def holds(self, day: date) -> bool:
        """Whether this day belongs to the span."""
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True)
class Season:
    """A season: all evenings from ``first_day`` to ``last_day``, both included."""

    id: str
    name: str
    first_day: date
    last_day: date

    @property
    def span(self) -> Span:
        """Its days, with its opening balances."""
        return Span(self.first_day, self.last_day, self.id)


class Seasons:
    """Reads and writes seasons in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def all(self) -> list[Season]:
        """All seasons, latest first."""
        with self._sessions() as session:
            return [*once_a_page(session, "seasons", lambda: _read(session))]

    def season(self, season_id: str) -> Season | None:
        """The season with this id; None if there is none."""
        with self._sessions() as session:
            row = session.get(SeasonRow, season_id)
            return None if row is None else _season(row)

    def of_day(self, day: date) -> Season | None:
        """The season to which this day belongs; None if it belongs to none."""
        return next((s for s in self.all() if s.first_day <= day <= s.last_day), None)

    def keep(self, season_id: str | None, name: str, first_day: date, last_day: date) -> Season:
        """Add a season, or change the one with this id.

        Raises:
            KeyError: there is no season with this id.
            SeasonRefused: it has no name, ends before it begins, or overlaps another season.
        """
        name = " ".join(name.split())
        if not name or len(name) > MAX_NAME or not name.isprintable():
            text = gettext("The name of a season has 1 to %(most)s letters.", most=MAX_NAME)
            raise SeasonRefused(text)
        if last_day < first_day:
            raise SeasonRefused(
                gettext("The season ends before it starts. Change one of the days.")
            )
        with self._sessions.begin() as session:
            _refuse_overlap(session, season_id, first_day, last_day)
            row = SeasonRow(id=new_id(), created_at=datetime.now(UTC))
            if season_id is not None:
                row = _must_have(session, season_id)
            row.name, row.first_day, row.last_day = name, first_day, last_day
            session.add(row)
            return _season(row)

    def remove(self, season_id: str) -> None:
        """Remove a season; its evenings stay.

        Raises:
            KeyError: there is no season with this id.
            SeasonRefused: it begins with balances, which would be lost.
        """
        query = select(BalanceRow.id).where(
            BalanceRow.season_id == season_id, BalanceRow.points != 0
        )
        with self._sessions.begin() as session:
            row = _must_have(session, season_id)
            if session.scalars(query.limit(1)).first() is not None:
                raise SeasonRefused(
                    gettext(
                        "“%(name)s” has opening points, which would be lost. Undo those first.",
                        name=row.name,
                    )
                )
            session.execute(delete(BalanceRow).where(BalanceRow.season_id == season_id))
            session.delete(row)


def _read(session: Session) -> tuple[Season, ...]:
    query = select(SeasonRow).order_by(SeasonRow.first_day.desc())
    return tuple(_season(row) for row in session.scalars(query))


def _must_have(session: Session, season_id: str) -> SeasonRow:
    row = session.get(SeasonRow, season_id)
    if row is None:
        raise KeyError(season_id)
    return row


def _refuse_overlap(
    session: Session, season_id: str | None, first_day: date, last_day: date
) -> None:
    query = select(SeasonRow).where(
        SeasonRow.first_day <= last_day, SeasonRow.last_day >= first_day
    )
    for other in session.scalars(query):
        if other.id != season_id:
            raise SeasonRefused(
                gettext(
                    "These days overlap the season “%(name)s” (%(first)s to %(last)s). An evening "
                    "can only belong to one season.",
                    name=other.name,
                    first=other.first_day.isoformat(),
                    last=other.last_day.isoformat(),
                )
            )


def _season(row: SeasonRow) -> Season:
    return Season(row.id, row.name, row.first_day, row.last_day)
