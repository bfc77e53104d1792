"""One ruleset file laid over another: what a file changes of the one it builds on."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, TypeGuard

from scorer.errors import RulesetError
from scorer.messages import say

Table = dict[str, Any]


def overlay(below: Mapping[str, Any], above: Mapping[str, Any], file: str) -> Table:
    """Two decoded files merged: tables key by key, lists of tables entry by entry.

    An entry with the id of one below changes the keys that it gives, or takes it out when it says
    ``remove = true``; any other is added at the end, or behind the entry named in its ``after``.
    Everything else above replaces what lies below.

    Raises:
        RulesetError: an entry takes out, or is to stand behind, one that is not there.
    """
    merged = copy.deepcopy(dict(below))
    for key, value in above.items():
        under = merged.get(key)
        if isinstance(under, dict) and isinstance(value, Mapping):
            merged[key] = overlay(under, value, file)
        elif _named(under) and _named(value):
            merged[key] = _entries(under, value, file)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def _named(value: object) -> TypeGuard[list[Table]]:
    return isinstance(value, list) and all(isinstance(e, Mapping) and "id" in e for e in value)


def _entries(below: list[Table], above: list[Table], file: str) -> list[Table]:
    entries = list(below)
    for entry in above:
        place = _place(entries, entry["id"])
        if place is not None and entry.get("remove") is True:
            del entries[place]
        elif entry.get("remove") is True:
            raise RulesetError(file, f"{entry['id']}.remove", say("nothing_to_remove"))
        elif place is not None:
            entries[place] = overlay(entries[place], entry, file)
        else:
            entries.insert(_room(entries, entry, file), _without_place(entry))
    return entries


def _place(entries: list[Table], name: object) -> int | None:
    return next((index for index, entry in enumerate(entries) if entry.get("id") == name), None)


def _room(entries: list[Table], entry: Table, file: str) -> int:
    """Where a new entry is put in."""
    if "after" not in entry:
        return len(entries)
    place = _place(entries, entry["after"])
    if place is None:
        words = say("nothing_to_follow", name=entry["after"])
        raise RulesetError(file, f"{entry['id']}.after", words)
    return place + 1


def _without_place(entry: Table) -> Table:
    return {key: value for key, value in entry.items() if key != "after"}
