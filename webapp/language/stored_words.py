"""Words that are kept or told in English by other parts, and are translated when shown."""

from __future__ import annotations

from typing import Final

from webapp.language.noted import noted

PATTERNS: Final = (
    noted("there is no such hand in this game"),
    noted("the game was ended; take that back first"),
    noted("only drawn hands and payments can be given so"),
    noted("{name}, version {number}"),
)
"""The same with something put into them; those that hold more words come first."""

JOINTS: Final = (
    noted("{one}; {more}"),
    noted("{one}: {more}"),
    noted("{one} ({more})"),
    noted("{one}, {more}"),
    noted("{one} and {more}"),
    noted("{one} or a {more}"),
    noted("{one} or {more}"),
    noted('"{one}"'),
)
"""How texts are joined to one; those that hold others come first."""

VALUES: Final = (
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
    noted("flower or season"),
    noted("own flower and season"),
    noted("set"),
    noted("does"),
    noted("do"),
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
"""Single words that the scorer puts into its sentences."""

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

FORM_FAULTS: Final = (
    noted("Extra inputs are not permitted"),
    noted("Field required"),
    noted("Input should be a valid boolean"),
    noted("Input should be a valid dictionary"),
    noted("Input should be a valid integer"),
    noted("Input should be a valid string"),
    noted("Input should be greater than or equal to {least}"),
    noted("Input should be less than or equal to {most}"),
    noted("Input should be {choices}"),
    noted("String should have at least {least} character"),
    noted("String should have at least {least} characters"),
    noted("String should match pattern {pattern}"),
)
"""What the library that reads forms and files objects to."""

TOML_FAULTS: Final = (
    noted("{fault} (at line {line}, column {column})"),
    noted("{fault} (at end of document)"),
    noted("Cannot declare {key} twice"),
    noted("Cannot overwrite a value"),
    noted("Duplicate inline table key {key}"),
    noted("Expected '=' after a key in a key/value pair"),
    noted("Expected ']' at the end of a table declaration"),
    noted("Expected newline or end of document after a statement"),
    noted("Expected {sign}"),
    noted("Illegal character {sign}"),
    noted("Invalid date or datetime"),
    noted("Invalid initial character for a key part"),
    noted("Invalid statement"),
    noted("Invalid value"),
    noted("Unclosed array"),
    noted("Unclosed inline table"),
    noted("Unterminated string"),
)
"""What the library that reads rulesets objects to in a file that is no TOML."""
