"""An application on an empty database, with photos that need no model to be read."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache
from selenium.webdriver import Chrome

from tests.webapp.browser.browser import PHONE, Page, chromium, serving
from tests.webapp.fakes import FakeReader, write_samples
from tests.webapp.token_client import TokenClient
from webapp import create_app
from webapp.database.engine import open_database
from webapp.deal.store import READING, WAITING
from webapp.services import EXTENSION, Services


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


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> FileSystemBytecodeCache:
    """Templates are compiled once, not for every application."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture
def app(
    tmp_path: Path,
    empty_database: Path,
    compiled_templates: FileSystemBytecodeCache,
    reader: FakeReader,
    samples: Path,
) -> Iterator[Flask]:
    shutil.copy(empty_database, tmp_path / "test.sqlite3")
    made = create_app(
        f"sqlite:///{tmp_path / 'test.sqlite3'}",
        reader=reader,
        folder=tmp_path,
        samples_file=samples,
    )
    made.config["TESTING"] = True
    made.jinja_env.bytecode_cache = compiled_templates
    made.test_client_class = TokenClient
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


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One browser for all tests of a module."""
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Where the application is served."""
    with serving(app) as found:
        yield found


@pytest.fixture
def page(address: str, chrome: Chrome) -> Iterator[Page]:
    """The page in the browser, at the size of a phone."""
    opened = Page(chrome, address)
    opened.size(*PHONE)
    yield opened
    chrome.get("about:blank")
