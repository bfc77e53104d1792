"""The clubs of an association, as its own database keeps them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from time import monotonic
from typing import Final

from flask_babel import gettext
from sqlalchemy import Engine, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from webapp.database.sessions import sessions_on
from webapp.database.tables.association import ClubRow
from webapp.runtime.steady_clock import steady_now

ADDRESS: Final = re.compile("[a-z][a-z0-9-]{1,28}[a-z0-9]")
"""What goes in the address of a club: 3 to 30 small letters, digits and hyphens."""

FRESH_S: Final = 2.0
"""For how many seconds a club that was looked up is not looked up again: each page asks for it."""

MAX_NAME: Final = 60
"""Maximum number of letters of the name of a club."""


class ClubRefused(ValueError):
    """A club cannot be called so; the message says what to write instead."""


@dataclass(frozen=True, slots=True)
class ClubInfo:
    """A club of the association.

    Attributes:
        id: the part of the address below which its page is.
        name: its name.
        closed: whether its page is shut; everything in it is kept.
    """

    id: str
    name: str
    closed: bool


class Clubs:
    """Reads and writes the list of clubs, from any thread.

    Args:
        engine: the association's own database.
        taken: the addresses that are the association's own.
    """

    def __init__(self, engine: Engine, taken: Collection[str] = ()) -> None:
        self._sessions = sessions_on(engine)
        self._found: dict[str, tuple[float, ClubInfo]] = {}
        self._taken = frozenset(taken)

    def all(self) -> list[ClubInfo]:
        """All clubs by name, the closed ones among them."""
        with self._sessions() as session:
            return [_info(row) for row in session.scalars(select(ClubRow).order_by(ClubRow.name))]

    def find(self, club_id: str) -> ClubInfo | None:
        """The club with this address; None if there is none.

        What another machine changed is seen after :data:`FRESH_S`.
        """
        since, known = self._found.get(club_id, (0.0, None))
        if known is not None and monotonic() - since < FRESH_S:
            return known
        try:
            with self._sessions() as session:
                row = session.get(ClubRow, club_id)
        except SQLAlchemyError:
            if club_id in self._taken:  # No club can have it, and its page tells what is wrong.
                return None
            raise
        if row is None:
            return None
        self._found[club_id] = monotonic(), _info(row)
        return _info(row)

    def check(self, club_id: str, name: str) -> tuple[str, str]:
        """The address and the name of a new club, cleaned.

        Raises:
            ClubRefused: they cannot be used, or another club has the address.
        """
        club_id = club_id.strip().lower()
        if not ADDRESS.fullmatch(club_id) or club_id in self._taken:
            raise ClubRefused(
                gettext(
                    "The address is made up of 3 to 30 small letters, digits or "
                    "hyphens, such as "
                    "“harrogate”. “%(address)s” cannot be used.",
                    address=club_id[:30],
                )
            )
        if self.find(club_id) is not None:
            raise ClubRefused(
                gettext("Another club has the address “%(address)s”.", address=club_id)
            )
        return club_id, _clean(name)

    def add(self, club_id: str, name: str) -> ClubInfo:
        """Add a club.

        Raises:
            ClubRefused: as :meth:`check`.
        """
        club_id, name = self.check(club_id, name)
        with self._sessions.begin() as session:
            row = ClubRow(id=club_id, name=name, created_at=steady_now())
            session.add(row)
        return _info(row)

    def rename(self, club_id: str, name: str) -> None:
        """Rename a club; its address stays the same.

        Raises:
            ClubRefused: the name cannot be used, or there is no such club.
        """
        name = _clean(name)
        with self._sessions.begin() as session:
            _row(session, club_id).name = name
        self._found.pop(club_id, None)

    def close(self, club_id: str, *, closed: bool = True) -> None:
        """Shut the page of a club, or open it again; nothing in it is deleted.

        Raises:
            ClubRefused: there is no such club.
        """
        with self._sessions.begin() as session:
            _row(session, club_id).closed_at = steady_now() if closed else None
        self._found.pop(club_id, None)


def _row(session: Session, club_id: str) -> ClubRow:
    row = session.get(ClubRow, club_id)
    if row is None:
        raise ClubRefused(gettext("That club does not exist. Choose one from the list."))
    return row


def _clean(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise ClubRefused(gettext("The name of a club has 1 to %(most)s letters.", most=MAX_NAME))
    return name


def _info(row: ClubRow) -> ClubInfo:
    return ClubInfo(row.id, row.name, row.closed_at is not None)
