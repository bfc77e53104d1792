"""Reads archives into an empty database again and again, and takes archives to pieces."""

from __future__ import annotations

import io
import json
import shutil
import tempfile
import zipfile
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from webapp.backup.archive import read_archive
from webapp.database.engine import open_database


class ArchiveReader:
    """Reads an archive into a database that is empty each time."""

    def __call__(self, data: bytes) -> None:
        """Read the bytes of an archive.

        Raises:
            ArchiveRefused: it is none.
        """
        engine, folder = self._engine, self._folder
        (folder / "sent.zip").write_bytes(data)
        read_archive(engine, folder / "sent.zip")
        engine.dispose()
        shutil.copy(folder / "empty.sqlite3", folder / "kongbox.sqlite3")

    @cached_property
    def _folder(self) -> Path:
        self._kept = tempfile.TemporaryDirectory(prefix="kongbox-fuzz-")
        return Path(self._kept.name)

    @cached_property
    def _engine(self) -> Engine:
        address = f"sqlite:///{self._folder / 'kongbox.sqlite3'}"
        open_database(address).dispose()
        shutil.copy(self._folder / "kongbox.sqlite3", self._folder / "empty.sqlite3")
        return open_database(address)


def unpacked_tree(data: bytes) -> dict[str, Any]:
    """The members of an archive: JSON and lines of JSON decoded, bytes as text.

    Raises:
        ValueError: the bytes are not archive.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return {name: _decoded(name, packed.read(name)) for name in packed.namelist()}
    except (zipfile.BadZipFile, KeyError, OSError, RuntimeError, NotImplementedError) as error:
        raise ValueError("the bytes are no archive") from error


def _decoded(name: str, content: bytes) -> object:
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in content.splitlines()]
    return json.loads(content) if name.endswith(".json") else content.decode("latin-1")


def packed_tree(tree: dict[str, Any]) -> bytes:
    """The archive with these members."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, member in tree.items():
            packed.writestr(zipfile.ZipInfo(name), _encoded(name, member))
    return data.getvalue()


def _encoded(name: str, member: object) -> bytes:
    if name.endswith(".jsonl") and isinstance(member, list):
        return b"".join(json.dumps(row).encode() + b"\n" for row in member)
    if isinstance(member, str) and not name.endswith(".json"):
        return member.encode("utf-8", "surrogatepass")
    return json.dumps(member).encode()
