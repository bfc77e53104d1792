"""The club's book: its players, seasons, tallies, statistics and photos in one object."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine

from webapp.book.balances import Balances
from webapp.book.contests import Contests
from webapp.book.draws import Draws
from webapp.book.seasons import Seasons
from webapp.book.statistics import Statistics
from webapp.book.tallies import Tallies
from webapp.games.store import GameStore
from webapp.personal_data.photo_keeping import PhotoKeeping
from webapp.personal_data.profiles import People


@dataclass(frozen=True, slots=True)
class ClubBook:
    """The parts of the club's book, all on the same database."""

    engine: Engine
    people: People
    seasons: Seasons
    tallies: Tallies
    statistics: Statistics
    photos: PhotoKeeping
    draws: Draws
    balances: Balances
    contests: Contests


def open_book(engine: Engine, games: GameStore) -> ClubBook:
    """The club's book in this database.

    Args:
        engine: the database.
        games: the store of the games whose hands the book counts.
    """
    tallies = Tallies(engine, games)
    draws = Draws(engine, tallies)
    return ClubBook(
        engine,
        People(engine),
        Seasons(engine),
        tallies,
        Statistics(engine, tallies),
        PhotoKeeping(engine),
        draws,
        Balances(engine),
        Contests(engine, tallies, draws),
    )
