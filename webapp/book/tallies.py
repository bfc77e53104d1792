"""The results of all hands as rows that leader boards and statistics sum up.

The rows are calculated from the games. Before a board is made, the games that have changed since
they were last counted are counted again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import date, datetime
from threading import Lock
from typing import Final

from sqlalchemy import Engine, case, delete, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from scorer.game.hands import HandState
from webapp.book.ratings import Match
from webapp.database.sessions import noting, sessions_on
from webapp.database.tables.book import HandScoreRow, PersonEntryRow, SeatingRow, TallyRow
from webapp.database.tables.deals import (
    ChangeRow,
    EveningRow,
    GameRevisionRow,
    GameRow,
    PersonRow,
    games_removed,
)
from webapp.database.trouble import trouble_of
from webapp.games.handovers import who_sat
from webapp.games.store import GameStore, StoredGame

_log = logging.getLogger(__name__)

MAX_KIND: Final = 80
"""Maximum number of characters of the kind of a hand."""

Stamp = tuple[int, int, datetime | None, int, int]
"""Changes whenever a game was counted again: how many were counted, the sum of their heads, the
moment of the last entry, how often players were joined or split, and how often tables and evenings
were removed, brought back or given another day."""


class Tallies:
    """Keeps the rows up to date with the games, from any thread."""

    def __init__(self, engine: Engine, games: GameStore) -> None:
        self._sessions = sessions_on(noting(engine))
        self._games = games
        self._lock = Lock()

    def refresh(self) -> Stamp:
        """Count the games that have changed since they were last counted.

        Where nothing can be stored at the moment, they are as they were last counted.
        """
        with self._lock:
            try:
                self._count_changed()
            except SQLAlchemyError as error:
                if trouble_of(error) is None:
                    raise
                _log.warning("the hands could not be counted anew: %s", trouble_of(error))
        query = select(func.count(), func.coalesce(func.sum(TallyRow.head), 0))
        last = select(func.max(GameRevisionRow.created_at))
        with self._sessions() as session:
            games, heads = session.execute(query).one()
            joins = session.scalars(select(func.count(PersonEntryRow.id))).one()
            changes = session.scalars(select(func.count(ChangeRow.id))).one()
            return games, heads, session.scalars(last).one(), joins, changes

    def _count_changed(self) -> None:
        for game_id in self._behind():
            stored = self._games.game(game_id)
            if stored is not None:
                self._count(stored)

    def _behind(self) -> list[str]:
        heads = (
            select(GameRevisionRow.game_id, func.max(GameRevisionRow.number).label("head"))
            .group_by(GameRevisionRow.game_id)
            .subquery()
        )
        query = (
            select(heads.c.game_id)
            .outerjoin(TallyRow, TallyRow.game_id == heads.c.game_id)
            .where((TallyRow.head.is_(None)) | (TallyRow.head != heads.c.head))
        )
        with self._sessions() as session:
            return list(session.scalars(query))

    def _count(self, stored: StoredGame) -> None:
        with self._sessions.begin() as session:
            people = _people(session, stored.id)
            for table in (HandScoreRow, TallyRow):
                session.execute(delete(table).where(table.game_id == stored.id))
            session.add(
                TallyRow(
                    game_id=stored.id,
                    head=stored.head,
                    over=stored.book.over,
                    ruleset=stored.game.setup.ruleset[:60],
                )
            )
            for state in stored.game.hands:
                if state.fault is None:
                    session.add_all(_rows(stored, state, people))


def _people(session: Session, game_id: str) -> dict[str, str]:
    """The ids of the players at a table, by their current names."""
    query = (
        select(PersonRow.name, PersonRow.id)
        .join(SeatingRow, SeatingRow.person_id == PersonRow.id)
        .where(SeatingRow.game_id == game_id)
    )
    return {row[0]: row[1] for row in session.execute(query)}


def _rows(stored: StoredGame, state: HandState, people: dict[str, str]) -> Iterator[HandScoreRow]:
    winds = state.position.winds
    scored = {} if state.result is None else {p.seat: p for p in state.result.players}
    paid = dict.fromkeys(state.gains, 0)
    for item in state.transfers:
        paid[item.payer] += item.amount
    for name, gain in state.gained.items():
        wind = winds.get(name, "")
        score = scored.get(wind)
        won = state.winner == name
        run = state.position.dealer_wins + 1 if won and wind == state.position.dealer else 0
        yield HandScoreRow(
            game_id=stored.id,
            hand=state.position.number,
            person_id=people[who_sat(stored.book.handovers, name, state.position.number)],
            won=won,
            gain=gain,
            paid=paid[name],
            total=None if score is None else score.total,
            kind=None if score is None else score.hand[:MAX_KIND],
            run=run,
        )


def matches(session: Session, now: date) -> list[Match]:
    """The tables that are over or of days before ``now``, in order, as matches for ratings."""
    query = (
        select(
            EveningRow.day, GameRow.id, HandScoreRow.person_id, func.sum(HandScoreRow.gain),
            TallyRow.over, func.sum(case((HandScoreRow.won, 1), else_=0)),
        )
        .select_from(HandScoreRow)
        .join(GameRow, GameRow.id == HandScoreRow.game_id)
        .join(EveningRow, EveningRow.id == GameRow.evening_id)
        .join(TallyRow, TallyRow.game_id == GameRow.id)
        .where(GameRow.id.not_in(games_removed()))
        .group_by(
            EveningRow.day, EveningRow.created_at, GameRow.created_at, GameRow.id,
            HandScoreRow.person_id, TallyRow.over,
        )
        .order_by(EveningRow.day, EveningRow.created_at, GameRow.created_at, GameRow.id)
    )  # fmt: skip
    days: dict[str, date] = {}
    gains: dict[str, dict[str, int]] = {}
    decided: set[str] = set()
    for day, game_id, person_id, gain, over, won in session.execute(query):
        if over or day < now:
            days[game_id] = day
            gains.setdefault(game_id, {})[person_id] = gain
            if won:
                decided.add(game_id)
    return [Match(days[game_id], game_id, gains[game_id]) for game_id in days if game_id in decided]
