"""The commands that copy the database and restore a copy."""

from __future__ import annotations

from pathlib import Path

import click
from sqlalchemy.exc import SQLAlchemyError

from webapp.cli.check import tell_history
from webapp.cli.shared import db_option
from webapp.database.engine import DatabaseError
from webapp.upkeep.backup import BackupRefused, back_up, database_file
from webapp.upkeep.backup import check as check_copy
from webapp.upkeep.backup import restore as put_back
from webapp.upkeep.soundness import Examined, examine_file, told

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
    click.echo(f"{file}: {size / 1e6:.1f} MB, checked.")
    tell_history(examine_file(file))


@click.command()
@_file
@db_option
@click.option("--yes", is_flag=True, help="Do not ask whether what is there may be replaced.")
def restore(file: Path, db: str | None, *, yes: bool) -> None:
    """Put the copy in FILE in the place of everything; what was there before is kept beside it."""
    try:
        if database_file(db).exists() and not yes:
            for line in told(_history(file)):
                click.echo(line)
            click.confirm(f"Replace everything by what is in {file}?", abort=True)
        kept = put_back(db, file)
    except (BackupRefused, DatabaseError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"Everything is as it was in {file}.")
    if kept is not None:
        click.echo(f"What was there before is kept in {kept}.")


def _history(file: Path) -> Examined | None:
    check_copy(file)
    try:
        return examine_file(file)
    except SQLAlchemyError as error:
        raise BackupRefused(f"{file} is damaged. Use an earlier copy.") from error
