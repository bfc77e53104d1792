"""The lessons: everything in them is the ruleset's own."""

from __future__ import annotations

import html
import re
from collections import Counter

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer import list_rulesets
from scorer.english.sources import cited
from scorer.explain import effort, examples
from scorer.explain.examples import example
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import NAMES, TILES
from tests.webapp.pages.table.test_games import words
from webapp.rulesets.words import rule_row
from webapp.security.accounts import Accounts
from webapp.security.login import EXTENSION

RULESETS = [info.id for info in list_rulesets()]


def test_every_lesson_is_reached_from_the_start(client: FlaskClient) -> None:
    assert 'href="/learn"' in client.get("/").text
    page = client.get("/learn").text
    links = set(re.findall(r'href="(/learn/[^"]+)"', page))
    own = ("tiles", "hand", "rules", "hands", "quiz", "ask", "referee")
    assert links == {f"/learn/{lesson}" for lesson in own}
    for link in links:
        assert client.get(link, follow_redirects=True).status_code == 200


def test_every_tile_is_shown_with_its_name(client: FlaskClient) -> None:
    page = client.get("/learn/tiles")
    for tile in TILES:
        assert f"/tiles/{tile}.svg" in page.text
        assert html.escape(NAMES[tile]) in page.text


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_rules_are_listed_with_figures_and_citations(client: FlaskClient, ruleset: str) -> None:
    page = client.get(f"/learn/rules/{ruleset}").text
    rows = dict(re.findall(r'<tr id="(\w+)">(.*?)</tr>', page))
    played = [rule for rule in load_ruleset(ruleset).rule if rule.enabled and rule_row(rule).worth]
    assert set(rows) == {rule.id for rule in played}
    for rule in played:
        row = rule_row(rule)
        worth = f"{row.worth} double" if row.unit == "doubles" else str(row.worth)
        assert f"<td>{worth}" in rows[rule.id]
        assert html.escape(cited(rule.cite), quote=False) in html.unescape(rows[rule.id])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_special_hands_are_drawn_as_tiles(client: FlaskClient, ruleset: str) -> None:
    page = client.get(f"/learn/hands/{ruleset}").text
    info = next(info for info in list_rulesets() if info.id == ruleset)
    if not info.special_hands:
        assert "no special hands" in page
    for hand in info.special_hands:
        card = page.split(f'id="{hand.id}"', 1)[1].split("</section>", 1)[0]
        found = example(ruleset, hand.id)
        assert found is not None
        drawn = Counter(re.findall(r"/tiles/(\w+)\.svg", card))
        assert drawn == Counter(tile for group in found.result.melds for tile in group.tiles)
        assert f"Won: {hand.won}" in card
        assert cited(hand.cite) in html.unescape(card)


def test_a_hand_that_is_worth_more_as_it_lies_says_so(client: FlaskClient) -> None:
    told = "Scored by its sets, such a hand brings more than the award"
    assert words(client.get("/learn/hands/bmja-u3a")).count(told) == 1
    assert told not in words(client.get("/learn/hands/bmja-mjbr"))


def test_unknown_rules_are_told(client: FlaskClient) -> None:
    for path in ("rules/snap", "hands/snap", "rules?ruleset=snap"):
        assert client.get(f"/learn/{path}").status_code == 404


def test_lessons_and_quiz_need_no_login(app: Flask) -> None:
    kept: Accounts = app.extensions[EXTENSION]
    kept.add("Sue", "secretary", "teapot ladder moss")
    stranger = app.test_client()
    assert stranger.get("/learn/hands/western").status_code == 200
    answer = stranger.post("/learn/quiz/western/easy/1", data={"total": "1"})
    assert "Not quite" in words(answer)
    assert stranger.get("/how-long").status_code == 303


def test_a_hand_without_an_example_says_so(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "No example of this hand could be found."
    assert told not in client.get("/learn/hands/western").text
    monkeypatch.setattr(effort, "MAX_SECONDS", 0)
    examples._cached.cache_clear()
    page = client.get("/learn/hands/western")
    assert page.status_code == 200
    assert page.text.count(told) == page.text.count('<section class="card"') > 10
    monkeypatch.undo()
    assert told not in client.get("/learn/hands/western").text, "it is looked for again"
