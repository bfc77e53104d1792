"""The sheets of the course, and those about other ways to play, in every language.

An English file holds a whole sheet. The file of another language holds the same parts and
exercises in the same order, but of each its words only.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from webapp.course.sheet import Sheet

FOLDER: Final = Path(__file__).parent / "sheets"
"""The folder of the course, with a folder of each language."""

ELSEWHERE: Final = Path(__file__).parent / "elsewhere"
"""The same for other ways to play."""

ORIGINAL: Final = "en"
"""The language in which a sheet is written first."""


@cache
def sheets(language: str = ORIGINAL) -> tuple[Sheet, ...]:
    """Every sheet in the order of the course; in English where the language lacks it."""
    return _shelf(FOLDER, language)


@cache
def elsewhere(language: str = ORIGINAL) -> tuple[Sheet, ...]:
    """The sheets about other ways to play, as :func:`sheets`."""
    return _shelf(ELSEWHERE, language)


def lacks_some(language: str) -> bool:
    """Whether a sheet is shown in English that was asked for in another language."""
    return any(sheet.language != language for sheet in (*sheets(language), *elsewhere(language)))


def _shelf(folder: Path, language: str) -> tuple[Sheet, ...]:
    files = sorted((folder / ORIGINAL).glob("*.toml"))
    return tuple(_sheet(path, folder, language) for path in files)


def _sheet(path: Path, folder: Path, language: str) -> Sheet:
    number, _, name = path.stem.partition("-")
    raw = _read(path)
    other = folder / language / path.name
    if language != ORIGINAL and other.is_file():
        raw = _in_words(raw, _read(other)) | {"language": language}
    return Sheet.model_validate({**raw, "number": int(number), "id": name})


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def _in_words(raw: dict[str, Any], words: dict[str, Any]) -> dict[str, Any]:
    """A sheet with the words of another language."""
    told = {
        key: [
            {**own, **other}
            for own, other in zip(raw.get(key, ()), words.get(key, ()), strict=True)
        ]
        for key in ("part", "ask")
    }
    return {**raw, **words, **told}
