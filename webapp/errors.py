"""Errors in words: a page for people, ``application/problem+json`` for programs."""

from __future__ import annotations

import logging
from http import HTTPStatus

from flask import Flask, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.wrappers import Response

from webapp.security import MAX_REQUEST_BYTES
from webapp.store import new_id

_log = logging.getLogger(__name__)

TOO_LARGE = (
    f"The photo is larger than {MAX_REQUEST_BYTES // 1024 // 1024} MB. Set the camera to a smaller "
    "picture size, or send a smaller copy. Everything entered before is kept."
)
DETAILS = {
    404: "There is no such page. Go back to the start and choose your deal from the list.",
    405: "This address does not take that kind of request.",
    413: TOO_LARGE,
}
TITLES = {
    400: "That could not be understood",
    403: "Not allowed",
    404: "Not found",
    413: "Too large",
    429: "Too often",
    500: "Something went wrong in Kongbox",
    503: "Busy",
}


def problem_response(status: int, detail: str, **more: str | None) -> Response:
    """An error for programs, in the form of RFC 9457."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    response = jsonify(body | {"detail": detail} | more)
    response.status_code = status
    response.headers["Content-Type"] = "application/problem+json"
    return response


def answer(status: int, detail: str) -> Response:
    """An error as whoever asked can use it: a page, or a document for a program."""
    if request.path.startswith("/api/") or request.path == "/healthz":
        return problem_response(status, detail)
    title = TITLES.get(status, HTTPStatus(status).phrase)
    page = render_template("error.html", title=title, detail=detail, status=status)
    return make_response(page, status)


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    own_words = error.description if error.description != type(error).description else None
    detail = own_words or DETAILS.get(status) or error.description or "Go back and try again."
    if isinstance(error, RequestEntityTooLarge):
        detail = TOO_LARGE
    response = answer(status, detail)
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _fault(error: Exception) -> Response:
    reference = new_id()[:8]
    _log.error("fault %s at %s", reference, request.endpoint, exc_info=error)
    return answer(
        500,
        f"This is a fault in the program, not of yours (reference {reference}). Everything "
        "entered before is kept: go back and try again.",
    )


def register(app: Flask) -> None:
    """Answer every error in words."""
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _fault)
