"""The command that serves the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import TYPE_CHECKING

import click
from sqlalchemy.engine import make_url

from scorer.rules.rulebook import faults
from webapp.cli.output.opening import (
    FIRST_PORT,
    THIS_COMPUTER,
    open_page,
    open_when_served,
    place_to_serve,
    require_free,
)
from webapp.cli.shared import require_vision
from webapp.database.engine import DatabaseError, default_url, only_read
from webapp.database.trouble import TITLES, Trouble, trouble_of
from webapp.runtime.os_support import stop_when_asked
from webapp.security.headers import is_loopback
from webapp.serving.addresses import (
    EVERYWHERE,
    for_this_computer_alone,
    qr_terminal,
    served_address,
)
from webapp.serving.https import NoHttps

if TYPE_CHECKING:
    from webapp.server import Serving


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
    if queued and not association:
        raise click.UsageError("--queue needs --association.")
    place = host or (EVERYWHERE if encrypted else THIS_COMPUTER)
    _serve(_Asked(place, port, db, encrypted=encrypted, association=association, queued=queued))


def start() -> None:
    """Serve the page on this computer and open it in the browser; only open it if it is served."""
    place = place_to_serve()
    address = served_address(THIS_COMPUTER, place.port)
    if place.served:
        click.echo(f"Kongbox is open already, at {address}")
        open_page(address)
    else:
        announced = partial(open_when_served, place.port)
        _serve(_Asked(THIS_COMPUTER, place.port, announced=announced, again=True))


@dataclass(frozen=True)
class _Asked:
    """What is to be served, and where.

    Attributes:
        host: address to listen on.
        port: port to listen on.
        db: address of the database; by default the file in the data folder.
        encrypted: whether it is served by https too.
        association: whether the clubs of an association are served.
        queued: whether their photos are read by workers.
        announced: called when the address has been printed.
        again: whether phones are let in if they were last time.
    """

    host: str
    port: int
    db: str | None = None
    _: KW_ONLY
    encrypted: bool = False
    association: bool = False
    queued: bool = False
    announced: Callable[[], object] | None = None
    again: bool = False

    def serving(self) -> Serving:
        """Whether it is the page of one club, or the server of an association."""
        from webapp.server import Serving

        if not self.association:
            return Serving.CLUB
        return Serving.ASSOCIATION_WITH_WORKERS if self.queued else Serving.ASSOCIATION

    def announce(self) -> None:
        """Print the address, and that for phones; and whether the book can only be read."""
        book = make_url(self.db or default_url())
        if only_read(book):
            click.echo(f"{book.database}: {TITLES[Trouble.READ_ONLY]}; nothing is stored.")
        address = served_address(self.host, self.port)
        click.echo(f"Kongbox is open at {address} (stop it with Ctrl+C)")
        if not is_loopback(self.host) and for_this_computer_alone(address):
            click.echo(
                f"Nobody else can open it yet: this computer is in no network that {self.host} "
                "stands for. Join the Wi-Fi, then start Kongbox again."
            )
        elif not is_loopback(self.host) and not self.association:
            _show_phones(f"{address}enter" if self.encrypted else address)
        if self.encrypted:
            click.echo(
                f"Phones that trust this computer open it by https too: {address}trust says how."
            )
        if self.announced is not None:
            self.announced()


def _show_phones(address: str) -> None:
    """Print the address for phones and its QR code."""
    click.echo(f"{qr_terminal(address)}Phones in the same Wi-Fi open {address} with this code.")


def _serve(asked: _Asked) -> None:
    """Serve the page until it is stopped; what cannot be served ends the command with a message."""
    require_vision()
    from vision import ModelError, model_versions
    from webapp import server

    stop_when_asked()
    try:
        model_versions()
        require_free(asked.host, asked.port)
        for fault in faults():
            click.echo(f"kongbox: {fault}", err=True)
        server.serve(
            asked.host,
            asked.port,
            asked.db,
            encrypted=asked.encrypted,
            serving=asked.serving(),
            announce=asked.announce,
            told=_show_phones,
            again=asked.again,
        )
    except (DatabaseError, ModelError, NoHttps, server.NoSecretary) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        if error.filename is not None and trouble_of(error) is not None:
            raise
        raise click.ClickException(
            f"{asked.host}:{asked.port} cannot be listened on ({error.strerror or error}). "
            "Stop what uses it, or choose another with --port."
        ) from error
