"""Points of players of which the book has no hands: balances of seasons, results of evenings.

They come in together, typed, from the end of another season or from a file, and what came in
together can be taken back together. Of the balances with which a player begins a season the last
counts; the results of evenings add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from sqlalchemy import ColumnElement, Engine, and_, delete, false, func, or_, select
from sqlalchemy.orm import Session

from webapp.book.seasons import Season, Span
from webapp.database.author import author
from webapp.database.base import Base
from webapp.database.ids import new_id
from webapp.database.sessions import sessions_on
from webapp.database.tables.book import (
    BalanceRow,
    BroughtInRow,
    ClubSettingRow,
    ContestRow,
    DrawingRow,
    ErasureRow,
)
from webapp.database.tables.deals import PersonRow
from webapp.people.names import joined_people

MAX_POINTS: Final = 10_000_000
"""Maximum number of points of a balance, of either sign; a large club moves a million in a year."""

MAX_LISTED: Final = 50
"""Maximum number of times that something was brought in which are listed."""


@dataclass(frozen=True, slots=True)
class Balance:
    """Points of one player from elsewhere.

    Attributes:
        brought_for: the player for whom they came in, who may have been joined to another since.
        points: won or lost.
        kind: how they came in: ``typed``, ``season`` or ``file``.
        source: the name of the season or the file they came from; empty if they were typed.
        at: when they came in.
        day: the day of the evening; None for what a season begins with.
        played: number of hands played, if it was told.
        won: number of hands won, if it was told.
        note: the table and the rules, if they were told.
    """

    brought_for: str
    points: int
    kind: str
    source: str
    at: datetime
    day: date | None = None
    played: int | None = None
    won: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """What came in together, and whether it was taken back; ``rows`` counts its balances."""

    id: str
    kind: str
    source: str
    who: str | None
    at: datetime
    rows: int
    people: int
    undone_at: datetime | None


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC)


def balances_of(session: Session, span: Span) -> dict[str, tuple[Balance, ...]]:
    """The balances that count in a span by the ids of the players, what a season begins with first.

    Those of who was joined to another are that one's; those of erased players are left out.
    """
    opening = BalanceRow.season_id == span.season if span.season else false()
    days: list[ColumnElement[bool]] = [BalanceRow.day.is_not(None)]
    days += [BalanceRow.day >= span.first] if span.first else []
    days += [BalanceRow.day <= span.last] if span.last else []
    query = (
        select(BalanceRow, BroughtInRow)
        .join(BroughtInRow, BroughtInRow.id == BalanceRow.brought_in_id)
        .where(or_(opening, and_(*days)))
        .order_by(BalanceRow.id)
    )
    last: dict[tuple[str, int], Balance] = {}
    for row, origin in session.execute(query):
        told = Balance(
            row.person_id, row.points, origin.kind, origin.name, _utc(origin.at),
            row.day, row.played, row.won, row.note,
        )  # fmt: skip
        last[row.person_id, 0 if row.day is None else row.id] = told
    return _by_person(session, last.values())


def _by_person(session: Session, told: Iterable[Balance]) -> dict[str, tuple[Balance, ...]]:
    joined, gone = joined_people(session), set(session.scalars(select(ErasureRow.person_id)))
    found: dict[str, tuple[Balance, ...]] = {}
    for balance in sorted(told, key=lambda it: (it.day is not None, it.day or date.min, it.at)):
        stays = balance.brought_for
        while stays in joined:
            stays = joined[stays]
        if stays not in gone and (balance.points or balance.day):
            found[stays] = (*found.get(stays, ()), balance)
    return found


def _opening(session: Session, season: Season) -> dict[str, tuple[Balance, ...]]:
    found = balances_of(session, season.span)
    opening = {who: tuple(b for b in told if b.day is None) for who, told in found.items()}
    return {who: told for who, told in opening.items() if told}


def open_season(
    session: Session, origin: BroughtInRow, season: Season, totals: Mapping[str, int]
) -> None:
    """Let players begin a season with these points in all, by the players' ids.

    What was brought in for someone who was joined to a player since then stays that one's.
    """
    before = _opening(session, season)
    for who, points in totals.items():
        others = [b.points for b in before.get(who, ()) if b.brought_for != who]
        session.add(
            BalanceRow(
                brought_in_id=origin.id, person_id=who, season_id=season.id, note="",
                points=points - sum(others),
            )
        )  # fmt: skip


def bring_in(session: Session, kind: str, name: str, digest: str | None = None) -> BroughtInRow:
    """A new row under which balances and players can be stored."""
    row = BroughtInRow(
        id=new_id(), kind=kind, name=name[:80], digest=digest,
        made={"people": [], "numbers": {}}, at=datetime.now(UTC),
    )  # fmt: skip
    session.add(row)
    session.flush()
    return row


class Balances:
    """Reads and writes balances in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def opening(self, season: Season) -> dict[str, tuple[Balance, ...]]:
        """What each player begins a season with, by the players' ids."""
        with self._sessions() as session:
            return _opening(session, season)

    def keep(self, season: Season, person_id: str, points: int) -> None:
        """Let a player begin a season with these points in all."""
        with self._sessions.begin() as session:
            open_season(session, bring_in(session, "typed", ""), season, {person_id: points})

    def take_over(self, season: Season, other: Season, totals: Mapping[str, int]) -> None:
        """Let the players begin a season with what they had at the end of another one.

        Args:
            season: the season that begins.
            other: the season that ended.
            totals: the points of each player at its end, by the players' ids.
        """
        with self._sessions.begin() as session:
            open_season(session, bring_in(session, "season", other.name), season, totals)

    def brought_in(self) -> list[BroughtIn]:
        """What was brought in, latest first."""
        count = select(func.count(BalanceRow.id)).where(BalanceRow.brought_in_id == BroughtInRow.id)
        query = select(BroughtInRow, count.scalar_subquery())
        query = query.order_by(BroughtInRow.at.desc()).limit(MAX_LISTED)
        with self._sessions() as session:
            return [
                BroughtIn(
                    row.id, row.kind, row.name, row.who, _utc(row.at), rows,
                    len(row.made["people"]), None if row.undone_at is None else _utc(row.undone_at),
                )
                for row, rows in session.execute(query)
            ]  # fmt: skip

    def seasons(self, brought_in_id: str) -> list[str]:
        """The ids of the seasons that begin with something that was brought in together."""
        query = select(BalanceRow.season_id).where(BalanceRow.brought_in_id == brought_in_id)
        with self._sessions() as session:
            return [season for season in session.scalars(query.distinct()) if season]

    def days(self) -> list[tuple[date, int]]:
        """The days with results of evenings, latest first, each with its number of players."""
        query = (
            select(BalanceRow.day, func.count(BalanceRow.person_id.distinct()))
            .where(BalanceRow.day.is_not(None))
            .group_by(BalanceRow.day)
            .order_by(BalanceRow.day.desc())
        )
        with self._sessions() as session:
            return [(day, players) for day, players in session.execute(query) if day is not None]

    def of_day(self, day: date) -> dict[str, tuple[Balance, ...]]:
        """The results of a day by the ids of the players, the best first."""
        with self._sessions() as session:
            found = balances_of(session, Span(day, day))
        return dict(sorted(found.items(), key=lambda it: -sum(b.points for b in it[1])))

    def undo(self, brought_in_id: str) -> tuple[int, int]:
        """Take back what was brought in together; nothing happens if it was taken back before.

        Returns:
            How many players went with it, and how many stay because they have played meanwhile.

        Raises:
            KeyError: there is nothing with this id.
        """
        with self._sessions.begin() as session:
            row = session.get(BroughtInRow, brought_in_id)
            if row is None:
                raise KeyError(brought_in_id)
            if row.undone_at is not None:
                return 0, 0
            session.execute(delete(BalanceRow).where(BalanceRow.brought_in_id == row.id))
            for person_id, number in row.made["numbers"].items():
                person = session.get(PersonRow, person_id)
                if person is not None and person.member == number:
                    person.member = None
            added = row.made["people"]
            idle = _idle(session, added)
            session.execute(delete(PersonRow).where(PersonRow.id.in_(idle)))
            row.made = {"people": [], "numbers": {}}
            row.undone_at, row.undone_by = datetime.now(UTC), author()
            return len(idle), len(added) - len(idle)


def _idle(session: Session, people: list[str]) -> list[str]:
    """Those of these players about whom there is nothing else in the book."""
    known: set[str] = set()
    for table in Base.metadata.sorted_tables:
        for column in table.c:
            if any(key.column is PersonRow.__table__.c.id for key in column.foreign_keys):
                known |= set(session.scalars(select(column).where(column.in_(people))))
    told = " ".join(
        str(value)
        for column in (ContestRow.told, ClubSettingRow.value, DrawingRow.drawn)
        for value in session.scalars(select(column))
    )
    return [person_id for person_id in people if person_id not in known and person_id not in told]
