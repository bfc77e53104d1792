"""The command that reads photos for an association's servers, on this machine or another."""

from __future__ import annotations

import os

import click

from webapp.cli.shared import require_vision
from webapp.database.engine import DatabaseError, open_database
from webapp.runtime.os_support import stop_when_asked
from webapp.serving.log import show_log


@click.command()
@click.option(
    "--db",
    metavar="URL",
    required=True,
    help="The association's database, as for kongbox serve --association.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    help="Photos that are read at one time; by default one for each two processors.",
)
def worker(db: str, processes: int | None) -> None:
    """Read the photos that wait in an association's database, until Ctrl+C.

    Any number of workers may run, on any machine that reaches the database. One that is stopped
    first finishes what it reads; what one that dies has left is read by another.
    """
    require_vision()
    try:
        from webapp.association.queue.metrics import serve_figures
        from webapp.association.queue.worker import Worker
    except ImportError as error:
        raise click.ClickException(
            "A worker needs more than is installed: install kongbox[association]."
        ) from error
    from webapp.association.applications import METRICS, require_shared
    from webapp.photos.workers import WorkerProcesses

    stop_when_asked()
    show_log()
    try:
        engine = open_database(db)
        require_shared(engine)
    except DatabaseError as error:
        raise click.ClickException(str(error)) from error
    found = Worker(engine, WorkerProcesses(places=processes))
    figures = os.environ.get(METRICS)
    if figures:
        serve_figures(figures, found.tasks)
    click.echo("Photos are read here as they come (stop it with Ctrl+C).")
    try:
        found.run()
    finally:
        found.close()
        engine.dispose()
