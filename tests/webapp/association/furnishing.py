"""Clubs on one host that have everything a club can have, and what tells that it is theirs."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Any, Final

import numpy as np
from argon2 import PasswordHasher
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine, MetaData, select
from sqlalchemy.orm import Session, sessionmaker

from tests.webapp.association.test_host import PASSWORD
from tests.webapp.conftest import hasten, services_of
from tests.webapp.fakes import FakeReader, write_samples
from tests.webapp.games.test_disputes import dispute
from tests.webapp.pages.club.test_tile_sets import FakeClassifier
from tests.webapp.pages.deal.test_cameras import PICTURE, READING
from tests.webapp.pages.deal.test_cameras import send as from_camera
from tests.webapp.pages.deal.test_pages import demo
from tests.webapp.pages.table.test_games import totals
from tests.webapp.token_client import TokenClient
from vision.tilesets.profile import Shot, make_profile
from vision.tilesets.profile_file import save_profile
from webapp.association.host import Host
from webapp.backup.archive import write_archive
from webapp.book.seasons import Seasons
from webapp.database.tables.accounts import AccountRow
from webapp.database.tables.book import BroughtInRow, ContestRow, SeasonRow
from webapp.database.tables.deals import DealRow, EveningRow, GameRow, PersonRow, PhotoRow
from webapp.database.tables.disputes import DisputeEventRow, ShareRow
from webapp.evening.code import CheckInCode
from webapp.pages.deal import cameras
from webapp.runtime.data_folder import data_folder
from webapp.security import login

PEOPLE: Final = {"E": "Zebedee", "S": "Yolanda", "W": "Xanthippe", "N": "Wilhelmina"}
"""Who plays in the furnished club, and nowhere else."""

SECRETARY: Final = "Sue of Alpha"
"""The secretary of the furnished club."""

SET: Final = "Quicksilver set"
"""Its tile set."""

RULES: Final = "quicksilver-rules"
"""Its own ruleset."""

WORDS: Final = (*PEOPLE.values(), SECRETARY, "Quicksilver", "quicksilver")
"""What stands in no other club: its people, and how all else is called that it has."""

OWN_FILE: Final = f"""
id = "{RULES}"
name = "Quicksilver rules"
description = "As nobody else plays."
base = "bmja-u3a"

