"""The commands of the club's book, and the hourly round of the server."""

from __future__ import annotations

import csv
import json
import shutil
import stat
import threading
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import event, insert, select, update

from tests.webapp.book.test_store import full_book
from tests.webapp.book_fixtures import book_of, rows, two_evenings
from webapp.association.machines.mirror import KEY
from webapp.backup.archive import ArchiveRefused, read_archive
from webapp.backup.housekeeping import Housekeeper, keep_house
from webapp.book.seasons import Span
from webapp.cli.main import main
from webapp.database.engine import open_database
from webapp.database.tables.association import KeptFileRow
from webapp.database.tables.deals import PhotoRow
from webapp.deal.state import new_deal
from webapp.deal.store import Store


@pytest.fixture
def url(tmp_path: Path, empty_database: Path) -> str:
    shutil.copy(empty_database, tmp_path / "kongbox.sqlite3")
    return f"sqlite:///{tmp_path / 'kongbox.sqlite3'}"


@pytest.fixture(scope="module")
def played_database(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Path:
    """The database of a club that has played, which each test gets a copy of."""
    path = tmp_path_factory.mktemp("played") / "kongbox.sqlite3"
    shutil.copy(empty_database, path)
    engine = open_database(f"sqlite:///{path}")
    two_evenings(engine)
    book_of(engine).seasons.keep(
        None, "Spring", datetime(2026, 1, 1, tzinfo=UTC).date(),
        datetime(2026, 6, 30, tzinfo=UTC).date(),
    )  # fmt: skip
    engine.dispose()
    return path


@pytest.fixture
def played(tmp_path: Path, played_database: Path) -> str:
    shutil.copy(played_database, tmp_path / "kongbox.sqlite3")
    return f"sqlite:///{tmp_path / 'kongbox.sqlite3'}"


@pytest.fixture(scope="module")
def archive(played_database: Path) -> Path:
    """Everything that this club has."""
    path = played_database.with_suffix(".zip")
    assert kongbox("export", str(path), db=f"sqlite:///{played_database}").exit_code == 0
    return path


def kongbox(*arguments: str, db: str, answer: str = "") -> Result:
    return CliRunner().invoke(main, [*arguments, "--db", db], input=answer)


def test_a_board_is_told_and_written(played: str, tmp_path: Path) -> None:
    told = kongbox("board", db=played).output.splitlines()
    assert told[1].split()[:6] == ["1", "Bob", "+186", "1", "5", "54"]
    spring = kongbox("board", "--season", "spring", db=played).output.splitlines()
    assert spring[1].split()[:3] == ["1", "Bob", "+250"]
    assert kongbox("board", "--to", str(tmp_path / "b.csv"), db=played).exit_code == 0
    table = list(csv.reader((tmp_path / "b.csv").read_text("utf-8-sig").splitlines()))
    assert table[1][1:3] == ["Bob", "186"]
    assert kongbox("board", "--to", str(tmp_path / "b.xlsx"), db=played).exit_code == 0
    assert zipfile.is_zipfile(tmp_path / "b.xlsx")
    for wrong, why in (
        (("--season", "Winter"), "The seasons are: Spring."),
        (("--to", str(tmp_path / "b.doc")), "must end in .pdf, .csv or .xlsx"),
        (("--to", str(tmp_path / "no" / "b.csv")), "cannot be written"),
    ):
        refused = kongbox("board", *wrong, db=played)
        assert (refused.exit_code, why in refused.output) == (1, True)


def test_an_empty_book_is_told(url: str) -> None:
    assert kongbox("board", db=url).output == "No hand has been played in this time.\n"


def test_players_are_listed_renamed_taken_out_and_erased(played: str, tmp_path: Path) -> None:
    assert kongbox("players", "list", db=played).output.split() == ["Ann", "Bob", "Cat", "Dee"]
    renamed = kongbox("players", "rename", "ann", "Ann Brown", db=played)
    assert renamed.output == "ann is now called Ann Brown.\n"
    assert "Ann Brown\tearlier: Ann" in kongbox("players", "list", db=played).output
    file = tmp_path / "ann.zip"
    assert kongbox("players", "export", "Ann Brown", str(file), db=played).exit_code == 0
    assert json.loads(zipfile.ZipFile(file).read("player.json"))["name"] == "Ann Brown"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = kongbox("players", "export", "Ann Brown", str(file), db=played)
    assert (again.exit_code, "cannot be written" in again.output) == (1, True)
    asked = kongbox("players", "erase", "Ann Brown", db=played, answer="n\n")
    assert asked.exit_code == 1
    assert "Ann Brown" in kongbox("players", "list", db=played).output
    erased = kongbox("players", "erase", "Ann Brown", "--yes", db=played)
    assert "now called Former player 1 at 2 tables; 0 photos deleted." in erased.output
    nobody = kongbox("players", "erase", "Ann Brown", "--yes", db=played)
    assert (nobody.exit_code, "Nobody in the book" in nobody.output) == (1, True)
    refused = kongbox("players", "rename", "Bob", "Cat", db=played)
    assert (refused.exit_code, "already a player called Cat" in refused.output) == (1, True)
    path = Path(played.removeprefix("sqlite:///"))
    on_disk = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    assert b"Ann Brown" not in on_disk, "not even in what the file no longer uses"


def test_photos_are_kept_as_decided(url: str) -> None:
    engine = open_database(url)
    full_book(engine)
    with engine.begin() as connection:
        old = datetime.now(UTC) - timedelta(days=8)
        connection.execute(update(PhotoRow).values(created_at=old))
    assert "0 photos deleted" in kongbox("photos", "clean", db=url).output
    assert kongbox("photos", "keep", "7", db=url).exit_code == 0
    before = book_of(engine).photos.stored()[0]
    assert f"{before} photos deleted, 0 kept" in kongbox("photos", "clean", db=url).output
    engine.dispose()
    for wrong in ("0", "-1", "soon", "99999"):
        refused = CliRunner().invoke(main, ["photos", "keep", "--db", url, "--", wrong])
        assert (refused.exit_code, "Say always, evening" in refused.output) == (1, True)


def test_everything_goes_out_and_comes_back(url: str, tmp_path: Path) -> None:
    engine = open_database(url)
    full_book(engine)
    before = rows(engine)
    engine.dispose()
    file, other = tmp_path / "all.zip", f"sqlite:///{tmp_path / 'other.sqlite3'}"
    assert kongbox("export", str(file), db=url).exit_code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert kongbox("import", str(file), db=other).exit_code == 0
    engine = open_database(other)
    assert rows(engine) == before
    engine.dispose()
    for arguments, why in (
        (("import", str(file)), "is not empty"),
        (("export", str(file)), "is there already"),
        (("import", str(tmp_path / "none.zip")), "cannot be read"),
    ):
        refused = kongbox(*arguments, db=other)
        assert (refused.exit_code, why in refused.output) == (1, True)


def test_an_archive_of_before_servers_shared_files_leaves_a_club_the_key_they_share(
    url: str, tmp_path: Path
) -> None:
    file = tmp_path / "new.zip"
    kongbox("export", str(file), db=url)
    with zipfile.ZipFile(file) as packed:
        head = json.loads(packed.read("kongbox.json"))
    head["tables_version"] = "0021"
    old = rewritten(file, tmp_path / "old.zip", {"kongbox.json": json.dumps(head).encode()})
    engine = open_database(url)
    with engine.begin() as connection:
        connection.execute(insert(KeptFileRow).values(path=KEY, data=b"key", digest="0"))
    read_archive(engine, old, beside_accounts=True)
    with engine.begin() as connection:
        assert connection.execute(select(KeptFileRow.path, KeptFileRow.data)).all() == [
            (KEY, b"key")
        ]
    engine.dispose()


def rewritten(source: Path, target: Path, changes: dict[str, bytes | None]) -> Path:
    """The archive with some of its files replaced, or left out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = changes.get(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
    return target


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"kongbox.json": b"[" * 60_000}, "too many lists in each other"),
        ({"kongbox.json": b" " * 70_000}, "kongbox.json in it is too large"),
        ({"kongbox.json": b'{"format": NaN}'}, "NaN in it is no number"),
        ({"tables/people.jsonl": b"[" * 200_000}, "too many lists in each other"),
        ({"tables/people.jsonl": b"[" * 61 + b"]" * 61}, "too many lists in each other"),
        ({"tables/people.jsonl": b" " * 3_000_000}, "a line of tables/people.jsonl in it is too"),
        ({"tables/people.jsonl": b'{"id": 1e999}'}, "a number in it is too large"),
        ({"tables/people.jsonl": b'{"id": 9223372036854775808}'}, "a number in it is too large"),
        ({"tables/people.jsonl": b'{"id": ' + b"9" * 5000 + b"}"}, "a number in it is too large"),
        ({"tables/people.jsonl": b"3\n"}, "other columns"),
        ({"tables/people.jsonl": b"\xff\n"}, "a part of it is no JSON"),
        ({"kongbox.json": None}, "no archive of Kongbox"),
        ({"kongbox.json": b"{}"}, "no archive of Kongbox"),
        ({"kongbox.json": b"nonsense"}, "no archive of Kongbox"),
        ({"tables/games.jsonl": None}, "tables/games.jsonl is missing"),
        ({"tables/visits.jsonl": b""}, "rows are missing"),
        ({"tables/visits.jsonl": b'{"a": 1}\n'}, "other columns"),
        ({"tables/people.jsonl": b""}, "damaged"),
        (
            {"kongbox.json": b'{"format": 1, "tables_version": "9999", "program": "9.9"}'},
            "written by Kongbox 9.9, which is newer",
        ),
    ],
)
def test_a_damaged_archive_changes_nothing(
    archive: Path, url: str, tmp_path: Path, changes: dict[str, bytes | None], why: str
) -> None:
    bad = rewritten(archive, tmp_path / "bad.zip", changes)
    engine = open_database(url)
    before = rows(engine)
    with pytest.raises(ArchiveRefused, match=why):
        read_archive(engine, bad)
    assert rows(engine) == before
    engine.dispose()


@pytest.fixture
def photos(url: str, tmp_path: Path) -> Path:
    """An archive of ten photos of 200 kB."""
    engine = open_database(url)
    store = Store(engine)
    deal_id = store.create(new_deal(("E", "S", "W")))
    for number in range(10):
        store.add_photo(deal_id, "E", "unread", bytes([number]) * 200_000)
    engine.dispose()
    kongbox("export", str(tmp_path / "photos.zip"), db=url)
    return tmp_path / "photos.zip"


def test_an_archive_of_photos_is_read_a_few_at_a_time(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.backup.archive.BATCH_BYTES", 300_000)
    engine = open_database(f"sqlite:///{tmp_path / 'other.sqlite3'}")
    at_once: list[int] = []

    @event.listens_for(engine, "before_cursor_execute")
    def _count(*told: object) -> None:
        statement, values, many = str(told[2]), told[3], told[5]
        if statement.startswith("INSERT INTO photos"):
            at_once.append(len(values) if many and isinstance(values, list) else 1)

    read_archive(engine, photos)
    assert at_once == [2] * 5
    assert book_of(engine).photos.stored() == (10, 2_000_000)
    engine.dispose()


def test_a_photo_of_an_archive_is_of_its_row_and_not_too_large(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'other.sqlite3'}")
    with zipfile.ZipFile(photos) as packed:
        lines = packed.read("tables/photos.jsonl").splitlines()
    rows_of = [json.loads(line) for line in lines]
    for row in rows_of:
        row["original"] = rows_of[0]["original"]
    same = {"tables/photos.jsonl": b"\n".join(json.dumps(row).encode() for row in rows_of)}
    with pytest.raises(ArchiveRefused, match="a photo in it stands at a wrong place"):
        read_archive(engine, rewritten(photos, tmp_path / "same.zip", dict(same)))
    monkeypatch.setattr("webapp.backup.archive.MAX_PICTURE_BYTES", 199_999)
    with pytest.raises(ArchiveRefused, match="in it is too large"):
        read_archive(engine, photos)
    engine.dispose()


def test_an_archive_whose_entries_were_changed_needs_a_word(played: str, tmp_path: Path) -> None:
    kongbox("export", str(tmp_path / "good.zip"), db=played)
    with zipfile.ZipFile(tmp_path / "good.zip") as packed:
        entries = packed.read("tables/game_revisions.jsonl").replace(b"Hand 1", b"Hand 8", 1)
    bad = rewritten(
        tmp_path / "good.zip", tmp_path / "bad.zip", {"tables/game_revisions.jsonl": entries}
    )
    other = f"sqlite:///{tmp_path / 'other.sqlite3'}"
    refused = kongbox("import", str(bad), db=other)
    assert (refused.exit_code, "1 entry in it is not as entered" in refused.output) == (1, True)
    assert kongbox("import", str(bad), "--damaged", db=other).exit_code == 0


def test_an_archive_of_an_earlier_version_is_brought_up(played: str, tmp_path: Path) -> None:
    from alembic import command

    from webapp.backup.archive import write_archive_file
    from webapp.database.engine import migrations

    engine = open_database(played)
    with engine.begin() as connection:
        command.downgrade(migrations(connection), "0003")
    write_archive_file(engine, tmp_path / "old.zip")
    engine.dispose()
    engine = open_database(f"sqlite:///{tmp_path / 'other.sqlite3'}")
    read_archive(engine, tmp_path / "old.zip")
    board = book_of(engine).statistics.board(Span())
    assert [(line.name, line.total) for line in board][:2] == [("Bob", 186), ("Cat", 106)]
    engine.dispose()


def test_a_season_is_made_up_the_same_each_time(tmp_path: Path) -> None:
    first, second = (f"sqlite:///{tmp_path / name}" for name in ("1.sqlite3", "2.sqlite3"))
    told = kongbox("demo", "season", "--evenings", "2", "--seed", "5", db=first)
    assert told.exit_code == 0, told.output
    kongbox("demo", "season", "--evenings", "2", "--seed", "5", db=second)
    board = kongbox("board", db=first).output
    assert board == kongbox("board", db=second).output
    assert len(board.splitlines()) > 8
    again = kongbox("demo", "season", db=first)
    assert (again.exit_code, "There are evenings in" in again.output) == (1, True)


def test_the_server_keeps_house(url: str) -> None:
    engine = open_database(url)
    full_book(engine)
    book = book_of(engine)
    with engine.begin() as connection:
        connection.execute(update(PhotoRow).values(created_at=datetime(2020, 1, 1, tzinfo=UTC)))
    book.photos.decide(1)
    keeper = Housekeeper(lambda: keep_house(book), every=0.01)
    keeper.start()
    waited = threading.Event()
    for _ in range(500):
        if book.photos.stored()[0] == 0:
            break
        waited.wait(0.01)
    keeper.close()
    assert book.photos.stored() == (0, 0)
    Housekeeper(lambda: keep_house(book), every=0.01).close()
    engine.dispose()
