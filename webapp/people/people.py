"""The players of the club with their current and former names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from flask_babel import gettext
from sqlalchemy import Engine, delete, select, update
from sqlalchemy.orm import Session, sessionmaker

from webapp.database.book import ErasureRow, FormerNameRow, PersonEntryRow, SeatingRow, TallyRow
from webapp.database.deals import EveningRow, GameRow, PersonRow, VisitRow
from webapp.database.ids import new_id
from webapp.games import revisions
from webapp.games.club import (
    JOINED,
    NameRefused,
    clean_name,
    joined_people,
    name_key,
    standing_for,
)
from webapp.language.days import short_day
from webapp.people.members import give_number, numbers

SPLIT: Final = "split"
"""The kind of an entry that split two players who had been joined."""


@dataclass(frozen=True, slots=True)
class JoinEntry:
    """An entry that joined another player to this one, or split the two again.

    Attributes:
        kind: ``joined`` or ``split``.
        other_id: the id of the other player.
        other: that one's own name.
        at: when it was made.
        who: the account that made it, if any.
        stands: whether the two are still joined by it.
    """

    kind: str
    other_id: str
    other: str
    at: datetime
    who: str | None
    stands: bool


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the club.

    Attributes:
        id: the player's id.
        name: the name now.
        since: when the player was added.
        former: earlier names, each with the moment it was given up.
        joins: the entries that joined others to this player, and split them again.
        members: the member number, if any, and those of whoever was joined to this player.
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
        self._sessions = sessionmaker(engine, expire_on_commit=False)

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
            _refuse_shared(session, person_id, games, name)
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
            row, other = must_have(session, person_id), must_have(session, other_id)
            if row.id == other.id:
                return
            shared = sorted(set(seats_of(session, row.id)) & set(seats_of(session, other.id)))
            games = sorted(set(seats_of(session, other.id)) - set(shared))
            _refuse_both(session, row, other, shared)
            _refuse_shared(session, other.id, games, row.name)
            here = select(VisitRow.evening_id).where(VisitRow.person_id == row.id)
            visits = select(VisitRow.evening_id).where(
                VisitRow.person_id == other.id, VisitRow.evening_id.not_in(here)
            )
            moved = {"games": games, "shared": shared, "evenings": sorted(session.scalars(visits))}
            _move(session, moved, other, row, other)
            session.add(_join_entry(JOINED, row.id, other.id, moved))

    def split(self, person_id: str, other_id: str) -> None:
        """Make two of players who were joined: each has again what was moved then.

        Raises:
            KeyError: there is no such player.
        """
        query = (
            select(PersonEntryRow)
            .where(PersonEntryRow.other_id == other_id, PersonEntryRow.kind == JOINED)
            .order_by(PersonEntryRow.id.desc())
        )
        with self._sessions.begin() as session:
            row = must_have(session, person_id)
            if joined_people(session).get(other_id) != row.id:
                return
            moved = session.scalars(query).first()
            if moved is not None:
                other = session.get_one(PersonRow, other_id)
                _move(session, moved.moved, row, other, other)
                session.add(_join_entry(SPLIT, row.id, other_id, moved.moved))


def everybody(session: Session) -> list[Person]:
    """All players, sorted by name, without those who were erased or joined to another."""
    gone = {*session.scalars(select(ErasureRow.person_id)), *joined_people(session)}
    query = select(PersonRow).where(PersonRow.id.not_in(gone)).order_by(PersonRow.key)
    told = numbers(session)
    return [_person(session, row, told) for row in session.scalars(query)]


def _join_entry(
    kind: str, person_id: str, other_id: str, moved: dict[str, list[str]]
) -> PersonEntryRow:
    return PersonEntryRow(
        kind=kind,
        person_id=person_id,
        other_id=other_id,
        moved=moved,
        at=datetime.now(UTC),
    )


def _move(
    session: Session,
    moved: dict[str, list[str]],
    giver: PersonRow,
    taker: PersonRow,
    other: PersonRow,
) -> None:
    """Make seats and visits of one player another's; what the games came to is counted anew.

    At tables where both are known it is the seats with a name of the player ``other``.
    """
    games, evenings = moved["games"], moved["evenings"]
    own = SeatingRow.person_id == giver.id
    seats = update(SeatingRow).where(SeatingRow.game_id.in_(games), own)
    session.execute(seats.values(person_id=taker.id))
    former = select(FormerNameRow.name).where(FormerNameRow.person_id == other.id)
    named = update(SeatingRow).where(
        SeatingRow.game_id.in_(moved["shared"]),
        own,
        SeatingRow.name.in_([other.name, *session.scalars(former)]),
    )
    session.execute(named.values(person_id=taker.id))
    visits = update(VisitRow).where(
        VisitRow.evening_id.in_(evenings), VisitRow.person_id == giver.id
    )
    session.execute(visits.values(person_id=taker.id))
    session.execute(delete(TallyRow).where(TallyRow.game_id.in_([*games, *moved["shared"]])))
    for game_id in games:
        if session.get(SeatingRow, (game_id, taker.name)) is None:
            session.add(SeatingRow(game_id=game_id, name=taker.name, person_id=taker.id))


def _refuse_both(
    session: Session, row: PersonRow, other: PersonRow, shared: Collection[str]
) -> None:
    """Refuse to join two players who sit at one table as it is entered now."""
    for game_id in shared:
        seats = {
            seat.name: seat.person_id
            for seat in session.scalars(select(SeatingRow).where(SeatingRow.game_id == game_id))
        }
        book = revisions.head(session, game_id).book
        names = {*book["game"]["players"].values(), *book["game"].get("waiting", ())}
        for handover in book.get("handovers", ()):
            if handover["hand"] > 1:
                names |= {*handover["names"], *handover["names"].values()}
        if {row.id, other.id} <= {seats.get(name) for name in names}:
            raise NameRefused(_both_words(session, row, other, game_id))


def _both_words(session: Session, row: PersonRow, other: PersonRow, game_id: str) -> str:
    query = select(EveningRow.day).join(GameRow, GameRow.evening_id == EveningRow.id)
    day = session.scalars(query.where(GameRow.id == game_id)).one()
    words: str = gettext(
        "%(name)s and %(other)s sat at one table on %(day)s, so they are two people. If one of "
        "them was a mistake there, put that table right first.",
        name=row.name,
        other=other.name,
        day=short_day(day),
    )
    return words


def _joins(session: Session, person_id: str) -> tuple[JoinEntry, ...]:
    """The entries that joined others to a player or split them again, in their order."""
    joined = joined_people(session)
    query = (
        select(PersonEntryRow, PersonRow.name)
        .join(PersonRow, PersonRow.id == PersonEntryRow.other_id)
        .where(PersonEntryRow.person_id == person_id)
        .order_by(PersonEntryRow.id)
    )
    rows = [(row, name) for row, name in session.execute(query)]
    last = {row.other_id: row.id for row, _ in rows}
    return tuple(
        JoinEntry(
            kind=row.kind,
            other_id=row.other_id,
            other=name,
            at=row.at.replace(tzinfo=UTC),
            who=row.who,
            stands=joined.get(row.other_id) == person_id and last[row.other_id] == row.id,
        )
        for row, name in rows
    )


def _person(
    session: Session, row: PersonRow, told: Mapping[str, tuple[str, ...]] | None = None
) -> Person:
    """The player of a row; ``told`` are the member numbers of all, where they are known already."""
    query = (
        select(FormerNameRow).where(FormerNameRow.person_id == row.id).order_by(FormerNameRow.until)
    )
    former = tuple((item.name, item.until.replace(tzinfo=UTC)) for item in session.scalars(query))
    joins = _joins(session, row.id)
    since, members = (
        row.created_at.replace(tzinfo=UTC),
        (numbers(session) if told is None else told).get(row.id, ()),
    )
    return Person(row.id, row.name, since, former, joins, members)


def must_have(session: Session, person_id: str) -> PersonRow:
    """The row of a player, or of the one to whom the player was joined.

    Raises:
        KeyError: there is no such player, or the player was erased.
    """
    row = session.get(PersonRow, standing_for(session, person_id))
    if row is None or session.get(ErasureRow, row.id) is not None:
        raise KeyError(person_id)
    return row


def _refuse_taken(session: Session, person_id: str | None, name: str) -> None:
    other = session.scalars(select(PersonRow).where(PersonRow.key == name_key(name))).first()
    if other is not None and other.id != person_id:
        raise NameRefused(
            gettext(
                "There is a player called %(name)s already. Tell the two apart, for example by "
                "an initial; or join them if they are one person.",
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


def joined_to(session: Session, person_id: str) -> list[PersonRow]:
    """The players who are shown under this one's name."""
    ids = [gone for gone in joined_people(session) if standing_for(session, gone) == person_id]
    return [session.get_one(PersonRow, gone) for gone in ids]


def seats_of(session: Session, person_id: str) -> dict[str, set[str]]:
    """The ids of a player's games, each with the names that mean the player there."""
    seats: dict[str, set[str]] = {}
    for row in session.scalars(select(SeatingRow).where(SeatingRow.person_id == person_id)):
        seats.setdefault(row.game_id, set()).add(row.name)
    return seats
