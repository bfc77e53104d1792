"""The ``kongbox`` command: score deals, read photos, open the page."""

from __future__ import annotations

import json
import signal
import socket
import sys
from importlib.metadata import version
from typing import BinaryIO

import click

import scorer
from scorer import DealError
from scorer.rules.rulebook import faults
from scorer.tiles import SEAT_NAMES
from webapp.access.phones import is_loopback, qr_terminal, served_address
from webapp.cli.backup import backup, restore
from webapp.cli.book import board, demo, export_all, import_all, photos
from webapp.cli.compare import compare_deal, why
from webapp.cli.game import game
from webapp.cli.players import players
from webapp.cli.read import read
from webapp.cli.rules import rules
from webapp.cli.sets import sets
from webapp.cli.users import users
from webapp.cli.waits import waits
from webapp.cli.watch import watch
from webapp.database.engine import data_folder
from webapp.deal.documents import Document, read_documents
from webapp.rulesets.files import use_folder
from webapp.terminal.dispute import other_readings, readings_json, readings_lines
from webapp.terminal.score import score_table

INPUT_ERROR = 2
"""Exit status when something that was given could not be scored or read."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("kongbox"), prog_name="kongbox")
def main() -> None:
    """Read mahjong tiles from photos, score every hand, settle the payments."""
    use_folder(data_folder())


main.add_command(backup)
main.add_command(board)
main.add_command(compare_deal)
main.add_command(demo)
main.add_command(export_all)
main.add_command(game)
main.add_command(import_all)
main.add_command(photos)
main.add_command(players)
main.add_command(read)
main.add_command(restore)
main.add_command(rules)
main.add_command(sets)
main.add_command(users)
main.add_command(waits)
main.add_command(watch)
main.add_command(why)


@main.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option(
    "--ruleset", metavar="ID", help="Score by this ruleset, whichever one the deals name."
)
@click.option(
    "--all-readings", is_flag=True, help="Add each hand's other lawful readings, best first."
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON result per line.")
def score(file: BinaryIO, ruleset: str | None, *, all_readings: bool, as_json: bool) -> None:
    """Score deals from FILE, or from standard input.

    FILE holds one deal as JSON, or one deal per line. A deal that cannot be scored is told on
    standard error and makes the exit status 2; the others are scored all the same.
    """
    try:
        documents = read_documents(file.read())
    except DealError as error:
        documents = [Document(1, error=error)]
    failed = False
    for number, document in enumerate(documents, 1):
        try:
            deal = _deal(document, ruleset)
            result = scorer.score_deal(deal)
        except DealError as error:
            failed = True
            which = f"deal {number} (line {document.line}): " if len(documents) > 1 else ""
            click.echo(f"kongbox: {which}{_told(error)}", err=True)
            if as_json:
                click.echo(_json({"error": error.to_json()}))
            continue
        others = other_readings(deal) if all_readings else {}
        if as_json:
            more = {"readings": readings_json(others)} if all_readings else {}
            click.echo(_json(result.to_json() | more))
        else:
            told = [score_table(result), *readings_lines(deal, others)]
            click.echo(("\n" if number > 1 else "") + "\n".join(told))
    sys.exit(INPUT_ERROR if failed else 0)


def _deal(document: Document, ruleset: str | None) -> scorer.Deal:
    if document.error is not None:
        raise document.error
    value = document.value
    if ruleset is not None and isinstance(value, dict):
        value = {**value, "ruleset": ruleset}
    return scorer.parse_deal(value)


def _told(error: DealError) -> str:
    """The error on one line, naming the player, the field and what is wrong."""
    seat = error.player
    player = f"player {seat} ({SEAT_NAMES[seat]}), " if seat in SEAT_NAMES else ""
    return " ".join(f"{player}{error.field}: {error.message}".split())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option(
    "--db",
    metavar="URL",
    help="Database, as an SQLAlchemy URL; by default a SQLite file in your data folder.",
)
def serve(host: str, port: int, db: str | None) -> None:
    """Open the page and keep serving it until Ctrl+C.

    Another host than this computer (0.0.0.0 for the whole Wi-Fi) needs a secretary's password:
    see kongbox users.
    """
    _require_vision()
    import webapp
    from vision import ModelError, model_versions
    from webapp.database.engine import DatabaseError

    def announce() -> None:
        address = served_address(host, port)
        click.echo(f"Kongbox is open at {address} (stop it with Ctrl+C)")
        if not is_loopback(host):
            click.echo(qr_terminal(address) + "Phones in the same Wi-Fi open it with this code.")

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # stopped from outside, it ends tidily
    try:
        model_versions()
        _require_free(host, port)
        for fault in faults():
            click.echo(f"kongbox: {fault}", err=True)
        webapp.serve(host, port, db, announce=announce)
    except (DatabaseError, ModelError, webapp.NoSecretary) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(
            f"{host}:{port} cannot be listened on ({error.strerror or error}). "
            "Stop what uses it, or choose another with --port."
        ) from error


def _require_free(host: str, port: int) -> None:
    """Raises OSError unless the address can be listened on, before it is told to anybody."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    socket.create_server((host, port), family=family).close()


@main.command()
def check() -> None:
    """Tell whether this computer has all that Kongbox needs."""
    _require_vision()
    from vision import ModelError
    from vision.runtime.registry import read_model, read_registry

    try:
        for entry in read_registry().values():
            read_model(entry)
            click.echo(f"{entry.name} {entry.version}: ready")
    except ModelError as error:
        raise click.ClickException(str(error)) from error


def _require_vision() -> None:
    """Makes sure that photos can be read here, or says which system package is missing."""
    try:
        import vision.runtime.opencv  # noqa: F401
    except ImportError as error:
        raise click.ClickException(str(error)) from error
