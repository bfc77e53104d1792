"""Run as a program: ``kongbox`` as on Windows, as far as that can be tried on another system.

The modules and functions that Windows lacks are taken away, a folder cannot be opened, a file that
is only read is not kept on the disk, and what is printed goes into a code page. Other people's
modules are loaded before: those are made for both systems, and choose when they are loaded. The
processes that are started do the same, as they run this file again.
"""

from __future__ import annotations

import multiprocessing.popen_spawn_posix
import multiprocessing.resource_tracker
import multiprocessing.spawn  # noqa: F401
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, Final

import alembic.command  # noqa: F401
import cv2  # noqa: F401
import flask.testing  # noqa: F401
import flask_babel  # noqa: F401
import onnxruntime  # noqa: F401
import pebble  # noqa: F401
import platformdirs  # noqa: F401
import sqlalchemy.dialects.sqlite  # noqa: F401
import tqdm  # noqa: F401
import waitress.server  # noqa: F401

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

_REAL: Final = sys.platform


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
    sys.platform = "win32"


def ask_page() -> None:
    """Ask for the first page, and whether all is well, as a browser does."""
    from webapp import create_app

    browser = create_app().test_client()
    for path in ("/", "/healthz", "/readyz"):
        answer = browser.get(path, follow_redirects=True)
        sys.stdout.write(f"{path} {answer.status_code}\n")


def read_photo(path: str) -> None:
    """Read a photo in a process of its own.

    Only that process takes itself to be on Windows: the one that starts it could not start any.
    """
    sys.platform = _REAL
    vars(signal).update(SIGKILL=signal.Signals(9))
    from webapp.photos.workers import WorkerProcesses

    photo = Path(path).read_bytes()
    workers = WorkerProcesses(places=1)
    try:
        reading = workers.read("photo", photo, picture=False).reading
    finally:
        workers.close()
    sys.stdout.write(f"{len(reading['tiles'])} tiles\n")


if __name__ == "__main__":
    leave_posix()
    if sys.argv[1] == "the-page":
        ask_page()
    elif sys.argv[1] == "a-photo":
        read_photo(sys.argv[2])
    else:
        from webapp.cli.main import main

        main()
elif __name__ == "__mp_main__":
    leave_posix()
