"""Every form counts once: each route that takes one is sent the same form twice."""

from __future__ import annotations

import hashlib
import io
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from werkzeug.test import TestResponse

from scorer.rules.folder import FOLDER_VARIABLE
from tests.webapp.backup.test_restoring import copied
from tests.webapp.backup.test_restoring import send as send_copy
from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import DEAL, FakeReader, reading_of
from tests.webapp.pages.club.test_tile_sets import PHOTO, FakeClassifier, FakeLook, teach
from tests.webapp.pages.deal.test_another_photo import Joiner
from tests.webapp.pages.deal.test_cameras import PICTURE, READING
from tests.webapp.pages.deal.test_cameras import send as send_camera
from tests.webapp.pages.deal.test_whole_table import table_reading
from tests.webapp.pages.rules.test_house_rules import written
from tests.webapp.pages.table.test_games import enter_deal, game_of, open_table, totals, words
from tests.webapp.security.test_login import club, kept, logged_in
from tests.webapp.serving.serving import letting_of, with_doors
from vision.tilesets.folder import FOLDER_VARIABLE as SETS_FOLDER
from vision.tilesets.profile_file import profile_path
from webapp.database.sent import KEPT_FOR, forget_old, where_it_led
from webapp.pages.deal.another_photo import EXTENSION as JOINING
from webapp.pages.deal.another_photo import JoinDesk
from webapp.photos.workers import SameProcess
from webapp.rulesets.files import forget
from webapp.security.accounts import Accounts

__all__ = ["club", "kept"]

NEW_PASSWORD: Final = "kettle river stone"
WITHOUT_EFFECT: Final = {
    *("login.enter", "login.leave", "display.keep"),
    *("api.scores", "api.readings", "quiz.answer", "cameras.look", "phones.stop"),
}
"""Routes that store nothing beyond a cookie, so that it does not matter how often they answer."""

OF_PROGRAMS: Final = {"api.camera", "offline.take"}
"""Routes that take no form: a camera lays what it sees on the same place again, and entries that
waited in a phone carry an id of their own, as their own tests show."""


@dataclass
class World:
    """A club with a few things in it, and what a browser sends."""

    app: Flask
    client: FlaskClient
    folder: Path
    reader: FakeReader
    kept: Accounts
    deals: list[str] = field(default_factory=list)

    def deal(self) -> str:
        self.deals.append(self.client.post("/deals").headers["Location"])
        return self.deals[-1]

    def photographed(self) -> tuple[str, str]:
        """A deal with a photo of South's tiles, and the id of the photo."""
        deal = self.deal()
        photo = self.reader.learn(reading_of(DEAL["players"][1], {3: ("6p", "5p")}))
        self.client.post(f"{deal}/players/S/photo", data={"photo": (io.BytesIO(photo), "p.jpg")})
        wait_for_photos(self.app, deal.rsplit("/", 1)[1])
        stored = services_of(self.app).store.latest_photos(deal.rsplit("/", 1)[1])
        return deal, stored["S"].id

    def played(self) -> str:
        """A table at which one hand was played."""
        table = open_table(self.client)
        totals(self.client, table, 1, "S", 20, 128, 8, 16)
        return table

    def head(self, table: str) -> str:
        return str(game_of(self.app, table).head)

    def scored(self, table: str) -> str:
        """The id of the deal that was scored for the next hand of a table."""
        deal = self.client.post(f"{table}/next").headers["Location"]
        enter_deal(self.client, deal, "W", E=10, S=20, W=100, N=30)
        return deal.rsplit("/", 1)[1]

    def person(self, name: str) -> str:
        self.client.post("/players", data={"name": name})
        query = text("SELECT id FROM people WHERE name = :name")
        with services_of(self.app).engine.connect() as connection:
            return str(connection.execute(query, {"name": name}).scalar_one())

    def with_accounts(self) -> str:
        """The id of Gus's account; the browser is the secretary's from now on."""
        for name, role in (("Sue", "secretary"), ("Gus", "guest")):
            self.kept.add(name, role, "teapot ladder moss")  # type: ignore[arg-type]
        self.client = logged_in(self.app, "Sue")
        return next(account.id for account in self.kept.all() if account.name == "Gus")


