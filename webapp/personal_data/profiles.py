"""The players of the club with their current and former names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from flask_babel import gettext
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from webapp.database.ids import new_id
from webapp.database.sessions import sessions_on
from webapp.database.tables.book import ErasureRow, FormerNameRow, SeatingRow
from webapp.database.tables.deals import PersonRow
from webapp.people.members import give_number, numbers
from webapp.people.names import NameRefused, clean_name, joined_people, name_key
from webapp.personal_data.joining import (
    JoinEntry,
    join,
    joins_of,
    must_have,
    refuse_shared,
    seats_of,
    split,
)


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the club.

    Attributes:
        id: the player's id.
        name: the name now.
        since: when the player was added.
        former: earlier names, each with the moment it was given up.
        joins: the entries that joined others to this player, and split them again.
        members: the member number, if any, and those of the player who was joined to this player.
    """

    id: str
    name: str
    since: datetime
    former: tuple[tuple[str, datetime], ...] = ()
    joins: tuple[JoinEntry, ...] = ()
    members: tuple[str, ...] = ()

    @property
    def member(self) -> str:
        """The member number that counts; empty if there is none."""
        return self.members[0] if self.members else ""

    @property
    def names(self) -> tuple[str, ...]:
        """All names under which the player is known: now, earlier, and of those joined."""
        joined = (join.other for join in self.joins if join.stands)
        return (self.name, *(name for name, _ in self.former), *joined)


class People:
    """Reads and writes players in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def all(self) -> list[Person]:
        """All players, sorted by name, without those who were erased or joined to another."""
        with self._sessions() as session:
            return everybody(session)

    def person(self, person_id: str) -> Person | None:
        """The player with this id, or the one to whom that one was joined.

        None if there is none or the player was erased.
        """
        with self._sessions() as session:
            try:
                return _person(session, must_have(session, person_id))
            except KeyError:
                return None

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
            refuse_shared(session, person_id, games, name)
            session.add(FormerNameRow(person_id=person_id, name=row.name, until=datetime.now(UTC)))
            row.name, row.key = name, name_key(name)
            for game_id in games:
                if session.get(SeatingRow, (game_id, name)) is None:
                    session.add(SeatingRow(game_id=game_id, name=name, person_id=person_id))
            session.flush()
            return _person(session, row)

    def give_number(self, person_id: str, text: str) -> Person:
        """Give a player a member number, or none if nothing was typed.

        Raises:
            KeyError: there is no such player.
            NameRefused: it cannot be stored, or another player has it.
        """
        with self._sessions.begin() as session:
            row = must_have(session, person_id)
            give_number(session, row, text)
            session.flush()
            return _person(session, row)

    def numbers(self) -> dict[str, str]:
        """The member numbers of the players who have one, by their names."""
        return {person.name: person.member for person in self.all() if person.members}

    def join(self, person_id: str, other_id: str) -> None:
        """Show everything of another player as this one's, until the two are split again.

        Args:
            person_id: the player who stays.
            other_id: the player who is shown under that one's name from now on.

        Raises:
            KeyError: there is no such player.
            NameRefused: the two cannot be one person, because both sat at a table.
        """
        with self._sessions.begin() as session:
            join(session, must_have(session, person_id), must_have(session, other_id))

    def split(self, person_id: str, other_id: str) -> None:
        """Make two of players who were joined: each has again what was moved then.

        Raises:
            KeyError: there is no such player.
        """
        with self._sessions.begin() as session:
            split(session, must_have(session, person_id), other_id)


def everybody(session: Session) -> list[Person]:
    """All players, sorted by name, without those who were erased or joined to another."""
    gone = {*session.scalars(select(ErasureRow.person_id)), *joined_people(session)}
    query = select(PersonRow).where(PersonRow.id.not_in(gone)).order_by(PersonRow.key)
    told = numbers(session)
    return [_person(session, row, told) for row in session.scalars(query)]


def _person(
    session: Session, row: PersonRow, told: Mapping[str, tuple[str, ...]] | None = None
) -> Person:
    """The player of a row; ``told`` are the member numbers of all, where they are known already."""
    query = (
        select(FormerNameRow).where(FormerNameRow.person_id == row.id).order_by(FormerNameRow.until)
    )
    former = tuple((item.name, item.until.replace(tzinfo=UTC)) for item in session.scalars(query))
    joins = joins_of(session, row.id)
    since, members = (
        row.created_at.replace(tzinfo=UTC),
        (numbers(session) if told is None else told).get(row.id, ()),
    )
    return Person(row.id, row.name, since, former, joins, members)


def _refuse_taken(session: Session, person_id: str | None, name: str) -> None:
    other = session.scalars(select(PersonRow).where(PersonRow.key == name_key(name))).first()
    if other is not None and other.id != person_id:
        raise NameRefused(
            gettext(
                "There is already a player called %(name)s. Add an initial to tell them apart, "
                "or join them if they are the same person.",
                name=other.name,
            )
        )
