"""What the page and the command line must do differently on Windows, on a Mac and on Linux."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path


def keep_on_disk(path: Path) -> None:
    """Have the disk keep a file, or the names of the files in a folder.

    Windows keeps the names of a folder by itself and lets no program open one; and it writes a file
    to the disk only for a program that may change it.
    """
    folder = path.is_dir()
    if folder and sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
