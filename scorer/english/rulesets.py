"""Faults of ruleset files and house rules, and what tells two rulesets apart."""

from __future__ import annotations

from typing import Final

FILES: Final = {
    "fault_in_file": "{file}: {key:word}: {reason}",
    "fault_of_file": "{file}: {reason}",
    "no_folder": "{folder!r} is not a folder; correct or unset it",
    "cannot_be_read": "cannot be read: {reason}",
    "no_utf8": "it is not UTF-8 text",
    "toml_at": "{fault} (at line {line}, column {column})",
    "toml_at_end": "{fault} (at end of document)",
    "toml_declared_twice": "Cannot declare {key} twice",
    "toml_key_twice": "Duplicate inline table key {key}",
    "toml_expected": "Expected {sign}",
    "toml_illegal": "Illegal character {sign}",
    "toml_too_deep": "it has too many tables and lists inside one another",
    "toml_number_too_long": "it has a number with too many digits",
    "builds_on_itself": "{chain:on}: a ruleset cannot build on itself; name another",
    "changes_no_table": "needs a table of options and their values",
    "id_taken": "{id!r} is the id of another ruleset; choose another id",
    "id_of_the_program": "{id!r} comes with the program; choose another id",
    "no_id": "needs a name of its own, such as 'our-club'",
    "nothing_to_remove": "the base has nothing with this name",
    "nothing_to_follow": "there is no {name!r}",
}
"""A ruleset file that cannot be read or laid over its base."""

FORM: Final = {
    "form_shown": "{fault}, not {shown}",
    "form_missing": "required, but missing; add it",
    "form_too_long": "has {actual_length} entries; the most is {max_length}, so remove some",
    "form_extra_forbidden": "not permitted here; correct its spelling or remove it",
    "form_model_type": "needs a table of keys and values",
    "form_tuple_type": "needs a list",
    "form_dict_type": "needs a table of keys and values",
    "input_extra_forbidden": "Extra inputs are not permitted",
    "input_missing": "Field required",
    "input_bool_type": "Input should be a valid boolean",
    "input_dict_type": "Input should be a valid dictionary",
    "input_int_type": "Input should be a valid integer",
    "input_string_type": "Input should be a valid string",
    "input_greater_than_equal": "Input should be greater than or equal to {ge}",
    "input_less_than_equal": "Input should be less than or equal to {le}",
    "input_literal_error": "Input should be {expected}",
    "input_string_too_short": "String should have at least {min_length} character",
    "input_string_pattern_mismatch": "String should match pattern '{pattern}'",
}
"""A value of a file that is missing or of the wrong kind; ``input`` faults as pydantic has them."""

CONTENTS: Final = {
    "other_braces": "only {known:comma} may be in braces",
    "unknown_condition": "unknown condition {name!r}; choose from {known:comma}",
    "unknown_tile_class": "unknown tile class {name!r}; choose from {known:comma}",
    "unknown_bonus_class": "unknown tile class {name!r}",
    "unknown_shape": "unknown shape {shape!r}; choose from {known:comma}",
    "unknown_tile_in_rules": "unknown tile {tile!r}",
    "points_or_doubles": "needs either points or doubles",
    "per_meld_or_bonus": "is paid per set or per bonus tile, not both",
    "bonus_by_melds": (
        "the value of bonus tiles and the doubling of the whole score cannot depend on the sets"
    ),
    "whole_by_points": "to double the whole score it must give doubles, once a hand",
    "family_by_melds": "a family is decided by how the hand went out, not by its sets",
    "per_meld_conditions": ("is paid per set: say which sets under per_set, without conditions"),
    "limit_or_points": "needs either limit or times_points",
    "contradiction": (
        "no hand can ever meet this: {conditions:and}; remove or change one of these"
    ),
    "tile_not_in_shape": (
        "no hand of the shape {shape!r} has the winning tile {tile:tile}; name another, or none"
    ),
    "needless_numbers": "numbers are only for the shapes {shapes:comma}",
    "needless_conditions": "conditions are only for the shapes {shapes:comma}",
    "penalty_amount": "pay_victim and pay_each need points or limit, the others neither",
    "danger_measure": "needs either sets or tiles",
    "danger_groups": "groups hold suit tiles, winds and dragons only",
    "needless_choices": (
        "an option of the kind choice must list its choices, and no other kind may"
    ),
    "name_not_printable": "must be written on one line, without control characters",
    "id_twice": "the id {id!r} is used twice",
    "replaces_nothing": (
        "the rule {rule!r} replaces {name!r}, but no rule after it has that id; correct the name, "
        "or move the rule"
    ),
    "no_limit": "an award or penalty is a share of the limit, but there is no limit",
    "no_target": "there is nothing at the target {target!r}",
    "usual_not_listed": "its usual value is not one of its allowed values",
    "limit_of_nothing": "None, unless a club sets one.",
    "limit_of_all": "{limit} points, the most that any hand scores.",
    "limit_of_ordinary": (
        "{limit} points, the most that an ordinary hand scores. Flowers and seasons may lift a "
        "special hand above it."
    ),
    "limit_of_special": (
        "{limit} points, the most that a special hand scores. Ordinary hands may score more."
    ),
    "limit_of_awards": (
        "{limit} points, the award of a limit hand. Ordinary hands may score more, and flowers and "
        "seasons may lift a special hand above it."
    ),
    "kong_box_played": "A hand is drawn when the wall and the kong box are used up.",
    "kong_box_not_played": (
        "A hand is drawn when the wall is used up; the kong box is not played."
    ),
}
"""A ruleset that contradicts itself; and when a hand is drawn."""

OPTIONS: Final = {
    "unknown_option": "unknown option {option!r}; choose from {known:comma}",
    "option_needs_flag": "{option} needs true or false",
    "option_needs_choice": "{option} needs one of {choices:comma}",
    "option_needs_number": "{option} needs a whole number from {minimum} to {maximum}",
    "ruleset_unusable": "{ruleset!r} cannot be used: {fault}",
    "unknown_ruleset": "unknown ruleset {ruleset!r}; choose from {known:comma}",
    "changes_clash": "cannot be combined: {fault}",
}
"""House rules and rulesets that someone asks for."""

TILES: Final = {
    "tiles_any": "any kind",
    "tiles_suit": "suit tiles",
    "tiles_honour": "honours",
    "tiles_minor": "minors",
    "tiles_major": "majors",
    "tiles_dragon": "dragons",
    "tiles_terminal_or_wind": "ones, nines or winds",
    "tiles_own_wind": "your own wind",
    "tiles_round_wind": "the wind of the round",
    "tiles_own_bonus": "your own number",
}
"""The tiles for which a rule pays, where a list of rules names it."""

DIFFERENCES: Final = {
    "said_yes": "yes",
    "said_no": "no",
    "said_none": "none",
    "said_key": "{key} {value}",
    "said_several": "{parts:comma}",
    "said_conditions": "{parts:semicolon}",
    "exposed_any": "sets may be exposed",
    "exposed_last_claimed": "only the last tile may be claimed",
    "exposed_none": "every tile must be drawn",
}
"""The values in which two rulesets differ."""
