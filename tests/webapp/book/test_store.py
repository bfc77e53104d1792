"""Players, seasons, figures and archives in the database: on SQLite and on PostgreSQL."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Engine, MetaData, select

from scorer.game.corrections import correct
from scorer.game.game import Drawn, record
from tests.webapp.book_fixtures import (
    AUTUMN,
    PLAYERS,
    SPRING,
    agreed,
    becomes,
    book_of,
    play,
    two_evenings,
)
from tests.webapp.conftest import hasten, migrated
from tests.webapp.database.postgres import new_database
from webapp.book.book import ClubBook
from webapp.book.seasons import SeasonRefused, Span
from webapp.book.statistics import BoardLine
from webapp.database.engine import open_database
from webapp.deal.state import DealState, new_deal
from webapp.deal.store import FAILED, Store
from webapp.draw.drawing import draw
from webapp.draw.entrants import Entrant
from webapp.games.club import Club, NameRefused
from webapp.games.handovers import Handover, handed_over
from webapp.games.store import Book, GameStore
from webapp.language.kept import brought_back
from webapp.language.noted import note
from webapp.people.erasure import erase
from webapp.people.photo_keeping import DELETED
from webapp.printed.person_file import person_zip
from webapp.upkeep.archive import ArchiveRefused, read_archive, write_archive, write_archive_file


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def engine(
    tmp_path: Path, empty_database: Path, request: pytest.FixtureRequest
) -> Iterator[Engine]:
    if request.param == "SQLite":
        shutil.copy(empty_database, tmp_path / "kongbox.sqlite3")
        with migrated():
            opened = open_database(f"sqlite:///{tmp_path / 'kongbox.sqlite3'}")
        hasten(opened)
    else:
        opened = open_database(new_database(request.getfixturevalue("server")))
    yield opened
    opened.dispose()


def lines(book: ClubBook, span: Span | None = None) -> dict[str, BoardLine]:
    return {line.name: line for line in book.statistics.board(span or Span())}


def rows(engine: Engine) -> dict[str, list[tuple[object, ...]]]:
    """Everything in the database, table by table and row by row."""
    meta = MetaData()
    with engine.connect() as connection:
        meta.reflect(connection)
        return {
            table.name: [
                tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))
            ]
            for table in meta.sorted_tables
        }


def everything(engine: Engine) -> str:
    return repr(rows(engine))


def person_id(book: ClubBook, name: str) -> str:
    person = book.people.named(name)
    assert person is not None
    return person.id


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
    with pytest.raises(SeasonRefused, match="meet the season “Spring 2026”"):
        seasons.keep(None, "Summer", date(2026, 6, 30), date(2026, 8, 31))
    with pytest.raises(SeasonRefused, match="ends before it begins"):
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


def test_a_new_name_is_shown_at_every_table_and_the_old_one_kept(engine: Engine) -> None:
    spring, _ = two_evenings(engine)
    book, games = book_of(engine), GameStore(engine)
    ann = person_id(book, "Ann")
    before = everything(engine).count("'Ann'")
    renamed = book.people.rename(ann, " Ann  Brown ")
    assert renamed.name == "Ann Brown"
    assert [name for name, _ in renamed.former] == ["Ann"]
    stored = games.game(spring)
    assert stored is not None
    assert stored.game.setup.names == ("Ann Brown", "Bob", "Cat", "Dee")
    assert stored.game.hands[0].winner == "Ann Brown"
    assert stored.game.totals["Ann Brown"] == 50
    assert everything(engine).count("'Ann'") >= before, "what was entered is not rewritten"
    assert lines(book)["Ann Brown"].total == -78
    new = book.people.add("Ann")
    assert new.id != ann
    book.people.rename(new.id, "Ann Green")
    with pytest.raises(NameRefused, match="called Bob already"):
        book.people.rename(ann, "bob")


def test_a_table_goes_on_under_a_new_name_and_further_ones(engine: Engine) -> None:
    game_id = play(engine, SPRING, [agreed("Ann", {"Bob": 10})], closed=False)
    book, games = book_of(engine), GameStore(engine)
    ann = person_id(book, "Ann")
    book.people.rename(ann, "Anna")
    stored = games.game(game_id)
    assert stored is not None

    def one_more(now: Book) -> Book:
        return Book(record(now.game, agreed("Anna", {"Bob": 20})), (None, None))

    games.edit(game_id, stored.head, one_more, "Hand 2: Anna won")
    book.people.rename(ann, "Annie")
    assert lines(book)["Annie"].won == 2
    undone = games.undo(game_id, stored.head + 1)
    assert undone.game.hands[0].winner == "Annie"
    assert lines(book)["Annie"].won == 1


def test_a_name_that_another_had_at_a_shared_table_is_refused(engine: Engine) -> None:
    play(engine, SPRING, [Drawn()])
    people = book_of(engine).people
    people.rename(person_id(book_of(engine), "Ann"), "Anna")
    with pytest.raises(NameRefused, match="at a table at which both played"):
        people.rename(person_id(book_of(engine), "Bob"), "Ann")
    stranger = people.add("Eve")
    assert people.rename(stranger.id, "Ann").name == "Ann", "at no shared table it is free"


def a_dealt_table(engine: Engine) -> tuple[str, str, dict[str, str]]:
    """A table whose next hand was begun as a deal with a photo for each player."""
    game_id = play(engine, SPRING, [agreed("Ann", {"Bob": 10})], closed=False)
    store = Store(engine)
    deal_id = store.create(new_deal(("E", "S", "W", "N"), PLAYERS), (game_id, 2))
    photos = {}
    for seat in PLAYERS:
        photo = store.add_photo(deal_id, seat, f"{PLAYERS[seat]}.jpg", b"raw" + seat.encode())
        store.finish_photo(photo, {"tiles": []}, b"picture " + seat.encode())
        photos[seat] = photo
        store.edit(deal_id, partial(_with_photo, seat=seat, photo=photo), "Photo read")
    return game_id, deal_id, photos


def _with_photo(state: DealState, seat: str, photo: str) -> DealState:
    return replace(
        state,
        players=tuple(
            replace(p, photo=photo, claimed=20) if p.seat == seat else p for p in state.players
        ),
    )


def test_erasing_leaves_no_name_and_no_photo_and_the_tables_add_up(engine: Engine) -> None:
    book, games, store = book_of(engine), GameStore(engine), Store(engine)
    play(engine, AUTUMN, [agreed("Zebedee", {"Bob": 70})], players={
        "E": "Zebedee", "S": "Bob", "W": "Cat", "N": "Zebedee Two",
    })  # fmt: skip
    game_id, deal_id, photos = a_dealt_table(engine)
    whole = store.add_photo(deal_id, "T", "all.jpg", b"raw of the whole table")
    ann = person_id(book, "Ann")
    book.people.rename(ann, "Wilhelmina")
    single = store.create(new_deal(("E", "S", "W", "N"), {"E": "wilhelmina", "S": "Bob"}))
    store.edit(single, lambda state: state, "Tiles of Wilhelmina")
    totals = games.game(game_id)
    assert totals is not None
    figures = {name: line.total for name, line in lines(book).items()}
    done = erase(engine, ann)
    assert (done.tables, done.photos) == (1, 2)
    assert store.start_reading(whole) is None
    left = everything(engine)
    assert "Wilhelmina" not in left
    assert "wilhelmina" not in left
    assert "'Ann'" not in left
    assert "Ann won" not in left
    assert "picture E" not in left
    assert {seat: store.picture(photo) for seat, photo in photos.items()} == {
        "E": None, "S": b"picture S", "W": b"picture W", "N": b"picture N",
    }  # fmt: skip
    gone = store.photo(photos["E"])
    assert gone is not None
    assert (gone.stage, gone.error, gone.name) == (FAILED, DELETED, "")
    after = games.game(game_id)
    assert after is not None
    assert list(after.game.totals.values()) == list(totals.game.totals.values())
    assert after.game.setup.names[0] == done.now_called == "Former player 1"
    deal = store.deal(deal_id)
    assert deal is not None
    assert [p.name for p in deal.state.players] == [done.now_called, "Bob", "Cat", "Dee"]
    board = {name: line.total for name, line in lines(book).items()}
    assert board == {name: total for name, total in figures.items() if name != "Wilhelmina"}
    assert book.people.person(ann) is None
    assert "Former player 1" not in Club(engine).people()
    with pytest.raises(NameRefused, match="left the book"):
        Club(engine).welcome(after.evening_id, ["Former player 1"])
    with pytest.raises(KeyError):
        erase(engine, ann)


def test_erasing_spares_those_whose_name_begins_alike(engine: Engine) -> None:
    seats = {"E": "Ann", "S": "Ann Brown", "W": "Cat", "N": "Dee"}
    game_id = play(engine, SPRING, [agreed("Ann Brown", {"Ann": 10})], players=seats, closed=False)
    games = GameStore(engine)
    for what in ("Hand 2: Ann Brown won", "Hand 2: Ann won"):
        stored = games.game(game_id)
        assert stored is not None
        games.edit(game_id, stored.head, lambda now: now, what)
    done = erase(engine, person_id(book_of(engine), "Ann"))
    told = [entry.what for entry in games.history(game_id)]
    assert told[:2] == [f"Hand 2: {done.now_called} won", "Hand 2: Ann Brown won"]
    stored = games.game(game_id)
    assert stored is not None
    assert stored.game.setup.names == (done.now_called, "Ann Brown", "Cat", "Dee")


def test_erasing_takes_a_name_out_of_the_messages_that_are_kept(engine: Engine) -> None:
    seats = {"E": "Ann", "S": "message", "W": "number", "N": "Dee"}
    game_id = play(engine, SPRING, [agreed("Ann", {"Dee": 10})], players=seats, closed=False)
    games = GameStore(engine)
    for name in ("message", "number", "Ann"):
        stored = games.game(game_id)
        assert stored is not None
        what = note("Hand {number}: {name} won", number=2, name=name)
        games.edit(game_id, stored.head, lambda now: now, what)
    done = erase(engine, person_id(book_of(engine), "message"))
    told = [str(brought_back(entry.what)) for entry in games.history(game_id)]
    assert told[:3] == ["Hand 2: Ann won", "Hand 2: number won", f"Hand 2: {done.now_called} won"]


def test_a_server_that_remembers_a_game_forgets_the_name(engine: Engine) -> None:
    game_id = play(engine, SPRING, [agreed("Ann", {"Bob": 10})])
    games = GameStore(engine)
    games.game(game_id)
    erase(engine, person_id(book_of(engine), "Ann"))
    stored = games.game(game_id)
    assert stored is not None
    assert "Ann" not in stored.game.setup.names


def test_a_players_file_holds_their_own_and_nobody_elses(engine: Engine) -> None:
    _, _, photos = a_dealt_table(engine)
    book = book_of(engine)
    book.people.rename(person_id(book, "Ann"), "Anna")
    packed = zipfile.ZipFile(io.BytesIO(person_zip(book, person_id(book, "Anna"))))
    document = json.loads(packed.read("player.json"))
    assert document["name"] == "Anna"
    assert [entry["name"] for entry in document["former_names"]] == ["Ann"]
    assert document["guest"] is False
    assert document["evenings"] == [
        {
            "day": SPRING.isoformat(),
            "place": "Village hall",
            "from_round": None,
            "to_round": None,
            "by_phone": False,
        }
    ]
    assert [(hand["gain"], hand["won"]) for hand in document["hands"]] == [(10, True)]
    assert [(entry["hand"], entry["claimed"]) for entry in document["tiles"]] == [(2, 20)]
    assert [entry["file"] for entry in document["photos"]] == [f"photos/{photos['E']}.jpg"]
    assert packed.read(f"photos/{photos['E']}.jpg") == b"picture E"
    assert len(packed.namelist()) == 2
    whole = packed.read("player.json").decode()
    assert not any(name in whole for name in ("Bob", "Cat", "Dee"))


def test_photos_go_when_their_time_is_over(engine: Engine) -> None:
    _, _, photos = a_dealt_table(engine)
    keeping, store = book_of(engine).photos, Store(engine)
    now = datetime.now(UTC)
    assert keeping.days is None
    assert keeping.clean(now + timedelta(days=9999)) == 0, "a club that decides nothing keeps all"
    keeping.decide(30)
    assert keeping.clean(now + timedelta(days=29)) == 0
    assert keeping.stored() == (4, 4 * len(b"picture E"))
    assert keeping.clean(now + timedelta(days=31)) == 4
    assert keeping.clean(now + timedelta(days=31)) == 0
    assert store.picture(photos["E"]) is None
    assert keeping.stored() == (0, 0)
    another = store.add_photo(store.create(new_deal(("E", "S", "W"))), "E", "x", b"raw")
    keeping.decide(0)
    assert keeping.clean(now + timedelta(hours=11)) == 0
    assert keeping.clean(now + timedelta(hours=13)) == 1
    assert store.start_reading(another) is None
    with pytest.raises(ValueError, match="number of days"):
        keeping.decide(-1)
    keeping.decide(None)
    assert keeping.days is None


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
