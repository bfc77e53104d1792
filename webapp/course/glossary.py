"""The words of the table, a sentence each, and what a question is taken for, in every language.

The English file tells the tiles and the citations of all; that of another language its words.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from webapp.course.library import ORIGINAL

FOLDER: Final = Path(__file__).parent / "words"
"""The folder with a file for each language."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Word(_Model):
    """A word of the table.

    Attributes:
        id: its name in addresses.
        word: the word as it is used here.
        also: what others call it.
        text: what it means.
        tiles: tiles that show it.
        cite: where that is written.
    """

    id: str
    word: str
    also: tuple[str, ...] = ()
    text: str
    tiles: str = ""
    cite: tuple[str, ...]


class Glossary(_Model):
    """The words of a language, and those of questions.

    Attributes:
        words: the words of the table, in the order of the English alphabet.
        small: words that say nothing about what is asked.
        alike: words that mean the same in a question, each line of them separated by spaces.
        endings: what a word may have at its end or lack.
        letters: letters that are more than one with an accent, each with how it is written without.
        language: the language that it is in.
    """

    words: tuple[Word, ...]
    small: str
    alike: tuple[str, ...]
    endings: str = ""
    letters: tuple[str, ...] = ()
    language: str


@cache
def glossary(language: str = ORIGINAL) -> Glossary:
    """The glossary of a language; in English where there is none, or where a word is missing."""
    raw = _read(ORIGINAL)
    if not (FOLDER / f"{language}.toml").is_file():
        language = ORIGINAL
    told = _read(language)
    words = [
        {**own, "also": (), **told.get(name, own), "id": name}
        for name, own in raw.items()
        if isinstance(own, dict)
    ]
    of_questions = {key: value for key, value in told.items() if not isinstance(value, dict)}
    return Glossary.model_validate({"words": words, "language": language, **of_questions})


def _read(language: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))


QUESTIONS: Final = Path(__file__).parent / "questions"
"""The folder with what beginners ask, a file for each language that has one."""


@cache
def questions(language: str = ORIGINAL) -> Mapping[str, tuple[str, ...]]:
    """What beginners ask in a language, by the end of the address of what answers it."""
    path = QUESTIONS / f"{language}.toml"
    raw = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    return {where: tuple(asked) for where, asked in raw.items()}
