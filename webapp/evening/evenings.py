"""The evenings of the club, and the players who came to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from flask_babel import gettext
from sqlalchemy import Engine, Select, and_, func, select

from webapp.database.ids import new_id
from webapp.database.sessions import sessions_on
from webapp.database.tables.book import ErasureRow
from webapp.database.tables.deals import (
    EveningRow,
    GameRow,
    PersonRow,
    VisitRow,
    games_removed,
    removed,
)
from webapp.people.names import (
    NameRefused,
    clean_name,
    joined_people,
    name_key,
    person_named,
    standing_for,
)

MAX_PLACE: Final = 60
"""Maximum number of characters of the place of an evening."""

MAX_EVENINGS: Final = 200
"""Maximum number of evenings that are listed at once."""


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening on which the club plays; ``tables`` is the number of games opened on it."""

    id: str
    day: date
    place: str
    tables: int


def clean_place(text: str) -> str:
    """The place as it is stored; it may be empty.

    Raises:
        NameRefused: the place is too long or has characters that cannot be shown.
    """
    place = " ".join(text.split())
    if len(place) > MAX_PLACE or not place.isprintable():
        raise NameRefused(
            gettext(
                "Enter a venue of %(max_place)s letters or fewer.",
                max_place=MAX_PLACE,
            )
        )
    return place


def today() -> date:
    """Today's date by this computer's clock."""
    return datetime.now().astimezone().date()


class Club:
    """Reads and adds players and evenings in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def people(self) -> list[str]:
        """The names of all players of the club, in alphabetical order."""
        with self._sessions() as session:
            gone = {*session.scalars(select(ErasureRow.person_id)), *joined_people(session)}
            query = select(PersonRow.name).where(PersonRow.id.not_in(gone)).order_by(PersonRow.key)
            return list(session.scalars(query))

    def spelled(self, name: str) -> str:
        """A name as the club has it, or as it would be stored.

        Raises:
            NameRefused: the name cannot be stored.
        """
        cleaned = clean_name(name)
        query = select(PersonRow.id).where(PersonRow.key == name_key(cleaned))
        with self._sessions() as session:
            known = session.scalars(query).first()
            if known is None:
                return cleaned
            return session.get_one(PersonRow, standing_for(session, known)).name

    def open_evening(self, day: date, place: str = "") -> str:
        """Store a new evening and return its id.

        Raises:
            NameRefused: the place cannot be stored.
        """
        row = EveningRow(id=new_id(), day=day, place=clean_place(place), created_at=_now())
        with self._sessions.begin() as session:
            session.add(row)
            return row.id

    def evening(self, evening_id: str) -> Evening | None:
        """The evening with this id; None if there is none."""
        with self._sessions() as session:
            row = session.execute(_evenings().where(EveningRow.id == evening_id)).first()
            return None if row is None else Evening(*row)

    def evenings(self, most: int | None = MAX_EVENINGS) -> list[Evening]:
        """The evenings, latest first; ``most`` limits their number unless it is None."""
        query = _evenings().where(EveningRow.id.not_in(removed("evening"))).limit(most)
        with self._sessions() as session:
            return [Evening(*row) for row in session.execute(query)]

    def any_evening(self) -> bool:
        """Whether there is any evening."""
        with self._sessions() as session:
            query = select(EveningRow.id).where(EveningRow.id.not_in(removed("evening"))).limit(1)
            return session.scalars(query).first() is not None

    def evening_of(self, day: date) -> Evening | None:
        """The evening last stored for this day; None if there is none."""
        query = _evenings().where(EveningRow.day == day, EveningRow.id.not_in(removed("evening")))
        with self._sessions() as session:
            row = session.execute(query.limit(1)).first()
            return None if row is None else Evening(*row)

    def came(self, evening_id: str) -> list[str]:
        """The names of the players who came to an evening, in alphabetical order."""
        query = (
            select(PersonRow.name)
            .join(VisitRow, VisitRow.person_id == PersonRow.id)
            .where(VisitRow.evening_id == evening_id)
            .order_by(PersonRow.key)
        )
        with self._sessions() as session:
            hidden = joined_people(session)
            return list(session.scalars(query.where(PersonRow.id.not_in(hidden))))

    def welcome(self, evening_id: str, names: Iterable[str]) -> tuple[str, ...]:
        """Store who came to an evening; new names become players of the club.

        Args:
            evening_id: the evening.
            names: the names as they were typed.

        Returns:
            The names as the club has them, in the order given: a known player keeps the known
            spelling, however the name was typed.

        Raises:
            NameRefused: a name cannot be stored; then nothing is stored.
        """
        cleaned = [clean_name(name) for name in names]
        with self._sessions.begin() as session:
            people = [person_named(session, name) for name in cleaned]
            for person_id in dict.fromkeys(person.id for person in people):
                if session.get(VisitRow, (evening_id, person_id)) is None:
                    session.add(
                        VisitRow(evening_id=evening_id, person_id=person_id, created_at=_now())
                    )
            return tuple(person.name for person in people)


def _now() -> datetime:
    return datetime.now(UTC)


def _evenings() -> Select[str, date, str, int]:
    """A query for evenings, latest first, each with the number of its tables that count."""
    row, counts = EveningRow, GameRow.id.not_in(games_removed())
    return (
        select(row.id, row.day, row.place, func.count(GameRow.id))
        .outerjoin(GameRow, and_(GameRow.evening_id == row.id, counts))
        .group_by(row.id, row.day, row.place, row.created_at)
        .order_by(row.day.desc(), row.created_at.desc())
    )
