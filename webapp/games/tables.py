"""Which table of the room a game is played at, and in which round of the evening."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from webapp.database.tables.deals import GameRow, games_removed, latest_round
from webapp.games import revisions


class TableTaken(ValueError):
    """Another game is played at the table that was asked for."""


@dataclass(frozen=True, slots=True)
class TableAt:
    """Where a new game is played.

    Attributes:
        round: the round of the evening; None for the latest.
        number: the table in the room; None for the lowest number that is free.
        drawn: its number in the drawing of that round, which is its number in the room unless
            another game is played there; None for a table that is opened by hand.
    """

    round: int | None = None
    number: int | None = None
    drawn: int | None = None


ANYWHERE: Final = TableAt()
"""The table with the lowest number that is free in the latest round."""


def new_row(session: Session, game_id: str, evening_id: str, at: TableAt) -> GameRow:
    """The row of a new game, not yet stored.

    A table that was removed keeps no number from a new one: it is numbered after all others.

    Raises:
        TableTaken: another game is played at the table that was asked for.
    """
    round_ = at.round or session.scalars(latest_round(evening_id)).one() or 1
    query = select(GameRow).where(GameRow.evening_id == evening_id, GameRow.round == round_)
    known = {row.number: row for row in session.scalars(query)}
    away = {*session.scalars(games_removed())}
    taken = {number for number, row in known.items() if row.id not in away}
    if at.number in taken:
        raise TableTaken
    number = at.number or at.drawn
    if number is None or number in taken:
        number = next(free for free in count(1) if free not in taken)
    if number in known:
        known[number].number, known[number].drawn = max(known) + 1, None
        session.flush()
    return GameRow(
        id=game_id,
        evening_id=evening_id,
        number=number,
        round=round_,
        drawn=at.drawn,
        created_at=revisions.now(),
    )


def give_number(session: Session, row: GameRow, number: int) -> GameRow | None:
    """Give a game another table in the room; the game that has it gets the other's, and is told."""
    round_ = select(GameRow).where(
        GameRow.evening_id == row.evening_id, GameRow.round == row.round, GameRow.id != row.id
    )
    others = {other.number: other for other in session.scalars(round_)}
    was, other = row.number, others.get(number)
    row.number = max([was, number, *others]) + 1
    session.flush()
    if other is not None:
        other.number = was
        session.flush()
    row.number = number
    return other
