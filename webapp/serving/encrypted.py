"""Connections that speak https or plain http at one port, as their first byte says.

Waitress speaks http alone. Here the socket of a connection is wrapped as soon as its first byte is
that of a handshake; sender, limits and live updates are the same for both.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from contextlib import suppress
from socket import MSG_PEEK
from threading import Lock
from time import monotonic
from typing import Any, Final

from waitress.channel import HTTPChannel

HANDSHAKE_S: Final = 10.0
"""So many seconds may pass until a handshake is done; phones at the edge of a Wi-Fi take one."""

RECORD: Final = 16 * 1024
"""Maximum number of bytes in a record of TLS. Who receives so many leaves none of a record behind,
of which the system would not tell."""

_HELLO: Final = b"\x16"
"""The first byte of a handshake; no request begins with it."""

Contexts = Callable[[str], ssl.SSLContext | None]
"""The settings of TLS for a connection to this address of this computer; None if it has none."""


def never(_address: str) -> None:
    """No connection is encrypted."""


class _Later(Exception):
    """Nothing can be read of the connection at the moment."""


class EncryptedChannel(HTTPChannel):
    """A connection that is encrypted if its sender begins so.

    Attributes:
        encrypted: whether it is.
    """

    socket: Any
    encrypted = False
    contexts: Contexts = staticmethod(never)
    _begun = False
    _until: float | None = None
    _turn: Lock
    """Two threads must not use one connection of OpenSSL at once."""

    def readable(self) -> bool:
        """Whether more may come now; a handshake that takes too long is ended."""
        if self._until is not None and monotonic() > self._until:
            with self._turn:
                self.will_close = self.will_close or self.socket.version() is None
            self._until = None
        return super().readable()

    def handle_read(self) -> None:
        """Receive what has come."""
        with suppress(_Later):
            super().handle_read()

    def recv(self, buffer_size: int) -> bytes:
        """What has come, decrypted; nothing once the connection is closed."""
        if not self._begun:
            self._begin()
        if not self.encrypted:
            return super().recv(buffer_size)
        try:
            with self._turn:
                data: bytes = self.socket.recv(RECORD)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError) as error:
            raise _Later from error
        except OSError:
            data = b""
        if not data:
            self.handle_close()
        return data

    def send(self, data: bytes, do_close: bool = True) -> int:  # noqa: FBT001, FBT002
        """Send the beginning of the data; how much of it was taken."""
        if not self.encrypted:
            return super().send(data, do_close)
        try:
            with self._turn:
                sent: int = self.socket.send(data)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0
        except OSError:
            if do_close:
                self.handle_close()
            return 0
        return sent

    def _begin(self) -> None:
        """See by the first byte whether the sender wants the connection encrypted, and do it."""
        try:
            first = self.socket.recv(1, MSG_PEEK)
            if first == _HELLO:
                self._encrypt()
        except BlockingIOError as error:
            raise _Later from error
        except OSError as error:
            self.handle_close()
            raise _Later from error
        self._begun = bool(first)

    def _encrypt(self) -> None:
        context = self.contexts(self.socket.getsockname()[0])
        if context is None:
            raise ConnectionRefusedError
        self.socket = context.wrap_socket(
            self.socket, server_side=True, do_handshake_on_connect=False
        )
        self.encrypted, self._turn = True, Lock()
        self.sendbuf_len = RECORD
        self._until = monotonic() + HANDSHAKE_S
