"""What several commands share: the exit status, the database option, and how refusals are shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NoReturn

import click

from scorer.errors import DealError, GameError

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from webapp.book.book import ClubBook
    from webapp.book.seasons import Season

INPUT_ERROR: Final = 2
"""Exit status when something that was given could not be scored or read."""

db_option: Final = click.option("--db", metavar="URL", help="Database, as for kongbox serve.")
"""The option that names the database of a command that works on one."""


@contextmanager
def opened(db: str | None, *refusals: type[Exception]) -> Iterator[Engine]:
    """The database that a command works on; closed behind it.

    Args:
        db: its address; by default the file in the data folder.
        refusals: errors that end the command with their message, as those of the database do.
    """
    from webapp.database.engine import DatabaseError, open_database

    told: tuple[type[Exception], ...] = (DatabaseError, *refusals)
    try:
        engine = open_database(db)
        try:
            yield engine
        finally:
            engine.dispose()
    except told as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def opened_book(db: str | None) -> Iterator[ClubBook]:
    """The club's book in a database; its errors end the command with a message."""
    from webapp.book.book import open_book
    from webapp.games.store import GameStore
    from webapp.people.names import NameRefused

    with opened(db, NameRefused) as engine:
        yield open_book(engine, GameStore(engine))


def season_named(book: ClubBook, name: str) -> Season:
    """The season of the club that has this name, in capitals or not.

    Raises:
        ClickException: there is none.
    """
    seasons = book.seasons.all()
    for season in seasons:
        if season.name.casefold() == name.casefold():
            return season
    known = ", ".join(season.name for season in seasons) or "none yet"
    raise click.ClickException(f"There is no season {name}. The seasons are: {known}.")


def refuse(error: DealError | GameError, *, as_json: bool) -> NoReturn:
    """Print what is wrong with the input and end with exit status 2.

    Args:
        error: what is wrong; printed on one line of standard error.
        as_json: whether it is printed as a JSON object on standard output too.
    """
    click.echo(f"kongbox: {' '.join(str(error).split())}", err=True)
    if as_json:
        told = {"error": error.to_json()}
        if isinstance(error, DealError):
            told = error.refusal_json()
        click.echo(json.dumps(told, ensure_ascii=False))
    sys.exit(INPUT_ERROR)


def require_vision() -> None:
    """Make sure that photos can be read on this computer.

    Raises:
        ClickException: a system package that OpenCV needs is missing; the message names it.
    """
    try:
        import vision.runtime.opencv  # noqa: F401
    except ImportError as error:
        raise click.ClickException(str(error)) from error
