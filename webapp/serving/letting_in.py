"""Letting phones in: the page of this computer is served to its networks too, until it is ended."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Final, Protocol

from webapp.security.headers import is_loopback
from webapp.serving.addresses import (
    EVERYWHERE,
    HTTP_PORT,
    Address,
    addresses,
    for_this_computer_alone,
    is_own,
    served_address,
)
from webapp.serving.listeners import Listener
from webapp.serving.mdns import Announcement, announce

EXTENSION: Final = "kongbox-phones"
"""The key of the application's extensions under which it is kept whether phones are let in."""

FILE: Final = "phones.json"
"""The file of the data folder that is there as long as phones are to be let in."""

PORTS: Final = 10
"""So many ports are tried behind that of this computer's own page."""

MOST: Final = 65535
"""The greatest number of a port."""

LOOK_S: Final = 3.0
"""After how many seconds it is looked again whether this computer's addresses have changed."""

CONTEST_S: Final = 60.0
"""After how many seconds it is asked again whether another computer answers to the same name."""

COUNTED: Final = 200
"""So many phones are told apart; more than any club has."""

_log = logging.getLogger(__name__)


class NoWayIn(Exception):
    """Every port that was tried belongs to another program."""


class Doors(Protocol):
    """What serves the page, at one place or several, and can be stopped."""

    def open(self, host: str, port: int) -> Listener:
        """Serve the page at another place too."""

    def close(self, listener: Listener) -> None:
        """Serve the page at a place no longer."""

    def stop(self) -> None:
        """Serve no more."""


@dataclass(frozen=True)
class _Served:
    """How the page is served: by what, and at which place from the start."""

    doors: Doors
    host: str
    port: int
    told: Callable[[str], object] | None


