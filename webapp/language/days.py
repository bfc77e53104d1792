"""Days in short form, as the reader's language writes them."""

from __future__ import annotations

from datetime import date

from flask_babel import format_date, get_locale


def short_day(day: date) -> str:
    """A day in short form, such as 5 Mar 2026."""
    locale = get_locale()
    if locale is None or locale.language == "en":
        return f"{day.day} {day:%b %Y}"
    return str(format_date(day, str(locale.datetime_skeletons["yMMMd"])))


def shortest_day(day: date) -> str:
    """A day where there is little room, such as 5 Mar 26."""
    locale = get_locale()
    if locale is None or locale.language == "en":
        return f"{day.day} {day:%b %y}"
    return str(format_date(day, "short"))
