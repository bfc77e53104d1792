"""The club's tournaments and leagues as they were decided, and what was played in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from sqlalchemy import Engine, case, func, select
from sqlalchemy.orm import Session

from vision.messages import Message
from webapp.book.balances import balances_of
from webapp.book.draws import Draws
from webapp.book.seasons import Span
from webapp.book.tallies import Tallies
from webapp.contest.plan import Plan, PlanRefused
from webapp.contest.results import Score, Stage, Table
from webapp.contest.standing import Contest
from webapp.database.ids import new_id
from webapp.database.sessions import sessions_on
from webapp.database.tables.book import BroughtInRow, ContestRow, HandScoreRow, SeatingRow, TallyRow
from webapp.database.tables.deals import EveningRow, GameRow, games_removed
from webapp.evening.evenings import today
from webapp.language.kept import brought_back, kept
from webapp.language.noted import note
from webapp.people.names import joined_people
from webapp.runtime.steady_clock import steady_now


class ContestMoved(Exception):
    """Someone else changed the contest first, so nothing was changed."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a contest: what was done, by whom and when."""

    what: Message | str
    who: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Decided:
    """A contest as it is now.

    Attributes:
        id: its id.
        head: the number of its last change; a form that was made for another is out of date.
        plan: what was decided; None if it was removed.
        undo: what undo would take back; None if nothing.
    """

    id: str
    head: int
    plan: Plan | None
    undo: Message | str | None


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table of a contest: when it was played, and whether it is over."""

    game: str
    evening: str
    round: int
    over: bool


class Contests:
    """Reads and writes contests in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine, tallies: Tallies, draws: Draws) -> None:
        self._sessions = sessions_on(engine)
        self._tallies, self._draws = tallies, draws

    def all(self) -> list[Decided]:
        """All contests that were not removed, the latest first."""
        newest = select(func.max(ContestRow.id)).group_by(ContestRow.contest)
        query = select(ContestRow).where(ContestRow.id.in_(newest))
        with self._sessions() as session:
            rows = session.scalars(query.order_by(ContestRow.id.desc()))
            found = [_decided(session, row) for row in rows]
            return [one for one in found if one.plan is not None]

    def one(self, contest: str) -> Decided | None:
        """The contest with this id; None if there is none."""
        with self._sessions() as session:
            row = _newest(session, contest)
            return None if row is None else _decided(session, row)

    def of_evening(self, evening: str) -> Decided | None:
        """The tournament of an evening; None if it has none."""
        return next(
            (one for one in self.all() if one.plan is not None and one.plan.evening == evening),
            None,
        )

    def leagues(self) -> list[Decided]:
        """The leagues, the latest first."""
        return [one for one in self.all() if one.plan is not None and one.plan.league]

    def add(self, plan: Plan, what: Message | str) -> str:
        """Keep a new contest, and return its id."""
        contest = new_id()
        with self._sessions.begin() as session:
            session.add(_row(contest, plan, what, None))
        return contest

    def change(self, contest: str, head: int, plan: Plan | None, what: Message | str) -> None:
        """Keep what is decided from now on; None removes the contest.

        Raises:
            ContestMoved: the change ``head`` is not its last one.
        """
        with self._sessions.begin() as session:
            row = _row_of(session, contest, head)
            session.add(_row(contest, plan, what, _effective(session, row).id))

    def undo(self, contest: str, head: int) -> None:
        """Let what was decided before the last change count again.

        Raises:
            ContestMoved: the change ``head`` is not its last one.
        """
        with self._sessions.begin() as session:
            undone = _effective(session, _row_of(session, contest, head))
            if undone.parent is not None:
                target = session.get_one(ContestRow, undone.parent)
                what = note("Undone: {what}", what=brought_back(undone.what))
                row = _row(contest, _plan(session, target), what, target.parent)
                row.restores = target.id
                session.add(row)

    def changes(self, contest: str) -> list[Change]:
        """All changes of a contest, the latest first."""
        query = select(ContestRow).where(ContestRow.contest == contest)
        with self._sessions() as session:
            return [
                Change(brought_back(row.what), row.who, row.at.replace(tzinfo=UTC))
                for row in session.scalars(query.order_by(ContestRow.id.desc()))
            ]

    def contest(self, plan: Plan) -> Contest:
        """What was played in a contest so far, to be ranked."""
        return Contest(plan.rules, self._stages(plan), plan.adjustments, plan.teams)

    def brought(self, plan: Plan) -> dict[date, Table]:
        """The results that came in from lists for the days of a league, day by day.

        Those of a day on which an evening was left out are left out with it.
        """
        left_out = select(EveningRow.day).where(EveningRow.id.in_(plan.left_out))
        found: dict[date, Table] = {}
        with self._sessions() as session:
            out = set(session.scalars(left_out))
            told = balances_of(session, Span(plan.first, plan.last))
        for player, balances in told.items():
            for one in balances:
                if one.day is not None and one.day not in out:
                    score = Score(player, one.points, one.won or 0)
                    found[one.day] = (*found.get(one.day, ()), score)
        return dict(sorted(found.items()))

    def rounds(self, evening: str) -> dict[str, int]:
        """The round in which each game of an evening is played, by the ids of the games."""
        self._tallies.refresh()
        with self._sessions() as session:
            return {one.game: one.round for one in _sittings(session, [evening])}

    def stamp(self, decided: Decided | None) -> str:
        """A text that changes whenever a standing may be another one."""
        lists = select(func.max(BroughtInRow.at), func.max(BroughtInRow.undone_at))
        with self._sessions() as session:
            came = session.execute(lists).one()
        return f"{0 if decided is None else decided.head} {self._tallies.refresh()} {came}"

    def _stages(self, plan: Plan) -> tuple[Stage, ...]:
        self._tallies.refresh()
        with self._sessions() as session:
            days = _evenings(session, plan)
            sittings = _sittings(session, days)
            tables = _tables(session, [one.game for one in sittings])
        grouped: dict[str, list[Sitting]] = {}
        for one in sittings:
            grouped.setdefault(one.evening if plan.league else str(one.round), []).append(one)
        stages = tuple(
            Stage(key, there, self._over(plan, here, days))
            for key, here in grouped.items()
            if (there := tuple(tables[one.game] for one in here if one.game in tables))
        )
        return _with_brought(stages, self.brought(plan), days) if plan.counts_brought else stages

    def _over(self, plan: Plan, here: list[Sitting], days: dict[str, int]) -> bool:
        """Whether nothing more is played at these tables: all are over, or so is the night."""
        evening = here[0].evening
        if days[evening] + 1 < today().toordinal():
            return True
        return all(one.over for one in here) and not (plan.league and self._more_rounds(evening))

    def _more_rounds(self, evening: str) -> bool:
        """Whether rounds were drawn for an evening whose tables are not open yet."""
        found = self._draws.latest(evening)
        return found is not None and len(found.opened) < len(found.drawing.rounds)


