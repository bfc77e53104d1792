"""The user's own folders, known before anything else is loaded."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

from scorer.rules.folder import FOLDER_VARIABLE


def data_folder() -> Path:
    """The user's own folder for Kongbox data; it is made with mode 0700 if it does not exist."""
    folder = user_data_path("kongbox", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def name_rulesets(data: Path) -> Path:
    """The folder of the club's ruleset files; if it exists, the environment names it from now on.

    Rulesets that the scorer has read already are kept: see
    :func:`webapp.rulesets.files.use_folder`.

    Args:
        data: the user's data folder; its folder ``rulesets`` is the club's unless the environment
            variable ``KONGBOX_RULESETS`` names another.
    """
    folder = Path(os.environ.get(FOLDER_VARIABLE) or data / "rulesets")
    if folder.is_dir():
        os.environ[FOLDER_VARIABLE] = str(folder)
    return folder
