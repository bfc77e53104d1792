"""The commands for the players of the club: listing, renaming, exporting and erasing them."""

from __future__ import annotations

from pathlib import Path

import click

from webapp.book.book import ClubBook
from webapp.cli.shared import db_option, opened_book
from webapp.exports.person_file import person_zip
from webapp.list_import.drafts import FOLDER, Drafts
from webapp.personal_data.erasure import erase as erase_person
from webapp.personal_data.profiles import Person
from webapp.runtime.data_folder import data_folder


def _player(book: ClubBook, name: str) -> Person:
    found = book.people.named(name)
    if found is None:
        raise click.ClickException(
            f"Nobody in the book is called {name}. See: kongbox players list"
        )
    return found


@click.command("list")
@db_option
def listed(db: str | None) -> None:
    """List everybody in the book, with earlier names."""
    with opened_book(db) as book:
        for person in book.people.all():
            former = ", ".join(name for name, _ in person.former)
            notes = [f"earlier: {former}"] if former else []
            notes += [f"member {person.member}"] if person.member else []
            click.echo("\t".join([person.name, *notes]))


@click.command()
@click.argument("name")
@click.argument("new_name")
@db_option
def rename(name: str, new_name: str, db: str | None) -> None:
    """Call NAME by NEW_NAME from now on, at all tables; the old name is kept with its date."""
    with opened_book(db) as book:
        person = book.people.rename(_player(book, name).id, new_name)
    click.echo(f"{name} is now called {person.name}.")


@click.command()
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@db_option
def export(name: str, file: Path, db: str | None) -> None:
    """Write everything about NAME to the new ZIP FILE."""
    with opened_book(db) as book:
        data = person_zip(book, _player(book, name).id)
    try:
        with file.open("xb") as target:
            file.chmod(0o600)
            target.write(data)
    except OSError as error:
        raise click.ClickException(
            f"{file} cannot be written: {error.strerror or error}."
        ) from error
    click.echo(f"{file}: {len(data) / 1e6:.1f} MB.")


@click.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@db_option
def erase(name: str, db: str | None, *, yes: bool) -> None:
    """Replace NAME by a neutral one everywhere, and delete the photos of their hands.

    Hands, totals and payments stay, so that the tables add up. This cannot be taken back; copies
    of the database that were made before keep the name.
    """
    with opened_book(db) as book:
        person = _player(book, name)
        if not yes:
            click.confirm(f"Erase {person.name} for good?", abort=True)
        done = erase_person(book.engine, person.id)
        Drafts(data_folder() / FOLDER).forget_named(person.names)
    click.echo(
        f"Erased: now called {done.now_called} at {done.tables} tables; "
        f"{done.photos} photos deleted."
    )