def _with_brought(
    stages: Sequence[Stage], brought: dict[date, Table], days: Mapping[str, int]
) -> tuple[Stage, ...]:
    """The evenings of a league with the results from lists, each at its day."""
    left = {day.toordinal(): Stage(day.isoformat(), (), brought=it) for day, it in brought.items()}
    found = []
    for stage in stages:
        day = days[stage.key]
        found.append((day, replace(stage, brought=left.pop(day).brought) if day in left else stage))
    return tuple(stage for _, stage in sorted([*found, *left.items()], key=lambda it: it[0]))


def _evenings(session: Session, plan: Plan) -> dict[str, int]:
    """The evenings of a contest with their days, in their order."""
    query = select(EveningRow.id, EveningRow.day).order_by(EveningRow.day, EveningRow.created_at)
    if plan.evening is not None:
        query = query.where(EveningRow.id == plan.evening)
    return {row[0]: row[1].toordinal() for row in session.execute(query) if plan.holds(*row)}


def _sittings(session: Session, days: Iterable[str]) -> list[Sitting]:
    """The tables of these evenings, in the order of evenings and rounds."""
    evenings = {evening: number for number, evening in enumerate(days)}
    query = (
        select(GameRow, TallyRow.over)
        .join(TallyRow, TallyRow.game_id == GameRow.id)
        .where(GameRow.evening_id.in_(evenings), GameRow.id.not_in(games_removed()))
        .order_by(GameRow.round, GameRow.created_at)
    )
    rows = [(row, over) for row, over in session.execute(query)]
    rounds = _in_rounds(session, [row for row, _ in rows])
    found = [Sitting(row.id, row.evening_id, rounds[row.id], over) for row, over in rows]
    return sorted(found, key=lambda one: (evenings[one.evening], one.round))


