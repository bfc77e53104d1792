"""How a phone is told to trust this computer: the page, the two files, and the door to https."""

from __future__ import annotations

import base64
import plistlib
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from cryptography import x509
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.security.test_login import PASSWORD
from tests.webapp.serving.serving import letting_of, with_doors
from tests.webapp.serving.test_https import with_limits_for_addresses
from webapp.security.headers import NAMES
from webapp.serving import https
from webapp.serving.certificates import Authority

PHONES = {
    "iphone": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1",
    "android": "Mozilla/5.0 (Linux; Android 15; SM-A556B) Chrome/140.0.0.0 Mobile Safari/537.36",
    "windows": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36",
    "mac": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605.1.15",
}
FILES = ("/trust/kongbox.crt", "/trust/kongbox.mobileconfig")
SERVED = {"SERVER_PORT": "8000"}


@pytest.fixture
def authority(app: Flask) -> Authority:
    """What phones are told to trust, now that https is on."""
    page: https.Https = app.extensions[https.EXTENSION]
    page.turn_on()
    assert page.authority is not None
    return page.authority


def test_the_file_is_the_authority_s_certificate_without_its_key(
    client: FlaskClient, authority: Authority
) -> None:
    answer = client.get("/trust/kongbox.crt")
    assert answer.mimetype == "application/x-x509-ca-cert"
    assert answer.headers["Content-Disposition"] == "attachment; filename=kongbox.crt"
    assert x509.load_der_x509_certificate(answer.data) == authority.certificate


def test_the_profile_holds_the_same_and_replaces_itself(
    client: FlaskClient, authority: Authority
) -> None:
    answer = client.get("/trust/kongbox.mobileconfig")
    assert answer.mimetype == "application/x-apple-aspen-config"
    told = plistlib.loads(answer.data)
    (root,) = told["PayloadContent"]
    assert root["PayloadType"] == "com.apple.security.root"
    assert root["PayloadContent"] == authority.der
    assert told["PayloadDisplayName"] == authority.name
    assert client.get("/trust/kongbox.mobileconfig").data == answer.data


def test_no_copy_of_what_the_club_has_holds_the_key(
    app: Flask, client: FlaskClient, authority: Authority, tmp_path: Path
) -> None:
    number = authority.key.private_numbers().private_value.to_bytes(32, "big")
    assert number in base64.b64decode("".join(key_of(tmp_path).splitlines()[1:-1]))
    services_of(app).backups.round()
    with (
        client.get("/keeping/everything.zip") as everything,
        ZipFile(BytesIO(everything.data)) as archive,
    ):
        held = [archive.read(name) for name in archive.namelist()]
    held += [path.read_bytes() for path in tmp_path.rglob("*-copies/*")]
    assert len(held) > 2
    assert [it for it in held if number in it or b"PRIVATE KEY" in it] == []


def key_of(folder: Path) -> str:
    """The key as it is kept."""
    (kept,) = (folder / "https").iterdir()
    return kept.read_text("ascii").partition("-----BEGIN CERT")[0]


@pytest.mark.parametrize("phone", PHONES)
def test_each_device_is_shown_its_own_way_first(
    client: FlaskClient, authority: Authority, phone: str
) -> None:
    page = client.get("/trust", headers={"User-Agent": PHONES[phone]}).text
    parts = re.findall(r'<details class="card"( open)?><summary><strong>([^<]+)', page)
    opened = dict(zip(PHONES, parts, strict=True))
    assert [kind for kind, (is_open, _heading) in opened.items() if is_open] == [phone]
    assert authority.fingerprint in page
    assert authority.name in page


@pytest.mark.usefixtures("authority")
def test_every_picture_has_words_and_a_name_of_its_own(client: FlaskClient) -> None:
    page = client.get("/trust").text
    titles = re.findall(r'<title id="([^"]+)">([^<]+)</title>', page)
    assert len(titles) == page.count("<svg") == len({name for name, _ in titles})
    assert all(words.strip() for _, words in titles)


@pytest.mark.usefixtures("authority")
@pytest.mark.parametrize("path", ["/trust", "/enter"])
@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1:8000", "https://127.0.0.1:8000/"), ("[::1]:8000", "https://[::1]:8000/")],
)
def test_the_page_asks_by_https_at_this_computer_alone(
    client: FlaskClient, path: str, host: str, address: str
) -> None:
    answer = client.get(path, base_url=f"http://{host}", environ_overrides=SERVED)
    assert f'data-address="{address}"' in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert policy.endswith(f"; connect-src 'self' {address}")
    forged = client.get(path, base_url="http://203.0.113.9", environ_overrides=SERVED)
    assert "203.0.113.9" not in forged.text


