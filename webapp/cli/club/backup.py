"""The commands that copy the database and restore a copy."""

from __future__ import annotations

from pathlib import Path

import click

from webapp.backup.backup import AlteredCopy, BackupRefused, back_up
from webapp.backup.backup import check as check_copy
from webapp.backup.backup import restore as put_back
from webapp.backup.integrity import examine_file
from webapp.cli.club.check import tell_copies, tell_history
from webapp.cli.shared import db_option, opened
from webapp.personal_data.brought_back import still_back

_file = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.command()
@_file
@db_option
def backup(file: Path, db: str | None) -> None:
    """Copy everything to the new FILE; safe while the page is being used."""
    try:
        size = back_up(db, file)
    except BackupRefused as error:
        raise click.ClickException(str(error)) from error
    try:
        check_copy(file)
    except BackupRefused as error:
        raise click.ClickException(f"The copy is made but cannot be put back: {error}") from error
    click.echo(f"{file}: {size / 1e6:.1f} MB, checked.")
    tell_copies(db)
    tell_history(examine_file(file))


@click.command()
@_file
@db_option
@click.option("--yes", is_flag=True, help="Do not ask whether what is there may be replaced.")
@click.option("--damaged", is_flag=True, help="Take it even if entries are not as entered.")
def restore(file: Path, db: str | None, *, yes: bool, damaged: bool) -> None:
    """Put the copy in FILE in the place of everything; what was there before is kept beside it.

    FILE was made by kongbox backup or kongbox export, or is the file of “Take everything”. It is
    examined first; one that is not sound replaces nothing.
    """

    def ask(told: list[str]) -> None:
        for line in told:
            click.echo(line)
        click.confirm(f"Replace everything by what is in {file}?", abort=True)

    try:
        kept = put_back(db, file, damaged=damaged, agreed=None if yes else ask)
    except AlteredCopy as error:
        raise click.ClickException(f"{error}\nTo put it back all the same: --damaged.") from error
    except BackupRefused as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"Everything is as it was in {file}.")
    if kept is not None:
        click.echo(f"What was there before is kept in {kept}.")
    with opened(db) as engine:
        for one in still_back(engine):
            click.echo(
                f"{one.name} was erased before and is back. Erase them again: "
                f'kongbox players erase "{one.name}"'
            )
