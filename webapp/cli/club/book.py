"""The commands of the club's book: the board, photos, the archive and a made-up season."""

from __future__ import annotations

from pathlib import Path

import click
from sqlalchemy import Engine

from webapp.backup.archive import ArchiveRefused, NotEmpty, read_archive, write_archive_file
from webapp.book.demo_season import BookNotEmpty, fill
from webapp.book.seasons import Span
from webapp.book.statistics import BoardLine
from webapp.cli.shared import db_option, opened, opened_book, season_named
from webapp.club_settings.groups import MAX_DAYS
from webapp.evening.evenings import today
from webapp.exports.board_files import board_csv, board_pdf, board_xlsx, placed
from webapp.runtime.data_folder import data_folder

MAX_DEMO: int = 1000
"""Maximum number of made-up evenings."""
_file = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.command()
@click.option("--season", metavar="NAME", help="A season of the club; else all time.")
@click.option(
    "--to",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a file that ends in .pdf, .csv or .xlsx instead.",
)
@db_option
def board(season: str | None, file: Path | None, db: str | None) -> None:
    """Show the leader board: points, hands won, average payment, best hand, rating."""
    with opened_book(db) as book:
        span = Span() if season is None else season_named(book, season).span
        lines = book.statistics.board(span)
    if file is None:
        for line in _table(lines):
            click.echo(line)
        return
    title = season or "All time"
    if file.suffix == ".csv":
        data = board_csv(lines)
    elif file.suffix == ".xlsx":
        data = board_xlsx(title, lines)
    elif file.suffix == ".pdf":
        data = board_pdf(f"Leader board: {title}", lines)
    else:
        raise click.ClickException(f"{file} must end in .pdf, .csv or .xlsx.")
    try:
        file.write_bytes(data)
    except OSError as error:
        raise click.ClickException(
            f"{file} cannot be written: {error.strerror or error}."
        ) from error
    click.echo(f"{file}: {len(lines)} players.")


def _table(lines: list[BoardLine]) -> list[str]:
    if not lines:
        return ["No hand has been played in this time."]
    head = f"{'':>3} {'Player':<30} {'Points':>9} {'Won':>5} {'Hands':>6} {'Pays':>6} {'Best':>6}"
    rows = [f"{head} {'Rating':>7}"]
    for place, line in placed(lines):
        rating = "-"
        if line.rating is not None:
            rating = f"{line.rating.points}{'?' if line.rating.provisional else ' '}"
        rows.append(
            f"{place:>3} {line.name:<30} {line.total:>+9} {line.won:>5} {line.hands:>6} "
            f"{line.payment:>6.0f} {'-' if line.best is None else line.best:>6} {rating:>7}"
        )
    return rows


@click.command()
@click.argument("how_long", metavar="always|evening|DAYS")
@db_option
def keep(how_long: str, db: str | None) -> None:
    """Keep photos always, for the evening only, or for so many DAYS."""
    known = {"always": None, "evening": 0}
    if how_long in known:
        days = known[how_long]
    elif how_long.isdecimal() and 1 <= int(how_long) <= MAX_DAYS:
        days = int(how_long)
    else:
        raise click.ClickException(
            f"Say always, evening, or a number of days from 1 to {MAX_DAYS}, not {how_long}."
        )
    with opened_book(db) as book:
        book.photos.decide(days)
    click.echo("Older photos go with the next cleaning: kongbox photos clean, or within the hour.")


@click.command()
@db_option
def clean(db: str | None) -> None:
    """Delete the photos that are older than the club keeps them."""
    with opened_book(db) as book:
        gone, (left, size) = book.photos.clean(), book.photos.stored()
    click.echo(f"{gone} photos deleted, {left} kept ({size / 1e6:.1f} MB).")


@click.command("export")
@_file
@db_option
def export_all(file: Path, db: str | None) -> None:
    """Write everything to the new ZIP FILE, as JSON lines and photos; safe while in use."""
    with opened(db, ArchiveRefused) as engine:
        rows = write_archive_file(engine, file)
    click.echo(f"{file}: {rows} rows, {file.stat().st_size / 1e6:.1f} MB.")


@click.command("import")
@_file
@db_option
@click.option(
    "--club",
    metavar="ADDRESS",
    help="Take it into this club of an association, which was added under /clubs and has no book "
    "yet. Who can log in there already goes on so.",
)
@click.option(
    "--files",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="With --club: the data folder of the club's own computer, whose rulesets and tile sets "
    "come, too.",
)
@click.option("--damaged", is_flag=True, help="Take it even if entries are not as entered.")
def import_all(
    file: Path, db: str | None, club: str | None, files: Path | None, *, damaged: bool
) -> None:
    """Take everything from FILE, made by kongbox export, into an empty database."""
    if files is not None and club is None:
        raise click.UsageError("--files needs --club.")
    with opened(db, ArchiveRefused) as engine:
        if club is not None:
            _take_into(engine, club, file, files, damaged=damaged)
            return
        rows = read_archive(engine, file, damaged=damaged)
    click.echo(f"{rows} rows are in the database, as they were when {file} was made.")


def _take_into(engine: Engine, club: str, file: Path, files: Path | None, *, damaged: bool) -> None:
    """Take everything from a file into a club of an association.

    Raises:
        ClickException: there is no such club, or it has a book.
    """
    from webapp.association.clubs import Clubs
    from webapp.association.moving_in import bring_files
    from webapp.association.places import Places
    from webapp.database.schemas import close_own

    clubs = [known.id for known in Clubs(engine).all()]
    if club not in clubs:
        listed = ", ".join(clubs) or "none yet; /clubs adds one"
        raise click.ClickException(f"There is no club {club}. The clubs are: {listed}.")
    places = Places(engine, data_folder())
    own = places.database_of(club)
    try:
        rows = read_archive(own, file, damaged=damaged, beside_accounts=True)
    except NotEmpty as error:
        words = f"{club} has a book already. Add a club under /clubs, and take the file into that."
        raise click.ClickException(words) from error
    finally:
        close_own(own)
    click.echo(f"{rows} rows are in {club}, as they were when {file} was made.")
    if files is not None:
        click.echo(f"{bring_files(places, club, files)} rulesets and tile sets came along.")


@click.command("season")
@click.option(
    "--evenings",
    type=click.IntRange(1, MAX_DEMO),
    default=20,
    show_default=True,
    help="How many evenings are made up.",
)
@click.option("--seed", default=1, show_default=True, help="Another number, other evenings.")
@click.option("--db", metavar="URL", required=True, help="A database without evenings.")
def demo_season(evenings: int, seed: int, db: str) -> None:
    """Fill an empty database with made-up weekly evenings."""
    try:
        with opened_book(db) as book:
            hands = fill(book.engine, evenings=evenings, seed=seed, last_day=today())
    except BookNotEmpty as error:
        raise click.ClickException(
            f"There are evenings in {db} already. Give the address of a new database."
        ) from error
    click.echo(f"{hands} hands of {evenings} evenings. Look at them: kongbox serve --db {db}")
