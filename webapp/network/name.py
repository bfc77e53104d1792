"""Kongbox's name in the network, by which phones find it without a number: ``kongbox.local``."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from zeroconf import Zeroconf

NAME: Final = "kongbox"
"""The name, before ``.local``; a computer that finds it taken puts a number behind it."""

NUMBERS: Final = 9
"""So many names are tried; no club has more computers that run Kongbox at once."""

ANSWER_MS: Final = 1500
"""So many milliseconds another computer has to say that the name is its own."""

_KIND: Final = "_http._tcp.local."
"""The kind of service: a web page."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Announcement:
    """A name that is announced until it is ended.

    Attributes:
        name: the name, with ``.local``.
        network: what answers who asks for it.
    """

    name: str
    network: Zeroconf

    def end(self) -> None:
        """Say that the name is no longer there."""
        close(self.network)


def close(network: Zeroconf) -> None:
    """Answer nobody any more, and leave nothing open."""
    network.close()
    if network.loop is not None:
        network.loop.close()


def announce(ips: Sequence[str], port: int) -> Announcement | None:
    """Announce this computer under the first free name; None where that cannot be done.

    It takes some seconds.

    Args:
        ips: the IPv4 addresses of this computer under which phones reach it.
        port: the port at which the page is served.
    """
    import zeroconf

    # It tells of each network that has gone, which is no fault when a laptop is carried away.
    logging.getLogger(zeroconf.__name__).setLevel(logging.CRITICAL)
    try:
        network = zeroconf.Zeroconf(interfaces=list(ips), ip_version=zeroconf.IPVersion.V4Only)
    except (OSError, zeroconf.Error) as error:
        _log.info("no name can be announced here (%s)", type(error).__name__)
        return None
    try:
        for number in range(1, NUMBERS + 1):
            label = NAME if number == 1 else f"{NAME}-{number}"
            if _take(network, label, ips, port):
                return Announcement(f"{label}.local", network)
    except (OSError, zeroconf.Error) as error:
        _log.info("the name could not be announced (%s)", type(error).__name__)
    close(network)
    return None


def _take(network: Zeroconf, label: str, ips: Sequence[str], port: int) -> bool:
    """Announce a name, unless another computer has it."""
    import zeroconf

    server = f"{label}.local."
    asked = vars(zeroconf)["AddressResolverIPv4"](server)  # Missing in the list of its names.
    if asked.request(network, ANSWER_MS) and not {*asked.parsed_addresses()} & {*ips}:
        return False
    service = zeroconf.ServiceInfo(
        _KIND,
        f"{label}.{_KIND}",
        addresses=[ipaddress.ip_address(ip).packed for ip in ips],
        port=port,
        server=server,
        properties={"path": "/"},
    )
    # Whether the name is free has been asked already.
    network.register_service(service, cooperating_responders=True)
    return True
