"""Days in short form."""

from __future__ import annotations

from datetime import date

import pytest
from flask import Flask

from webapp.language.days import short_day, shortest_day


@pytest.mark.parametrize(
    ("language", "short", "shortest"),
    [
        ("en", "5 Mar 2026", "5 Mar 26"),
        ("de", "5. März 2026", "05.03.26"),
        ("nl", "5 mrt 2026", "05-03-2026"),
        ("zh", "2026年3月5日", "2026/3/5"),
    ],
)
def test_a_day_is_written_as_in_the_language_of_the_page(
    app: Flask, language: str, short: str, shortest: str
) -> None:
    day = date(2026, 3, 5)
    with app.test_request_context(headers={"Accept-Language": language}):
        assert (short_day(day), shortest_day(day)) == (short, shortest)
    assert (short_day(day), shortest_day(day)) == ("5 Mar 2026", "5 Mar 26")
