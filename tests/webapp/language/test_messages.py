"""What the scorer, the photo reader and the page say: English and Chinese for every id."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from flask import Flask

from scorer import DealError, parse_deal, score_deal, score_hand
from scorer.english import ENGLISH as SCORER
from scorer.explain.claims import check_total
from scorer.explain.practice import question
from scorer.explain.why import all_why_not
from scorer.messages import own_words
from tests.scorer.builders import BY_POINTS, deal, player, win
from tests.vision.layout.test_notices import messages_of
from tests.vision.table import lay
from tests.webapp.fakes import DEAL
from vision.english import ENGLISH as VISION
from vision.errors import PhotoError
from vision.layout.arrange import arrange
from vision.messages import say
from vision.photo.headers import read_header
from vision.photo.quality import Quality, faults
from webapp.language.chosen import set_up
from webapp.language.kept import kept
from webapp.language.noted import note
from webapp.language.translation import (
    Message,
    all_translated,
    as_sentence,
    message_key,
    translated,
)

PLACE = re.compile(r"\{(\w+)\}")
TRANSLATIONS = Path(__file__).parents[3] / "webapp" / "translations"
CODES = re.compile(
    r"'[^']*'|\"[^\"]*\"|bmja-\w+|ming-1876|uk-1924|western|hong-kong|chinese-official"
    r"|zung-jung|riichi|(?<![A-Za-z])[0-9]*[mpszfy](?![A-Za-z])"
    r"|JPEG|PNG|WebP|GIF|PDF|HEIC|AVIF|iPhone|Kongbox|JSON|true|null|[a-z]+_[a-z_]+|cannon|limit|wins?"
    r"|players|dealer|dora|ura|honba|sticks|aborted|goulash|penalties|changes|ruleset|[ESWN]"
)
"""What stays as it is: what somebody wrote, ids and codes, names of formats."""


@pytest.fixture(scope="module")
def pages() -> Flask:
    app = Flask("webapp")
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(TRANSLATIONS)
    set_up(app, lambda: None)
    return app


def left_in_english(app: Flask, texts: Iterator[str | Message]) -> dict[str, str]:
    """The texts that keep an English word on a Chinese page, with what they become."""
    with app.test_request_context(headers={"Accept-Language": "zh"}):
        told = {str(text): translated(text) for text in set(texts)}
    assert told
    return {
        text: words for text, words in told.items() if re.search("[A-Za-z]", CODES.sub("", words))
    }


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with (TRANSLATIONS / "zh_Hans" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale="zh_Hans")


@pytest.mark.parametrize("table", [SCORER, VISION], ids=["scorer", "vision"])
def test_every_message_has_its_chinese_with_the_same_places(
    table: Mapping[str, str], catalogue: Catalog
) -> None:
    assert len(table) > 100
    for message_id, template in table.items():
        found = catalogue.get(message_key(template))
        assert found is not None, message_id
        assert found.string, message_id
        own = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
        assert set(PLACE.findall(str(found.string))) == own, message_id


def test_no_id_means_two_things() -> None:
    assert SCORER.keys() & VISION.keys() == set()


def test_values_are_translated_as_their_places_say(pages: Flask) -> None:
    with pages.test_request_context(headers={"Accept-Language": "zh"}):
        strays = say("reading.strays", tiles=say("tiles.are", count=2), shown=("7z", "back"))
        assert translated(strays).startswith("手牌附近有 2 张牌没有算进去")
        assert translated(strays).endswith("红中、扣着的牌。")
        assert translated(say("problem.no_winning_hand", player="E")).startswith("东的牌")
        assert translated(say("problem.no_winning_hand", player="Ann")).startswith("Ann的牌")
        assert "46%" in translated(say("photo.cut_short", share=0.456))
        assert "'it'" in translated(say("profile.missing", name="it"))
        assert translated(say("part.concealed", backs=2, kind="kong")).endswith("一副暗杠。")
        rule = own_words("Bonus tile: {tile}", tile="1y")
        assert translated(rule).startswith("花牌\N{FULLWIDTH COLON}春")
        drawn = note("Undone: {what}", what=note("Hand {number}: drawn", number=3))
        assert translated(drawn).endswith(translated(note("Hand {number}: drawn", number=3)))
        assert "Drawn" in translated(note("Hand {number}: {name} won", number=3, name="Drawn"))
    with pages.test_request_context(headers={"Accept-Language": "en"}):
        assert translated(strays) == str(strays)
        assert translated(rule) == str(rule)


def test_what_older_versions_kept_is_shown_by_its_exact_text(pages: Flask) -> None:
    with pages.test_request_context(headers={"Accept-Language": "zh"}):
        assert translated("Tile added") != "Tile added"
        assert translated(VISION["photo.dark"]) == translated(say("photo.dark"))
        assert translated("Hand 3: drawn") == "Hand 3: drawn"
        assert translated("Ann and Bob") == "Ann and Bob"
        assert translated(None) == translated("") == ""
        assert translated(kept(say("tiles.are", count=3))) == "3 张牌"


def test_messages_are_joined_to_a_sentence(pages: Flask) -> None:
    with pages.test_request_context(headers={"Accept-Language": "zh"}):
        assert all_translated("no kong", "four chows") == "没有杠\N{FULLWIDTH SEMICOLON}四副顺子"
        assert as_sentence("no kong") == "没有杠。"
    with pages.test_request_context(headers={"Accept-Language": "en"}):
        assert as_sentence("no kong", "four chows") == "No kong; four chows."
        assert translated("Ann and 3 tiles") == "Ann and 3 tiles"


def test_why_something_does_not_count_is_told_in_chinese(pages: Flask) -> None:
    def answers() -> Iterator[Message]:
        deals = [(parse_deal({**DEAL, "ruleset": own}), "S") for own in BY_POINTS]
        asked = [question(own, "hard", seed) for own in BY_POINTS for seed in range(3)]
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
