"""Words that are kept with an entry as they were, in English, and are translated when shown."""

from __future__ import annotations

from typing import Final

from webapp.marks import noted

ENTRIES: Final = (
    noted("New deal"),
    noted("Photo read"),
    noted("Table facts"),
    noted("Fault"),
    noted("Winds as at the table"),
    noted("Tile added"),
    noted("Tiles typed in"),
    noted("Tile changed"),
    noted("Tile confirmed"),
    noted("Tile removed"),
    noted("Tiles removed"),
    noted("Tile moved"),
    noted("Set laid out"),
    noted("Set turned"),
    noted("Set taken back"),
    noted("Tiles cleared"),
    noted("Details of the player"),
    noted("Tiles entered without a connection"),
    noted("No tile set"),
    noted("Table opened"),
    noted("Game ended"),
    noted("Game goes on"),
)
"""Entries in the history of a deal or a table."""

PATTERNS: Final = (
    noted("Hand {number}: drawn"),
    noted("Hand {number}: payments as agreed"),
    noted("Hand {number}: {name} won"),
    noted("Hand {number} deleted"),
    noted("Hand {number} corrected: drawn"),
    noted("Hand {number} added: drawn"),
    noted("Hand {number} corrected: payments as agreed"),
    noted("Hand {number} added: payments as agreed"),
    noted("Hand {number} corrected"),
    noted("Hand {number} added"),
    noted("Taken back: {what}"),
    noted("Tile set: {name}"),
)
"""The same with something put into them; those that hold more words come first."""
