# ruff: noqa: RUF001 - full width characters are among what is read
"""The notations in which people write tiles, and the letters about which they are asked."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorer
from scorer.deal import Meld, Player
from scorer.errors import DealError
from scorer.notations import NotationError, codes_of, sets_of
from scorer.tiles import GLYPHS, NAMES, TILES, format_tiles, parse_tiles
from tests.scorer.builders import Json, claimed, deal, win

READ = {
    "123m55p 777z 1f3y": "123m55p777z1f3y",
    "0m0p0s": "5m5p5s",
    "406p": "456p",
    "222M333P": "222m333p",
    "5Z 1F 2Y": "5z1f2y",
    "M222": "222m",
    "S111 p9": "111s9p",
    "Z1 z7": "1z7z",
    "W2": "2m",
    "2w3w4w": "234m",
    "E E E": "111z",
    "EEE": "111z",
    "ESWN": "1234z",
    "RRR GG": "777z66z",
    "East": "1z",
    "east wind, South": "1z2z",
    "Red dragon": "7z",
    "white dragon green": "5z6z",
    "2 bamboo": "2s",
    "two of bamboo": "2s",
    "two bamboo, three circles": "2s3p",
    "bamboo 2": "2s",
    "3 craks 4 bams 5 dots": "3m4s5p",
    "222 characters": "222m",
    "\U0001f007\U0001f008\U0001f009": "123m",
    "\U0001f004\ufe0e \U0001f004\ufe0f": "77z",
    "\U0001f000\U0001f006\U0001f022\U0001f026": "1z5z1f1y",
    "一萬 東 紅中": "1m1z7z",
    "一二三万": "123m",
    "伍萬九索八筒": "5m9s8p",
    "东南西北中发白": "1234z765z",
    "東東東 白板 發財": "111z5z6z",
    "2條 3饼": "2s3p",
    "梅蘭菊竹 春夏秋冬": "1234f1234y",
    "wewewe c1c1c1 b2b3b4 s5s5 dbdb fs ye": "111z111m234s55p55z2f1y",
    "WeWeWe DrDrDr": "111z777z",
    "dwdgdr": "567z",
    "1m,2m,3m": "123m",
    "1m, 2m; 3m": "123m",
    "1,2,3m": "123m",
    "1-2-3m": "123m",
    "222m-333m \u2013 444m": "222333444m",
    "[222m][333p] {44s} <5z>": "222m333p44s5z",
    "(7777z)": "7777z",
    "２２ｍ　３ｐ，Ｅ": "22m3p1z",
    "（７７７ｚ）、５ｍ": "777z5m",
    "5f 6f 7f 8f": "1234y",
    "flower 1, season 2": "1f2y",
    "plum orchid spring fall": "1f2f1y3y",
    "22 m": "22m",
    "back blank1m other": "back blank 1m other",
}
"""Texts, and the same tiles in the codes of this program."""

ASKED = {
    "B2": "'B2': is B bamboo, circles",
    "2b 3b": "'2b': is B bamboo, circles",
    "B": "White dragon",
    "C5": "'C5': is C characters, circles or the Red dragon",
    "b1b2b3 c1c1": "'b1': is B bamboo, circles",
    "W2 T5 B8": "'T5': is T circles (tong) or bamboo (tiao)?",
    "D3": "'D3': is D dots or a dragon?",
}
"""Letters that may stand for several things, and what is asked."""


@pytest.mark.parametrize(("text", "codes"), READ.items())
def test_notations(text: str, codes: str) -> None:
    assert format_tiles(parse_tiles(text)) == format_tiles(parse_tiles(codes))


@pytest.mark.parametrize(("text", "told"), ASKED.items())
def test_letters_that_may_be_several_are_asked_about(text: str, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_tiles(text)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "text", ["S1p", "55 5z", "2south", "M222p", "12 3m", "wex", "EEE1", "q", "1m q", "十萬", "Es"]
)
def test_what_may_be_a_slip_is_not_guessed(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_tiles(text)
    assert "m for characters, p for circles, s for bamboo, z for winds" in str(caught.value)


@pytest.mark.parametrize("code", TILES)
def test_every_tile_is_read_by_its_glyph_and_its_name(code: str) -> None:
    assert parse_tiles(GLYPHS[code]) == [code]
    name, _, _ = NAMES[code].partition(" (")
    assert parse_tiles(name) == [code]
    assert parse_tiles(f"{name.upper()}, {name}") == [code, code]


@given(st.text(max_size=30))
def test_any_text_is_read_as_tiles_or_refused_in_words(text: str) -> None:
    try:
        codes = codes_of(text)
    except NotationError:
        return
    assert parse_tiles(format_tiles(codes)) == codes
    assert codes_of(unicodedata.normalize("NFKC", text)) == codes


def test_sets() -> None:
    assert sets_of("345m (7777z) [E E E], 555p - 222s") == [
        ("345m", False),
        ("7777z", True),
        ("E E E", False),
        ("555p", False),
        ("222s", False),
    ]


def test_a_player_is_given_in_words() -> None:
    south = Player("S", "22m 333m, plum", "444p (E E E E) [5s 5s 5s]", bonus="春")
    assert south == Player(
        "S",
        ("2m", "2m", "3m", "3m", "3m"),
        (
            Meld("pung", ("4p",) * 3),
            Meld("kong", ("1z",) * 4, concealed=True),
            Meld("pung", ("5s",) * 3),
        ),
        ("1y", "1f"),
    )
    with pytest.raises(NotationError):
        Player("S", "22m", "44p")


def _value(**south: object) -> Json:
    return {**deal(won=win("S", "2m wall")), "players": [{"seat": "S", **south}, *_others()]}


def _others() -> list[Json]:
    return [claimed(seat) for seat in "EWN"]


def test_a_deal_as_json_takes_the_same_texts() -> None:
    listed = _value(
        concealed=["2m", "2m", *["3m"] * 3],
        melds=[
            {"kind": "pung", "tiles": ["4p"] * 3},
            {"kind": "kong", "tiles": ["1z"] * 4, "concealed": True},
            {"kind": "pung", "tiles": ["5s", "0s", "5s"]},
        ],
        bonus=["1y", "1f"],
    )
    texts = _value(concealed="22m 333m, plum", melds="444p (EEEE) [5s 0s 5s]", bonus="春")
    texts["win"]["tile"] = "二萬"
    words = _value(concealed=["2 characters", "M2", *["3M"] * 3], melds="444p (EEEE) 505s")
    words["players"][0]["bonus"] = ["Spring", "plum"]
    wanted = scorer.parse_deal(listed)
    assert scorer.parse_deal(texts) == wanted
    assert scorer.parse_deal(words) == wanted


@pytest.mark.parametrize(
    ("south", "field", "code"),
    [
        ({"concealed": "22m B2"}, "concealed", "which_b"),
        ({"concealed": "22m", "melds": "44p"}, "melds", "meld_of_wrong_length"),
        ({"concealed": "22m", "bonus": "?"}, "bonus", "unreadable_tiles"),
        ({"concealed": "1m" * 5000}, "concealed", "too_many_entries"),
        ({"concealed": ["B2"]}, "concealed", "unknown_tile"),
        ({"concealed": ["22m"]}, "concealed", "unknown_tile"),
    ],
)
def test_texts_of_a_deal_that_cannot_be_read(south: Json, field: str, code: str) -> None:
    with pytest.raises(DealError) as caught:
        scorer.parse_deal(_value(**south))
    assert (caught.value.player, caught.value.field, caught.value.code) == ("S", field, code)


def test_a_hand_is_scored_in_one_line() -> None:
    hand = "22m333m444p555s666s"
    alone = scorer.score_hand(hand, win="2m", ruleset="bmja-u3a")
    assert (alone.total, alone.points, alone.doubles) == (152, 38, 2)
    claimed_last = scorer.score_hand(hand, win="M2", source="discard", ruleset="bmja-u3a")
    assert claimed_last.total == 144
    lost = scorer.score_hand("2m", "E", melds="333m 444p 555s (6666s)", ruleset="bmja-u3a")
    assert lost.total == 22
    purity = scorer.score_hand("22m333444555666m", win="2m", changes={"purity": False})
    assert purity.hand == "ordinary"
    with pytest.raises(DealError):
        scorer.score_hand("22m", win="2m")
    with pytest.raises(DealError):
        scorer.score_hand(hand, win="9p")


def test_results_print_what_a_person_reads() -> None:
    shown = str(scorer.score_hand("22m333m444p555s666s", win="2m", ruleset="bmja-u3a"))
    assert shown.splitlines()[0] == "South: 152 (38 points, 2 doubles)"
    assert "  Going Mah Jong: 20 points [U3A course, sheet 14: Scoring]" in shown
    assert "  No chows: 1 double [U3A course, sheet 17: Doubles]" in shown
    table = scorer.Deal(
        "bmja-u3a",
        (Player("S", "22m 333m 444p 555s 666s"), *(Player(s, claimed=0) for s in "EWN")),
        scorer.Win("S", "2m", "wall"),
    )
    told = str(scorer.score_deal(table))
    assert "East pays South 304 (The winner's score 304)" in told
    assert told.endswith("East -304, South +608, West -152, North -152")
    waiting = scorer.Deal(
        "bmja-u3a",
        (Player("S", "2m 333m 444p 555s 666s"), *(Player(s, claimed=0) for s in "EWN")),
        None,
    )
    assert "two characters: 3 left, 152 from the wall, 144 from a discard" in str(
        scorer.find_waits(waiting, "S")
    )
    compared = scorer.compare(table, [scorer.System("bmja-u3a"), scorer.System("ming-1876")])
    assert str(compared).splitlines()[0] == "bmja-u3a: South 152, East 0, West 0, North 0"
    why = str(scorer.why_not(table, "S", "all_concealed"))
    assert why == "All concealed counts [U3A course, sheet 17: Doubles]"
    assert "does not count: needed: " in str(scorer.why_not(table, "S", "purity"))
    idle = scorer.Deal(
        "bmja-u3a",
        (Player("S", "147m 147p 147s 1234z"), *(Player(s, claimed=0) for s in "EWN")),
        None,
    )
    assert str(scorer.find_waits(idle, "S")) == "South is not fishing: counts 0"
