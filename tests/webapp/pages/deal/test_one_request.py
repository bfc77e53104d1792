"""A tap that corrects a tile is one request, which asks the database little."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event

from tests.webapp.conftest import services_of, wait_for_photos
from webapp.deal.state import DealState

MOST_QUERIES: Final = 12
SCRIPT: Final = {"HX-Request": "true"}


@contextmanager
def queries_to(app: Flask) -> Iterator[list[str]]:
    """What the database is asked meanwhile, without settings and the ends of transactions."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: Any) -> None:
        if statement.split(maxsplit=1)[0] in ("SELECT", "INSERT", "UPDATE", "DELETE"):
            asked.append(statement)

    engine = services_of(app).engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)


@pytest.fixture
def deal(app: Flask, client: FlaskClient) -> str:
    deal_id = client.post("/demo").headers["Location"].rsplit("/", 1)[1]
    wait_for_photos(app, deal_id)
    return deal_id


def state_of(app: Flask, deal_id: str) -> DealState:
    stored = services_of(app).store.deal(deal_id)
    assert stored is not None
    return stored.state


def doubtful(app: Flask, deal_id: str) -> str:
    return state_of(app, deal_id).player("N").doubtful[0].id


def test_a_correction_is_answered_by_the_page(app: Flask, client: FlaskClient, deal: str) -> None:
    page, tile = f"/deals/{deal}/players/N", doubtful(app, deal)
    form = {"action": "change", "tile": tile, "label": "5p"}
    with queries_to(app) as asked:
        answer = client.post(f"{page}/edit", data=form, headers=SCRIPT)
    assert answer.status_code == 200
    assert answer.headers["HX-Push-Url"] == page
    assert "Nothing doubtful" in answer.text
    assert len(asked) <= MOST_QUERIES, "\n".join(asked)


def test_a_correction_without_a_script_leads_to_the_page(
    app: Flask, client: FlaskClient, deal: str
) -> None:
    form = {"action": "change", "tile": doubtful(app, deal), "label": "5p"}
    answer = client.post(f"/deals/{deal}/players/N/edit", data=form)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/deals/{deal}/players/N")


def test_a_correction_that_is_sent_twice_counts_once(
    app: Flask, client: FlaskClient, deal: str
) -> None:
    form = {"action": "add", "label": "9s", "entry": "one and the same"}
    sent = [
        client.post(f"/deals/{deal}/players/N/edit", data=form, headers=SCRIPT) for _ in range(2)
    ]
    assert [answer.status_code for answer in sent] == [200, 303]
    assert sent[1].headers["Location"] == f"/deals/{deal}/players/N"
    labels = [tile.label for tile in state_of(app, deal).player("N").tiles]
    assert labels.count("9s") == 1
