"""Files that take their place for good, on every system.

Windows neither renames nor deletes a file that a program has open, if only for a moment to look for
viruses; a Mac's disk keeps what it is given in memory unless it is told otherwise.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

PATIENCE_S: Final = 2.0
"""So many seconds are waited for another program that has a file open on Windows."""

_AGAIN_S: Final = 0.02
"""Seconds from one try to the next."""


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
        sync(descriptor)
    finally:
        os.close(descriptor)


def sync(descriptor: int) -> None:
    """Have the disk keep what was written to an open file; a Mac's has to be told to write it."""
    if sys.platform == "darwin":
        import fcntl

        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        except OSError:  # a network's disk may know no such wish
            pass
        else:
            return
    os.fsync(descriptor)


def put_in_place(new: Path, path: Path) -> None:
    """Give a file that is written its name for good, in the place of a file that had it.

    Raises:
        OSError: it cannot be done.
    """
    keep_on_disk(new)
    _patiently(lambda: new.replace(path))
    keep_on_disk(path.parent)


def put_in_free_place(new: Path, path: Path) -> None:
    """Give a file that is written its name for good, if no file has it.

    Raises:
        FileExistsError: there is a file of that name.
        OSError: it cannot be done.
    """
    keep_on_disk(new)
    if sys.platform == "win32":
        _patiently(lambda: new.rename(path))
        return
    try:
        path.hardlink_to(new)
    except FileExistsError:
        raise
    except OSError as error:  # a stick's file system gives no file two names
        if path.exists():
            raise FileExistsError(error.errno, "File exists", str(path)) from error
        new.rename(path)
    else:
        new.unlink()
    keep_on_disk(path.parent)


def delete(path: Path) -> None:
    """Delete a file, for which Windows may have to be waited for.

    Raises:
        FileNotFoundError: there is none.
        PermissionError: another program has it open on Windows.
        OSError: it cannot be done.
    """
    _patiently(path.unlink)


def _patiently(act: Callable[[], object]) -> None:
    """Do something with a file, again and again while Windows keeps it for another program."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            act()
        except PermissionError:
            if sys.platform == "win32" and time.monotonic() < until:
                time.sleep(_AGAIN_S)
                continue
            raise
        return
