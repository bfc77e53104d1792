"""What one page reads in PostgreSQL, it reads on one connection and in one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import DBAPIError, OperationalError, ProgrammingError
from sqlalchemy.pool import QueuePool

from scorer.tiles import SEATS
from tests.webapp.conftest import services_of
from tests.webapp.database.postgres import new_server_database
from tests.webapp.pages.table.test_games import open_table
from webapp.app import create_app
from webapp.book.seasons import Seasons
from webapp.database.engine import open_database, open_schema
from webapp.database.schemas import in_schema
from webapp.database.sessions import sessions_on, share, share_no_longer, shared
from webapp.deal.state import new_deal
from webapp.deal.store import Store


@pytest.fixture(scope="module")
def engine(server: str) -> Iterator[Engine]:
    engine = open_database(new_server_database(server))
    yield engine
    engine.dispose()


@pytest.fixture
def begun(engine: Engine) -> Iterator[list[None]]:
    """Grows by one at each transaction."""
    found: list[None] = []

    def note(_connection: object) -> None:
        found.append(None)

    event.listen(engine, "begin", note)
    yield found
    event.remove(engine, "begin", note)


def _taken(engine: Engine) -> int:
    """The number of connections that somebody holds."""
    assert isinstance(engine.pool, QueuePool)
    return engine.pool.checkedout()


@pytest.fixture
def page() -> Iterator[None]:
    """The time in which a page is made."""
    share()
    yield
    share_no_longer()


def test_a_page_reads_in_one_transaction(engine: Engine, begun: list[None]) -> None:
    browser = create_app(engine).test_client()
    browser.get("/")
    for path in ("/", "/board", "/players"):
        begun.clear()
        assert browser.get(path).status_code == 200
        assert len(begun) == 1, path
    assert _taken(engine) == 0


def test_the_server_keeps_the_plans_of_what_pages_ask_often(engine: Engine) -> None:
    store = Store(engine)
    for _ in range(8):
        with shared():
            store.deal("none")
    with shared(), sessions_on(engine)() as session:
        assert session.scalar(text("SELECT count(*) FROM pg_prepared_statements"))


def test_the_start_asks_no_more_for_many_tables(app: Flask, client: FlaskClient) -> None:
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        asked.append(statement)

    event.listen(services_of(app).engine, "before_cursor_execute", note)
    counts = []
    for _ in range(3):
        open_table(client)
        asked.clear()
        client.get("/")
        counts.append(len(asked))
    assert counts[0] == counts[1] == counts[2]


@pytest.mark.usefixtures("page")
def test_what_is_read_once_is_read_again_after_an_entry(app: Flask) -> None:
    seasons = Seasons(services_of(app).engine)
    assert seasons.all() == []
    with app.app_context():
        kept = seasons.keep(None, "Winter", date(2026, 10, 1), date(2027, 3, 31))
    assert seasons.all() == [kept]


@pytest.mark.usefixtures("page")
def test_what_the_page_itself_wrote_is_read_after_it(engine: Engine) -> None:
    store = Store(engine)
    before = store.create(new_deal(SEATS))
    assert store.deal(before) is not None
    after = store.create(new_deal(SEATS))
    assert store.deal(after) is not None


@pytest.mark.usefixtures("page")
def test_whoever_writes_holds_one_connection(engine: Engine) -> None:
    Store(engine).deal("none")
    assert _taken(engine) == 1
    with sessions_on(engine).begin() as session:
        session.execute(text("SELECT 1"))
        assert _taken(engine) == 1


@pytest.mark.usefixtures("page")
def test_who_reads_when_another_begins_to_write_reads_on(engine: Engine) -> None:
    with sessions_on(engine)() as session:
        session.execute(text("SELECT 1"))
        Store(engine).create(new_deal(SEATS))
        assert session.scalar(text("SELECT 2")) == 2


@pytest.mark.usefixtures("page")
def test_a_question_that_fails_spoils_no_other(engine: Engine) -> None:
    with sessions_on(engine)() as session, pytest.raises(ProgrammingError):
        session.execute(text("SELECT nothing FROM nowhere"))
    assert Store(engine).deal("none") is None


@pytest.mark.usefixtures("page")
def test_two_clubs_read_their_own_while_one_page_is_made(engine: Engine) -> None:
    one, other = open_schema(engine, "club_one"), open_schema(engine, "club_other")
    deal = Store(one).create(new_deal(SEATS))
    assert Store(one).deal(deal) is not None
    assert Store(other).deal(deal) is None
    assert Store(one).deal(deal) is not None


@pytest.mark.usefixtures("page")
def test_a_page_of_a_club_that_is_gone_keeps_no_connection(engine: Engine) -> None:
    with pytest.raises(DBAPIError, match="club_gone") as refused:
        Store(in_schema(engine, "club_gone")).deal("none")
    share_no_longer()
    assert _taken(engine) == 0, refused


@pytest.mark.usefixtures("page")
def test_a_page_whose_connection_broke_leaves_nothing_to_the_next(engine: Engine) -> None:
    with sessions_on(engine)() as session:
        broken = session.scalar(text("SELECT pg_backend_pid()"))
    with engine.connect() as other:
        other.execute(text("SELECT pg_terminate_backend(:broken)"), {"broken": broken})
    with pytest.raises(OperationalError):
        share_no_longer()
    assert Store(engine).deal("none") is None
    assert _taken(engine) == 0
