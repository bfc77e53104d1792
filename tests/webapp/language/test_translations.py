"""Every word of the page is there in every language, and no placeholder differs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

from scorer.messages import own_words
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import NAMES
from webapp.language.chosen import LANGUAGES
from webapp.language.translation import translated
from webapp.pages.deal.answers import ANSWERS
from webapp.pages.deal.tiles import ACTIONS

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "webapp" / "translations"
PLACES = re.compile(r"%\(\w+\)[sd]|%%|\{\w+\}")
TAGS = re.compile(r"</?\w+>")
OTHERS = [code for code in LANGUAGES if code != "en"]


@cache
def wanted() -> frozenset[str]:
    """The messages that the page and the rulesets hold now."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    keywords = {
        **dict.fromkeys(("_", "gettext", "lazy_gettext", "noted", "note")),
        "ngettext": (1, 2),
    }
    found = extract_from_dir(str(ROOT), methods, options, keywords)
    ids = (message for _, _, message, _, _ in found)
    return frozenset(message if isinstance(message, str) else message[0] for message in ids)


@cache
def catalogue(code: str) -> Catalog:
    with (FOLDER / code / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=code)


def messages(code: str) -> Iterator[tuple[Message, tuple[str, ...], tuple[str, ...]]]:
    """Each message with its ids and its translations, of which there are none if one lacks."""
    for message in catalogue(code):
        if message.id:
            ids = (message.id,) if isinstance(message.id, str) else tuple(message.id)
            told = (message.string,) if isinstance(message.string, str) else message.string or ()
            yield message, ids, tuple(told) if all(told) else ()


def test_names_of_entries_are_kept_in_english_and_shown_in_the_language_of_the_page(
    client: FlaskClient,
) -> None:
    names = {what for what, _ in (*ACTIONS.values(), *ANSWERS.values())}
    assert names <= wanted()
    asked = {"Accept-Language": "zh-CN"}
    deal = client.post("/deals").headers["Location"]
    client.post(f"{deal}/players/E/edit", data={"action": "add", "label": "1m"}, headers=asked)
    client.post(f"{deal}/answers", data={"action": "all_right"}, headers=asked)
    for language, words in (("zh-CN", "已确认所有牌"), ("en", "All tiles confirmed")):
        assert words in client.get(f"{deal}/tiles", headers={"Accept-Language": language}).text


def test_sentences_of_the_scorer_and_the_photo_reader_are_messages() -> None:
    assert wanted() >= {
        "fishing was not called",
        "{name} is worth {award}; {read} the hand is worth {total}, which is more",
        "unknown ruleset {ruleset}; choose from {known}",
        "unknown tile code {code}",
        "The photo is dark: switch on a lamp or move the tiles to the light.",
        "{count} tiles are read as {label}, more than the set has: check them.",
    }


@pytest.mark.parametrize("code", OTHERS)
def test_no_message_lacks_a_translation(code: str) -> None:
    known = {ids[0] for _, ids, told in messages(code) if told}
    assert len(known) > 1000
    assert sorted(wanted() - known) == [], "run make messages, then translate what is new"


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_kept_that_the_page_does_not_say(code: str) -> None:
    assert sorted({ids[0] for _, ids, _ in messages(code)} - wanted()) == []


@pytest.mark.parametrize("code", OTHERS)
def test_every_placeholder_and_tag_is_where_it_was(code: str) -> None:
    for _, ids, told in messages(code):
        for text in told:
            allowed = [sorted(PLACES.findall(one)) for one in ids]
            assert sorted(PLACES.findall(text)) in allowed, ids[0]
            assert sorted(TAGS.findall(text)) == sorted(TAGS.findall(ids[0])), ids[0]


@pytest.mark.parametrize("code", OTHERS)
def test_the_compiled_catalogue_is_that_of_the_text(code: str) -> None:
    with (FOLDER / code / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        compiled = read_mo(file)
    for message, _, told in messages(code):
        found = compiled.get(message.id)
        if not told:
            continue
        assert found is not None, message.id
        said = (found.string,) if isinstance(found.string, str) else tuple(found.string or ())
        assert said == told


def chinese(client: FlaskClient, path: str) -> str:
    return client.get(path, headers={"Accept-Language": "zh-CN"}).text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/", "拍下每位牌手的牌"),
        ("/settings", "字号"),
        ("/login", "密码"),
        ("/nothing", "没有这个页面"),
    ],
)
def test_pages_are_shown_in_chinese(client: FlaskClient, path: str, words: str) -> None:
    page = chinese(client, path)
    assert words in page
    assert '<html lang="zh-Hans"' in page


def test_tiles_and_winds_have_their_chinese_names(client: FlaskClient) -> None:
    deal = client.post("/deals").headers["Location"]
    page = chinese(client, f"{deal}/players/E?add=tile")
    for name in ("一万", "九筒", "白板", "红中", "东风"):
        assert f'aria-label="{name}"' in page
    assert NAMES["1m"] not in page


def test_words_of_a_rule_are_translated_with_the_tile_in_them(client: FlaskClient) -> None:
    rule = next(r for r in load_ruleset("bmja-u3a").rule if r.id == "pung_minor_exposed")
    filled = own_words(rule.text, tile="5p")
    with client.application.test_request_context(headers={"Accept-Language": "zh"}):
        assert translated(filled) == "明刻\N{FULLWIDTH COLON}五筒"
        assert translated(rule.text) == "明刻"
        assert translated(rule.text.removesuffix(": {tile}")) == "明刻"
        assert translated(own_words("Reduced to the limit of {limit}", limit=1000)) == "封顶为 1000"
        assert translated("words of a club") == "words of a club"
        assert translated("") == ""
    with client.application.test_request_context(headers={"Accept-Language": "en"}):
        assert translated(filled) == str(filled) == rule.text.format(tile=NAMES["5p"])