Form = dict[str, Any]
Sent = tuple[str, Form | Callable[[], Form]]
"""The address of a form, and what it holds; made anew for each time where it holds a file."""
CASES: dict[str, Callable[[World], Sent]] = {}


def case(endpoint: str) -> Callable[[Callable[[World], Sent]], Callable[[World], Sent]]:
    def keep(make: Callable[[World], Sent]) -> Callable[[World], Sent]:
        CASES[endpoint] = make
        return make

    return keep


@case("players.join")
def _(world: World) -> Sent:
    return f"/players/{world.person('Uma A')}/join", {"other": world.person("Uma B")}


@case("hands.confirm")
def _(world: World) -> Sent:
    return f"{world.played()}/hands/1/confirm", {"name": "Cat"}


@case("places.keep")
def _(world: World) -> Sent:
    table = world.played()
    form = {"player": "Dee", "name": "Eve", "hand": "2", "head": world.head(table)}
    return f"{table}/places", form


@case("places.renumber")
def _(world: World) -> Sent:
    return f"{open_table(world.client)}/places/number", {"number": "7"}


@case("places.sit_out")
def _(world: World) -> Sent:
    table = open_table(world.client, waiting="Eve")
    return f"{table}/places/out", {"hand": "1", "out": "Ann", "come": "Eve"}


@case("players.split")
def _(world: World) -> Sent:
    first, second = world.person("Uma A"), world.person("Uma B")
    world.client.post(f"/players/{first}/join", data={"other": second})
    return f"/players/{first}/split", {"other": second}


def photo(name: str, data: bytes) -> Callable[[], Form]:
    return lambda: {name: (io.BytesIO(data), "a.jpg")}


NEW: Final = {
    "home.start": ("/deals", {"name_E": "Ann"}),
    "worth.start": ("/worth", {}),
    "home.demo": ("/demo", {}),
    "evenings.begin": ("/evenings", {"day": "2026-03-05", "place": "Village hall"}),
    "evenings.demo": ("/tables/demo", {}),
    "evenings.open_table": (
        "/tables",
        {"name_E": "Ann", "name_S": "Bob", "name_W": "Cat", "seats": "draw", "ruleset": "western"},
    ),
    "boards.add_season": ("/seasons", {"name": "A", "first": "2026-01-01", "last": "2026-02-01"}),
    "players.add": ("/players", {"name": "Zoë"}),
    "our_club.answer": ("/club/settings/stake", {"number": "20"}),
    "keeping.show_in_hall": ("/keeping/hall", {"open": "yes", "names": "full"}),
    "keeping.decide": ("/keeping/photos", {"keep": "days", "days": "9"}),
}
for _endpoint, _sent in NEW.items():
    CASES[_endpoint] = lambda _world, sent=_sent: sent  # type: ignore[misc]

OF_A_DEAL: Final[dict[str, tuple[str, Form]]] = {
    "tiles.edit": ("/players/S/edit", {"action": "type", "codes": "123m456p777s55z999s"}),
    "winning.save": ("/win", {"winner": "W"}),
    "winning.penalties": (
        "/penalties", {"kind": "false_naming_set", "offender": "W", "victim": "N"},
    ),
    "winning.not_out": ("/not-out", {"then": "back"}),
    "deal.next_deal": ("/next", {"winds": "pass"}),
    "tile_sets.choose": ("/players/S/set", {"tile_set": ""}),
    "disputes.begin": ("/dispute", {"who": "*", "other": "Ann", "text": "No pung"}),
    "capture.sample": ("/players/S/sample", {"number": "0"}),
}  # fmt: skip
for _endpoint, (_path, _form) in OF_A_DEAL.items():
    CASES[_endpoint] = lambda world, path=_path, form=_form: (world.deal() + path, form)  # type: ignore[misc]

