"""Answers to errors: a page for people, ``application/problem+json`` for programs."""

from __future__ import annotations

import logging
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from flask import Flask, current_app, jsonify, make_response, render_template, request
from flask_babel import gettext, lazy_gettext
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.wrappers import Response

from webapp.database.edition import exchanged
from webapp.database.ids import new_id
from webapp.database.trouble import DETAILS as TROUBLES
from webapp.database.trouble import TITLES as TROUBLE_TITLES
from webapp.database.trouble import Trouble, trouble_of
from webapp.security.bodies import most

_log = logging.getLogger(__name__)

RETRY_S: Final = 5
"""After how many seconds a request may be sent again where the database was held or exchanged."""

DETAILS = {
    404: lazy_gettext(
        "There is no such page. Go back to the start and choose your deal from the list."
    ),
    405: lazy_gettext("This address does not accept that kind of request."),
}
"""The message for each status that has one of its own."""

ON_A_SERVER: Final = lazy_gettext(
    "The association's server could not do this. Everything entered before is kept:"
    " wait a minute and send this again. If that does not help, tell the person who"
    " looks after the server."
)
"""What is told of a full, busy or failing disk to those who cannot reach it."""

TITLES = {
    400: lazy_gettext("That could not be understood"),
    403: lazy_gettext("Not allowed"),
    404: lazy_gettext("Not found"),
    413: lazy_gettext("Too large"),
    429: lazy_gettext("Too often"),
    500: lazy_gettext("Something went wrong in Kongbox"),
    503: lazy_gettext("Busy"),
    507: lazy_gettext("The disk is nearly full"),
}
"""The heading of the page for each status."""


HOSTED: Final = "KONGBOX_HOSTED"
"""The key of the application's settings that says so."""


def hosted() -> bool:
    """Whether the page is an association's, which others look after."""
    return bool(current_app.config.get(HOSTED))


def problem_response(status: int, detail: str, **more: object) -> Response:
    """An error for programs, in the form of RFC 9457.

    Args:
        status: the HTTP status.
        detail: what is wrong, in words.
        more: further members of the JSON object.
    """
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    response = jsonify(body | {"detail": detail} | more)
    response.status_code = status
    response.headers["Content-Type"] = "application/problem+json"
    return response


def answer(status: int, detail: str, title: str | None = None) -> Response:
    """An error in the form that the sender can use: a page, or JSON under the API's addresses.

    Args:
        status: the HTTP status.
        detail: what is wrong and what to do, in words.
        title: the heading of the page; None for that of the status.
    """
    if request.path.startswith("/api/") or request.path in ("/healthz", "/readyz"):
        return problem_response(status, detail)
    title = title or str(TITLES.get(status) or HTTPStatus(status).phrase)
    page = render_template("error.html", title=title, detail=detail, status=status)
    return make_response(page, status)


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    own_words = error.description if error.description != type(error).description else None
    detail = str(
        own_words or DETAILS.get(status) or error.description or gettext("Go back and try again.")
    )
    if isinstance(error, RequestEntityTooLarge):
        detail = str(most().too_large)
    response = answer(status, detail)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def told(trouble: Trouble) -> Response:
    """The answer to a request that a full, busy or failing disk or database prevented.

    Where not even the page around the words can be made of the database, the words come alone.
    """
    status = 507 if trouble is Trouble.FULL else 503
    of_the_disk = trouble not in (Trouble.AWAY, Trouble.REPLACED)
    detail = str(ON_A_SERVER if hosted() and of_the_disk else TROUBLES[trouble])
    response: Response = make_response(detail, status)
    response.mimetype = "text/plain"
    with suppress(SQLAlchemyError):
        response = answer(status, detail, str(TROUBLE_TITLES[trouble]))
    if trouble in (Trouble.BUSY, Trouble.REPLACED):
        response.headers["Retry-After"] = str(RETRY_S)
    return response


def _fault(error: Exception) -> Response:
    trouble = trouble_of(error) or _replaced()
    if trouble is not None:
        _log.warning("%s at %s: %s", trouble, request.endpoint, type(error).__name__)
        return told(trouble)
    reference = new_id()[:8]
    _log.error("fault %s at %s", reference, request.endpoint, exc_info=error)
    return answer(
        500,
        gettext(
            "This is a fault in Kongbox, not your mistake (reference %(reference)s). "
            "Everything entered before is kept: go back and try again.",
            reference=reference,
        ),
    )


def _replaced() -> Trouble | None:
    """What explains any fault of a request during which the book became another one."""
    with suppress(SQLAlchemyError):
        return Trouble.REPLACED if exchanged() else None
    return None


def register(app: Flask) -> None:
    """Answer every error of the application, also unexpected ones, in words."""
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _fault)
