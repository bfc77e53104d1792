"""A log that may be sent to somebody who helps: what failed and when, but nobody's name.

Lines name the part of the page and a reference number, never an address (whoever has the link of a
table can look at it), a form's content, or a photo.
"""

from __future__ import annotations

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 500_000
OLD_FILES: Final = 3
_FORM: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_file(folder: Path) -> Path:
    """Where the log of the page is kept."""
    return folder / "kongbox.log"


def start_log(folder: Path) -> logging.Handler:
    """Write the program's log to a file that never grows beyond half a megabyte, three kept.

    Faults are told on standard error too. Gives the handler of the file, for :func:`stop_log`.

    Raises:
        OSError: the file cannot be written.
    """
    handler = RotatingFileHandler(
        log_file(folder), maxBytes=MAX_BYTES, backupCount=OLD_FILES, encoding="utf-8", delay=False
    )
    handler.setFormatter(logging.Formatter(_FORM))
    log_file(folder).chmod(0o600)
    root = logging.getLogger()
    root.addHandler(handler)
    if not any(type(other) is logging.StreamHandler for other in root.handlers):
        screen = logging.StreamHandler(sys.stderr)
        screen.setLevel(logging.WARNING)
        root.addHandler(screen)
    logging.getLogger("webapp").setLevel(logging.INFO)
    return handler


def stop_log(handler: logging.Handler) -> None:
    """Close the file."""
    logging.getLogger().removeHandler(handler)
    handler.close()
