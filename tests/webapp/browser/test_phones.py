"""The page with the code, as it stays open on the computer while phones come."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.browser.browser import Page
from tests.webapp.security.test_login import LAN, PASSWORD, kept
from tests.webapp.serving.serving import letting_of, with_doors
from webapp.serving.addresses import Address

__all__ = ["kept"]

pytestmark = pytest.mark.browser


@pytest.mark.usefixtures("kept")
def test_the_page_says_by_itself_when_a_phone_has_come_and_the_address_is_another(
    page: Page, app: Flask
) -> None:
    with_doors(app)
    page.open("/phones")
    for name, words in (("name", "Sue"), ("password", PASSWORD), ("again", PASSWORD)):
        page.driver.find_element("name", name).send_keys(words)
    page.tap("Let phones in")
    assert "http://192.168.1.7/" in page.text()
    app.test_client().get("/login", environ_base=LAN)
    letting_of(app).look = lambda: (Address("10.20.0.9", "wlan0"),)
    page.until(lambda: "A phone has connected." in page.text())
    assert "http://10.20.0.9/" in page.text()
    page.check()
