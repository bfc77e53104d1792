"""Taking a list into the book: what was shown is done at once, or nothing is."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Final

from flask_babel import gettext
from sqlalchemy import select
from sqlalchemy.orm import Session

from webapp.book.balances import bring_in, open_season
from webapp.book.book import ClubBook
from webapp.book.seasons import Season
from webapp.database.ids import new_id
from webapp.database.sessions import sessions_on
from webapp.database.tables.book import BalanceRow, BroughtInRow
from webapp.database.tables.deals import PersonRow
from webapp.list_import.columns import TARGETS, Layout, guess, target_of
from webapp.list_import.drafts import Draft
from webapp.list_import.known import Known
from webapp.list_import.plan import Plan, make_plan
from webapp.list_import.reading import Doubt, Reader
from webapp.people.members import give_number
from webapp.people.names import name_key
from webapp.personal_data.profiles import everybody

FILE: Final = "file"
"""The kind of what is brought in from a file."""


class PlanChanged(RuntimeError):
    """What would be done is not what was shown, because the book has changed since then."""


class Taking:
    """Shows what a file would do, and does it, in one transaction, from any thread.

    Args:
        book: the club's book.
    """

    def __init__(self, book: ClubBook) -> None:
        self._sessions = sessions_on(book.engine)
        self._tallies = book.tallies

    def plan(self, draft: Draft, season: Season | None, now: date) -> Plan:
        """What a file would do to the book as it is now."""
        self._tallies.refresh()
        with self._sessions() as session:
            return _plan(session, draft, season, now)

    def take(self, draft: Draft, season: Season | None, now: date, mark: str) -> str:
        """Do what was shown, and return the id under which it can be taken back.

        Args:
            draft: the file.
            season: the season that begins with its points, if they are that.
            now: today.
            mark: the mark of the plan that was shown.

        Raises:
            PlanChanged: it is another plan by now, or none; nothing was done.
        """
        self._tallies.refresh()
        with self._sessions.begin() as session:
            plan = _plan(session, draft, season, now)
            if plan.mark != mark or plan.asked or plan.empty:
                raise PlanChanged
            origin = bring_in(session, FILE, draft.name, draft.digest)
            ids = _people(session, plan, origin)
            totals = {ids[it.who.key]: it.points for it in plan.sums if it.day is None}
            if season is not None:
                open_season(session, origin, season, totals)
            session.add_all(
                BalanceRow(
                    brought_in_id=origin.id, person_id=ids[it.who.key], day=it.day,
                    points=it.points, played=it.played, won=it.won, note=it.note,
                )
                for it in plan.sums
                if it.day is not None
            )  # fmt: skip
            return origin.id

    def earlier(self, draft: Draft) -> datetime | None:
        """When this very file was taken in last and not taken back; None if it was not."""
        query = select(BroughtInRow.at).where(
            BroughtInRow.digest == draft.digest, BroughtInRow.undone_at.is_(None)
        )
        with self._sessions() as session:
            at = session.scalars(query.order_by(BroughtInRow.at.desc())).first()
        return None if at is None else at.replace(tzinfo=UTC)


def layout_of(draft: Draft, now: date) -> Layout:
    """What the columns of a file are: as was said, else as they seem."""
    chosen = draft.chosen
    sheet = draft.sheets[chosen.sheet]
    if chosen.fields is not None and len(chosen.fields) == sheet.width:
        return Layout(chosen.heading or 0, chosen.fields)
    return guess(sheet, now, chosen.heading)


def chosen_target(draft: Draft, layout: Layout) -> str:
    """What a file is taken for: as was said, else as it seems."""
    chosen = draft.chosen.target
    return chosen if chosen in TARGETS else target_of(layout)


def missing(layout: Layout, target: str) -> str:
    """Which column is still to be told before anything can be taken; empty if none."""
    told = set(layout.fields)
    if not told & {"name", "first", "last", "member"}:
        return str(gettext("Choose the column with the names."))
    if target == "standing" and "points" not in told:
        return str(gettext("Choose the column with the points."))
    if target == "results" and "day_points" not in told and not {"points", "day"} <= told:
        return str(gettext("Choose the columns with the day and the points."))
    return ""


def reader_of(draft: Draft, now: date) -> Reader:
    """A reader for the chosen sheet of a file, by the answers given or else the best guess."""
    layout = layout_of(draft, now)
    target = chosen_target(draft, layout)
    return Reader(draft.sheets[draft.chosen.sheet], layout, target, now, draft.chosen.readings)


def unanswered(reader: Reader) -> list[Doubt]:
    """What can be read in several ways and was not answered; nothing is taken before."""
    return [it for it in reader.doubts() if reader.said.get(it.key) not in it.readings]


def _plan(session: Session, draft: Draft, season: Season | None, now: date) -> Plan:
    reader = reader_of(draft, now)
    standing = reader.target == "standing"
    if (standing and season is None) or unanswered(reader):
        return Plan()
    known = Known(session, everybody(session), season if standing else None, now)
    return make_plan(reader, known, draft.chosen.answers)


def _people(session: Session, plan: Plan, origin: BroughtInRow) -> dict[str, str]:
    """Add the new players and set member numbers; return the ids of all those named, by key."""
    ids: dict[str, str] = {}
    added: list[str] = []
    numbers: dict[str, str] = {}
    for it in plan.people:
        if it.found.person is None:
            row = PersonRow(
                id=new_id(), name=it.who.name, key=name_key(it.who.name),
                created_at=datetime.now(UTC),
            )  # fmt: skip
            session.add(row)
            added.append(row.id)
            session.flush()
        else:
            row = session.get_one(PersonRow, it.found.person.id)
        gives = it.who.member if it.found.person is None else it.gives
        if gives:
            give_number(session, row, gives)
            session.flush()
            numbers[row.id] = gives
        ids[it.who.key] = row.id
    origin.made = {"people": added, "numbers": numbers}
    return ids
