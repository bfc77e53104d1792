"""What is told beside a score: other readings, why not, other rules, and who corrected what."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer import parse_deal
from scorer.english.sources import cited
from scorer.evaluation.evaluate import readings
from scorer.explain.compare import System, compare
from scorer.explain.why import all_why_not
from scorer.tiles import NAMES
from tests.webapp.conftest import services_of
from tests.webapp.fakes import DEAL
from tests.webapp.pages.deal.test_pages import demo, edit, start, state_of
from tests.webapp.pages.table.test_games import words
from webapp.deal.edits import with_player
from webapp.deal.for_scorer import to_deal
from webapp.deal.state import DealState
from webapp.deal.trail import as_read, read_tiles, tile_changes
from webapp.language.kept import brought_back
from webapp.security.accounts import Accounts
from webapp.security.login import EXTENSION

PASSWORD = "teapot ladder moss"


def put_right(app: Flask, client: FlaskClient, deal: str) -> None:
    """North's last tile is a five of circles, read as a six."""
    wrong = next(t for t in state_of(app, deal).player("N").tiles if t.label == "6p")
    edit(client, deal, "N", action="change", tile=wrong.id, label="5p")


def test_every_rule_that_does_not_count_is_told_with_its_reason(
    app: Flask, client: FlaskClient
) -> None:
    deal = demo(app, client)
    put_right(app, client, deal)
    page = words(client.get(f"{deal}/why/S"))
    for asked in all_why_not(parse_deal(DEAL), "S"):
        if not asked.counts:
            for reason in (*asked.reasons, *asked.missing):
                assert str(reason).lower() in page.lower(), asked.row
            assert cited(asked.cite) in page
    assert "Purity" in page
    assert "There is only one valid way to read them" in page
    for line in client.get(f"{deal}/result").text.split("\n"):
        if "/learn/rules/bmja-u3a#" in line:
            anchor = re.findall(r"#([a-z_]+)", line)[0]
            assert f'id="{anchor}"' in client.get("/learn/rules/bmja-u3a").text, anchor


