"""The display in the hall: who sits where, the standings, and the biggest hand of the night."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeVar

from flask import Blueprint, render_template, request
from flask_babel import gettext, ngettext

from scorer import Deal
from webapp.book.draws import Kept, round_of
from webapp.club_settings.groups import HallDisplay
from webapp.contest.standing import Line
from webapp.evening.evenings import Evening
from webapp.games.handovers import who_sat
from webapp.games.store import StoredGame
from webapp.games.words import position_line, signed, table_title
from webapp.pages.contest_shown import Shown, of_evening
from webapp.pages.evening.evenings import placed_results
from webapp.pages.evening.here import way_in
from webapp.security.policy import HALL, Policy
from webapp.services import services

pages = Blueprint("hall", __name__)

TABLES_AT_ONCE: Final = 6
"""Number of tables that fit the screen in print that is read from ten metres."""

PLACES_AT_ONCE: Final = 10
"""Number of places of the standings that fit the screen in that print."""

EVERY_S: Final = 15
"""Seconds after which the display is fetched again; where not all fits, what comes next is
shown."""

MOST_LETTERS: Final = 3
"""Greatest number of letters of a last name that tell apart players with the same first name."""

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Card:
    """A table on the display, or those who rest.

    Attributes:
        title: what it is called.
        line: where its game stands; empty before it begins.
        seats: wind and name of each player; the wind is empty for those who rest.
        out: the names of those who sit out the hand that is played, or the first one.
    """

    title: str
    line: str
    seats: tuple[tuple[str, str], ...]
    out: tuple[str, ...] = ()

    @property
    def names(self) -> set[str]:
        """The names on it."""
        return {name for _, name in self.seats} | {*self.out}


@dataclass(frozen=True, slots=True)
class Panel:
    """The tables that are shown at once, under one heading, and which rounds are not over."""

    heading: str
    cards: Sequence[Card]
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """A part of a standing: place, name and total of each player, or of each team."""

    heading: str
    rows: Sequence[tuple[str, str, str]]
    teams: bool = False


@dataclass(frozen=True, slots=True)
class Best:
    """The biggest hand: who won it, at which table, its worth, what it is, and its tiles."""

    name: str
    title: str
    ruleset: str
    total: int
    kind: str
    sets: tuple[tuple[str, ...], ...]


def called(names: Iterable[str], *, full: bool) -> dict[str, str]:
    """What the display calls each player.

    Args:
        names: the names of all who are shown.
        full: whether they are told whole; else it is the first names, with as many letters of the
            last as tell apart those who share them, at most :data:`MOST_LETTERS`.
    """
    left = sorted(set(names))
    if full:
        return {name: name for name in left}
    told: dict[str, str] = {}
    for letters in range(MOST_LETTERS + 1):
        short = {name: _short(name, letters) for name in left}
        alike = Counter(short.values())
        last = letters == MOST_LETTERS
        told |= {name: it for name, it in short.items() if last or alike[it] == 1}
        left = [name for name in left if name not in told]
    return told


def _short(name: str, letters: int) -> str:
    first, *rest = name.split()
    return f"{first} {rest[-1][:letters]}." if letters and rest else first


@pages.get("/hall")
@Policy(HALL)
def show() -> str:
    """Show the display; what asks again gets the part that changes."""
    found = services()
    evening, games = found.tonight()
    panels, best, boards = _panels(evening, games), best_hand(games), _boards(evening, games)
    tables: Sequence[Panel | None] = panels or [None]
    standings: Sequence[Board | None] = boards or [None]
    turn = request.args.get("turn", 0, type=int) % (2 * len(tables) * len(standings))
    names = {name for board in boards if not board.teams for _, name, _ in board.rows}
    names |= {best.name} if best else set()
    names |= {name for panel in panels for card in panel.cards for name in card.names}
    part, over = "HX-Request" in request.headers, bool(games) and not panels
    return render_template(
        "evening/hall_now.html" if part else "evening/hall.html",
        evening=evening,
        played=bool(games),
        panel=tables[turn % len(tables)],
        board=standings[turn % len(standings)],
        best=best,
        called=called(names, full=found.decided.of(HallDisplay).full_names),
        now=datetime.now().astimezone(),
        left=None if evening is None else found.clock.left(evening.id),
        way_in=None if evening is None or over or (boards and turn % 2) else way_in(evening.id),
        turn=turn + 1,
        every=EVERY_S,
    )


def _boards(evening: Evening | None, games: list[StoredGame]) -> list[Board]:
    """The standing of the evening, part after part: that of its tournament, then of its teams."""
    found = None if evening is None else of_evening(evening.id)
    if found is None or found.decided is None:
        rows = [(str(place), name, signed(gain)) for place, name, gain, _ in placed_results(games)]
        heading = gettext("The evening so far")
        return [Board(heading, part) for part in _parts(rows, PLACES_AT_ONCE)]
    players = _rows(found, found.lines, found.names)
    boards = [Board(found.heading, part) for part in _parts(players, PLACES_AT_ONCE)]
    heading = gettext("Teams. %(heading)s", heading=found.heading)
    teams = _parts(_rows(found, found.teams, {}), PLACES_AT_ONCE)
    return boards + [Board(heading, part, teams=True) for part in teams]


def _rows(
    found: Shown, lines: Iterable[Line], names: Mapping[str, str]
) -> list[tuple[str, str, str]]:
    return [
        (str(line.place or ""), names.get(line.who, line.who), found.total(line)) for line in lines
    ]


def _panels(evening: Evening | None, games: Sequence[StoredGame]) -> list[Panel]:
    """The tables that play, a screen after the other, and those of the round drawn next."""
    draws = services().book.draws
    kept = None if evening is None else draws.latest(evening.id)
    names = {} if kept is None else draws.names()
    by_round: dict[int, list[StoredGame]] = {}
    for stored in games:
        by_round.setdefault(stored.round, []).append(stored)
    now = [card for number in by_round for card in _playing(by_round[number], number, kept, names)]
    heading, several = gettext("Now playing"), [it for it in games if it.several]
    rounds = {it.round for it in several if not it.book.over}
    if len(rounds) == 1:
        heading = gettext("Now playing: round %(number)s", number=rounds.pop())
        plain = {it.title: table_title(it.number, None) for it in several if not it.book.over}
        now = [replace(card, title=plain.get(card.title, card.title)) for card in now]
    lines = [line for number in by_round for line in _still_playing(by_round[number], number)]
    panels = [Panel(heading, cards, lines) for cards in _parts(now, TABLES_AT_ONCE)]
    return panels if kept is None else panels + _next_round(kept, names)


def _next_round(kept: Kept, names: Mapping[str, str]) -> list[Panel]:
    """The first round that was drawn and whose tables are not open yet."""
    for number, round_ in enumerate(kept.drawing.rounds):
        if number in kept.opened:
            continue
        cards = [
            Card(
                gettext("Table %(number)s", number=at),
                "",
                tuple((wind, names.get(person, "?")) for wind, person in table.seats.items()),
                () if table.out is None else (names.get(table.out, "?"),),
            )
            for at, table in enumerate(round_.tables, 1)
        ]
        if round_.resting:
            resting = tuple(("", names.get(person, "?")) for person in round_.resting)
            cards.append(Card(gettext("Sits out this round"), "", resting))
        heading = gettext("Next: round %(number)s", number=kept.round_number(number))
        return [Panel(heading, part) for part in _parts(cards, TABLES_AT_ONCE)]
    return []


def _playing(
    games: Sequence[StoredGame], number: int, kept: Kept | None, names: Mapping[str, str]
) -> Iterator[Card]:
    """The tables of a round that play, and who sits it out."""
    plays = False
    for stored in games:
        position = stored.game.next
        if position is not None and not stored.book.over:
            plays = True
            seats = tuple(position.seats.items())
            yield Card(stored.title, position_line(position), seats, position.waiting)
    drawn = None if kept is None else round_of(kept, number)
    if plays and drawn is not None and drawn.resting:
        resting = tuple(("", names.get(person, "?")) for person in drawn.resting)
        yield Card(gettext("Sits out round %(number)s", number=number), "", resting)


def _still_playing(games: Sequence[StoredGame], number: int) -> Iterator[str]:
    """How many tables of a round still play, and which have finished, once one of them has."""
    over = [str(stored.number) for stored in games if stored.book.over]
    if not 0 < len(over) < len(games):
        return
    playing = gettext(
        "Round %(round)s: %(playing)s of %(tables)s tables still playing",
        round=number,
        playing=len(games) - len(over),
        tables=len(games),
    )
    finished = ngettext(
        "Finished: table %(numbers)s",
        "Finished: tables %(numbers)s",
        len(over),
        numbers=", ".join(over),
    )
    yield f"{playing} · {finished}"


def _parts(items: Sequence[_Item], most: int) -> list[Sequence[_Item]]:
    """The items in as few parts as hold them, all of about the same length."""
    number = -(-len(items) // most)
    length = -(-len(items) // number) if number else most
    return [items[at : at + length] for at in range(0, len(items), length)]


def best_hand(games: Iterable[StoredGame]) -> Best | None:
    """The hand with the highest total that someone went out on, the first of equal ones."""
    won = (best for stored in games for best in _won(stored))
    return max(won, key=lambda best: best.total, default=None)


def _won(stored: StoredGame) -> Iterator[Best]:
    for state in stored.game.hands:
        if state.winner is None or state.result is None or not isinstance(state.hand, Deal):
            continue
        wind, number = state.position.wind_of(state.winner), state.position.number
        score = next(part for part in state.result.players if part.seat == wind)
        bonus = next(player.bonus for player in state.hand.players if player.seat == wind)
        sets = (*(meld.tiles for meld in score.laid_out()), bonus)
        yield Best(
            who_sat(stored.book.handovers, state.winner, number),
            stored.title,
            state.result.ruleset,
            score.total,
            score.hand,
            tuple(filter(None, sets)),
        )
