"""The command that says whether the models and the book are sound."""

from __future__ import annotations

from pathlib import Path

import click
from sqlalchemy.exc import SQLAlchemyError

from webapp.backup.automatic import Backups
from webapp.backup.automatic import told as how_copies_are
from webapp.backup.backup import BackupRefused, database_file
from webapp.backup.backup import check as check_copy
from webapp.backup.integrity import Examined, examine_database, examine_file, told
from webapp.cli.shared import db_option, opened, require_vision
from webapp.database.engine import default_url


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@db_option
def check(file: Path | None, db: str | None) -> None:
    """Check the installation and the integrity of the history.

    With FILE, a copy that kongbox backup made, only that copy is examined; it is not changed.
    """
    if file is not None:
        tell_history(_of_copy(file))
        return
    _check_models()
    if db is not None or database_file(default_url()).exists():
        tell_copies(db)
        tell_history(_of_database(db))


def _check_models() -> None:
    require_vision()
    from vision import ModelError
    from vision.runtime.registry import WEIGHTS, read_model, read_registry

    try:
        for entry in read_registry().values():
            read_model(entry)
            if entry.name != WEIGHTS:
                click.echo(f"{entry.name} {entry.version}: ready")
    except ModelError as error:
        raise click.ClickException(str(error)) from error


def _of_copy(file: Path) -> Examined | None:
    try:
        check_copy(file)
        return examine_file(file)
    except BackupRefused as error:
        raise click.ClickException(str(error)) from error
    except SQLAlchemyError as error:
        raise click.ClickException(f"{file} is damaged. Use an earlier copy.") from error


def _of_database(db: str | None) -> Examined | None:
    with opened(db, SQLAlchemyError) as engine:
        return examine_database(engine)


def tell_copies(db: str | None) -> None:
    """Print the state of the copies that are made while the page is served."""
    for line in how_copies_are(Backups(db).state()):
        click.echo(line)


def tell_history(examined: Examined | None) -> None:
    """Print what was found; a history that is not whole ends the command with exit status 1."""
    lines = told(examined)
    if examined is not None and not examined.whole:
        raise click.ClickException("\n".join(lines))
    for line in lines:
        click.echo(line)
