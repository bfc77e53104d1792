"""Games in the database: each entry is a revision of its own, and no revision is ever changed.

Undo is an entry too: it restores what an earlier revision held, and the entry that was taken back
stays in the history.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import Any, Final

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from scorer.game.game import Game, with_sticks_left
from scorer.text.game_json import game_document, parse_game
from vision.messages import Message
from webapp.database.ids import new_id
from webapp.database.sessions import sessions_on
from webapp.database.tables.deals import (
    ChangeRow,
    DealRow,
    GameDealRow,
    GameRevisionRow,
    GameRow,
    games_removed,
    removed,
    several_rounds,
)
from webapp.deal.names import names_now, names_of, renamed_game
from webapp.games import revisions
from webapp.games.handovers import Handover, read_handovers
from webapp.games.tables import ANYWHERE, TableAt, new_row
from webapp.games.words import Moved, table_title
from webapp.language.kept import brought_back
from webapp.language.noted import note, noted

CACHED_GAMES: Final = 128
"""Number of games that are kept in memory with their hands scored, those asked for last."""

_Key = tuple[str, int, datetime, frozenset[tuple[str, str]]]
"""The key of a cached game: id, revision, its time, and pairs of written and current names."""


@dataclass(frozen=True, slots=True)
class Book:
    """A game and what is stored with it.

    Attributes:
        game: the game so far.
        deals: for each hand the id of the deal in which it was scored, or None.
        stake: worth of 100 points in pence, which is only shown; 0 for none.
        closed: whether the players ended the game before its last round.
        handovers: who took the place of whom, in the order in which it was entered.
    """

    game: Game
    deals: tuple[str | None, ...] = ()
    stake: int = 0
    closed: bool = False
    handovers: tuple[Handover, ...] = ()

    @property
    def over(self) -> bool:
        """Whether no further hand will be played."""
        return self.closed or self.game.next is None

    @property
    def settled(self) -> Game:
        """The game; where the players ended it, with the sticks left on the table given away."""
        return with_sticks_left(self.game) if self.closed else self.game

    @property
    def fault_numbers(self) -> frozenset[int]:
        """The numbers of the hands that cannot stand as they were entered."""
        return frozenset(fault.hand for fault in self.game.faults if fault.hand is not None)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is now.

    Attributes:
        id: the id of the game.
        evening_id: the evening on which it is played.
        round: the round of the evening in which it is played, from 1.
        number: the table in the room at which it is played, from 1.
        drawn: its number in the drawing of that round; None where the table was opened by hand.
        several: whether the evening has several rounds.
        head: the number of its latest revision.
        updated_at: when that revision was made.
        book: the game so far, with what is stored with it.
        undo: the entry that undo would take back, in a few words; None if there is none.
    """

    id: str
    evening_id: str
    round: int
    number: int
    drawn: int | None
    several: bool
    head: int
    updated_at: datetime
    book: Book
    undo: str | None

    @property
    def game(self) -> Game:
        """The game so far."""
        return self.book.settled

    @property
    def title(self) -> str:
        """The title of the table, such as “Table 2”."""
        return table_title(self.number, self.round if self.several else None)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry in a game's history; ``who`` is the account that made it, if any."""

    number: int
    at: datetime
    what: str
    who: str | None


