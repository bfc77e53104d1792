"""Every form counts once: sent again unchanged, it leads where it led before and stores nothing.

The hidden fields of a form carry an id of its own. Together with what the form holds it is the
key under which the form is noted; with other content it is another form.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator
from threading import Condition
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, flash, g, redirect, request, session, url_for
from flask_babel import gettext
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response

from webapp.database import sent
from webapp.security.policy import current

FIELD: Final = "entry"
"""The name of the hidden field with the id of the form; scripts send it as the header X-Entry."""

MAX_WAIT_S: Final = 30.0
"""How long a repeated form waits for the answer to the first one, in seconds."""

_CHUNK: Final = 1 << 20
"""Number of bytes of a file that are read at once."""

_NOT_CONTENT: Final = frozenset({"csrf_token", FIELD})
"""The fields that do not belong to what a form holds."""

_log = logging.getLogger(__name__)


def form_key() -> str | None:
    """The key of the form of this request; None for a request that may count twice."""
    if request.method != "POST" or not current().once:
        return None
    entry = request.headers.get("X-Entry") or request.form.get(FIELD)
    if not entry:
        return None
    digest = hashlib.sha256()
    for part in _parts(entry):
        digest.update(json.dumps(part).encode() + b"\n")
    return digest.hexdigest()


def _parts(entry: str) -> Iterator[tuple[str, ...]]:
    """What makes a form the same as another one."""
    yield request.full_path, entry
    for name, value in request.form.items(multi=True):
        if name not in _NOT_CONTENT:
            yield name, value
    for name, file in request.files.items(multi=True):
        content = hashlib.sha256()
        while chunk := file.stream.read(_CHUNK):
            content.update(chunk)
        file.stream.seek(0)
        yield name, file.filename or "", content.hexdigest()


def _refused(told_before: int) -> bool:
    """Whether this request was told that something is wrong, so that it may be sent again."""
    return any(kind != "good" for kind, _ in session.get("_flashes", [])[told_before:])


def _again(location: str | None) -> Response:
    """The answer to a form that was sent before."""
    sent.expect(None)
    g.kongbox_repeated = True
    if location is None:
        flash(
            gettext(
                "This has already been sent once, but Kongbox stopped before it could answer. "
                "Check whether it is there before you enter it again."
            )
        )
        came_from = urlsplit(request.referrer or "")
        own = came_from.netloc == request.host
        location = "/" + came_from.path.lstrip("/") if own else url_for("home.index")
    return redirect(location, 303)


def is_repeated() -> bool:
    """Whether the form of this request was sent before, so that nothing was done now."""
    return bool(g.get("kongbox_repeated"))


class Guard:
    """Answers forms that were sent before, and notes where the others led.

    Args:
        engine: the database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._answering: set[str] = set()
        self._answered = Condition()

    def begin(self) -> Response | None:
        """Before a request: answer a form that was sent before, once the first was answered."""
        key = form_key()
        if key is None:
            return None
        with self._answered:
            self._answered.wait_for(lambda: key not in self._answering, MAX_WAIT_S)
            self._answering.add(key)
        g.kongbox_answering = key
        known, location = sent.where_it_led(self._engine, key)
        if known:
            return _again(location)
        sent.expect(key)
        g.kongbox_told = len(session.get("_flashes", []))
        return None

    def repeated(self, _error: sent.Repeated) -> Response:
        """Answer a form that was stored by another process while this request was answered."""
        return _again(sent.where_it_led(self._engine, g.kongbox_answering)[1])

    def end(self, response: Response) -> Response:
        """After a request: note where its form led, or that it may be sent again."""
        key = sent.expected()
        if key is None:
            return response
        try:
            led_to = response.location or response.headers.get("HX-Push-Url")
            if led_to and (sent.is_noted() or not _refused(g.kongbox_told)):
                sent.keep(self._engine, key, led_to)
            elif sent.is_noted() and response.status_code < 500:
                sent.forget(self._engine, key)
        except SQLAlchemyError:
            _log.exception("where a form led could not be stored")
        sent.expect(None)
        return response

    def over(self, _error: BaseException | None) -> None:
        """When a request is over: let the next one with the same form be answered."""
        if "kongbox_answering" in g:
            with self._answered:
                self._answering.discard(g.kongbox_answering)
                self._answered.notify_all()


def set_up(app: Flask, engine: Engine) -> None:
    """Let each form of the application count once.

    Args:
        app: the application, after its forms were protected against forgery.
        engine: its database.
    """
    guard = Guard(engine)
    app.before_request(guard.begin)
    app.register_error_handler(sent.Repeated, guard.repeated)
    app.after_request(guard.end)
    app.teardown_request(guard.over)
