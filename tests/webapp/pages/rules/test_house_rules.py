"""The secretary writes the club's rules; what was played keeps the rules it was played by."""

from __future__ import annotations

import re
import tomllib
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer.rules.folder import FOLDER_VARIABLE
from scorer.rules.rulebook import load_ruleset
from tests.webapp.conftest import services_of
from webapp import create_app
from webapp.rulesets.files import forget, id_for_name
from webapp.rulesets.shown import rules_of, rulesets
from webapp.security.accounts import Accounts
from webapp.security.login import EXTENSION

BASE = "/house-rules/bmja-u3a/edit"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    club = tmp_path / "club"
    club.mkdir()
    monkeypatch.setenv(FOLDER_VARIABLE, str(club))
    forget()
    return club


@pytest.fixture(autouse=True)
def _forget_afterwards(folder: Path) -> None:
    assert folder.is_dir()


@pytest.fixture(autouse=True, scope="module")
def _read_the_files_anew() -> object:
    yield
    forget()


def fields(page: str) -> dict[str, str]:
    """The form as a browser would send it."""
    found = {}
    for tag in re.findall(r"<input\b[^>]*>", page):
        name = re.search(r'name="([^"]+)"', tag)
        value = re.search(r'value="([^"]*)"', tag)
        if name and ('type="checkbox"' not in tag or " checked" in tag):
            found[name[1]] = value[1].replace("&#39;", "'") if value else "on"
    for name, body in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', body)
        found[name] = chosen[1] if chosen else ""
    return found


def written(client: FlaskClient, address: str = BASE, **changes: str | None) -> dict[str, str]:
    """The form with changes; None takes a tick away."""
    form = fields(client.get(address).text)
    form |= {"name": form["name"] or "Our club"}
    for name, value in changes.items():
        if value is None:
            del form[name]
        else:
            form[name] = value
    return form


def keep(client: FlaskClient, form: dict[str, str], address: str = BASE) -> str:
    answer = client.post(address, data={**form, "then": "keep"})
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"].rsplit("/", 1)[1]


def test_an_untouched_form_changes_nothing(client: FlaskClient, folder: Path) -> None:
    for name in ("bmja-u3a", "bmja-mjbr", "western", "uk-1924", "ming-1876"):
        address = f"/house-rules/{name}/edit"
        page = client.post(address, data={**written(client, address), "then": "check"}).text
        assert "There are no differences." in page
    assert not list(folder.iterdir())


def test_options_switches_points_and_sources_are_kept(client: FlaskClient, folder: Path) -> None:
    changes = {
        "option.limit": "500",
        "option.no_chows": None,
        "option.purity": None,
        "rule.pair_dragons.points": "4",
        "special_hand.wriggling_snake.won.limit": "3/4",
        "rule.own_wind.cite": "Minutes, May",
        "source": "Minutes, March",
    }
    form = written(client)
    for name, value in changes.items():
        form.pop(name, None)
        if value is not None:
            form[name] = value
    own = keep(client, form)
    assert own == "our-club"
    raw = tomllib.loads((folder / "our-club.toml").read_text("utf-8"))
    assert raw["changes"] == {"limit": 500, "no_chows": False, "purity": False}
    ruleset, base = load_ruleset(own), load_ruleset("bmja-u3a")
    assert ruleset.value_at("rule.pair_dragons.points") == 4
    assert ruleset.value_at("rule.pair_dragons.cite") == "Minutes, March"
    assert ruleset.value_at("rule.own_wind.cite") == "Minutes, May"
    assert ruleset.value_at("rule.pair_own_wind.cite") == base.value_at("rule.pair_own_wind.cite")
    assert ruleset.value_at("special_hand.wriggling_snake.won.limit") == "3/4"
    shown = client.get(f"/house-rules/{own}").text
    assert "500" in shown
    assert "3/4" in shown


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("option.limit", "9", "whole number from 10"),
        ("option.limit", "many", "whole number from 10"),
        ("rule.pair_dragons.points", "two", "This must be a whole number."),
        ("special_hand.wriggling_snake.won.limit", "half", "match"),
        ("rule.pair_dragons.cite", "", "at least 1 character"),
        ("name", "", "Enter something here."),
        ("name", "Our\tclub", "without control characters"),
        ("name", "Our \u202eclub", "without control characters"),
    ],
)
def test_what_cannot_be_is_told_at_its_field(
    client: FlaskClient, folder: Path, field: str, value: str, told: str
) -> None:
    form = {**written(client), field: value, "then": "keep"}
    answer = client.post(BASE, data=form)
    assert answer.status_code == 400
    name = field.removeprefix("option.")
    note = re.search(rf'id="told-{re.escape(name)}">([^<]+)<', answer.text)
    assert note is not None
    assert told in note[1]
    assert not list(folder.iterdir())


def test_a_changed_ruleset_is_a_new_version_and_earlier_games_keep_theirs(
    app: Flask, client: FlaskClient, folder: Path
) -> None:
    first = keep(client, {**written(client), "option.going_out": "10"})
    opened = client.post(
        "/tables",
        data={**{f"name_{s}": s * 2 for s in "ESWN"}, "ruleset": first},
    )
    table = opened.headers["Location"]
    address = f"/house-rules/{first}/edit"
    form = written(client, address)
    assert form["option.going_out"] == "10"
    second = keep(client, {**form, "option.going_out": "30"}, address)
    assert second == "our-club-v2"
    assert load_ruleset(second).name == "Our club, version 2"
    assert load_ruleset(first).value_at("rule.mah_jong.points") == 10
    stored = services_of(app).games.game(table.rsplit("/", 1)[1])
    assert stored is not None
    assert stored.game.setup.ruleset == first
    assert second in {info.id for info in rulesets()}
    assert first not in {info.id for info in rulesets()}
    assert rules_of(first).name == "Our club"
    assert "Our club" in client.get(table).text
    third = keep(
        client, written(client, f"/house-rules/{second}/edit"), f"/house-rules/{second}/edit"
    )
    assert load_ruleset(third).name == "Our club, version 3"
    assert len(list(folder.glob("*.toml"))) == 3


