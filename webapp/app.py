"""The Flask application: what it keeps, its pages, and who may see them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from flask import Flask, Response, request
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from scorer.explain import effort
from webapp.club_settings.groups import ClubLanguage, HallDisplay
from webapp.database import edition
from webapp.database.engine import only_read, open_database
from webapp.database.sessions import share, share_no_longer
from webapp.deal.shares import Shares
from webapp.deal.store import Store
from webapp.evening.evenings import Club
from webapp.games.store import GameStore
from webapp.language import chosen
from webapp.pages import api, camera_door, display, offline
from webapp.pages.club import (
    balances,
    boards,
    imports,
    keeping,
    our_club,
    players,
    restoring,
    search,
    tile_sets,
)
from webapp.pages.contest import counting, leagues, standings
from webapp.pages.deal import another_photo, capture, home, overview, tiles, whole_table, winning
from webapp.pages.entry import accounts, phones, trust
from webapp.pages.entry import login as login_pages
from webapp.pages.evening import arriving, clock, draws, evenings, hall, here, paper
from webapp.pages.rendering import set_up_templates
from webapp.pages.rules import course, finding, house_rules, learning, quiz, referee
from webapp.pages.score import result, shares, timing, why, worth
from webapp.pages.table import disputes, hands, places, removals, sheets
from webapp.pages.table import table as game_pages
from webapp.photos.desk import PhotoDesk, PhotoQueue
from webapp.photos.workers import Reader, SameProcess, WorkerProcesses, Workshop
from webapp.runtime.counts import CountsOf, in_memory
from webapp.runtime.data_folder import data_folder
from webapp.security import bodies, csrf, disk, errors, idempotency, login
from webapp.security.accounts import Accounts
from webapp.security.errors import HOSTED
from webapp.security.headers import protect, secret_key
from webapp.services import EXTENSION, SAMPLES_FILE, Services, wake_phones
from webapp.serving import compression
from webapp.serving.sse import LiveDesk
from webapp.tile_sets.chosen import drafts_folder, set_on_table
from webapp.tile_sets.drafts import SetDesk

_PAGES: Final = (
    home,
    clock,
    draws,
    evenings,
    here,
    arriving,
    hall,
    paper,
    standings,
    game_pages,
    hands,
    places,
    removals,
    sheets,
    overview,
    capture,
    tiles,
    winning,
    result,
    worth,
    why,
    disputes,
    shares,
    learning,
    finding,
    referee,
    course,
    quiz,
    timing,
    boards,
    balances,
    leagues,
    counting,
    players,
    search,
    keeping,
    accounts,
    login_pages,
    restoring,
    trust,
    api,
)
"""The modules whose blueprint needs nothing but the services that are kept on the application."""


@dataclass(frozen=True)
class Parts:
    """What an application can share with others; each is made where it is not given.

    Attributes:
        workshop: where photos are read.
        live: the streams of live updates.
        counts: makes what counts how often a phone did something.
        queue: makes what counts the photos that wait.
        hosted: whether it is on an association's server.
    """

    workshop: Workshop | None = None
    live: LiveDesk | None = None
    counts: CountsOf = in_memory
    queue: Callable[[], PhotoQueue] = PhotoQueue
    hosted: bool = False


def create_app(
    db: str | Engine | None = None,
    *,
    reader: Reader | None = None,
    folder: Path | None = None,
    samples_file: Path = SAMPLES_FILE,
    parts: Parts | None = None,
) -> Flask:
    """The Flask application, ready to serve.

    Args:
        db: address of the database, or one that was opened; None for the SQLite file in the user's
            data folder.
        reader: reads the bytes of a photo in this process; raises ``vision.PhotoError`` with a
            message for people. None for the recogniser, in processes of its own.
        folder: where the signing key is kept; None for the user's data folder.
        samples_file: the description of the sample photos.
        parts: what is shared with other applications.

    Raises:
        DatabaseError: the database cannot be opened.
    """
    app = Flask("webapp")
    _read_together(app)
    _limit_searches(app)
    protect(app, secret_key(folder or data_folder()))
    engine = db if isinstance(db, Engine) else open_database(db)
    parts = parts or Parts()
    workshop = parts.workshop or (SameProcess(reader) if reader else WorkerProcesses())
    services = _open_services(engine, workshop, parts, samples_file)
    app.extensions[EXTENSION] = services
    app.config[HOSTED] = parts.hosted
    app.before_request(partial(edition.begin, engine))
    _set_up_pages(app, services, workshop, folder)
    _set_up_access(app, services)
    app.after_request(wake_phones)
    if not only_read(engine.url):
        services.desk.resume()
    return app


def _read_together(app: Flask) -> None:
    """Let all that one page reads share a transaction, from the first question to the last.

    What is sent to the page may wait for a photo to be read and holds no connection meanwhile.
    """

    def begin() -> None:
        if request.method in ("GET", "HEAD"):
            share()

    def end(response: Response) -> Response:
        share_no_longer()
        return response

    app.before_request(begin)
    app.after_request(end)
    app.teardown_request(lambda _error: share_no_longer())


def _limit_searches(app: Flask) -> None:
    """Let all that one page searches for take a few seconds in all, and no more."""
    app.before_request(effort.allow)
    app.teardown_request(lambda _error: effort.forget())


def _open_services(
    engine: Engine, workshop: Workshop, parts: Parts, samples_file: Path
) -> Services:
    """The stores on the database, and the desks that have photos read in the workshop."""
    store, games, queue = Store(engine), GameStore(engine), parts.queue()
    return Services(
        engine=engine,
        store=store,
        desk=PhotoDesk(store, workshop, partial(set_on_table, store, games), queue),
        samples_file=samples_file,
        club=Club(engine),
        games=games,
        live=parts.live or LiveDesk(),
        sets=SetDesk(drafts_folder, workshop, queue=queue),
        counts=parts.counts,
    )


def _set_up_pages(app: Flask, services: Services, workshop: Workshop, folder: Path | None) -> None:
    """Register every page, and what templates use."""
    compression.set_up(app)
    chosen.set_up(app, partial(_language, services))
    display.set_up(app)
    set_up_templates(app)
    for part in _PAGES:
        app.register_blueprint(part.pages)
    camera_door.set_up(app)
    set_of = partial(set_on_table, services.store, services.games)
    another_photo.set_up(app, workshop, set_of, services.desk.queue)
    house_rules.set_up(app, folder)
    restoring.set_up(app, services.engine)
    imports.set_up(app, folder)
    phones.set_up(app, folder)
    whole_table.set_up(app)
    tile_sets.set_up(app)
    our_club.set_up(app)
    offline.set_up(app)


def _language(services: Services) -> str | None:
    """The language of the club; none where the database cannot be read, as a page must say so."""
    try:
        return services.decided.of(ClubLanguage).code
    except SQLAlchemyError:
        return None


def _set_up_access(app: Flask, services: Services) -> None:
    """Guard the pages, all of which are registered by now.

    A request is checked in this order: login, room on the disk, size, token of its form, and
    whether the form was sent before.
    """
    engine, decided = services.engine, services.decided

    def hall_open() -> bool:
        return decided.of(HallDisplay).open

    login.set_up(app, Accounts(engine), Shares(engine).closed, hall_open, services.counts)
    disk.set_up(app, engine)
    bodies.set_up(app)
    csrf.set_up(app, api.pages)
    idempotency.set_up(app, engine)
    errors.register(app)
