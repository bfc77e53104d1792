"""Only forms of this page, in the same session, are taken."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

from tests.webapp.token_client import TokenClient

TEMPLATES = Path(__file__).parents[3] / "webapp" / "templates"
TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


@pytest.fixture
def phone(app: Flask) -> TokenClient:
    client = app.test_client()
    assert isinstance(client, TokenClient)
    return client


@pytest.mark.parametrize("path", ["/deals", "/tables", "/login", "/logout", "/demo"])
def test_a_form_without_a_token_changes_nothing(phone: TokenClient, path: str) -> None:
    answer = phone.post(path, forged=True)
    assert answer.status_code == 400
    assert "Nothing was stored" in answer.text
    assert "Recent deals" in phone.get("/").text
    assert "Nothing here yet" in phone.get("/").text


def test_the_token_of_a_page_is_taken_in_its_form_and_as_a_header(phone: TokenClient) -> None:
    token = TOKEN.findall(phone.get("/").text)[0]
    assert phone.post("/deals", data={"csrf_token": token}, forged=True).status_code == 303
    headers = {"X-CSRFToken": token}
    assert phone.post("/deals", headers=headers, forged=True).status_code == 303


def test_the_token_of_another_session_is_refused(app: Flask, phone: TokenClient) -> None:
    foreign = TOKEN.findall(app.test_client().get("/").text)[0]
    phone.get("/")
    assert phone.post("/deals", data={"csrf_token": foreign}, forged=True).status_code == 400


def test_programs_need_no_token_but_other_sites_are_kept_out(phone: TokenClient) -> None:
    deal = {
        "ruleset": "bmja-u3a",
        "players": [{"seat": seat, "claimed": 10} for seat in "ESWN"],
        "win": {"seat": "E", "source": "wall"},
    }
    own = phone.post("/api/v1/scores", json=deal, forged=True)
    assert own.status_code == 200
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert phone.post("/api/v1/scores", json=deal, headers=foreign, forged=True).status_code == 403


def test_every_form_begins_with_its_token() -> None:
    forms = 0
    for page in TEMPLATES.rglob("*.html"):
        for match in re.finditer(
            r"<form\b(?:\{\{.*?\}\}|\{%.*?%\}|[^>])*>(.{0,14})", page.read_text()
        ):
            if 'method="post"' in match[0]:
                forms += 1
                assert match[1].startswith("{{ csrf() }}"), f"{page.name}: {match[0]}"
    assert forms > 30
