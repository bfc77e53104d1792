"""What the page and the command line must do differently on Windows, on a Mac and on Linux."""

from __future__ import annotations

import io
import os
import signal
import sys


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
