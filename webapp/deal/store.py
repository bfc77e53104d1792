"""Deals and photos in the database: each entry is stored before its request is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session, undefer

from vision.messages import Message
from webapp.database.ids import new_id
from webapp.database.pictures import whole
from webapp.database.sessions import sessions_on
from webapp.database.tables.deals import DealRow, GameDealRow, PhotoRow, RevisionRow, removed
from webapp.deal.names import new_names_of_deal, player_of, renamed_state
from webapp.deal.state import DealState, from_json, to_json
from webapp.language.kept import kept
from webapp.language.noted import noted

WAITING: Final = "waiting"
"""The stage of a photo that was sent and waits to be read."""

READING: Final = "reading"
"""The stage of a photo that is being read."""

DONE: Final = "done"
"""The stage of a photo that was read."""

FAILED: Final = "failed"
"""The stage of a photo that could not be read."""

MAX_PHOTO_NAME: Final = 80
"""Maximum number of characters of a photo's name."""


@dataclass(frozen=True, slots=True)
class StoredDeal:
    """A deal as it is now.

    Attributes:
        id: the id of the deal.
        updated_at: when the last entry was made or taken back.
        head: the number of the entry that counts now.
        state: the deal after that entry.
        undo: the entry that undo would take back, as it is kept; None if there is none.
        result: the result in JSON form if the deal was scored since that entry.
    """

    id: str
    updated_at: datetime
    head: int
    state: DealState
    undo: str | None
    result: dict[str, Any] | None

    @property
    def undo_seat(self) -> str | None:
        """The player whose tiles undo would change; None where the entry is about none alone."""
        return None if self.undo is None else player_of(self.undo)


@dataclass(frozen=True, slots=True)
class StoredPhoto:
    """A photo and how far its reading has come.

    Attributes:
        id: the id of the photo.
        deal_id: the deal that it belongs to.
        seat: the player whose tiles it shows.
        name: the name of the file that was sent.
        stage: ``waiting``, ``reading``, ``done`` or ``failed``.
        reading: the reading in JSON form; None until the photo was read.
        error: why it could not be read, as it is kept; None unless it failed.
    """

    id: str
    deal_id: str
    seat: str
    name: str
    stage: str
    reading: dict[str, Any] | None
    error: str | None


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


def _photo(row: PhotoRow) -> StoredPhoto:
    return StoredPhoto(row.id, row.deal_id, row.seat, row.name, row.stage, row.reading, row.error)


