"""Players who turned out to be one person: joined, split again, and whose each seat is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from flask_babel import gettext
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from webapp.database.tables.book import (
    ErasureRow,
    FormerNameRow,
    PersonEntryRow,
    SeatingRow,
    TallyRow,
)
from webapp.database.tables.deals import EveningRow, GameRow, PersonRow, VisitRow
from webapp.games import revisions
from webapp.language.days import short_day
from webapp.people.names import JOINED, NameRefused, joined_people, standing_for

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


def join(session: Session, row: PersonRow, other: PersonRow) -> None:
    """Show another player's records as this one's; nothing is done if both are the same.

    Raises:
        NameRefused: the two cannot be one person, because both sat at a table.
    """
    if row.id == other.id:
        return
    shared = sorted(set(seats_of(session, row.id)) & set(seats_of(session, other.id)))
    games = sorted(set(seats_of(session, other.id)) - set(shared))
    _refuse_both(session, row, other, shared)
    refuse_shared(session, other.id, games, row.name)
    here = select(VisitRow.evening_id).where(VisitRow.person_id == row.id)
    visits = select(VisitRow.evening_id).where(
        VisitRow.person_id == other.id, VisitRow.evening_id.not_in(here)
    )
    moved = {"games": games, "shared": shared, "evenings": sorted(session.scalars(visits))}
    _move(session, moved, other, row, other)
    session.add(_join_entry(JOINED, row.id, other.id, moved))


def split(session: Session, row: PersonRow, other_id: str) -> None:
    """Give another player again what was moved when the two were joined, if they are."""
    query = (
        select(PersonEntryRow)
        .where(PersonEntryRow.other_id == other_id, PersonEntryRow.kind == JOINED)
        .order_by(PersonEntryRow.id.desc())
    )
    if joined_people(session).get(other_id) != row.id:
        return
    moved = session.scalars(query).first()
    if moved is not None:
        other = session.get_one(PersonRow, other_id)
        _move(session, moved.moved, row, other, other)
        session.add(_join_entry(SPLIT, row.id, other_id, moved.moved))


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
    """Make seats and visits of one player another's; what the games came to is counted again.

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
        "%(name)s and %(other)s sat at the same table on %(day)s, so they are two "
        "people. If one of those names was a mistake, correct that table first.",
        name=row.name,
        other=other.name,
        day=short_day(day),
    )
    return words


def joins_of(session: Session, person_id: str) -> tuple[JoinEntry, ...]:
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


def must_have(session: Session, person_id: str) -> PersonRow:
    """The row of a player, or of the one to whom the player was joined.

    Raises:
        KeyError: there is no such player, or the player was erased.
    """
    row = session.get(PersonRow, standing_for(session, person_id))
    if row is None or session.get(ErasureRow, row.id) is not None:
        raise KeyError(person_id)
    return row


def refuse_shared(session: Session, person_id: str, games: Collection[str], name: str) -> None:
    """Refuse a player a name that someone else had at one of these games."""
    query = select(SeatingRow.game_id).where(
        SeatingRow.game_id.in_(games), SeatingRow.name == name, SeatingRow.person_id != person_id
    )
    if session.scalars(query).first() is not None:
        raise NameRefused(
            gettext(
                "Someone else was called %(name)s at a table where both played. Choose a name "
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
