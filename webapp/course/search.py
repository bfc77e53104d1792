"""Which passages answer a question: those that share its words, the rarer words first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import log
from typing import Final
from unicodedata import combining, normalize

from webapp.course.glossary import glossary

OFTEN: Final = 1.2
"""How much a word gains by standing in a passage more than once; usual for Okapi BM25."""

LENGTH: Final = 0.75
"""How much a long passage loses, from 0 to 1; usual for Okapi BM25."""

AWAY: Final = 0.7
"""What a passage about a game that is not played here is worth, as a share of one that is."""

LIKE_A_QUESTION: Final = 4.0
"""How much a passage gains by answering the very question; the same title gains it 1."""

REMEMBERED: Final = 4096
"""Maximum number of texts whose words are remembered, some three times those of one language."""

_RUN: Final = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+")
"""A word of Latin letters, or Chinese signs in a row."""

_TWICE: Final = re.compile(r"([a-z])\1")
"""A letter written twice, as in robbed; a Dutch muur has several muren."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Something that can be found.

    Attributes:
        key: what passages have in common that say the same by different rules.
        title: its title.
        text: what it says.
        where: in which sheet, or by which rules.
        url: where it stands.
        cite: where it is written.
        place: passages with the same key are shown in the order of these.
        away: whether it is about a game that is not played here.
        asked: questions of beginners that it answers, in their own words.
    """

    key: str
    title: str
    text: str
    where: str
    url: str
    cite: tuple[str, ...] = ()
    place: int = 0
    away: bool = False
    asked: tuple[str, ...] = ()


def find(question: str, passages: Sequence[Passage], language: str) -> list[list[Passage]]:
    """The passages that share words with the question, best first, those with one key together."""
    worth = dict(zip(passages, _worths(question, passages, language), strict=True))
    groups: dict[str, list[Passage]] = {}
    for passage in sorted(passages, key=lambda each: -worth[each]):
        if worth[passage]:
            groups.setdefault(passage.key, []).append(passage)
    return [sorted(group, key=lambda each: each.place) for group in groups.values()]


def _worths(question: str, passages: Sequence[Passage], language: str) -> Iterator[float]:
    """How well each passage fits: by Okapi BM25, its title, and the questions that it answers."""
    asked = {*words_of(question, language)}
    titles = [{*words_of(each.title, language)} for each in passages]
    known = [[{*words_of(one, language)} for one in each.asked] for each in passages]
    counted = [
        Counter((*title, *words_of(f"{each.text} {each.where}", language), *set().union(*others)))
        for each, title, others in zip(passages, titles, known, strict=True)
    ]
    usual = sum(map(Counter.total, counted)) / max(1, len(counted))
    having = {word: sum(word in each for each in counted) for word in asked}
    for passage, each, title, others in zip(passages, counted, titles, known, strict=True):
        held = [word for word in asked if word in each]
        slack = OFTEN * (1 - LENGTH + LENGTH * each.total() / usual)
        fit = sum(
            log(1 + len(counted) / having[word]) * each[word] / (each[word] + slack)
            for word in held
        )
        alike = len(asked & title) / max(1, len(title))
        alike += LIKE_A_QUESTION * _nearest(asked, others) ** 2
        yield fit * (1 + alike) * len(held) / max(1, len(asked)) * (AWAY if passage.away else 1)


def _nearest(asked: set[str], others: list[set[str]]) -> float:
    """The Jaccard index with the most similar of other questions, 0 to 1."""
    return max((len(asked & one) / len(asked | one) for one in others if one), default=0.0)


@lru_cache(REMEMBERED)
def words_of(text: str, language: str) -> tuple[str, ...]:
    """The words of a text that can be searched for, each in the form for all that mean the same.

    Chinese, which has no spaces, is taken by pairs of signs.
    """
    small, alike, signs = _of_language(language)
    plain = _plain(text, language)
    for other, first in signs.items():
        plain = plain.replace(other, first)
    found: list[str] = []
    for run in _RUN.findall(plain):
        if not run.isascii():
            found += [run[at : at + 2] for at in range(max(1, len(run) - 1))]
        elif run not in small and (len(run) > 1 or run.isdigit()):
            found.append(alike.get(stem(run, language), stem(run, language)))
    return tuple(found)


def _plain(text: str, language: str) -> str:
    """A text without capitals and accents.

    >>> _plain("Zählen", "de"), _plain("Röbbing", "en")
    ('zaehlen', 'robbing')
    """
    text = normalize("NFKC", text).casefold()
    for letter, written in map(str.split, glossary(language).letters):
        text = text.replace(letter, written)
    return "".join(sign for sign in normalize("NFKD", text) if not combining(sign))


def stem(word: str, language: str) -> str:
    """A word without the endings of plurals and verbs: robbing and robbed are rob.

    >>> [stem(word, "en") for word in ("robbing", "bodies", "scores", "scoring", "pungs", "cross")]
    ['rob', 'body', 'scor', 'scor', 'pung', 'cros']
    """
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        word = word[:-1]
    return _TWICE.sub(r"\1", _endings(language).sub("", word))


@cache
def _endings(language: str) -> re.Pattern[str]:
    """An ending that a word may have or lack, after three letters at least."""
    endings = "|".join(glossary(language).endings.split())
    return re.compile(rf"(?<=[a-z0-9]{{3}})(?:{endings})$")


@cache
def _of_language(language: str) -> tuple[frozenset[str], dict[str, str], dict[str, str]]:
    """Small words, words alike by their stems, and Chinese signs that stand for others."""
    told = glossary(language)
    small = _plain(told.small, language).split()
    alike: dict[str, str] = {}
    signs = {sign: " " for sign in small if not sign.isascii()}
    for first, *others in (_plain(line, language).split() for line in told.alike):
        for other in others:
            if other.isascii():
                alike[stem(other, language)] = stem(first, language)
            else:
                signs[other] = first
    return frozenset(small), alike, signs
