"""Where the profiles of tile sets are kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

FOLDER_VARIABLE: Final = "KONGBOX_SETS"
"""Environment variable that names another folder for set profiles."""

_HERE: ContextVar[Path | None] = ContextVar("kongbox_sets", default=None)


def profiles_folder() -> Path:
    """The folder of the set profiles: in the user's data folder, or what ``KONGBOX_SETS`` names."""
    named = os.environ.get(FOLDER_VARIABLE)
    own = Path(named) if named else user_data_path("kongbox", appauthor=False) / "sets"
    return _HERE.get() or own


@contextmanager
def profiles_from(folder: Path) -> Iterator[None]:
    """Let set profiles be kept in this folder, whatever the environment names.

    This holds for what is done inside the block, so that one program can serve several clubs.
    """
    token = _HERE.set(folder)
    try:
        yield
    finally:
        _HERE.reset(token)
