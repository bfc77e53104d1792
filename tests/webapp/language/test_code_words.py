"""No page and no message for people holds a code word: an identifier, a path of a field, a place.

People read words of the table. What programs read (the codes of JSON, the ids that somebody writes
into a deal or on the command line) is left to programs and to those who write for them. The pages
in Chinese are walked through by :mod:`tests.webapp.language.test_chinese`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import BaseModel

from scorer import DealError, parse_deal, score_deal
from scorer.english import ENGLISH as SCORER
from scorer.english import deals, rulesets
from scorer.evaluation.checks import checks
from scorer.evaluation.faults import Fault
from scorer.rules.folder import FOLDER_VARIABLE
from scorer.rules.info import describe
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from tests.scorer.evaluation.test_faults import COUNTED, MET
from tests.webapp.language.walking import Page, furnished, kind_of, walked
from vision.english import ENGLISH as VISION
from webapp.games.forms import refusal_words
from webapp.language.translation import translated

CODE: Final = re.compile(
    r"[a-z]\w*_\w+"
    r"|\b(?:win|penalties|melds|players|payments|rule|special_hand|chows|settlement|game)\.[a-z]\w*"
    r"|\w+ = \w+|\{\w*\}|%\(\w+\)|\bNone\b(?! yet)|\bnull\b|\bnan\b|<\w+ object"
)
"""An identifier, the path of a field, a setting as a program writes it, an unfilled place, a value
that is none."""


TEXTS: Final = frozenset(
    {"name", "text", "help", "description", "bonus", "claimed", "won", "fishing"}
)
"""The keys of a ruleset file under which texts for people stand."""


def codes(texts: list[str]) -> list[str]:
    """The texts that hold a code word."""
    return [text for text in texts if CODE.search(text)]


def test_no_page_holds_a_code_word(
    app: Flask, client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    pages = dict(walked(app, client, *furnished(app, client)))
    assert len(pages) > 60
    assert _held(pages.items()) == {}
    answers = list(_answers(app, client, pages))
    assert len(answers) > 30
    assert _held(answers) == {}


def _held(pages: Any) -> dict[str, list[str]]:
    found = {path: codes(Page(page).texts) for path, page in pages}
    return {path: texts for path, texts in found.items() if texts}


def _answers(app: Flask, client: FlaskClient, pages: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What each form of these pages answers as it stands, and emptied: two of each route."""
    kinds: Counter[str] = Counter()
    for address, fields in [form for page in pages.values() for form in Page(page).forms]:
        kind = kind_of(app, address, "POST")
        if kind is None or kinds[kind] == 2:
            continue
        kinds[kind] += 1
        for data in (dict.fromkeys(fields, ""), fields):
            answer = client.post(address, data=data, follow_redirects=True)
            if answer.mimetype == "text/html":
                yield f"{address} {data}", answer


def _faults() -> Iterator[DealError]:
    for given in MET.values():
        deal = given()
        yield from checks(deal, load_ruleset(deal.ruleset, deal.changes))
    for value in COUNTED.values():
        with pytest.raises(DealError) as caught:
            score_deal(parse_deal(value))
        yield from caught.value.errors


@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
def test_no_refusal_of_a_deal_holds_a_code_word(app: Flask, language: str) -> None:
    errors = list(_faults())
    assert {error.code for error in errors} >= set(Fault)
    with app.test_request_context(headers={"Accept-Language": language}):
        told = [refusal_words(error) for error in errors]
    assert codes(told) == []
    assert codes([error.message for error in errors]) == []


@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
def test_no_text_of_a_ruleset_holds_a_code_word(app: Flask, language: str) -> None:
    texts = list(dict.fromkeys(text for own in ruleset_ids() for text in _texts(load_ruleset(own))))
    assert len(texts) > 400
    with app.test_request_context(headers={"Accept-Language": language}):
        assert codes([translated(text) for text in texts]) == []


def _texts(value: Any) -> Iterator[str]:
    """Every text of a ruleset that people read, of its parts too; dots stand for what is put in."""
    if isinstance(value, BaseModel):
        for name, held in value:
            if name in TEXTS and isinstance(held, str):
                yield re.sub(r"\{\w+\}", "...", held)
            elif not isinstance(held, str):
                yield from _texts(held)
    elif isinstance(value, tuple):
        for held in value:
            yield from _texts(held)


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_each_option_of_a_ruleset_has_a_name_of_its_own(ruleset: str) -> None:
    names = Counter(option.name for option in describe(load_ruleset(ruleset)).options)
    assert [name for name, count in names.items() if count > 1] == []


OF_FILES: Final = {*deals.FORM, *deals.FILES, *rulesets.FILES, *rulesets.FORM, *rulesets.CONTENTS}
"""Messages to those who write deals as JSON or rulesets as TOML, whose keys they name."""


def test_no_sentence_of_the_scorer_or_the_photo_reader_holds_a_code_word() -> None:
    sentences = {key: text for key, text in SCORER.items() if key not in OF_FILES}
    sentences |= VISION
    assert len(sentences) > 300
    assert codes([re.sub(r"\{[^{}]*\}", "...", text) for text in sentences.values()]) == []