OF_A_TABLE: Final[dict[str, tuple[str, Form]]] = {
    "table.drawn": ("/drawn", {}),
    "table.undo": ("/undo", {}),
    "table.close": ("/close", {"closed": "yes"}),
    "table.next_hand": ("/next", {}),
    "hands.send_totals": (
        "/hands/2/totals",
        {
            **{f"total_{seat}": "40" for seat in "ESWN"},
            "winner": "E",
            "source": "wall",
            "fault": "false_win",
            "offender": "S",
        },
    ),
    "hands.send_payments": (
        "/hands/2/payments",
        {"winner": "Ann", "from_0": "Bob", "to_0": "Ann", "amount_0": "1,200"},
    ),
    "hands.keep": ("/hands/1/keep", {"drawn": "1"}),
    "hands.open_deal": ("/hands/1/deal", {}),
}


def _of_a_table(path: str, form: Form) -> Callable[[World], Sent]:
    def make(world: World) -> Sent:
        table = world.played()
        if path == "/hands/1/deal":
            world.client.post(f"{table}/undo")
            world.client.post(f"{table}/drawn")
        return table + path, form | {"head": world.head(table)}

    return make


for _endpoint, (_path, _form) in OF_A_TABLE.items():
    CASES[_endpoint] = _of_a_table(_path, _form)


@case("table.take")
def _take(world: World) -> Sent:
    table = world.played()
    return f"{table}/take", {"deal": world.scored(table), "head": world.head(table)}


@case("evenings.welcome")
def _welcome(world: World) -> Sent:
    evening = world.client.post("/evenings", data={}).headers["Location"]
    return f"{evening}/people", {"names": "Eve, Fay"}


def _came(world: World) -> tuple[str, list[str]]:
    """An evening, and the ids of the three who came to it."""
    evening = world.client.post("/evenings", data={}).headers["Location"]
    world.client.post(f"{evening}/people", data={"names": "Eve, Fay, Gus"})
    page = world.client.get(f"{evening}/draw").text
    return evening, re.findall('name="person" value="([0-9a-f]+)"', page)


@case("draws.decide")
def _draw(world: World) -> Sent:
    evening, people = _came(world)
    return f"{evening}/draw", {"person": people, "rounds": "1"}


@case("here.decide")
def _tick(world: World) -> Sent:
    return f"{_came(world)[0]}/here", {"name": "Zoe"}


@case("here.change")
def _comes_later(world: World) -> Sent:
    evening, people = _came(world)
    return f"{evening}/here/{people[0]}", {"first": "2", "last": ""}


@case("here.code")
def _open_check_in(world: World) -> Sent:
    return f"{_came(world)[0]}/here/code", {"then": "open"}


@case("arriving.decide")
def _arrive(world: World) -> Sent:
    evening = _came(world)[0]
    world.client.post(f"{evening}/here/code", data={"then": "open"})
    code = services_of(world.app).code.of(evening.rsplit("/", 1)[1])
    return f"/in/{code}", {"name": "Zoe"}


@case("draws.wish")
def _wish(world: World) -> Sent:
    evening, people = _came(world)
    return f"{evening}/wishes", {"kind": "table", "one": people[0], "table": "1"}


@case("clock.decide")
def _more_time(world: World) -> Sent:
    evening = world.client.post("/evenings", data={}).headers["Location"]
    world.client.post(f"{evening}/clock", data={"minutes": "30"})
    return f"{evening}/clock", {"then": "more"}


def _tournament(world: World) -> tuple[str, dict[str, str]]:
    """The address of a new tournament's counting, and what tells its state."""
    evening, people = _came(world)
    world.client.post(f"{evening}/standings", data={"preset": "points"})
    page = world.client.get(f"{evening}/standings").text
    address = re.findall("/contests/[0-9a-f]{32}", page)[0]
    head = re.findall('name="head" value="([0-9]+)"', world.client.get(address).text)[0]
    return address, {"head": head, "player": people[0]}


@case("standings.begin")
def _begin_tournament(world: World) -> Sent:
    return f"{_came(world)[0]}/standings", {"preset": "club"}


@case("leagues.begin")
def _begin_league(_world: World) -> Sent:
    return "/leagues", {"name": "Winter", "first": "2026-01-01", "last": "2026-02-01"}


@case("counting.keep")
def _count_otherwise(world: World) -> Sent:
    address, form = _tournament(world)
    return f"{address}/rules", form | {"place1": "3", "place2": "1", "count": "places"}


