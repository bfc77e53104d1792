"""The photo files that are named on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PHOTO_SUFFIXES: Final = frozenset(
    {".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".hif", ".avif"}
    | {".gif", ".tif", ".tiff", ".bmp"}
)
"""The endings of files that count as photos of a folder, also of kinds that cannot be read."""


class PhotoFault(ValueError):
    """The photo could not be read; the message is one line."""


def in_one_line(error: Exception) -> str:
    """The message of an error without line breaks."""
    return " ".join(str(error).split())


def read_photo_file(path: str) -> bytes:
    """The bytes of a file, cut off one byte above the maximum size of a photo.

    Raises:
        PhotoFault: the file cannot be opened.
    """
    from vision.photo.decode import MAX_FILE_BYTES

    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise PhotoFault(f"The file cannot be opened: {error.strerror or error}.") from error


def photos_named(arguments: tuple[str, ...]) -> list[str]:
    """The paths of the photos that are named, with each folder replaced by its photos, sorted.

    Raises:
        PhotoFault: a folder has no photos or cannot be opened.
    """
    photos: list[str] = []
    for argument in arguments:
        folder = Path(argument)
        if not folder.is_dir():
            photos.append(argument)
            continue
        try:
            inside = sorted(p for p in folder.iterdir() if p.suffix.lower() in PHOTO_SUFFIXES)
        except OSError as error:
            raise PhotoFault(f"{argument} cannot be opened: {error.strerror or error}.") from error
        if not inside:
            raise PhotoFault(f"The folder {argument} holds no photos.")
        photos.extend(str(path) for path in inside)
    return photos
