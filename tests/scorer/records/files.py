"""Where the records of real games lie: files that are kept outside the project.

``KONGBOX_RECORDS`` names their folder. Tests that read them are skipped without it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

FOLDER: Final = os.environ.get("KONGBOX_RECORDS", "")

needed = pytest.mark.skipif(not FOLDER, reason="KONGBOX_RECORDS names no folder of records")


def records(pattern: str) -> list[Path]:
    """The files of the folder that a pattern matches, in order."""
    return sorted(Path(FOLDER).glob(pattern)) if FOLDER else []
