"""The Python that an installer carries, so that nothing is fetched where Kongbox is installed."""

from __future__ import annotations

import shutil
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final

from supply.installers.parts import PartMissing, digest
from supply.installers.targets import Target

WAIT_S: Final = 20.0
"""So many seconds the server of the builds of Python may be silent."""


def python_archive(target: Target, shelf: Path) -> Path | None:
    """The archive with Python: from the shelf, else fetched onto it; None if it cannot be had.

    Raises:
        PartMissing: the archive is another than the one that is named in ``targets.py``.
    """
    path = shelf / target.python_file
    if not path.exists() and not _fetched(target.python_address, path):
        return None
    if digest(path) != target.sha256:
        raise PartMissing(f"{path} has not the SHA-256 {target.sha256}. Delete it.")
    return path


def _fetched(address: str, path: Path) -> bool:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    try:
        with urllib.request.urlopen(address, timeout=WAIT_S) as answer, part.open("wb") as kept:  # noqa: S310 - the address is ours
            shutil.copyfileobj(answer, kept)
    except (OSError, urllib.error.URLError):
        part.unlink(missing_ok=True)
        return False
    part.replace(path)
    return True
