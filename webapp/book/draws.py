"""The tables drawn for an evening, the wishes that the club keeps for every draw, and the past."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import combinations
from typing import Any, Final

from sqlalchemy import Engine, Select, delete, or_, select
from sqlalchemy.orm import Session

from webapp.book.tallies import Tallies
from webapp.database.sessions import sessions_on
from webapp.database.tables.book import ClubSettingRow, DrawingRow, HandScoreRow
from webapp.database.tables.deals import EveningRow, GameRow, PersonRow, games_removed, removed
from webapp.draw.drawing import Drawing, Round
from webapp.draw.entrants import Entrant, Odd, Past, Strength, Wishes
from webapp.draw.sizes import FULL
from webapp.evening.visits import Visit, visits_of
from webapp.games.revisions import first_easts
from webapp.people.names import joined_people, name_key
from webapp.runtime.steady_clock import steady_now

SETTING: Final = "wishes"
"""The key of the club's setting that holds the wishes."""

MAX_WISHES: Final = 100
"""Maximum number of wishes that a club keeps."""

LOOKED_BACK: Final = timedelta(days=183)
"""How far back meetings count where the club has no season: half a year."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One wish for every draw.

    Attributes:
        kind: ``apart``, ``together`` or ``table``.
        people: the ids of the two players, or of the one who always sits at ``table``.
        table: the number of that table; None for the other kinds.
    """

    kind: str
    people: tuple[str, ...]
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """The drawing of an evening as it is kept.

    Attributes:
        id: its number; a form that was made for another one is out of date.
        drawing: the tables, with the players' ids in the place of names.
        odd: what was done with those left over.
        first: the number that its first round has on the evening.
        opened: the rounds, counted from 0, of which the tables have been opened.
        rooms: the numbers in the room of its open tables, by their rounds and numbers in the draw.
    """

    id: int
    drawing: Drawing
    odd: Odd
    first: int = 1
    opened: tuple[int, ...] = ()
    rooms: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def round_number(self, round_: int) -> int:
        """The number on the evening of a round that is counted from 0."""
        return self.first + round_

    def table_number(self, round_: int, drawn: int) -> int:
        """The number that a drawn table has in the room; rounds are counted from 0."""
        return self.rooms.get((self.round_number(round_), drawn), drawn)


class Draws:
    """Reads and writes drawings and wishes in one short transaction per call, from any thread."""

    def __init__(self, engine: Engine, tallies: Tallies) -> None:
        self._sessions = sessions_on(engine)
        self._tallies = tallies

    def here(self, evening_id: str) -> dict[str, str]:
        """The names of those who came to an evening, by their ids, in alphabetical order."""
        with self._sessions() as session:
            here = visits_of(session, evening_id)
        return {visit.person: visit.name for visit in sorted(here, key=lambda v: name_key(v.name))}

    def names(self) -> dict[str, str]:
        """The names of all players by their ids; those who were joined have the other's name."""
        with self._sessions() as session:
            found = {row.id: row.name for row in session.scalars(select(PersonRow))}
            for other, person in joined_people(session).items():
                found[other] = found.get(person, found[other])
            return found

    def wishes(self) -> tuple[Wish, ...]:
        """The wishes of the club, in the order in which they were told."""
        with self._sessions() as session:
            told = ClubSettingRow.told(session, SETTING) or []
        return tuple(Wish(w["kind"], tuple(w["people"]), w.get("table")) for w in told)

    def wish(self, wish: Wish) -> None:
        """Keep a wish; the oldest goes where there are too many, the same one is kept once."""
        self._keep_wishes([*[w for w in self.wishes() if w != wish][1 - MAX_WISHES :], wish])

    def forget(self, number: int) -> None:
        """Keep a wish no longer, by its place in the list; nothing happens if there is none."""
        self._keep_wishes([w for at, w in enumerate(self.wishes()) if at != number])

    def _keep_wishes(self, wishes: list[Wish]) -> None:
        told = [{"kind": w.kind, "people": list(w.people), "table": w.table} for w in wishes]
        with self._sessions.begin() as session:
            ClubSettingRow.decide(session, SETTING, told)

    def past(self, since: date, tonight: str = "") -> Past:
        """Who met, who sat at a table not of four, and who was the first East, from this day on.

        Args:
            since: the first day that counts.
            tonight: the id of an evening whose drawn tables do not count.
        """
        self._tallies.refresh()
        query = (
            select(HandScoreRow.game_id, HandScoreRow.person_id)
            .join(GameRow, GameRow.id == HandScoreRow.game_id)
            .join(EveningRow, EveningRow.id == GameRow.evening_id)
            .where(
                EveningRow.day >= since,
                GameRow.id.not_in(games_removed()),
                EveningRow.id.not_in(removed("evening")),
                or_(GameRow.evening_id != tonight, GameRow.drawn.is_(None)),
            )
            .distinct()
        )
        tables: dict[str, set[str]] = {}
        with self._sessions() as session:
            joined = joined_people(session)
            for game_id, person_id in session.execute(query):
                tables.setdefault(game_id, set()).add(joined.get(person_id, person_id))
            first = first_easts(session, tables)
        met = Counter(
            frozenset(pair) for people in tables.values() for pair in combinations(people, 2)
        )
        odd = Counter(p for people in tables.values() if len(people) != FULL for p in people)
        return Past(met, odd, Counter(joined.get(person, person) for person in first))

    def latest(self, evening_id: str) -> Kept | None:
        """The drawing that counts for an evening; None if none does."""
        with self._sessions() as session:
            row = session.scalars(_newest(evening_id, 1)).first()
            return None if row is None else _kept(row, _open_tables(session, evening_id))

    def opened(self, evening_id: str) -> dict[int, Round]:
        """The rounds of an evening of which drawn tables are open, by their numbers."""
        with self._sessions() as session:
            open_now = _open_tables(session, evening_id)
            rows = session.scalars(_newest(evening_id)) if open_now else ()
            all_kept = [_kept(row, open_now) for row in rows]
        found: dict[int, Round] = {}
        for kept in all_kept:
            for at in kept.opened:
                found.setdefault(kept.round_number(at), kept.drawing.rounds[at])
        return found

    def keep(
        self, evening_id: str, drawing: Drawing, odd: Odd, instead: Kept | None = None
    ) -> None:
        """Let a drawing count for an evening; the one before it can be brought back.

        Args:
            evening_id: the id of the evening.
            drawing: the tables, with the players' ids in the place of names.
            odd: what was done with those left over.
            instead: the drawing of the same rounds that it takes the place of; None for a new one,
                which goes on after the rounds that were drawn and opened.
        """
        with self._sessions.begin() as session:
            open_now = _open_tables(session, evening_id)
            first = (
                1 + max((it for it, _ in open_now), default=0) if instead is None else instead.first
            )
            drawn = {**drawing.to_json(), "odd": str(odd), "first": first}
            session.add(DrawingRow(evening_id=evening_id, drawn=drawn, at=steady_now()))

    def take_back(self, evening_id: str, kept: int) -> bool:
        """Reinstate the draw before this one; return whether that was possible.

        It cannot be done where tables are open that the one before does not have. Nothing happens
        if the drawing counts no more.
        """
        with self._sessions.begin() as session:
            open_now = _open_tables(session, evening_id)
            now, *before = [_kept(row, open_now) for row in session.scalars(_newest(evening_id, 2))]
            if now.id != kept:
                return True
            numbers = [now.round_number(round_) for round_ in now.opened]
            if any(round_of(now, n) not in [round_of(it, n) for it in before] for n in numbers):
                return False
            session.execute(delete(DrawingRow).where(DrawingRow.id == kept))
            return True


