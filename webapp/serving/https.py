"""Whether the page is served by https too, and the certificate for the moment.

A certificate is made when the first connection needs one, and a new one when it is about to end or
a connection comes to an address that it does not name: nothing has to be started again.
"""

from __future__ import annotations

import logging
import os
import socket
import ssl
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkstemp
from threading import Lock
from typing import TYPE_CHECKING, Final

from flask import current_app

from webapp.security.headers import named_hosts
from webapp.serving import mdns
from webapp.serving.addresses import is_own, own_address

if TYPE_CHECKING:
    from cryptography import x509

    from webapp.serving.certificates import Authority

EXTENSION: Final = "kongbox-https"
"""The key of the application's extensions under which its https is kept."""

ON: Final = "on"
"""The file that is there as long as https was switched on for good."""

NAME: Final = f"{mdns.NAME}.local"
"""The name under which phones find this computer where their Wi-Fi knows such names."""

_log = logging.getLogger(__name__)


class NoHttps(RuntimeError):
    """This computer cannot make certificates; the message says what to do."""


def _now() -> datetime:
    return datetime.now(UTC)


class Https:
    """The page by https, which is off at first.

    Args:
        folder: where the authority's file is kept.
        now: tells the time.
        announced: tells the names under which this computer is announced in its network.
    """

    def __init__(
        self,
        folder: Path,
        now: Callable[[], datetime] = _now,
        announced: Callable[[], frozenset[str]] = frozenset,
    ) -> None:
        self._folder = folder
        self._now = now
        self._announced = announced
        self._lock = Lock()
        self._authority: Authority | None = None
        self._certificate: x509.Certificate | None = None
        self._context: ssl.SSLContext | None = None
        self._named: frozenset[str] = frozenset()
        self._uncovered: set[str] = set()

    @property
    def authority(self) -> Authority | None:
        """What phones are told to trust; None while https is off."""
        return self._authority

    @property
    def on(self) -> bool:
        """Whether the page is served by https too."""
        return self._authority is not None

    def door(self, address: str) -> str:
        """Where phones come in that open this address of the page by http.

        Where https is on, a page there leads those that trust this computer on to https: a browser
        shows a whole page of warnings to who opens an address by https that it does not trust.
        """
        return f"{address}enter" if self.on else address

    def turn_on(self, *, for_good: bool = False) -> None:
        """Serve the page by https too, from the next connection on.

        Args:
            for_good: whether it is remembered for the next start.

        Raises:
            NoHttps: the authority cannot be made or read.
        """
        try:
            from webapp.serving import certificates
        except ImportError as error:
            raise NoHttps(
                "Certificates cannot be made on this computer, because a part of Kongbox "
                "(cryptography) is not installed. Everything but starting without a connection "
                "and the camera in the page works without https."
            ) from error
        try:
            opened = certificates.open_authority(self._folder, self._now())
            if for_good:
                (self._folder / ON).touch()
        except certificates.DamagedAuthority as error:
            raise NoHttps(str(error)) from error
        except OSError as error:
            raise NoHttps(
                f"The certificates that https needs cannot be kept in {self._folder} "
                f"({error.strerror or error})."
            ) from error
        with self._lock:
            self._authority, self._context = opened, None

    def turn_on_again(self) -> None:
        """Serve it by https too if that was switched on for good; where it cannot, it is logged."""
        if (self._folder / ON).exists():
            try:
                self.turn_on()
            except NoHttps:
                _log.exception("https could not be switched on again")

    def turn_off(self) -> None:
        """Serve the page by http alone, from the next connection on, and after the next start."""
        with self._lock:
            self._authority = None
        (self._folder / ON).unlink(missing_ok=True)

    def context(self, address: str) -> ssl.SSLContext | None:
        """The settings of TLS for a connection to this address of this computer.

        Returns:
            None if https is off.
        """
        address = address.partition("%")[0]
        with self._lock:
            if self._authority is None:
                return None
            if self._lacks(address, self._authority):
                try:
                    self._renew(address)
                except (OSError, ValueError):
                    _log.exception("no certificate could be made")
            return self._context

    def _lacks(self, address: str, authority: Authority) -> bool:
        """Whether a new certificate is needed for a connection to this address."""
        from webapp.serving.certificates import is_over

        if self._certificate is None or self._context is None:
            return True
        if address not in self._uncovered and not authority.covers(address):
            self._uncovered.add(address)
            _log.warning("https is not to be had at %s: no authority for it", address)
        wanted = set(filter(authority.covers, {address, *self._announced()}))
        return not wanted <= self._named or is_over(self._certificate, self._now())

    def _renew(self, address: str) -> None:
        """Make a certificate for every address and name that this computer has now."""
        from webapp.serving.certificates import open_authority

        authority = open_authority(self._folder, self._now())
        here = socket.gethostname().split(".")[0].lower()
        mine = {address, *_own(), *filter(is_own, self._named), "127.0.0.1", "::1"}
        given = {"localhost", NAME, f"{here}.local", *self._announced(), *named_hosts()}
        named = frozenset(filter(authority.covers, mine | given))
        certificate, pem = authority.issue(named, self._now())
        self._context = _context(pem, self._folder)
        self._authority, self._certificate, self._named = authority, certificate, named
        _log.info("a certificate was made; it ends on %s", certificate.not_valid_after_utc.date())


def _own() -> list[str]:
    """This computer's addresses in its network, if it is in one."""
    return [address for address in (own_address(4), own_address(6)) if address is not None]


def _context(pem: bytes, folder: Path) -> ssl.SSLContext:
    """Settings of TLS with this certificate and key, which OpenSSL reads from a file alone."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    descriptor, path = mkstemp(".pem", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(pem)
        context.load_cert_chain(path)
    finally:
        Path(path).unlink()
    return context


def https() -> Https:
    """The https of the application that answers this request."""
    found: Https = current_app.extensions[EXTENSION]
    return found
