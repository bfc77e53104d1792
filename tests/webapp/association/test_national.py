"""The association's own pages: who may do what there, and the list of the clubs that agree."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from openpyxl import load_workbook
from sqlalchemy.orm import Session

from tests.webapp.association.furnishing import easy, hasty
from tests.webapp.association.test_host import PASSWORD
from tests.webapp.conftest import services_of
from tests.webapp.fakes import FakeReader
from tests.webapp.pages.table.test_games import open_table, totals, words
from webapp.association.applications import close, create_host
from webapp.association.host import Host
from webapp.backup.restoring import contents
from webapp.book.seasons import Seasons
from webapp.database.tables.association import ClubStandingRow
from webapp.evening.evenings import today
from webapp.personal_data.profiles import People
from webapp.runtime.steady_clock import steady_now
from webapp.security import login

ROLES = {"Boss": "secretary", "Sid": "scorer", "Gil": "guest"}
PLAYED = {"whitby": ("Ann", "Bob", "Cat", "Dee"), "filey": ("ANN", "Eve", "Fay", "Bob")}
"""Who sits where at the one table of each club."""

POINTS = (20, 128, 8, 16)
AGREE = {"agreed": "yes"}


@dataclass(frozen=True)
class Association:
    """An association whose two clubs have a player with the same member number."""

    host: Host

    def boss(self, name: str = "Boss") -> FlaskClient:
        """Somebody at the association's own pages."""
        client = self.host.main.test_client()
        client.post("/login", data={"name": name, "password": PASSWORD})
        return client

    def listed(self, season: str = "") -> str:
        return words(self.boss().get(f"/national?season={season}"))

    def post(self, club_id: str, path: str, **form: str) -> int:
        """Send a form in a club as its secretary."""
        with self.host.entered(club_id) as app:
            return app.test_client().post(path, data=form).status_code


@pytest.fixture
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Association]:
    folder = tmp_path_factory.mktemp("national")
    host = create_host(f"sqlite:///{folder / 'own.sqlite3'}", reader=FakeReader(), folder=folder)
    hasty(host.main)
    for name, role in ROLES.items():
        host.main.extensions[login.EXTENSION].add(name, role, PASSWORD)
    for club_id in PLAYED:
        host.clubs.add(club_id, club_id.title())
    yield Association(host)
    close(host)


@pytest.fixture
def association(empty: Association) -> Association:
    for club_id, names in PLAYED.items():
        with easy(empty.host, club_id) as app:
            client = app.test_client()
            sitting = {f"name_{seat}": name for seat, name in zip("ESWN", names, strict=True)}
            totals(client, open_table(client, **sitting), 1, "S", *POINTS)
            people = {person.name: person.id for person in People(services_of(app).engine).all()}
            client.post(f"/players/{people[names[0]]}/member", data={"member": "N 17"})
    return empty


def test_a_club_is_on_the_list_only_as_long_as_it_agrees(association: Association) -> None:
    assert "No club has agreed yet" in association.listed()
    association.boss().post("/national")
    assert "No club has agreed yet" in association.listed()
    for club_id in PLAYED:
        association.post(club_id, "/club/settings/national", **AGREE)
    shown = association.listed()
    assert "Filey, Whitby" in shown, "one number and name are one player"
    assert "Is this the same person?" not in shown
    assert len(association.boss().get("/national.csv").text.splitlines()) == 1 + 7
    assert shown.count("Bob") == 2, "without a number each club has its own"
    association.post("filey", "/club/settings/back/1")
    assert "Eve" not in association.listed()
    association.boss().post("/clubs/whitby", data={"then": "close"})
    assert "Bob" not in association.listed()


def test_a_season_counts_its_days_in_every_club_and_one_number_with_two_names_is_a_question(
    association: Association,
) -> None:
    boss = association.boss()
    assert association.listed().count("No club has agreed yet") == 1
    for club_id in PLAYED:
        association.post(club_id, "/club/settings/national", **AGREE)
    day = today()
    seasons = Seasons(services_of(association.host.main).engine)
    running = seasons.keep(None, "This year", day, day + timedelta(days=9))
    earlier = seasons.keep(None, "Last year", day - timedelta(days=9), day - timedelta(days=1))
    assert "not been asked about this season yet" in association.listed(), (
        "the running one is shown"
    )
    assert "Eve" in association.listed("all")
    asked = boss.post("/national", data={"season": earlier.id}).headers["Location"]
    assert asked == f"/national?season={earlier.id}"
    assert "not played any hands this season yet" in association.listed(earlier.id)
    assert "Eve" in association.listed(running.id)
    assert association.listed() == association.listed(running.id)
    assert len(boss.get("/national.csv").text.splitlines()) == 1 + 7
    assert len(boss.get(f"/national.csv?season={earlier.id}").text.splitlines()) == 1
    assert boss.get("/national?season=nonsense").status_code == 404
    assert "Is this the same person?" not in association.listed()
    with association.host.entered("filey") as app:
        ann = next(it for it in People(services_of(app).engine).all() if it.name == "ANN")
    association.post("filey", f"/players/{ann.id}/name", name="Ann Brown")
    boss.post("/national")
    shown = association.listed()
    assert "Is this the same person?" in shown
    assert "N 17 : Ann (Whitby), Ann Brown (Filey)" in shown
    assert "Filey, Whitby" not in shown
    assert len(boss.get("/national.csv").text.splitlines()) == 1 + 8, "nothing was added up"


