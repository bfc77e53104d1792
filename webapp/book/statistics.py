"""Leader boards, personal figures and records, summed up from :mod:`webapp.book.tallies`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from threading import Lock
from typing import Any, Final

from sqlalchemy import Engine, Row, Select, case, func, select
from sqlalchemy.orm import Session

from webapp.book.balances import Balance, balances_of
from webapp.book.ratings import Rating, rate
from webapp.book.seasons import Span
from webapp.book.tallies import Stamp, Tallies, matches
from webapp.database.sessions import sessions_on
from webapp.database.tables.book import ErasureRow, HandScoreRow, TallyRow
from webapp.database.tables.deals import EveningRow, GameRow, PersonRow, games_removed, round_told
from webapp.evening.evenings import today
from webapp.people.members import numbers

NO_SPECIAL: Final = frozenset({"ordinary", "none", "claimed"})
"""The kinds of hands that are not special hands."""

RECORDS: Final = 3
"""Number of places that each record shows."""


_Query = Select[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class PlayerHand:
    """One player's result in one hand, and where it was played.

    Attributes:
        person_id: the id of the player.
        name: the player's name.
        day: the day of the evening.
        game_id: the game.
        table: the number of the table.
        hand: the number of the hand in its game.
        ruleset: the ruleset of the game.
        won: whether the player went out.
        gain: the player's gain or loss in points.
        paid: what the player paid to others in points.
        total: the score of the player's tiles; None if no tiles were scored.
        kind: the scorer's id for the kind of hand; None if no tiles were scored.
        run: the player's number of wins in a row as dealer up to and including this hand, else 0.
        round: the round of the evening; None where the evening has one.
    """

    person_id: str
    name: str
    day: date
    game_id: str
    table: int
    hand: int
    ruleset: str
    won: bool
    gain: int
    paid: int
    total: int | None
    kind: str | None
    run: int
    round: int | None

    @property
    def special(self) -> bool:
        """Whether the player went out on a special hand."""
        return self.won and self.kind is not None and self.kind not in NO_SPECIAL


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One player on a leader board.

    ``best`` is the highest total of a hand that the player won, ``member`` the member number or
    empty. In ``total`` are the points with which the season began, ``carried``, and those of
    evenings without hands, ``brought``.
    """

    person_id: str
    name: str
    evenings: int
    tables: int
    hands: int
    won: int
    total: int
    paid: int
    best: int | None
    rating: Rating | None
    member: str = ""
    carried: int = 0
    brought: int = 0

    @property
    def win_rate(self) -> float:
        """Hands won of those played, 0 to 1."""
        return self.won / self.hands if self.hands else 0.0

    @property
    def payment(self) -> float:
        """Points paid on average in a hand that the player did not win."""
        others = self.hands - self.won
        return self.paid / others if others else 0.0

    @property
    def per_hand(self) -> float:
        """Points gained or lost on average in a hand."""
        own = self.total - self.carried - self.brought
        return own / self.hands if self.hands else 0.0


@dataclass(frozen=True)
class PersonalFigures:
    """The figures of one player; ``hands`` are in the order in which they were played.

    ``balances`` are the points of which there are no hands.
    """

    hands: tuple[PlayerHand, ...]
    ratings: tuple[Rating, ...]
    balances: tuple[Balance, ...] = ()

    @cached_property
    def won(self) -> tuple[PlayerHand, ...]:
        """The hands that the player won."""
        return tuple(hand for hand in self.hands if hand.won)

    @property
    def win_rate(self) -> float:
        """Hands won of those played, 0 to 1."""
        return len(self.won) / len(self.hands) if self.hands else 0.0

    @property
    def received(self) -> float:
        """Points gained on average in a hand that the player won."""
        return sum(hand.gain for hand in self.won) / len(self.won) if self.won else 0.0

    @property
    def payment(self) -> float:
        """Points paid on average in a hand that the player did not win."""
        others = [hand.paid for hand in self.hands if not hand.won]
        return sum(others) / len(others) if others else 0.0

    @property
    def total(self) -> int:
        """The sum of the gains of all hands and of the balances in points."""
        return sum(hand.gain for hand in self.hands) + sum(b.points for b in self.balances)

    @property
    def tables(self) -> int:
        """The number of tables at which the player sat."""
        return len({hand.game_id for hand in self.hands})

    @cached_property
    def evenings(self) -> list[tuple[date, int]]:
        """The gain of each day on which the player played, in order."""
        gains: dict[date, int] = {}
        for balance in self.balances:
            if balance.day is not None:
                gains[balance.day] = gains.get(balance.day, 0) + balance.points
        for hand in self.hands:
            gains[hand.day] = gains.get(hand.day, 0) + hand.gain
        return sorted(gains.items())

    def best(self, most: int = 5) -> list[PlayerHand]:
        """The hands with the highest totals that the player won, best first."""
        told = [hand for hand in self.won if hand.total is not None]
        return sorted(told, key=lambda hand: -(hand.total or 0))[:most]

    def specials(self, most: int = 6) -> list[tuple[str, str, int]]:
        """The special hands won, most frequent first: ruleset of the first, kind, number."""
        counts = Counter(hand.kind for hand in self.won if hand.special)
        first = {hand.kind: hand.ruleset for hand in reversed(self.won)}
        return [(first[kind], kind, number) for kind, number in counts.most_common(most) if kind]


