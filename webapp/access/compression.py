"""Pictures of tiles, styles and scripts are sent compressed: club Wi-Fi is slow."""

from __future__ import annotations

from flask import Flask, Response
from flask_compress import Compress

_KINDS = ("image/svg+xml", "text/css", "text/javascript", "application/javascript")
"""No pages: they hold secrets, whose length under compression could tell them (BREACH)."""


def set_up(app: Flask) -> None:
    """Compress files of those kinds for browsers that take them so."""
    app.config["COMPRESS_MIMETYPES"] = list(_KINDS)
    app.config["COMPRESS_STREAMS"] = False
    Compress(app)
    app.after_request(_at_once)


def _at_once(response: Response) -> Response:
    """A small file as a whole: compressed piece by piece it would not be closed."""
    if response.mimetype in _KINDS and response.is_streamed:
        response.direct_passthrough = False
        response.make_sequence()
    return response