@case("counting.adjust")
def _penalty(world: World) -> Sent:
    address, form = _tournament(world)
    return f"{address}/points", form | {"points": "2", "reason": "late", "kind": "penalty"}


@case("counting.team")
def _team(world: World) -> Sent:
    address, form = _tournament(world)
    return f"{address}/teams", form | {"team_name": "Winds"}


@case("counting.brought")
def _(world: World) -> Sent:
    address, form = _tournament(world)
    return f"{address}/lists", form | {"then": "leave"}


@case("counting.undo")
def _remove_tournament(world: World) -> Sent:
    address, form = _tournament(world)
    return f"{address}/undo", form | {"then": "remove"}


@case("evenings.correct")
def _correct_evening(world: World) -> Sent:
    evening = world.client.post("/evenings", data={}).headers["Location"]
    return f"{evening}/day", {"day": "2026-03-05", "place": "Barn"}


@case("removals.decide")
def _remove(world: World) -> Sent:
    return f"/removed/table/{world.played().rsplit('/', 1)[1]}", {}


@case("winning.not_out")
def _not_out(world: World) -> Sent:
    deal = world.deal()
    world.client.post(f"{deal}/win", data={"winner": "W"})
    return f"{deal}/not-out", {}


def of_one_hand(world: World) -> str:
    """The address of a hand on its own."""
    return str(world.client.post("/worth").headers["Location"]).split("/players/")[0]


@case("worth.save")
def _(world: World) -> Sent:
    return f"{of_one_hand(world)}/worth", {"winner": "S", "wind": "E"}


@case("worth.play_on")
def _(world: World) -> Sent:
    return f"{of_one_hand(world)}/whole", {}


@case("deal.exchange")
def _exchange(world: World) -> Sent:
    deal = world.deal()
    world.client.post(f"{deal}/players/S/edit", data={"action": "type", "codes": "123m"})
    return f"{deal}/exchange", {"seat": "S", "other": "W"}


@case("deal.undo")
def _undo(world: World) -> Sent:
    deal = world.deal()
    for codes in ("1m", "2m", "3m"):
        form = {"action": "type", "codes": codes}
        world.client.post(f"{deal}/players/S/edit", data=form)
    return f"{deal}/undo", {"head": "3"}


@case("shares.begin")
def _share(world: World) -> Sent:
    return f"/deals/{world.scored(world.played())}/share", {}


@case("shares.end")
def _unshare(world: World) -> Sent:
    deal = f"/deals/{world.scored(world.played())}"
    world.client.post(f"{deal}/share")
    return f"{deal}/unshare", {}


@case("disputes.answer")
def _answer_dispute(world: World) -> Sent:
    deal = world.deal()
    noted = {"who": "*", "other": "Ann", "text": "No pung"}
    world.client.post(f"{deal}/dispute", data=noted)
    page = world.client.get(f"{deal}/result").text + world.client.get(deal).text
    with services_of(world.app).engine.connect() as connection:
        query = text("SELECT dispute_id FROM dispute_events")
        dispute = connection.execute(query).scalar_one()
    assert page
    return f"/disputes/{dispute}", {"answer": "correct", "who": "*", "other": "Bob"}


@case("capture.send")
def _photograph(world: World) -> Sent:
    data = world.reader.learn(reading_of(DEAL["players"][1], {}))
    return f"{world.deal()}/players/S/photo", photo("photo", data)


@case("capture.delete")
def _delete_photo(world: World) -> Sent:
    deal, photo_id = world.photographed()
    return f"{deal}/photos/{photo_id}/delete", {"seat": "S"}


@case("capture.say_stays")
def _leave_photo_out(world: World) -> Sent:
    deal, photo_id = world.photographed()
    return f"{deal}/photos/{photo_id}/giving", {"seat": "S", "stays": "yes"}


@case("answers.answer")
def _say_all_right(world: World) -> Sent:
    deal, _ = world.photographed()
    return f"{deal}/answers", {"action": "all_right"}