@dataclass(frozen=True, slots=True)
class Records:
    """The records of the club, best first; ``evenings`` are day, player's id and name, and gain."""

    highest: tuple[PlayerHand, ...]
    runs: tuple[PlayerHand, ...]
    swings: tuple[PlayerHand, ...]
    evenings: tuple[tuple[date, str, str, int], ...]

    @property
    def any(self) -> bool:
        """Whether there is any record."""
        return bool(self.swings)


class Statistics:
    """Sums up the figures for boards and personal pages, from any thread."""

    def __init__(self, engine: Engine, tallies: Tallies) -> None:
        self._sessions = sessions_on(engine)
        self._tallies = tallies
        self._lock = Lock()
        self._rated: tuple[tuple[Stamp, date], dict[str, list[Rating]]] | None = None

    def board(self, span: Span) -> list[BoardLine]:
        """The players who played in a span, highest total first."""
        stamp = self._tallies.refresh()
        score = HandScoreRow
        query = _placed(
            select(
                PersonRow.id,
                PersonRow.name,
                func.count(EveningRow.id.distinct()),
                func.count(GameRow.id.distinct()),
                func.count(),
                func.sum(case((score.won, 1), else_=0)),
                func.sum(score.gain),
                func.sum(case((score.won, 0), else_=score.paid)),
                func.max(case((score.won, score.total))),
            ),
            span,
        ).group_by(PersonRow.id, PersonRow.name)
        with self._sessions() as session:
            lines = [_line(row) for row in session.execute(query)]
            known, balances = {line.person_id for line in lines}, balances_of(session, span)
            names = select(PersonRow).where(PersonRow.id.in_(balances.keys() - known))
            lines += [_idle(row) for row in session.scalars(names)]
            course, told = self._course(session, stamp), numbers(session)
        lines = [
            replace(
                _with(line, balances.get(line.person_id, ())),
                rating=_last(course.get(line.person_id, ()), span),
                member=told.get(line.person_id, ("",))[0],
            )
            for line in lines
        ]
        return sorted(lines, key=lambda line: (-line.total, line.name.casefold()))

    def person(self, person_id: str, span: Span) -> PersonalFigures:
        """The figures of one player in a span."""
        stamp = self._tallies.refresh()
        query = _hands_query(span).where(HandScoreRow.person_id == person_id)
        query = query.order_by(
            EveningRow.day, EveningRow.created_at, GameRow.created_at, GameRow.id, HandScoreRow.hand
        )
        with self._sessions() as session:
            hands = tuple(PlayerHand(*row) for row in session.execute(query))
            course = self._course(session, stamp).get(person_id, [])
            balances = balances_of(session, span).get(person_id, ())
        return PersonalFigures(hands, tuple(r for r in course if span.holds(r.day)), balances)

    def records(self, span: Span) -> Records:
        """The club's records in a span."""
        self._tallies.refresh()
        score = HandScoreRow
        won = _hands_query(span).where(score.won)
        swing = _hands_query(span).where(score.gain != 0)
        swing = swing.order_by(func.abs(score.gain).desc(), score.gain.desc())
        runs = won.where(score.run > 1).order_by(score.run.desc(), EveningRow.day)
        highest = won.where(score.total.is_not(None)).order_by(score.total.desc(), EveningRow.day)
        gain = func.sum(score.gain)
        evening = _placed(select(EveningRow.day, PersonRow.id, PersonRow.name, gain), span)
        evening = evening.group_by(EveningRow.id, EveningRow.day, PersonRow.id, PersonRow.name)
        evening = evening.having(gain > 0).order_by(gain.desc()).limit(RECORDS)
        with self._sessions() as session:
            return Records(
                highest=_hands(session, highest.limit(RECORDS)),
                runs=_first_of_each(_hands(session, runs.limit(20 * RECORDS)), _run),
                swings=_first_of_each(
                    _hands(session, swing.order_by(EveningRow.day).limit(4 * RECORDS)), _hand
                ),
                evenings=tuple(
                    (row[0], row[1], row[2], row[3]) for row in session.execute(evening)
                ),
            )

    def specials(self, kinds: Iterable[str], most: int) -> list[PlayerHand]:
        """The latest hands won as one of these special hands."""
        self._tallies.refresh()
        query = _hands_query(Span()).where(HandScoreRow.won, HandScoreRow.kind.in_(list(kinds)))
        query = query.order_by(EveningRow.day.desc(), HandScoreRow.hand).limit(most)
        with self._sessions() as session:
            return list(_hands(session, query))

    def ratings(self) -> dict[str, Rating]:
        """The rating of each player after the last table, by the player's id."""
        stamp = self._tallies.refresh()
        with self._sessions() as session:
            course = self._course(session, stamp)
        return {person: ratings[-1] for person, ratings in course.items()}

    def _course(self, session: Session, stamp: Stamp) -> dict[str, list[Rating]]:
        """The ratings of all players, kept until a game is counted or the day changes."""
        key = stamp, today()
        with self._lock:
            if self._rated is None or self._rated[0] != key:
                self._rated = key, rate(matches(session, key[1]))
            return self._rated[1]


