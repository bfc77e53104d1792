"""What the page and the command line must do differently on Windows, on a Mac and on Linux."""

from __future__ import annotations

import io
import os
import signal
import socket
import sys
from contextlib import suppress


def allow_open_files(count: int) -> None:
    """Let this program have so many files and connections open, as far as the system allows it.

    A Mac gives a program 256 unless it asks for more; Windows has no such limit.
    """
    if sys.platform == "win32":
        return
    import resource

    given, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if given == resource.RLIM_INFINITY or given >= count:
        return
    wanted = count if most == resource.RLIM_INFINITY else min(count, most)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def take_port(host: str, port: int) -> socket.socket:
    """What listens at an address of this computer, where nothing else can listen then.

    Windows would else let another program have the same port beside it, at a narrower address.

    Raises:
        OSError: something listens there already, or it is not an address of this computer.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if sys.platform == "win32":
        place = socket.socket(family)
        try:
            place.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            place.bind((host, port))
            place.listen()
        except OSError:
            place.close()
            raise
        return place
    return socket.create_server((host, port), family=family)


def speak_every_language() -> None:
    """Let Chinese words and QR codes be printed wherever they are printed to.

    Windows writes files and pipes in a code page that has few characters: they get UTF-8. A
    terminal that lacks a character shows a question mark.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if stream.isatty():
            stream.reconfigure(errors="replace")
        else:
            stream.reconfigure(encoding="utf-8")


def stop_when_asked() -> None:
    """End the program in order when a service manager asks for it by SIGTERM, as by Ctrl+C."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))


def has_screen() -> bool:
    """Whether this computer has a screen on which a browser can be opened."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
