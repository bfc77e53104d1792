"""What a referee is asked, and where each system of rules answers it, in every language.

The English file tells where the answers stand; that of another language its words.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from webapp.course.library import ORIGINAL, elsewhere, sheets
from webapp.course.search import Passage, find

FOLDER: Final = Path(__file__).parent / "situations"
"""The folder with a file for each language."""


class Situation(BaseModel):
    """Something that happens at a table.

    Attributes:
        id: its name in addresses.
        title: what happens.
        ask: other words for it, as people ask.
        rules: ids of rules, statuses, penalties and house rules that settle it, or the names of
            tables of a ruleset.
        or_rules: the same, for rulesets of which no sheet tells it.
        told: parts of sheets that settle it, ``sheet/part`` or ``sheet/part.point``.
        language: the language of its words.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    title: str
    ask: str
    rules: tuple[str, ...] = ()
    or_rules: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    language: str = ORIGINAL


class Told(BaseModel):
    """What a sheet says about a situation: the ruleset it is about, its text and its place."""

    model_config = ConfigDict(frozen=True)
    ruleset: str
    text: str
    sheet: str
    part: int
    cite: tuple[str, ...]


@cache
def situations(language: str = ORIGINAL) -> tuple[Situation, ...]:
    """Every situation; in English where the language lacks it."""
    words = _read(language) if (FOLDER / f"{language}.toml").is_file() else {}
    return tuple(
        Situation.model_validate(
            {**own, **words.get(name, {}), "id": name, "language": _spoken(name, words, language)}
        )
        for name, own in _read(ORIGINAL).items()
    )


def asked_about(question: str, language: str) -> list[Situation]:
    """The situations that a question may be about, the likeliest first."""
    known = {each.id: each for each in situations(language)}
    passages = [Passage(each.id, each.title, each.ask, "", "") for each in known.values()]
    return [known[group[0].key] for group in find(question, passages, language)]


def _spoken(name: str, words: dict[str, Any], language: str) -> str:
    return language if name in words else ORIGINAL


def _read(language: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))


def told(reference: str, language: str) -> Told:
    """What goes at a reference.

    Raises:
        LookupError: no sheet has such a part or point.
    """
    name, _, place = reference.partition("/")
    sheet = next(each for each in (*sheets(language), *elsewhere(language)) if each.id == name)
    number, _, point = place.partition(".")
    part = sheet.part[int(number) - 1]
    text = part.list[int(point) - 1] if point else "\n\n".join((part.text.strip(), *part.list))
    return Told(
        ruleset=sheet.ruleset,
        text=text.strip(),
        sheet=sheet.id,
        part=int(number),
        cite=part.cite or sheet.cite,
    )
