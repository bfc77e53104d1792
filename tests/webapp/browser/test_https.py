"""A phone trusts this computer: it comes to https by itself, and opens the page without it."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from flask import Flask

from tests.webapp.browser.browser import PHONE, Page, Stage, chromium
from tests.webapp.conftest import services_of
from tests.webapp.pages.table.test_games import open_table
from tests.webapp.serving.test_https import shown
from webapp.serving import https

pytestmark = pytest.mark.browser


def trusting(page: https.Https) -> str:
    """The flag by which Chromium trusts the certificate of the moment."""
    key = shown(page).public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"--ignore-certificate-errors-spki-list={b64encode(sha256(key).digest()).decode()}"


def test_the_page_is_an_app_that_opens_without_the_computer(app: Flask, tmp_path: Path) -> None:
    encrypted: https.Https = app.extensions[https.EXTENSION]
    encrypted.turn_on()
    table = open_table(app.test_client())
    stage = Stage(encrypted.context)
    flag = trusting(encrypted)
    with stage.shows(app) as address, chromium(tmp_path / "profile", flag) as chrome:
        page = Page(chrome, address)
        page.size(*PHONE)
        page.open("/trust")
        page.wait("//*[@id='trusts'][contains(., 'This device trusts the computer.')]")
        page.check()
        page.open("/enter")
        page.until(lambda: chrome.current_url == f"{address.replace('http:', 'https:')}/")
        page.address = address.replace("http:", "https:")
        page.open(table)
        chrome.execute_async_script(
            "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done())"
        )
        told = chrome.execute_cdp_cmd("Page.getInstallabilityErrors", {})
        assert told["installabilityErrors"] == []
        services_of(app).live.close()
        stage.close()
        page.open("/")
        page.wait("//h1[contains(., 'Without a connection')]")
        page.wait("//*[@id='offline-tables']//th[contains(., 'Ann')]")
        assert page.wait("//select[@name='game']/option").text == "Table 1"


def test_a_page_opened_past_the_warning_is_not_taken_for_trusted(
    app: Flask, tmp_path: Path
) -> None:
    encrypted: https.Https = app.extensions[https.EXTENSION]
    encrypted.turn_on()
    stage = Stage(encrypted.context)
    with stage.shows(app) as address, chromium(tmp_path / "profile") as chrome:
        page = Page(chrome, address.replace("http:", "https:"))
        page.open("/trust")
        assert "ERR_CERT" in chrome.page_source
        chrome.execute_script("document.getElementById('proceed-link').click()")
        page.wait("//*[@id='trusts'][contains(., 'does not trust the computer yet')]")
        assert chrome.execute_script("return isSecureContext")
    stage.close()
