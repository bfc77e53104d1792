"""The page that lets phones in: to whom it is shown, what it asks, and what it says afterwards."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.security.test_login import LAN, PASSWORD, club, kept, logged_in
from tests.webapp.serving.serving import letting_of, with_doors
from webapp.pages.entry.phones import root_to_send
from webapp.security.accounts import Accounts
from webapp.security.headers import SENT_ON
from webapp.serving.addresses import Address
from webapp.serving.mdns import Announcement

__all__ = ["club", "kept"]

SECRETARY = {"name": "Sue", "password": PASSWORD, "again": PASSWORD}


def let_in(client: FlaskClient, **more: str) -> str:
    return client.post("/phones/in", data=SECRETARY | more, follow_redirects=True).text


def test_one_button_gives_the_secretary_a_password_and_lets_phones_in(
    app: Flask, client: FlaskClient, kept: Accounts
) -> None:
    doors = with_doors(app)
    assert "Let phones in" in client.get("/").text
    asked = client.get("/phones").text
    assert 'name="password"' in asked
    assert "/phones.svg" not in asked
    shown = let_in(client)
    assert kept.has_secretary()
    assert doors.open_ports == [80]
    assert ">http://192.168.1.7/</strong>" in shown
    assert "Log out Sue" in shown, "who lets phones in is logged in"
    assert "<svg" in client.get("/phones.svg").text
    assert app.test_client().get("/", environ_base=LAN).headers["Location"].startswith("/login")


@pytest.mark.parametrize(("more", "words"), [
    ({"password": "short", "again": "short"}, "at least 8"),
    ({"again": "something else"}, "passwords are different"),
    ({"name": ""}, "1 to 30"),
])  # fmt: skip
def test_nobody_is_let_in_before_there_is_a_password(
    app: Flask, client: FlaskClient, kept: Accounts, more: dict[str, str], words: str
) -> None:
    doors = with_doors(app)
    assert words in let_in(client, **more)
    assert (doors.tried, kept.any()) == ([], False)


def test_a_secretary_is_asked_for_no_second_password(club: Flask) -> None:
    doors = with_doors(club)
    sue = logged_in(club, "Sue")
    assert 'name="password"' not in sue.get("/phones").text
    sue.post("/phones/in")
    assert doors.open_ports == [80]
    assert logged_in(club, "Sam").post("/phones/out").status_code == 403
    assert "Phones can no longer connect" in sue.post("/phones/out", follow_redirects=True).text
    assert doors.open_ports == []


@pytest.mark.parametrize("sender", [
    {"environ_base": LAN}, {"environ_overrides": {SENT_ON: True}},
])  # fmt: skip
def test_without_accounts_only_this_computer_itself_lets_phones_in(
    app: Flask, client: FlaskClient, kept: Accounts, sender: dict[str, object]
) -> None:
    doors = with_doors(app)
    for path in ("/phones/in", "/phones/out", "/stop", "/accounts"):
        answer = client.post(path, data=SECRETARY, **sender)
        assert answer.status_code == 403, path
    assert (doors.tried, doors.stopped, kept.any()) == ([], False, False)
    by_another_name = client.get("/phones", headers={"Host": "192.168.1.7:8000"}).text
    assert 'name="password"' not in by_another_name


def test_nobody_in_the_wifi_is_let_in_where_the_accounts_were_removed(club: Flask) -> None:
    kept: Accounts = club.extensions["kongbox-accounts"]
    with_doors(club)
    letting_of(club).open()
    for name in ("Sam", "Gus", "Sue"):
        kept.remove(name)
    refused = club.test_client().get("/", environ_base=LAN)
    assert refused.status_code == 403
    assert "lets nobody in" in refused.text
    assert club.test_client().get("/").status_code == 200


def test_a_name_is_answered_as_long_as_it_is_announced(club: Flask) -> None:
    class Silent:
        loop = None

        def close(self) -> None:
            pass

    letting = letting_of(club)
    with_doors(club)
    letting.name = lambda _ips, _port, _last: Announcement(
        "kongbox-2.local",
        Silent(),  # type: ignore[arg-type]
    )
    named = {"Host": "kongbox-2.local"}

    def asked() -> int:
        return club.test_client().get("/login", headers=named, environ_base=LAN).status_code

    assert asked() == 400
    letting.open()
    letting.look_again()
    assert asked() == 200
    assert "http://kongbox-2.local/" in logged_in(club, "Sue").get("/phones").text
    letting.close()
    letting.look_again()
    assert asked() == 400


def test_the_page_says_by_itself_that_a_phone_has_found_it(club: Flask) -> None:
    with_doors(club)
    letting_of(club).open()
    sue = logged_in(club, "Sue")
    page = sue.get("/phones").text
    assert "No phone has connected yet" in page
    now = re.search(r'hx-get="([^"]+)"', page)
    assert now is not None
    asks = now[1].replace("&amp;", "&")
    assert sue.get(asks).status_code == 204
    club.test_client().get("/login", environ_base=LAN)
    told = sue.get(asks)
    assert "A phone has connected." in told.text
    assert "<html" not in told.text
    club.test_client().get("/login", environ_base={"REMOTE_ADDR": "192.168.1.21"})
    assert "2 phones have connected." in sue.get("/phones").text


def test_in_another_wifi_the_page_shows_the_new_address_and_lets_choose(club: Flask) -> None:
    with_doors(club)
    letting = letting_of(club)
    letting.open()
    sue = logged_in(club, "Sue")
    hall, vpn = Address("10.20.0.9", "Wi-Fi"), Address("10.8.0.2", "tun0", likely=False)
    letting.look = lambda: (hall, vpn)
    page = sue.get("/phones").text
    assert ">http://10.20.0.9/</strong>" in page
    assert "seems to be using a VPN" in page
    assert 'href="/phones?address=10.8.0.2"' in page
    assert ">http://10.8.0.2/</strong>" in sue.get("/phones?address=10.8.0.2").text
    assert ">http://10.20.0.9/</strong>" in sue.get("/phones?address=6.6.6.6").text
    letting.look = tuple
    assert "not on a network at the moment" in sue.get("/phones").text


@pytest.mark.usefixtures("kept")
def test_where_no_port_is_free_it_is_said(app: Flask, client: FlaskClient) -> None:
    doors = with_doors(app)
    doors.taken = {80, *range(8000, 8020)}
    assert "could not be let in" in let_in(client)


def test_kongbox_is_stopped_on_the_computer_itself_after_a_question(club: Flask) -> None:
    doors = with_doors(club)
    sue = logged_in(club, "Sue")
    assert "Stop Kongbox" in sue.get("/").text
    assert "Everything entered is kept" in sue.get("/stop").text
    assert not doors.stopped
    assert logged_in(club, "Sam").post("/stop").status_code == 403
    assert sue.post("/stop", environ_base=LAN).status_code == 403, "not from afar"
    assert "Kongbox is stopped" in sue.post("/stop").text
    assert doors.stopped


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.7"])
def test_who_serves_the_wifi_from_the_start_sees_the_address_as_before(
    club: Flask, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.serving.addresses.own_address", lambda _version=4: "192.168.1.7")
    with_doors(club, host)
    page = logged_in(club, "Sue").get("/phones").text
    assert "Let phones in" not in page
    assert "Keep phones out" not in page
    assert ">http://192.168.1.7:8000/</strong>" in page


def test_it_is_for_nobody_to_stop_what_something_else_serves(client: FlaskClient) -> None:
    assert client.post("/stop").status_code == 403
    assert "Stop Kongbox" not in client.get("/").text


def test_a_link_made_on_this_computer_leads_phones_to_it(app: Flask) -> None:
    with_doors(app)
    with app.test_request_context("/", base_url="http://127.0.0.1:8000"):
        assert root_to_send().startswith("http://127.0.0.1")
        letting_of(app).open()
        assert root_to_send() == "http://192.168.1.7/"
