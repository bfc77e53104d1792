"""Games in the database: nothing is lost, nothing is changed in place, old databases open."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorer import GameSetup
from scorer.game.game import Game, new_game
from scorer.game.hands import Drawn
from scorer.text.game_json import parse_game
from webapp.database.engine import MIGRATIONS, open_database
from webapp.database.tables.deals import GameDealRow
from webapp.deal.state import new_deal
from webapp.deal.store import Store
from webapp.evening.evenings import Club
from webapp.games import store
from webapp.games.store import Book, GameStore
from webapp.games.words import Moved
from webapp.pages.table.table import with_hand
from webapp.people.names import NameRefused, clean_name

NAMES = {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"}
SETUP = GameSetup("bmja-u3a", NAMES)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'kongbox.sqlite3'}"


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    opened = open_database(url)
    yield opened
    opened.dispose()


def drawn(book: Book) -> Book:
    return with_hand(book, Drawn(), None)


def begin(engine: Engine) -> tuple[GameStore, str]:
    games = GameStore(engine)
    evening = Club(engine).open_evening(date(2026, 3, 5))
    return games, games.create(evening, Book(new_game(SETUP), stake=5))


def test_a_database_of_deals_alone_is_brought_up_with_its_data(url: str) -> None:
    engine = open_database(url)
    store = Store(engine)
    deal_id = store.create(new_deal(("E", "S", "W", "N"), NAMES))
    photo_id = store.add_photo(deal_id, "E", "photo", b"bytes")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
        connection.execute(
            text("UPDATE revisions SET state = json_remove(state, '$.dealer', '$.changes')")
        )
    engine.dispose()

    engine = open_database(url)
    deal = Store(engine).deal(deal_id)
    photo = Store(engine).photo(photo_id)
    games, game_id = begin(engine)
    with Session(engine) as session, session.begin():
        at = datetime.now(UTC)
        session.add(GameDealRow(deal_id=deal_id, game_id=game_id, hand=1, created_at=at))
    linked = games.game_of(deal_id)
    with engine.connect() as connection:
        sound = connection.execute(text("PRAGMA integrity_check")).scalar()
        orphans = connection.execute(text("PRAGMA foreign_key_check")).all()
    engine.dispose()
    assert deal is not None
    assert deal.state == new_deal(("E", "S", "W", "N"), NAMES)
    assert photo is not None
    assert linked == (game_id, 1)
    assert (sound, orphans) == ("ok", [])


def test_a_game_goes_on_after_a_restart(url: str) -> None:
    engine = open_database(url)
    games, game_id = begin(engine)
    before = games.edit(game_id, 0, drawn, "Hand 1: drawn")
    engine.dispose()
    engine = open_database(url)
    after = GameStore(engine).game(game_id)
    engine.dispose()
    assert after == before
    assert after.game.next is not None
    assert after.game.next.goulash
    assert after.book.stake == 5


def test_of_a_busy_evening_only_what_goes_on_is_rebuilt(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "CACHED_GAMES", 4)
    games, running = begin(engine)
    evening = Club(engine).open_evening(date(2026, 3, 5))
    ended = [games.create(evening, Book(new_game(SETUP))) for _ in range(6)]
    for game_id in ended:
        games.edit(game_id, 0, lambda book: replace(drawn(book), closed=True), "Ended")
    rebuilt: list[object] = []

    def counted(document: object, **options: bool) -> Game:
        rebuilt.append(document)
        return parse_game(document, **options)

    monkeypatch.setattr(store, "parse_game", counted)
    since = datetime.now(UTC) - timedelta(hours=12)
    for _ in range(3):
        assert [it.id for it in games.running_since(since)] == [running]
    assert games.running_since(since, [running]) == []
    assert len(rebuilt) <= 1
    games.undo(ended[0], 1)
    assert {it.id for it in games.running_since(since)} == {running, ended[0]}


def test_a_game_of_an_older_version_is_asked_whether_it_is_over(engine: Engine) -> None:
    games, running = begin(engine)
    ended = games.create(
        Club(engine).open_evening(date(2026, 3, 5)), Book(new_game(SETUP), closed=True)
    )
    with engine.begin() as connection:
        for (name,) in connection.execute(
            text("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        ).all():
            connection.execute(text(f"DROP TRIGGER {name}"))
        connection.execute(text("UPDATE game_revisions SET book = json_remove(book, '$.over')"))
    since = datetime.now(UTC) - timedelta(hours=12)
    assert [it.id for it in games.running_since(since)] == [running] != [ended]


def test_no_entry_is_ever_changed(engine: Engine) -> None:
    games, game_id = begin(engine)
    rows: list[list[object]] = []
    query = text("SELECT id, number, parent, restores, what, book FROM game_revisions ORDER BY id")

    def look() -> None:
        with engine.connect() as connection:
            rows.append([tuple(row) for row in connection.execute(query)])

    look()
    head = games.edit(game_id, 0, drawn, "Hand 1: drawn").head
    look()
    head = games.undo(game_id, head).head
    look()
    games.edit(game_id, head, lambda book: replace(book, closed=True), "Game ended")
    look()
    for before, after in pairwise(rows):
        assert after[: len(before)] == before
        assert len(after) == len(before) + 1


def test_entries_of_several_phones_at_once_are_kept_or_refused(engine: Engine) -> None:
    games, game_id = begin(engine)

    def enter(_: int) -> bool:
        stored = games.game(game_id)
        assert stored is not None
        try:
            games.edit(game_id, stored.head, drawn, "drawn")
        except Moved:
            return False
        return True

    with ThreadPoolExecutor(4) as phones:
        kept = sum(phones.map(enter, range(12)))
    stored = games.game(game_id)
    assert stored is not None
    assert len(stored.game.hands) == kept >= 1


def test_phones_that_begin_a_deal_at_once_share_it(engine: Engine) -> None:
    games, game_id = begin(engine)
    store = Store(engine)
    stored = games.game(game_id)
    assert stored is not None

    def begin_deal(_: int) -> str:
        state, place = new_deal(("E", "S", "W", "N")), (game_id, 1)
        return games.begin_deal(stored, 1, lambda: store.create(state, place))

    with ThreadPoolExecutor(4) as phones:
        assert len(set(phones.map(begin_deal, range(4)))) == 1


def test_a_deal_of_a_table_is_stored_with_its_place_or_not_at_all(engine: Engine) -> None:
    store = Store(engine)
    with pytest.raises(IntegrityError):
        store.create(new_deal(("E", "S", "W", "N")), ("no such game", 1))
    assert store.recent() == []


def test_the_token_changes_with_every_entry(engine: Engine) -> None:
    games, game_id = begin(engine)
    store = Store(engine)
    tokens = [games.token(game_id)]
    head = games.edit(game_id, 0, drawn, "drawn").head
    tokens.append(games.token(game_id))
    stored = games.game(game_id)
    assert stored is not None
    state, place = new_deal(("E", "S", "W", "N")), (game_id, 2)
    deal_id = games.begin_deal(stored, 2, lambda: store.create(state, place))
    tokens.append(games.token(game_id))
    store.edit(deal_id, lambda state: replace(state, goulash=True), "Goulash")
    tokens.append(games.token(game_id))
    games.undo(game_id, head)
    tokens.append(games.token(game_id))
    assert len(set(tokens)) == 5
    assert games.token(game_id) == tokens[-1]


@pytest.mark.parametrize("name", ["", "   ", "x" * 31, "=SUM(A1)", "-1", "a\x00b"])
def test_names_that_cannot_be_kept_are_refused(name: str) -> None:
    with pytest.raises(NameRefused):
        clean_name(name)


@pytest.mark.parametrize(("name", "kept"), [(" Ann  Lee ", "Ann Lee"), ("李小龍", "李小龍")])
def test_names_are_kept_tidy(name: str, kept: str) -> None:
    assert clean_name(name) == kept
