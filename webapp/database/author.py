"""The account under which an entry is made."""

from __future__ import annotations

from flask import has_request_context
from flask_login import current_user


def author() -> str | None:
    """The name of the account that sends this request; None if nobody is logged in."""
    if not has_request_context() or not current_user.is_authenticated:
        return None
    name: str = current_user.name
    return name
