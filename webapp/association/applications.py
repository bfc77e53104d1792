"""The applications of an association: its own, with the list of clubs, and that of each club."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from flask import Flask, Response
from sqlalchemy import Engine

from webapp.app import Parts, create_app
from webapp.association import national, pages
from webapp.association.clubs import Clubs
from webapp.association.host import Host
from webapp.association.machines.counts import SharedCounts
from webapp.association.machines.live import CHANGED, SharedLiveDesk
from webapp.association.machines.mirror import FILES, MIRROR, Mirror
from webapp.association.places import Places, installed
from webapp.database.engine import DatabaseError, open_database
from webapp.photos.desk import PhotoQueue
from webapp.photos.workers import Lent, Reader, SameProcess, WorkerProcesses, Workshop
from webapp.runtime.data_folder import data_folder
from webapp.runtime.steady_clock import steady_now
from webapp.security.policy import current
from webapp.services import EXTENSION, Services
from webapp.serving.sse import LiveDesk, Room

if TYPE_CHECKING:
    from webapp.association.machines.signals import Signals

SHARED: Final = "kongbox-common"
"""The key of the main application's extensions under which is kept what all share."""

COOKIE: Final = "kongbox"
"""The beginning of the names of the session cookies, one for each club."""

OWN: Final = "-"
"""Stands for the association itself where a signal names a club."""

MANY_STREAMS: Final = 256
"""Maximum number of streams of events of all clubs together on one server, with a thread each."""

LEFT_AFTER: Final = timedelta(seconds=60)
"""Age above which a photo that is not read yet may have been left by a server that has died."""

METRICS: Final = "KONGBOX_METRICS"
"""Environment variable with the host and port at which Prometheus can fetch the figures of a
machine; the port alone is this machine's only."""

POSTGRESQL: Final = "postgresql"
"""The kind of database that several machines can share."""


@dataclass(frozen=True)
class Common:
    """What the applications of all clubs share.

    Attributes:
        local: what is read on this machine.
        workshop: where photos are read, here or by workers.
        signals: reach the other machines; None where there is only this one.
        closing: what else is to be closed at the end.
        room: the room for streams of events.
        queue: gives what counts the photos of a club that wait.
    """

    local: Workshop
    workshop: Workshop
    signals: Signals | None = None
    closing: tuple[Callable[[], None], ...] = ()
    room: Room = field(default_factory=lambda: Room(MANY_STREAMS))
    queue: Callable[[], PhotoQueue] = field(default_factory=lambda: _always(PhotoQueue()))

    def close(self) -> None:
        """Listen no longer, and stop reading photos."""
        if self.signals is not None:
            self.signals.close()
        for each in self.closing:
            each()
        self.local.close()


def _always(queue: PhotoQueue) -> Callable[[], PhotoQueue]:
    """Gives the same queue to all clubs."""
    return lambda: queue


def create_host(
    db: str | None = None,
    *,
    reader: Reader | None = None,
    folder: Path | None = None,
    queued: bool = False,
) -> Host:
    """The WSGI application of an association, ready to serve.

    Args:
        db: address of the association's database; None for the SQLite file in the data folder.
        reader: reads the bytes of a photo in this process, as for :func:`webapp.create_app`.
        folder: the association's data folder; None for the user's.
        queued: whether photos are read by workers, on this machine or others.

    Raises:
        DatabaseError: the database cannot be opened, or workers cannot share it; or pictures
            cannot be kept where the environment says.
    """
    folder = folder or data_folder()
    engine = open_database(db)
    places = Places(engine, folder)
    try:
        places.require_pictures()
        if queued:
            require_shared(engine)
    except DatabaseError:
        engine.dispose()
        raise
    local: Workshop = SameProcess(reader) if reader else WorkerProcesses()
    common, heard = _common(engine, local, queued=queued)
    main = _application(common, engine, folder, OWN)
    taken = {rule.rule.split("/")[1] for rule in main.url_map.iter_rules()}
    clubs = Clubs(engine, {*taken, *pages.ADDRESSES})
    make = partial(_of_club, common, national.National(engine))
    host = Host(main, clubs, places, make)
    main.extensions[SHARED] = common
    pages.set_up(main, host)
    if common.signals is not None:
        common.signals.start({**heard, CHANGED: host.heard, FILES: host.files_changed})
    return host


def require_shared(engine: Engine) -> None:
    """Make sure that several machines can share a database.

    Raises:
        DatabaseError: they cannot, or what they need for it is not installed.
    """
    if engine.dialect.name != POSTGRESQL:
        raise DatabaseError(
            "Workers take photos from PostgreSQL: give its address with --db "
            "postgresql+psycopg://user@host/name."
        )
    installed("queue.tasks")


def _common(
    engine: Engine, local: Workshop, *, queued: bool
) -> tuple[Common, dict[str, Callable[[str], None]]]:
    """What all applications share, and what is done at signals beside waking phones."""
    if engine.dialect.name != POSTGRESQL:
        return Common(local, local), {}
    from webapp.association.machines.signals import Signals

    if not queued:
        return Common(local, local, Signals(engine)), {}
    from webapp.association.queue.tasks import READ_DONE, Tasks
    from webapp.association.queue.workshop import Arrivals, BoundQueue, QueuedWorkshop

    tasks, arrivals = Tasks(engine), Arrivals()
    figures = os.environ.get(METRICS)
    if figures:
        from webapp.association.queue.metrics import serve_figures

        serve_figures(figures, tasks)
    workshop = QueuedWorkshop(tasks, arrivals, local)
    queue = partial(BoundQueue, tasks)
    common = Common(local, workshop, Signals(engine), (tasks.close,), queue=queue)
    return common, {READ_DONE: arrivals.heard}


def _of_club(common: Common, listed: national.National, places: Places, club_id: str) -> Flask:
    """The application of a club; its folder counts as the data folder."""
    engine, folder = places.database_of(club_id), places.folder_of(club_id)
    app = _application(common, engine, folder, club_id)
    app.config["SESSION_COOKIE_NAME"] = f"{COOKIE}-{club_id}"
    national.set_up(app, club_id, listed)
    return app


def _application(common: Common, engine: Engine, folder: Path, club_id: str) -> Flask:
    """An application on a database; where other machines serve it too, they know of each other."""
    if common.signals is None:
        parts = Parts(Lent(common.workshop), LiveDesk(common.room), queue=common.queue, hosted=True)
        return create_app(engine, folder=folder, parts=parts)
    send = common.signals.send
    mirror = Mirror(engine, folder)
    mirror.begin()
    live = SharedLiveDesk(club_id, send, common.room)
    counts = partial(SharedCounts, engine)
    parts = Parts(Lent(common.workshop), live, counts, common.queue, hosted=True)
    app = create_app(engine, folder=folder, parts=parts)
    if os.environ.get(METRICS):
        from webapp.association.queue.metrics import count_requests

        count_requests(app)
    app.extensions[MIRROR] = mirror

    def share(response: Response) -> Response:
        if current().files and mirror.push():
            send(FILES, club_id)
        return response

    app.after_request(share)
    return app


def take_up_photos(app: Flask) -> None:
    """Have the photos of a club read whose server has died meanwhile."""
    services: Services = app.extensions[EXTENSION]
    services.desk.resume(steady_now() - LEFT_AFTER)


def close(host: Host) -> None:
    """Close all applications, and what they share last."""
    host.close()
    common: Common = host.main.extensions[SHARED]
    common.close()
    host.main.extensions[EXTENSION].close()
