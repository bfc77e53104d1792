"""Free disk space: when little is left, photos and files are refused so that entries still fit."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from flask import Flask, request
from flask_babel import gettext
from sqlalchemy import Engine
from werkzeug.wrappers import Response

from webapp.security.errors import answer
from webapp.security.policy import current

LEAST_FREE_BYTES: Final = 500 * 1024**2
"""Free space in bytes below which photos and files are refused."""


def nearly_full(engine: Engine) -> bool:
    """Whether less than :data:`LEAST_FREE_BYTES` are free on the disk of the database.

    It is False for a database on another computer or in memory.
    """
    file = engine.url.database if engine.dialect.name == "sqlite" else None
    if not file or file == ":memory:":
        return False
    return shutil.disk_usage(Path(file).parent).free < LEAST_FREE_BYTES


def set_up(app: Flask, engine: Engine) -> None:
    """Refuse photos and files when the disk is nearly full.

    Args:
        app: the application, after the login was set up.
        engine: its database.
    """

    def refuse() -> Response | None:
        if request.method != "POST" or not current().disk or not nearly_full(engine):
            return None
        return answer(
            507,
            gettext(
                "The disk of the Kongbox computer is nearly full, so it cannot accept photos or"
                " files at the moment. Nothing is lost: tap the tiles in or type the totals, "
                "and ask the person who looks after Kongbox to free some space."
            ),
        )

    app.before_request(refuse)
