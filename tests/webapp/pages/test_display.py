"""Language, print, contrast and colours: kept on a device, followed by every page."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from webapp.security.accounts import Accounts
from webapp.security.login import EXTENSION

STYLES = re.compile(r'<link rel="stylesheet" href="/static/([a-z-]+)\.css[^"]*" media="([^"]+)"')
DARK = "(prefers-color-scheme: dark)"
MORE = "(prefers-contrast: more)"


def styles(client: FlaskClient) -> dict[str, str]:
    return dict(STYLES.findall(client.get("/laying-tiles").text))


def test_a_device_that_chose_nothing_is_followed(client: FlaskClient) -> None:
    found = styles(client)
    assert found == {"dark": DARK, "contrast": MORE, "contrast-dark": f"{DARK} and {MORE}"}
    assert "data-print" not in client.get("/").text


@pytest.mark.parametrize(
    ("colours", "contrast", "wanted"),
    [
        ("dark", "", {"dark": "all", "contrast": MORE, "contrast-dark": MORE}),
        ("light", "", {"dark": "not all", "contrast": MORE, "contrast-dark": "not all"}),
        ("", "high", {"dark": DARK, "contrast": "all", "contrast-dark": DARK}),
        ("dark", "high", {"dark": "all", "contrast": "all", "contrast-dark": "all"}),
        ("light", "high", {"dark": "not all", "contrast": "all", "contrast-dark": "not all"}),
    ],
)
def test_what_was_chosen_goes_before_the_device(
    client: FlaskClient, colours: str, contrast: str, wanted: dict[str, str]
) -> None:
    client.post("/settings", data={"colours": colours, "contrast": contrast})
    assert styles(client) == wanted


def test_large_print_is_kept_until_it_is_taken_back(client: FlaskClient) -> None:
    client.post("/settings", data={"print": "largest"})
    assert 'data-print="largest"' in client.get("/").text
    assert re.search(r'id="print-largest"[^>]*checked', client.get("/settings").text)
    client.post("/settings", data={"print": ""})
    assert "data-print" not in client.get("/").text


def test_the_language_is_the_chosen_one_then_the_browsers(client: FlaskClient) -> None:
    def language(accepted: str) -> str:
        page = client.get("/", headers={"Accept-Language": accepted}).text
        return str(re.findall(r'<html lang="([^"]+)"', page)[0])

    assert language("") == "en-GB"
    assert language("fr, en;q=0.5") == "en-GB"
    assert language("zh-CN, en;q=0.5") == "zh-Hans"
    assert language("zh-TW") == "zh-Hans"
    client.post("/settings", data={"language": "en"})
    assert language("zh-CN") == "en-GB"
    client.post("/settings", data={"language": "zh_Hans"})
    assert language("en-GB") == "zh-Hans"


def test_what_cannot_be_chosen_is_not_kept(client: FlaskClient) -> None:
    sent = {"print": "x" * 5000, "language": "tlh", "contrast": '"><b>', "colours": "pink"}
    assert client.post("/settings", data=sent).status_code == 303
    page = client.get("/").text
    assert "data-print" not in page
    assert '<html lang="en-GB">' in page


def test_a_cookie_from_elsewhere_does_no_harm(client: FlaskClient) -> None:
    for name in ("language", "print", "contrast", "colours"):
        client.set_cookie(f"kongbox-{name}", "'><script>")
    assert "'><script>" not in client.get("/").text


def test_settings_need_no_login(app: Flask) -> None:
    kept: Accounts = app.extensions[EXTENSION]
    kept.add("Sue", "secretary", "a long enough password")
    client = app.test_client()
    assert client.get("/settings").status_code == 200
    assert client.post("/settings", data={"print": "large"}).headers["Location"] == "/settings"
    assert 'data-print="large"' in client.get("/login").text


def test_a_language_that_no_native_reader_has_read_says_so(client: FlaskClient) -> None:
    pages = {
        tag: client.get("/settings", headers={"Accept-Language": tag}).text for tag in ("en", "nl")
    }
    assert '<p class="hint" lang=' not in pages["en"]
    told = dict(re.findall(r'<p class="hint" lang="([^"]+)">(.*?)</p>', pages["nl"]))
    assert "No native speaker has checked the words in Dutch yet" in told["en-GB"]
    for tag in ("en-GB", "nl"):
        assert "webapp/translations/nl/LC_MESSAGES/messages.po" in told[tag]
