"""Whether a photo shows a tile set that the reader does not know."""

from __future__ import annotations

from vision.layout.unknown_set import UNKNOWN_SET
from webapp.deal.store import StoredPhoto
from webapp.language.kept import brought_back


def shows_unknown_set(photo: StoredPhoto | None) -> bool:
    """Whether the reading of a photo says that its tiles are of a set that is not known."""
    return photo is not None and any(map(_says_unknown_set, _warnings(photo)))


def other_warnings(photo: StoredPhoto | None) -> list[str]:
    """The warnings of a photo's reading, as they are kept, without that one."""
    if photo is None:
        return []
    return [warning for warning in _warnings(photo) if not _says_unknown_set(warning)]


def _warnings(photo: StoredPhoto) -> list[str]:
    return [] if photo.reading is None else list(photo.reading["warnings"])


def _says_unknown_set(warning: str) -> bool:
    return brought_back(warning) == UNKNOWN_SET
