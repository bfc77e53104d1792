"""Files take their place for good, also where Windows or a Mac is awkward about it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from vision.runtime import files
from vision.runtime.files import delete, keep_on_disk, put_in_free_place, put_in_place


@pytest.fixture
def new(tmp_path: Path) -> Path:
    path = tmp_path / "new.part"
    path.write_text("new", "utf-8")
    return path


@pytest.fixture
def held_open(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Makes this Windows, where another program has files open for so many tries."""

    def hold(tries: int) -> None:
        monkeypatch.setattr("sys.platform", "win32")
        monkeypatch.setattr(files, "PATIENCE_S", 0.1)
        left = tries

        def patient(really: Callable[..., None]) -> Callable[..., None]:
            def act(*paths: Path) -> None:
                nonlocal left
                left -= 1
                if left >= 0:
                    raise PermissionError(13, "used by another process")
                really(*paths)

            return act

        for name in ("replace", "rename", "unlink"):
            monkeypatch.setattr(os, name, patient(getattr(os, name)))

    return hold


def test_a_new_file_takes_the_place_of_the_old_one(tmp_path: Path, new: Path) -> None:
    old = tmp_path / "old"
    old.write_text("old", "utf-8")
    put_in_place(new, old)
    assert (old.read_text("utf-8"), new.exists()) == ("new", False)


@pytest.mark.parametrize("disk", ["own", "stick"])
def test_a_place_that_is_taken_is_not_taken_again(
    disk: str, tmp_path: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if disk == "stick":

        def refuse(*_words: object, **_more: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "path"
    put_in_free_place(new, path)
    assert (path.read_text("utf-8"), new.exists()) == ("new", False)
    new.write_text("newer", "utf-8")
    with pytest.raises(FileExistsError):
        put_in_free_place(new, path)
    assert path.read_text("utf-8") == "new"


@pytest.mark.parametrize("put", [put_in_place, put_in_free_place])
def test_windows_is_waited_for_while_another_program_looks_into_a_file(
    put: Callable[[Path, Path], None], tmp_path: Path, new: Path, held_open: Callable[[int], None]
) -> None:
    held_open(2)
    put(new, tmp_path / "path")
    delete(tmp_path / "path")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_stays_open_is_told_of(
    tmp_path: Path, new: Path, held_open: Callable[[int], None]
) -> None:
    held_open(1000)
    with pytest.raises(PermissionError, match="used by another process"):
        put_in_place(new, tmp_path / "path")
    with pytest.raises(PermissionError, match="used by another process"):
        delete(new)


def test_a_folder_that_may_not_be_written_is_not_waited_for(
    tmp_path: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    def refuse(*_words: object) -> None:
        tries.append(1)
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        put_in_place(new, tmp_path / "path")
    assert tries == [1]


@pytest.mark.parametrize(("disk", "synced"), [("own", 0), ("network", 1)])
def test_a_mac_is_told_to_write_what_its_disk_holds_in_memory(
    disk: str, synced: int, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    kept: list[int] = []

    def told(_descriptor: int, wish: int) -> None:
        asked.append(wish)
        if disk == "network":
            raise OSError(45, "Operation not supported")

    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", told)
    monkeypatch.setattr(os, "fsync", kept.append)
    keep_on_disk(new)
    assert (asked, len(kept)) == ([51], synced)
