"""The season that a page is about: the one that its address names, or today's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import abort, request
from flask_babel import gettext

from webapp.book.seasons import Season, Span
from webapp.services import services

ALL_TIME: Final = "all"
"""The value of ``season`` in an address that asks for all evenings of the club."""


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
    seasons = tuple(services().book.seasons.all())
    wanted = request.args.get("season", "")
    if wanted == ALL_TIME or (not wanted and now is None):
        return ChosenSpan(None, seasons)
    if not wanted:
        return ChosenSpan(now, seasons)
    found = next((season for season in seasons if season.id == wanted), None)
    if found is None:
        abort(404, gettext("There is no such season. Choose one from the list."))
    return ChosenSpan(found, seasons)
