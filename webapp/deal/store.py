"""Deals and photos in the database: each entry is stored before its request is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from vision.messages import Message
from webapp.database.ids import new_id
from webapp.database.tables.deals import DealRow, GameDealRow, RevisionRow, removed
from webapp.deal.names import names_now, player_of, renamed_state
from webapp.deal.photos import PhotoStore
from webapp.deal.state import DealState, from_json, to_json
from webapp.language.kept import kept
from webapp.language.noted import noted


@dataclass(frozen=True, slots=True)
class StoredDeal:
    """A deal as it is now.

    Attributes:
        id: the id of the deal.
        updated_at: when the last entry was made or taken back.
        head: the number of the entry that counts now.
        state: the deal after that entry.
        place: the game, and the number of the hand, for which it was opened; None without a game.
        undo: the entry that undo would take back, as it is kept; None if there is none.
        result: the result in JSON form if the deal was scored since that entry.
    """

    id: str
    updated_at: datetime
    head: int
    state: DealState
    place: tuple[str, int] | None
    undo: str | None
    result: dict[str, Any] | None

    @property
    def undo_seat(self) -> str | None:
        """The player whose tiles undo would change; None where the entry is about none alone."""
        return None if self.undo is None else player_of(self.undo)


@dataclass(frozen=True, slots=True)
class DealEntry:
    """One entry of a deal.

    Attributes:
        number: its number within the deal, from 0.
        at: when it was made.
        what: the entry in a few words, as it is kept.
        who: the account that made it; None if nobody was logged in.
        state: the deal after it.
        stands: whether it still counts, that is, was not taken back.
    """

    number: int
    at: datetime
    what: str
    who: str | None
    state: DealState
    stands: bool


def _now() -> datetime:
    return datetime.now(UTC)


class Store(PhotoStore):
    """Reads and writes deals and their photos, in one short transaction per call."""

    def create(self, state: DealState, place: tuple[str, int] | None = None) -> str:
        """Store a new deal and return its id.

        Args:
            state: the deal.
            place: the id of the game and the number of the hand for which it is entered; None for
                a deal of no table.
        """
        deal_id, now = new_id(), _now()
        with self._sessions.begin() as session:
            session.add(DealRow(id=deal_id, created_at=now, updated_at=now, head=0))
            session.flush()
            session.add(_revision(deal_id, 0, None, new_id(), noted("New deal"), state))
            if place is not None:
                game_id, hand = place
                row = GameDealRow(deal_id=deal_id, game_id=game_id, hand=hand, created_at=now)
                session.add(row)
        return deal_id

    def deal(self, deal_id: str) -> StoredDeal | None:
        """The deal as it is now; None if there is none with this id."""
        with self._sessions() as session:
            found = _found(session, deal_id)
            return None if found is None else found.stored

    def recent(self, limit: int = 12) -> list[StoredDeal]:
        """The deals last changed, newest first, without those of a game, which its table lists."""
        query = (
            select(DealRow)
            .where(
                DealRow.id.not_in(select(GameDealRow.deal_id)), DealRow.id.not_in(removed("deal"))
            )
            .order_by(DealRow.updated_at.desc())
            .limit(limit)
        )
        with self._sessions() as session:
            return [_must_find(session, row.id).stored for row in session.scalars(query).all()]

    def edit(
        self,
        deal_id: str,
        change: Callable[[DealState], DealState],
        what: Message | str,
        entry: str = "",
    ) -> StoredDeal:
        """Apply one entry to the deal as it is now and store the result.

        Args:
            deal_id: the id of the deal.
            change: makes the state after the entry from the state before; if it raises, nothing
                is stored and the error is passed on.
            what: the entry in a few words, which undo shows.
            entry: the sender's own id of this entry; an id that was stored before changes nothing.

        Raises:
            KeyError: there is no such deal.
        """
        with self._sessions.begin() as session:
            found = _must_find(session, deal_id)
            row, before = found.row, found.stored
            if entry and _entry_known(session, deal_id, entry):
                return before
            state = change(before.state)
            made = _revision(deal_id, found.newest + 1, row.head, entry or new_id(), what, state)
            session.add(made)
            row.head, row.updated_at = made.number, _now()
            session.flush()
            return replace(
                before,
                updated_at=row.updated_at,
                head=row.head,
                state=renamed_state(state, found.names),
                undo=made.what,
                result=None,
            )

    def undo(self, deal_id: str, head: int) -> StoredDeal:
        """Take the entry with the number ``head`` back, unless another one was made after it.

        Raises:
            KeyError: there is no such deal.
        """
        with self._sessions.begin() as session:
            found = _must_find(session, deal_id)
            if found.row.head == head and found.parent is not None:
                found.row.head, found.row.updated_at = found.parent, _now()
                session.flush()
            return _must_find(session, deal_id).stored

    def trail(self, deal_id: str) -> list[DealEntry]:
        """All entries of a deal, also those taken back, in the order in which they were made.

        Raises:
            KeyError: there is no such deal.
        """
        query = (
            select(RevisionRow).where(RevisionRow.deal_id == deal_id).order_by(RevisionRow.number)
        )
        with self._sessions() as session:
            found = _must_find(session, deal_id)
            head, rows = found.row.head, {row.number: row for row in session.scalars(query)}
        states = {
            number: renamed_state(from_json(row.state), found.names) for number, row in rows.items()
        }
        standing: set[int] = set()
        number: int | None = head
        while number is not None:
            standing.add(number)
            number = rows[number].parent
        return [
            DealEntry(
                number=row.number,
                at=row.created_at.replace(tzinfo=UTC),
                what=row.what,
                who=row.who,
                state=states[row.number],
                stands=row.number in standing,
            )
            for row in rows.values()
        ]

    def keep_result(self, deal_id: str, head: int, result: dict[str, Any]) -> None:
        """Store the result of the deal as it was after the entry with the number ``head``."""
        with self._sessions.begin() as session:
            row = _must_have(session, deal_id)
            row.result, row.result_head = result, head


def _revision(
    deal_id: str,
    number: int,
    parent: int | None,
    entry: str,
    what: Message | str,
    state: DealState,
) -> RevisionRow:
    return RevisionRow(
        deal_id=deal_id,
        number=number,
        parent=parent,
        entry=entry[:64],
        what=kept(what, 200),
        state=to_json(state),
        created_at=_now(),
    )


def _must_have(session: Session, deal_id: str) -> DealRow:
    row = session.get(DealRow, deal_id)
    if row is None:
        raise KeyError(deal_id)
    return row


@dataclass(frozen=True, slots=True)
class _Found:
    """A deal with its row.

    Attributes:
        row: its row.
        stored: the deal.
        parent: the number of the entry before the one that counts; None at the first.
        newest: the number of its newest entry, which may have been taken back.
        names: the current names for the names written in its game.
    """

    row: DealRow
    stored: StoredDeal
    parent: int | None
    newest: int
    names: dict[str, str]


def _found(session: Session, deal_id: str) -> _Found | None:
    """A deal, all that is known of it read by one query; None if there is none with this id."""
    newest = select(func.max(RevisionRow.number)).where(RevisionRow.deal_id == deal_id)
    query = (
        select(DealRow, RevisionRow, GameDealRow, newest.scalar_subquery())
        .join(
            RevisionRow,
            and_(RevisionRow.deal_id == DealRow.id, RevisionRow.number == DealRow.head),
        )
        .outerjoin(GameDealRow, GameDealRow.deal_id == DealRow.id)
        .where(DealRow.id == deal_id)
    )
    found = session.execute(query).first()
    if found is None:
        return None
    row, head, link, number = found
    names = {} if link is None else names_now(session, link.game_id)
    stored = StoredDeal(
        id=row.id,
        updated_at=row.updated_at.replace(tzinfo=UTC),
        head=row.head,
        state=renamed_state(from_json(head.state), names),
        place=None if link is None else (link.game_id, link.hand),
        undo=None if head.parent is None else head.what,
        result=row.result if row.result_head == row.head else None,
    )
    return _Found(row, stored, head.parent, number, names)


def _must_find(session: Session, deal_id: str) -> _Found:
    found = _found(session, deal_id)
    if found is None:
        raise KeyError(deal_id)
    return found


def _entry_known(session: Session, deal_id: str, entry: str) -> bool:
    query = select(RevisionRow.id).where(
        RevisionRow.deal_id == deal_id, RevisionRow.entry == entry[:64]
    )
    return session.scalars(query).first() is not None
