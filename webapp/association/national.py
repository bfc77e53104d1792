"""The list of the players of all clubs that agree, as the clubs told it.

A player with the same member number and name is one person in all clubs; one without a number is
someone in each club. Where the same number is beside different names, someone has to say who
that is: nothing is added up.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Response
from sqlalchemy import Engine, delete, select
from sqlalchemy.exc import SQLAlchemyError

from webapp.book.seasons import Season, Seasons, Span
from webapp.book.statistics import BoardLine
from webapp.club_settings.groups import NationalList
from webapp.database.sessions import sessions_on
from webapp.database.tables.association import ClubRow, ClubStandingRow
from webapp.games.words import places
from webapp.people.names import name_key
from webapp.runtime.steady_clock import steady_now
from webapp.security.policy import current
from webapp.services import EXTENSION as SERVICES

if TYPE_CHECKING:
    from webapp.association.host import Host

TELL: Final = "kongbox-tell"
"""The key of a club's extensions under which is kept what tells the association its results."""

DAY_S: Final = 24 * 3600.0
"""Seconds between two times that all clubs are asked."""

ALL_TIME: Final = ""
"""Under this key stands what a club says about all time, and under its days what of a season."""

MOST_SEASONS: Final = 8
"""Number of the association's latest seasons of which clubs tell their results."""

Told = dict[str, list[dict[str, Any]]]
"""What a club tells: for all time and each season its players with their results."""

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
        doubtful: whether someone else has the same member number.
    """

    name: str
    member: str
    clubs: tuple[str, ...]
    points: int
    tables: int
    hands: int
    won: int
    doubtful: bool = False


class National:
    """Keeps what clubs tell, and makes the list of it, from any thread.

    Args:
        engine: the association's own database.
    """

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)
        self._seasons = Seasons(engine)

    def tell(self, club_id: str, board: Callable[[Span], Sequence[BoardLine]] | None) -> None:
        """Keep what a club tells, in the place of what it told before.

        Args:
            club_id: the club.
            board: its players with their results in a span; None where it tells nothing.
        """
        told = None if board is None else self._told(board)
        with self._sessions.begin() as session:
            session.execute(delete(ClubStandingRow).where(ClubStandingRow.club_id == club_id))
            if told is not None and session.get(ClubRow, club_id) is not None:
                session.add(ClubStandingRow(club_id=club_id, lines=told, at=steady_now()))

    def _told(self, board: Callable[[Span], Sequence[BoardLine]]) -> Told:
        spans = {ALL_TIME: Span()}
        for season in self._seasons.all()[:MOST_SEASONS]:
            spans[days_of(season)] = Span(season.first_day, season.last_day)
        return {key: [_plain(line) for line in board(span)] for key, span in spans.items()}

    def lines(self, season: Season | None = None) -> list[NationalLine] | None:
        """The players of all clubs that are open and agree, most points first.

        Args:
            season: a season of the association; None for all time.

        Returns:
            The players; None if no club that agrees was asked about this season yet.
        """
        people: dict[tuple[str, str], dict[str, list[tuple[str, dict[str, Any]]]]] = {}
        asked = False
        for club_id, club, told in self._rows():
            asked = asked or days_of(season) in told
            for number, line in enumerate(told.get(days_of(season), ())):
                member = " ".join(str(line["member"]).split()).casefold()
                key = ("", member) if member else (club_id, str(number))
                named = people.setdefault(key, {})
                named.setdefault(name_key(line["name"]), []).append((club, line))
        found = [
            _merged(parts, doubtful=len(named) > 1)
            for named in people.values()
            for parts in named.values()
        ]
        found.sort(key=lambda line: (-line.points, line.name.casefold()))
        return found if asked else None

    def _rows(self) -> list[tuple[str, str, Mapping[str, list[dict[str, Any]]]]]:
        query = select(ClubRow.id, ClubRow.name, ClubStandingRow.lines).join(
            ClubStandingRow, ClubStandingRow.club_id == ClubRow.id
        )
        query = query.where(ClubRow.closed_at.is_(None)).order_by(ClubRow.id)
        with self._sessions() as session:
            return [
                (row[0], row[1], row[2] if isinstance(row[2], dict) else {ALL_TIME: row[2]})
                for row in session.execute(query)
            ]

    def as_of(self) -> datetime | None:
        """When the oldest of what is shown was told; None if no club tells anything."""
        query = select(ClubStandingRow.at).join(ClubRow, ClubRow.id == ClubStandingRow.club_id)
        query = query.where(ClubRow.closed_at.is_(None)).order_by(ClubStandingRow.at)
        with self._sessions() as session:
            moment = session.scalars(query).first()
        return None if moment is None else moment.replace(tzinfo=UTC)


def days_of(season: Season | None) -> str:
    """The key of a season in what clubs tell: its days, by which every club counts alike."""
    return ALL_TIME if season is None else f"{season.first_day}/{season.last_day}"


def _plain(line: BoardLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "member": line.member,
        "points": line.total,
        "tables": line.tables,
        "hands": line.hands,
        "won": line.won,
    }


def _merged(parts: Sequence[tuple[str, dict[str, Any]]], *, doubtful: bool) -> NationalLine:
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
        doubtful,
    )


def doubts(lines: Sequence[NationalLine]) -> list[tuple[str, list[NationalLine]]]:
    """The member numbers that stand beside different names, with those who have them."""
    found: dict[str, list[NationalLine]] = {}
    for line in lines:
        if line.doubtful:
            found.setdefault(" ".join(line.member.split()).casefold(), []).append(line)
    return [(same[0].member, same) for _, same in sorted(found.items())]


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
    services = app.extensions[SERVICES]

    def tell() -> None:
        agrees = services.decided.of(NationalList).agreed
        national.tell(club_id, services.book.statistics.board if agrees else None)

    def tell_at_once() -> None:
        try:
            tell()
        except SQLAlchemyError:
            _log.exception("the association was not told; it is with the next gathering")

    def after(response: Response) -> Response:
        if current().retracts and response.status_code < 400:
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
