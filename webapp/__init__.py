"""The page: photograph or tap in each player's tiles, say who won, see the score and settle."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final

from flask import Flask

from webapp import (
    another_photo,
    api,
    book,
    book_pages,
    camera_pages,
    capture,
    compression,
    display,
    dispute_pages,
    errors,
    evenings,
    explain_pages,
    forms,
    game_pages,
    hand_pages,
    home,
    languages,
    learning,
    login,
    offline,
    quiz,
    restore_pages,
    result,
    room,
    rules_pages,
    set_pages,
    share_pages,
    sheets,
    table,
    tiles,
    timing_pages,
    whole_table,
    winning,
)
from webapp.accounts import Accounts
from webapp.club import Club
from webapp.database import data_folder, open_database
from webapp.games import GameStore
from webapp.housekeeping import Housekeeper
from webapp.live import MAX_STREAMS, LiveDesk
from webapp.logs import start_log, stop_log
from webapp.phones import is_loopback
from webapp.photos import PhotoDesk
from webapp.rendering import set_up_templates
from webapp.scoring import Scorer, default_scorer
from webapp.security import protect, secret_key
from webapp.services import EXTENSION, SAMPLES_FILE, Services, wake_phones
from webapp.set_drafts import SetDesk
from webapp.store import Store
from webapp.tile_sets import drafts_folder, set_on_table
from webapp.workers import Reader, SameProcess, WorkerProcesses

__all__ = ["create_app", "serve"]

_log = logging.getLogger(__name__)

THREADS = MAX_STREAMS + 8
"""Those that hold a stream of events only wait; the others answer."""
CONNECTIONS = 600
"""A browser keeps up to six open."""
MAX_BODY_BYTES = 64 * 1024 * 1024
"""Bodies up to this size are taken in, so that one above the page's limit gets a real answer."""


_PAGES: Final = (
    home,
    evenings,
    game_pages,
    hand_pages,
    sheets,
    table,
    capture,
    tiles,
    winning,
    result,
    explain_pages,
    dispute_pages,
    share_pages,
    learning,
    quiz,
    timing_pages,
    restore_pages,
    api,
)
"""Modules whose pages need nothing but the services."""


def create_app(
    db: str | None = None,
    *,
    reader: Reader | None = None,
    scorer: Scorer = default_scorer,
    folder: Path | None = None,
    samples_file: Path = SAMPLES_FILE,
) -> Flask:
    """The Flask application, ready to serve.

    Args:
        db: address of the database; None for the SQLite file in the user's data folder.
        reader: reads the bytes of a photo in this process; raises ``vision.PhotoError`` with a
            message for people. None for the recogniser, in processes of its own.
        scorer: scores a deal in JSON form; raises ``scorer.DealError``.
        folder: where the signing key is kept; None for the user's data folder.
        samples_file: the description of the sample photos.

    Raises:
        DatabaseError: the database cannot be opened.
    """
    app = Flask("webapp")
    protect(app, secret_key(folder or data_folder()))
    engine = open_database(db)
    store = Store(engine)
    games = GameStore(engine)
    workshop = SameProcess(reader) if reader else WorkerProcesses()
    desk = PhotoDesk(store, workshop, partial(set_on_table, store, games))
    services = Services(
        engine=engine,
        store=store,
        desk=desk,
        scorer=scorer,
        samples_file=samples_file,
        club=Club(engine),
        games=games,
        live=LiveDesk(),
        sets=SetDesk(drafts_folder, workshop),
    )
    app.extensions[EXTENSION] = services
    compression.set_up(app)
    languages.set_up(app)
    display.set_up(app)
    set_up_templates(app)
    for part in _PAGES:
        app.register_blueprint(part.pages)
    camera_pages.set_up(app)
    another_photo.set_up(app, workshop, partial(set_on_table, store, games))
    book_pages.set_up(app, engine, services.games)
    rules_pages.set_up(app, folder)
    whole_table.set_up(app)
    set_pages.set_up(app)
    offline.set_up(app)
    login.set_up(app, Accounts(engine))
    room.set_up(app, engine)
    restore_pages.set_up(app, engine)
    forms.set_up(app, api.pages)
    errors.register(app)
    app.after_request(wake_phones)
    desk.resume()
    return app


class NoSecretary(RuntimeError):
    """The page would be open to a network without anybody's password being set."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    db: str | None = None,
    *,
    announce: Callable[[], None] | None = None,
) -> None:
    """Serve the page until it is stopped.

    Args:
        host: address to listen on; one that other computers reach needs a secretary's account.
        port: where to listen.
        db: address of the database, as for :func:`create_app`.
        announce: called when everything is in order, just before the page is served.

    Raises:
        DatabaseError: the database cannot be opened.
        NoSecretary: the address is not of this computer alone and there is no secretary.
        OSError: the address cannot be listened on.
    """
    import waitress

    app = create_app(db)
    housekeeper = Housekeeper(app.extensions[book.EXTENSION])
    log = start_log(data_folder())
    try:
        if not is_loopback(host) and not app.extensions[login.EXTENSION].has_secretary():
            raise NoSecretary(
                f"Anybody in the network could reach {host}. Set a secretary's password first: "
                'kongbox users add "Your name" --role secretary'
            )
        housekeeper.start()
        app.extensions[EXTENSION].desk.prepare()
        _log.info("Kongbox %s is served", version("kongbox"))
        if announce is not None:
            announce()
        waitress.serve(
            app,
            host=host,
            port=port,
            threads=THREADS,
            connection_limit=CONNECTIONS,
            asyncore_use_poll=True,
            ident="kongbox",
            max_request_body_size=MAX_BODY_BYTES,
        )
    finally:
        housekeeper.close()
        app.extensions[EXTENSION].close()
        stop_log(log)