class GameStore:
    """Reads and writes games in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)
        self._games: OrderedDict[_Key, Game] = OrderedDict()
        self._lock = Lock()
        self._opening = Lock()

    def create(self, evening_id: str, book: Book, at: TableAt = ANYWHERE) -> str:
        """Store a new game of an evening and return its id.

        Raises:
            TableTaken: another game is played at the table that was asked for.
        """
        game_id = new_id()
        with self._sessions.begin() as session:
            session.add(new_row(session, game_id, evening_id, at))
            session.flush()
            what = noted("Table opened")
            session.add(revisions.revision(game_id, 0, None, None, "", what, _kept(book)))
            revisions.seat(session, game_id, book.game.setup.names)
        return game_id

    def game(self, game_id: str) -> StoredGame | None:
        """The game as it is now; None if there is none with this id."""
        with self._sessions() as session:
            row = session.get(GameRow, game_id)
            return None if row is None else self._stored(session, row)

    def of_evening(self, evening_id: str) -> list[StoredGame]:
        """The games of an evening, in the order of their rounds and tables."""
        query = (
            select(GameRow)
            .where(GameRow.evening_id == evening_id, GameRow.id.not_in(games_removed()))
            .order_by(GameRow.round, GameRow.number)
        )
        with self._sessions() as session:
            return self._all(session, session.scalars(query).all())

    def running_since(self, moment: datetime, but: Collection[str] = ()) -> list[StoredGame]:
        """The games with an entry since a moment that are not over, those opened first first.

        Args:
            moment: the moment.
            but: ids of games that are left out.
        """
        late = select(GameRevisionRow.game_id).where(GameRevisionRow.created_at >= moment)
        query = select(GameRow).where(
            GameRow.id.in_(revisions.not_over(late)),
            GameRow.id.not_in(games_removed()),
            GameRow.id.not_in(but),
        )
        with self._sessions() as session:
            rows = session.scalars(query.order_by(GameRow.created_at)).all()
            return [found for found in self._all(session, rows) if not found.book.over]

    def latest(self) -> StoredGame | None:
        """The game that was opened last; None if there is no game yet."""
        counts = GameRow.id.not_in(games_removed())
        query = select(GameRow).where(counts).order_by(GameRow.created_at.desc()).limit(1)
        with self._sessions() as session:
            row = session.scalars(query).first()
            return None if row is None else self._stored(session, row)

    def edit(
        self,
        game_id: str,
        head: int,
        change: Callable[[Book], Book],
        what: Message | str,
        entry: str = "",
    ) -> StoredGame:
        """Apply one entry to the game and store the result.

        Args:
            game_id: the id of the game.
            head: the number of the revision that the sender saw.
            change: makes the book after the entry from the book before; if it raises, nothing is
                stored and the error is passed on.
            what: the entry in a few words, which undo and the history show.
            entry: the sender's own id of this entry; an id that was stored before changes nothing.

        Raises:
            KeyError: there is no such game.
            Moved: another entry came first.
        """
        with self._sessions.begin() as session:
            row = revisions.must_have(session, game_id)
            if entry and revisions.entry_known(session, game_id, entry):
                return self._stored(session, row)
            now = revisions.head(session, game_id)
            if now.number != head:
                raise Moved(now.what, now.who)
            book = change(self._book(now, names_now(session, game_id)))
            parent = revisions.effective(session, now).number
            new = revisions.revision(
                game_id, now.number + 1, parent, None, entry, what, _kept(book)
            )
            session.add(new)
            revisions.seat(session, game_id, book.game.setup.names)
            session.flush()
            return self._stored(session, row)

    def undo(self, game_id: str, head: int) -> StoredGame:
        """Take the last entry back; the revision ``head`` is the last that the sender saw.

        Raises:
            KeyError: there is no such game.
            Moved: another entry was made after that.
        """
        with self._sessions.begin() as session:
            row = revisions.must_have(session, game_id)
            now = revisions.head(session, game_id)
            if now.number != head:
                raise Moved(now.what, now.who, undoing=True)
            undone = revisions.effective(session, now)
            if undone.parent is not None:
                parent = revisions.numbered(session, game_id, undone.parent)
                target = revisions.effective(session, parent)
                what = note("Undone: {what}", what=brought_back(undone.what))
                book = self._book(target, names_now(session, game_id))
                session.add(
                    revisions.revision(
                        game_id, head + 1, target.parent, target.number, "", what, _kept(book)
                    )
                )
                session.flush()
            return self._stored(session, row)

    def knows(self, game_id: str, entry: str) -> bool:
        """Whether an entry with this id, given by its sender, was stored already."""
        with self._sessions() as session:
            return revisions.entry_known(session, game_id, entry)

    def history(self, game_id: str) -> list[Entry]:
        """All entries of the game, latest first."""
        row = GameRevisionRow
        query = (
            select(row.number, row.created_at, row.what, row.who)
            .where(row.game_id == game_id)
            .order_by(row.number.desc())
        )
        with self._sessions() as session:
            return [
                Entry(number, at.replace(tzinfo=UTC), what, who)
                for number, at, what, who in session.execute(query)
            ]

    def open_deal(self, stored: StoredGame) -> str | None:
        """The id of the deal that was begun for the next hand; None if there is none."""
        if stored.book.over or stored.game.next is None:
            return None
        query = (
            select(GameDealRow.deal_id)
            .where(
                GameDealRow.game_id == stored.id,
                GameDealRow.hand == stored.game.next.number,
                GameDealRow.deal_id.not_in([d for d in stored.book.deals if d is not None]),
                GameDealRow.deal_id.not_in(removed("deal")),
            )
            .order_by(GameDealRow.created_at.desc())
        )
        with self._sessions() as session:
            return session.scalars(query).first()

    def begin_deal(self, stored: StoredGame, hand: int, make: Callable[[], str]) -> str:
        """The id of the deal begun for a hand; for the next hand it is made if there is none.

        Args:
            stored: the game.
            hand: the number of the hand.
            make: stores a new deal in that place and returns its id.
        """
        with self._opening:
            known = self.open_deal(stored)
            if known is not None and stored.game.next and stored.game.next.number == hand:
                return known
            return make()

    def game_of(self, deal_id: str) -> tuple[str, int] | None:
        """The game and the number of the hand for which a deal was opened; None without a game."""
        with self._sessions() as session:
            row = session.get(GameDealRow, deal_id)
            return None if row is None else (row.game_id, row.hand)

    def evening_of(self, game_id: str) -> str | None:
        """The evening on which a game is played; None if there is no such game."""
        with self._sessions() as session:
            row = session.get(GameRow, game_id)
            return None if row is None else row.evening_id

    def token(self, game_id: str) -> str:
        """A token that changes with every entry at the table, in the game or in its deals."""
        head = select(func.max(GameRevisionRow.number)).where(GameRevisionRow.game_id == game_id)
        touched = (
            select(DealRow.updated_at)
            .join(GameDealRow, GameDealRow.deal_id == DealRow.id)
            .where(GameDealRow.game_id == game_id)
            .order_by(DealRow.id)
        )
        evening = select(GameRow.evening_id).where(GameRow.id == game_id).scalar_subquery()
        changes = select(func.count(ChangeRow.id)).where(ChangeRow.ref.in_((game_id, evening)))
        counted = select(head.scalar_subquery(), changes.scalar_subquery())
        with self._sessions() as session:
            moments = "".join(f"{moment:%y%j%H%M%S%f}" for moment in session.scalars(touched))
            entries, changed = session.execute(counted).one()
        stamp = hashlib.sha256(moments.encode()).hexdigest()[:16] if moments else ""
        return f"{entries}-{stamp}-{changed}"

    def _stored(self, session: Session, row: GameRow) -> StoredGame:
        return self._all(session, [row])[0]

    def _all(self, session: Session, rows: Sequence[GameRow]) -> list[StoredGame]:
        """The games of these rows, read together; each whose last entry was taken back adds one."""
        if not rows:
            return []
        games = [row.id for row in rows]
        heads, names = revisions.heads(session, games), names_of(session, games)
        several = set(session.scalars(several_rounds({row.evening_id for row in rows})))
        found = []
        for row in rows:
            now = heads[row.id]
            last = revisions.effective(session, now)
            stored = StoredGame(
                id=row.id,
                evening_id=row.evening_id,
                round=row.round,
                number=row.number,
                drawn=row.drawn,
                several=row.evening_id in several,
                head=now.number,
                updated_at=now.created_at.replace(tzinfo=UTC),
                book=self._book(now, names[row.id]),
                undo=None if last.parent is None else last.what,
            )
            found.append(stored)
        return found

    def _book(self, row: GameRevisionRow, names: Mapping[str, str]) -> Book:
        """The book of a revision; its hands are scored once and cached."""
        key = row.game_id, row.number, row.created_at, frozenset(names.items())
        with self._lock:
            game = self._games.get(key)
            if game is not None:
                self._games.move_to_end(key)
        if game is None:
            game = parse_game(renamed_game(row.book["game"], names), reseat=True)
            with self._lock:
                self._games[key] = game
                while len(self._games) > CACHED_GAMES:
                    self._games.popitem(last=False)
        told = row.book
        handovers = tuple(read_handovers(told.get("handovers", ()), names))
        return Book(game, tuple(told["deals"]), told["stake"], told["closed"], handovers)


def _kept(book: Book) -> dict[str, Any]:
    """A book as a JSON value."""
    told: dict[str, Any] = {
        "game": game_document(book.game),
        "deals": list(book.deals),
        "stake": book.stake,
        "closed": book.closed,
        "over": book.over,
    }
    handovers = [handover.to_json() for handover in book.handovers]
    return told | {"handovers": handovers} if handovers else told
