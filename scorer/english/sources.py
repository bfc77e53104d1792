"""Where rules are written, as people know it: the documents by their numbers, and their sheets.

A rule cites its source by a number and a place in it, such as ``000 Sheet 14``.
"""

from __future__ import annotations

import re
from typing import Final

SOURCES: Final = {
    "000": "U3A course",
    "001": "Mah-Jong, British Rules",
    "002": "Ming family",
    "003": "UK laws of 1924",
    "004": "Western web page",
    "005": "Riichi rules",
    "006": "Chinese official rules",
    "007": "Hong Kong rules",
    "008": "Zung Jung rules",
}
"""What people call each document."""

SHEETS: Final = {
    5: "Basics 2",
    7: "Basics 3",
    10: "Chows",
    11: "Playing a goulash",
    14: "Scoring",
    16: "Wind of the round",
    17: "Doubles",
    19: "Scoring practice",
    20: "Finer points of the game",
    21: "Introduction to special hands",
    **{sheet: f"Special hands {sheet - 21}" for sheet in range(22, 30)},
    30: "Penalties",
    31: "Playing elsewhere",
}
"""The titles of the sheets of the U3A course that rules cite, by their numbers."""

_CITE: Final = re.compile(r"(\d{3}) (.+)")
_SHEET: Final = re.compile(r"Sheet (\d+)(?:\.(\d+))?")


def cited(cite: str) -> str:
    """A citation as people know it; a club's own words stay as they are.

    >>> cited("000 Sheet 14")
    'U3A course, sheet 14: Scoring'
    >>> cited("000 Sheet 31.5")
    'U3A course, sheet 31, point 5: Playing elsewhere'
    >>> cited("003 Law 28")
    'UK laws of 1924, law 28'
    >>> cited("our evening of 3 May")
    'our evening of 3 May'
    """
    found = _CITE.fullmatch(cite)
    if found is None or found[1] not in SOURCES:
        return cite
    source, place = SOURCES[found[1]], found[2]
    sheet = _SHEET.fullmatch(place)
    if sheet is None:
        return f"{source}, {_in_running_text(place)}"
    title = SHEETS.get(int(sheet[1]))
    point = "" if sheet[2] is None else f", point {sheet[2]}"
    return f"{source}, sheet {sheet[1]}{point}" + ("" if title is None else f": {title}")


def _in_running_text(place: str) -> str:
    """A place in a document: laws are numbered and small, headings are called as they are."""
    return place.lower() if re.search(r"\bLaw|^Penalties", place) else place
