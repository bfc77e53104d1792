"""Names in the order in which they are read aloud, and found by a few of their letters."""

from __future__ import annotations

from typing import Final
from unicodedata import category

from webapp.people.names import search_key

LETTERS: Final = 3
"""Number of letters by which someone is found; a Chinese character counts as two."""


def place(name: str, *, by_last: bool) -> tuple[str, str]:
    """What names are sorted by; accents and capitals make no difference.

    >>> place("Ann van Dam", by_last=False), place("Ann van Dam", by_last=True)
    (('ann van dam', 'Ann van Dam'), ('dam ann van', 'Ann van Dam'))
    """
    words = search_key(name).split()
    if by_last:
        words = [*words[-1:], *words[:-1]]
    return " ".join(words), name


def found(name: str, letters: str) -> bool:
    """Whether a name, or one of its words, begins with these letters.

    >>> found("Zoë O'Hara", "zoe"), found("Zoë O'Hara", "Oh"), found("Zoë O'Hara", "hara")
    (True, True, False)
    """
    wanted = " ".join(search_key(letters).split())
    return f" {wanted}" in f" {search_key(name)}"


def enough(letters: str) -> bool:
    """Whether so many letters were typed that they are looked for.

    >>> enough("Li"), enough("Liz"), enough("王明")
    (False, True, True)
    """
    signs = "".join(search_key(letters).split())
    return sum(2 if category(sign) == "Lo" else 1 for sign in signs) >= LETTERS
