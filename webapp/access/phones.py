"""The addresses under which phones in the same network reach the page, and their QR codes."""

from __future__ import annotations

import io
import ipaddress
import socket
from urllib.parse import urlsplit

import segno
from flask_babel import gettext

_ELSEWHERE = ("192.0.2.1", 9)
"""An address reserved for documentation and a port.

Connecting a UDP socket to it sends nothing but makes the system choose this computer's address.
"""


def is_loopback(host: str) -> bool:
    """Whether a server that listens on this host can only be reached from this computer."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def own_address() -> str | None:
    """This computer's address in its network; None if it is not in a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if is_loopback(address) else address


def served_address(host: str, port: int) -> str:
    """The address to open in a browser when the page is served.

    Args:
        host: the host that the server listens on; one that stands for all addresses of this
            computer is replaced by its address in the network.
        port: the port that the server listens on.
    """
    if host in ("0.0.0.0", "::", ""):  # noqa: S104
        host = own_address() or socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def phone_address(host: str) -> str | None:
    """The address for phones if the page was opened under ``host``; None for a loopback host."""
    name = urlsplit(f"//{host}").hostname or ""
    return None if is_loopback(name) else f"http://{host}/"


def qr_svg(address: str) -> bytes:
    """The QR code of an address as an SVG drawing, dark on white."""
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", scale=8, border=4, light="white", title=gettext("Address of this page")
    )
    return out.getvalue()


def qr_terminal(address: str) -> str:
    """The QR code of an address in characters, for a terminal."""
    out = io.StringIO()
    segno.make(address, error="m").terminal(out, compact=True)
    return out.getvalue()
