"""The page on this computer: where it is served, or may be, and opening it in the browser."""

from __future__ import annotations

import http.client
import json
import threading
import time
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from webapp.runtime.os_support import has_screen, take_port

THIS_COMPUTER: Final = "127.0.0.1"
"""The address under which only this computer reaches what it serves."""
FIRST_PORT: Final = 8000
"""The port that is tried first."""
PORTS: Final = 10
"""So many ports are tried; other programs that serve pages like the same ones."""
ANSWER_S: Final = 2.0
"""So many seconds may pass until what listens on a port has told whether it is Kongbox."""
START_S: Final = 30.0
"""The browser is opened within so many seconds after the address was printed, or not at all."""


@dataclass(frozen=True)
class Place:
    """A port of this computer, and whether Kongbox is served there already."""

    port: int
    served: bool


def require_free(host: str, port: int) -> None:
    """Check that an address can be listened on.

    Raises:
        OSError: it cannot.
    """
    take_port(host, port).close()


def place_to_serve(ports: Sequence[int] = range(FIRST_PORT, FIRST_PORT + PORTS)) -> Place:
    """Where Kongbox is served already, else the first port that is free.

    If none is free it is the first one, on which serving then fails with the reason.
    """
    free = []
    for port in ports:
        try:
            require_free(THIS_COMPUTER, port)
        except OSError:
            if is_served(port):
                return Place(port, served=True)
        else:
            free.append(port)
    return Place(free[0] if free else ports[0], served=False)


def is_served(port: int) -> bool:
    """Whether what listens on this port of this computer is Kongbox."""
    asked = http.client.HTTPConnection(THIS_COMPUTER, port, timeout=ANSWER_S)
    try:
        asked.request("GET", "/healthz")
        told = json.loads(asked.getresponse().read(10_000))
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        asked.close()
    return isinstance(told, dict) and "kongbox" in told


def open_page(address: str) -> bool:
    """Open an address in the browser; False where there is no screen or no browser."""
    return has_screen() and webbrowser.open(address)


def open_when_served(port: int) -> threading.Thread:
    """Open the page in the browser as soon as it is served on this port of this computer."""

    def wait() -> None:
        until = time.monotonic() + START_S
        while not is_served(port):
            if time.monotonic() > until:
                return
            time.sleep(0.1)
        open_page(f"http://{THIS_COMPUTER}:{port}/")

    thread = threading.Thread(target=wait, name="browser", daemon=True)
    thread.start()
    return thread
