"""The command that serves the page."""

from __future__ import annotations

import signal
import socket
import sys

import click

from scorer.rules.rulebook import faults
from webapp.access.phones import is_loopback, qr_terminal, served_address
from webapp.cli.shared import require_vision
from webapp.database.engine import DatabaseError
from webapp.database.trouble import trouble_of


@click.command()
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
    require_vision()
    from vision import ModelError, model_versions
    from webapp import server

    def announce() -> None:
        address = served_address(host, port)
        click.echo(f"Kongbox is open at {address} (stop it with Ctrl+C)")
        if not is_loopback(host):
            click.echo(qr_terminal(address) + "Phones in the same Wi-Fi open it with this code.")

    # A service manager stops the server by SIGTERM, which must close the database as Ctrl+C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        model_versions()
        _require_free(host, port)
        for fault in faults():
            click.echo(f"kongbox: {fault}", err=True)
        server.serve(host, port, db, announce=announce)
    except (DatabaseError, ModelError, server.NoSecretary) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        if error.filename is not None and trouble_of(error) is not None:
            raise
        raise click.ClickException(
            f"{host}:{port} cannot be listened on ({error.strerror or error}). "
            "Stop what uses it, or choose another with --port."
        ) from error


def _require_free(host: str, port: int) -> None:
    """Check that the address can be listened on, before it is printed.

    Raises:
        OSError: it cannot.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    socket.create_server((host, port), family=family).close()
