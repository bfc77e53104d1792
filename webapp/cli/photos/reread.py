"""The command that reads an archive of photos again and says what would change."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from tqdm import tqdm

from webapp.cli.shared import db_option, require_vision
from webapp.database.engine import DatabaseError, open_database
from webapp.runtime.data_folder import data_folder, in_folder
from webapp.runtime.os_support import stop_when_asked

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from webapp.photos.workers import Workshop
    from webapp.rereading.choosing import Where

PAUSED: Final = 130
"""Exit status of a re-reading that was stopped, as of any command that Ctrl+C ends."""


@dataclass(frozen=True)
class Asked:
    """What is to be read again.

    Attributes:
        where: which photos.
        association: whether those of all its clubs are meant.
        workers: whether workers read them.
        state: the file of the progress.
    """

    where: Where
    association: bool
    workers: bool
    state: Path


@click.command()
@click.option(
    "--where",
    "conditions",
    multiple=True,
    metavar="CONDITION",
    help="Which photos: since=DAY, until=DAY, set=NAME, set=nothing or corrected. Say it once for "
    "each; without it all are read.",
)
@db_option
@click.option("--association", is_flag=True, help="The photos of all clubs of an association.")
@click.option("--workers", is_flag=True, help="Let kongbox worker read them, after all that wait.")
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    default="reread.jsonl",
    show_default=True,
    help="The file that tells how far it has come.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the report as one JSON object.")
def reread(
    conditions: tuple[str, ...],
    db: str | None,
    state: Path,
    *,
    association: bool,
    workers: bool,
    as_json: bool,
) -> None:
    """Read stored photos again and report what would change. No deal is altered.

    Each new reading is checked against the one that is kept, and against what people corrected.
    Ctrl+C pauses it: the same command goes on where it was, also after a power cut, and reads no
    photo twice.
    """
    require_vision()
    from vision import ModelError
    from webapp.rereading.choosing import WhereRefused, read_where
    from webapp.rereading.progress import ProgressRefused
    from webapp.rereading.report import report, report_lines
    from webapp.rereading.rereading import Paused

    stop_when_asked()
    try:
        asked = Asked(read_where(conditions), association, workers, state)
        with _opened(db, asked) as (engine, workshop):
            told = report(*_read_all(engine, workshop, asked))
    except Paused:
        click.echo(f"Paused. The same command goes on; {state} tells where.", err=True)
        sys.exit(PAUSED)
    except (DatabaseError, ModelError, ProgressRefused, WhereRefused) as error:
        raise click.ClickException(str(error)) from error
    click.echo(json.dumps(told, ensure_ascii=False) if as_json else "\n".join(report_lines(told)))


@contextmanager
def _opened(db: str | None, asked: Asked) -> Iterator[tuple[Engine, Workshop]]:
    """The database, and where its photos are read; both are closed at the end."""
    from webapp.photos.workers import LATER_NICENESS, WorkerProcesses

    with ExitStack() as closing:
        engine = open_database(db)
        closing.callback(engine.dispose)
        local = WorkerProcesses(niceness=LATER_NICENESS)
        closing.callback(local.close)
        yield engine, _queued(engine, local, closing) if asked.workers else local


def _queued(engine: Engine, local: Workshop, closing: ExitStack) -> Workshop:
    """The workshop of an association's workers, who read these photos last."""
    from webapp.association.applications import require_shared

    require_shared(engine)
    from webapp.association.machines.signals import Signals
    from webapp.association.queue.tasks import READ_DONE, Priority, Tasks
    from webapp.association.queue.workshop import LATER_DEADLINE_S, Arrivals, QueuedWorkshop

    tasks, arrivals, signals = Tasks(engine), Arrivals(), Signals(engine)
    closing.callback(tasks.close)
    signals.start({READ_DONE: arrivals.heard})
    closing.callback(signals.close)
    return QueuedWorkshop(tasks, arrivals, local, LATER_DEADLINE_S, Priority.LATER)


def _read_all(engine: Engine, workshop: Workshop, asked: Asked) -> tuple[list[Any], int]:
    """Read the photos of all clubs; gives what was found, and of how many no picture is left."""
    from webapp.rereading.choosing import KeptPhotos
    from webapp.rereading.progress import Progress
    from webapp.rereading.rereading import Rereading, models

    task = {"kongbox": "reread", "where": asked.where.told(), "models": models()}
    gone = 0
    with Progress(asked.state, task) as progress:
        for club, own, folder in _clubs(engine, asked):
            photos = KeptPhotos(own)
            ids, gone = photos.taken(asked.where), gone + photos.gone(asked.where)
            rereading = Rereading(photos, workshop, progress, club, patient=asked.workers)
            with (
                nullcontext() if folder is None else in_folder(folder),
                tqdm(total=len(ids), unit="photo", desc=club or None, disable=None) as bar,
            ):
                rereading.run(ids, asked.where, bar.update)
        return list(progress.done.values()), gone


def _clubs(engine: Engine, asked: Asked) -> Iterator[tuple[str, Engine, Path | None]]:
    """The address, the database and the folder of each club; of the only one no more than that."""
    if not asked.association:
        yield "", engine, None
        return
    from webapp.association.clubs import Clubs
    from webapp.association.machines.mirror import Mirror
    from webapp.association.places import Places

    places = Places(engine, data_folder())
    for club in Clubs(engine).all():
        own, folder = places.database_of(club.id), places.folder_of(club.id)
        if own.dialect.name != "sqlite":
            Mirror(own, folder).pull()
        yield club.id, own, folder
