"""People who may log in, on their page: the first secretary, roles, passwords, removal."""

from __future__ import annotations

import html
import re

from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.pages.table.test_games import words
from tests.webapp.security.test_login import PASSWORD, club, kept, logged_in
from webapp.security.accounts import Accounts
from webapp.security.login import EXTENSION

__all__ = ["club", "kept"]

OTHER = "window river spoon"


def accounts(app: Flask) -> Accounts:
    found: Accounts = app.extensions[EXTENSION]
    return found


def address(app: Flask, name: str) -> str:
    return "/accounts/" + next(a.id for a in accounts(app).all() if a.name == name)


def passwords(text: str) -> dict[str, str]:
    return {"password": text, "again": text}


def roles(app: Flask) -> dict[str, str]:
    return {account.name: account.role for account in accounts(app).all()}


def test_the_first_is_a_secretary_and_logged_in(kept: Accounts, client: FlaskClient) -> None:
    form = {"name": "Sue", "role": "guest", **passwords(PASSWORD)}
    assert client.post("/accounts", data=form).status_code == 303
    assert [(account.name, account.role) for account in kept.all()] == [("Sue", "secretary")]
    assert "Log out Sue" in html.unescape(client.get("/accounts").text)
    assert client.application.test_client().get("/accounts").status_code == 303


def test_people_are_added_with_a_role(club: Flask) -> None:
    page = logged_in(club, "Sue")
    form = {"name": "Eve", "role": "guest", **passwords(OTHER)}
    assert page.post("/accounts", data=form).status_code == 303
    assert roles(club)["Eve"] == "guest"
    assert accounts(club).verify("eve", OTHER) is not None
    for bad, why in (
        ({"name": "Eve"}, "already"), ({"name": ""}, "name"), ({"role": "king"}, "Choose what"),
        ({"again": "different words"}, "are different"), (passwords("short"), "at least 8"),
    ):  # fmt: skip
        answer = page.post("/accounts", data={**form, "name": "Kim", **bad})
        assert answer.status_code == 400
        assert why in words(answer)
        assert OTHER not in answer.text
    assert set(roles(club)) == {"Sue", "Sam", "Gus", "Eve"}


def test_a_role_is_changed_but_a_secretary_stays(club: Flask) -> None:
    page = logged_in(club, "Sue")
    refused = page.post(f"{address(club, 'Sue')}/role", data={"role": "guest"})
    assert (refused.status_code, "only secretary" in words(refused)) == (400, True)
    assert page.post(f"{address(club, 'Sam')}/role", data={"role": "secretary"}).status_code == 303
    assert page.post(f"{address(club, 'Sue')}/role", data={"role": "guest"}).status_code == 303
    assert roles(club) == {"Sue": "guest", "Sam": "secretary", "Gus": "guest"}
    assert page.get("/accounts").status_code == 403, "it holds at once"


def test_a_new_password_ends_the_old_one(club: Flask) -> None:
    page, gus = logged_in(club, "Sue"), logged_in(club, "Gus")
    page.post(f"{address(club, 'Gus')}/password", data=passwords(OTHER))
    assert accounts(club).verify("Gus", PASSWORD) is None
    assert accounts(club).verify("Gus", OTHER) is not None
    assert gus.get("/board").status_code == 303, "logged out"
    page.post(f"{address(club, 'Sue')}/password", data=passwords(OTHER))
    assert page.get("/accounts").status_code == 200, "whoever changes their own stays"
    refused = page.post(f"{address(club, 'Gus')}/password", data={"password": "a", "again": "b"})
    assert refused.status_code == 400


def test_people_are_removed_after_asking_but_the_last_secretary_stays(club: Flask) -> None:
    page = logged_in(club, "Sue")
    gus = address(club, "Gus")
    assert "Everything Gus entered stays" in words(page.get(f"{gus}/remove"))
    assert page.post(f"{gus}/remove").status_code == 303
    assert page.post(f"{address(club, 'Sam')}/remove").status_code == 303
    refused = page.post(f"{address(club, 'Sue')}/remove")
    assert (refused.status_code, "only secretary" in words(refused)) == (400, True)
    assert roles(club) == {"Sue": "secretary"}
    gone = page.post(f"{gus}/remove")
    assert (gone.status_code, "can no longer log in" in words(gone)) == (400, True)


def test_others_do_not_see_who_may_log_in(club: Flask) -> None:
    page = logged_in(club, "Sam")
    sue = address(club, "Sue")
    for path in (sue, f"{sue}/role", f"{sue}/password", f"{sue}/remove"):
        assert page.post(path, data=passwords(OTHER)).status_code in (403, 404, 405)
    assert not re.search(r"/accounts", page.get("/book").text)
    assert roles(club)["Sue"] == "secretary"
