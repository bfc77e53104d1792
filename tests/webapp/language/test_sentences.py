"""Sentences of the scorer and the photo reader: found in their source, known again on the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorer import DealError, parse_deal, score_deal, score_hand
from scorer.explain.claims import check_total
from scorer.explain.practice import question
from scorer.explain.why import all_why_not
from scorer.rules.rulebook import ruleset_ids
from tests.scorer.builders import deal, player, win
from tests.vision.layout.test_notices import messages_of
from tests.vision.table import lay
from tests.webapp.fakes import DEAL
from vision.errors import PhotoError
from vision.layout.arrange import arrange
from vision.photo.headers import read_header
from vision.photo.quality import Quality, faults
from webapp.language.chosen import set_up
from webapp.language.templates_of_source import templates
from webapp.language.translation import Message, rule_words, rules_words, sentence

TRANSLATIONS = Path(__file__).parents[3] / "webapp" / "translations"
CODES = re.compile(
    r"'[^']*'|\"[^\"]*\"|bmja-\w+|ming-1876|uk-1924|western|(?<![A-Za-z])[0-9]*[mpszfy](?![A-Za-z])"
    r"|JPEG|PNG|WebP|GIF|PDF|HEIC|iPhone|Kongbox|JSON|true|null|[a-z]+_[a-z_]+|cannon|limit|win"
)
"""What stays as it is: what somebody wrote, ids and codes, names of formats."""


@pytest.fixture(scope="module")
def pages() -> Flask:
    app = Flask("webapp")
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(TRANSLATIONS)
    set_up(app)
    return app


def left_in_english(app: Flask, texts: Iterator[str | Message]) -> dict[str, str]:
    """The texts that keep an English word on a Chinese page, with what they become."""
    with app.test_request_context(headers={"Accept-Language": "zh"}):
        told = {str(text): rule_words(text) for text in set(texts)}
    assert told
    return {
        text: words for text, words in told.items() if re.search("[A-Za-z]", CODES.sub("", words))
    }


def test_templates_are_named_after_what_is_put_in() -> None:
    source = '''
"""A docstring of words."""
FIXED: Final[Annotated[str, "an annotation of words"]] = "a fixed text"
code = "one_word"
told = f"{count} tiles of {NAMES[tile]}, {len(held)} held, {', '.join(known)}: {count}"
raise DealError(f" or {self.status!r} ({NAMES['x']}) {a + b} {f(x).y or z} {1}")
raise ValueError("for programmers alone")
short = text.removeprefix("of a library, ")
'''
    assert [text for _, text in templates(source, ("ValueError",))] == [
        "a fixed text",
        "{count} tiles of {tile}, {held} held, {known}: {count2}",
        "or {status} ({names}) {a} {y} {value}",
    ]
    assert (7, "for programmers alone") in templates(source)


def test_texts_are_known_again_by_their_templates(pages: Flask) -> None:
    with pages.test_request_context(headers={"Accept-Language": "zh"}):
        season = rule_words("Bonus tile: spring season (1)")
        assert season.startswith("花牌\N{FULLWIDTH COLON}春")
        several = ["Bonus tile: spring season (1)", "No chows"]
        assert rule_words("; ".join(several)) == rules_words(*several)
        assert rules_words("no kong", "four chows") == "没有杠\N{FULLWIDTH SEMICOLON}四副顺子"
        assert sentence("no kong") == "没有杠。"
        name = rule_words("Heads and Tails")
        assert rule_words("Heads and Tails: half the limit of 500").startswith(name)
        assert rule_words("Ann and Bob") == "Ann and Bob"
        assert rule_words("nobody sits at E") == "东位没有人"
        assert rule_words(f"nobody sits at {'E' * 1000}").startswith("nobody")
    with pages.test_request_context(headers={"Accept-Language": "en"}):
        assert sentence("no kong", "four chows") == "No kong; four chows."
        assert rule_words("Ann and 3 tiles") == "Ann and 3 tiles"


def test_why_something_does_not_count_is_told_in_chinese(pages: Flask) -> None:
    def answers() -> Iterator[Message]:
        deals = [(parse_deal({**DEAL, "ruleset": own}), "S") for own in ruleset_ids()]
        asked = [question(own, "hard", seed) for own in ruleset_ids() for seed in range(3)]
        for played, seat in (*deals, *((one.deal, one.seat) for one in asked)):
            for answer in all_why_not(played, seat):
                yield from (answer.name, *answer.reasons, *answer.missing)
            for line in score_hand(played, seat).lines:
                yield line.words

    assert left_in_english(pages, answers()) == {}


def test_how_a_claimed_total_comes_about_is_told_in_chinese(pages: Flask) -> None:
    played = parse_deal(DEAL)
    total = score_hand(played, "S").total
    claims = chain((total // 2, total * 2, total - 8), range(0, 3 * total, 32))
    found = (check_total(played, "S", claimed).findings for claimed in claims)
    assert left_in_english(pages, chain.from_iterable(found)) == {}


def _base(**more: Any) -> dict[str, Any]:
    value = deal(
        player("S", "345m44p", "222m 555p 888s"),
        player("W", "12m46p1379s25z", "777z"),
        won=win("S", "4p discard N"),
    )
    return {**value, **more}


BROKEN: tuple[dict[str, Any], ...] = (
    _base(ruleset="nobody-s"),
    _base(dealer="S"),
    _base(round_wind="X"),
    _base(players=_base()["players"][:1]),
    _base(changes={"limit": 5}),
    _base(win=win("S", "9s discard N")),
    _base(win=win("S", "4p wall", first_turn=True)),
    _base(win={"seat": "S", "source": "discard", "from": "N"}),
    _base(penalties=[{"kind": "cannon", "offender": "W"}]),
    deal(player("S", "345m44p", "22m 555p"), won=win("S", "4p wall")),
    deal(player("S", "345m47p", "222m 555p 888s"), won=win("S", "4p wall")),
    deal(
        player("S", "34511m44p", "222m 555p"),
        player("W", "111m46p1379s2z", "777z"),
        won=win("S", "4p wall"),
    ),
    {"players": []},
    {"colour": 1},
)


@pytest.mark.parametrize("value", BROKEN)
def test_what_is_wrong_with_a_deal_is_told_in_chinese(pages: Flask, value: dict[str, Any]) -> None:
    with pytest.raises((DealError, ValueError)) as caught:
        score_deal(parse_deal(value))
    assert isinstance(caught.value, DealError)
    assert left_in_english(pages, iter([caught.value.words])) == {}


def test_what_to_check_on_a_photo_is_told_in_chinese(pages: Flask) -> None:
    def warnings() -> Iterator[Message]:
        yield from faults(Quality(width=10, sharpness=0.3, light=20, glare=0.2))
        yield from faults(Quality(width=90, sharpness=0.001, light=90, glare=0))
        for rows in (
            ("123m 456p|777z",),
            ("back 8s 8s back|1f", "123m 456p 789s 7z"),
            ("back 8s 8s|5s 6s 9m", "11112m 99s 4z blank back"),
        ):
            laid = lay(*rows)
            yield from messages_of(laid, confidence=0.5)
            for hand in arrange(laid.quads, laid.labels).hands:
                yield from (part.reason for part in hand.parts)

    assert left_in_english(pages, warnings()) == {}


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"%PDF-1.7", b"\0\0\0\x18ftypheic", b"text"])
def test_why_a_file_is_no_photo_is_told_in_chinese(pages: Flask, data: bytes) -> None:
    with pytest.raises(PhotoError) as caught:
        read_header(data)
    assert left_in_english(pages, iter([caught.value.message])) == {}
