"""An application that is served at two places of this computer, as with phones let in."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from flask import Flask

from tests.webapp.conftest import services_of
from webapp.serving.addresses import Address
from webapp.serving.letting_in import EXTENSION, LettingIn
from webapp.serving.listeners import Listener, Listeners
from webapp.serving.mdns import Announcement

WIFI = "127.0.0.2"
"""Stands for this computer's address in the Wi-Fi."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def letting_of(app: Flask) -> LettingIn:
    found: LettingIn = app.extensions[EXTENSION]
    return found


def no_name(_ips: Sequence[str], _port: int, _last: str) -> Announcement | None:
    return None


@contextmanager
def served(app: Flask, told: Callable[[str], object] | None = None) -> Iterator[int]:
    """The application is served on a port of this computer."""
    port = free_port()
    listeners = Listeners(app, "127.0.0.1", port, 12, ending=services_of(app).live.close)
    letting = letting_of(app)
    letting.look, letting.name = lambda: (Address(WIFI, "wlan0"),), no_name
    letting.first_port = port
    letting.serve(listeners, "127.0.0.1", port, told)
    thread = threading.Thread(target=listeners.run)
    thread.start()
    try:
        yield port
    finally:
        listeners.stop()
        thread.join(10)
    assert not thread.is_alive()


@dataclass
class FakeDoors:
    """Opens and closes nothing, and notes what it was asked."""

    taken: set[int] = field(default_factory=set)
    open_ports: list[int] = field(default_factory=list)
    tried: list[int] = field(default_factory=list)
    stopped: bool = False

    def open(self, host: str, port: int) -> Listener:
        self.tried.append(port)
        if port in self.taken:
            raise OSError(98, "Address already in use")
        self.open_ports.append(port)
        server: Any = None
        return Listener(host, port, server)

    def close(self, listener: Listener) -> None:
        self.open_ports.remove(listener.port)

    def stop(self) -> None:
        self.stopped = True


def with_doors(app: Flask, host: str = "127.0.0.1") -> FakeDoors:
    """Doors by which the application seems to be served; this computer is 192.168.1.7."""
    doors, letting = FakeDoors(), letting_of(app)
    letting.look, letting.name = lambda: (Address("192.168.1.7", "wlan0"),), no_name
    letting.serve(doors, host, 8000)
    return doors
