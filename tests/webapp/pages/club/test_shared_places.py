"""Equal figures share a place: on the boards, in their files, and in an evening's results."""

from __future__ import annotations

import io
import re
from datetime import date

import openpyxl
import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from reportlab import rl_config

from scorer.game.hands import Drawn
from tests.webapp.book_fixtures import agreed, play
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import words
from webapp.cli.main import main

DAY = date(2026, 3, 5)


@pytest.fixture
def tied(app: Flask) -> Flask:
    """Six players with 0 points each, and two of whom one won 40 of the other."""
    engine = services_of(app).engine
    for names in ("Ann Bob Cat Dee", "Eve Fay Gus Hal"):
        seats = dict(zip("ESWN", names.split(), strict=True))
        hand = agreed("Gus", {"Hal": 40}) if "Gus" in names else Drawn()
        play(engine, DAY, [hand], players=seats)
    return app


PLACES = [1, 2, 2, 2, 2, 2, 2, 8]


@pytest.mark.usefixtures("tied")
def test_equal_points_share_a_place_on_the_board(client: FlaskClient) -> None:
    page = client.get("/board?season=all").text
    assert [int(place) for place in re.findall(r"<tr><td>(\d+)</td>", page)] == PLACES
    rating = client.get("/board?season=all&order=best").text
    assert re.findall(r"<tr><td>(\d+)</td>", rating) == ["1"] * 8, "by the figure it is ordered by"


def test_equal_points_share_a_place_in_the_files(
    tied: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = client.get("/board.csv?season=all").text
    assert [int(line.split(",")[0]) for line in text.splitlines()[1:]] == PLACES
    book = openpyxl.load_workbook(io.BytesIO(client.get("/board.xlsx?season=all").data))
    assert [row[0].value for row in book.worksheets[0].iter_rows(min_row=2)] == PLACES
    monkeypatch.setattr(rl_config, "pageCompression", 0)
    printed = client.get("/board.pdf?season=all")
    assert printed.mimetype == "application/pdf"
    assert len(re.findall(rb"/Type /Page\b", printed.data)) == 1
    url = str(services_of(tied).engine.url)
    told = CliRunner().invoke(main, ["board", "--db", url]).output
    assert [int(line.split()[0]) for line in told.splitlines()[1:]] == PLACES


def test_equal_gains_share_a_place_in_the_evening(app: Flask, client: FlaskClient) -> None:
    for names in ("Ann Bob Cat Dee", "Eve Fay Gus Hal"):
        form = {f"name_{seat}": name for seat, name in zip("ESWN", names.split(), strict=True)}
        table = client.post("/tables", data=form | {"ruleset": "bmja-u3a"}).headers["Location"]
    paid = {"winner": "Gus", "from_0": "Hal", "to_0": "Gus", "amount_0": "40"}
    client.post(f"{table}/hands/1/payments", data=paid)
    evening = services_of(app).club.evenings()[0].id
    page = client.get(f"/evenings/{evening}")
    assert [int(place) for place in re.findall(r"<tr><td>(\d+)</td>", page.text)] == [1, 2, 2, 4]
    assert "1 Gus 1 +40 2 Eve 1 0 2 Fay 1 0 4 Hal" in words(page), "who played a hand has a place"
