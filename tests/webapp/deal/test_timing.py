"""How long a deal takes: what is noted on the way, and what it adds up to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import inspect
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import DEAL, FakeReader, reading_of
from tests.webapp.pages.deal.test_pages import edit, send_photo, start, state_of
from tests.webapp.pages.table.test_games import open_table, words
from webapp.database.tables.timing import DealStepRow
from webapp.deal.timing import Kind, Timings

BEGIN = datetime(2026, 3, 5, 19, 0, tzinfo=UTC)


def timings(app: Flask) -> Timings:
    return services_of(app).timings


def put(app: Flask, deal: str, *steps: tuple[Kind, float], begin: datetime = BEGIN) -> None:
    """Steps of a deal at so many seconds after its beginning."""
    with Session(services_of(app).engine) as session, session.begin():
        for kind, seconds in steps:
            at = begin + timedelta(seconds=seconds)
            session.add(DealStepRow(deal_id=deal, kind=kind, count=1, at=at))


def facts(client: FlaskClient, deal: str) -> None:
    for _ in range(2):
        form = {"asked": "S", "winner": "S", "source": "discard", "tile": "6s", "from": "N"}
        client.post(f"{deal}/win", data=form)


def test_a_deal_with_photos_is_timed_until_its_score(app: Flask, client: FlaskClient) -> None:
    deal = start(client)
    for number, player in enumerate(DEAL["players"]):
        client.post(f"{deal}/players/{player['seat']}/sample", data={"number": str(number)})
        wait_for_photos(app, deal.rsplit("/", 1)[1])
    assert client.get(f"{deal}/result").status_code == 303, "the page asks who won"
    facts(client, deal)
    wrong = next(t for t in state_of(app, deal).player("N").tiles if t.label == "6p")
    edit(client, deal, "N", action="change", tile=wrong.id, label="5p")
    assert timings(app).deals() == []
    for _ in range(2):
        assert client.get(f"{deal}/result").status_code == 200
    (timed,) = timings(app).deals()
    assert timed.from_photo is not None
    assert timedelta(0) < timed.from_photo < timed.taken < timedelta(minutes=5)
    assert (timed.taps, timed.corrections) == (4 + 2 + 1, 1)
    assert timed.questions == 2, "one doubtful tile, and who won"
    edit(client, deal, "N", action="remove", tile=wrong.id)
    assert timings(app).deals() == [timed], "what comes after the score is not counted"


def test_a_deal_of_a_table_is_confirmed_when_it_is_kept(app: Flask, client: FlaskClient) -> None:
    table = open_table(client)
    deal = client.post(f"{table}/next").headers["Location"]
    assert client.post(f"{table}/next").headers["Location"] == deal
    for seat in "ESWN":
        edit(client, deal, seat, action="about", claimed="10")
    form = {"asked": "E", "winner": "E", "source": "wall"}
    for _ in range(2):
        client.post(f"{deal}/win", data=form)
    assert client.get(f"{deal}/result").status_code == 200
    assert timings(app).deals() == [], "its score was only looked at"
    client.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1]})
    (timed,) = timings(app).deals()
    assert (timed.taps, timed.corrections, timed.from_photo) == (6, 0, None)


def test_a_photo_that_is_sent_starts_the_clock_of_photos(
    app: Flask, client: FlaskClient, reader: FakeReader
) -> None:
    deal = start(client)
    send_photo(client, deal, "E", reader.learn(reading_of(DEAL["players"][0], {})))
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    for seat in "SWN":
        edit(client, deal, seat, action="about", claimed="10")
    client.post(f"{deal}/win", data={"winner": "nobody"})
    assert client.get(f"{deal}/result").status_code == 200
    (timed,) = timings(app).deals()
    assert timed.from_photo is not None
    assert timed.from_photo < timed.taken
    assert timed.taps == 5


def test_samples_of_the_demo_are_not_counted(app: Flask, client: FlaskClient) -> None:
    deal = client.post("/demo").headers["Location"]
    wait_for_photos(app, deal.rsplit("/", 1)[1])
    assert client.get(f"{deal}/result").status_code == 200
    assert timings(app).deals() == []


def test_the_figures_of_all_deals_and_of_each_month(app: Flask, client: FlaskClient) -> None:
    for number in range(1, 12):
        put(app, f"a{number}", ("opened", 0), ("tap", 1), ("confirmed", 10 * number))
    later = BEGIN + timedelta(days=40)
    put(app, "b", ("opened", 0), ("photo", 20), ("correction", 40), ("confirmed", 80), begin=later)
    put(app, "slow", ("opened", 0), ("confirmed", 3601))
    put(app, "never", ("opened", 0), ("tap", 5))
    put(app, "unopened", ("confirmed", 5))
    found = timings(app).summary()
    assert found.left_out == 1
    april, march = found.months
    assert (april.month, april.deals, april.median_s, april.most_s) == ((2026, 4), 1, 80, 80)
    assert (april.photo_median_s, april.photo_most_s) == (60, 60)
    assert (april.taps, april.corrections) == (2, 1)
    assert (march.month, march.deals, march.median_s, march.most_s) == ((2026, 3), 11, 60, 100)
    assert march.photo_median_s is None
    assert found.overall is not None
    assert (found.overall.deals, found.overall.median_s) == (12, 65)
    page = words(client.get("/how-long"))
    assert "12 hands so far Half of them took no longer than 1 min 5 s" in page
    assert "April 2026 1 1:20 1:20 1.0" in page
    assert "1 hand that was open for more than an hour is left out" in page


def test_before_the_first_deal_the_page_says_so(client: FlaskClient) -> None:
    assert "Nothing yet" in words(client.get("/how-long"))


def test_nothing_personal_is_kept(app: Flask) -> None:
    columns = {c["name"] for c in inspect(services_of(app).engine).get_columns("deal_steps")}
    assert columns == {"id", "deal_id", "kind", "count", "at"}


def test_a_step_that_cannot_be_noted_stops_nobody(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object) -> None:
        raise OperationalError("insert", {}, Exception("database is locked"))

    monkeypatch.setattr(Timings, "note", locked)
    deal = start(client)
    assert edit(client, deal, "E", action="add", mode="tile", label="1m").status_code == 303
    assert [t.label for t in state_of(app, deal).player("E").tiles] == ["1m"]
