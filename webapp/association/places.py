"""Where each club keeps what is its own: a database that no other club sees, and a folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

from sqlalchemy import Engine

from webapp.database.engine import DatabaseError, open_database, open_schema
from webapp.database.pictures import with_pictures
from webapp.runtime.data_folder import make_private

PHOTOS: Final = "KONGBOX_PHOTOS"
"""Environment variable with the address of the folder or bucket in which the pictures of photos lie
that all machines reach; without it they are in the database."""


def installed(name: str) -> ModuleType:
    """A module of this room that needs more than one club does.

    Raises:
        DatabaseError: that is not installed.
    """
    try:
        return import_module(f"webapp.association.{name}")
    except ImportError as error:
        raise DatabaseError(
            "Several machines that share a database need more than is installed: install "
            "kongbox[association]."
        ) from error


@dataclass(frozen=True)
class Places:
    """The databases and folders of all clubs.

    Attributes:
        engine: the association's own database. In PostgreSQL each club has a schema beside it, with
            a role of its own; beside an SQLite file each club has a file of its own.
        folder: the association's data folder.
    """

    engine: Engine
    folder: Path

    def folder_of(self, club_id: str) -> Path:
        """The folder of a club, which is made if it does not exist; mode 0700."""
        folder = self.folder / "clubs" / club_id
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        make_private(folder)
        return folder

    def database_of(self, club_id: str) -> Engine:
        """The database of a club, migrated to the newest schema.

        Raises:
            DatabaseError: it cannot be opened.
        """
        if self.engine.dialect.name == "postgresql":
            engine = open_schema(self.engine, f"club_{club_id.replace('-', '_')}")
            return self._with_pictures(engine, club_id)
        return open_database(f"sqlite:///{self.folder_of(club_id) / 'kongbox.sqlite3'}")

    def require_pictures(self) -> None:
        """Make sure that pictures can be kept where the environment says.

        Raises:
            DatabaseError: they cannot.
        """
        address = os.environ.get(PHOTOS)
        if address and self.engine.dialect.name != "postgresql":
            raise DatabaseError(f"{PHOTOS} needs PostgreSQL; SQLite keeps pictures in its file.")
        if address:
            installed("machines.bucket").opened(address)

    def _with_pictures(self, engine: Engine, club_id: str) -> Engine:
        address = os.environ.get(PHOTOS)
        if not address:
            return engine
        from webapp.association.machines.bucket import Bucket

        return with_pictures(engine, Bucket(address, club_id))
