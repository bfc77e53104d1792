"""The command that serves the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from scorer.rules.rulebook import faults
from webapp.access.phones import EVERYWHERE, is_loopback, qr_terminal, served_address
from webapp.cli.shared import require_vision
from webapp.database.engine import DatabaseError
from webapp.database.trouble import trouble_of
from webapp.network.https import NoHttps
from webapp.systems import stop_when_asked
from webapp.terminal.opening import (
    FIRST_PORT,
    THIS_COMPUTER,
    open_page,
    open_when_served,
    place_to_serve,
    require_free,
)


@click.command()
@click.option(
    "--host",
    show_default=f"{THIS_COMPUTER}; with --https {EVERYWHERE}",
    help="Address to listen on.",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=FIRST_PORT,
    show_default=True,
    help="Port to listen on.",
)
@click.option(
    "--db",
    metavar="URL",
    help="Database, as an SQLAlchemy URL; by default a SQLite file in your data folder.",
)
@click.option(
    "--https",
    "encrypted",
    is_flag=True,
    help="Serve the whole Wi-Fi, by http and by https. Phones that trust this computer open the "
    "page by https, also without a connection.",
)
@click.option(
    "--association",
    is_flag=True,
    help="Serve many clubs, each below an address of its own; the page /clubs adds them.",
)
@click.option(
    "--queue",
    "queued",
    is_flag=True,
    help="With --association: photos are read by kongbox worker, on this machine or others.",
)
def serve(
    host: str | None,
    port: int,
    db: str | None,
    *,
    encrypted: bool,
    association: bool,
    queued: bool,
) -> None:
    """Open the page and keep serving it until Ctrl+C.

    Another host than this computer (0.0.0.0 for the whole Wi-Fi) needs a secretary's password:
    see kongbox users.
    """
    place = host or (EVERYWHERE if encrypted else THIS_COMPUTER)
    if queued and not association:
        raise click.UsageError("--queue needs --association.")
    _serve(place, port, db, encrypted=encrypted, many=association, queued=queued)


def start() -> None:
    """Serve the page on this computer and open it in the browser; only open it if it is served."""
    place = place_to_serve()
    address = served_address(THIS_COMPUTER, place.port)
    if place.served:
        click.echo(f"Kongbox is open already, at {address}")
        open_page(address)
    else:
        announced = partial(open_when_served, place.port)
        _serve(THIS_COMPUTER, place.port, None, announced=announced, again=True)


def _show_phones(address: str) -> None:
    """Print the address for phones and its QR code."""
    click.echo(f"{qr_terminal(address)}Phones in the same Wi-Fi open {address} with this code.")


def _serve(
    host: str,
    port: int,
    db: str | None,
    announced: Callable[[], object] | None = None,
    *,
    encrypted: bool = False,
    many: bool = False,
    queued: bool = False,
    again: bool = False,
) -> None:
    """Serve the page until it is stopped.

    Args:
        host: address to listen on.
        port: port to listen on.
        db: address of the database; by default the file in the data folder.
        announced: called when the address has been printed.
        encrypted: whether it is served by https too.
        many: whether the clubs of an association are served.
        queued: whether their photos are read by workers.
        again: whether phones are let in if they were last time.
    """
    require_vision()
    from vision import ModelError, model_versions
    from webapp import server

    def announce() -> None:
        address = served_address(host, port)
        click.echo(f"Kongbox is open at {address} (stop it with Ctrl+C)")
        if not is_loopback(host):
            _show_phones(f"{address}enter" if encrypted else address)
        if encrypted:
            click.echo(
                f"Phones that trust this computer open it by https too: {address}trust says how."
            )
        if announced is not None:
            announced()

    many_clubs = server.Serving.ASSOCIATION_WITH_WORKERS if queued else server.Serving.ASSOCIATION
    serving = many_clubs if many else server.Serving.CLUB
    stop_when_asked()
    try:
        model_versions()
        require_free(host, port)
        for fault in faults():
            click.echo(f"kongbox: {fault}", err=True)
        server.serve(
            host,
            port,
            db,
            encrypted=encrypted,
            serving=serving,
            announce=announce,
            told=_show_phones,
            again=again,
        )
    except (DatabaseError, ModelError, NoHttps, server.NoSecretary) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        if error.filename is not None and trouble_of(error) is not None:
            raise
        raise click.ClickException(
            f"{host}:{port} cannot be listened on ({error.strerror or error}). "
            "Stop what uses it, or choose another with --port."
        ) from error
