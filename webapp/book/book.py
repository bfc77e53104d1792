"""What the pages of the club's book work with, and who may change it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from flask import Flask, abort, current_app, request
from flask_babel import gettext
from flask_login import current_user
from sqlalchemy import Engine

from webapp.access.login import asks_who_you_are
from webapp.book.people import People
from webapp.book.photo_keeping import PhotoKeeping
from webapp.book.seasons import Season, Seasons
from webapp.book.statistics import Span, Statistics
from webapp.book.tallies import Tallies
from webapp.games.store import GameStore

EXTENSION: Final = "kongbox-book"
ALL_TIME: Final = "all"

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class ClubBook:
    """Players, seasons, what hands came to, and how long photos are kept."""

    engine: Engine
    people: People
    seasons: Seasons
    tallies: Tallies
    statistics: Statistics
    photos: PhotoKeeping


def open_book(engine: Engine, games: GameStore) -> ClubBook:
    """The book in this database."""
    tallies = Tallies(engine, games)
    return ClubBook(
        engine,
        People(engine),
        Seasons(engine),
        tallies,
        Statistics(engine, tallies),
        PhotoKeeping(engine),
    )


def keep(app: Flask, kept: ClubBook) -> None:
    """Give the application its book."""
    app.extensions[EXTENSION] = kept


def book() -> ClubBook:
    """The book of the application that answers this request."""
    found: ClubBook = current_app.extensions[EXTENSION]
    return found


def is_secretary() -> bool:
    """Whether the secretary asks: everybody is, where nobody has an account."""
    return not asks_who_you_are() or (
        current_user.is_authenticated and current_user.role == "secretary"
    )


def secretary_only(view: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
    """A view that answers nobody but the secretary."""

    @wraps(view)
    def guarded(*args: _Given.args, **kwargs: _Given.kwargs) -> _Answer:
        if not is_secretary():
            abort(403, gettext("Only the secretary can do this."))
        return view(*args, **kwargs)

    return guarded


@dataclass(frozen=True, slots=True)
class ChosenSpan:
    """The season that was asked for; None for all time."""

    season: Season | None
    seasons: tuple[Season, ...]

    @property
    def span(self) -> Span:
        """Its evenings."""
        if self.season is None:
            return Span()
        return Span(self.season.first_day, self.season.last_day)

    @property
    def value(self) -> str:
        """What stands for it in an address."""
        return ALL_TIME if self.season is None else self.season.id

    @property
    def title(self) -> str:
        """What it is called."""
        return gettext("All time") if self.season is None else self.season.name


def chosen_span(now: Season | None = None) -> ChosenSpan:
    """The season in the address: that of today where none is named, else all time.

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
