"""Whose login an entry is made under."""

from __future__ import annotations

from flask import has_request_context
from flask_login import current_user


def author() -> str | None:
    """The account that makes the entry of this request; None where nobody is logged in."""
    if not has_request_context() or not current_user.is_authenticated:
        return None
    name: str = current_user.name
    return name
