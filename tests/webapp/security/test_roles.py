"""Who may reach what: every route has a decision here, and each is tried as everybody."""

from __future__ import annotations

import sys
from typing import Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from tests.webapp.security.test_login import club, kept, logged_in
from tests.webapp.serving.serving import with_doors
from tests.webapp.token_client import TokenClient
from webapp.security.policy import Access, Policy, policy_of

__all__ = ["club", "kept"]

OPEN_FORMS: Final = {
    "login.enter", "display.keep", "quiz.answer", "arriving.decide",
}  # fmt: skip
"""The views to which strangers may send something, even where people log in."""

REACHED: Final = {
    "": {Access.ANYBODY, Access.LINK},
    "Gus": {Access.ANYBODY, Access.LINK, Access.HALL, Access.MEMBER},
    "Sam": set(Access) - {Access.SECRETARY},
    "Sue": set(Access),
}
"""What a stranger, a guest, a scorer and a secretary may reach."""

IDS: Final = ("deal_id", "game_id", "evening_id", "account_id", "person_id", "contest_id")
VALUES: Final = dict.fromkeys(IDS, "0" * 32) | {"number": 1, "photo": 1, "tile": 1, "seed": 1}
LOGIN_PAGES: Final = {"login.enter", "login.leave"}


def table_of(app: Flask) -> dict[str, Policy]:
    """The policy of each view of the page; files that come with it need none."""
    declared = {endpoint: policy_of(view) for endpoint, view in app.view_functions.items()}
    assert {endpoint for endpoint, policy in declared.items() if policy is None} == {"static"}
    return {endpoint: policy for endpoint, policy in declared.items() if policy is not None}


def test_every_view_declares_its_policy(app: Flask) -> None:
    table = sorted(table_of(app).items())
    sys.stdout.writelines(f"{endpoint:28}{policy}\n" for endpoint, policy in table)
    assert len(table) > 100


def test_strangers_may_send_to_few_views(app: Flask) -> None:
    table = table_of(app)
    forms = {rule.endpoint for rule, method, _ in ways(app) if method == "POST"}
    assert {each for each in forms if table[each].access is Access.ANYBODY} == OPEN_FORMS
    looked_at = {
        each for each, policy in table.items() if policy.access in (Access.LINK, Access.HALL)
    }
    assert not looked_at & forms, "a view that strangers look at takes no form"


def ways(app: Flask) -> list[tuple[Rule, str, str]]:
    """Every route with an address, once for each method."""
    adapter = app.url_map.bind("localhost")

    def address(rule: Rule, method: str) -> str:
        given = {name: VALUES.get(name, "x") for name in rule.arguments}
        return adapter.build(rule.endpoint, given, method)

    return [
        (rule, method, address(rule, method))
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) & {"GET", "POST"})
    ]


def admitted(client: FlaskClient, method: str, path: str) -> bool:
    """Whether the gate lets a request through to its view, whatever that makes of it."""
    answer = client.open(path, method=method)
    assert answer.status_code < 500 or answer.status_code == 503, path
    to_login = answer.status_code == 303 and answer.headers["Location"].startswith("/login")
    answer.close()
    return answer.status_code not in (401, 403, 429) and not to_login


@pytest.mark.parametrize("name", ["", "Gus", "Sam", "Sue"])
def test_everybody_reaches_what_was_decided(club: Flask, name: str) -> None:
    client = logged_in(club, name) if name else club.test_client()
    table, wrong = table_of(club), []
    with_doors(club)
    for rule, method, path in ways(club):
        if rule.endpoint in LOGIN_PAGES or rule.endpoint == "static":
            continue
        wanted = table[rule.endpoint].access in REACHED[name]
        if admitted(client, method, path) != wanted:
            wrong.append((name or "a stranger", method, path, f"wanted: {wanted}"))
    assert wrong == []


def test_no_form_is_taken_without_its_token(app: Flask) -> None:
    programs = {"api.scores", "api.readings", "api.camera"}
    client = app.test_client()
    assert isinstance(client, TokenClient)
    checked = 0
    for rule, method, path in ways(app):
        if method == "POST" and rule.endpoint not in programs:
            answer = client.open(path, method="POST", forged=True)
            assert answer.status_code == 400, rule
            assert "Nothing was stored" in answer.text, rule
            checked += 1
        elif method == "POST":
            answer = client.open(path, method="POST", headers={"Sec-Fetch-Site": "cross-site"})
            assert answer.status_code == 403, rule
    assert checked > 40


def test_every_answer_carries_the_headers_and_only_static_files_are_kept(app: Flask) -> None:
    client = app.test_client()
    for rule, method, path in ways(app):
        if method == "GET":
            with client.get(path) as answer:
                headers = answer.headers
                policy = headers["Content-Security-Policy"]
                assert "default-src 'self'" in policy, rule
                assert "frame-ancestors 'none'" in policy, rule
                assert "unsafe" not in policy, rule
                assert headers["X-Content-Type-Options"] == "nosniff", rule
                assert headers["X-Frame-Options"] == "DENY", rule
                assert headers["Referrer-Policy"] == "same-origin", rule
                if rule.endpoint != "static":
                    assert "public" not in headers["Cache-Control"], rule
                for cookie in headers.getlist("Set-Cookie"):
                    assert "HttpOnly" in cookie, rule
                    assert "SameSite=Lax" in cookie, rule
