"""Compression of tile pictures, style sheets and scripts, because club Wi-Fi is slow."""

from __future__ import annotations

from flask import Flask, Response
from flask_compress import Compress

_KINDS = ("image/svg+xml", "text/css", "text/javascript", "application/javascript")
"""The MIME types that are compressed.

Pages are not among them: they hold secrets, which the length of a compressed page could reveal
(the attack called BREACH).
"""


def set_up(app: Flask) -> None:
    """Compress files of these types for browsers that accept it."""
    app.config["COMPRESS_MIMETYPES"] = list(_KINDS)
    app.config["COMPRESS_STREAMS"] = False
    Compress(app)
    app.after_request(_at_once)


def _at_once(response: Response) -> Response:
    """Turn a streamed file into a whole response, so that it is closed after its compression."""
    if response.mimetype in _KINDS and response.is_streamed:
        response.direct_passthrough = False
        response.make_sequence()
    return response
