"""Every message of the scorer in English, by its id: one module for each subject.

A place in braces is named after what is put there. After a colon stands what that is: ``tile`` or
``seat`` for a code that is shown by its name, ``word`` for words that a page translates as they are
(names of a ruleset, codes of a deal such as ``too_few`` by their names), ``cite`` for a citation,
``n_tiles`` for a number of tiles; and, where there are several, how they are joined (one of
:data:`JOINTS`). ``!r`` puts a text into quotation marks.

Ids are stable: other programs find them as the ``code`` of a fault.
"""

from __future__ import annotations

from typing import Final

from scorer.english import codes, deals, explanations, games, rulesets, tiles

JOINTS: Final = {
    "comma": ", ",
    "and": " and ",
    "semicolon": "; ",
    "or": " or ",
    "or_a": " or a ",
    "on": " on ",
}
"""What goes between several values in one place, by the word after the colon."""

SEAT_NAMES: Final = tiles.SEAT_NAMES
TILE_NAMES: Final = tiles.TILE_NAMES
CODE_NAMES: Final = codes.CODE_NAMES
FIELD_NAMES: Final = codes.FIELD_NAMES
KEY_NAMES: Final = codes.KEY_NAMES

ENGLISH: Final = {
    **tiles.NOTATION,
    **deals.FAULTS,
    **deals.FORM,
    **deals.FILES,
    **explanations.AWARDS,
    **explanations.PARTS,
    **explanations.FAN,
    **explanations.DANGERS,
    **explanations.STATUSES,
    **explanations.WINS,
    **explanations.REASONS,
    **explanations.CONDITIONS,
    **explanations.CLAIMS,
    **games.FAULTS,
    **rulesets.FILES,
    **rulesets.FORM,
    **rulesets.CONTENTS,
    **rulesets.OPTIONS,
    **rulesets.TILES,
    **rulesets.DIFFERENCES,
}
"""The English template of each message, by its id."""