[changes]
limit = 500
"""
MADE: Final[dict[str, Any]] = {"people": [], "numbers": {}}
MOMENT: Final = datetime(2026, 1, 1, tzinfo=UTC)
COLUMNS: Final = {
    "account_id": AccountRow.id, "brought_in_id": BroughtInRow.id,
    "contest_id": ContestRow.contest, "deal_id": DealRow.id, "evening_id": EveningRow.id,
    "game_id": GameRow.id, "ref": GameRow.id, "person_id": PersonRow.id, "photo_id": PhotoRow.id,
    "season_id": SeasonRow.id, "token": ShareRow.token, "dispute_id": DisputeEventRow.dispute_id,
}  # fmt: skip
"""The columns of the database that hold what an address can name."""


@contextmanager
def easy(host: Host, club_id: str) -> Iterator[Flask]:
    """The application of a club, for which tests log in quickly and send tokens by themselves."""
    with host.entered(club_id) as app:
        hasty(app)
        yield app


def hasty(app: Flask) -> None:
    """Let an application answer as quickly as a test wants it."""
    app.config["TESTING"] = True
    app.test_client_class = TokenClient
    quick = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    app.extensions[login.EXTENSION]._hasher = quick
    if services_of(app).engine.dialect.name == "sqlite":
        hasten(services_of(app).engine)


def furnish(app: Flask, reader: FakeReader) -> dict[str, list[str]]:
    """Give a club everything that a club can have.

    Args:
        app: its application, whose folder counts as the data folder.
        reader: reads its photos.

    Returns:
        By the name of an argument of a route, all that the club has for it.
    """
    folder = data_folder()
    (folder / "rulesets").mkdir()
    (folder / "rulesets" / f"{RULES}.toml").write_text(OWN_FILE, "utf-8")
    samples = write_samples(folder / "samples", reader)
    object.__setattr__(services_of(app), "samples_file", samples)
    client = app.test_client()
    deal = demo(app, client)
    dispute(client, deal.rsplit("/", 1)[1], who="West")
    client.post(f"{deal}/share")
    table = client.post(
        "/tables",
        data={**{f"name_{seat}": name for seat, name in PEOPLE.items()}, "ruleset": RULES},
    ).headers["Location"]
    totals(client, table, 1, "S", 20, 128, 8, 16)
    return _further(app, client)


def _further(app: Flask, client: FlaskClient) -> dict[str, list[str]]:
    """What is not reached by playing; all that addresses can name of what the club has."""
    found = services_of(app)
    found.sets.look = lambda photos: [{"tiles": [], "warnings": []} for _ in photos]
    shot = Shot("1m", np.full((96, 72, 3), 9, np.uint8), np.eye(8)[0])
    save_profile(make_profile(SET, [shot], FakeClassifier.entry))
    year = {"first": "2026-01-01", "last": "2026-12-31"}
    client.post("/leagues", data={"name": "Quicksilver league", **year})
    first, last = map(date.fromisoformat, year.values())
    Seasons(found.engine).keep(None, "Quicksilver year", first, last)
    from_camera(client, reading=READING, picture=PICTURE)
    (offer,) = app.extensions[cameras.EXTENSION].offers()
    evening = ids(found.engine, EveningRow.id)[0]
    CheckInCode(found.engine).open(evening)
    with sessionmaker(found.engine).begin() as session:
        session.add(
            BroughtInRow(id="b" * 32, kind="typed", name="Quicksilver", made=MADE, at=MOMENT)
        )
    named = {
        "draft_id": [
            _made(client, "/imports", file=(b"Name;Points\nZebedee;12\n", "quicksilver.csv")),
            _made(client, "/sets", name="Quicksilver two", photo=(b"x", "a.jpg")),
        ],
        "copy_id": [_copy(app, client)],
        "code": [str(CheckInCode(found.engine).of(evening))],
        "offer_id": [offer.id],
        "name": [SET],
        "ruleset_id": [RULES],
        "ruleset": [RULES],
        "tile_id": [
            tile.id
            for deal in found.store.recent(99)
            for player in deal.state.players
            for tile in player.tiles
        ],
    }
    app.extensions[login.EXTENSION].add(SECRETARY, "secretary", PASSWORD)
    return named | {name: ids(found.engine, column) for name, column in COLUMNS.items()}


def ids(engine: Engine, column: Any) -> list[str]:
    with Session(engine) as session:
        return [str(value) for value in session.scalars(select(column))]


def _made(client: FlaskClient, path: str, **form: Any) -> str:
    """The id of what a form made, which leads to its page."""
    files = {name: (io.BytesIO(v[0]), v[1]) for name, v in form.items() if isinstance(v, tuple)}
    answer = client.post(path, data={**form, **files})
    return str(answer.headers["Location"]).rpartition("/")[2]


def _copy(app: Flask, client: FlaskClient) -> str:
    """The id of a copy that waits to be put back; some id where copies are put back by others."""
    engine = services_of(app).engine
    if engine.dialect.name != "sqlite":
        return "c" * 32
    archive = io.BytesIO()
    write_archive(engine, archive)
    return _made(client, "/keeping/restore", file=(archive.getvalue(), "copy.zip"))


def content(host: Host, club_id: str) -> dict[str, Any]:
    """Everything that a club has, in its database and its files."""
    engine = host.places.database_of(club_id)
    meta = MetaData()
    with engine.connect() as connection:
        meta.reflect(connection)
        rows = {
            table.name: sorted(map(repr, connection.execute(select(table))))
            for table in meta.sorted_tables
        }
    folder = host.places.folder_of(club_id)
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "sqlite3" not in path.name
    }
    return {**rows, **files}