def test_somebody_who_is_erased_is_on_the_list_no_longer(association: Association) -> None:
    association.post("filey", "/club/settings/national", **AGREE)
    assert "Fay" in association.listed()
    with association.host.entered("filey") as app:
        fay = next(it for it in People(services_of(app).engine).all() if it.name == "Fay")
    association.post("filey", f"/players/{fay.id}/erase", name="Fay")
    assert "Fay" not in association.listed()
    assert "Eve" in association.listed()


def test_what_is_played_comes_with_the_next_gathering_and_into_the_files(
    association: Association,
) -> None:
    association.post("filey", "/club/settings/national", **AGREE)
    with association.host.entered("filey") as app:
        client = app.test_client()
        names = {f"name_{seat}": f"New {seat}" for seat in "ESWN"}
        totals(client, open_table(client, **names), 1, "S", *POINTS)
    assert "New E" not in association.listed()
    boss = association.boss()
    boss.post("/national")
    assert "New E" in association.listed()
    told = boss.get("/national.csv").get_data().decode("utf-8-sig").splitlines()
    assert told[0] == "Place,Player,Member number,Clubs,Points,Tables,Hands,Hands won"
    assert told[1].endswith(",Eve,,Filey,512,1,1,1")
    book = load_workbook(io.BytesIO(boss.get("/national.xlsx").get_data()))
    assert [cell.value for cell in book.worksheets[0]["B"]][1:] == [
        line.split(",")[1] for line in told[1:]
    ]
    assert boss.get("/national.pdf").get_data().startswith(b"%PDF")
    assert boss.get("/national.doc").status_code == 404


def test_a_club_that_belongs_to_no_association_is_not_asked(client: FlaskClient) -> None:
    assert "association" not in client.get("/club/settings").text
    assert client.get("/club/settings/national").status_code == 404


def test_only_the_associations_secretary_adds_and_shuts_clubs(empty: Association) -> None:
    new = {
        "name": "Third", "address": "third", "secretary": "Tom", "password": PASSWORD,
        "again": PASSWORD,
    }  # fmt: skip
    for name in ("Sid", "Gil", ""):
        client = empty.boss(name) if name else empty.host.main.test_client()
        assert client.get("/clubs").status_code == 200
        assert client.get("/national").status_code == (200 if name else 303)
        for path, form in (("/clubs", new), ("/clubs/filey", {"then": "close"}), ("/national", {})):
            assert client.post(path, data=form).status_code == (403 if name else 303), (name, path)
    boss = empty.boss()
    for path, form in (("/clubs", new), ("/clubs/filey", {"then": "close"}), ("/national", {})):
        assert boss.post(path, data=form, forged=True).status_code == 400, path
    assert [club.id for club in empty.host.clubs.all() if not club.closed] == ["filey", "whitby"]
    line = {"name": "Ann", "member": "", "points": 3, "tables": 1, "hands": 1, "won": 1}
    with Session(services_of(empty.host.main).engine) as session, session.begin():
        session.add(ClubStandingRow(club_id="filey", lines=[line], at=steady_now()))
    assert "Ann" in empty.listed(), "as an earlier version was told"
    for club_id in PLAYED:
        empty.host.clubs.close(club_id)
    opened = boss.post("/clubs/filey", data={"then": "open"})
    assert (opened.status_code, "no longer has a secretary" in opened.text) == (400, True)
    assert "There are no clubs yet." in empty.listed()


def test_a_club_that_is_added_twice_by_a_slip_is_added_once(empty: Association) -> None:
    new = {
        "name": "Third", "address": "third", "secretary": "Tom", "password": PASSWORD,
        "again": PASSWORD, "entry": "e" * 32,
    }  # fmt: skip
    boss = empty.boss()
    for _ in range(2):
        assert boss.post("/clubs", data=new).headers["Location"] == "/clubs"
    for then, closed in (("close", True), ("open", False)):
        for _ in range(2):
            boss.post("/clubs/third", data={"then": then, "entry": "f" * 32})
        assert empty.host.clubs.find("third").closed is closed  # type: ignore[union-attr]
    assert contents(services_of(empty.host.main).engine).players == 0
