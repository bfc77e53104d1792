"""How many tiles of each face the tile set on the table has, by its profile."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from vision.vocabulary.copies import NO_CHANGES

FileState = tuple[int, ...]

_KEPT: Final = 4
"""Number of tile sets whose numbers are kept in memory."""


def copies_of(tile_set: str) -> Mapping[str, int]:
    """The number of tiles of each face of which a tile set has an unusual number.

    Args:
        tile_set: the name of the set's profile; empty for none.

    Returns:
        Nothing for a set without a profile, or whose profile is damaged.
    """
    from vision.tilesets.profile import ProfileError
    from vision.tilesets.profile_file import profile_path

    if not tile_set:
        return NO_CHANGES
    try:
        return _copies(tile_set, file_state(profile_path(tile_set)))
    except ProfileError:
        return NO_CHANGES


@lru_cache(maxsize=_KEPT)
def _copies(tile_set: str, _state: FileState) -> Mapping[str, int]:
    """The numbers of a profile whose file is in that state.

    Raises:
        ProfileError: there is no such profile, or it is damaged.
    """
    from vision.tilesets.profile_file import load_copies

    return load_copies(tile_set)


def file_state(path: Path) -> FileState:
    """Numbers that change whenever a file is written again; none if there is no such file."""
    try:
        state = path.stat()
    except OSError:
        return ()
    return state.st_ino, state.st_mtime_ns, state.st_size
