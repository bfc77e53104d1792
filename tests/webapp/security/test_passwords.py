"""Passwords that are guessed: few are checked, few at once, and people are not shut out by it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event, Lock

import pytest
from argon2.exceptions import VerifyMismatchError
from flask import Flask

from tests.webapp.fakes import DEAL
from tests.webapp.security.test_login import PASSWORD, club, kept
from webapp.security import passwords
from webapp.security.login import EXTENSION, TRIES

__all__ = ["club", "kept"]

PHONE = {"REMOTE_ADDR": "192.168.1.66"}
OTHER_PHONE = {"REMOTE_ADDR": "192.168.1.67"}


class HeldHasher:
    """Counts the passwords that it is asked about, and answers once it is let go."""

    def __init__(self) -> None:
        self.checked = self.at_once = self.most_at_once = 0
        self.go = Event()
        self.go.set()
        self._lock = Lock()

    def hash(self, password: str) -> str:
        return password

    def verify(self, hashed: str, password: str) -> None:
        with self._lock:
            self.checked += 1
            self.at_once += 1
            self.most_at_once = max(self.at_once, self.most_at_once)
        self.go.wait(20)
        with self._lock:
            self.at_once -= 1
        if hashed != password:
            raise VerifyMismatchError


@pytest.fixture
def hasher(club: Flask) -> HeldHasher:
    made, accounts = HeldHasher(), club.extensions[EXTENSION]
    accounts._hasher = made
    for name in ("Sam", "Sue"):
        accounts.set_password(name, PASSWORD)
    return made


def log_in(club: Flask, name: str, password: str, where: dict[str, str] = PHONE) -> int:
    """As a person, by the form."""
    form = {"name": name, "password": password}
    return club.test_client().post("/login", data=form, environ_base=where).status_code


def call(club: Flask, name: str, password: str, where: dict[str, str] = PHONE) -> int:
    """As a program, by HTTP Basic."""
    client = club.test_client()
    who = (name, password)
    return client.post("/api/v1/scores", json=DEAL, auth=who, environ_base=where).status_code


WAYS = pytest.mark.parametrize("way", [log_in, call], ids=["form", "program"])


def at_once(hasher: HeldHasher, attempts: int, attempt: Callable[[int], int]) -> list[int]:
    """The answers to attempts at once; none is answered "wrong" before all others are answered."""
    places = passwords.AT_ONCE + passwords.WAITING
    hasher.go.clear()
    with ThreadPoolExecutor(attempts) as pool:
        asked = {pool.submit(attempt, number) for number in range(attempts)}
        done: set[Future[int]] = set()
        while len(done) < attempts - places:
            done |= wait(asked - done, 20, FIRST_COMPLETED).done
        hasher.go.set()
        return [one.result() for one in asked]


@WAYS
def test_of_many_guesses_at_once_no_more_are_checked_than_one_after_another(
    club: Flask, hasher: HeldHasher, way: Callable[..., int]
) -> None:
    answers = at_once(hasher, 12, lambda number: way(club, "Sam", f"guess {number}"))
    assert answers.count(401) == hasher.checked == passwords.MAX_TRIES
    assert answers.count(429) == 12 - passwords.MAX_TRIES
    assert way(club, "Sam", PASSWORD) == 429, "not even the right one"
    assert hasher.checked == passwords.MAX_TRIES


@WAYS
def test_few_passwords_are_checked_at_once_and_few_wait(
    club: Flask, hasher: HeldHasher, way: Callable[..., int]
) -> None:
    places = passwords.AT_ONCE + passwords.WAITING
    answers = at_once(
        hasher, 12, lambda n: way(club, f"nobody {n}", "guess", {"REMOTE_ADDR": f"192.168.1.{n}"})
    )
    assert hasher.most_at_once == passwords.AT_ONCE
    assert answers.count(401) == hasher.checked == places
    assert answers.count(503) == 12 - places


def test_whoever_could_not_wait_is_told_when_to_come_back_and_has_lost_no_try(
    club: Flask, hasher: HeldHasher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords.Turns, "turn", passwords.Turns(0, 0).turn)
    client = club.test_client()
    for _ in range(passwords.MAX_TRIES + 1):
        full = client.post("/login", data={"name": "Sam", "password": "?"}, environ_base=PHONE)
        assert full.status_code == 503
    assert full.headers["Retry-After"] == str(passwords.BUSY_S)
    assert "Wait a few seconds" in full.text
    monkeypatch.undo()
    assert log_in(club, "Sam", PASSWORD) == 303
    assert hasher.checked == 1


@WAYS
def test_one_spelling_of_a_name_is_as_good_as_another(
    club: Flask, hasher: HeldHasher, way: Callable[..., int]
) -> None:
    for name in ("Sam", "SAM", "  sam ", "\uff33am", "Sa\uff4d"):
        assert way(club, name, "guess") == 401
    assert way(club, "\uff33\uff41\uff4d", PASSWORD) == 429
    assert hasher.checked == passwords.MAX_TRIES


@WAYS
def test_right_passwords_are_never_too_many(
    club: Flask, hasher: HeldHasher, way: Callable[..., int]
) -> None:
    for _ in range(passwords.MAX_TRIES_FROM_ONE_PHONE + 2):
        assert way(club, "Sam", PASSWORD) in (200, 303)
    assert hasher.checked == passwords.MAX_TRIES_FROM_ONE_PHONE + 2


def test_behind_one_router_slips_of_the_fingers_shut_nobody_out(
    club: Flask, hasher: HeldHasher
) -> None:
    for _ in range(passwords.MAX_TRIES_FROM_ONE_PHONE):
        assert log_in(club, "Sam", "slip") == 401
        assert log_in(club, "Sam", PASSWORD) == 303
    assert log_in(club, "Sue", PASSWORD) == 303
    assert hasher.checked == 2 * passwords.MAX_TRIES_FROM_ONE_PHONE + 1


def test_a_program_that_knows_the_password_does_not_help_those_who_guess_it(
    club: Flask, hasher: HeldHasher
) -> None:
    for _ in range(passwords.MAX_TRIES):
        assert call(club, "Sam", "guess") == 401
        assert hasher.checked
        call(club, "Sam", PASSWORD)
    assert log_in(club, "Sam", "guess") == 429


def test_wrong_passwords_for_many_names_are_too_many_too_but_only_for_that_phone(
    club: Flask, hasher: HeldHasher
) -> None:
    for number in range(passwords.MAX_TRIES_FROM_ONE_PHONE):
        assert log_in(club, f"nobody {number}", "guess") == 401
    assert log_in(club, "Sue", PASSWORD) == 429
    assert log_in(club, "Sue", PASSWORD, OTHER_PHONE) == 303
    assert hasher.checked == passwords.MAX_TRIES_FROM_ONE_PHONE + 1


def test_a_new_password_from_the_secretary_is_taken_at_once(
    club: Flask, hasher: HeldHasher
) -> None:
    for number in range(passwords.MAX_TRIES + 1):
        assert log_in(club, "Sam", "forgot") == (401 if number < passwords.MAX_TRIES else 429)
    club.extensions[EXTENSION].set_password("Sam", "moss ladder teapot")
    assert log_in(club, "Sam", "moss ladder teapot") == 303
    assert hasher.checked == passwords.MAX_TRIES + 1


def test_after_a_quarter_of_an_hour_there_is_another_chance(
    club: Flask, hasher: HeldHasher
) -> None:
    now = [0.0]
    club.extensions[TRIES].clock = lambda: now[0]
    for _ in range(passwords.MAX_TRIES):
        log_in(club, "Sam", "guess")
    form = {"name": "Sam", "password": PASSWORD}
    refused = club.test_client().post("/login", data=form, environ_base=PHONE)
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "900"
    assert "quarter of an hour" in refused.text
    now[0] = passwords.WINDOW_S
    assert log_in(club, "Sam", PASSWORD) == 303
    assert hasher.checked == passwords.MAX_TRIES + 1
