"""House rules: setting the options of a ruleset in its decoded file."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from scorer.deal import ChangeValue
from scorer.errors import DealError, field_name, together
from scorer.messages import Refused, say
from scorer.rules.rule import Option
from scorer.rules.ruleset import Ruleset


def apply(raw: dict[str, Any], ruleset: Ruleset, changes: Mapping[str, ChangeValue]) -> None:
    """Set options in a decoded ruleset file.

    Args:
        raw: the decoded file, which is changed.
        ruleset: the ruleset that it describes.
        changes: values by the ids of options.

    Raises:
        DealError: no such option, or a value that it does not take; with all such faults.
    """
    options = {option.id: option for option in ruleset.options()}
    found: list[DealError] = []
    for name, value in changes.items():
        try:
            _apply_one(raw, options, name, value)
        except Refused as error:
            found.append(DealError(None, "changes", error.words))
    if found:
        raise together(found)


def _apply_one(
    raw: dict[str, Any], options: Mapping[str, Option], name: str, value: ChangeValue
) -> None:
    if name not in options:
        close = difflib.get_close_matches(name, options, 3) or list(options)
        raise Refused(say("unknown_option", option=field_name(name), known=tuple(close)))
    option = options[name]
    for target in (option.target, *option.also):
        _set(raw, target, _setting(option, value))


def _setting(option: Option, value: ChangeValue) -> object:
    """What an option's value puts into the ruleset."""
    if option.kind == "boolean":
        if isinstance(value, bool):
            return value
        words = say("option_needs_flag", option=option.id)
    elif option.kind == "choice":
        for choice in option.choices:
            if choice.id == value:
                return choice.value
        choices = tuple(choice.id for choice in option.choices)
        words = say("option_needs_choice", option=option.id, choices=choices)
    else:
        number = isinstance(value, int) and not isinstance(value, bool)
        if number and option.minimum <= int(value) <= option.maximum:
            return value
        least, most = option.minimum, option.maximum
        words = say("option_needs_number", option=option.id, minimum=least, maximum=most)
    raise Refused(words)


def _set(raw: dict[str, Any], target: str, value: object) -> None:
    *path, last = target.split(".")
    node: Any = raw
    for step in path:
        node = next(i for i in node if i["id"] == step) if isinstance(node, list) else node[step]
    node[last] = value
