"""The players of the club with their current and former names."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from flask_babel import gettext
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session, sessionmaker

from webapp.database.book import ErasureRow, FormerNameRow, SeatingRow
from webapp.database.deals import PersonRow
from webapp.database.ids import new_id
from webapp.games.club import NameRefused, clean_name, name_key


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the club; ``former`` are earlier names, each with the moment it was given up."""

    id: str
    name: str
    since: datetime
    former: tuple[tuple[str, datetime], ...] = ()


class People:
    """Reads and writes players in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessionmaker(engine, expire_on_commit=False)

    def all(self) -> list[Person]:
        """All players, sorted by name, without those who were erased."""
        gone = select(ErasureRow.person_id)
        query = select(PersonRow).where(PersonRow.id.not_in(gone)).order_by(PersonRow.key)
        with self._sessions() as session:
            return [_person(session, row) for row in session.scalars(query)]

    def person(self, person_id: str) -> Person | None:
        """The player with this id; None if there is none or the player was erased."""
        with self._sessions() as session:
            row = session.get(PersonRow, person_id)
            if row is None or session.get(ErasureRow, person_id) is not None:
                return None
            return _person(session, row)

    def named(self, name: str) -> Person | None:
        """The player with this name, however it is typed; None if there is none."""
        query = select(PersonRow.id).where(PersonRow.key == name_key(name))
        with self._sessions() as session:
            person_id = session.scalars(query).first()
        return None if person_id is None else self.person(person_id)

    def add(self, name: str) -> Person:
        """Add a player before the player's first evening.

        Raises:
            NameRefused: the name cannot be stored, or another player has it.
        """
        name = clean_name(name)
        with self._sessions.begin() as session:
            _refuse_taken(session, None, name)
            row = PersonRow(
                id=new_id(), name=name, key=name_key(name), created_at=datetime.now(UTC)
            )
            session.add(row)
            return _person(session, row)

    def rename(self, person_id: str, name: str) -> Person:
        """Give a player another name at all tables; the old name is kept with today's date.

        Raises:
            KeyError: there is no such player.
            NameRefused: the name cannot be stored, another player has it, or another player had it
                at a table where both sat.
        """
        name = clean_name(name)
        with self._sessions.begin() as session:
            row = must_have(session, person_id)
            if name == row.name:
                return _person(session, row)
            _refuse_taken(session, person_id, name)
            games = list(seats_of(session, person_id))
            _refuse_shared(session, person_id, games, name)
            session.add(FormerNameRow(person_id=person_id, name=row.name, until=datetime.now(UTC)))
            row.name, row.key = name, name_key(name)
            for game_id in games:
                if session.get(SeatingRow, (game_id, name)) is None:
                    session.add(SeatingRow(game_id=game_id, name=name, person_id=person_id))
            session.flush()
            return _person(session, row)


def _person(session: Session, row: PersonRow) -> Person:
    query = (
        select(FormerNameRow).where(FormerNameRow.person_id == row.id).order_by(FormerNameRow.until)
    )
    former = tuple((item.name, item.until.replace(tzinfo=UTC)) for item in session.scalars(query))
    return Person(row.id, row.name, row.created_at.replace(tzinfo=UTC), former)


def must_have(session: Session, person_id: str) -> PersonRow:
    """The row of a player.

    Raises:
        KeyError: there is no such player, or the player was erased.
    """
    row = session.get(PersonRow, person_id)
    if row is None or session.get(ErasureRow, person_id) is not None:
        raise KeyError(person_id)
    return row


def _refuse_taken(session: Session, person_id: str | None, name: str) -> None:
    other = session.scalars(select(PersonRow).where(PersonRow.key == name_key(name))).first()
    if other is not None and other.id != person_id:
        raise NameRefused(
            gettext(
                "There is a player called %(name)s already. Tell the two apart, for example by "
                "an initial.",
                name=other.name,
            )
        )


def _refuse_shared(session: Session, person_id: str, games: Collection[str], name: str) -> None:
    query = select(SeatingRow.game_id).where(
        SeatingRow.game_id.in_(games), SeatingRow.name == name, SeatingRow.person_id != person_id
    )
    if session.scalars(query).first() is not None:
        raise NameRefused(
            gettext(
                "Somebody else was called %(name)s at a table at which both played. Choose a name "
                "that was not used there.",
                name=name,
            )
        )


def seats_of(session: Session, person_id: str) -> dict[str, set[str]]:
    """The ids of a player's games, each with the names that mean the player there."""
    seats: dict[str, set[str]] = {}
    for row in session.scalars(select(SeatingRow).where(SeatingRow.person_id == person_id)):
        seats.setdefault(row.game_id, set()).add(row.name)
    return seats