def test_who_comes_by_https_or_without_it_is_led_on_at_once(
    app: Flask, client: FlaskClient
) -> None:
    assert client.get("/enter").headers["Location"] == "/"
    assert "/trust" not in client.get("/settings").text
    app.extensions[https.EXTENSION].turn_on()
    assert 'href="/trust"' in client.get("/settings").text
    assert client.get("/enter", base_url="https://localhost").headers["Location"] == "/"
    assert client.get("/enter").status_code == 200


def test_without_https_the_page_says_so_and_there_is_no_file(client: FlaskClient) -> None:
    page = client.get("/trust")
    assert "currently switched off" in page.text
    assert "connect-src" not in page.headers["Content-Security-Policy"]
    for file in FILES:
        answer = client.get(file)
        assert answer.status_code == 404
        assert "encrypted page is switched off" in answer.text


def test_a_tick_lets_phones_in_by_https_too_and_it_is_remembered(
    app: Flask, client: FlaskClient
) -> None:
    with_doors(app)
    given = {"name": "Sue", "password": PASSWORD, "again": PASSWORD, "https": "yes"}
    shown = client.post("/phones/in", data=given, follow_redirects=True).text
    assert 'href="/trust"' in shown
    assert "Switch the encrypted page off" in shown
    secure: https.Https = app.extensions[https.EXTENSION]
    again = https.Https(secure._folder)
    again.turn_on_again()
    assert again.on
    shown = client.post("/phones/https", follow_redirects=True).text
    assert "Phones carry on without it" in shown
    assert 'href="/trust"' not in shown
    shown = client.post("/phones/https", data={"on": "yes"}, follow_redirects=True).text
    assert 'href="/trust"' in shown
    assert secure.on


def test_what_cannot_be_switched_on_is_told_and_phones_are_let_in(
    app: Flask, client: FlaskClient, tmp_path: Path
) -> None:
    doors = with_doors(app)
    (tmp_path / "https").mkdir()
    (tmp_path / "https" / "authority.pem").write_text("damaged")
    given = {"name": "Sue", "password": PASSWORD, "again": PASSWORD, "https": "yes"}
    shown = client.post("/phones/in", data=given, follow_redirects=True).text
    assert "The encrypted page could not be switched on" in shown
    assert doors.open_ports == [80]


@pytest.mark.usefixtures("authority")
def test_the_code_for_phones_leads_to_where_it_is_seen_whether_they_trust(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.pages.entry.phones.qr_svg", str.encode)
    with_doors(app)
    letting_of(app).open()
    assert client.get("/phones.svg").text == "http://192.168.1.7/enter"
    app.extensions[https.EXTENSION].turn_off()
    assert client.get("/phones.svg").text == "http://192.168.1.7/"


@pytest.mark.usefixtures("authority")
def test_under_its_announced_name_the_page_asks_under_that_name(
    app: Flask, client: FlaskClient
) -> None:
    app.extensions[NAMES] = lambda: frozenset({"kongbox.local"})
    page = client.get(
        "/trust", base_url="http://kongbox.local", environ_overrides={"SERVER_PORT": "80"}
    )
    assert 'data-address="https://kongbox.local:80/"' in page.text


@pytest.fixture
def in_a_public_network(
    app: Flask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> dict[str, object]:
    """This computer has an address for which its authority, an older one, may not vouch."""
    with_limits_for_addresses(tmp_path / "https")
    app.extensions[https.EXTENSION].turn_on()
    monkeypatch.setattr("webapp.serving.addresses.is_own", {"11.22.33.1"}.__contains__)
    return {"base_url": "http://11.22.33.1", "environ_overrides": {"SERVER_PORT": "80"}}


def test_where_the_address_cannot_be_encrypted_the_page_says_so(
    client: FlaskClient, in_a_public_network: dict[str, Any]
) -> None:
    page = client.get("/trust", **in_a_public_network)
    assert "may not vouch for 11.22.33.1" in page.text
    assert "does not trust the computer yet" not in page.text
    assert "connect-src" not in page.headers["Content-Security-Policy"]
    assert client.get("/enter", **in_a_public_network).headers["Location"] == "/"


def test_where_the_address_cannot_be_encrypted_the_name_is_tried(
    app: Flask, client: FlaskClient, in_a_public_network: dict[str, Any]
) -> None:
    app.extensions[NAMES] = lambda: frozenset({"kongbox.local"})
    page = client.get("/trust", **in_a_public_network).text
    assert "may not vouch for 11.22.33.1" in page
    assert 'data-address="https://kongbox.local:80/"' in page
    entering = client.get("/enter", **in_a_public_network).text
    assert 'data-address="https://kongbox.local:80/"' in entering


@pytest.mark.usefixtures("authority")
def test_at_home_nothing_is_said_of_it(client: FlaskClient) -> None:
    assert "may not vouch" not in client.get("/trust").text
