"""Whether Kongbox is on an association's server, where nobody of the club sits at its computer."""

from __future__ import annotations

from typing import Final

from flask import current_app

HOSTED: Final = "KONGBOX_HOSTED"
"""The key of the application's settings that says so."""


def hosted() -> bool:
    """Whether the page is an association's, which others look after."""
    return bool(current_app.config.get(HOSTED))