def test_a_change_can_be_taken_back(client: FlaskClient) -> None:
    form = {**written(client), "option.limit": "500", "rule.pair_dragons.points": "9"}
    first = keep(client, form)
    address = f"/house-rules/{first}/edit"
    back = {**written(client, address), "option.limit": "1000", "rule.pair_dragons.points": "2"}
    second = keep(client, back, address)
    assert "There are no differences." in client.get(f"/house-rules/{second}").text


def test_rules_of_the_clubs_own_survive_the_form(client: FlaskClient, folder: Path) -> None:
    (folder / "mine.toml").write_text(
        'id = "mine"\nname = "Mine"\ndescription = "d"\nbase = "bmja-u3a"\n'
        '[limit]\nvalue = 700\n[[rule]]\nid = "flower_pair"\nafter = "bonus_tile"\n'
        'text = "Own flower and season"\npoints = 8\ngroup = "bonus"\n'
        'when = ["own_flower", "own_season"]\ncite = "Minutes"\n',
        "utf-8",
    )
    forget()
    form = written(client, "/house-rules/mine/edit")
    assert form["rule.flower_pair.points"] == "8"
    assert form["option.limit"] == "700"
    form |= {"rule.flower_pair.points": "16", "option.limit": "1000"}
    own = keep(client, form, "/house-rules/mine/edit")
    assert own == "mine-v2"
    ruleset = load_ruleset(own)
    assert ruleset.value_at("rule.flower_pair.points") == 16
    assert ruleset.value_at("rule.flower_pair.when") == ("own_flower", "own_season")
    assert ruleset.value_at("limit.value") == 1000


def test_a_file_goes_out_and_comes_back_as_another_version(
    client: FlaskClient, folder: Path
) -> None:
    own = keep(client, {**written(client), "option.limit": "500"})
    with client.get(f"/house-rules/{own}.toml") as file:
        assert file.headers["Content-Disposition"].startswith("attachment")
        data = file.data
    sent = client.post("/house-rules", data={"file": (BytesIO(data), "club.toml")})
    assert sent.headers["Location"] == "/house-rules/our-club-v2"
    assert load_ruleset("our-club-v2").value_at("limit.value") == 500
    control = data.replace(b'"Our club"', b'"Our\\u0007club"')
    assert control != data
    deep = b"id = 'x'\n" + b".".join([b"a"] * 20_000) + b" = 1"
    unusable = (
        b"",
        b"\xff\xfe",
        deep,
        b"a = " + b"9" * 5_000,
        b"base = 7",
        b'name = "x"\nbase = "nowhere"',
        b"x" * 200_001,
    )
    for data in (*unusable, control):
        refused = client.post("/house-rules", data={"file": (BytesIO(data), "bad.toml")})
        assert refused.headers["Location"] == "/house-rules"
    assert len(list(folder.glob("*"))) == 2
    page = client.get("/house-rules").text
    assert "nowhere" in page
    assert "The file cannot be used: it has too many tables and lists inside one another" in page
    assert "The file cannot be used: it has a number with too many digits" in page


@pytest.mark.parametrize(
    "address", ["/house-rules/no-such", "/house-rules/no-such/edit", "/house-rules/bmja-u3a.toml"]
)
def test_other_addresses_are_not_found(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_only_the_secretary_writes_rules(app: Flask) -> None:
    kept: Accounts = app.extensions[EXTENSION]
    kept.add("Sue", "secretary", "a long enough password")
    kept.add("Sid", "scorer", "a long enough password")
    client = app.test_client()
    client.post("/login", data={"name": "Sid", "password": "a long enough password"})
    for address in ("/house-rules", "/house-rules/bmja-u3a", BASE):
        assert client.get(address).status_code == 403
    assert client.post(BASE, data={"name": "x"}).status_code == 403
    assert "House rules" not in client.get("/settings").text
    client.post("/logout")
    client.post("/login", data={"name": "Sue", "password": "a long enough password"})
    assert client.get("/house-rules").status_code == 200


def test_without_a_setting_the_files_lie_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, "")
    db = f"sqlite:///{tmp_path / 'own.sqlite3'}"
    made = create_app(db, folder=tmp_path)
    made.config["WTF_CSRF_ENABLED"] = False
    keep(made.test_client(), written(made.test_client()))
    services_of(made).close()
    assert (tmp_path / "rulesets" / "our-club.toml").exists()
    monkeypatch.setenv(FOLDER_VARIABLE, "")
    forget()
    assert "our-club" not in {info.id for info in rulesets()}
    again = create_app(db, folder=tmp_path)
    assert "our-club" in {info.id for info in rulesets()}
    services_of(again).close()


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Our Club", "our-club"),
        ("Café 21!", "cafe-21"),
        ("社区规则", "club"),
        ("../../etc", "etc"),
        ("Rules -v7", "rules"),
        ("Con", "club-con"),
    ],
)
def test_ids_are_plain(name: str, wanted: str) -> None:
    assert id_for_name(name) == wanted
