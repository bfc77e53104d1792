"""Reading kept photos anew: what would change, and how it stands against what people put right."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Engine

from tests.webapp.database.postgres import new_server_database
from tests.webapp.fakes import EMPTY_PHOTO, FakeReader
from tests.webapp.rereading.archive import keep
from webapp.association.clubs import Clubs
from webapp.association.places import Places
from webapp.association.queue.tasks import Asked, Priority, Tasks
from webapp.association.queue.worker import Worker
from webapp.association.queue.workshop import QueuedWorkshop
from webapp.cli.main import main
from webapp.database.engine import open_database
from webapp.deal.store import Store
from webapp.photos.workers import PhotoRead, SameProcess


class Counting(SameProcess):
    """Notes each photo that is read; Ctrl+C comes with one of them."""

    def __init__(self, reader: FakeReader) -> None:
        super().__init__(reader)
        self.names: list[str] = []
        self.stop_at = 0

    def read(self, name: str, data: bytes, /, *, picture: bool, tile_set: str = "") -> PhotoRead:
        self.names.append(name)
        if len(self.names) == self.stop_at:
            raise KeyboardInterrupt
        return super().read(name, data, picture=picture, tile_set=tile_set)


@pytest.fixture
def workshop(reader: FakeReader, monkeypatch: pytest.MonkeyPatch) -> Counting:
    made = Counting(reader)
    monkeypatch.setattr("webapp.photos.workers.WorkerProcesses", lambda **_: made)
    monkeypatch.setattr("webapp.cli.photos.reread.stop_when_asked", lambda: None)
    return made


@pytest.fixture
def engine(tmp_path: Path, empty_database: Path) -> Iterator[Engine]:
    shutil.copy(empty_database, tmp_path / "kongbox.sqlite3")
    found = open_database(f"sqlite:///{tmp_path / 'kongbox.sqlite3'}")
    yield found
    found.dispose()


def reread(engine: Engine, state: Path, *more: str) -> Result:
    url = engine.url.render_as_string(hide_password=False)
    return CliRunner().invoke(main, ["reread", "--db", url, "--state", str(state), *more])


def told(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return found


def everything(engine: Engine) -> list[Any]:
    with engine.connect() as connection:
        tables = ("deals", "revisions", "photos", "changes")
        return [list(connection.exec_driver_sql(f"SELECT * FROM {it}")) for it in tables]


def test_a_report_holds_new_readings_against_what_people_put_right(
    engine: Engine, reader: FakeReader, workshop: Counting, tmp_path: Path
) -> None:
    store = Store(engine)
    keep(store, reader, {3: ("7s", "6p")}, {}, {"7s": "6p"})  # put right, and read right now
    keep(store, reader, {0: ("4m", "5m")}, {0: ("4m", "5m")}, {"4m": "5m"})  # wrong as before
    keep(store, reader, {}, {8: ("4z", "3z")})  # read wrongly now
    keep(store, reader, {}, {})
    keep(store, reader, {}, None)  # no tiles are found now
    before = everything(engine)
    found = told(reread(engine, tmp_path / "state", "--json"))
    assert found["photos"] == 5
    assert (found["without_picture"], found["larger_before"]) == (0, 4)
    assert found["tiles"] == 14 * 5
    assert found["tiles_changed"] == sum(pair["count"] for pair in found["changes"]) == 2 + 14
    assert found["unreadable"] == 1
    assert "2048 pixels" in found["read_from"]
    assert found["corrected_photos"] == {
        "photos": 2, "better": 1, "worse": 0, "same": 1, "wrong_before": 2, "wrong_now": 1,
    }  # fmt: skip
    assert found["other_photos"]["worse"] == 2
    assert found["put_right"] == {"tiles": 2, "read_right_now": 1, "read_as_before": 1}
    assert found["stood"] == {"tiles": 14 * 5 - 2, "read_otherwise": 1 + 14}
    assert {"from": "7s", "to": "6p", "count": 1} in found["changes"]
    assert {"from": "3z", "to": "4z", "count": 1} in found["changes"]
    assert everything(engine) == before
    assert "Ann Lee" not in (tmp_path / "state").read_text("utf-8")
    words = reread(engine, tmp_path / "state").stdout
    assert "put something right: 2, 1 better, 0 worse, 1 the same" in words
    assert "1 of 2 (50.0%) are read right now, 1 of 2 (50.0%) wrong as before" in words
    assert "stood as they were read: 15 of 68 (22.1%) are read otherwise now" in words
    assert "otherwise than before" in words
    assert "7s -> 6p" in words
    assert words.endswith("No deal was changed.\n")
    assert len(workshop.names) == 5, "what was read once is not read for the text"


def test_where_chooses_the_photos(
    engine: Engine, reader: FakeReader, workshop: Counting, tmp_path: Path
) -> None:
    store = Store(engine)
    _, corrected = keep(store, reader, {3: ("7s", "6p")}, {}, {"7s": "6p"})
    keep(store, reader, {}, {})
    assert told(reread(engine, tmp_path / "1", "--json", "--where", "corrected"))["photos"] == 1
    assert workshop.names == [corrected]
    late = told(reread(engine, tmp_path / "2", "--json", "--where", "since=2999-01-01"))
    assert late["photos"] == 0
    none = told(reread(engine, tmp_path / "3", "--json", "--where", "set=Club set"))
    assert none["photos"] == 0
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE photos SET picture = NULL WHERE id = ?", (corrected,))
    gone = told(reread(engine, tmp_path / "5", "--json"))
    assert (gone["photos"], gone["without_picture"]) == (1, 1)
    refused = reread(engine, tmp_path / "4", "--where", "until=May")
    assert refused.exit_code == 1
    assert "2026-09-01" in refused.output


def test_what_was_paused_or_killed_goes_on_and_reads_nothing_twice(
    engine: Engine, reader: FakeReader, workshop: Counting, tmp_path: Path
) -> None:
    store, state = Store(engine), tmp_path / "state"
    ids = [keep(store, reader, {}, {})[1] for _ in range(4)]
    workshop.stop_at = 3
    paused = reread(engine, state)
    assert paused.exit_code == 130
    assert "Paused" in paused.output
    with state.open("a", encoding="utf-8") as file:
        file.write('{"photo": "cut o')  # as a power cut leaves it
    assert told(reread(engine, state, "--json"))["photos"] == 4
    assert workshop.names == [*ids[:3], *ids[2:]], "only what was interrupted is read again"
    other = reread(engine, state, "--where", "corrected")
    assert other.exit_code == 1
    assert "another re-reading" in other.output


def test_workers_read_the_archives_of_clubs_after_a_phone(
    server: str, reader: FakeReader, workshop: Counting, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("webapp.cli.photos.reread.data_folder", lambda: tmp_path)
    engine = open_database(new_server_database(server))
    Clubs(engine).add("whitby", "Whitby")
    store = Store(Places(engine, tmp_path).database_of("whitby"))
    photos = [keep(store, reader, {3: ("7s", "6p")}, {}, {"7s": "6p"})[1] for _ in range(2)]
    tasks = Tasks(engine)
    order: list[str] = []
    ask = Tasks.ask

    def ask_and_work(self: Tasks, asked: Asked, priority: Priority = Priority.NOW) -> str:
        """Whenever a photo of the archive waits, a phone sends one; then a worker comes."""
        task_id = ask(self, asked, priority)
        ask(tasks, Asked(f"phone{len(order)}", EMPTY_PHOTO, with_picture=False))
        worker = Worker(engine, workshop)
        worker.run(until_empty=True)
        order[:] = workshop.names
        return task_id

    monkeypatch.setattr(Tasks, "ask", ask_and_work)
    monkeypatch.setattr(QueuedWorkshop, "places", 1)
    found = told(reread(engine, tmp_path / "s", "--json", "--association", "--workers"))
    assert found["put_right"] == {"tiles": 2, "read_right_now": 2, "read_as_before": 0}
    assert {one["club"] for one in found["of_each"]} == {"whitby"}
    assert order == ["phone0", photos[0], "phone2", photos[1]], "a phone goes first each time"
    tasks.close()
    engine.dispose()


def test_a_file_of_something_else_is_not_touched(engine: Engine, tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ann,\nsee you on Thursday", "utf-8")
    refused = reread(engine, other)
    assert refused.exit_code == 1
    assert "not from a re-reading" in refused.output
    assert other.read_text("utf-8") == "Dear Ann,\nsee you on Thursday"