def _in_rounds(session: Session, games: Sequence[GameRow]) -> dict[str, int]:
    """The round of each game.

    A table that was opened by hand for two or more who have played in its round already is of a
    later one.
    """
    seats = select(SeatingRow).where(SeatingRow.game_id.in_([game.id for game in games]))
    people: dict[str, set[str]] = {game.id: set() for game in games}
    for seat in session.scalars(seats):
        people[seat.game_id].add(seat.person_id)
    sat: dict[tuple[str, int], list[set[str]]] = {}
    found = {}
    for game in games:
        number, here = game.round, people[game.id]
        while game.drawn is None and any(
            len(here & others) > 1 for others in sat.get((game.evening_id, number), ())
        ):
            number += 1
        sat.setdefault((game.evening_id, number), []).append(here)
        found[game.id] = number
    return found


def _tables(session: Session, games: Iterable[str]) -> dict[str, Table]:
    """The scores at each of these games of which a hand was played."""
    won = func.coalesce(func.max(case((HandScoreRow.won, HandScoreRow.total))), 0)
    query = (
        select(
            HandScoreRow.game_id,
            HandScoreRow.person_id,
            func.sum(HandScoreRow.gain),
            func.sum(case((HandScoreRow.won, 1), else_=0)),
            won,
        )
        .where(HandScoreRow.game_id.in_(list(games)))
        .group_by(HandScoreRow.game_id, HandScoreRow.person_id)
    )
    found: dict[str, Table] = {}
    joined = joined_people(session)
    for game, person, points, hands, highest in session.execute(query):
        score = Score(joined.get(person, person), int(points), int(hands), int(highest))
        found[game] = (*found.get(game, ()), score)
    return found


def _newest(session: Session, contest: str) -> ContestRow | None:
    query = select(ContestRow).where(ContestRow.contest == contest)
    return session.scalars(query.order_by(ContestRow.id.desc()).limit(1)).first()


def _row_of(session: Session, contest: str, head: int) -> ContestRow:
    row = _newest(session, contest)
    if row is None or row.id != head:
        raise ContestMoved
    return row


def _row(contest: str, plan: Plan | None, what: Message | str, parent: int | None) -> ContestRow:
    told = None if plan is None else plan.to_json()
    return ContestRow(
        contest=contest, told=told, what=kept(what, 200), parent=parent, at=steady_now()
    )


def _effective(session: Session, row: ContestRow) -> ContestRow:
    """The row itself, or the one that it brought back."""
    return row if row.restores is None else session.get_one(ContestRow, row.restores)


def _plan(session: Session, row: ContestRow) -> Plan | None:
    """What was decided; None if it was removed, or if another program wrote what cannot be read."""
    try:
        plan = None if row.told is None else Plan.from_json(row.told)
    except PlanRefused:
        return None
    return None if plan is None else plan.standing_for(joined_people(session))


def _decided(session: Session, row: ContestRow) -> Decided:
    last = _effective(session, row)
    undo = None if last.parent is None else brought_back(last.what)
    return Decided(row.contest, row.id, _plan(session, row), undo)
