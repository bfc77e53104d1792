"""The addresses of this computer in its networks, those for phones, and their QR codes."""

from __future__ import annotations

import io
import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

import ifaddr
import segno
from flask import request
from flask_babel import gettext

from webapp.security.headers import is_loopback

EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - the door stands open after a password
"""The host that stands for all IPv4 addresses of this computer, also those it will have."""

EVERYWHERE_6: Final = "::"
"""The same for IPv6: what listens there answers at no IPv4 address."""

HTTP_PORT: Final = 80
"""The port of a web address that names none."""

_WHITE_ON_BLACK: Final = "\x1b[97;40m"
"""What makes a terminal write white on black from here on (ECMA-48, and 97 by habit)."""

_AS_BEFORE: Final = "\x1b[0m"
"""What makes it write as it did before."""

_ELSEWHERE: Final = {4: (socket.AF_INET, "192.0.2.1"), 6: (socket.AF_INET6, "2001:db8::1")}
"""Addresses reserved for documentation.

Connecting a UDP socket to one sends nothing but makes the system choose this computer's address.
"""

_ANY_PORT: Final = 9
"""The port of those; nothing is sent to it."""


def own_address(version: Literal[4, 6] = 4) -> str | None:
    """This computer's address in its network.

    Args:
        version: that of the Internet Protocol.

    Returns:
        None if it has none that others could type: it is in no network, or in one of the other
        version alone.
    """
    family, elsewhere = _ELSEWHERE[version]
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, _ANY_PORT))
            address = str(probe.getsockname()[0])
    except OSError:
        return None
    needs_adapter = version == 6 and ipaddress.ip_address(address).is_link_local
    return None if is_loopback(address) or needs_adapter else address


def is_own(host: str) -> bool:
    """Whether a host is an IP address of this computer."""
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(host).version == 6 else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            # Nothing is sent: what is sent to an own address would come from that address.
            probe.connect((host, _ANY_PORT))
            return bool(probe.getsockname()[0] == host)
    except (OSError, ValueError):
        return False


def served_address(host: str, port: int) -> str:
    """The address to open in a browser when the page is served.

    Args:
        host: the host that the server listens on; one that stands for all addresses of this
            computer is replaced by its address in the network, or else by the loopback address.
        port: the port that the server listens on.
    """
    if host == EVERYWHERE_6:
        host = own_address(6) or "::1"
    elif host in (EVERYWHERE, ""):
        host = own_address() or "127.0.0.1"
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}/" if port == HTTP_PORT else f"http://{name}:{port}/"


def page_address(
    host: str, port: int, named: frozenset[str] = frozenset(), scheme: str = "http"
) -> str:
    """The address of the page for someone who opened it under ``host``.

    It is this computer's, whatever a forged header says: a name that was given when Kongbox was
    started, an IP address of this computer, or its address in the network.

    Args:
        host: the value of the Host header, whose port is not believed either.
        port: the port that the server listens on.
        named: the names that were given.
        scheme: how it is opened under these.
    """
    asked = urlsplit(f"//{host}")
    name = asked.hostname or ""
    if name in named:
        return f"{scheme}://{name}:{port}/" if asked.port == port else f"{scheme}://{name}/"
    if is_loopback(name) or is_own(name):
        return served_address(name, port)
    return served_address(EVERYWHERE_6 if ":" in name else EVERYWHERE, port)


def phone_address(
    host: str, port: int, named: frozenset[str] = frozenset(), scheme: str = "http"
) -> str | None:
    """The address for phones, as :func:`page_address`; None where ``host`` is a loopback host."""
    name = urlsplit(f"//{host}").hostname or ""
    return None if is_loopback(name) else page_address(host, port, named, scheme)


def for_this_computer_alone(address: str) -> bool:
    """Whether an address of the page can be opened on this computer alone."""
    return is_loopback(urlsplit(address).hostname or "")


def server_port() -> int:
    """The port on which the server took in this request."""
    return int(request.environ["SERVER_PORT"])


def qr_svg(address: str) -> bytes:
    """The QR code of an address as an SVG drawing, dark on white."""
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", scale=8, border=4, light="white", title=gettext("Address of this page")
    )
    return out.getvalue()


def qr_terminal(address: str) -> str:
    """The QR code of an address in characters, for a terminal.

    Each line brings its colours, white ink on black ground, so that the code is dark on light on
    every terminal: most readers take no other.
    """
    out = io.StringIO()
    segno.make(address, error="m").terminal(out, compact=True)
    return "".join(f"{_WHITE_ON_BLACK}{line}{_AS_BEFORE}\n" for line in out.getvalue().splitlines())


_NOT_OF_WIFI: Final = re.compile(
    r"vpn|^(tun|tap|utun|wg|ppp|ipsec)\d*|wireguard|tailscale|zerotier|openvpn|nordlynx"
    r"|docker|^veth|^virbr|^br-|vbox|virtualbox|vmware|vmnet|vethernet|hyper-v|wsl|bluetooth",
    re.IGNORECASE,
)
"""What systems call the adapters of VPNs and of computers within this one; no phone is there."""


@dataclass(frozen=True)
class Address:
    """An IPv4 address of this computer.

    Attributes:
        ip: the address.
        adapter: what the system calls the adapter that has it.
        likely: whether phones can be in its network: it is not a VPN's and has been given by a
        router.
    """

    ip: str
    adapter: str
    likely: bool = True

    @property
    def public(self) -> bool:
        """Whether everybody on the internet may reach it, as far as its number tells."""
        return ipaddress.ip_address(self.ip).is_global


def addresses() -> tuple[Address, ...]:
    """This computer's addresses as they are now, the likeliest first; none without a network."""
    by_route = own_address()
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:  # The system keeps its adapters from this program.
        return () if by_route is None else (Address(by_route, ""),)
    found = [
        Address(str(each.ip), adapter.nice_name, likely=_likely(str(each.ip), adapter))
        for adapter in adapters
        for each in adapter.ips
        if each.is_IPv4 and not ipaddress.ip_address(str(each.ip)).is_loopback
    ]
    return tuple(
        sorted(found, key=lambda each: (not each.likely, each.ip != by_route, each.public))
    )


def _likely(ip: str, adapter: ifaddr.Adapter) -> bool:
    named = _NOT_OF_WIFI.search(adapter.nice_name) or _NOT_OF_WIFI.search(adapter.name)
    return not named and not ipaddress.ip_address(ip).is_link_local
