"""Every route is asked in one club for what is another's: nobody reads or writes it."""

from __future__ import annotations

import base64
import io
import itertools
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote_plus

import pytest
from click.testing import CliRunner
from werkzeug.routing import Rule
from werkzeug.test import Client, EnvironBuilder, TestResponse, run_wsgi_app
from werkzeug.wsgi import ClosingIterator

from scorer.rules.folder import rulesets_folder
from tests.webapp.association.furnishing import (
    SECRETARY,
    WORDS,
    content,
    easy,
    furnish,
    hasty,
)
from tests.webapp.association.test_host import PASSWORD
from tests.webapp.database.postgres import new_server_database
from tests.webapp.fakes import FakeReader
from tests.webapp.language.walking import Page
from webapp.association.applications import close, create_host
from webapp.association.host import Host
from webapp.backup.archive import write_archive_file
from webapp.cli.main import main
from webapp.database.base import Base
from webapp.database.tables.accounts import NOT_COPIED
from webapp.database.tables.association import OF_SERVERS
from webapp.personal_data.erasure import erase
from webapp.personal_data.profiles import People
from webapp.runtime.data_folder import club_folder
from webapp.security import login
from webapp.security.headers import HOSTS

PLAIN: Final[dict[str, list[Any]]] = {
    "seat": ["E"], "number": [1], "photo": [0], "tile": [0], "level": ["hard"], "seed": [3],
    "kind": ["table", "csv"], "chart": ["totals"], "day": ["2026-01-01"], "key": ["rules"],
    "filename": ["kongbox.css"],
}  # fmt: skip
"""Arguments of routes that name nothing of a club's own, and values for them."""

MOST_OF_A_KIND: Final = 1
"""Values of each argument that are asked for."""

OPEN_ENDS: Final = {
    "learning.hands", "learning.rules", "quiz.start", "quiz.ask", "quiz.answer",
}  # fmt: skip
"""Pages that show something else where they do not know what is asked for."""

LOGIN_PAGES: Final = {"login.enter", "login.leave", "login.show"}
"""The pages that change who asks."""

AT: Final = {"Tom of Beta": "/beta", "Boss": ""}
"""Below which part of the address each secretary is one."""

OF_THE_HALL: Final = re.compile(
    r"(this|the) (computer|laptop|machine)|Wi-Fi|data folder|kongbox\.log|kongbox [a-z]+ "
)
"""What only those understand who sit at the computer on which Kongbox runs."""

OF_THE_SERVER: Final = {
    "accounts.index", "here.show", "home.index", "keeping.show", "restoring.ask",
    "display.show",
}  # fmt: skip
"""The pages that say something else where Kongbox is on a computer in the hall."""

HERE: Final = NOT_COPIED | OF_SERVERS
"""The tables that stay where they are."""

REFUSALS: Final = frozenset({303, 400, 401, 403, 404, 409, 413, 415, 422})
"""The answers to those who ask for what is not there."""

SOUND: Final = frozenset({200, 204, 302, 503}) | REFUSALS
"""All answers but failures; of 503 the page of what is ready says what is not."""


@dataclass(frozen=True)
class Two:
    """An association with a club that has everything, and another one that has nothing.

    Attributes:
        host: its server.
        owned: by the name of an argument of a route, what the first club has for it.
        routes: those of every club.
        quick: whether all can be asked in little time.
    """

    host: Host
    owned: dict[str, list[str]]
    routes: list[Rule]
    quick: bool

    def names_something(self, rule: Rule) -> bool:
        """Whether the address of a route names what only one club has."""
        return not self.owned.keys().isdisjoint(rule.arguments) and rule.endpoint not in OPEN_ENDS


@pytest.fixture(scope="module", params=["SQLite", "PostgreSQL"])
def two(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("apart")
    url = f"sqlite:///{folder / 'own.sqlite3'}"
    quick = request.param == "SQLite"
    if not quick:
        url = new_server_database(request.getfixturevalue("server"))
    reader = FakeReader()
    host = create_host(url, reader=reader, folder=folder)
    for club_id in ("alpha", "beta"):
        host.clubs.add(club_id, club_id.title())
    hasty(host.main)
    host.main.extensions[login.EXTENSION].add("Boss", "secretary", PASSWORD)
    with easy(host, "beta") as app:
        app.extensions[login.EXTENSION].add("Tom of Beta", "secretary", PASSWORD)
    with easy(host, "alpha") as app:
        owned = furnish(app, reader)
    yield Two(host, owned, list(app.url_map.iter_rules()), quick)
    close(host)


class Asking:
    """Somebody who asks below the root of one application, and sends forms with its token."""

    def __init__(self, two: Two, root: str, name: str = "") -> None:
        self.client, self.root = Client(two.host), root
        self.headers: dict[str, str] = {}
        self.headers["X-CSRFToken"] = self._token("/login")
        if name:
            form = {"name": name, "password": PASSWORD}
            assert self.ask("POST", "/login", form).status_code == 303
            self.headers["X-CSRFToken"] = self._token("/players")

    def _token(self, path: str) -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.ask("GET", path).text)
        return found[1] if found else ""

    def ask(self, method: str, path: str, form: Mapping[str, str] | None = None) -> TestResponse:
        return self.client.open(
            f"{self.root}{path}", method=method, data=form, headers=self.headers
        )


