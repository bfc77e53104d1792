"""Serving the page with waitress until it is stopped."""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib.metadata import version
from typing import Final

from flask import Flask

from webapp.access import login
from webapp.access.log import start_log, stop_log
from webapp.access.phones import is_loopback
from webapp.app import create_app
from webapp.folders import data_folder, private
from webapp.games.live import MAX_STREAMS
from webapp.network import https
from webapp.pages.club import context
from webapp.photos.desk import MAX_QUEUE
from webapp.services import EXTENSION
from webapp.upkeep.backups import EVERY_S
from webapp.upkeep.housekeeping import HOUR_S, Housekeeper, keep_house

_log = logging.getLogger(__name__)

THREADS: Final = MAX_STREAMS + MAX_QUEUE + 8
"""Number of threads: one waits on each stream of events and on each photo that a program has sent,
eight answer the other requests."""


class NoSecretary(RuntimeError):
    """The page would be open to a network although no secretary has a password."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    db: str | None = None,
    *,
    encrypted: bool = False,
    announce: Callable[[], None] | None = None,
) -> None:
    """Serve the page until it is stopped; what it writes meanwhile nobody else can read.

    Args:
        host: address to listen on; one that other computers reach needs a secretary's account.
        port: port to listen on.
        db: address of the database, as for :func:`webapp.create_app`.
        encrypted: whether it is served by https too.
        announce: called when everything is in order, just before the page is served.

    Raises:
        DatabaseError: the database cannot be opened.
        NoHttps: this computer cannot make the certificates for https.
        NoSecretary: other computers can reach the address and there is no secretary.
        OSError: the address cannot be listened on.
    """
    with private(data_folder()):
        _serve(create_app(db), host, port, announce, encrypted=encrypted)


def _serve(
    app: Flask,
    host: str,
    port: int,
    announce: Callable[[], None] | None,
    *,
    encrypted: bool = False,
) -> None:
    from webapp.door.receiving import listening

    book, services = app.extensions[context.EXTENSION], app.extensions[EXTENSION]
    keepers = (
        Housekeeper(lambda: keep_house(book), HOUR_S),
        Housekeeper(services.backups.round, EVERY_S),
    )
    log = start_log(data_folder())
    try:
        if not is_loopback(host) and not app.extensions[login.EXTENSION].has_secretary():
            raise NoSecretary(
                f"Anybody in the network could reach {host}. Set a secretary's password first: "
                'kongbox users add "Your name" --role secretary'
            )
        if encrypted:
            app.extensions[https.EXTENSION].turn_on()
        for keeper in keepers:
            keeper.start()
        services.desk.prepare()
        _log.info("Kongbox %s is served", version("kongbox"))
        if announce is not None:
            announce()
        listening(
            app, (host, port), THREADS, contexts=app.extensions[https.EXTENSION].context
        ).run()
    finally:
        for keeper in keepers:
            keeper.close()
        services.close()
        stop_log(log)