def test_pages_tell_where_east_pays_or_receives_double(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    put_right(app, client, deal)
    shared = client.post(f"{deal}/share").headers["Location"]
    for address in (f"{deal}/result", shared):
        page = words(client.get(address))
        sheet = "U3A course, sheet 19: Scoring practice"
        doubled = rf"Ann pays Ben [\d,]+ The winner's score: [\d,]+, doubled for East {sheet}"
        assert re.search(doubled, page)
        assert re.search(rf"North pays Ben [\d,]+ The winner's score: [\d,]+ {sheet}", page)


def test_lines_name_the_tiles_that_they_count_for(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    put_right(app, client, deal)
    shared = client.post(f"{deal}/share").headers["Location"]
    for address in (f"{deal}/result", shared):
        page = client.get(address).text
        card = page[page.index('id="score-S"') :].split("</section>")[0]
        shown = set(re.findall(r'data-tiles="([^"]+)"', card))
        lights = re.findall(r'data-lights="([^"]+)" data-said="([^"]+)">([^<]+)', card)
        assert {"6s 6s 6s", "7z 7z 7z 7z", "2f"} <= {tiles for tiles, _, _ in lights} <= shown
        for tiles, said, text in lights:
            assert said == f"Marked: {NAMES[tiles.split()[0]]}"
            assert NAMES[tiles.split()[0]].lower() in text.lower()
        assert "No chows" in card
        assert "No chows" not in [text for _, _, text in lights]


def test_a_kept_result_is_shown_without_scoring_a_hand_again(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal = demo(app, client)
    put_right(app, client, deal)
    pages = [f"{deal}/result", f"{deal}/result?lang=nl"]
    client.get(pages[0])
    first = [words(client.get(page)) for page in pages]
    monkeypatch.setattr("scorer.evaluation.evaluate._result", None)
    assert [words(client.get(page)) for page in pages] == first


def test_a_result_that_an_early_version_kept_is_scored_anew(
    app: Flask, client: FlaskClient
) -> None:
    deal = demo(app, client)
    put_right(app, client, deal)
    shown = words(client.get(f"{deal}/result"))
    store, deal_id = services_of(app).store, deal.rsplit("/", 1)[1]
    stored = store.deal(deal_id)
    assert stored is not None
    assert stored.result is not None
    early = {**stored.result, "payments": [{"from": "E", "to": "S", "amount": 1}]}
    store.keep_result(deal_id, stored.head, early)
    assert words(client.get(f"{deal}/result")) == shown


def two_ways(client: FlaskClient) -> str:
    """East won with three pungs that may be read as three chows."""
    deal = start(client)
    edit(client, deal, "E", action="type", codes="111222333m 44455z")
    for seat in "SWN":
        edit(client, deal, seat, action="about", claimed="0", status="live")
    facts = {"asked": "E", "winner": "E", "source": "wall", "tile": "5z", "round_wind": "E"}
    client.post(f"{deal}/win", data=facts | {"ruleset": "western"})
    client.post(f"{deal}/win", data=facts)
    return deal


def test_the_runner_up_reading_is_shown_with_its_total(app: Flask, client: FlaskClient) -> None:
    deal = two_ways(client)
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    best, *others = readings(to_deal(stored.state), "E")
    assert others, "the tiles can be read in more than one way"
    page = words(client.get(f"{deal}/why/E"))
    assert f"why {best.total:,}, and not more?" in page
    assert f"{others[0].total:,}, which is not more" in page
    assert others[0].total <= best.total


def test_a_total_without_tiles_has_no_why(client: FlaskClient) -> None:
    deal = two_ways(client)
    page = client.get(f"{deal}/why/S")
    assert page.status_code == 200
    assert "The tiles of this hand are not shown" in words(page)
    assert client.get(f"{deal}/why/X").status_code == 404


@pytest.mark.parametrize("path", ["why/S", "rules"])
def test_what_is_not_scored_yet_leads_to_what_is_missing(client: FlaskClient, path: str) -> None:
    deal = start(client)
    assert client.get(f"{deal}/{path}").headers["Location"] == f"{deal}/players/E?check=1"


def test_a_hand_with_too_many_tiles_is_led_to_where_it_is_put_right(
    app: Flask, client: FlaskClient
) -> None:
    deal = demo(app, client)
    edit(client, deal, "E", action="type", codes="1111m")
    for page in ("rules", "why/S", "result"):
        answer = client.get(f"{deal}/{page}")
        assert answer.status_code == 303, page
        assert answer.headers["Location"].startswith(f"{deal}/players/"), page


def test_the_same_deal_under_other_rules(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    put_right(app, client, deal)
    page = client.get(f"{deal}/rules?with=western")
    found = compare(parse_deal(DEAL), [System("bmja-u3a"), System("western")])
    starred = [row for hand in found.hands for row in hand.rows if row.differs]
    assert starred
    rows = re.findall(r"<tr( class=\"differs\")?><td>.*?</tr>", page.text)
    assert len([row for row in rows if row]) == len(starred)
    for row in starred:
        assert f"★ differs: {html.escape(row.text)}" in words(page).replace("&", "&amp;")
    for hand in found.hands:
        mine, theirs = hand.parts
        assert mine is not None
        assert theirs is not None
        assert f"Total {mine.total:,} {theirs.total:,}" in words(page)
    assert 'aria-current="true">' in page.text
    first = words(client.get(f"{deal}/rules?with=nonsense"))
    assert "Compare line by line with" in first


def test_photos_show_what_was_read_and_what_stands(app: Flask, client: FlaskClient) -> None:
    deal = demo(app, client)
    page = client.get(f"{deal}/tiles")
    tiles = [tile for player in state_of(app, deal).players for tile in player.tiles]
    assert page.text.count("<polygon") == len(tiles)
    assert "Nothing: every tile is as" in words(page)
    put_right(app, client, deal)
    page = client.get(f"{deal}/tiles")
    assert "North: six circles corrected to five circles without a login" in words(page)
    assert page.text.count('class="changed"') == 1
    store = services_of(app).store
    entries = store.trail(deal.rsplit("/", 1)[1])
    north = state_of(app, deal).player("N")
    assert north.photo is not None
    original = as_read(entries, north)
    assert original is not None
    changed = [read for read in read_tiles(original, north) if read.corrected]
    assert [(read.tile.label, read.now) for read in changed] == [("6p", "5p")]


def test_the_trail_tells_who_did_what_and_leaves_out_what_was_taken_back(app: Flask) -> None:
    kept: Accounts = app.extensions[EXTENSION]
    kept.add("Sue", "secretary", PASSWORD)
    client = app.test_client()
    client.post("/login", data={"name": "Sue", "password": PASSWORD})
    deal = demo(app, client)
    put_right(app, client, deal)
    bonus = next(t for t in state_of(app, deal).player("N").tiles if t.label == "4f")
    edit(client, deal, "N", action="remove", tile=bonus.id)
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    client.post(f"{deal}/undo", data={"head": stored.head})
    edit(client, deal, "N", action="add", mode="tile", label="3f")
    entries = services_of(app).store.trail(deal.rsplit("/", 1)[1])
    changes = tile_changes(entries)
    assert [(c.seat, c.kind, c.was, c.now, c.who) for c in changes] == [
        ("N", "label", "6p", "5p", "Sue"),
        ("N", "added", None, "3f", "Sue"),
    ]
    taken_back = [str(brought_back(entry.what)) for entry in entries if not entry.stands]
    assert taken_back == ["Tile removed (North)"]
    assert {entry.who for entry in entries if "Photo read" in entry.what} == {None}
    page = words(client.get(f"{deal}/tiles"))
    assert "Tile removed (North) undone Sue" in page


def test_a_hand_without_photos_says_so(client: FlaskClient) -> None:
    page = words(client.get(f"{two_ways(client)}/tiles"))
    assert "entered without photos" in page
    assert "Nothing: every tile is as" in page


def test_a_drawn_hand_is_explained_as_far_as_it_goes(client: FlaskClient) -> None:
    deal = start(client)
    edit(client, deal, "E", action="type", codes="111222333m 4445z")
    for seat in "SWN":
        edit(client, deal, seat, action="about", claimed="0", status="live")
    client.post(f"{deal}/win", data={"winner": "nobody"})
    page = client.get(f"{deal}/why/E")
    assert page.status_code == 200
    assert "A drawn hand is not scored" in words(page)
    assert "as scored" in words(client.get(f"{deal}/rules"))


def test_what_the_program_decided_is_told_apart_from_what_people_did(
    app: Flask, client: FlaskClient
) -> None:
    deal = demo(app, client)
    deal_id = deal.rsplit("/", 1)[1]

    def decide(state: DealState) -> DealState:
        north = state.player("N")
        tiles = tuple(replace(t, label="5p") if t.label == "6p" else t for t in north.tiles)
        return with_player(state, replace(north, tiles=tiles))

    services_of(app).store.edit(deal_id, decide, "Who won, and how")
    (change,) = tile_changes(services_of(app).store.trail(deal_id))
    assert (change.kind, change.was, change.now, change.who) == ("decided", "6p", "5p", None)
    page = words(client.get(f"{deal}/tiles"))
    assert (
        "North: six circles is more likely five circles decided by Kongbox from all tiles" in page
    )


def goulash(client: FlaskClient) -> str:
    """East won a goulash with jokers; South has too many tiles."""
    deal = start(client)
    edit(client, deal, "E", action="type", codes="55s2s444p999m777z3z2s")
    edit(client, deal, "S", action="type", codes="12346789m1234z5678p")
    edit(client, deal, "S", action="about", status="too_many")
    for seat in "WN":
        edit(client, deal, seat, action="about", claimed="0", status="live")
    facts = {"asked": "E", "winner": "E", "round_wind": "E", "ruleset": "bmja-u3a"}
    client.post(f"{deal}/win", data=facts | {"goulash": "on", "source": "wall", "tile": "3z"})
    return deal


def test_jokers_are_drawn_with_what_they_stand_for(client: FlaskClient) -> None:
    deal = goulash(client)
    for address in ("result", "why/E"):
        page = client.get(f"{deal}/{address}").text
        drawn = re.findall(r'alt="([^"]+)">\s*<small>(as [^<]+)</small>', page)
        assert drawn == [("two bamboo", "as five bamboo"), ("two bamboo", "as West wind")]
        assert "goulash" in words(client.get(f"{deal}/{address}"))


def test_the_result_says_how_it_was_won_and_why_a_hand_scores_nothing(
    client: FlaskClient,
) -> None:
    page = words(client.get(f"{goulash(client)}/result"))
    assert "East went out with the West wind, drawn from the wall." in page
    assert "Too many tiles: the hand scores nothing U3A course, sheet 30, point 1" in page