def _placed(query: _Query, span: Span) -> _Query:
    """The query joined with hands, players, games and evenings, without erased players."""
    query = (
        query.select_from(HandScoreRow)
        .join(PersonRow, PersonRow.id == HandScoreRow.person_id)
        .join(GameRow, GameRow.id == HandScoreRow.game_id)
        .join(EveningRow, EveningRow.id == GameRow.evening_id)
        .where(
            HandScoreRow.person_id.not_in(select(ErasureRow.person_id)),
            GameRow.id.not_in(games_removed()),
        )
    )
    if span.first is not None:
        query = query.where(EveningRow.day >= span.first)
    if span.last is not None:
        query = query.where(EveningRow.day <= span.last)
    return query


def _hands_query(span: Span) -> _Query:
    """A query for hands with the columns of :class:`PlayerHand`."""
    score = HandScoreRow
    query = select(
        PersonRow.id, PersonRow.name, EveningRow.day, GameRow.id, GameRow.number, score.hand,
        TallyRow.ruleset, score.won, score.gain, score.paid, score.total, score.kind, score.run,
        round_told(),
    )  # fmt: skip
    return _placed(query, span).join(TallyRow, TallyRow.game_id == GameRow.id)


def _hands(session: Session, query: _Query) -> tuple[PlayerHand, ...]:
    return tuple(PlayerHand(*row) for row in session.execute(query))


def _line(row: Row[*tuple[Any, ...]]) -> BoardLine:
    person_id, name, evenings, tables, hands, won, total, paid, best = row
    return BoardLine(person_id, name, evenings, tables, hands, won, total, paid, best, None)


def _idle(row: PersonRow) -> BoardLine:
    """The line of a player without a hand."""
    return BoardLine(row.id, row.name, 0, 0, 0, 0, 0, 0, None, None)


def _with(line: BoardLine, balances: Iterable[Balance]) -> BoardLine:
    """The line with the points that the book has from elsewhere."""
    carried = sum(balance.points for balance in balances if balance.day is None)
    days = [balance.day for balance in balances if balance.day is not None]
    brought = sum(balance.points for balance in balances) - carried
    return replace(
        line,
        evenings=line.evenings + len(set(days)),
        total=line.total + carried + brought,
        carried=carried,
        brought=brought,
    )


def _run(hand: PlayerHand) -> Hashable:
    """What the hands of a player's runs at a table share, of which only the longest is shown."""
    return hand.game_id, hand.person_id


def _hand(hand: PlayerHand) -> Hashable:
    return hand.game_id, hand.hand


def _first_of_each(
    hands: Iterable[PlayerHand], key: Callable[[PlayerHand], Hashable]
) -> tuple[PlayerHand, ...]:
    found: dict[Hashable, PlayerHand] = {}
    for hand in hands:
        found.setdefault(key(hand), hand)
    return tuple(found.values())[:RECORDS]


def _last(course: Iterable[Rating], span: Span) -> Rating | None:
    """The rating after the last table within the span."""
    known = [rating for rating in course if span.last is None or rating.day <= span.last]
    return known[-1] if known else None
