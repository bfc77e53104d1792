"""Every way in which this package reaches into the page, besides its front door.

Where something moves behind another name, only the function here that asks for it is adapted; what
the functions are called and what they give stays.
"""

from __future__ import annotations

import itertools
import logging
import os
import random
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from argon2 import PasswordHasher
from flask import Flask
from flask.testing import FlaskClient
from reportlab import rl_config
from werkzeug.exceptions import HTTPException

import vision
from scorer.rules import folder as ruleset_files
from tests.webapp.book_fixtures import book_of, two_evenings
from tests.webapp.browser.test_every_page import addresses
from tests.webapp.fakes import FakeReader, write_samples
from tests.webapp.pages.club.test_tile_sets import FakeClassifier, FakeLook
from tests.webapp.pages.deal.test_another_photo import Joiner
from tests.webapp.token_client import TokenClient
from vision.tilesets import folder as tileset_folder
from webapp import create_app, services
from webapp.book import demo_season
from webapp.deal.state import Tile, Win
from webapp.pages.deal import another_photo
from webapp.photos.workers import SameProcess
from webapp.rulesets import files
from webapp.security import login
from webapp.security.accounts import Accounts

NOW: Final = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
"""When everything happens."""

PASSWORD: Final = "teapot ladder moss"
ROLES: Final = {"Sue": "secretary", "Sam": "scorer", "Gus": "guest"}

_TICK: Final = timedelta(milliseconds=1)


class _Kind(type):
    """Every moment is an instance of the clock below, whoever made it."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, datetime)


class _Clock(datetime, metaclass=_Kind):
    """Moments after :data:`NOW`, each a little after the one before."""

    _moments = itertools.count()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        """The next moment."""
        moment = NOW + next(cls._moments) * _TICK
        return moment.astimezone(tz) if tz is not None else moment.replace(tzinfo=None)


@contextmanager
def settled() -> Iterator[None]:
    """A clock that hardly moves, ids that count up, lots that are always the same, no log."""
    numbers = itertools.count(1)
    logging.disable(logging.CRITICAL)
    _Clock._moments = itertools.count()
    with ExitStack() as stack:
        for name, module in sorted(sys.modules.items()):
            if name.partition(".")[0] == "webapp" and vars(module).get("datetime") is datetime:
                stack.enter_context(patch.object(module, "datetime", _Clock))
        for change in (
            patch.object(
                secrets, "token_hex", lambda size: f"{next(numbers):08x}".ljust(2 * size, "0")
            ),
            patch.object(secrets, "randbelow", lambda most: 7 % most),
            patch.object(secrets, "SystemRandom", lambda: random.Random(1)),
            patch.object(rl_config, "invariant", 1),
        ):
            stack.enter_context(change)
        stack.callback(logging.disable, logging.NOTSET)
        yield


@contextmanager
def own_folders(folder: Path) -> Iterator[None]:
    """All that the program keeps lies in this folder."""
    clubs = folder / "rulesets"
    clubs.mkdir(parents=True)
    names = {
        "XDG_DATA_HOME": folder / "data",
        ruleset_files.FOLDER_VARIABLE: clubs,
        tileset_folder.FOLDER_VARIABLE: folder / "sets",
    }
    with patch.dict(os.environ, {name: str(path) for name, path in names.items()}):
        files.forget()
        try:
            yield
        finally:
            files.forget()


@dataclass(frozen=True, slots=True)
class Club:
    """An application on an empty database, and the reader that knows its photos."""

    app: Flask
    reader: FakeReader
    look: FakeLook
    folder: Path

    def client(self) -> FlaskClient:
        """A browser that nobody has logged in with."""
        return self.app.test_client()

    @property
    def found(self) -> services.Services:
        """The services of the application."""
        held: services.Services = self.app.extensions[services.EXTENSION]
        return held


@contextmanager
def open_club(folder: Path) -> Iterator[Club]:
    """A club with nothing in its book, and without accounts."""
    reader, look = FakeReader(), FakeLook()
    taught = patch.object(vision, "open_classifier", FakeClassifier)
    with settled(), own_folders(folder), taught:
        app = create_app(
            f"sqlite:///{folder / 'club.sqlite3'}",
            reader=reader,
            folder=folder,
            samples_file=write_samples(folder / "samples", reader),
        )
        app.config["TESTING"] = True
        app.test_client_class = TokenClient
        accounts(app)._hasher = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
        club = Club(app, reader, look, folder)
        club.found.sets.look = look
        try:
            yield club
        finally:
            club.found.close()


def accounts(app: Flask) -> Accounts:
    """The accounts of a club."""
    held: Accounts = app.extensions[login.EXTENSION]
    return held


def add_accounts(club: Club) -> None:
    """A secretary, a scorer and a guest may log in."""
    kept = accounts(club.app)
    kept.add("Sue", "secretary", PASSWORD)
    kept.add("Sam", "scorer", PASSWORD)
    kept.add("Gus", "guest", PASSWORD)


def add_evenings(club: Club) -> None:
    """Two evenings with a few hands."""
    two_evenings(club.found.engine)


def add_season(club: Club) -> None:
    """Many made-up evenings."""
    demo_season.fill(club.found.engine, evenings=12, seed=5, last_day=date(2026, 10, 29))


def person(club: Club, name: str) -> str:
    """The address of a player's page."""
    found = book_of(club.found.engine).people.named(name)
    return "/players/nobody" if found is None else f"/players/{found.id}"


