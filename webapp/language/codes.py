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
    noted("live"),
    noted("dead"),
    noted("too_few"),
    noted("too_many"),
    noted("wall"),
    noted("loose"),
    noted("discard"),
    noted("robbed_kong"),
    noted("dealt"),
)
"""Codes of a deal or of a ruleset that the scorer puts into its sentences."""

FIELDS: Final = (
    noted("seat"),
    noted("name"),
    noted("status"),
    noted("claimed"),
    noted("melds"),
    noted("players"),
    noted("dealer"),
    noted("goulash"),
    noted("round_wind"),
    noted("ruleset"),
    noted("changes"),
    noted("rounds"),
    noted("hand"),
    noted("winner"),
    noted("drawn"),
    noted("penalties"),
    noted("penalties.victim"),
    noted("penalties.offender"),
    noted("payments.from"),
    noted("payments.to"),
    noted("payments.amount"),
    noted("win.seat"),
    noted("win.tile"),
    noted("win.source"),
    noted("win.from"),
    noted("win.last_tile"),
    noted("win.first_turn"),
    noted("win.after_two_kongs"),
    noted("win.original_call"),
)
"""Fields of a deal or a game in which the scorer finds a fault."""
