"""The list of the players of all clubs that agree, as the clubs told it, and its files.

A player with a member number is one person in all clubs; one without is somebody in each club.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Response, request
from flask_babel import gettext
from sqlalchemy import Engine, delete, select
from sqlalchemy.exc import SQLAlchemyError

from webapp.book.seasons import Span
from webapp.book.statistics import BoardLine
from webapp.clock import steady_now
from webapp.database.sessions import sessions_on
from webapp.database.tables.association import ClubRow, ClubStandingRow
from webapp.decided.groups import NationalList
from webapp.games.words import places, signed
from webapp.pages.club import context
from webapp.printed.sheet_files import Cell, csv_of_rows, fill_sheet, saved
from webapp.services import EXTENSION as SERVICES

if TYPE_CHECKING:
    from webapp.association.host import Host

TELL: Final = "kongbox-tell"
"""The key of a club's extensions under which is kept what tells the association its results."""

CHANGES: Final = frozenset(
    {"our_club.answer", "our_club.take_back", "players.erase_for_good", "restoring.decide"}
)
"""The views of a club after whose forms the association must not show what it showed before."""

DAY_S: Final = 24 * 3600.0
"""Seconds between two times that all clubs are asked."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NationalLine:
    """A player of one club or several.

    Attributes:
        name: the name in the club in which most hands were played.
        member: the member number; empty if there is none.
        clubs: the names of the clubs, sorted.
        points: what was won or lost in all of them.
        tables: the number of tables.
        hands: the number of hands.
        won: the number of hands won.
    """

    name: str
    member: str
    clubs: tuple[str, ...]
    points: int
    tables: int
    hands: int
    won: int


class National:
    """Keeps what clubs tell, and makes the list of it, from any thread.

    Args:
        engine: the association's own database.
    """

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def tell(self, club_id: str, lines: Sequence[BoardLine] | None) -> None:
        """Keep what a club tells, in the place of what it told before; None keeps nothing."""
        with self._sessions.begin() as session:
            session.execute(delete(ClubStandingRow).where(ClubStandingRow.club_id == club_id))
            if lines is not None and session.get(ClubRow, club_id) is not None:
                told = [_told(line) for line in lines]
                session.add(ClubStandingRow(club_id=club_id, lines=told, at=steady_now()))

    def lines(self) -> list[NationalLine]:
        """The players of all clubs that are open and agree, most points first."""
        people: dict[tuple[str, str], list[tuple[str, dict[str, Any]]]] = {}
        for club_id, club, lines in self._rows():
            for number, line in enumerate(lines):
                member = " ".join(str(line["member"]).split()).casefold()
                key = ("", member) if member else (club_id, str(number))
                people.setdefault(key, []).append((club, line))
        found = [_merged(parts) for parts in people.values()]
        return sorted(found, key=lambda line: (-line.points, line.name.casefold()))

    def _rows(self) -> list[tuple[str, str, list[dict[str, Any]]]]:
        query = select(ClubRow.id, ClubRow.name, ClubStandingRow.lines).join(
            ClubStandingRow, ClubStandingRow.club_id == ClubRow.id
        )
        query = query.where(ClubRow.closed_at.is_(None)).order_by(ClubRow.id)
        with self._sessions() as session:
            return [(row[0], row[1], row[2]) for row in session.execute(query)]

    def as_of(self) -> datetime | None:
        """When the oldest of what is shown was told; None if no club tells anything."""
        query = select(ClubStandingRow.at).join(ClubRow, ClubRow.id == ClubStandingRow.club_id)
        query = query.where(ClubRow.closed_at.is_(None)).order_by(ClubStandingRow.at)
        with self._sessions() as session:
            moment = session.scalars(query).first()
        return None if moment is None else moment.replace(tzinfo=UTC)


def _told(line: BoardLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "member": line.member,
        "points": line.total,
        "tables": line.tables,
        "hands": line.hands,
        "won": line.won,
    }


def _merged(parts: Sequence[tuple[str, dict[str, Any]]]) -> NationalLine:
    most = max((line for _, line in parts), key=lambda line: line["hands"])

    def together(figure: str) -> int:
        return sum(line[figure] for _, line in parts)

    return NationalLine(
        most["name"],
        most["member"],
        tuple(sorted({club for club, _ in parts})),
        together("points"),
        together("tables"),
        together("hands"),
        together("won"),
    )


def placed(lines: Sequence[NationalLine]) -> list[tuple[int, NationalLine]]:
    """The lines in their order, each with its place: equal points share one."""
    return list(zip(places([line.points for line in lines]), lines, strict=True))


def set_up(app: Flask, club_id: str, national: National) -> None:
    """Let a club tell the association what it agreed to, and nothing once it withdraws.

    Args:
        app: the application of the club.
        club_id: the club.
        national: keeps what is told.
    """
    services, book = app.extensions[SERVICES], app.extensions[context.EXTENSION]

    def tell() -> None:
        agrees = services.decided.of(NationalList).agreed
        national.tell(club_id, book.statistics.board(Span()) if agrees else None)

    def tell_at_once() -> None:
        try:
            tell()
        except SQLAlchemyError:
            _log.exception("the association was not told; it is with the next gathering")

    def after(response: Response) -> Response:
        if request.endpoint in CHANGES and request.method == "POST" and response.status_code < 400:
            tell_at_once()
        return response

    app.extensions[TELL] = tell
    app.after_request(after)


def gather(host: Host) -> None:
    """Let every club tell the association what it agreed to."""

    def of_club(app: Flask) -> None:
        tell: Callable[[], None] = app.extensions[TELL]
        tell()

    host.each(of_club)


def _head() -> tuple[str, ...]:
    return (
        gettext("Place"),
        gettext("Player"),
        gettext("Member number"),
        gettext("Clubs"),
        gettext("Points"),
        gettext("Tables"),
        gettext("Hands"),
        gettext("Hands won"),
    )


def _cells(lines: Sequence[NationalLine]) -> Iterator[tuple[Cell, ...]]:
    for place, line in placed(lines):
        clubs = ", ".join(line.clubs)
        figures = line.points, line.tables, line.hands, line.won
        yield place, line.name, line.member, clubs, *figures


def as_csv(lines: Sequence[NationalLine]) -> bytes:
    """The list as CSV for spreadsheets."""
    return csv_of_rows([_head(), *_cells(lines)])


def as_xlsx(lines: Sequence[NationalLine]) -> bytes:
    """The list as a workbook of one sheet."""
    from openpyxl import Workbook

    book = Workbook()
    fill_sheet(book.worksheets[0], [_head(), *_cells(lines)])
    return saved(book)


def as_pdf(title: str, lines: Sequence[NationalLine]) -> bytes:
    """The list for a notice board, as large as it fits on a page."""
    from webapp.printed.poster_pdf import Listed, poster

    heads = gettext("Place"), gettext("Player"), gettext("Clubs"), gettext("Points")
    rows = tuple(
        (f"{place}.", line.name, ", ".join(line.clubs), signed(line.points), str(line.hands))
        for place, line in placed(lines)
    )
    return poster(title, [Listed("", (*heads, gettext("Hands")), rows)])
