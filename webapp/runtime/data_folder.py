"""The user's own folders, known before anything else is loaded, and who may look into them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Final, TypeVar

from platformdirs import user_data_path

from scorer.rules.folder import FOLDER_VARIABLE, own_place, rulesets_folder, rulesets_from
from vision.tilesets.folder import profiles_from

OTHERS: Final = 0o077
"""The bits of a file's mode that let other accounts of the computer do something with it."""


Given = TypeVar("Given")

_OF_CLUB: ContextVar[Path | None] = ContextVar("kongbox_folder", default=None)


def data_folder() -> Path:
    """The folder for Kongbox data, which is made if it does not exist; mode 0700.

    It is the user's own, or that of the club for which :func:`in_folder` was entered.
    """
    folder = club_folder() or user_data_path("kongbox", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    make_private(folder)
    return folder


def club_folder() -> Path | None:
    """The folder of the club whose work is done now; None where the program serves just one."""
    return _OF_CLUB.get()


@contextmanager
def in_folder(folder: Path) -> Iterator[None]:
    """Keep all that a club has in files in this folder: its data, rulesets and tile sets.

    This holds for what is done inside the block, so that one program can serve several clubs.
    """
    token = _OF_CLUB.set(folder)
    try:
        with rulesets_from(folder / "rulesets"), profiles_from(folder / "sets"):
            yield
    finally:
        _OF_CLUB.reset(token)


def for_club(work: Callable[[], Given]) -> Callable[[], Given]:
    """Work that is done later, in another thread, for the club whose work is done now.

    Nothing else of a request goes with it: what it enters, nobody entered who sent the request.
    """
    folder = club_folder()
    if folder is None:
        return work

    def in_its_folder() -> Given:
        with in_folder(folder):
            return work()

    return in_its_folder


def make_private(path: Path) -> None:
    """Let nobody but its owner use a file or a folder; what belongs to someone else is let be."""
    with suppress(OSError):
        mode = path.stat(follow_symlinks=False).st_mode
        if mode & OTHERS and not path.is_symlink():
            path.chmod(mode & ~OTHERS & 0o7777)


@contextmanager
def private(folder: Path) -> Iterator[None]:
    """Make all in a folder private, and whatever this program makes meanwhile, wherever it is."""
    for path in folder.rglob("*"):
        make_private(path)
    before = os.umask(OTHERS)
    try:
        yield
    finally:
        os.umask(before)


def name_rulesets(data: Path) -> Path:
    """The folder of the club's ruleset files; if it exists, the environment names it from now on.

    Rulesets that the scorer has read already are kept: see
    :func:`webapp.rulesets.files.use_folder`.

    Args:
        data: the user's data folder; its folder ``rulesets`` is the club's unless the environment
            variable ``KONGBOX_RULESETS`` names another.
    """
    folder = rulesets_folder() or data / "rulesets"
    if folder.is_dir() and not own_place():
        os.environ[FOLDER_VARIABLE] = str(folder)
    return folder
