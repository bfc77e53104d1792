"""One server for many clubs: each request goes to the application of the club in its address.

A club's application is made when someone first asks for it, and knows its own database and folder
only. What is open for long without a visitor is closed again.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Final

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from webapp.association.clubs import Clubs
from webapp.association.machines.live import SharedLiveDesk
from webapp.association.machines.mirror import MIRROR
from webapp.association.places import Places
from webapp.rulesets.files import forget
from webapp.runtime.data_folder import in_folder
from webapp.services import EXTENSION

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

MOST_OPEN: Final = 200
"""Number of clubs whose applications are kept ready; each takes 5 MB, and 0.1 s to make again."""

MakeApp = Callable[[Places, str], Flask]
"""Makes the application of the club with that address, whose folder counts as the data folder."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class _Open:
    """An application that is ready, and how many requests it answers now."""

    app: Flask
    busy: int = 0

    @property
    def idle(self) -> bool:
        """Whether it can be closed without anybody noticing."""
        services = self.app.extensions[EXTENSION]
        return not self.busy and not services.desk.busy and not services.live.open


class Host:
    """The WSGI application of an association: the clubs' below their addresses, and its own.

    Args:
        main: the association's own application.
        clubs: its list of clubs.
        places: where they keep what is their own.
        make: makes the application of a club.
        most: how many are kept ready.
    """

    def __init__(
        self, main: Flask, clubs: Clubs, places: Places, make: MakeApp, most: int = MOST_OPEN
    ) -> None:
        self.main, self.clubs = main, clubs
        self.places, self.make, self._most = places, make, most
        self._ready: OrderedDict[str, _Open] = OrderedDict()
        self._lock, self._making = Lock(), Lock()

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        root, club_id, rest = _first_part(environ.get("PATH_INFO", ""))
        if not club_id and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            return _led_to(f"{environ.get('SCRIPT_NAME', '')}/clubs", start)
        club = self.clubs.find(club_id) if club_id else None
        if club is None or club.closed:
            return self.main.wsgi_app(environ, start)
        if not rest:
            return _led_to(f"{environ.get('SCRIPT_NAME', '')}{root}/", start)
        environ["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + root
        environ["PATH_INFO"] = rest
        return self._answer(club_id, environ, start)

    def _answer(
        self, club_id: str, environ: WSGIEnvironment, start: StartResponse
    ) -> Iterator[bytes]:
        """The answer of a club's application, whose folder counts until all of it is sent.

        It is made in a context of its own, so that whatever else the thread does between two parts
        of it is none of this club's.
        """
        context, parts = copy_context(), self._parts(club_id, environ, start)
        try:
            while (part := context.run(next, parts, None)) is not None:
                yield part
        finally:
            context.run(parts.close)

    def _parts(
        self, club_id: str, environ: WSGIEnvironment, start: StartResponse
    ) -> Generator[bytes]:
        with self.entered(club_id) as app:
            answer = app.wsgi_app(environ, start)
            try:
                yield from answer
            finally:
                close = getattr(answer, "close", None)
                if close is not None:
                    close()

    @contextmanager
    def entered(self, club_id: str) -> Iterator[Flask]:
        """The application of a club, which stays open meanwhile; its folder is the data folder."""
        with in_folder(self.places.folder_of(club_id)):
            found = self._take(club_id)
            try:
                yield found.app
            finally:
                with self._lock:
                    found.busy -= 1

    def _take(self, club_id: str) -> _Open:
        found = self._known(club_id)
        if found is None:
            with self._making:
                found = self._known(club_id)
                if found is None:
                    made = _Open(self.make(self.places, club_id), busy=1)
                    with self._lock:
                        self._ready[club_id] = made
                    self._tidy()
                    return made
        return found

    def _known(self, club_id: str) -> _Open | None:
        with self._lock:
            found = self._ready.get(club_id)
            if found is not None:
                found.busy += 1
                self._ready.move_to_end(club_id)
            return found

    def _tidy(self) -> None:
        """Close the applications that nobody has used for longest, where there are too many."""
        with self._lock:
            spare = len(self._ready) - self._most
            idle = [club_id for club_id, found in self._ready.items() if found.idle]
            closing = [self._ready.pop(club_id) for club_id in idle[: max(0, spare)]]
        for found in closing:
            found.app.extensions[EXTENSION].close()

    def each(self, work: Callable[[Flask], None], *, only_ready: bool = False) -> None:
        """Do something for each club, one after the other; a failure of one stops no other.

        Args:
            work: is given the club's application, while its folder counts as the data folder.
            only_ready: whether clubs that nobody has visited lately are left out; then the list of
                clubs is not asked for, as where its database is away.
        """
        for club_id in self._ready_ids() if only_ready else self._open_ids():
            try:
                with self.entered(club_id) as app:
                    work(app)
            except (SQLAlchemyError, RuntimeError, OSError, ValueError):
                _log.exception("work for the club %s failed", club_id)

    def _ready_ids(self) -> list[str]:
        with self._lock:
            return list(self._ready)

    def _open_ids(self) -> list[str]:
        return [club.id for club in self.clubs.all() if not club.closed]

    def heard(self, text: str) -> None:
        """Wake the streams of a club's table after a change that reached another machine.

        Args:
            text: the club and the table, as :data:`~webapp.association.machines.live.CHANGED`
                has them.
        """
        club_id, _, table = text.partition(" ")
        with self._lock:
            found = self._ready.get(club_id)
        live = None if found is None else found.app.extensions[EXTENSION].live
        if isinstance(live, SharedLiveDesk):
            live.heard(table)

    def files_changed(self, club_id: str) -> None:
        """Lay files into the folder of a club that another machine has changed."""
        with self._lock:
            found = self._ready.get(club_id)
        if found is not None:
            found.app.extensions[MIRROR].pull()
            forget()

    def close(self) -> None:
        """Close the applications of all clubs."""
        with self._lock:
            closing = [self._ready.popitem()[1] for _ in range(len(self._ready))]
        for found in closing:
            found.app.extensions[EXTENSION].close()


def _first_part(path: str) -> tuple[str, str, str]:
    """The first part of a path with and without its slash, and the rest from the next slash on."""
    name, slash, rest = path.removeprefix("/").partition("/")
    return f"/{name}", name, slash + rest


def _led_to(target: str, start: StartResponse) -> Iterable[bytes]:
    """Lead to another page."""
    start("302 Found", [("Location", target), ("Content-Length", "0")])
    return [b""]
