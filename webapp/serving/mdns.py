"""Kongbox's name in the network, by which phones find it without a number: ``kongbox.local``."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import sleep
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from zeroconf import Zeroconf

NAME: Final = "kongbox"
"""The name, before ``.local``; a computer that finds it taken puts a number behind it."""

NUMBERS: Final = 9
"""So many names are tried; no club has more computers that run Kongbox at once."""

ANSWER_S: Final = 2.0
"""So many seconds another computer has to say that the name is its own."""

_PARTS: Final = (0.1, 0.7)
"""After which parts of that time it is asked: not before the answer can be heard, and again more
than a second later, since zeroconf takes the same question for an echo before that."""

_KIND: Final = "_http._tcp.local."
"""The kind of service: a web page."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Announcement:
    """A name that is announced until it is ended.

    Attributes:
        name: the name, with ``.local``.
        network: what answers who asks for it.
        ips: the addresses that are answered.
    """

    name: str
    network: Zeroconf
    ips: tuple[str, ...] = ()

    def is_contested(self) -> bool:
        """Whether another computer answers to the name as well; it takes a moment."""
        return bool(_others(f"{self.name}.", self.ips))

    def end(self) -> None:
        """Say that the name is no longer there."""
        close(self.network)


def close(network: Zeroconf) -> None:
    """Answer nobody any more, and leave nothing open."""
    network.close()
    if network.loop is not None:
        network.loop.close()


def announce(ips: Sequence[str], port: int, last: str = "") -> Announcement | None:
    """Announce this computer under the first free name; None where that cannot be done.

    It takes some seconds.

    Args:
        ips: the IPv4 addresses of this computer under which phones reach it.
        port: the port at which the page is served.
        last: the name that it had last, with ``.local``, which is tried first.
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
        for label in _labels(last):
            if _take(network, label, ips, port):
                return Announcement(f"{label}.local", network, tuple(ips))
    except (OSError, zeroconf.Error) as error:
        _log.info("the name could not be announced (%s)", type(error).__name__)
    close(network)
    return None


def _labels(last: str) -> list[str]:
    """The names in the order in which they are tried, before ``.local``."""
    all_of_them = [NAME, *(f"{NAME}-{number}" for number in range(2, NUMBERS + 1))]
    return sorted(all_of_them, key=lambda label: f"{label}.local" != last)


def _take(network: Zeroconf, label: str, ips: Sequence[str], port: int) -> bool:
    """Announce a name, unless another computer has it or takes it at this moment."""
    import zeroconf

    server = f"{label}.local."
    if _others(server, ips):
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
    if _gives_way(ips, _others(server, ips)):
        network.unregister_service(service)
        return False
    return True


def _gives_way(ips: Iterable[str], others: Iterable[str]) -> bool:
    """Whether of computers that took a name at once this one takes another: the lower address."""
    mine, theirs = (max(map(ipaddress.IPv4Address, each), default=None) for each in (ips, others))
    return mine is not None and theirs is not None and mine < theirs


def _others(server: str, ips: Sequence[str]) -> set[str]:
    """The addresses of other computers that answer to a name now, to anyone who asks."""
    import zeroconf
    from zeroconf import DNSAddress, DNSOutgoing, DNSQuestion  # type: ignore[attr-defined]
    from zeroconf.const import _CLASS_IN, _FLAGS_QR_QUERY, _TYPE_A

    question = DNSOutgoing(_FLAGS_QR_QUERY)
    question.add_question(DNSQuestion(server, _TYPE_A, _CLASS_IN))
    # What announces the name itself would take its own answer for the only one.
    asking = zeroconf.Zeroconf(interfaces=list(ips), ip_version=zeroconf.IPVersion.V4Only)
    try:
        for part in _PARTS:
            sleep(ANSWER_S * part)
            asking.send(question)
        sleep(ANSWER_S * (1 - sum(_PARTS)))
        told = asking.cache.get_all_by_details(server, _TYPE_A, _CLASS_IN)
        addresses = {each.address for each in told if isinstance(each, DNSAddress)}
    finally:
        close(asking)
    return {str(ipaddress.ip_address(address)) for address in addresses} - {*ips}