@case("another_photo.send")
def _another(world: World) -> Sent:
    joiner = Joiner(reading_of(DEAL["players"][1], {}))
    world.app.extensions[JOINING] = JoinDesk(SameProcess(world.reader), lambda _: "", joiner)
    deal, _ = world.photographed()
    return f"{deal}/players/S/another", photo("photo", b"another one")


@case("cameras.take")
def _camera(world: World) -> Sent:
    deal = world.deal()
    send_camera(world.client, reading=READING, picture=PICTURE)
    page = world.client.get(f"{deal}/players/S/photo").text
    offer = re.search(r'name="offer" value="([^"]+)"', page)
    assert offer is not None
    return f"{deal}/players/S/camera", {"offer": offer[1]}


@case("whole_table.send")
def _whole_table(world: World) -> Sent:
    data = world.reader.learn(table_reading())
    return f"{world.deal()}/table-photo", photo("photo", data)


@case("whole_table.send_each")
def _one_each(world: World) -> Sent:
    data = world.reader.learn(reading_of(DEAL["players"][1], {}))
    return f"{world.deal()}/table-photo/each", photo("photos", data)


@case("whole_table.seat")
def _seat(world: World) -> Sent:
    deal = world.deal()
    data = world.reader.learn(table_reading())
    world.client.post(f"{deal}/table-photo", data={"photo": (io.BytesIO(data), "t.jpg")})
    deal_id = deal.rsplit("/", 1)[1]
    wait_for_photos(world.app, deal_id)
    (found,) = services_of(world.app).store.latest_photos(deal_id).values()
    return f"{deal}/table-photo/{found.id}", {"east": "near"}


@case("players.rename")
def _rename(world: World) -> Sent:
    return f"/players/{world.person('Bob')}/name", {"name": "Robert"}


@case("players.give_number")
def _number(world: World) -> Sent:
    return f"/players/{world.person('Bob')}/member", {"member": "007"}


@case("players.erase_for_good")
def _erase(world: World) -> Sent:
    return f"/players/{world.person('Bob')}/erase", {"name": "Bob"}


@case("our_club.take_back")
def _decision(world: World) -> Sent:
    world.client.post("/club/settings/stake", data={"number": "20"})
    world.client.post("/club/settings/stake", data={"number": "30"})
    return "/club/settings/back/2", {}


def _two_seasons(world: World) -> tuple[str, str]:
    """The addresses of a season and of one before it, in which Ann has 5 points."""
    for name, year in (("Before", 2025), ("After", 2026)):
        span = {"first": f"{year}-01-01", "last": f"{year}-02-01"}
        world.client.post("/seasons", data={"name": name, **span})
    page = world.client.get("/seasons").text
    after, before = re.findall(r'"(/seasons/[0-9a-f]{32})"', page)
    form = {"person": world.person("Ann"), "points": "5"}
    world.client.post(f"{before}/opening", data=form)
    return after, before


@case("balances.keep")
def _opening(world: World) -> Sent:
    return f"{_two_seasons(world)[1]}/opening", {"person": world.person("Ann"), "points": "-7"}


@case("balances.take_over")
def _carry_over(world: World) -> Sent:
    after, before = _two_seasons(world)
    return f"{after}/opening/from", {"other": before.rsplit("/", 1)[1]}


@case("imports.upload")
def _list(_world: World) -> Sent:
    return "/imports", photo("file", b"Name,Points\nAnn,5\n")


@case("imports.decide")
def _take_list(world: World) -> Sent:
    files = {"file": (io.BytesIO(b"Name\nAnn\n"), "a.csv")}
    draft = world.client.post("/imports", data=files).headers["Location"]
    mark = re.search(r'name="mark" value="([0-9a-f]+)"', world.client.get(draft).text)
    assert mark is not None
    return draft, {"heading": "1", "column-0": "name", "mark": mark[1], "then": "take"}


@case("balances.undo")
def _take_back(world: World) -> Sent:
    page = world.client.get(f"{_two_seasons(world)[1]}/opening").text
    found = re.search(r"/brought-in/[0-9a-f]{32}/undo", page)
    assert found is not None
    return found[0], {}