class Store:
    """Reads and writes deals and photos in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._sessions = engine, sessions_on(engine)

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
            row = session.get(DealRow, deal_id)
            return None if row is None else _stored(session, row)

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
            return [_stored(session, row) for row in session.scalars(query)]

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
            row = _must_have(session, deal_id)
            if entry and _entry_known(session, deal_id, entry):
                return _stored(session, row)
            current = _head(session, row)
            state = change(_state(session, current))
            number = 1 + max(
                session.scalars(select(RevisionRow.number).where(RevisionRow.deal_id == deal_id))
            )
            entry = entry or new_id()
            session.add(_revision(deal_id, number, row.head, entry, what, state))
            row.head, row.updated_at = number, _now()
            session.flush()
            return _stored(session, row)

    def undo(self, deal_id: str, head: int) -> StoredDeal:
        """Take the entry with the number ``head`` back, unless another one was made after it.

        Raises:
            KeyError: there is no such deal.
        """
        with self._sessions.begin() as session:
            row = _must_have(session, deal_id)
            parent = _head(session, row).parent
            if row.head == head and parent is not None:
                row.head, row.updated_at = parent, _now()
            session.flush()
            return _stored(session, row)

    def trail(self, deal_id: str) -> list[DealEntry]:
        """All entries of a deal, also those taken back, in the order in which they were made.

        Raises:
            KeyError: there is no such deal.
        """
        query = (
            select(RevisionRow).where(RevisionRow.deal_id == deal_id).order_by(RevisionRow.number)
        )
        with self._sessions() as session:
            head = _must_have(session, deal_id).head
            rows = {row.number: row for row in session.scalars(query)}
            states = {number: _state(session, row) for number, row in rows.items()}
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

    def add_photo(self, deal_id: str, seat: str, name: str, data: bytes) -> str:
        """Store a photo as it was sent, waiting to be read, and return its id."""
        photo_id = new_id()
        self._add_photo(deal_id, seat, name, id=photo_id, stage=WAITING, original=data)
        return photo_id

    def add_read_photo(
        self,
        photo_id: str,
        deal_id: str,
        seat: str,
        name: str,
        reading: dict[str, Any],
        picture: bytes,
    ) -> None:
        """Store a photo that was read already.

        Args:
            photo_id: the id that the photo gets.
            deal_id: the deal to which it belongs.
            seat: the player whose tiles it shows.
            name: the name of the photo.
            reading: its reading in JSON form.
            picture: the JPEG that pages show.
        """
        known = {"id": photo_id, "stage": DONE, "picture": picture, "reading": reading}
        self._add_photo(deal_id, seat, name, **known)

    def _add_photo(self, deal_id: str, seat: str, name: str, **known: object) -> None:
        with self._sessions.begin() as session:
            row = PhotoRow(deal_id=deal_id, seat=seat, name=name[:MAX_PHOTO_NAME], **known)
            row.created_at = _after_photos(session, deal_id)
            session.add(row)

    def photo(self, photo_id: str) -> StoredPhoto | None:
        """The photo with this id, without its picture; None if there is none."""
        with self._sessions() as session:
            row = session.get(PhotoRow, photo_id)
            return None if row is None else _photo(row)

    def latest_photos(self, deal_id: str) -> dict[str, StoredPhoto]:
        """The newest photo of each seat of a deal."""
        query = select(PhotoRow).where(PhotoRow.deal_id == deal_id).order_by(PhotoRow.created_at)
        with self._sessions() as session:
            return {row.seat: _photo(row) for row in session.scalars(query)}

    def picture(self, photo_id: str) -> bytes | None:
        """The copy of a photo that pages show, an upright JPEG; None if there is none yet."""
        with self._sessions() as session:
            picture = session.scalar(select(PhotoRow.picture).where(PhotoRow.id == photo_id))
        return whole(self._engine, photo_id, picture)

    def unread(self, sent_before: datetime | None = None) -> list[str]:
        """The ids of the photos that were not read yet, oldest first, sent before a moment."""
        query = (
            select(PhotoRow.id)
            .where(PhotoRow.stage.in_((WAITING, READING)))
            .order_by(PhotoRow.created_at)
        )
        if sent_before is not None:
            query = query.where(PhotoRow.created_at < sent_before)
        with self._sessions() as session:
            return list(session.scalars(query))

    def start_reading(self, photo_id: str) -> bytes | None:
        """Mark a photo as being read and return its bytes; None if it was read already."""
        with self._sessions.begin() as session:
            row = session.get(PhotoRow, photo_id, options=[undefer(PhotoRow.original)])
            if row is None or row.original is None:
                return None
            row.stage = READING
            return row.original

    def finish_photo(self, photo_id: str, reading: dict[str, Any], picture: bytes) -> None:
        """Store the reading of a photo and the copy that pages show; delete the bytes as sent.

        A photo that a restored copy does not have is let be.
        """
        with self._sessions.begin() as session:
            row = session.get(PhotoRow, photo_id)
            if row is not None:
                row.stage, row.reading, row.picture, row.original = DONE, reading, picture, None

    def fail_photo(self, photo_id: str, message: Message | str) -> None:
        """Store why a photo could not be read, and delete its bytes, if there still is one."""
        with self._sessions.begin() as session:
            row = session.get(PhotoRow, photo_id)
            if row is not None:
                row.stage, row.error, row.original = FAILED, kept(message, 500), None


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


def _after_photos(session: Session, deal_id: str) -> datetime:
    """The moment; where the clock was set back, one just after the newest photo of the deal."""
    query = select(func.max(PhotoRow.created_at)).where(PhotoRow.deal_id == deal_id)
    newest = session.scalar(query)
    if newest is None:
        return _now()
    return max(_now(), newest.replace(tzinfo=UTC) + timedelta(microseconds=1))


def _must_have(session: Session, deal_id: str) -> DealRow:
    row = session.get(DealRow, deal_id)
    if row is None:
        raise KeyError(deal_id)
    return row


def _head(session: Session, row: DealRow) -> RevisionRow:
    query = select(RevisionRow).where(RevisionRow.deal_id == row.id, RevisionRow.number == row.head)
    return session.scalars(query).one()


def _state(session: Session, row: RevisionRow) -> DealState:
    """The deal after an entry, with the current names of its players."""
    return renamed_state(from_json(row.state), new_names_of_deal(session, row.deal_id))


def _entry_known(session: Session, deal_id: str, entry: str) -> bool:
    query = select(RevisionRow.id).where(
        RevisionRow.deal_id == deal_id, RevisionRow.entry == entry[:64]
    )
    return session.scalars(query).first() is not None


def _stored(session: Session, row: DealRow) -> StoredDeal:
    head = _head(session, row)
    return StoredDeal(
        id=row.id,
        updated_at=row.updated_at.replace(tzinfo=UTC),
        head=row.head,
        state=_state(session, head),
        undo=None if head.parent is None else head.what,
        result=row.result if row.result_head == row.head else None,
    )
