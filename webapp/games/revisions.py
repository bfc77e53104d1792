"""The revisions of a game in the database: which one counts, which one an undo restored."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVarTuple

from sqlalchemy import ColumnElement, Select, false, func, select
from sqlalchemy.orm import Session

from vision.messages import Message
from webapp.database.ids import new_id
from webapp.database.tables.book import SeatingRow
from webapp.database.tables.deals import GameRevisionRow, GameRow
from webapp.games.handovers import read_handovers, who_sat
from webapp.language.kept import kept
from webapp.people.names import person_named

Row = TypeVarTuple("Row")


def now() -> datetime:
    """The moment, in UTC."""
    return datetime.now(UTC)


def revision(
    game_id: str,
    number: int,
    parent: int | None,
    restores: int | None,
    entry: str,
    what: Message | str,
    book: Mapping[str, Any],
) -> GameRevisionRow:
    """A new revision, not yet stored."""
    return GameRevisionRow(
        game_id=game_id,
        number=number,
        parent=parent,
        restores=restores,
        entry=(entry or new_id())[:64],
        what=kept(what, 200),
        book=dict(book),
        created_at=now(),
    )


def seat(session: Session, game_id: str, names: Iterable[str]) -> None:
    """Note which person each name of the game means, as far as that was not done before."""
    for name in names:
        if session.get(SeatingRow, (game_id, name)) is None:
            person_id = person_named(session, name).id
            session.add(SeatingRow(game_id=game_id, name=name, person_id=person_id))


def must_have(session: Session, game_id: str) -> GameRow:
    """The row of a game.

    Raises:
        KeyError: there is no such game.
    """
    row = session.get(GameRow, game_id)
    if row is None:
        raise KeyError(game_id)
    return row


def head(session: Session, game_id: str) -> GameRevisionRow:
    """The latest revision of a game."""
    query = (
        select(GameRevisionRow)
        .where(GameRevisionRow.game_id == game_id)
        .order_by(GameRevisionRow.number.desc())
        .limit(1)
    )
    return session.scalars(query).one()


def heads(session: Session, games: Collection[str]) -> dict[str, GameRevisionRow]:
    """The latest revision of each of these games."""
    query = _at_head(select(GameRevisionRow), GameRevisionRow.game_id.in_(games))
    return {found.game_id: found for found in session.scalars(query)}


def not_over(games: Select[str]) -> Select[str]:
    """A query for those of these games that are not over, or of which their entries do not say."""
    over = GameRevisionRow.book["over"].as_boolean()
    query = _at_head(select(GameRevisionRow.game_id), GameRevisionRow.game_id.in_(games))
    return query.where(func.coalesce(over, false()).is_(false()))


def _at_head(query: Select[*Row], *which: ColumnElement[bool]) -> Select[*Row]:
    """A query for revisions that keeps the latest of each game, of some games only if asked to."""
    row = GameRevisionRow
    latest = select(row.game_id, func.max(row.number).label("head")).where(*which)
    heads = latest.group_by(row.game_id).subquery()
    return query.join(heads, (heads.c.game_id == row.game_id) & (heads.c.head == row.number))


def numbered(session: Session, game_id: str, number: int) -> GameRevisionRow:
    """The revision of a game with this number."""
    query = select(GameRevisionRow).where(
        GameRevisionRow.game_id == game_id, GameRevisionRow.number == number
    )
    return session.scalars(query).one()


def effective(session: Session, row: GameRevisionRow) -> GameRevisionRow:
    """The revision whose content counts: the given one, or the one that it restored by undo."""
    return row if row.restores is None else numbered(session, row.game_id, row.restores)


def entry_known(session: Session, game_id: str, entry: str) -> bool:
    """Whether an entry with this id, given by its sender, was stored already."""
    query = select(GameRevisionRow.id).where(
        GameRevisionRow.game_id == game_id, GameRevisionRow.entry == entry[:64]
    )
    return session.scalars(query).first() is not None


def first_easts(session: Session, games: Collection[str]) -> list[str]:
    """The id of the player who was East in the first hand of each of these games."""
    east = GameRevisionRow.book[("game", "players", "E")].as_string()
    query = _at_head(select(GameRevisionRow.game_id, east, GameRevisionRow.book["handovers"]))
    seatings = select(SeatingRow.game_id, SeatingRow.name, SeatingRow.person_id)
    people = {(row.game_id, row.name): row.person_id for row in session.execute(seatings)}
    found = []
    for game_id, name, handovers in session.execute(query):
        if game_id in games:
            found.append(people[game_id, who_sat(read_handovers(handovers or (), {}), name, 1)])
    return found
