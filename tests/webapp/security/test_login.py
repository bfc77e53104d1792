"""Who may do what, and the ways in that must stay shut."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

import webapp
from tests.webapp.conftest import services_of
from tests.webapp.fakes import DEAL
from webapp.cli.main import main
from webapp.database.tables.accounts import AccountRow
from webapp.security.accounts import AccountRefused, Accounts
from webapp.security.login import EXTENSION, accounts
from webapp.serving import addresses

PASSWORD = "teapot ladder moss"
ROLES = {"Sue": "secretary", "Sam": "scorer", "Gus": "guest"}
LAN = {"REMOTE_ADDR": "192.168.1.20"}


@pytest.fixture
def kept(app: Flask) -> Accounts:
    found: Accounts = app.extensions[EXTENSION]
    return found


@pytest.fixture
def club(app: Flask, kept: Accounts) -> Flask:
    kept.add("Sue", "secretary", PASSWORD)
    kept.add("Sam", "scorer", PASSWORD)
    kept.add("Gus", "guest", PASSWORD)
    return app


def logged_in(app: Flask, name: str) -> FlaskClient:
    client = app.test_client()
    answer = client.post("/login", data={"name": name, "password": PASSWORD})
    assert answer.status_code == 303
    return client


def a_deal(app: Flask) -> str:
    return logged_in(app, "Sam").post("/deals").headers["Location"]


def test_without_accounts_the_page_is_open(client: FlaskClient) -> None:
    assert client.get("/").status_code == 200
    assert client.post("/deals").status_code == 303
    assert "Log out" not in client.get("/").text


def test_a_link_to_a_table_opens_without_a_password(club: Flask) -> None:
    made = logged_in(club, "Sam").post("/tables/demo")
    table = re.search(r"/tables/[0-9a-f]{32}", made.headers["Location"] + made.text)
    if table is None:
        page = logged_in(club, "Sam").get("/").text
        table = re.search(r"/tables/[0-9a-f]{32}", page)
    assert table is not None
    assert club.test_client().get(table[0]).status_code == 200
    assert club.test_client().post(f"{table[0]}/drawn").headers["Location"].startswith("/login")


@pytest.mark.parametrize(("name", "enters", "phones"), [
    ("Sue", 303, 200), ("Sam", 303, 403), ("Gus", 403, 403),
])  # fmt: skip
def test_each_role_has_its_limits(club: Flask, name: str, enters: int, phones: int) -> None:
    client = logged_in(club, name)
    assert client.get("/").status_code == 200
    assert f"Log out {name}" in client.get("/").text
    assert client.post("/deals").status_code == enters
    assert client.get("/phones").status_code == phones
    assert client.get("/phones.svg").status_code == phones
    assert client.post("/logout").status_code == 303
    assert client.get("/").headers["Location"].startswith("/login")


def test_programs_log_in_with_every_request(club: Flask) -> None:
    client = club.test_client()
    assert client.post("/api/v1/scores", json=DEAL).status_code == 401
    assert client.post("/api/v1/scores", json=DEAL).mimetype == "application/problem+json"
    assert client.post("/api/v1/scores", json=DEAL, auth=("Sam", PASSWORD)).status_code == 200
    assert client.post("/api/v1/scores", json=DEAL, auth=("Sam", "wrong")).status_code == 401
    assert client.post("/api/v1/scores", json=DEAL, auth=("Gus", PASSWORD)).status_code == 403
    assert client.get("/healthz").status_code == 200


def test_a_login_from_another_site_is_refused(club: Flask) -> None:
    form = {"name": "Sam", "password": PASSWORD}
    sent = club.test_client().post("/login", data=form, headers={"Origin": "http://evil.example"})
    assert sent.status_code == 403


def test_a_session_given_before_the_login_is_not_kept(club: Flask) -> None:
    client = club.test_client()
    with client.session_transaction() as session:
        session["planted"] = "by somebody else"
        session["_user_id"] = "somebody"
    before = client.get_cookie("kongbox")
    client.post("/login", data={"name": "Sam", "password": PASSWORD})
    after = client.get_cookie("kongbox")
    assert before is not None
    assert after is not None
    assert after.value != before.value
    assert after.http_only
    with client.session_transaction() as session:
        assert "planted" not in session


def test_the_cookie_is_for_https_alone_where_there_is_https(club: Flask) -> None:
    form = {"name": "Sam", "password": PASSWORD}
    client = club.test_client()
    for base, name in (("http://localhost", "kongbox"), ("https://localhost", "__Host-kongbox")):
        answer = client.post("/login", data=form, base_url=base)
        (cookie,) = answer.headers.getlist("Set-Cookie")
        assert cookie.startswith(f"{name}=")
        assert answer.status_code == 303
        assert ("Secure" in cookie) == base.startswith("https")
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert "Domain" not in cookie
        assert "Path=/;" in cookie
    for base in ("http://localhost", "https://localhost"):
        assert "Log out Sam" in client.get("/", base_url=base).text, "both are logged in"


def test_a_new_password_ends_the_old_sessions(club: Flask, kept: Accounts) -> None:
    client = logged_in(club, "Sam")
    kept.set_password("sam", "another one altogether")
    assert client.get("/").headers["Location"].startswith("/login")
    kept.remove("Gus")
    assert kept.verify("Gus", PASSWORD) is None


def test_wrong_passwords_are_limited_for_the_name_but_not_for_others(club: Flask) -> None:
    client = club.test_client()
    tries = [client.post("/login", data={"name": "Sam", "password": str(n)}) for n in range(6)]
    assert [t.status_code for t in tries] == [401] * 5 + [429]
    assert "quarter of an hour" in tries[-1].text
    blocked = client.post("/login", data={"name": "SAM ", "password": PASSWORD})
    assert blocked.status_code == 429
    assert logged_in(club, "Sue").get("/").status_code == 200


def test_one_phone_cannot_send_without_end(app: Flask) -> None:
    client = app.test_client()
    sent = [client.post("/api/v1/readings", environ_base=LAN).status_code for _ in range(31)]
    assert sent == [400] * 30 + [429]
    assert client.post("/api/v1/readings").status_code == 400, "this computer itself may"


@pytest.mark.parametrize("target", [
    "https://evil.example/", "//evil.example", "/\\evil.example", "evil", "javascript:alert(1)", "",
])  # fmt: skip
def test_after_the_login_nobody_is_sent_elsewhere(club: Flask, target: str) -> None:
    form = {"name": "Sam", "password": PASSWORD, "next": target}
    assert club.test_client().post("/login", data=form).headers["Location"] == "/"


def test_after_the_login_the_wanted_page_opens(club: Flask) -> None:
    client = club.test_client()
    asked = client.get("/evenings")
    shown = client.get(asked.headers["Location"]).text
    wanted = re.search(r'name="next" value="([^"]*)"', shown)
    assert wanted is not None
    form = {"name": "Sam", "password": PASSWORD, "next": wanted[1]}
    assert client.post("/login", data=form).headers["Location"] == "/evenings"


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x onerror=a()>'])
def test_names_are_shown_as_written(club: Flask, kept: Accounts, name: str) -> None:
    kept.add(name[:30], "scorer", PASSWORD)
    client = logged_in(club, name[:30])
    deal = client.post("/deals", data={"name_E": name}).headers["Location"]
    for page in (client.get("/").text, client.get(deal).text, client.get(f"{deal}/players/E").text):
        assert name[:30] not in page
    failed = client.post("/login", data={"name": name, "password": "wrong"}).text
    assert name not in failed


@pytest.mark.parametrize("path", [
    "/static/../security.py", "/static/..%2fsecurity.py", "/static/%2e%2e/secret.key",
    "/samples/..%2f1.jpg", "/deals/..%2f..%2fetc", "/deals/x/photos/..%2f..%2fx.jpg",
])  # fmt: skip
def test_no_path_leads_out_of_the_page(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(("name", "role", "password", "words"), [
    ("", "secretary", PASSWORD, "1 to 30"), ("x" * 31, "secretary", PASSWORD, "1 to 30"),
    ("a\x00b", "secretary", PASSWORD, "1 to 30"), ("Al", "secretary", "short", "at least 8"),
    ("Al", "secretary", "x" * 201, "longer than 200"), ("Al", "scorer", PASSWORD, "first account"),
])  # fmt: skip
def test_accounts_that_cannot_be(
    kept: Accounts, name: str, role: webapp.security.accounts.Role, password: str, words: str
) -> None:
    with pytest.raises(AccountRefused, match=words):
        kept.add(name, role, password)
    assert not kept.any()


def test_a_password_is_kept_as_argon2id_of_its_own(club: Flask) -> None:
    with services_of(club).engine.connect() as connection:
        found = set(connection.scalars(select(AccountRow.password)))
    assert len(found) == len(ROLES), "nobody sees who has the same password"
    assert all(each.startswith("$argon2id$") for each in found)


def test_the_last_secretary_stays_while_there_are_others(club: Flask, kept: Accounts) -> None:
    with pytest.raises(AccountRefused, match="only secretary"):
        kept.remove("Sue")
    with pytest.raises(AccountRefused, match="already"):
        kept.add("  SUE ", "guest", PASSWORD)
    with club.test_request_context():
        assert accounts() is kept


def test_the_commands_for_accounts(tmp_path: Path) -> None:
    db = ["--db", f"sqlite:///{tmp_path / 'club.sqlite3'}"]

    def run(*arguments: str, given: str = "") -> tuple[int, str]:
        result = CliRunner().invoke(main, [*arguments, *db], input=given)
        return result.exit_code, result.output

    status, told = run("serve", "--host", "0.0.0.0", "--port", "8797")
    assert status == 1
    assert 'kongbox users add "Your name" --role secretary' in told
    assert run("users", "add", "Sue", "--role", "secretary", given="short\n")[0] == 1
    assert run("users", "add", "Sue", "--role", "secretary", given=f"{PASSWORD}\n")[0] == 0
    assert run("users", "add", "Sam", given=f"{PASSWORD}\n")[0] == 0
    assert run("users", "list") == (0, "Sam\tscorer\nSue\tsecretary\n")
    assert run("users", "password", "Sam", given="another password\n")[0] == 0
    assert run("users", "remove", "Sam")[0] == 0
    assert run("users", "remove", "Sam")[0] == 1
    assert run("users", "list") == (0, "Sue\tsecretary\n")


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """This computer is 192.168.1.7 in its network and 10.0.0.7 in another one."""
    monkeypatch.setattr(addresses, "own_address", lambda _version=4: "192.168.1.7")
    monkeypatch.setattr(addresses, "is_own", {"192.168.1.7", "10.0.0.7"}.__contains__)
    monkeypatch.setenv("KONGBOX_HOSTS", "club.example")


SERVED = {"SERVER_PORT": "8000"}


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(("host", "address"), [
    ("192.168.1.7:8000", "http://192.168.1.7:8000/"), ("10.0.0.7:8000", "http://10.0.0.7:8000/"),
    ("10.6.6.6:8000", "http://192.168.1.7:8000/"), ("[fe80::6]:8000", "http://192.168.1.7:8000/"),
    ("192.168.1.7:6666", "http://192.168.1.7:8000/"), ("club.example", "http://club.example/"),
    ("club.example:6666", "http://club.example/"),
    ("club.example:8000", "http://club.example:8000/"),
])  # fmt: skip
def test_phones_are_shown_the_way_to_this_computer_whatever_a_header_says(
    app: Flask, monkeypatch: pytest.MonkeyPatch, host: str, address: str
) -> None:
    monkeypatch.setattr("webapp.pages.entry.phones.qr_svg", str.encode)
    client = app.test_client()

    def seen(path: str) -> str:
        return client.get(path, headers={"Host": host}, environ_overrides=SERVED).text

    page = seen("/phones")
    assert f">{address}</strong>" in page
    assert seen("/phones.svg") == address
    assert re.findall(r"10\.6\.6\.6|:6666|fe80", page) == []


def test_only_addresses_of_this_computer_are_its_own() -> None:
    assert addresses.is_own("127.0.0.1")
    foreign = ("192.0.2.7", "224.0.0.1", "255.255.255.255", "0.0.0.0", "::6", "club.example", "")
    assert [host for host in foreign if addresses.is_own(host)] == []


def test_guests_are_offered_nothing_that_they_may_not_do(club: Flask) -> None:
    evening = logged_in(club, "Sam").post("/evenings", data={}).headers["Location"]
    offered = ("Score a deal", "Open a table", "Try the demo", "Their names", "Start this")
    for name, some in (("Sam", True), ("Gus", False)):
        page = logged_in(club, name)
        shown = "".join(page.get(path).text for path in ("/", "/evenings", evening))
        assert {words in shown for words in offered} == {some}