@dataclass
class LettingIn:
    """Whether phones are let in, where they find the page, and whether one has come.

    Attributes:
        folder: where it is kept that they are.
        look: tells this computer's addresses.
        name: announces this computer in its network.
        first_port: the port that is tried first.
    """

    folder: Path
    look: Callable[[], Sequence[Address]] = addresses
    name: Callable[[Sequence[str], int, str], Announcement | None] = announce
    first_port: int = HTTP_PORT
    _served: _Served | None = None
    _door: Listener | None = None
    _announced: Announcement | None = None
    _announced_for: tuple[tuple[str, ...], int] | None = None
    _asked_at: float = 0.0
    _phones: set[str] = field(default_factory=set)
    _lock: RLock = field(default_factory=RLock)

    def serve(
        self, doors: Doors, host: str, port: int, told: Callable[[str], object] | None = None
    ) -> None:
        """Say by what and where the page is served, before it is.

        Args:
            doors: what serves it.
            host: the address from the start.
            port: its port.
            told: is given the address for phones whenever they are let in.
        """
        self._served = _Served(doors, host, port, told)

    @property
    def can_be_stopped(self) -> bool:
        """Whether the page is served by something that can stop."""
        return self._served is not None

    @property
    def is_asked(self) -> bool:
        """Whether letting phones in is for this page to decide: else how it was started has."""
        return self._served is not None and is_loopback(self._served.host)

    @property
    def from_the_start(self) -> str | None:
        """The address for phones where the page was served to the network from the start.

        None where it was not, or this computer is in no network.
        """
        if self._served is None or self.is_asked:
            return None
        address = served_address(self._served.host, self._served.port)
        return None if for_this_computer_alone(address) else address

    @property
    def port(self) -> int | None:
        """The port for phones; None where they are not let in."""
        return None if self._door is None else self._door.port

    @property
    def phones(self) -> int:
        """How many phones have come since they were let in."""
        return len(self._phones)

    @property
    def names(self) -> frozenset[str]:
        """The names under which this computer is announced."""
        return frozenset() if self._announced is None else frozenset({self._announced.name})

    @property
    def name_failed(self) -> bool:
        """Whether it was tried in vain to announce a name."""
        return self._announced is None and self._announced_for is not None

    def address(self, ip: str = "") -> str | None:
        """The address for phones; None where they are not let in, or there is no network.

        Args:
            ip: the address of this computer that was chosen, if it still has it.
        """
        if self._door is None:
            return None
        ips = [each.ip for each in self.look()]
        if not ips:
            return None
        return served_address(ip if ip in ips else ips[0], self._door.port)

    def open(self) -> None:
        """Let phones in, now and whenever Kongbox is started without a command.

        Raises:
            NoWayIn: no port is free.
        """
        with self._lock:
            if self._served is None or self._door is not None:
                return
            self._door = self._open_door(self._served)
            self._phones.clear()
            self._keep(port=self._door.port)
            _log.info("phones are let in")
            address = self.address()
            if address is not None and self._served.told is not None:
                self._served.told(address)

    def open_again(self) -> None:
        """Let phones in if they were when Kongbox was served last."""
        if self.is_asked and (self.folder / FILE).exists():
            try:
                self.open()
            except NoWayIn:
                _log.warning("phones could not be let in again: no port is free")

    def close(self) -> None:
        """Keep phones out, now and when Kongbox is started again."""
        with self._lock:
            (self.folder / FILE).unlink(missing_ok=True)
            if self._served is None or self._door is None:
                return
            self._served.doors.close(self._door)
            self._door = None
            _log.info("phones are kept out")

    def stop(self) -> None:
        """Have the page served no more, as soon as what is being answered is answered."""
        if self._served is not None:
            self._served.doors.stop()

    def greet(self, sender: str) -> None:
        """Note that someone asks for a page, who may be the first on a phone."""
        if self._door is None or sender in self._phones or len(self._phones) >= COUNTED:
            return
        if not is_loopback(sender) and not is_own(sender):
            self._phones.add(sender)

    def look_again(self) -> None:
        """Announce the name under the addresses of this moment; end it where phones are kept out.

        To be called now and then: a laptop is carried from one network into another, where another
        computer may have the name.
        """
        port = self.port
        ips = () if port is None else tuple(sorted(it.ip for it in self.look() if it.likely))
        wanted = (ips, port) if port is not None and ips else None
        if wanted == self._announced_for and not self._is_contested():
            return
        self.end_name()
        if wanted is not None:
            self._announced = self.name(*wanted, str(self._kept().get("name", "")))
            self._announced_for, self._asked_at = wanted, monotonic()
            self._keep_name()

    def end_name(self) -> None:
        """Announce the name no longer."""
        announced, self._announced, self._announced_for = self._announced, None, None
        if announced is not None:
            announced.end()

    def _is_contested(self) -> bool:
        """Whether another computer answers to the name, as far as it was asked again now."""
        if self._announced is None or monotonic() - self._asked_at < CONTEST_S:
            return False
        self._asked_at = monotonic()
        contested = self._announced.is_contested()
        if contested:
            _log.warning("another computer answers to %s, too", self._announced.name)
        return contested

    def _keep_name(self) -> None:
        """Remember the name: phones will look for this computer under it."""
        with self._lock:
            if self._announced is not None and self._door is not None:
                self._keep(name=self._announced.name)

    def _open_door(self, served: _Served) -> Listener:
        others = range(served.port + 1, min(served.port + PORTS, MOST) + 1)
        for port in (self._kept_port() or self.first_port, self.first_port, *others):
            try:
                return served.doors.open(EVERYWHERE, port)
            except OSError:
                continue
        raise NoWayIn

    def _kept_port(self) -> int | None:
        port = self._kept().get("port")
        return port if isinstance(port, int) and 0 < port <= MOST else None

    def _kept(self) -> dict[str, object]:
        """What the note says; nothing where there is none, or it is damaged."""
        try:
            kept = json.loads((self.folder / FILE).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def _keep(self, **changed: object) -> None:
        """Remember something for the next start; where that cannot be written, all goes on."""
        try:
            (self.folder / FILE).write_text(json.dumps({**self._kept(), **changed}), "utf-8")
        except OSError:
            _log.exception("it could not be kept that phones are let in")
