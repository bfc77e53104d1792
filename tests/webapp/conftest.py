"""An application on an empty database, with photos that need no model to be read."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from flask import Flask
from flask.testing import FlaskClient
from selenium.webdriver import Chrome
from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from werkzeug.routing import Rule

from tests.webapp.browser.browser import (
    PHONE,
    Page,
    Stage,
    chromium,
    forget_everything,
    no_worker,
)
from tests.webapp.database.postgres import new_database, postgres
from tests.webapp.fakes import FakeReader, write_samples
from tests.webapp.token_client import TokenClient
from webapp import create_app
from webapp.database.engine import open_database
from webapp.deal.photos import READING, WAITING
from webapp.services import EXTENSION, Services

COMPILED = ("arguments", "_parts", "_trace", "_converters", "_build", "_build_unknown")
"""What a route has of being compiled."""


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def samples(tmp_path: Path, reader: FakeReader) -> Path:
    return write_samples(tmp_path / "samples", reader)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "empty.sqlite3"
    open_database(f"sqlite:///{path}").dispose()
    return path


@pytest.fixture(scope="session", autouse=True)
def compiled_queries() -> Iterator[None]:
    """What is asked of SQLite is compiled once, not for every database."""
    compiled: dict[Any, Any] = {}
    first = create_engine("sqlite://")
    with first.connect():
        dialect = first.dialect

    def kept_engine(address: URL, **how: Any) -> Engine:
        engine = create_engine(address, **how)
        if engine.name == "sqlite":
            engine.dialect = dialect
            engine.update_execution_options(compiled_cache=compiled)
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("webapp.database.engine.create_engine", kept_engine)
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_routes() -> Iterator[None]:
    """Werkzeug compiles each route once, not for every application."""
    compile_rule = Rule.compile
    kept: dict[str, dict[str, Any]] = {}

    def kept_compile(rule: Rule) -> None:
        key = repr((rule.rule, rule.subdomain, rule.defaults, rule.merge_slashes))
        if key not in kept:
            compile_rule(rule)
            kept[key] = {name: getattr(rule, name) for name in COMPILED}
            return
        for name, made in kept[key].items():
            bound = getattr(made, "__func__", None)
            setattr(rule, name, made if bound is None else bound.__get__(rule))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "compile", kept_compile)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """A password is hashed with as little work as can be, not with as much as is usual."""

    def quick() -> PasswordHasher:
        return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("webapp.security.accounts.PasswordHasher", quick)
        yield


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a PostgreSQL server."""
    with postgres() as address:
        yield address


@contextmanager
def migrated() -> Iterator[None]:
    """Databases that are opened have the newest schema and need not be looked at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("webapp.database.engine._bring_up", lambda *_: None)
        yield


def hasten(engine: Engine) -> None:
    """Do not wait at each commit until the disk has it; a test's own process is not killed."""

    def set_up(connection: DBAPIConnection, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous=OFF")
        cursor.close()

    event.listen(engine, "connect", set_up)
    engine.dispose()


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def engine(
    tmp_path: Path, empty_database: Path, request: pytest.FixtureRequest
) -> Iterator[Engine]:
    """An empty database, once in SQLite and once in PostgreSQL."""
    if request.param == "SQLite":
        shutil.copy(empty_database, tmp_path / "kongbox.sqlite3")
        with migrated():
            opened = open_database(f"sqlite:///{tmp_path / 'kongbox.sqlite3'}")
        hasten(opened)
    else:
        opened = open_database(new_database(request.getfixturevalue("server")))
    yield opened
    opened.dispose()


@pytest.fixture
def app(
    tmp_path: Path,
    empty_database: Path,
    reader: FakeReader,
    samples: Path,
) -> Iterator[Flask]:
    shutil.copy(empty_database, tmp_path / "test.sqlite3")
    with migrated():
        made = create_app(
            f"sqlite:///{tmp_path / 'test.sqlite3'}",
            reader=reader,
            folder=tmp_path,
            samples_file=samples,
        )
    made.config["TESTING"] = True
    made.test_client_class = TokenClient
    hasten(services_of(made).engine)
    yield made
    services_of(made).close()


def services_of(app: Flask) -> Services:
    found: Services = app.extensions[EXTENSION]
    return found


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def wait_for_photos(app: Flask, deal_id: str, seconds: float = 5) -> None:
    """Wait until every photo of the deal has been read or refused."""
    store = services_of(app).store
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        photos = store.latest_photos(deal_id).values()
        if photos and all(p.stage not in (WAITING, READING) for p in photos):
            return
        time.sleep(0.01)
    raise TimeoutError("the photos were not read in time")


@pytest.fixture(scope="session")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One browser for all tests of a process."""
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """One server for all tests of a process."""
    made = Stage()
    yield made
    made.close()


@pytest.fixture
def address(stage: Stage, app: Flask) -> Iterator[str]:
    """Where the application is served."""
    with stage.shows(app) as found:
        yield found


@pytest.fixture
def worker() -> object:
    """True where a test is about the service worker; the others do without."""
    return False


@pytest.fixture
def page(address: str, chrome: Chrome, worker: object) -> Iterator[Page]:
    """The page at the size of a phone, in a browser that knows nothing."""
    forget_everything(chrome, address)
    with nullcontext() if worker else no_worker(chrome):
        opened = Page(chrome, address)
        opened.size(*PHONE)
        yield opened
        chrome.get("about:blank")
