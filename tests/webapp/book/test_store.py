"""Players, seasons, figures and archives in the database: on SQLite and on PostgreSQL."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

from scorer.game.corrections import correct
from scorer.game.hands import Drawn
from tests.webapp.book_fixtures import (
    AUTUMN,
    PLAYERS,
    SPRING,
    a_dealt_table,
    agreed,
    becomes,
    book_of,
    everything,
    lines,
    person_id,
    play,
    rows,
    two_evenings,
)
from webapp.backup.archive import ArchiveRefused, read_archive, write_archive, write_archive_file
from webapp.book.seasons import SeasonRefused, Span
from webapp.database.engine import open_database
from webapp.deal.state import new_deal
from webapp.deal.store import Store
from webapp.draw.drawing import draw
from webapp.draw.entrants import Entrant
from webapp.evening.evenings import Club
from webapp.games.handovers import Handover, handed_over
from webapp.games.store import Book, GameStore
from webapp.personal_data.erasure import erase


def test_a_board_adds_up_what_the_hands_came_to(engine: Engine) -> None:
    two_evenings(engine)
    board = lines(book_of(engine))
    assert {name: line.total for name, line in board.items()} == {
        "Ann": 300 + 150 - 400 - 128, "Bob": -100 - 50 + 400 - 64,
        "Cat": -100 - 50 + 256, "Dee": -100 - 50 - 64,
    }  # fmt: skip
    ann, cat = board["Ann"], board["Cat"]
    assert (ann.evenings, ann.tables, ann.hands, ann.won) == (2, 2, 5, 2)
    assert ann.payment == (400 + 128) / 3
    assert (ann.best, cat.best) == (None, 64)
    assert list(board) == ["Bob", "Cat", "Ann", "Dee"], "the highest total first"
    spring = lines(book_of(engine), Span(SPRING, SPRING))
    assert (spring["Ann"].total, spring["Ann"].hands) == (50, 3)
    assert lines(book_of(engine), Span(date(2027, 1, 1))) == {}


def test_the_draw_knows_who_was_the_first_east_this_season(engine: Engine) -> None:
    _, autumn = two_evenings(engine)
    bob_first = {"E": "Bob", "S": "Ann", "W": "Cat", "N": "Dee"}
    play(engine, AUTUMN, [agreed("Ann", {"Bob": 8})], players=bob_first)
    play(engine, AUTUMN, [], players={"E": "Cat", "S": "Ann", "W": "Bob"})
    book, games = book_of(engine), GameStore(engine)

    def easts(since: date) -> dict[str, int]:
        names = book.draws.names()
        return {names[who]: times for who, times in book.draws.past(since).east.items()}

    assert easts(SPRING) == {"Ann": 2, "Bob": 1}, "no hand was played at the last table"
    assert easts(AUTUMN) == {"Ann": 1, "Bob": 1}
    names = {person_id(book, name): name for name in PLAYERS.values()}
    drawn = draw([Entrant(who) for who in names], 2, past=book.draws.past(SPRING))
    assert {names[round_.tables[0].players[0]] for round_ in drawn.rounds} == {"Cat", "Dee"}
    stored = games.game(autumn)
    assert stored is not None
    for hand, told in ((2, {"Ann": 1, "Bob": 1}), (1, {"Zoe": 1, "Bob": 1})):
        handover = Handover(hand, {"Ann": "Zoe"})
        after = Book(handed_over(stored.game, handover), stored.book.deals, handovers=(handover,))
        Club(engine).welcome(stored.evening_id, ["Zoe"])
        head = games.edit(autumn, stored.head, becomes(after), "Zoe plays").head
        assert easts(AUTUMN) == told, "a substitute was not the first East, a wrong name was none"
        games.undo(autumn, head)
        stored = games.game(autumn)
        assert stored is not None


def test_a_board_follows_corrections_undo_and_later_hands(engine: Engine) -> None:
    spring, _ = two_evenings(engine)
    book, games = book_of(engine), GameStore(engine)
    assert lines(book)["Ann"].won == 2
    stored = games.game(spring)
    assert stored is not None

    def without_the_first(now: Book) -> Book:
        return Book(correct(now.game, 1, Drawn()).game, now.deals, closed=True)

    changed = games.edit(spring, stored.head, without_the_first, "Hand 1 corrected")
    assert lines(book)["Ann"].won == 1
    assert lines(book)["Bob"].total == 286
    games.undo(spring, changed.head)
    assert lines(book)["Ann"].won == 2
    assert lines(book)["Bob"].total == 186


def test_records_name_each_hand_once(engine: Engine) -> None:
    spring, autumn = two_evenings(engine)
    found = book_of(engine).statistics.records(Span())
    assert [(h.name, h.total, h.game_id) for h in found.highest] == [("Cat", 64, autumn)]
    assert [(h.name, h.run, h.hand, h.game_id) for h in found.runs] == [("Ann", 2, 2, spring)]
    assert [(h.name, h.gain) for h in found.swings] == [("Bob", 400), ("Ann", 300), ("Cat", 256)]
    assert [(day, name, gain) for day, _, name, gain in found.evenings] == [
        (AUTUMN, "Cat", 256), (SPRING, "Bob", 250), (SPRING, "Ann", 50),
    ]  # fmt: skip


def test_ratings_follow_the_places_at_finished_tables(engine: Engine) -> None:
    first = [agreed("Ann", {"Bob": 30, "Cat": 20, "Dee": 10})]
    play(engine, SPRING, first)
    board = lines(book_of(engine))
    order = ["Ann", "Dee", "Cat", "Bob"]
    ratings = [board[name].rating for name in order]
    points = [rating.points for rating in ratings if rating is not None]
    assert points == sorted(points, reverse=True)
    assert len(set(points)) == 4
    assert sum(points) == pytest.approx(4000, abs=4), "nobody gains what nobody loses"
    before = dict(zip(order, points, strict=True))
    play(engine, datetime.now().astimezone().date(), first, closed=False)
    again = lines(book_of(engine))["Ann"]
    assert again.tables == 2
    assert again.rating is not None
    assert (again.rating.points, again.rating.tables) == (before["Ann"], 1), "it is not finished"
    play(engine, AUTUMN, [Drawn()], closed=True)
    assert lines(book_of(engine))["Ann"].rating == again.rating, "a table of draws tells nothing"


def test_a_season_shows_the_rating_at_its_end(engine: Engine) -> None:
    play(engine, SPRING, [agreed("Ann", {"Bob": 30, "Cat": 20, "Dee": 10})])
    play(engine, AUTUMN, [agreed("Bob", {"Ann": 30, "Cat": 20, "Dee": 10})])
    book = book_of(engine)
    spring, later = lines(book, Span(SPRING, SPRING))["Ann"], lines(book)["Ann"]
    assert spring.rating is not None
    assert later.rating is not None
    assert (spring.rating.tables, later.rating.tables) == (1, 2)
    assert spring.rating.points > later.rating.points
    assert [r.tables for r in book.statistics.person(later.person_id, Span()).ratings] == [1, 2]


def test_a_person_has_a_course_and_averages(engine: Engine) -> None:
    two_evenings(engine)
    book = book_of(engine)
    ann = book.statistics.person(person_id(book, "ann"), Span())
    assert ann.evenings == [(SPRING, 50), (AUTUMN, -128)]
    assert (ann.total, ann.tables, len(ann.won), ann.win_rate) == (-78, 2, 2, 0.4)
    assert (ann.received, ann.payment) == (225.0, (400 + 128) / 3)
    cat = book.statistics.person(person_id(book, "Cat"), Span())
    assert [(hand.total, hand.kind) for hand in cat.best()] == [(64, "claimed")]
    assert cat.specials() == []


def test_seasons_do_not_meet(engine: Engine) -> None:
    seasons = book_of(engine).seasons
    spring = seasons.keep(None, " Spring  2026 ", date(2026, 1, 1), date(2026, 6, 30))
    assert spring.name == "Spring 2026"
    with pytest.raises(SeasonRefused, match="overlap the season “Spring 2026”"):
        seasons.keep(None, "Summer", date(2026, 6, 30), date(2026, 8, 31))
    with pytest.raises(SeasonRefused, match="ends before it starts"):
        seasons.keep(None, "Summer", date(2026, 8, 1), date(2026, 7, 1))
    with pytest.raises(SeasonRefused, match="name"):
        seasons.keep(None, " ", date(2026, 7, 1), date(2026, 8, 1))
    autumn = seasons.keep(None, "Autumn", date(2026, 7, 1), date(2026, 12, 31))
    assert [season.name for season in seasons.all()] == ["Autumn", "Spring 2026"]
    assert seasons.of_day(date(2026, 6, 30)) == spring
    assert seasons.of_day(date(2027, 1, 1)) is None
    moved = seasons.keep(autumn.id, "Late 2026", date(2026, 7, 2), date(2026, 12, 30))
    assert seasons.season(autumn.id) == moved
    seasons.remove(spring.id)
    assert seasons.all() == [moved]
    with pytest.raises(KeyError):
        seasons.remove(spring.id)


def full_book(engine: Engine) -> None:
    """Something in every table of the book, and nulls where there may be any."""
    a_dealt_table(engine)
    two_evenings(engine)
    book = book_of(engine)
    book.people.rename(person_id(book, "Bob"), "Bob “Ünïcode” 碰")
    book.seasons.keep(None, "Spring", date(2026, 1, 1), date(2026, 6, 30))
    book.photos.decide(None)
    erase(engine, person_id(book, "Dee"))
    book.statistics.board(Span())
    store = Store(engine)
    store.add_photo(store.create(new_deal(("E", "S", "W"))), "E", "unread", b"\x00\xff" * 999)


def test_an_archive_brings_the_same_database_back(engine: Engine, tmp_path: Path) -> None:
    full_book(engine)
    before = rows(engine)
    written = write_archive_file(engine, tmp_path / "all.zip")
    assert written == sum(len(table) for name, table in before.items() if name != "alembic_version")
    empty = open_database(f"sqlite:///{tmp_path / 'other.sqlite3'}")
    assert read_archive(empty, tmp_path / "all.zip") == written
    assert rows(empty).keys() == before.keys()
    for name, table in rows(empty).items():
        told = [tuple(_utc(value) for value in row) for row in table]
        assert told == [tuple(_utc(value) for value in row) for row in before[name]], name
    again = io.BytesIO()
    write_archive(empty, again)
    first, second = zipfile.ZipFile(tmp_path / "all.zip"), zipfile.ZipFile(again)
    tables = [name for name in first.namelist() if name != "kongbox.json"]
    assert second.namelist() == first.namelist()
    assert [second.read(name) for name in tables] == [first.read(name) for name in tables]
    empty.dispose()


def _utc(value: object) -> object:
    """A moment with its zone: PostgreSQL tells it, SQLite does not."""
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value


def test_entries_can_be_made_after_an_import(engine: Engine, tmp_path: Path) -> None:
    source = open_database(f"sqlite:///{tmp_path / 'source.sqlite3'}")
    full_book(source)
    write_archive_file(source, tmp_path / "all.zip")
    source.dispose()
    read_archive(engine, tmp_path / "all.zip")
    play(engine, date(2026, 11, 1), [agreed("Ann", {"Cat": 10})])
    book = book_of(engine)
    book.people.rename(person_id(book, "Cat"), "Cathy")
    assert lines(book)["Cathy"].tables == 4


def test_an_archive_goes_into_an_empty_database_only(engine: Engine, tmp_path: Path) -> None:
    two_evenings(engine)
    write_archive_file(engine, tmp_path / "all.zip")
    before = everything(engine)
    with pytest.raises(ArchiveRefused, match="is not empty"):
        read_archive(engine, tmp_path / "all.zip")
    assert everything(engine) == before
    with pytest.raises(ArchiveRefused, match="is there already"):
        write_archive_file(engine, tmp_path / "all.zip")
