"""Where a club's own ruleset files are looked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

FOLDER_VARIABLE: Final = "KONGBOX_RULESETS"
"""Environment variable that names a folder of further ruleset files."""

_HERE: ContextVar[Path | None] = ContextVar("kongbox_rulesets", default=None)


def rulesets_folder() -> Path | None:
    """The folder of a club's own ruleset files; None if there is none."""
    named = os.environ.get(FOLDER_VARIABLE)
    return _HERE.get() or (Path(named) if named else None)


def own_place() -> bool:
    """Whether the folder is that of :func:`rulesets_from`, and not of the whole program."""
    return _HERE.get() is not None


@contextmanager
def rulesets_from(folder: Path) -> Iterator[None]:
    """Let a club's own files be read from this folder, whatever the environment names.

    This holds for what is done inside the block, so that one program can serve several clubs.
    """
    token = _HERE.set(folder)
    try:
        yield
    finally:
        _HERE.reset(token)
