"""Where each club keeps what is its own: a database that no other club sees, and a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from webapp.database.engine import open_database, open_schema
from webapp.folders import make_private


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
            return open_schema(self.engine, f"club_{club_id.replace('-', '_')}")
        return open_database(f"sqlite:///{self.folder_of(club_id) / 'kongbox.sqlite3'}")
