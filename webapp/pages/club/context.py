"""What the pages of the club's book share: the book, the season asked for, the secretary's right.

The club's book is kept on the application, where these helpers find it for each request.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import Flask, abort, current_app, request
from flask_babel import gettext
from flask_login import current_user

from webapp.book.book import ClubBook
from webapp.book.seasons import Season, Span
from webapp.language.days import short_day
from webapp.security.login import asks_who_you_are

EXTENSION: Final = "kongbox-book"
"""The key of the application's extensions under which the club's book is kept."""

ALL_TIME: Final = "all"
"""The value of ``season`` in an address that asks for all evenings of the club."""


def book() -> ClubBook:
    """The book of the application that answers this request."""
    found: ClubBook = current_app.extensions[EXTENSION]
    return found


def is_secretary() -> bool:
    """Whether a secretary asks; where nobody has an account, everybody counts as one."""
    return not asks_who_you_are() or (
        current_user.is_authenticated and current_user.role == "secretary"
    )


@dataclass(frozen=True, slots=True)
class ChosenSpan:
    """The evenings that a page is about, and the seasons that can be chosen instead.

    Attributes:
        season: the season that was asked for; None for all time.
        seasons: all seasons of the club.
    """

    season: Season | None
    seasons: tuple[Season, ...]

    @property
    def span(self) -> Span:
        """The days of the season with its opening balances, open at both ends for all time."""
        return Span() if self.season is None else self.season.span

    @property
    def value(self) -> str:
        """The value of ``season`` in an address that asks for this span."""
        return ALL_TIME if self.season is None else self.season.id

    @property
    def title(self) -> str:
        """The name of the season, or the words for all time."""
        return gettext("All time") if self.season is None else self.season.name


def chosen_span(now: Season | None = None) -> ChosenSpan:
    """The season that the address names; without one today's season, else all time.

    Args:
        now: the season of today, if one runs.
    """
    seasons = tuple(book().seasons.all())
    wanted = request.args.get("season", "")
    if wanted == ALL_TIME or (not wanted and now is None):
        return ChosenSpan(None, seasons)
    if not wanted:
        return ChosenSpan(now, seasons)
    found = next((season for season in seasons if season.id == wanted), None)
    if found is None:
        abort(404, gettext("There is no such season. Choose one from the list."))
    return ChosenSpan(found, seasons)


def set_up(app: Flask, kept: ClubBook) -> None:
    """Keep the club's book on the application and give templates the helpers they use."""
    app.extensions[EXTENSION] = kept
    app.jinja_env.filters["book_day"] = short_day
    app.jinja_env.globals.update(is_secretary=is_secretary)
