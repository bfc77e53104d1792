"""One server for several clubs: nobody sees or changes what is another club's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError
from werkzeug.test import Client, TestResponse

from tests.webapp.conftest import services_of
from tests.webapp.database.postgres import new_server_database
from tests.webapp.fakes import FakeReader
from webapp.association.applications import MANY_STREAMS, SHARED, close, create_host
from webapp.association.clubs import ClubInfo
from webapp.association.host import Host
from webapp.serving.sse import LATER_MS

PASSWORD = "three plain words"


class Phone:
    """A browser that follows one club, or the association's own pages."""

    def __init__(self, host: Host, root: str = "") -> None:
        self.client = Client(host)
        self._root = root

    def get(self, path: str) -> TestResponse:
        return self.client.get(f"{self._root}{path}")

    def post(self, path: str, page: str = "", **form: Any) -> TestResponse:
        """Send a form with the token of a page."""
        shown = self.get(page or path).text
        token = re.search(r'name="csrf-?_?token" (?:value|content)="([^"]+)"', shown)
        assert token, shown[:300]
        return self.client.post(f"{self._root}{path}", data={"csrf_token": token[1], **form})

    def login(self, name: str) -> Phone:
        self.post("/login", name=name, password=PASSWORD)
        return self


@pytest.fixture(scope="module", params=["SQLite", "PostgreSQL"])
def host(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Host]:
    """The server of an association without clubs."""
    folder = tmp_path_factory.mktemp("association")
    url = f"sqlite:///{folder / 'own.sqlite3'}"
    if request.param == "PostgreSQL":
        url = new_server_database(request.getfixturevalue("server"))
    found = create_host(url, reader=FakeReader(), folder=folder)
    yield found
    close(found)


@pytest.fixture(scope="module")
def clubs(host: Host) -> tuple[Phone, Phone]:
    """The secretaries of two clubs that the association has just added."""
    boss = Phone(host)
    for address, name in (("whitby", "Whitby"), ("harrogate", "Harrogate")):
        added = boss.post(
            "/clubs", name=name, address=address, secretary=f"Sue of {name}",
            password=PASSWORD, again=PASSWORD,
        )  # fmt: skip
        assert added.status_code == 303, added.text
    one = Phone(host, "/whitby").login("Sue of Whitby")
    return one, Phone(host, "/harrogate").login("Sue of Harrogate")


@pytest.mark.usefixtures("clubs")
def test_clubs_are_listed_each_with_the_way_to_its_page(host: Host) -> None:
    page = Phone(host).get("/clubs").text
    assert 'href="/whitby/"' in page
    assert 'href="/harrogate/"' in page
    assert Phone(host).get("/").headers["Location"] == "/clubs"
    assert Phone(host).get("/whitby").headers["Location"] == "/whitby/"
    assert Phone(host).get("/nowhere/").status_code == 404


def test_each_club_has_its_own_players_and_accounts(clubs: tuple[Phone, Phone]) -> None:
    one, other = clubs
    evening = one.post("/evenings", day="").headers["Location"]
    assert evening.startswith("/whitby/evenings/")
    inside = evening.removeprefix("/whitby")
    one.post(f"{inside}/people", page=inside, names="Alice, Bertram")
    assert "Bertram" in one.get(inside).text
    assert other.get(inside).status_code == 404
    assert "Bertram" not in other.get("/players").text


def test_a_login_of_one_club_is_none_in_another(host: Host, clubs: tuple[Phone, Phone]) -> None:
    one, _ = clubs
    assert one.client.get("/whitby/accounts").status_code == 200
    assert one.client.get("/harrogate/accounts").status_code == 303
    stranger = Phone(host, "/harrogate").login("Sue of Whitby")
    assert stranger.get("/accounts").status_code == 303
    cookie = one.client.get_cookie("kongbox-whitby")
    assert cookie is not None
    one.client.set_cookie("kongbox-harrogate", cookie.value)
    assert one.client.get("/harrogate/accounts").status_code == 303, "signed by another key"


def test_a_page_that_is_shut_is_gone_until_it_is_opened_again(
    host: Host, clubs: tuple[Phone, Phone]
) -> None:
    boss = Phone(host)
    boss.post("/clubs/whitby", page="/clubs", then="close")
    assert Phone(host, "/whitby").get("/").status_code == 404
    assert clubs[1].get("/accounts").status_code == 200
    boss.post("/clubs/whitby", page="/clubs", then="open")
    assert clubs[0].get("/accounts").status_code == 200


def test_an_address_that_cannot_be_used_is_told(host: Host) -> None:
    host.clubs.add("filey", "Filey")
    for address in ("", "ab", "evenings", "clubs", "Föhr", "a/b", "filey"):
        form = {"secretary": "Tom", "password": PASSWORD, "again": PASSWORD}
        refused = Phone(host).post("/clubs", name="Third", address=address, **form)
        assert refused.status_code == 400, address
        assert 'value="Third"' in refused.text, "nothing typed is lost"


@pytest.mark.usefixtures("clubs")
def test_all_clubs_of_a_server_share_its_threads(host: Host) -> None:
    room = host.main.extensions[SHARED].room
    taken = 0
    while room.enter():
        taken += 1
    assert taken == MANY_STREAMS
    room.leave()
    with host.entered("whitby") as one, host.entered("harrogate") as other:
        live, others = services_of(one).live, services_of(other).live
        stream = live.stream(lambda: "a")
        next(stream)
        assert list(others.stream(lambda: "b")) == [f"retry: {LATER_MS}\ndata: b\n\n"]
        stream.close()
        second = others.stream(lambda: "b")
        assert "data" not in next(second)
        second.close()
        assert services_of(one).desk.queue is services_of(other).desk.queue
    for _ in range(taken - 1):
        room.leave()


def test_a_balancer_is_answered_although_the_database_is_away(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise OperationalError("SELECT", {}, Exception("gone"))

    monkeypatch.setattr(host.clubs, "_sessions", away)
    assert Phone(host).get("/healthz").status_code == 200
    with pytest.raises(OperationalError):
        Phone(host).get("/whitby-by-the-sea/healthz")


def test_streams_are_ended_although_the_database_is_away(
    host: Host, clubs: tuple[Phone, Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> list[ClubInfo]:
        raise OperationalError("SELECT", {}, Exception("gone"))

    assert [phone.get("/healthz").status_code for phone in clubs] == [200, 200]
    monkeypatch.setattr(host.clubs, "all", away)
    ended = list[Flask]()
    host.each(ended.append, only_ready=True)
    assert len(ended) >= len(clubs)


def test_clubs_that_nobody_visits_are_closed_and_made_again(host: Host) -> None:
    made: list[str] = []
    before = host.make

    def counted(*args: Any) -> Flask:
        made.append(args[1])
        return before(*args)

    few, pool = Host(host.main, host.clubs, host.places, counted, most=1), host.places.engine.pool
    for address in ("one", "two"):
        host.clubs.add(address, address)
    for root in ("/one", "/two", "/two", "/one"):
        assert Phone(few, root).get("/healthz").status_code == 200
    few.close()
    assert made == ["one", "two", "one"]
    assert host.places.engine.pool is pool, "the other clubs keep their connections"
