"""The applications of an association: its own, with the list of clubs, and that of each club."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from flask import Flask

from webapp.app import create_app
from webapp.association import pages
from webapp.association.clubs import Clubs
from webapp.association.host import Host
from webapp.association.places import Places
from webapp.database.engine import open_database
from webapp.folders import data_folder
from webapp.photos.workers import Lent, Reader, SameProcess, WorkerProcesses, Workshop
from webapp.services import EXTENSION

COOKIE: Final = "kongbox"
"""The beginning of the names of the session cookies, one for each club."""


def create_host(
    db: str | None = None, *, reader: Reader | None = None, folder: Path | None = None
) -> Host:
    """The WSGI application of an association, ready to serve.

    Args:
        db: address of the association's database; None for the SQLite file in the data folder.
        reader: reads the bytes of a photo in this process, as for :func:`webapp.create_app`.
        folder: the association's data folder; None for the user's.

    Raises:
        DatabaseError: the database cannot be opened.
    """
    folder = folder or data_folder()
    engine = open_database(db)
    workshop: Workshop = SameProcess(reader) if reader else WorkerProcesses()
    main = create_app(engine, workshop=workshop, folder=folder)
    taken = {rule.rule.split("/")[1] for rule in main.url_map.iter_rules()}
    clubs, places = Clubs(engine, {*taken, *pages.ADDRESSES}), Places(engine, folder)
    host = Host(main, clubs, places, partial(_of_club, Lent(workshop)))
    pages.set_up(main, host)
    return host


def _of_club(workshop: Workshop, places: Places, club_id: str) -> Flask:
    """The application of a club; its folder counts as the data folder."""
    app = create_app(
        places.database_of(club_id), workshop=workshop, folder=places.folder_of(club_id)
    )
    app.config["SESSION_COOKIE_NAME"] = f"{COOKIE}-{club_id}"
    return app


def close(host: Host) -> None:
    """Close all applications, and what they share last."""
    host.close()
    host.main.extensions[EXTENSION].close()
