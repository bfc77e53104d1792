"""A login ends where it is ended: on the server, for every copy of its cookie."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.security.test_login import PASSWORD, club, kept, logged_in
from webapp.backup.backup import back_up, exchange, restore
from webapp.runtime.steady_clock import steady_now
from webapp.security import accounts as accounts_module
from webapp.security.accounts import COOKIE_KEPT, SESSION_LENGTH, Accounts

__all__ = ["club", "kept"]

Jump = Callable[[timedelta], None]


def copy_of(client: FlaskClient) -> FlaskClient:
    """Another browser to which somebody took the cookie."""
    cookie = client.get_cookie("kongbox")
    assert cookie is not None
    taken = client.application.test_client()
    taken.set_cookie("kongbox", cookie.value)
    return taken


def is_in(client: FlaskClient) -> bool:
    return client.get("/").status_code == 200


def id_of(kept: Accounts, name: str) -> str:
    return next(account.id for account in kept.all() if account.name == name)


@pytest.fixture
def jump(monkeypatch: pytest.MonkeyPatch) -> Jump:
    """Sets this computer's clock, by a difference to the right time."""
    right = time.time

    def to(by: timedelta) -> None:
        monkeypatch.setattr(time, "time", lambda: right() + by.total_seconds())

    return to


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Jump:
    """Lets time go by, or has the program started with another clock."""

    def until(later: timedelta) -> None:
        monkeypatch.setattr(accounts_module, "steady_now", lambda: steady_now() + later)

    return until


def test_logging_out_ends_the_login_for_copies_of_its_cookie_and_for_no_other(club: Flask) -> None:
    phone, laptop = logged_in(club, "Sam"), logged_in(club, "Sam")
    copied = copy_of(phone)
    assert is_in(copied)
    phone.post("/logout")
    assert not is_in(copied)
    assert copied.post("/deals").headers["Location"].startswith("/login")
    assert is_in(laptop)


def test_logging_in_anew_ends_the_login_that_the_browser_had(club: Flask) -> None:
    client = logged_in(club, "Sam")
    copied = copy_of(client)
    client.post("/login", data={"name": "Sue", "password": PASSWORD})
    assert is_in(client)
    assert not is_in(copied)


@pytest.mark.parametrize("change", ["password", "role", "remove"])
def test_a_changed_account_is_logged_out_everywhere(
    club: Flask, kept: Accounts, change: str
) -> None:
    phones = [logged_in(club, "Sam"), logged_in(club, "Sam")]
    forms = {
        "password": {"password": "another one altogether", "again": "another one altogether"},
        "role": {"role": "guest"},
        "remove": {},
    }
    logged_in(club, "Sue").post(f"/accounts/{id_of(kept, 'Sam')}/{change}", data=forms[change])
    assert [is_in(phone) for phone in phones] == [False, False]


@pytest.mark.parametrize(("change", "form"), [
    ("password", {"password": "another one altogether", "again": "another one altogether"}),
    ("role", {"role": "scorer"}),
])  # fmt: skip
def test_who_changes_the_own_account_stays_here_alone(
    club: Flask, kept: Accounts, change: str, form: dict[str, str]
) -> None:
    kept.add("Tom", "secretary", PASSWORD)
    here, elsewhere = logged_in(club, "Sue"), logged_in(club, "Sue")
    copied = copy_of(here)
    here.post(f"/accounts/{id_of(kept, 'Sue')}/{change}", data=form)
    assert [is_in(client) for client in (here, elsewhere, copied)] == [True, False, False]


def test_a_login_lasts_as_long_as_it_is_used(club: Flask, wait: Jump) -> None:
    used, left = logged_in(club, "Sam"), logged_in(club, "Sam")
    for hours in (8, 16, 24):
        wait(timedelta(hours=hours))
        assert is_in(used)
    assert not is_in(left)
    wait(timedelta(hours=24) + SESSION_LENGTH + timedelta(minutes=1))
    assert not is_in(used)


def test_a_clock_that_is_set_logs_nobody_out(club: Flask, jump: Jump) -> None:
    client = logged_in(club, "Sam")
    for by in (-timedelta(hours=1), timedelta(days=366), timedelta(0)):
        jump(by)
        assert is_in(client), by
        assert client.post("/deals").status_code == 303
        assert is_in(logged_in(club, "Sue")), "the browser keeps the cookie"


def test_the_cookie_is_not_old_where_the_clock_is_a_year_slow() -> None:
    assert timedelta(days=366) < COOKIE_KEPT


def test_a_program_started_with_a_wrong_clock_keeps_logins_no_longer_than_others(
    club: Flask, wait: Jump
) -> None:
    wait(timedelta(days=366))
    client = logged_in(club, "Sam")
    wait(timedelta(0))
    assert is_in(client)
    wait(SESSION_LENGTH + timedelta(minutes=1))
    assert not is_in(client)


def test_a_copy_brings_no_login_back_and_ends_none(club: Flask, tmp_path: Path) -> None:
    url = str(services_of(club).engine.url)
    stays, leaves = logged_in(club, "Sue"), logged_in(club, "Sam")
    copied = copy_of(leaves)
    back_up(url, tmp_path / "copy.sqlite3")
    leaves.post("/logout")
    exchange(url, tmp_path / "copy.sqlite3")
    assert is_in(stays)
    assert not is_in(copied)
    restore(url, tmp_path / "copy.sqlite3")
    assert not is_in(copied)
