"""Codes of the scorer that people see as words, marked for the catalogues."""

from __future__ import annotations

from typing import Final

from webapp.language.noted import noted

CODES: Final = (
    noted("E"),
    noted("S"),
    noted("W"),
    noted("N"),
    noted("chow"),
    noted("pung"),
    noted("kong"),
    noted("pair"),
    noted("three"),
    noted("four"),
    noted("none"),
    noted("once"),
    noted("twice"),
    noted("more"),
    noted("set"),
)
"""Codes of a deal or of a ruleset that the scorer puts into its sentences."""
