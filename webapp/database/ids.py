"""The ids of rows, links and entries."""

from __future__ import annotations

import secrets


def new_id() -> str:
    """An id that nobody can guess: 128 random bits as 32 hexadecimal digits."""
    return secrets.token_hex(16)
