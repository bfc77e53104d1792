"""The page's address for the phones in the same network, and its QR code."""

from __future__ import annotations

import io
import ipaddress
import socket
from urllib.parse import urlsplit

import segno
from flask_babel import gettext

_ELSEWHERE = ("192.0.2.1", 9)
"""An address kept for documentation: naming it sends nothing, but tells the way out of here."""


def is_loopback(host: str) -> bool:
    """Whether what listens on this host can be reached from this computer alone."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def own_address() -> str | None:
    """This computer's address in its network; None where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if is_loopback(address) else address


def served_address(host: str, port: int) -> str:
    """The address to open where the page listens on ``host``: any address becomes this one's."""
    if host in ("0.0.0.0", "::", ""):  # noqa: S104
        host = own_address() or socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def phone_address(host: str) -> str | None:
    """The address for phones where the page was opened under ``host``; None if there is none."""
    name = urlsplit(f"//{host}").hostname or ""
    return None if is_loopback(name) else f"http://{host}/"


def qr_svg(address: str) -> bytes:
    """The QR code as an SVG drawing, dark on white."""
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", scale=8, border=4, light="white", title=gettext("Address of this page")
    )
    return out.getvalue()


def qr_terminal(address: str) -> str:
    """The QR code in characters, for a terminal."""
    out = io.StringIO()
    segno.make(address, error="m").terminal(out, compact=True)
    return out.getvalue()
