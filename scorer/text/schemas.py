"""The JSON Schemas (Draft 2020-12) of what is read and written: a deal, a result, a game."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

SCHEMAS: Final = ("deal", "result", "game")
"""The names of the schemas."""


def load_schema(name: str) -> dict[str, Any]:
    """One of the schemas as a decoded JSON value.

    >>> load_schema("deal")["required"]
    ['ruleset', 'players']

    Raises:
        KeyError: there is no such schema.
    """
    if name not in SCHEMAS:
        raise KeyError(name)
    file = resources.files("scorer") / "schemas" / f"{name}.json"
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found
