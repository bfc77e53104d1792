"""Protection against forged requests: every form carries a token that belongs to its session.

Beside it stands the id by which a form counts once (:mod:`webapp.security.idempotency`).
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Flask
from flask_babel import gettext
from flask_wtf.csrf import CSRFError, CSRFProtect, generate_csrf
from markupsafe import Markup
from werkzeug.wrappers import Response

from webapp.database.ids import new_id
from webapp.security import idempotency
from webapp.security.errors import answer

FIELD: Final = "csrf_token"
"""The name of the hidden field; scripts send its value as the header ``X-CSRFToken``."""

HIDDEN: Final = Markup('<input type="hidden" name="{}" value="{}" autocomplete="off">')
"""A hidden field; a browser that goes back to the page does not fill in an older value."""


def csrf() -> Markup:
    """The hidden fields that every posted form contains: its token, and its own id."""
    return HIDDEN.format(FIELD, generate_csrf()) + HIDDEN.format(idempotency.FIELD, new_id())


def _foreign(_error: CSRFError) -> Response:
    return answer(
        400,
        gettext(
            "This page was opened before you logged in or out, or by another browser. Nothing was "
            "stored: go back, load the page again and send it once more."
        ),
    )


def set_up(app: Flask, *programs: Blueprint) -> None:
    """Refuse forms without their token.

    Args:
        app: the application, after the login was set up, so that strangers' forms are not read.
        programs: blueprints for programs other than browsers, which need no token; the check of
            the sender's site in :mod:`webapp.security.headers` applies to them too.
    """
    app.config.update(
        WTF_CSRF_FIELD_NAME=FIELD,
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,
    )
    guard = CSRFProtect(app)
    for blueprint in programs:
        guard.exempt(blueprint)
    app.register_error_handler(CSRFError, _foreign)
    app.jinja_env.globals.update(csrf=csrf)