def stranger(two: Two) -> Asking:
    """Somebody with the password and the cookie of the first club's secretary, at the other one."""
    asking = Asking(two, "/alpha", SECRETARY)
    cookie = asking.client.get_cookie("kongbox-alpha")
    assert cookie is not None
    asking.client.set_cookie("kongbox-beta", cookie.value)
    given = base64.b64encode(f"{SECRETARY}:{PASSWORD}".encode()).decode()
    asking.headers["Authorization"] = f"Basic {given}"
    asking.root = "/beta"
    return asking


def to_be_asked(two: Two) -> Iterator[tuple[Rule, str, str]]:
    """Every route with the address of something that the first club has, once for each method."""
    for rule in two.routes:
        named = sorted(rule.arguments)
        known = [(two.owned.get(name) or PLAIN[name])[:MOST_OF_A_KIND] for name in named]
        for values in itertools.product(*known):
            built = rule.build(dict(zip(named, values, strict=True)))
            assert built is not None
            for method in sorted((rule.methods or set()) & {"GET", "POST"}):
                yield rule, method, built[1]


def said(answer: TestResponse) -> str:
    """The text of an answer, and of the files in it where it is a ZIP file."""
    data = answer.get_data()
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return data.decode(errors="replace")
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return "".join(packed.read(name).decode(errors="replace") for name in packed.namelist())


def leaked(answer: TestResponse, *asked: str) -> list[str]:
    """The words of the first club that stand in an answer, beside those that were asked for."""
    text, told = said(answer), unquote_plus("".join(asked)).lower()
    return [word for word in WORDS if word in text and word.lower() not in told]


def test_each_argument_of_a_route_is_a_clubs_own_or_nobodys(two: Two) -> None:
    named = {name for rule in two.routes for name in rule.arguments}
    assert named - set(PLAIN) - set(two.owned) == set(), "say whose these are"
    assert [name for name, values in two.owned.items() if not values] == []


@pytest.mark.parametrize("who", ["Tom of Beta", "Boss", "a stranger"])
def test_no_route_of_another_application_leads_into_a_club(
    two: Two, who: str, caplog: pytest.LogCaptureFixture
) -> None:
    if who != "Tom of Beta" and not two.quick:
        pytest.skip("as with SQLite, and slower")
    asking = stranger(two) if who == "a stranger" else Asking(two, AT[who], who)
    before = content(two.host, "alpha")
    refused = REFUSALS | ({429} if who == "a stranger" else set())
    all_of_it = who == "Tom of Beta" and two.quick
    wrong, asked = [], 0
    for rule, method, path in to_be_asked(two):
        if rule.endpoint in LOGIN_PAGES or not (two.names_something(rule) or all_of_it):
            continue
        answer = asking.ask(method, path)
        sound = refused if two.names_something(rule) else SOUND
        if answer.status_code not in sound or leaked(answer, path):
            wrong.append((method, path, answer.status_code, leaked(answer, path)))
        asked += 1
    assert wrong == []
    assert asked > 100
    assert [word for word in WORDS if word in caplog.text] == []
    assert content(two.host, "alpha") == before


def test_what_pages_of_a_club_lead_to_and_send_is_nothing_in_another(two: Two) -> None:
    if not two.quick:
        pytest.skip("as with SQLite, and slower")
    mine, theirs = Asking(two, "/alpha", SECRETARY), Asking(two, "/beta", "Tom of Beta")
    sent, seen = set[tuple[str, str]](), set[str]()
    for rule, method, path in to_be_asked(two):
        if method == "GET" and two.names_something(rule) and "." not in path and "live" not in path:
            answer = mine.ask(method, path)
            seen.update(word for word in WORDS if word in said(answer))
            page = Page(answer)
            sent.update((link, "") for link in page.links)
            sent.update((to, json.dumps(form)) for to, form in page.forms)
    assert seen == set(WORDS), "all that must not be seen elsewhere is seen at home"
    before = content(two.host, "alpha")
    wrong, asked = [], set[str]()
    for path, form in sorted(sent):
        inside = path.removeprefix("/alpha")
        kind = re.sub("[0-9a-f]{32}|[0-9]+", "", inside.partition("?")[0]) + ("!" if form else "")
        if kind in asked or inside.startswith(("/static", "/log", "/learn", "/course")):
            continue
        asked.add(kind)
        answer = theirs.ask("POST" if form else "GET", inside, json.loads(form or "null"))
        if answer.status_code not in SOUND or leaked(answer, path, form):
            wrong.append((path, form, answer.status_code, leaked(answer, path, form)))
    assert wrong == []
    assert len(asked) > 60
    assert content(two.host, "alpha") == before


