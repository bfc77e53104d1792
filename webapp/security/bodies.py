"""How large a request may be, by its view: a small form, unless the view accepts files.

A body is refused by the head of its request, before any of it is read. The checks of who sends it
come first, so that only those who may use a view can send it anything.
"""

from __future__ import annotations

from typing import Final

from flask import Flask, g, request
from flask_babel import lazy_gettext
from werkzeug.exceptions import LengthRequired, RequestEntityTooLarge

from webapp.security.policy import Most, current

WITHHELD: Final = "kongbox.withheld"
"""The key of the WSGI environment that is true while the server asks whether a body may come in."""

MAX_FORM_BYTES: Final = 64 * 1024
"""Maximum size of a form without files, in bytes; the largest of the page has about 4 kB."""

MAX_DEAL_BYTES: Final = 1024**2
"""Maximum size of a deal as JSON, in bytes; one has about 3 kB, and more is no deal."""

MAX_PHOTO_BYTES: Final = 16 * 1024**2
"""Maximum size of a form with photos, in bytes, enough for one photo of a phone's camera."""

MAX_FRAME_BYTES: Final = 256 * 1024
"""Maximum size of a form with a frame of the live picture, in bytes; one of 640 pixels has 36 kB,
of a finely patterned cloth up to 120 kB."""

MAX_SET_BYTES: Final = 9 * 1024**2
"""Maximum size of a form with the file of a tile set, in bytes; the file may have 8 MB."""

MAX_RULES_BYTES: Final = 256 * 1024
"""Maximum size of a form with a ruleset file, in bytes; the file may have 200 kB."""

MAX_COPY_BYTES: Final = 60 * 1024**2
"""Maximum size of a form with a copy of everything, in bytes."""

MAX_LIST_BYTES: Final = 2 * 1024**2 + MAX_FORM_BYTES
"""Maximum size of a form with a list of players, in bytes; the file may have 2 MB."""

MAX_LIST_FIELDS: Final = 150
"""Maximum number of fields of the form about such a list: one for each column and each question."""

MAX_TEXT_BYTES: Final = 500_000
"""Maximum size of the text in a form with files, in bytes.

Werkzeug counts several chunks of 64 kB of a file towards it, so it must not be much smaller.
"""

MAX_FIELDS: Final = 60
"""Maximum number of fields of a form without files; the largest of the page has about thirty."""

MAX_FIELDS_WITH_FILES: Final = 20
"""Maximum number of fields of a form with files, each file among them."""


ADMITTED: Final = "kongbox.admitted"
"""The key of the WSGI environment under which the server says as what it let a body in."""


class Admitted(BaseException):
    """The body that the server holds back may come in; no error, so that no page answers it.

    Attributes:
        program: the account whose password a program sent with it; None for a browser.
    """

    def __init__(self, program: object) -> None:
        self.program = program


FORM: Final = Most(
    MAX_FORM_BYTES,
    MAX_FIELDS,
    lazy_gettext(
        "That form is too large (the limit is %(most)s kB). Nothing was stored: make "
        "the text shorter and send it again.",
        most=MAX_FORM_BYTES // 1024,
    ),
)
"""The limits of a form without files."""

PHOTO: Final = Most(
    MAX_PHOTO_BYTES,
    MAX_FIELDS_WITH_FILES,
    lazy_gettext(
        "The photo is larger than %(most)s MB. Set the camera to a smaller picture size, or send a "
        "smaller copy. Everything entered before is kept.",
        most=MAX_PHOTO_BYTES // 1024**2,
    ),
)
"""The limits of a form with photos."""

FRAME: Final = Most(
    MAX_FRAME_BYTES,
    MAX_FIELDS_WITH_FILES,
    lazy_gettext("This is too large to check. Send it as a photo."),
)
"""The limits of a form with a frame of the live picture."""

DEAL: Final = Most(MAX_DEAL_BYTES, MAX_FIELDS, "Send one deal, in at most 1 MB of JSON.")
"""The limits of a deal that a program sends."""

SET_FILE: Final = Most(
    MAX_SET_BYTES,
    MAX_FIELDS_WITH_FILES,
    lazy_gettext("Choose the file of a set (8 MB at most)."),
)
"""The limits of a form with the file of a tile set."""

RULES_FILE: Final = Most(
    MAX_RULES_BYTES,
    MAX_FIELDS_WITH_FILES,
    lazy_gettext("Choose a ruleset file (200 kB at most)."),
)
"""The limits of a form with a ruleset file."""

LIST_FILE: Final = Most(
    MAX_LIST_BYTES,
    MAX_FIELDS_WITH_FILES,
    lazy_gettext(
        "The file is too large for a list of players (2 MB at most). Save only the "
        "sheet with the list, as CSV or XLSX."
    ),
)
"""The limits of a form with a list of players."""

LIST_PLAN: Final = Most(MAX_FORM_BYTES, MAX_LIST_FIELDS, FORM.too_large)
"""The limits of the form about such a list, which has a field for each column."""

COPY_FILE: Final = Most(
    MAX_COPY_BYTES,
    MAX_FIELDS_WITH_FILES,
    lazy_gettext(
        "The file is too large for this page. Nothing was changed: the person who looks"
        " after Kongbox can still restore it."
    ),
)
"""The limits of a form with a copy of everything."""

_NO_LENGTH: Final = lazy_gettext(
    "The request does not say how long it is, so it was refused. Send it with a Content-Length."
)


def most() -> Most:
    """The most that this request may hold, by its view."""
    return current().body or FORM


def _weigh() -> None:
    """Refuse the body of this request by what its head says of it.

    Raises:
        RequestEntityTooLarge: it is larger than its view accepts.
        LengthRequired: the server holds it back, and it does not say how long it is.
        Admitted: the server holds it back, and it may come in.
    """
    g.kongbox_may_be_read = True
    allowed, length = most(), request.content_length
    request.max_content_length, request.max_form_parts = allowed.size, allowed.fields
    if length is not None and length > allowed.size:
        raise RequestEntityTooLarge
    if request.environ.get(WITHHELD):
        if length is None:
            raise LengthRequired(str(_NO_LENGTH))
        raise Admitted(g.get("kongbox_program"))


def may_be_read() -> bool:
    """Whether nothing has refused this request before its body was looked at."""
    return bool(g.get("kongbox_may_be_read"))


def set_up(app: Flask) -> None:
    """Refuse bodies that are too large for their view.

    Args:
        app: the application, after every check of who sends a request was set up, and before
            anything that reads forms.
    """
    app.config.update(
        MAX_CONTENT_LENGTH=FORM.size,
        MAX_FORM_PARTS=FORM.fields,
        MAX_FORM_MEMORY_SIZE=MAX_TEXT_BYTES,
    )
    app.before_request(_weigh)
