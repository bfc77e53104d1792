"""Who came to an evening, for which of its rounds, and how they checked in."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from flask_babel import gettext
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from webapp.database.base import Base
from webapp.database.sessions import sessions_on
from webapp.database.tables.book import DrawingRow, ErasureRow, SeatingRow
from webapp.database.tables.deals import GameRow, PersonRow, VisitRow, games_removed
from webapp.people.names import clean_name, joined_people, name_key, person_named, standing_for

MAX_ROUND: Final = 12
"""Greatest number of a round for which someone can come or after which someone can leave."""


class VisitRefused(ValueError):
    """It cannot be so; the message says why and what to do instead."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Someone who is here on an evening.

    Attributes:
        person: the player's id.
        name: the player's name.
        guest: whether it is a guest of the club.
        first: the round of the evening, from 1, for which the player comes; None from the start.
        last: the round after which the player leaves; None for anyone who stays to the end.
        phone: the phone that checked them in; None if it was done at the door or at a table.
        at: when they checked in.
    """

    person: str
    name: str
    guest: bool
    first: int | None
    last: int | None
    phone: str | None
    at: datetime

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Visit:
        """The visit of which :meth:`to_json` made this JSON value."""
        return cls(**told | {"at": datetime.fromisoformat(told["at"])})

    def to_json(self) -> dict[str, Any]:
        """The visit as a JSON value."""
        return asdict(self) | {"at": self.at.isoformat()}

    def plays(self, round_: int) -> bool:
        """Whether the player is here in this round of the evening, counted from 1."""
        return (self.first or 1) <= round_ and not self.gone(round_)

    def gone(self, round_: int) -> bool:
        """Whether the player has left before this round of the evening."""
        return self.last is not None and self.last < round_


class Visits:
    """Reads and writes visits in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def here(self, evening_id: str) -> list[Visit]:
        """Those who are here, in the order in which they checked in."""
        with self._sessions() as session:
            return visits_of(session, evening_id)

    def members(self) -> dict[str, str]:
        """The names of the members of the club, by their ids."""
        with self._sessions() as session:
            rows = session.scalars(select(PersonRow).where(PersonRow.guest.is_(False)))
            gone = {*session.scalars(select(ErasureRow.person_id)), *joined_people(session)}
            return {row.id: row.name for row in rows if row.id not in gone}

    def knows(self, name: str) -> bool:
        """Whether anybody has or had this name, however it is typed."""
        with self._sessions() as session:
            query = select(PersonRow.id).where(PersonRow.key == name_key(name))
            return session.scalars(query).first() is not None

    def enter(self, evening_id: str, person_id: str, phone: str | None = None) -> Visit:
        """Someone who is known is here; nothing changes for anyone who was here already.

        Raises:
            KeyError: there is no such player.
        """
        with self._sessions.begin() as session:
            return _enter(session, evening_id, _person(session, person_id), phone)

    def enter_named(self, evening_id: str, name: str, phone: str | None = None) -> Visit:
        """Someone with this name is here; anyone who is not known becomes a guest.

        Raises:
            NameRefused: the name cannot be stored.
        """
        name = clean_name(name)
        with self._sessions.begin() as session:
            known = select(PersonRow.id).where(PersonRow.key == name_key(name))
            new = session.scalars(known).first() is None
            person = person_named(session, name)
            person.guest = person.guest or new
            return _enter(session, evening_id, person, phone)

    def put_back(self, evening_id: str, visit: Visit) -> None:
        """Let someone be here again just as they were.

        Raises:
            NameRefused: the name has become one that cannot be stored.
        """
        with self._sessions.begin() as session:
            person = session.get(PersonRow, visit.person)
            if person is None:
                person = person_named(session, visit.name)
                person.guest = visit.guest
            _enter(session, evening_id, person, visit.phone)
            row = session.get_one(VisitRow, (evening_id, person.id))
            row.first_round, row.last_round = visit.first, visit.last

    def leave(self, evening_id: str, person_id: str) -> Visit | None:
        """Someone is not here after all; None if they were not.

        A guest of whom nothing else is known is forgotten.

        Raises:
            VisitRefused: they have a seat at a table of the evening.
        """
        with self._sessions.begin() as session:
            row = session.get(VisitRow, (evening_id, person_id))
            if row is None:
                return None
            person = session.get_one(PersonRow, person_id)
            left = _visit(row, person)
            _refuse_seated(session, evening_id, person)
            session.delete(row)
            session.flush()
            if person.guest and not _needed(session, evening_id, person_id):
                session.delete(person)
            return left

    def come_back(self, evening_id: str, person_id: str, round_: int) -> bool:
        """Anyone who has left before this round stays from now on; whether that was someone."""
        with self._sessions.begin() as session:
            row = session.get(VisitRow, (evening_id, person_id))
            gone = row is not None and row.last_round is not None and row.last_round < round_
            if row is not None and gone:
                row.last_round = None
            return gone

    def plan(
        self, evening_id: str, person_id: str, first: int | None, last: int | None, *, guest: bool
    ) -> None:
        """Say for which rounds someone is here, and whether as a guest; nothing if they are not.

        Raises:
            VisitRefused: they would leave before they come.
        """
        if last is not None and last < (first or 1):
            raise VisitRefused(
                gettext("They cannot leave before they arrive. Choose other rounds.")
            )
        with self._sessions.begin() as session:
            row = session.get(VisitRow, (evening_id, person_id))
            if row is not None:
                row.first_round, row.last_round = None if first == 1 else first, last
                session.get_one(PersonRow, person_id).guest = guest