def test_no_page_of_a_club_speaks_of_a_computer_that_nobody_there_has(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not two.quick:
        pytest.skip("as with SQLite, and slower")
    asking, spoken, asked = Asking(two, "/alpha", SECRETARY), list[tuple[str, str]](), 0
    for rule, method, path in to_be_asked(two):
        if method == "GET" and rule.endpoint in OF_THE_SERVER:
            asked, page = asked + 1, Page(asking.ask(method, path))
            spoken += [(path, text) for text in page.texts if OF_THE_HALL.search(text)]
            spoken += [(path, link) for link in page.links if "/phones" in link or "trust" in link]
    assert asked == len(OF_THE_SERVER)
    assert spoken == []
    for path in ("/phones", "/trust", "/stop"):
        answer = asking.ask("GET", path)
        assert answer.status_code == 404
        assert "every phone can open Kongbox at http://localhost/alpha/" in answer.text
    monkeypatch.setenv(HOSTS, "clubs.example")
    told = Client(two.host).get("/alpha/trust", base_url="https://clubs.example")
    assert "can open Kongbox at https://clubs.example/alpha/." in told.text, "as behind a proxy"


def test_between_two_parts_of_an_answer_a_thread_is_no_clubs(two: Two) -> None:
    one, other = (
        run_wsgi_app(two.host, EnvironBuilder(f"/{club_id}/healthz").get_environ())[0]
        for club_id in ("alpha", "beta")
    )
    assert club_folder() is None
    for answer in (one, other):
        ClosingIterator(answer).close()
    assert club_folder() is None
    assert rulesets_folder() is None


def test_the_export_of_a_club_goes_into_one_that_was_just_added(
    two: Two, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.cli.club.book.data_folder", lambda: two.host.places.folder)
    file, url = tmp_path / "alpha.zip", two.host.places.engine.url

    def taken(club_id: str) -> tuple[int, str]:
        """Take the file into a club, as whoever looks after the server."""
        db = url.render_as_string(hide_password=False)
        mine = str(two.host.places.folder_of("alpha"))
        words = ["import", str(file), "--club", club_id, "--files", mine, "--db", db]
        answer = CliRunner().invoke(main, words)
        return answer.exit_code, answer.output

    rows = write_archive_file(two.host.places.database_of("alpha"), file)
    with zipfile.ZipFile(file) as packed:
        assert not [name for name in packed.namelist() if "kept_files" in name or "login" in name]
    two.host.clubs.add("delta", "Delta")
    with two.host.entered("delta") as app:
        app.extensions[login.EXTENSION].add("Dora", "secretary", PASSWORD)
        app.extensions[login.EXTENSION].add(SECRETARY.upper(), "guest", PASSWORD)
    asking = Asking(two, "/delta", "Dora")
    assert "Zebedee" not in asking.ask("GET", "/players").text
    exit_code, words = taken("delta")
    assert (exit_code, words.splitlines()) == (
        0,
        [
            f"{rows} rows are in delta, as they were when {file} was made.",
            "2 rulesets and tile sets came along.",
        ],
    )
    told, again = content(two.host, "alpha"), content(two.host, "delta")
    for name in Base.metadata.tables.keys() - HERE - {"accounts"}:
        assert again.get(name) == told.get(name), name
    assert "Zebedee" in asking.ask("GET", "/players").text, "in the server that was running"
    with two.host.entered("delta") as app:
        accounts = app.extensions[login.EXTENSION].all()
    assert {it.name: it.role for it in accounts} == {
        "Dora": "secretary", SECRETARY.upper(): "guest",
    }  # fmt: skip
    for club_id, why in (("delta", "has a book already"), ("nowhere", "clubs are: alpha")):
        exit_code, words = taken(club_id)
        assert (exit_code, why in words) == (1, True), words
    assert content(two.host, "delta")["people"] == again["people"]


def test_who_is_erased_in_a_club_is_left_alone_in_another(two: Two) -> None:
    engine = two.host.places.database_of("alpha")
    others = content(two.host, "beta")
    erase(engine, next(person.id for person in People(engine).all() if person.name == "Zebedee"))
    assert "Zebedee" not in str(content(two.host, "alpha")["people"])
    assert content(two.host, "beta") == others
