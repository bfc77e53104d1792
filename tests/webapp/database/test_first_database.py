"""A database of the first Kongbox, made by that program, goes on in this one.

``fixtures/first_issue.db.gz`` was written by the last commit before the club's book: the demo
of four photos, read and scored, and a deal of three players with four entries, one taken back. Its
pictures were made smaller.
"""

from __future__ import annotations

import gzip
import html
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import inspect

from tests.webapp.fakes import FakeReader
from tests.webapp.token_client import TokenClient
from vision.english import ENGLISH as VISION
from webapp import create_app
from webapp.database.engine import open_database
from webapp.deal.store import Store

FIXTURE = Path(__file__).parent / "fixtures" / "first_issue.db.gz"
TABLES = ("deals", "revisions", "photos")


@pytest.fixture
def first(tmp_path: Path) -> Path:
    path = tmp_path / "first.sqlite3"
    path.write_bytes(gzip.decompress(FIXTURE.read_bytes()))
    return path


def rows(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Everything in the tables of the first Kongbox, column by column."""
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    try:
        return {
            table: [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY id")]
            for table in TABLES
        }
    finally:
        connection.close()


def test_every_row_is_kept_as_it_was(first: Path) -> None:
    before = rows(first)
    assert [len(before[table]) for table in TABLES] == [2, 9, 4]
    open_database(f"sqlite:///{first}").dispose()
    after = rows(first)
    for table in TABLES:
        kept = [
            {column: row[column] for column in old}
            for old, row in zip(before[table], after[table], strict=True)
        ]
        assert kept == before[table]
    connection = sqlite3.connect(first)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def test_it_has_the_tables_of_a_new_one(first: Path, empty_database: Path) -> None:
    shapes = []
    for path in (first, empty_database):
        engine = open_database(f"sqlite:///{path}")
        told = inspect(engine)
        shapes.append(
            {
                table: sorted((c["name"], str(c["type"])) for c in told.get_columns(table))
                for table in told.get_table_names()
            }
        )
        engine.dispose()
    assert shapes[0] == shapes[1]


def test_its_deals_are_shown_scored_and_go_on(first: Path, tmp_path: Path) -> None:
    app = create_app(f"sqlite:///{first}", reader=FakeReader(), folder=tmp_path)
    app.test_client_class = TokenClient
    client: FlaskClient = app.test_client()
    store: Store = app.extensions["kongbox"].store
    three, demo = sorted(store.recent(), key=lambda deal: len(deal.state.seats))
    assert client.get("/").text.count(demo.id) > 0
    shown = client.get(f"/deals/{demo.id}/result").text
    assert "pays Ben 4,224" in " ".join(shown.split())
    photo = store.latest_photos(demo.id)["E"]
    assert client.get(f"/deals/{demo.id}/photos/{photo.id}.jpg").data.startswith(b"\xff\xd8\xff")
    assert [tile.label for tile in three.state.player("E").tiles] == ["1m", "2m"]
    form = {"action": "add", "mode": "tile", "label": "9p"}
    client.post(f"/deals/{three.id}/players/E/edit", data=form)
    found = store.deal(three.id)
    assert found is not None
    assert [tile.label for tile in found.state.player("E").tiles] == ["1m", "2m", "9p"]
    app.extensions["kongbox"].close()


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_what_it_kept_in_plain_english_is_shown(first: Path, tmp_path: Path, language: str) -> None:
    connection = sqlite3.connect(first)
    reading = json.dumps(
        {
            "width": 10,
            "height": 10,
            "tiles": [],
            "hands": [],
            "warnings": ["3 tiles are hard to read: check what is marked.", VISION["photo.dark"]],
        }
    )
    connection.execute("UPDATE photos SET reading = ? WHERE seat = 'E'", (reading,))
    connection.execute("UPDATE photos SET error = '{\"message\": 7}' WHERE seat = 'S'")
    connection.commit()
    connection.close()
    app = create_app(f"sqlite:///{first}", reader=FakeReader(), folder=tmp_path)
    app.test_client_class = TokenClient
    client: FlaskClient = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    store: Store = app.extensions["kongbox"].store
    for deal in store.recent():
        assert client.get(f"/deals/{deal.id}").status_code == 200
        for seat in deal.state.seats:
            page = client.get(f"/deals/{deal.id}/players/{seat}?check=1")
            assert page.status_code == 200
            if seat == "E" and deal.state.player("E").photo is not None:
                assert "3 tiles are hard to read: check what is marked." in page.text
                dark = VISION["photo.dark"] in page.text
                assert dark == (language == "en"), "that text is in the catalogues as it is"
        trail = client.get(f"/deals/{deal.id}/tiles").text
        told = {entry.what for entry in store.trail(deal.id)}
        assert told
        if language == "en":
            assert all(html.escape(what) in trail for what in told)
    app.extensions["kongbox"].close()