def account(club: Club, name: str) -> str:
    """The address of an account."""
    return "/accounts/" + next(each.id for each in accounts(club.app).all() if each.name == name)


def every_page(club: Club, client: FlaskClient) -> dict[str, str]:
    """The address of every page of a club that has a bit of everything, which is made here."""
    return addresses(club.app, client, club.reader)


def rest(club: Club) -> None:
    """Wait until every photo has been read or refused."""
    found = club.found
    while found.desk.busy or found.store.unread():
        time.sleep(0.002)


def tiles_of(club: Club, deal: str, seat: str) -> tuple[Tile, ...]:
    """The tiles of a player of a deal, which is named by its address."""
    stored = club.found.store.deal(deal.rsplit("/", 1)[1])
    return () if stored is None else stored.state.player(seat).tiles


def photo_address(club: Club, deal: str, seat: str) -> str:
    """Where the photo of a player is shown."""
    stored = club.found.store.deal(deal.rsplit("/", 1)[1])
    photo = None if stored is None else stored.state.player(seat).photo
    return f"{deal}/photos/{photo}"


def let_win(club: Club, deal: str, seat: str, tile: str, source: str) -> None:
    """Somebody of a deal goes out."""
    win = Win(seat=seat, tile=tile, source=source)
    deal_id = deal.rsplit("/", 1)[1]
    club.found.store.edit(deal_id, lambda state: replace(state, win=win), "Went out")


def join_photos_as(club: Club, reading: dict[str, Any]) -> Joiner:
    """Another photo of a player's tiles is joined to this reading."""
    joiner = Joiner(reading)
    workshop = SameProcess(club.reader)
    club.app.extensions[another_photo.EXTENSION] = another_photo.JoinDesk(
        workshop, lambda _deal: "", joiner
    )
    return joiner


def rules(app: Flask) -> list[tuple[str, str, Callable[[dict[str, Any]], str]]]:
    """Every route: method, rule, and what builds its address."""
    adapter = app.url_map.bind("localhost")
    found = []
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):

            def build(values: dict[str, Any], rule: Any = rule, method: str = method) -> str:
                given = {name: values.get(name, "x") for name in rule.arguments}
                return str(adapter.build(rule.endpoint, given, method))

            found.append((method, rule.rule, build))
    return sorted(found, key=lambda route: (route[1], route[0]))


def kind_of(app: Flask, path: str) -> str | None:
    """The rule that answers at an address; None where there is none."""
    adapter = app.url_map.bind("localhost")
    try:
        rule, _ = adapter.match(path.partition("?")[0], return_rule=True)
    except HTTPException:
        return None
    return str(rule.rule)


def forget_rules() -> None:
    """Read the club's own rules anew."""
    files.forget()
