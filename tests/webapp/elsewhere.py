"""Run as a program: ``kongbox`` as on Windows, as far as that can be tried on another system.

The modules and functions that Windows lacks are taken away, a folder cannot be opened, a file that
is only read is not kept on the disk, and what is printed goes into a code page. Other people's
modules are loaded before: those are made for both systems, and choose when they are loaded. The
processes that are started do the same, as they run this file again.
"""

from __future__ import annotations

import ctypes
import multiprocessing.spawn  # noqa: F401
import os
import shlex
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import alembic.command  # noqa: F401
import cryptography.x509  # noqa: F401
import cv2  # noqa: F401
import flask.testing  # noqa: F401
import flask_babel  # noqa: F401
import ifaddr  # noqa: F401
import onnxruntime  # noqa: F401
import pebble  # noqa: F401
import platformdirs  # noqa: F401
import psutil  # noqa: F401
import sqlalchemy.dialects.sqlite  # noqa: F401
import tqdm  # noqa: F401
import waitress.server  # noqa: F401

from tests.webapp.hungry import RefusingWindows

MODULES: Final = ("resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "posix", "syslog")
"""Modules that Windows lacks."""
FUNCTIONS: Final = {
    os: "fork forkpty nice getuid geteuid getgid getpgid killpg setsid chown fchmod fchown uname"
    " sysconf getloadavg sched_getaffinity sched_setaffinity mkfifo O_NOFOLLOW O_DIRECTORY"
    " O_CLOEXEC O_NONBLOCK",
    signal: "SIGKILL SIGHUP SIGUSR1 SIGUSR2 SIGALRM SIGPROF setitimer alarm ITIMER_PROF",
    time: "CLOCK_BOOTTIME tzset",
}
"""Names that these modules lack on Windows."""

HOUSEKEEPING: Final = """\
demo season --evenings 2 --db sqlite:///demo.sqlite3
check --db sqlite:///demo.sqlite3
board --to board.pdf --db sqlite:///demo.sqlite3
board --to board.csv --db sqlite:///demo.sqlite3
backup copy.sqlite3 --db sqlite:///demo.sqlite3
export everything.zip --db sqlite:///demo.sqlite3
import everything.zip --db sqlite:///other.sqlite3
restore copy.sqlite3 --yes --db sqlite:///other.sqlite3
check copy.sqlite3
players list --db sqlite:///other.sqlite3
sets list
rules list
"""
"""What is done with a club's book, one command a line."""


def leave_posix() -> None:
    """Take away from this process what Windows lacks."""
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in FUNCTIONS.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    opened, kept, really = os.open, os.fsync, {}

    def open_file(path: Any, flags: int, *others: Any, **more: Any) -> int:
        if Path(path).is_dir():
            raise PermissionError(13, "Permission denied", str(path))
        descriptor = opened(path, flags, *others, **more)
        really[descriptor] = flags
        return descriptor

    def sync(descriptor: Any) -> None:
        if really.get(descriptor, os.O_RDWR) & (os.O_WRONLY | os.O_RDWR) == 0:
            raise OSError(9, "Bad file descriptor")
        kept(descriptor)

    vars(os).update(open=open_file, fsync=sync)
    keep_what_is_open()
    vars(ctypes).update(WinDLL=RefusingWindows)
    sys.platform = "win32"


def keep_what_is_open() -> None:
    """Let no file be renamed, replaced or deleted that this process has open."""

    def unless_open(act: Any) -> Any:
        def refuse(*paths: Any, **more: Any) -> Any:
            if not more and any(str(Path(path).absolute()) in open_files() for path in paths):
                raise PermissionError(13, "The file is used by another process", str(paths[0]))
            return act(*paths, **more)

        return refuse

    for name in ("replace", "rename", "unlink", "remove"):
        setattr(os, name, unless_open(getattr(os, name)))


def open_files() -> set[str]:
    """The paths of the files that this process has open."""
    found = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found.add(str(descriptor.readlink()))
    return found


def ask_page() -> None:
    """Ask for the first page, and whether all is well, as a browser does."""
    from webapp import create_app
    from webapp.serving import https

    app = create_app()
    app.extensions[https.EXTENSION].turn_on()
    assert app.extensions[https.EXTENSION].context("127.0.0.1") is not None
    browser = app.test_client()
    for path in ("/", "/healthz", "/readyz", "/trust/kongbox.crt"):
        answer = browser.get(path, follow_redirects=True)
        sys.stdout.write(f"{path} {answer.status_code}\n")


def keep_house_of(folder: str) -> None:
    """Do with a club's book what a secretary does with it, each in the folder's files."""
    from webapp.cli.main import main

    os.chdir(folder)
    for line in HOUSEKEEPING.splitlines():
        sys.stdout.write(f"kongbox {line}\n")
        main(shlex.split(line), standalone_mode=False)


def read_photo(path: str) -> None:
    """Read a photo in a process of its own."""
    from webapp.photos.workers import WorkerProcesses

    photo = Path(path).read_bytes()
    workers = WorkerProcesses(places=1)
    try:
        reading = workers.read("photo", photo, picture=False).reading
    finally:
        workers.close()
    sys.stdout.write(f"{len(reading.tiles)} tiles\n")


def run() -> None:
    """Do what the command line asks for.

    Only processes that read photos take themselves to be elsewhere: a process that did could not
    start them.
    """
    match sys.argv[1:]:
        case ["a-photo", path]:
            read_photo(path)
        case ["the-page"]:
            leave_posix()
            ask_page()
        case ["housekeeping", folder]:
            leave_posix()
            keep_house_of(folder)
        case _:
            leave_posix()
            from webapp.cli.main import main

            main()


if __name__ == "__main__":
    run()
elif __name__ == "__mp_main__":
    leave_posix()
