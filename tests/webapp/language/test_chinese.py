"""Every page that a link leads to, and every answer to a wrong entry, holds no English words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import BaseModel

from scorer.english.sources import cited
from scorer.explain.practice import question
from scorer.rules.folder import FOLDER_VARIABLE
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from tests.webapp.language.walking import Page, furnished, walked
from tests.webapp.pages.deal.test_pages import demo, edit
from tests.webapp.pages.table.test_games import open_table
from webapp.course.glossary import glossary
from webapp.course.library import elsewhere, sheets

NAMES: Final = ("Ann", "Ben", "Bob", "Cat", "Dee", "The pung of nines was concealed.", "zzz", "xx")
OWN: Final = re.compile(
    r"kongbox \w+( \w+)*|--\w+( \w+)?|\d*[mpszfy](?![a-z])|Kongbox|English|Nederlands"
    r"|Deutsch|CSV|XLSX|PDF|ZIP|JSON|TOML|BMJA|U3A|Wi-Fi|JPEG|PNG|WebP|GIF|AVIF|HEIC|iPhone|MB|kB"
)
"""Names of programs and formats, commands and tile codes: the same in every language."""

WORD: Final = re.compile(r"[A-Za-z]{2,}")


@cache
def cites() -> tuple[str, ...]:
    """Where the rules are written: sources are cited as they are called, the longest first."""

    def found(value: Any) -> Iterator[str]:
        if isinstance(value, BaseModel):
            for name, held in value:
                yield from [cited(held or "")] if name.endswith("cite") else found(held)
        elif isinstance(value, tuple):
            for held in value:
                yield from found(held)

    whole = [cite for own in ruleset_ids() for cite in found(load_ruleset(own))]
    told = [sheet.cite for sheet in (*sheets(), *elsewhere())]
    told += [part.cite for sheet in elsewhere() for part in sheet.part]
    told += [word.cite for word in glossary().words]
    whole += [cited(cite) for each in told for cite in each]
    return tuple(sorted(filter(None, set(whole)), key=len, reverse=True))


def english(text: str) -> bool:
    """Whether a text holds words that should have been translated."""
    for known in (*cites(), *NAMES):
        text = text.replace(known, "")
    return WORD.search(OWN.sub("", text)) is not None


def left(page: Any) -> list[str]:
    """The texts of a page that hold English words."""
    assert page.mimetype == "text/html"
    assert '<html lang="zh-Hans"' in page.text
    return [text for text in Page(page).texts if english(text)]


@pytest.fixture
def chinese(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """A client whose browser speaks Chinese."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "zh-CN,zh;q=0.9"
    return client


def test_no_page_holds_english_words(app: Flask, chinese: FlaskClient) -> None:
    starts = furnished(app, chinese)
    pages = {path: left(page) for path, page in walked(app, chinese, *starts)}
    assert len(pages) > 60
    for part in ("/why/", "/players/", "/history", "/house-rules/", "/learn/rules/", "/course/"):
        assert any(part in path for path in pages), part
    assert {path: texts for path, texts in pages.items() if texts} == {}


def test_nothing_is_refused_in_english(app: Flask, chinese: FlaskClient) -> None:
    deal = demo(app, chinese)
    table = open_table(chinese)
    total = question("bmja-u3a", "easy", 3).result.total
    asked: list[tuple[str, dict[str, Any]]] = [
        (f"{deal}/players/E/edit", {"action": "type", "codes": "10m"}),
        (f"{deal}/players/E/edit", {"action": "add", "label": "xx"}),
        (f"{deal}/players/E/edit", {"action": "add", "mode": "chow_exposed", "label": "9m"}),
        (f"{deal}/players/E/edit", {"action": "about", "claimed": "many"}),
        (f"{deal}/players/E/edit", {"action": "group", "tiles": "t1"}),
        (f"{deal}/players/E/photo", {}),
        (f"{deal}/penalties", {"kind": "cannon"}),
        (f"{table}/hands/1/totals", {"winner": "E", "total_E": "x"}),
        (f"{table}/hands/1/payments", {"winner": "Ann", "amount_0": "5"}),
        (f"{table}/hands/7/totals", {}),
        ("/tables", {"name_E": "Ann", "name_S": "Ann", "name_W": "Bob"}),
        ("/learn/quiz/bmja-u3a/easy/3", {"total": "x"}),
        ("/learn/quiz/bmja-u3a/easy/3", {"total": str(2 * total)}),
        ("/house-rules", {}),
        ("/sets", {"name": "?"}),
        ("/seasons", {"name": ""}),
        ("/keeping/photos", {"keep": "days", "days": "x"}),
        ("/club/settings/round", {"number": "x"}),
    ]
    for path, form in asked:
        page = chinese.post(path, data=form, follow_redirects=True)
        assert left(page) == [], (path, form)


def test_a_deal_that_cannot_be_is_told_in_chinese(app: Flask, chinese: FlaskClient) -> None:
    deal = demo(app, chinese)
    edit(chinese, deal, "E", action="add", label="1m")
    pages = [chinese.get(f"{deal}/players/{seat}?check=1") for seat in "ESWN"]
    assert [left(page) for page in pages] == [[], [], [], []]
    assert any('id="problem"' in page.text for page in pages)
