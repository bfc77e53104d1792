"""What the club decides once: it fills in the forms, changes no game, and can be taken back."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.orm import Session

from tests.webapp.conftest import services_of
from tests.webapp.pages.evening import test_draws as draws
from tests.webapp.pages.rules.test_house_rules import fields
from tests.webapp.pages.table.test_games import game_of, open_table, words
from tests.webapp.security.test_login import club, kept, logged_in
from webapp.backup.integrity import examine_database
from webapp.club_settings.groups import (
    GROUPS,
    ClubLanguage,
    ClubRules,
    ClubTiles,
    HallDisplay,
    PhotoDays,
    RoundLength,
    Stake,
)
from webapp.club_settings.rules import Rules
from webapp.club_settings.words import TITLES, decided_words
from webapp.database.tables.book import ClubSettingRow
from webapp.deal.state import DealState
from webapp.draw import drawing
from webapp.evening.evenings import today
from webapp.runtime.data_folder import in_folder

__all__ = ["club", "kept"]

OURS = "/club/settings"
CLUBS = "the club\N{RIGHT SINGLE QUOTATION MARK}s"
HOUSE = {"ruleset": "bmja-u3a", "change_limit": "500", "rounds": "1"}


def decide(client: FlaskClient, key: str, **form: str) -> str:
    return words(client.post(f"{OURS}/{key}", data=form, follow_redirects=True))


def test_a_table_is_opened_with_names_alone(app: Flask, client: FlaskClient) -> None:
    before = open_table(client, ruleset="western", stake="50")
    decide(client, "rules", **HOUSE)
    decide(client, "stake", number="10")
    page = client.get("/tables/new")
    assert f"Limit: 500 · {CLUBS} rules" in words(page)
    assert '<details class="card" >' in page.text, "nothing else need be looked at"
    for part in ('value="bmja-u3a" selected', 'maxlength="7" value="500"', 'value="1" selected'):
        assert part in page.text
    assert (
        'name="stake" inputmode="numeric" maxlength="6" autocomplete="off" value="10"' in page.text
    )
    assert game_of(app, before).game.setup.ruleset == "western", "an open table keeps its own"
    assert f"the rules of this table, not {CLUBS}" in words(client.get(before))
    names = {f"name_{seat}": name for seat, name in zip("ESWN", draws.NAMES, strict=False)}
    opened = client.post("/tables", data=fields(page.text) | names).headers["Location"]
    book = game_of(app, opened).book
    assert (book.stake, book.game.setup.rounds, book.game.setup.changes) == (10, 1, {"limit": 500})
    assert f"{CLUBS} rules" in words(client.get(opened))


def test_until_it_decides_the_table_opened_last_counts(client: FlaskClient) -> None:
    open_table(client, ruleset="western", stake="50")
    page = client.get("/tables/new")
    assert 'value="western" selected' in page.text
    assert 'value="50"' in page.text
    assert f"{CLUBS} rules" not in words(page)


def test_drawn_tables_have_the_clubs_rules(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "STEPS", 500)
    open_table(client, ruleset="western")
    decide(client, "rules", **HOUSE)
    evening = draws.an_evening(client)
    page = draws.drawn(client, evening)
    assert f"Limit: 500 · {CLUBS} rules" in words(client.get(f"{evening}/draw"))
    form = {"kept": draws.kept(page), "open": "0"}
    page = client.post(f"{evening}/draw", data=form, follow_redirects=True).text
    assert "2 tables are open, with the rules of the club." in page
    opened = services_of(app).games.of_evening(evening.rsplit("/", 1)[1])
    setups = [stored.game.setup for stored in opened if "Ann" not in stored.title]
    assert {(s.ruleset, s.changes["limit"], s.rounds) for s in setups[-2:]} == {
        ("bmja-u3a", 500, 1)
    }


def words_of(page: str) -> str:
    class Answer:
        text = page

    return words(Answer)


def test_the_clock_offers_the_clubs_round(client: FlaskClient) -> None:
    evening = client.post("/evenings").headers["Location"]
    client.post(f"{evening}/clock", data={"minutes": "45"})
    client.post(f"{evening}/clock", data={"then": "stop"})
    decide(client, "round", number="70")
    assert 'name="minutes" inputmode="numeric" value="70"' in client.get(evening).text
    decide(client, "round", number="")
    assert 'name="minutes" inputmode="numeric" value="45"' in client.get(evening).text


@pytest.mark.parametrize(("key", "number"), [("round", "0"), ("round", "241"), ("stake", "10001")])
def test_a_wrong_number_is_told_and_kept_in_the_form(
    client: FlaskClient, key: str, number: str
) -> None:
    page = client.post(f"{OURS}/{key}", data={"number": number})
    assert page.status_code == 400
    assert "Enter a whole number from" in words(page)
    assert f'value="{number}"' in page.text


def test_house_rules_are_added_taken_off_and_refused_with_what_was_typed(
    client: FlaskClient,
) -> None:
    form = {"ruleset": "bmja-u3a", "then": "rules", "rule": "limit"}
    assert 'name="change_limit" inputmode="numeric" maxlength="7" value="1000"' in (
        client.post(f"{OURS}/rules", data=form).text
    )
    wrong = client.post(f"{OURS}/rules", data={**HOUSE, "change_limit": "3", "rounds": "2"})
    assert wrong.status_code == 400
    assert 'maxlength="7" value="3"' in wrong.text
    assert 'value="2" selected' in wrong.text
    less = client.post(f"{OURS}/rules?without=limit", data=HOUSE).text
    assert 'name="change_limit"' not in less


def test_a_new_club_is_led_through_six_questions_each_of_which_can_be_left_open(
    client: FlaskClient,
) -> None:
    assert f'href="{OURS}/rules?all=yes"' in client.get("/").text
    assert f'href="{OURS}/rules?all=yes"' in client.get(OURS).text
    steps = [
        f"{OURS}/{key}?all=yes"
        for key in ("rules", "round", "last_hand", "stake", "language", "tiles")
    ]
    for number, (here, after) in enumerate(zip(steps, [*steps[1:], OURS], strict=True), 1):
        page = client.get(here)
        assert f"Question {number} of 6" in words(page)
        assert f'href="{after}">Decide later' in page.text
    answered = client.post(f"{OURS}/rules", data={**HOUSE, "all": "yes"})
    assert answered.headers["Location"] == steps[1]
    assert f"{OURS}/rules?all=yes" not in client.get("/").text
    assert client.get(f"{OURS}/nothing").status_code == 404


def test_who_decided_what_is_kept_and_taken_back(club: Flask) -> None:
    client = logged_in(club, "Sue")
    decide(client, "stake", number="10")
    decide(client, "stake", number="20")
    decide(client, "stake", number="20")
    client.post("/keeping/hall", data={"open": "yes", "names": "full"})
    page = words(client.get(OURS))
    assert "Stakes: 20p for 100 points before: 10p for 100 points · Sue ·" in page
    assert "The display in the hall: Full names · without a login before: First names only" in page
    assert page.count("Undo this") == 2, "of each the latest"
    assert "applies again" in decide(client, "back/2")
    assert services_of(club).decided.of(Stake) == Stake(10)
    assert "has just changed this" in decide(client, "back/2")
    examined = examine_database(services_of(club).engine)
    assert examined is not None
    assert not examined.findings


def test_everybody_sees_it_and_the_secretary_decides(club: Flask) -> None:
    decide(logged_in(club, "Sue"), "round", number="70")
    for name in ("Gus", "Sam"):
        client = logged_in(club, name)
        page = client.get(OURS)
        assert "Length of a round: 70 minutes" in words(page)
        assert f'href="{OURS}/round"' not in page.text
        assert "Undo this" not in page.text
        assert client.post(f"{OURS}/round", data={"number": "5"}).status_code == 403
    assert services_of(club).decided.of(RoundLength) == RoundLength(70)


def test_what_older_versions_kept_is_read(app: Flask) -> None:
    found = services_of(app)
    with Session(found.engine) as session, session.begin():
        ClubSettingRow.decide(session, "hall", {"open": True, "full_names": False})
        ClubSettingRow.decide(session, "photo_days", 30)
    assert found.decided.of(HallDisplay) == HallDisplay(open=True)
    assert found.decided.of(PhotoDays) == PhotoDays(30)


def test_what_cannot_be_read_decides_nothing(app: Flask, client: FlaskClient) -> None:
    found = services_of(app)
    for told in ("?", {"open": "yes", "minutes": 0, "pence": "x"}, [1], 10**9):
        with Session(found.engine) as session, session.begin():
            for key in GROUPS:
                ClubSettingRow.decide(session, key, told)
        assert [found.decided.of(group) for group in GROUPS.values()] == [
            group() for group in GROUPS.values()
        ]
        assert client.get(OURS).status_code == 200


def test_every_group_is_told_in_words(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    with in_folder(tmp_path):  # as a club of an association
        page = words(client.get(OURS))
    with app.test_request_context():
        told = [f"{TITLES[key]}: {decided_words(group())}" for key, group in GROUPS.items()]
    assert [each for each in told if each not in page] == []


def test_rules_that_are_gone_are_told_and_others_offered(app: Flask, client: FlaskClient) -> None:
    open_table(client, ruleset="western")
    services_of(app).decided.decide(ClubRules("ours-of-old"))
    assert 'value="western" selected' in client.get("/tables/new").text
    page = words(client.get(OURS))
    assert "“ours-of-old”, which is no longer here" in page
    assert "are no longer here. Until you choose again, new tables are offered" in page
    services_of(app).decided.decide(ClubRules("western", {"no_such_rule": 1, "limit": -1}))
    assert services_of(app).club_rules() == Rules("western", {})
    services_of(app).decided.decide(ClubTiles("Jade set"))
    assert "Tile set: Jade set" in words(client.get(OURS))


def state_of(app: Flask, deal: str) -> DealState:
    stored = services_of(app).store.deal(deal.rsplit("/", 1)[1])
    assert stored is not None
    return stored.state


def loose(client: FlaskClient) -> str:
    deal: str = client.post("/deals").headers["Location"]
    return deal


def choices(client: FlaskClient, deal: str) -> dict[str, str]:
    """The words of the rules that a deal can be scored by, by their values in the form."""
    part = client.get(f"{deal}/win").text.split('name="ruleset"', 1)[1].split("</select>", 1)[0]
    return dict(re.findall(r'<option value="([^"]+)" (?:selected)?>([^<]+)<', part))


def test_a_hand_without_a_table_starts_with_the_clubs_rules(
    app: Flask, client: FlaskClient
) -> None:
    before = loose(client)
    decide(client, "rules", **HOUSE)
    deal = loose(client)
    assert (state_of(app, deal).ruleset, state_of(app, deal).changes) == (
        "bmja-u3a",
        {"limit": 500},
    )
    facts = client.get(f"{deal}/win")
    assert f"Limit: 500 · {CLUBS} rules" in words(facts)
    assert "<details><summary>East round · " in facts.text, "they are told, not asked for"
    assert f"Limit: 500 · {CLUBS} rules." in words(client.get("/"))
    following = client.post(f"{deal}/next", data={"winds": "stay"}).headers["Location"]
    assert state_of(app, following).changes == {"limit": 500}
    assert state_of(app, before).changes == {}, "what was begun keeps its rules"
    facts = client.get(f"{before}/win")
    assert f"the rules of this hand, not {CLUBS}" in words(facts)
    assert "<details open><summary>East round · " in facts.text
    for seat in "ESWN":
        form = {"action": "about", "status": "live", "claimed": "20"}
        client.post(f"{deal}/players/{seat}/edit", data=form)
    client.post(f"{deal}/win", data={"winner": "nobody"})
    assert f"Limit: 500 · {CLUBS} rules" in words(client.get(f"{deal}/result"))


def test_the_rules_are_changed_for_one_hand_and_back(app: Flask, client: FlaskClient) -> None:
    decide(client, "rules", **HOUSE)
    deal = loose(client)
    offered = choices(client, deal)
    own = offered.pop("bmja-u3a")
    assert own.endswith("Limit: 500")
    assert own.startswith(offered["bmja-u3a="])
    steps = (("bmja-u3a", 500), ("bmja-u3a=", None), ("western", None), ("club", 500), ("x", 500))
    for sent, limit in steps:
        client.post(f"{deal}/win", data={"ruleset": sent})
        assert state_of(app, deal).changes.get("limit") == limit, sent
    client.post(f"{deal}/win", data={"ruleset": "western"})
    decide(client, "rules", ruleset="")
    client.post(f"{deal}/win", data={"ruleset": "club"})
    assert state_of(app, deal).ruleset == "western", "nothing is the club's any more"


def test_a_hand_keeps_house_rules_that_the_club_gave_up(app: Flask, client: FlaskClient) -> None:
    decide(client, "rules", **HOUSE)
    deal = loose(client)
    decide(client, "rules", ruleset="western")
    assert next(iter(choices(client, deal))) == "bmja-u3a"
    client.post(f"{deal}/win", data={"ruleset": "bmja-u3a", "round_wind": "S"})
    assert state_of(app, deal).changes == {"limit": 500}


@pytest.mark.parametrize(
    ("asked", "chosen", "shown"),
    [("", "", "zh-Hans"), ("fr", "", "zh-Hans"), ("fr, en", "", "en-GB"), ("", "en", "en-GB")],
)
def test_the_clubs_language_is_for_those_who_have_none(
    client: FlaskClient, asked: str, chosen: str, shown: str
) -> None:
    decide(client, "language", language="zh_Hans")
    if chosen:
        client.set_cookie("kongbox-language", chosen)
    page = client.get("/learn/tiles", headers={"Accept-Language": asked} if asked else {})
    assert f'<html lang="{shown}"' in page.text


def test_programs_are_answered_as_ever_and_a_code_that_is_unknown_decides_nothing(
    app: Flask, client: FlaskClient
) -> None:
    usual = client.get("/api/nothing").get_json()
    decide(client, "language", language="zh_Hans")
    assert client.get("/api/nothing").get_json() == usual
    services_of(app).decided.decide(ClubLanguage("tlh"))
    assert '<html lang="en-GB"' in client.get("/").text


def test_learning_begins_with_the_clubs_rules(client: FlaskClient) -> None:
    asked = "/course/search?q=won+by+robbing+a+kong"
    assert "/learn/rules/bmja-u3a#robbed_kong" in client.get(asked).text
    decide(client, "rules", ruleset="western")
    first = re.search(r'href="(/learn/rules/[\w-]+)#robbed_kong"', client.get(asked).text)
    assert first is not None
    assert first[1] == "/learn/rules/western"
    assert client.get("/learn/rules").headers["Location"] == "/learn/rules/western"
    assert client.get("/learn/hands").headers["Location"] == "/learn/hands/western"
    assert client.get("/learn/quiz/new").headers["Location"].startswith("/learn/quiz/western/")


def a_season(client: FlaskClient, name: str, first: date, days: int = 30) -> str:
    """The id of a season that is set up from this day on."""
    last = first + timedelta(days=days)
    form = {"name": name, "first": first.isoformat(), "last": last.isoformat()}
    client.post("/seasons", data=form)
    page = client.get("/seasons").text
    found = re.search(rf'season=([0-9a-f]{{32}})"><strong>{name}<', page)
    assert found is not None
    return found[1]


def test_a_season_is_set_up_ahead_with_rules_of_its_own(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = a_season(client, "Autumn", today() + timedelta(days=10))
    decide(client, "stake", number="10")
    decide(client, "rules", **HOUSE)
    for key, form in (("rules", {"ruleset": "western"}), ("round", {"number": "55"})):
        page = decide(client, key, season=season, **form)
        assert "Autumn" in page
    assert "Length of a round: 55 minutes" in page
    assert "(as the club)" in page
    assert "Language" not in page
    assert "Rules, Autumn: Western" in words(client.get(OURS))
    found = services_of(app)
    assert found.club_rules() == Rules("bmja-u3a", {"limit": 500}, 1), "it lies ahead"
    later = today() + timedelta(days=12)
    monkeypatch.setattr("webapp.services.today", lambda: later)
    assert found.club_rules() == Rules("western", {}, season="Autumn")
    assert found.decided_today(RoundLength) == RoundLength(55)
    assert found.decided_today(Stake) == Stake(10), "as the club"
    opening = client.get("/tables/new")
    assert "the rules of Autumn" in words(opening)
    assert 'value="western" selected' in opening.text
    assert 'value="10"' in opening.text
    client.post(f"/seasons/{season}", data={"remove": "yes"})
    assert found.club_rules() == Rules("bmja-u3a", {"limit": 500}, 1)
    assert "Rules, a season that was removed: Western" in words(client.get(OURS))
    assert client.get(f"{OURS}?season={season}").status_code == 404


def test_a_season_decides_its_rules_and_not_its_language(client: FlaskClient) -> None:
    season = a_season(client, "Now", today())
    assert f'href="{OURS}?season={season}"' in client.get("/seasons").text
    assert client.get(f"{OURS}/language?season={season}").status_code == 404
    page = client.get(f"{OURS}/rules?season={season}").text
    assert '<option value="">As the club decides</option>' in page
    assert f'name="season" value="{season}"' in page
    wrong = client.post(f"{OURS}/round", data={"season": season, "number": "0"})
    assert wrong.status_code == 400
    assert f'name="season" value="{season}"' in wrong.text
    form = {**HOUSE, "season": season, "then": "rules"}
    page = client.post(f"{OURS}/rules", data=form).text
    assert f'formaction="{OURS}/rules?without=limit&amp;season={season}"' in page
