"""The addresses that this computer has in its networks, the likeliest for phones first."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final

import ifaddr

from webapp.access.phones import own_address

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
        likely: whether phones can be in its network: it is no VPN's and has been given by a router.
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