def entrants_of(
    visits: Iterable[Visit], first: int, strengths: Mapping[str, float]
) -> list[Entrant]:
    """Those for whom rounds are drawn, each for the rounds in which they are here.

    Args:
        visits: who is here on the evening.
        first: the number on the evening of the first round that is drawn.
        strengths: how strong players are, by their ids.
    """
    return [
        Entrant(
            visit.person,
            max(0, (visit.first or 1) - first),
            None if visit.last is None else visit.last - first,
            strength=strengths.get(visit.person),
        )
        for visit in visits
        if visit.last is None or visit.last >= first
    ]


def asked(
    entrants: Iterable[Entrant],
    wishes: tuple[Wish, ...],
    odd: Odd,
    strength: Strength = Strength.ANY,
) -> tuple[list[Entrant], Wishes]:
    """What is drawn for: the players with the tables at which they always sit, and the wishes."""
    players = {entrant.name: entrant for entrant in entrants}
    about = [wish for wish in wishes if set(wish.people) <= players.keys()]
    tables = {wish.people[0]: wish.table for wish in about if wish.kind == "table"}
    pairs = {
        kind: frozenset(frozenset(wish.people) for wish in about if wish.kind == kind)
        for kind in ("apart", "together")
    }
    seated = [replace(entrant, table=tables.get(name)) for name, entrant in players.items()]
    return seated, Wishes(pairs["apart"], pairs["together"], strength, odd)


def round_of(kept: Kept, number: int) -> Round | None:
    """The tables that were drawn for a round of the evening; None if it was drawn otherwise."""
    drawn = number - kept.first
    return kept.drawing.rounds[drawn] if 0 <= drawn < len(kept.drawing.rounds) else None


def _newest(evening_id: str, most: int | None = None) -> Select[DrawingRow]:
    query = select(DrawingRow).where(DrawingRow.evening_id == evening_id)
    return query.order_by(DrawingRow.id.desc()).limit(most)


def _open_tables(session: Session, evening_id: str) -> dict[tuple[int, int], int]:
    """The tables of an evening that were drawn and opened, as :attr:`Kept.rooms`."""
    query = select(GameRow.round, GameRow.drawn, GameRow.number).where(
        GameRow.evening_id == evening_id,
        GameRow.drawn.is_not(None),
        GameRow.id.not_in(games_removed()),
    )
    found = session.execute(query)
    return {(round_, drawn): number for round_, drawn, number in found if drawn is not None}


def _kept(row: DrawingRow, open_now: Mapping[tuple[int, int], int]) -> Kept:
    told: dict[str, Any] = row.drawn
    drawing, first = Drawing.from_json(told), told.get("first", 1)
    rounds = {round_ for round_, _ in open_now}
    opened = [n for n in range(len(drawing.rounds)) if first + n in rounds]
    over = tuple({*opened, *told.get("opened", ())})
    return Kept(row.id, drawing, Odd(told["odd"]), first, over, open_now)
