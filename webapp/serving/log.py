"""The log file, which holds what failed and when but can be sent to others without worry.

A line names the part of the page and a reference number. It never contains a name, an address
(anybody who has the link of a table can look at it), the content of a form, or a photo.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from webapp.runtime.data_folder import make_private

MAX_BYTES: Final = 500_000
"""Size in bytes at which a new log file is begun."""

OLD_FILES: Final = 3
"""Number of earlier log files that are kept."""

FORM: Final = "KONGBOX_LOG"
"""Environment variable that says ``json`` if all lines go to standard error too, as JSON."""

_FORM: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
"""The format of a line of the log."""


def log_file(folder: Path) -> Path:
    """The path of the log file within the user's data folder."""
    return folder / "kongbox.log"


class JsonLines(logging.Formatter):
    """Lines of JSON, for programs that gather the logs of several machines."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as one line."""
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "where": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def start_log(folder: Path) -> logging.Handler:
    """Write the program's log to a file, and its warnings and errors to standard error too.

    Args:
        folder: the folder of the log file.

    Returns:
        The handler of the file, for :func:`stop_log`.
    """
    handler = _file_handler(log_file(folder))
    logging.getLogger().addHandler(handler)
    show_log()
    return handler


def show_log() -> None:
    """Write the program's warnings and errors to standard error, or all lines as JSON."""
    root = logging.getLogger()
    if not any(type(other) is logging.StreamHandler for other in root.handlers):
        screen = logging.StreamHandler(sys.stderr)
        if os.environ.get(FORM) == "json":
            screen.setFormatter(JsonLines())
        else:
            screen.setLevel(logging.WARNING)
        root.addHandler(screen)
    logging.getLogger("webapp").setLevel(logging.INFO)


class _LogFile(RotatingFileHandler):
    """A file that another is begun after, once no other program has it open on Windows."""

    def doRollover(self) -> None:  # noqa: N802 - named by logging
        """Begin a new file, or go on with this one until it has grown by as much again."""
        try:
            super().doRollover()
            self.maxBytes = MAX_BYTES
        except PermissionError:
            self.maxBytes += MAX_BYTES


def _file_handler(file: Path) -> logging.Handler:
    """What writes to the file; where that cannot be done, it is told and nothing is written."""
    try:
        handler = _LogFile(
            file, maxBytes=MAX_BYTES, backupCount=OLD_FILES, encoding="utf-8", delay=False
        )
    except OSError as error:
        print(f"kongbox: {file} cannot be written: {error.strerror}", file=sys.stderr)  # noqa: T201
        return logging.NullHandler()
    handler.setFormatter(logging.Formatter(_FORM))
    make_private(file)
    return handler


def stop_log(handler: logging.Handler) -> None:
    """Stop writing the log and close its file."""
    logging.getLogger().removeHandler(handler)
    handler.close()
