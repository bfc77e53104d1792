"""The tile vocabulary and the compact hand strings."""

from __future__ import annotations

import pytest

from scorer import tiles
from scorer.notations import NotationError


def test_every_face_has_one_name_and_one_glyph() -> None:
    assert len(tiles.TILES) == 42
    assert set(tiles.NAMES) == set(tiles.GLYPHS) == set(tiles.READING_LABELS)
    assert len(set(tiles.NAMES.values())) == len(tiles.READING_LABELS)
    assert len(set(tiles.GLYPHS.values())) == len(tiles.READING_LABELS)


@pytest.mark.parametrize(
    ("code", "name", "glyph"),
    [
        ("1m", "one character", "\U0001f007"),
        ("9s", "nine bamboo", "\U0001f018"),
        ("1p", "one circle", "\U0001f019"),
        ("5z", "White dragon", "\U0001f006"),
        ("7z", "Red dragon", "\U0001f004"),
        ("3f", "chrysanthemum flower (3)", "\U0001f025"),
        ("4y", "winter season (4)", "\U0001f029"),
    ],
)
def test_names_and_glyphs(code: str, name: str, glyph: str) -> None:
    assert (tiles.NAMES[code], tiles.GLYPHS[code]) == (name, glyph)


@pytest.mark.parametrize(
    ("predicate", "yes", "no"),
    [
        (tiles.is_suit, "1m9p5s", "1z7z1f"),
        (tiles.is_honour, "1z7z", "9m1f"),
        (tiles.is_wind, "1z4z", "5z"),
        (tiles.is_dragon, "5z7z", "4z"),
        (tiles.is_bonus, "1f4y", "1m4z"),
        (tiles.is_terminal, "1m9s", "2m8s1z1f"),
        (tiles.is_major, "1m9s1z7z", "2m8s1f"),
        (tiles.is_minor, "2m8s5p", "1m9s1z1f"),
    ],
)
def test_predicates(predicate: object, yes: str, no: str) -> None:
    assert callable(predicate)
    assert all(predicate(code) for code in tiles.parse_tiles(yes))
    assert not any(predicate(code) for code in tiles.parse_tiles(no))


def test_hand_strings() -> None:
    codes = tiles.parse_tiles("123m55p 777z 1f3y")
    assert codes == ["1m", "2m", "3m", "5p", "5p", "7z", "7z", "7z", "1f", "3y"]
    assert tiles.format_tiles(codes) == "123m 55p 777z 1f 3y"
    assert tiles.parse_tiles("back blank1m other ") == ["back", "blank", "1m", "other"]
    assert tiles.parse_tiles("  ") == []
    assert tiles.sort_tiles(["other", "1z", "9m", "1f"]) == ["9m", "1z", "1f", "other"]


@pytest.mark.parametrize("text", ["123", "0z", "12x", "8z", "9f", "5y", "1m!", "m"])
def test_text_that_is_no_tile(text: str) -> None:
    with pytest.raises(NotationError):
        tiles.parse_tiles(text)


def test_unknown_codes() -> None:
    with pytest.raises(NotationError, match="'0m'"):
        tiles.format_tiles(["1m", "0m"])
    with pytest.raises(NotationError, match="'x'"):
        tiles.sort_tiles(["x"])