def visits_of(session: Session, evening_id: str) -> list[Visit]:
    """Those who are here on an evening, in the order in which they checked in."""
    query = (
        select(VisitRow, PersonRow)
        .join(PersonRow, PersonRow.id == VisitRow.person_id)
        .where(VisitRow.evening_id == evening_id)
        .order_by(VisitRow.created_at, PersonRow.key)
    )
    hidden = joined_people(session)
    rows = [(row, person) for row, person in session.execute(query) if person.id not in hidden]
    return [_visit(row, person) for row, person in rows]


def _visit(row: VisitRow, person: PersonRow) -> Visit:
    at = row.created_at.replace(tzinfo=UTC)
    guest, rounds = person.guest, (row.first_round, row.last_round)
    return Visit(person.id, person.name, guest, *rounds, row.phone, at)


def _person(session: Session, person_id: str) -> PersonRow:
    row = session.get(PersonRow, standing_for(session, person_id))
    if row is None or session.get(ErasureRow, row.id) is not None:
        raise KeyError(person_id)
    return row


def _enter(session: Session, evening_id: str, person: PersonRow, phone: str | None) -> Visit:
    row = session.get(VisitRow, (evening_id, person.id))
    if row is None:
        now = datetime.now(UTC)
        row = VisitRow(evening_id=evening_id, person_id=person.id, created_at=now, phone=phone)
        session.add(row)
        session.flush()
    return _visit(row, person)


def _refuse_seated(session: Session, evening_id: str, person: PersonRow) -> None:
    query = (
        select(GameRow.number)
        .join(SeatingRow, SeatingRow.game_id == GameRow.id)
        .where(
            GameRow.evening_id == evening_id,
            SeatingRow.person_id == person.id,
            GameRow.id.not_in(games_removed()),
        )
    )
    table = session.scalars(query).first()
    if table is not None:
        raise VisitRefused(
            gettext(
                "%(name)s has a seat at table %(table)s. Choose the round after which they leave.",
                name=person.name,
                table=table,
            )
        )


def _needed(session: Session, evening_id: str, person_id: str) -> bool:
    """Whether a row of any table speaks of a person, or a drawing of the evening may."""
    drawn = select(DrawingRow.id).where(DrawingRow.evening_id == evening_id)
    people = Base.metadata.tables[PersonRow.__tablename__].c.id
    named = [
        select(column).where(column == person_id)
        for table in Base.metadata.sorted_tables
        for column in table.c
        if column.references(people)
    ]
    return any(session.execute(query.limit(1)).first() for query in (drawn, *named))
