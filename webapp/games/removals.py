"""Tables, evenings and deals that were opened by mistake: removed, and brought back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final, Literal

from sqlalchemy import Engine, Select, func, select
from sqlalchemy.orm import Session

from vision.messages import Message
from webapp.database.sessions import once_a_page, sessions_on
from webapp.database.tables.deals import ChangeRow, EveningRow, GameRow, removed
from webapp.games.tables import give_number
from webapp.language.kept import brought_back, kept
from webapp.language.noted import note, noted

Kind = Literal["table", "evening", "deal"]

REMOVED: Final[Mapping[Kind, str]] = {
    "table": noted("Table removed"),
    "evening": noted("Evening removed"),
    "deal": noted("Deal removed"),
}
"""For each kind the words for its removal."""

MAX_LISTED: Final = 100
"""Maximum number of removed tables, evenings and deals that are listed."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was done with a table, an evening or a deal as a whole.

    Attributes:
        kind: which of them it is.
        ref: its id.
        what: what was done, as it is kept.
        who: the account under which it was done, if any.
        at: when it was done.
        removed: whether it was removed or brought back; None for other changes.
    """

    kind: Kind
    ref: str
    what: str
    who: str | None
    at: datetime
    removed: bool | None


class Removals:
    """Removes and brings back in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def remove(self, kind: Kind, ref: str) -> None:
        """Let a table, an evening with its tables, or a deal count no more."""
        self._turn(kind, ref, REMOVED[kind], away=True)

    def bring_back(self, kind: Kind, ref: str) -> None:
        """Let it count again."""
        self._turn(kind, ref, noted("Brought back"), away=False)

    def _turn(self, kind: Kind, ref: str, what: str, *, away: bool) -> None:
        with self._sessions.begin() as session:
            is_away = session.scalars(removed(kind).where(ChangeRow.ref == ref)).first() is not None
            if is_away != away:
                session.add(_row(kind, ref, what, away=away))

    def correct_day(self, evening_id: str, day: date, place: str) -> None:
        """Give an evening another day or place.

        Raises:
            KeyError: there is no such evening.
        """
        with self._sessions.begin() as session:
            row = session.get(EveningRow, evening_id)
            if row is None:
                raise KeyError(evening_id)
            if row.day != day:
                told = {"was": row.day.isoformat(), "now": day.isoformat()}
                what = note("Day corrected from {was} to {now}", **told)
                session.add(_row("evening", evening_id, what, away=None))
            if row.place != place:
                session.add(_row("evening", evening_id, noted("Place corrected"), away=None))
            row.day, row.place = day, place

    def renumber(self, game_id: str, number: int) -> int | None:
        """Give a table another number in the room.

        Returns:
            The number that the table has now which had that number; None if there was none.

        Raises:
            KeyError: there is no such table.
        """
        with self._sessions.begin() as session:
            row = session.get(GameRow, game_id)
            if row is None:
                raise KeyError(game_id)
            was = row.number
            other = None if was == number else give_number(session, row, number)
            turned = [(row, was, number), *([] if other is None else [(other, number, was)])]
            for game, old, new in turned if was != number else ():
                what = note("Table {was} became table {now}", was=old, now=new)
                session.add(_row("table", game.id, what, away=None))
            return None if other is None else was

    def confirm(self, game_id: str, number: int, name: str, mark: str) -> None:
        """Note that a player confirms what a hand came to.

        Args:
            game_id: the table.
            number: the number of the hand.
            name: the player.
            mark: changes with what the hand came to.
        """
        what = note("{name} confirms hand {number}", name=name, number=number, mark=mark)
        with self._sessions.begin() as session:
            session.add(_row("table", game_id, what, away=None))

    def confirmed_by(self, game_id: str, number: int, mark: str) -> list[str]:
        """The players who confirmed a hand as it is now, in the order in which they did."""
        told = [brought_back(change.what) for change in reversed(self.changes("table", game_id))]
        wanted = {"number": number, "mark": mark}
        found = [
            str(what.values["name"])
            for what in told
            if isinstance(what, Message) and wanted.items() <= dict(what.values).items()
        ]
        return list(dict.fromkeys(found))

    def is_removed(self, kind: Kind, ref: str) -> bool:
        """Whether it was removed itself; a table counts no more once its evening is removed."""
        with self._sessions() as session:
            return (kind, ref) in once_a_page(session, "removed", lambda: _away(session))

    def changes(self, kind: Kind, ref: str) -> list[Change]:
        """All changes of a table, an evening or a deal as a whole, latest first."""
        query = select(ChangeRow).where(ChangeRow.kind == kind, ChangeRow.ref == ref)
        with self._sessions() as session:
            return _changes(session, query.order_by(ChangeRow.id.desc()))

    def all_removed(self) -> list[Change]:
        """The latest removal of all that is removed now, latest first."""
        found: dict[tuple[Kind, str], Change] = {}
        with self._sessions() as session:
            for kind in REMOVED:
                query = select(ChangeRow).where(
                    ChangeRow.kind == kind,
                    ChangeRow.ref.in_(removed(kind)),
                    ChangeRow.removed.is_(True),
                )
                found |= {(c.kind, c.ref): c for c in _changes(session, query)}
        return sorted(found.values(), key=lambda change: change.at)[::-1][:MAX_LISTED]


def _away(session: Session) -> frozenset[tuple[str, str]]:
    """The kind and the id of everything that is removed now."""
    latest = (
        select(func.max(ChangeRow.id))
        .where(ChangeRow.removed.is_not(None))
        .group_by(ChangeRow.kind, ChangeRow.ref)
    )
    query = select(ChangeRow.kind, ChangeRow.ref).where(
        ChangeRow.id.in_(latest), ChangeRow.removed.is_(True)
    )
    return frozenset((row[0], row[1]) for row in session.execute(query))


def _row(kind: Kind, ref: str, what: Message | str, *, away: bool | None) -> ChangeRow:
    return ChangeRow(kind=kind, ref=ref, removed=away, what=kept(what, 200), at=datetime.now(UTC))


def _changes(session: Session, query: Select[ChangeRow]) -> list[Change]:
    return [
        Change(_kind(row.kind), row.ref, row.what, row.who, row.at.replace(tzinfo=UTC), row.removed)
        for row in session.scalars(query)
    ]


def _kind(text: str) -> Kind:
    return next(kind for kind in REMOVED if kind == text)