@case("boards.change_season")
def _season(world: World) -> Sent:
    span = {"first": "2026-01-01", "last": "2026-02-01"}
    world.client.post("/seasons", data={"name": "A", **span})
    found = re.search(r"/seasons/[0-9a-f]{32}", world.client.get("/seasons").text)
    assert found is not None
    return found[0], {"remove": "yes"}


@case("accounts.add")
def _account(world: World) -> Sent:
    world.with_accounts()
    return "/accounts", {
        "name": "Fay",
        "role": "guest",
        "password": NEW_PASSWORD,
        "again": NEW_PASSWORD,
    }


@case("accounts.change_role")
def _role(world: World) -> Sent:
    return f"/accounts/{world.with_accounts()}/role", {"role": "scorer"}


@case("accounts.change_password")
def _password(world: World) -> Sent:
    return f"/accounts/{world.with_accounts()}/password", {
        "password": NEW_PASSWORD,
        "again": NEW_PASSWORD,
    }


@case("accounts.remove")
def _remove_account(world: World) -> Sent:
    return f"/accounts/{world.with_accounts()}/remove", {}


@case("house_rules.send")
def _rules(world: World) -> Sent:
    form = written(world.client) | {"name": "Our club", "option.limit": "500", "then": "keep"}
    return "/house-rules/bmja-u3a/edit", form


@case("house_rules.upload")
def _rules_file(_world: World) -> Sent:
    data = b'id = "guests"\nname = "Guests"\nbase = "western"\ndescription = "Theirs."\n'
    return "/house-rules", photo("file", data)


@case("tile_sets.begin")
def _teach(_world: World) -> Sent:
    return "/sets", lambda: {"name": "Club set", "photo": (io.BytesIO(PHOTO), "set.jpg")}


@case("tile_sets.say")
def _say(world: World) -> Sent:
    return f"{teach(world.client)}/0/3", {"label": "5m"}


@case("tile_sets.keep")
def _keep_set(world: World) -> Sent:
    return teach(world.client), {"then": "keep"}


def _kept_set(world: World) -> bytes:
    world.client.post(teach(world.client), data={"then": "keep"})
    return profile_path("Club set").read_bytes()


@case("tile_sets.upload")
def _take_set_over(world: World) -> Sent:
    data = _kept_set(world)
    world.client.post("/sets/Club set/remove")
    return "/sets/file", photo("file", data)


@case("tile_sets.remove")
def _remove_set(world: World) -> Sent:
    _kept_set(world)
    return "/sets/Club set/remove", {}


@case("phones.let_in")
def _let_in(world: World) -> Sent:
    with_doors(world.app)
    return "/phones/in", {"name": "Sue", "password": NEW_PASSWORD, "again": NEW_PASSWORD}


@case("phones.switch")
def _switch(_world: World) -> Sent:
    return "/phones/https", {"on": "yes"}


@case("phones.keep_out")
def _keep_out(world: World) -> Sent:
    with_doors(world.app)
    letting_of(world.app).open()
    return "/phones/out", {}


@case("restoring.upload")
def _copy(world: World) -> Sent:
    return "/keeping/restore", photo("file", copied(world.app, world.folder))


@case("restoring.decide")
def _restore(world: World) -> Sent:
    data = copied(world.app, world.folder)
    world.played()
    return send_copy(world.client, data).headers["Location"], {"then": "replace"}


@case("keeping.erase_again")
def _erase_again(world: World) -> Sent:
    world.played()
    data, who = copied(world.app, world.folder), world.person("Bob")
    world.client.post(f"/players/{who}/erase", data={"name": "Bob"})
    address = send_copy(world.client, data).headers["Location"]
    world.client.post(address, data={"then": "replace"})
    return "/keeping/erase-again", {"who": who}


@pytest.fixture
def world(
    app: Flask,
    client: FlaskClient,
    tmp_path: Path,
    reader: FakeReader,
    kept: Accounts,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[World]:
    for variable, name in ((FOLDER_VARIABLE, "rules"), (SETS_FOLDER, "sets")):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / name))
    monkeypatch.setattr("vision.open_classifier", FakeClassifier)
    services_of(app).sets.look = FakeLook()
    forget()
    yield World(app, client, tmp_path, reader, kept)
    forget()


