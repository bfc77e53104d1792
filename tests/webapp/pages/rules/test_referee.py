"""The referee's page: what is asked is found, and each system answers for itself."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer.rules.folder import FOLDER_VARIABLE
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from tests.scorer.builders import BY_POINTS
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import open_table
from webapp.club_settings.groups import ClubRules
from webapp.course.situations import asked_about, situations, told
from webapp.pages.rules.referee import MOST
from webapp.rulesets.files import forget

CHINESE = {"Accept-Language": "zh-CN"}

ASKED = {
    "two people called for the same tile": "two_want",
    "North and South both said mah jong on that discard": "two_out",
    "she said pung after I had already drawn": "too_late",
    "he has only twelve tiles": "too_few",
    "I have one tile too many": "too_many",
    "someone called mah jong but the hand was wrong": "false_win",
    "Ann called the tile by the wrong name": "false_name",
    "he punged a tile by mistake": "wrong_claim",
    "letting off a cannon": "dangerous",
    "somebody drew when it was not their turn": "out_of_turn_drawn",
    "can I take my discard back": "taken_back",
    "may I put a pung back in my hand": "exposed_back",
    "a discard is the fourth of my exposed pung": "fourth_tile",
    "robbing a kong": "robbing",
    "kong not declared when another went out": "kong_in_hand",
    "who may I chow from": "chow_from",
    "the wall has run out": "wall_ends",
    "no loose tiles left in the kong box": "kong_box_ends",
    "I forgot to say fishing and went out": "not_fishing",
    "do flowers count with a special hand": "special_flowers",
    "the dice fell off the table": "dice_outside",
}
"""What a referee is told, and the situation that must be found first or second."""

NOTHING = "Does not say."


def columns(client: FlaskClient, name: str, **headers: str) -> dict[str, str]:
    """What each system says of a situation, by its id."""
    page = client.get(f"/learn/referee/{name}", headers=headers).text
    parts = re.findall(r'aria-labelledby="by-([^"]+)">(.*?)</section>', page, re.DOTALL)
    return {
        own: " ".join(html.unescape(re.sub("<[^>]+>", " ", text)).split()) for own, text in parts
    }


def test_each_situation_is_found_first_or_second(client: FlaskClient) -> None:
    for asked, wanted in ASKED.items():
        found = [each.id for each in asked_about(asked, "en")]
        assert wanted in found[:2], (asked, found)
    asked = "letting off a cannon"
    page = client.get("/learn/referee", query_string={"q": asked}).text
    assert 'id="ruling">A dangerous discard gives somebody the win<' in page
    assert page.count('href="/learn/referee/') == min(
        MOST, len(asked_about("letting off a cannon", "en")) - 1
    )


@pytest.mark.parametrize("language", ["en", "zh_Hans", "de", "nl"])
def test_what_situations_refer_to_is_there(language: str) -> None:
    known = {each.id: each for each in situations()}
    ids = {"chows", "game", "goulash", "settlement", "limit"}
    for ruleset in map(load_ruleset, ruleset_ids()):
        lists = (ruleset.rule, ruleset.status, ruleset.penalty, ruleset.option)
        ids |= {entry.id for listed in lists for entry in listed}
    for each in situations(language):
        assert each.language == language
        assert bool(each.told or each.rules or each.or_rules)
        assert {*each.rules, *each.or_rules} <= ids, each.id
        assert each.told == known[each.id].told
        for reference in each.told:
            assert told(reference, language).text, reference


def test_five_systems_answer_side_by_side(client: FlaskClient) -> None:
    said = columns(client, "two_out")
    assert set(said) == set(BY_POINTS)
    assert "to whoever comes next after the player who threw it" in said["uk-1924"]
    assert "laws 20 to 27" in said["uk-1924"]
    assert "whoever calls first has it" in said["ming-1876"]
    assert said["western"].endswith(NOTHING)
    assert "Does not say; taken from British (BMJA), U3A course:" in said["bmja-mjbr"]


@pytest.mark.parametrize(
    ("name", "ruleset", "ruling"),
    [
        ("too_few", "bmja-u3a", "A discard may be claimed for a set only if a tile is left"),
        ("too_few", "ming-1876", "taken from the stacked end"),
        ("too_few", "uk-1924", "The hand is dead: it pays and collects nothing."),
        ("too_few", "western", "Does not say; taken from British (BMJA), U3A course:"),
        (
            "too_many",
            "ming-1876",
            "discards without drawing, turn by turn, until thirteen are left",
        ),
        ("false_win", "bmja-u3a", "you pay each of the others half the limit, 500"),
        ("false_win", "uk-1924", "If it is not complete it is dead, and play goes on."),
        ("false_win", "ming-1876", NOTHING),
        ("fourth_tile", "bmja-u3a", "you cannot have it"),
        ("fourth_tile", "ming-1876", "you may pung that too"),
        ("chow_number", "uk-1924", "Any number of chows."),
        ("kong_in_hand", "uk-1924", "only if it was laid open before another player goes out"),
        ("dangerous", "western", NOTHING),
        ("out_of_turn_thrown", "uk-1924", "loses the turn to draw or to chow"),
        ("limit", "uk-1924", "3000 points, the most that any hand scores."),
    ],
)
def test_rulings(client: FlaskClient, name: str, ruleset: str, ruling: str) -> None:
    assert ruling in columns(client, name)[ruleset]


def test_the_rules_of_the_club_come_first_and_answer_for_themselves(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = "[changes]\npenalties = false\n"
    club = f'id = "ours"\nname = "Ours"\ndescription = "As we play."\nbase = "bmja-u3a"\n{changes}'
    (tmp_path / "ours.toml").write_text(club)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    forget()
    try:
        assert next(iter(columns(client, "two_want"))) == "ours"
        assert columns(client, "dangerous")["ours"].endswith(NOTHING)
        assert "taken from British (BMJA), U3A course" in columns(client, "two_want")["ours"]
    finally:
        monkeypatch.undo()
        forget()


def test_house_rules_that_the_club_decided_on_are_ruled_by(app: Flask, client: FlaskClient) -> None:
    assert "the discarder pays the others back" in columns(client, "dangerous")["uk-1924"]
    services_of(app).decided.decide(ClubRules("uk-1924", {"penalties_apply": False, "limit": 500}))
    said = columns(client, "dangerous")
    assert next(iter(said)) == "uk-1924"
    assert said["uk-1924"].endswith(NOTHING)
    assert "500 points, the most that any hand scores." in columns(client, "limit")["uk-1924"]


def test_one_comes_there_from_where_it_is_needed(client: FlaskClient) -> None:
    deal = client.post("/deals").headers["Location"]
    places = (open_table(client), f"{deal}/win", "/learn", "/course/search?q=two+people+call")
    for page in places:
        assert "/learn/referee" in client.get(page).text
    assert client.get("/learn/referee/snap").status_code == 404
    every = client.get("/learn/referee").text
    assert all(f'href="/learn/referee/{each.id}"' in every for each in situations())
    assert "Nothing was found" in client.get("/learn/referee?q=zebra").text


def test_a_referee_reads_chinese(client: FlaskClient) -> None:
    page = client.get("/learn/referee", query_string={"q": "两个人要同一张牌"}, headers=CHINESE)
    assert 'id="ruling">两人要同一张打出的牌' in page.text
    assert "碰优先于吃" in page.text
