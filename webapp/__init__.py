"""The page: photograph or tap in each player's tiles, say who won, see the score and settle."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final

from flask import Flask

from webapp.access import compression, csrf, disk, errors, login
from webapp.access.accounts import Accounts
from webapp.access.log import start_log, stop_log
from webapp.access.phones import is_loopback
from webapp.access.security import protect, secret_key
from webapp.book import book
from webapp.database.engine import data_folder, open_database
from webapp.deal.scoring import Scorer, default_scorer
from webapp.deal.store import Store
from webapp.games.club import Club
from webapp.games.live import MAX_STREAMS, LiveDesk
from webapp.games.store import GameStore
from webapp.language import chosen
from webapp.pages import api, camera_door, club, display, offline
from webapp.pages.club import restoring, tile_sets
from webapp.pages.deal import another_photo, capture, home, table, tiles, whole_table, winning
from webapp.pages.game import disputes, evenings, hands, sheets
from webapp.pages.game import table as game_pages
from webapp.pages.rendering import set_up_templates
from webapp.pages.rules import house_rules, learning, quiz
from webapp.pages.score import result, shares, timing, why
from webapp.photos.desk import PhotoDesk
from webapp.photos.workers import Reader, SameProcess, WorkerProcesses
from webapp.services import EXTENSION, SAMPLES_FILE, Services, wake_phones
from webapp.tile_sets.chosen import drafts_folder, set_on_table
from webapp.tile_sets.drafts import SetDesk
from webapp.upkeep.housekeeping import Housekeeper

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
    hands,
    sheets,
    table,
    capture,
    tiles,
    winning,
    result,
    why,
    disputes,
    shares,
    learning,
    quiz,
    timing,
    restoring,
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
    chosen.set_up(app)
    display.set_up(app)
    set_up_templates(app)
    for part in _PAGES:
        app.register_blueprint(part.pages)
    camera_door.set_up(app)
    another_photo.set_up(app, workshop, partial(set_on_table, store, games))
    club.set_up(app, engine, services.games)
    house_rules.set_up(app, folder)
    whole_table.set_up(app)
    tile_sets.set_up(app)
    offline.set_up(app)
    login.set_up(app, Accounts(engine))
    disk.set_up(app, engine)
    restoring.set_up(app, engine)
    csrf.set_up(app, api.pages)
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