def stored(world: World) -> dict[str, str]:
    """What the database and the folder hold.

    Left out is what only says that a form was sent, and photos that are still being read.
    """
    for deal in world.deals:
        if services_of(world.app).store.latest_photos(deal.rsplit("/", 1)[1]):
            wait_for_photos(world.app, deal.rsplit("/", 1)[1])
    database = sqlite3.connect(world.folder / "test.sqlite3")
    with closing(database), closing(sqlite3.connect(":memory:")) as copy:
        database.backup(copy)
        lines = [line for line in copy.iterdump() if '"sent_forms"' not in line]
    files = [path for path in world.folder.rglob("*") if path.is_file()]
    kept = {
        str(path.relative_to(world.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if not path.name.startswith("test.sqlite3") and path.suffix != ".photo"
    }
    return kept | {"database": "\n".join(lines)}


def send(world: World, path: str, form: Form | Callable[[], Form], entry: str) -> TestResponse:
    data = form() if callable(form) else dict(form)
    return world.client.post(path, data=data | {"entry": entry})


def test_every_route_that_takes_a_form_is_tried(app: Flask) -> None:
    posts = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert posts == set(CASES) | WITHOUT_EFFECT | OF_PROGRAMS, "add a case for a new route"


@pytest.mark.parametrize("endpoint", sorted(CASES))
def test_a_form_sent_twice_counts_once(world: World, endpoint: str) -> None:
    path, form = CASES[endpoint](world)
    before = stored(world)
    first = send(world, path, form, "a form of its own")
    assert first.status_code == 303, words(first)
    led = first.headers["Location"]
    world.deals += [led] if re.fullmatch("/deals/[0-9a-f]{32}", led) else []
    until = time.monotonic() + 5
    while 'id="progress"' in world.client.get(led).text and time.monotonic() < until:
        time.sleep(0.01)
    once = stored(world)
    assert once != before, "the form does something"
    second = send(world, path, form, "a form of its own")
    assert (second.status_code, second.headers["Location"]) == (303, led)
    assert stored(world) == once


def test_the_same_page_can_send_something_else(world: World) -> None:
    deal = world.deal()
    for codes in ("1m", "2m", "2m"):
        form = {"action": "type", "codes": codes}
        send(world, f"{deal}/players/S/edit", form, "one form")
    stored_deal = services_of(world.app).store.deal(deal.rsplit("/", 1)[1])
    assert stored_deal is not None
    assert [tile.label for tile in stored_deal.state.player("S").tiles] == ["1m", "2m"]


def test_a_refused_form_can_be_sent_again(world: World) -> None:
    evening = world.client.post("/evenings", data={}).headers["Location"]
    for _ in range(2):
        told = send(world, f"{evening}/people", {"names": "=1+1"}, "one form")
        assert "cannot be a name" in words(told), "it is told each time"
        send(world, "/sets/file", {}, "one form")
        assert "Choose the file of a set" in words(world.client.get("/sets")), "also on a new page"


def test_each_form_of_a_page_is_another_one(client: FlaskClient) -> None:
    table = open_table(client)
    entries = re.findall(r'name="entry" value="(\w+)"', client.get(table).text)
    assert len(entries) == len(set(entries)) > 2
    assert not set(entries) & set(re.findall(r'name="entry" value="(\w+)"', client.get(table).text))


def test_two_taps_at_the_same_moment_open_one_table(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = services_of(world.app).games.create
    form = {"name_E": "Ann", "name_S": "Bob", "name_W": "Cat", "ruleset": "western"}

    def slowly(*given: Any) -> str:
        time.sleep(0.3)
        return create(*given)

    monkeypatch.setattr(services_of(world.app).games, "create", slowly)
    world.client.get("/")
    led: list[str] = []

    def tap() -> None:
        answer = world.app.test_client().post("/tables", data=form | {"entry": "tapped"})
        led.append(answer.headers["Location"])

    taps = [threading.Thread(target=tap) for _ in range(2)]
    for thread in taps:
        thread.start()
    for thread in taps:
        thread.join()
    assert len(led) == 2
    assert len(set(led)) == 1


def test_another_process_does_not_store_it_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_table(world.client)
    form = {"head": world.head(table)}
    send(world, f"{table}/drawn", form, "one form")
    monkeypatch.setattr("webapp.database.sent.where_it_led", _not_yet_seen())
    once = stored(world)
    assert send(world, f"{table}/drawn", form, "one form").headers["Location"] == table
    assert stored(world) == once


def _not_yet_seen() -> Callable[..., tuple[bool, str | None]]:
    """What another process reads: nothing before it begins to write, everything afterwards."""

    asked: list[str] = []

    def answer(engine: Any, key: str) -> tuple[bool, str | None]:
        asked.append(key)
        return (False, None) if len(asked) == 1 else where_it_led(engine, key)

    return answer


def test_a_form_whose_answer_was_lost_is_not_stored_again(world: World) -> None:
    table = open_table(world.client)
    form = {"head": world.head(table)}
    send(world, f"{table}/drawn", form, "one form")
    engine = services_of(world.app).engine
    with engine.begin() as connection:
        connection.execute(text("UPDATE sent_forms SET location = NULL"))
    headers = {"Referer": f"http://localhost{table}"}
    data = form | {"entry": "one form"}
    again = world.client.post(f"{table}/drawn", data=data, headers=headers)
    assert again.headers["Location"] == table
    assert "This has already been sent once" in words(world.client.get(table))
    assert len(game_of(world.app, table).game.hands) == 1


def test_old_forms_are_forgotten_except_those_sent_last(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.database.sent.ALWAYS_KEPT", 1)
    send(world, "/deals", {}, "one form")
    send(world, "/deals", {}, "another form")
    engine = services_of(world.app).engine
    forget_old(engine)
    counted = text("SELECT count(*) FROM sent_forms")
    with engine.begin() as connection:
        assert connection.execute(counted).scalar_one() == 2
        long_ago = datetime.now(UTC) - KEPT_FOR - timedelta(days=1)
        connection.execute(text("UPDATE sent_forms SET at = :at"), {"at": long_ago})
    forget_old(engine)
    with engine.begin() as connection:
        assert connection.execute(counted).scalar_one() == 1


def test_two_phones_are_told_of_each_other_by_name(club: Flask) -> None:
    sam, sue = logged_in(club, "Sam"), logged_in(club, "Sue")
    table = open_table(sam)
    head = str(game_of(club, table).head)
    totals(sam, table, 1, "S", 20, 128, 8, 16, head=head)
    totals(sue, table, 1, "S", 20, 128, 8, 16, head=head)
    assert "Sam has just entered “Hand 1: Bob won”. Your entry" in words(sue.get(table))
    assert len(game_of(club, table).game.hands) == 1
    deal = sue.post(f"{table}/next").headers["Location"]
    enter_deal(sue, deal, "W", E=10, S=20, W=100, N=30)
    before = str(game_of(club, table).head)
    sam.post(f"{table}/drawn", data={"head": before})
    sue.post(f"{table}/take", data={"deal": deal.rsplit("/", 1)[1], "head": before})
    assert "Sam has just entered “Hand 2: drawn”. Your entry" in words(sue.get(table))
    sam.post(f"{table}/undo")
    seen = str(game_of(club, table).head)
    sue.post(f"{table}/undo", data={"head": seen})
    sam.post(f"{table}/undo", data={"head": seen})
    page = words(sam.get(table))
    assert "Sue has just entered “Undone: Hand 1: Bob won”. Your Undo changed nothing." in page


def test_undo_of_a_deal_tells_what_came_in_between(club: Flask) -> None:
    sam, sue = logged_in(club, "Sam"), logged_in(club, "Sue")
    deal = sam.post("/deals").headers["Location"]
    for phone, codes in ((sam, "1m"), (sue, "2m")):
        form = {"action": "type", "codes": codes}
        phone.post(f"{deal}/players/S/edit", data=form)
    sam.post(f"{deal}/undo", data={"head": "1"})
    assert "Sue has just entered “Tiles typed in (South)”. Your Undo changed nothing." in words(
        sam.get(deal)
    )
    for _ in range(2):
        sue.post(f"{deal}/undo", data={"head": "2"})
    assert "That has already been undone" in words(sue.get(deal))
