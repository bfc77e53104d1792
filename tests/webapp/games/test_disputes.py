"""Disputes: opened by a named person, settled, corrected, and kept in the list of entries."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import game_of, open_table, totals, words
from webapp.games.disputes import MAX_OPEN, Dispute, Settled, TooMany

NOTE = "The pung of nines was concealed."


@pytest.fixture
def table(client: FlaskClient) -> str:
    """A table with one hand that South won by the totals told."""
    made = open_table(client)
    totals(client, made, 1, "S", 20, 128, 8, 16)
    return made


def deal_of(app: Flask, table: str) -> str:
    deal = game_of(app, table).book.deals[0]
    assert deal is not None
    return deal


def dispute(client: FlaskClient, deal: str, **form: str) -> Any:
    return client.post(f"/deals/{deal}/dispute", data={"who": "Cat", "text": NOTE} | form)


def the_dispute(app: Flask, deal: str) -> Dispute:
    (found,) = services_of(app).disputes.of_deal(deal)
    return found


def answer(client: FlaskClient, found: Dispute, what: str, who: str = "Bob", text: str = "") -> Any:
    form = {"answer": what, "who": who, "text": text}
    return client.post(f"/disputes/{found.id}", data=form)


def test_an_open_dispute_is_listed_at_the_table(
    app: Flask, client: FlaskClient, table: str
) -> None:
    deal = deal_of(app, table)
    assert "open dispute" not in words(client.get(table))
    token = services_of(app).games.token(game_of(app, table).id)
    assert dispute(client, deal).headers["Location"] == f"/deals/{deal}/result#disputes"
    assert services_of(app).games.token(game_of(app, table).id) != token, "other phones are told"
    page = client.get(table)
    assert f"1 open dispute Hand 1: {NOTE} Cat" in words(page)
    assert f'href="/disputes/{the_dispute(app, deal).id}"' in page.text
    assert f"In dispute: {NOTE} (Cat)." in words(client.get(f"{table}/hands/1"))
    assert "Disputed by Cat" in words(client.get(f"/deals/{deal}/result"))


def test_the_score_stands(app: Flask, client: FlaskClient, table: str) -> None:
    deal = deal_of(app, table)
    dispute(client, deal)
    answer(client, the_dispute(app, deal), "stands", text="It was claimed from Ann.")
    assert "open dispute" not in words(client.get(table))
    page = words(client.get(f"/deals/{deal}/result"))
    assert "✓ The score is right" in page
    history = words(client.get(f"{table}/history"))
    assert "Dispute about hand 1: the score is right, says Bob It was claimed from Ann." in history
    assert f"Hand 1 disputed by Cat {NOTE}" in history
    assert (
        history.index("the score is right")
        < history.index("disputed by Cat")
        < history.index("Bob won")
    )


def test_a_correction_that_is_kept_ends_the_dispute(
    app: Flask, client: FlaskClient, table: str
) -> None:
    deal = deal_of(app, table)
    dispute(client, deal)
    gone_on = answer(client, the_dispute(app, deal), "correct")
    assert gone_on.headers["Location"] == f"{table}/hands/1"
    assert "to be corrected" in words(client.get(table))
    check = totals(client, table, 1, "S", 20, 256, 8, 16).headers["Location"]
    form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', client.get(check).text))
    client.post(f"{table}/hands/1/keep", data=form)
    settled = the_dispute(app, deal)
    assert [step.kind for step in settled.steps] == ["opened", "correcting", "corrected"]
    assert settled.last.text == "Hand 1 corrected"
    assert "open dispute" not in words(client.get(table))
    assert game_of(app, table).game.totals["Bob"] == 4 * 256


def test_a_correction_leaves_disputes_open_that_do_not_wait_for_it(
    app: Flask, client: FlaskClient, table: str
) -> None:
    deal = deal_of(app, table)
    dispute(client, deal)
    client.post(f"{table}/hands/1/keep", data={"drawn": "1"})
    assert game_of(app, table).game.totals["Bob"] == 0
    assert the_dispute(app, deal).is_open
    assert "Hand 1: The pung of nines" in words(client.get(table)), "it is still listed"


def test_a_single_deal_is_corrected_at_its_tiles(app: Flask, client: FlaskClient) -> None:
    deal = client.post("/deals").headers["Location"].rsplit("/", 1)[1]
    dispute(client, deal, who="West")
    found = the_dispute(app, deal)
    assert answer(client, found, "correct", "East").headers["Location"] == f"/deals/{deal}"
    assert "It has been corrected" in words(client.get(f"/disputes/{found.id}"))
    answer(client, found, "corrected", "East")
    assert the_dispute(app, deal).last.kind == "corrected"
    assert "Settle this dispute" not in words(client.get(f"/disputes/{found.id}"))


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"text": "  "}, "Say what you think is wrong"),
        ({"who": ""}, "Choose your name"),
        ({"who": "Mallory"}, "Choose your name"),
        ({"who": "*", "other": ""}, "A name is missing"),
        ({"who": "*", "other": "=cmd"}, "cannot be a name"),
    ],
)
def test_a_note_needs_a_name_and_words(
    app: Flask, client: FlaskClient, table: str, form: dict[str, str], told: str
) -> None:
    deal = deal_of(app, table)
    refused = dispute(client, deal, **form)
    assert refused.status_code == 400
    assert told in html.unescape(refused.text)
    assert services_of(app).disputes.of_deal(deal) == []


def test_somebody_else_may_speak(app: Flask, client: FlaskClient, table: str) -> None:
    deal = deal_of(app, table)
    dispute(client, deal, who="*", other="  Eve   Stone ")
    assert the_dispute(app, deal).opened.who == "Eve Stone"


def test_what_is_sent_twice_counts_once(app: Flask, client: FlaskClient, table: str) -> None:
    deal = deal_of(app, table)
    for _ in range(2):
        dispute(client, deal, entry="the same")
    found = the_dispute(app, deal)
    for _ in range(2):
        client.post(
            f"/disputes/{found.id}", data={"answer": "stands", "who": "Bob", "entry": "again"}
        )
    assert len(the_dispute(app, deal).steps) == 2


def test_the_first_outcome_counts(app: Flask, client: FlaskClient, table: str) -> None:
    deal = deal_of(app, table)
    dispute(client, deal)
    found = the_dispute(app, deal)
    answer(client, found, "stands")
    late = client.post(
        f"/disputes/{found.id}",
        data={"answer": "corrected", "who": "Dee"},
        follow_redirects=True,
    )
    assert "has just been settled" in words(late)
    assert the_dispute(app, deal).last.kind == "stands"
    with pytest.raises(Settled):
        services_of(app).disputes.add(found.id, "corrected", "Dee")


def test_only_so_many_are_open_at_a_time(app: Flask, client: FlaskClient, table: str) -> None:
    deal, disputes = deal_of(app, table), services_of(app).disputes
    for number in range(MAX_OPEN):
        disputes.open(deal, "Cat", f"Note {number}")
    with pytest.raises(TooMany):
        disputes.open(deal, "Cat", "One more")
    assert dispute(client, deal).status_code == 409
    disputes.add(disputes.of_deal(deal)[0].id, "stands", "Bob")
    assert dispute(client, deal).status_code == 303


def test_words_are_shown_as_they_were_written(app: Flask, client: FlaskClient, table: str) -> None:
    deal = deal_of(app, table)
    dispute(client, deal, text="<script>alert(1)</script> & \u202e" + "x" * 600)
    text = the_dispute(app, deal).opened.text
    assert text.startswith("<script>alert(1)</script> & x")
    assert len(text) == 500
    for path in (table, f"/deals/{deal}/result", f"{table}/hands/1", f"{table}/history"):
        assert "<script>alert" not in client.get(path).text


def test_an_unknown_dispute_or_answer_is_told(app: Flask, client: FlaskClient, table: str) -> None:
    assert client.get("/disputes/none").status_code == 404
    assert client.get("/deals/none/dispute").status_code == 404
    dispute(client, deal_of(app, table))
    found = the_dispute(app, deal_of(app, table))
    assert answer(client, found, "burnt").status_code == 400
    assert answer(client, found, "stands", who="Nobody").status_code == 400
    with pytest.raises(KeyError):
        services_of(app).disputes.add("none", "stands", "Bob")
    with pytest.raises(KeyError):
        services_of(app).disputes.open("none", "Bob", "Why?")
