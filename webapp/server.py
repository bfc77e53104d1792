"""Serving the page with waitress until it is stopped."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Protocol

from flask import Flask

from webapp.app import create_app
from webapp.backup.automatic import EVERY_S
from webapp.backup.housekeeping import HOUR_S, Housekeeper, keep_house
from webapp.photos.desk import MAX_QUEUE
from webapp.runtime.data_folder import data_folder, private
from webapp.runtime.os_support import allow_open_files
from webapp.security import login
from webapp.security.headers import is_loopback
from webapp.services import EXTENSION
from webapp.serving import https, letting_in
from webapp.serving.connections import CONNECTIONS
from webapp.serving.letting_in import LOOK_S, LettingIn
from webapp.serving.listeners import Listeners
from webapp.serving.log import start_log, stop_log
from webapp.serving.sse import MAX_STREAMS

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

_log = logging.getLogger(__name__)

THREADS: Final = MAX_QUEUE + 8
"""Number of threads beside one for each stream of events: one waits on each photo that a program
has sent, eight answer the other requests."""

LEFT_EVERY_S: Final = 30.0
"""Seconds between two looks for photos that another server has left unread as it died."""

FILES: Final = 400
"""Number of files that may be open beside the connections: bodies that come in, the database, the
log."""


class Serving(Enum):
    """What is served."""

    CLUB = auto()
    """The page of one club."""

    ASSOCIATION = auto()
    """The pages of many clubs; photos are read on this machine."""

    ASSOCIATION_WITH_WORKERS = auto()
    """The pages of many clubs; photos are read by workers, on this machine or others."""


class NoSecretary(RuntimeError):
    """The page would be open to a network although no secretary has a password."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    db: str | None = None,
    *,
    encrypted: bool = False,
    serving: Serving = Serving.CLUB,
    announce: Callable[[], None] | None = None,
    told: Callable[[str], object] | None = None,
    again: bool = False,
) -> None:
    """Serve the page until it is stopped; what it writes meanwhile nobody else can read.

    Args:
        host: address to listen on; one that other computers reach needs a secretary's account.
        port: port to listen on.
        db: address of the database, as for :func:`webapp.create_app`.
        encrypted: whether it is served by https too.
        serving: whether it is the page of one club, or the server of an association.
        announce: called when everything is in order, just before the page is served.
        told: is given the address for phones whenever they are let in.
        again: whether phones are let in as they were when the page was served last.

    Raises:
        DatabaseError: the database cannot be opened.
        NoHttps: this computer cannot make the certificates for https.
        NoSecretary: other computers can reach the address and there is no secretary.
        OSError: the address cannot be listened on.
    """
    with private(data_folder()):
        served = _served(db, serving)
        app = served.main
        phones: LettingIn = app.extensions[letting_in.EXTENSION]
        secure: https.Https = app.extensions[https.EXTENSION]

        def listen() -> Listeners:
            if encrypted:
                secure.turn_on()
            elif again:
                secure.turn_on_again()
            if announce is not None:
                announce()
            listeners = Listeners(
                served.wsgi,
                host,
                port,
                THREADS + served.streams,
                secure.context,
                lambda: served.each(_end_streams, only_ready=True),
            )
            phones.serve(listeners, host, port, told and (lambda it: told(secure.door(it))))
            if again and app.extensions[login.EXTENSION].has_secretary():
                phones.open_again()
            return listeners

        _serve(served, host, listen)


class _Each(Protocol):
    """Does something with the application of every club, or only of those in use."""

    def __call__(self, work: Callable[[Flask], None], *, only_ready: bool = False) -> None:
        """Do it, one application after the other."""


@dataclass(frozen=True)
class _Served:
    """What is served: one club, or an association with all its clubs.

    Attributes:
        wsgi: answers the requests.
        main: the application of the club, or the association's own.
        each: does something with the application of every club.
        close: closes everything.
        streams: how many streams of events may be open.
        keepers: what is done now and then beside that for every club.
    """

    wsgi: WSGIApplication
    main: Flask
    each: _Each
    close: Callable[[], None]
    streams: int
    keepers: tuple[Housekeeper, ...] = ()


def _one_club(app: Flask) -> _Served:
    def each(work: Callable[[Flask], None], **_: object) -> None:
        work(app)

    return _Served(app, app, each, app.extensions[EXTENSION].close, MAX_STREAMS)


def _served(db: str | None, serving: Serving) -> _Served:
    if serving is Serving.CLUB:
        return _one_club(create_app(db))
    return _association(db, queued=serving is Serving.ASSOCIATION_WITH_WORKERS)


def _association(db: str | None, *, queued: bool) -> _Served:
    from webapp.association.applications import MANY_STREAMS, close, create_host, take_up_photos
    from webapp.association.national import DAY_S, gather

    host = create_host(db, queued=queued)

    def each(work: Callable[[Flask], None], *, only_ready: bool = False) -> None:
        work(host.main)
        host.each(work, only_ready=only_ready)

    left = Housekeeper(lambda: each(take_up_photos, only_ready=True), LEFT_EVERY_S)
    listed = Housekeeper(lambda: gather(host), DAY_S)
    return _Served(host, host.main, each, lambda: close(host), MANY_STREAMS, (left, listed))


def _end_streams(app: Flask) -> None:
    app.extensions[EXTENSION].live.close()


def _house(app: Flask) -> None:
    keep_house(app.extensions[EXTENSION].book)


def _copies(app: Flask) -> None:
    app.extensions[EXTENSION].backups.round()


def _serve(served: _Served, host: str, listen: Callable[[], Listeners]) -> None:
    allow_open_files(CONNECTIONS + FILES)
    app = served.main
    phones: LettingIn = app.extensions[letting_in.EXTENSION]
    keepers = (
        Housekeeper(lambda: served.each(_house), HOUR_S),
        Housekeeper(lambda: served.each(_copies, only_ready=True), EVERY_S),
        Housekeeper(phones.look_again, LOOK_S),
        *served.keepers,
    )
    log = start_log(data_folder())
    try:
        if not is_loopback(host) and not app.extensions[login.EXTENSION].has_secretary():
            raise NoSecretary(
                f"Anybody in the network could reach {host}. Set a secretary's password first: "
                'kongbox users add "Your name" --role secretary'
            )
        for keeper in keepers:
            keeper.start()
        app.extensions[EXTENSION].desk.prepare()
        _log.info("Kongbox %s is served", version("kongbox"))
        listen().run()
    finally:
        for keeper in keepers:
            keeper.close()
        phones.end_name()
        served.close()
        stop_log(log)
