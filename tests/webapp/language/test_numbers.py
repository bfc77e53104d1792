"""Numbers as people type them, and as they are shown."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flask import Flask

from vision.messages import say
from webapp.games.words import money
from webapp.language.chosen import set_up
from webapp.language.numbers import NumberRefused, grouped, part_or_none, read_whole
from webapp.language.translation import translated

FULL_WIDTH = "\N{FULLWIDTH DIGIT ONE}\N{FULLWIDTH COMMA}" + "\N{FULLWIDTH DIGIT TWO}" * 3


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("8", 8),
        (" 12 ", 12),
        ("0012", 12),
        ("+40", 40),
        ("-4", -4),
        ("\N{MINUS SIGN}4", -4),
        ("1,200", 1200),
        ("1 200", 1200),
        ("1\N{NO-BREAK SPACE}200", 1200),
        ("64,128", 64128),
        ("1,200,000", 1_200_000),
        ("\N{FULLWIDTH DIGIT EIGHT}", 8),
        (FULL_WIDTH, 1222),
        ("\N{ARABIC-INDIC DIGIT THREE}", 3),
        ("", None),
        (" ", None),
    ],
)
def test_a_number_is_read_for_what_it_is(typed: str, number: int | None) -> None:
    assert read_whole(typed, -10, 10_000_000) == number


@pytest.mark.parametrize(
    "typed",
    [
        *("12.5", "12,5", "1,0", "1.200", "1 2", "1,20,000", "12,", ",12", "1,200 000"),
        *("1e3", "0x10", "12\N{SUPERSCRIPT TWO}", "\N{VULGAR FRACTION ONE HALF}", "much", "- 4"),
        *("9" * 30, "11000000", "-11"),
    ],
)
def test_what_is_no_whole_number_in_its_range_is_refused(typed: str) -> None:
    with pytest.raises(NumberRefused):
        read_whole(typed, -10, 10_000_000)


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("4", Fraction(4)),
        ("-1.5", Fraction(-3, 2)),
        ("\N{MINUS SIGN}0,25", Fraction(-1, 4)),
        ("\N{VULGAR FRACTION ONE HALF}", Fraction(1, 2)),
        ("2\N{VULGAR FRACTION ONE HALF}", Fraction(5, 2)),
        (".5", Fraction(1, 2)),
        ("51", None),
        ("1,000", None),
        *((typed, None) for typed in ("", "-", "+", "two", "1.234", "1/2", "4.")),
    ],
)
def test_a_number_with_decimals_is_read_for_what_it_is(typed: str, number: Fraction | None) -> None:
    assert part_or_none(typed, 50) == number


def test_thousands_are_set_apart_as_in_the_language_of_the_page() -> None:
    app = Flask(__name__)
    set_up(app, lambda: None)
    with app.test_request_context(headers={"Accept-Language": "nl"}):
        assert grouped(-12345) == "\N{MINUS SIGN}12.345"
        assert money(1_234_567, 10) == "+£1.234,57"
        assert read_whole("1.200", 0, 9999) == 1200
        assert "1,5 s" in translated(say("camera.ends_early", seconds=1.5))
        for typed in ("1,200", "12.5", "1.2"):
            with pytest.raises(NumberRefused):
                read_whole(typed, 0, 9999)
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert grouped(12345, "+") == "+12,345"
        assert read_whole("1,200", 0, 9999) == 1200
        with pytest.raises(NumberRefused):
            read_whole("1.200", 0, 9999)
