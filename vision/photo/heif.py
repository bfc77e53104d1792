"""The header of an HEIC or AVIF file, with all its pieces looked through."""

from __future__ import annotations

from typing import Final

from vision.heif.picture import read_picture
from vision.heif.pixels import demand
from vision.photo.costs import Header, Kind

BRANDS: Final[dict[bytes, Kind]] = {
    b"avif": "AVIF",
    b"avis": "AVIF",
    b"heic": "HEIC",
    b"heix": "HEIC",
    b"heim": "HEIC",
    b"heis": "HEIC",
    b"hevc": "HEIC",
    b"hevx": "HEIC",
    b"mif1": "HEIC",
    b"mif2": "HEIC",
    b"msf1": "HEIC",
}
"""Brands of ISO media files that hold such a picture, and the format as which each is known."""
_MOVING: Final = frozenset({b"avis", b"hevc", b"hevx", b"msf1"})
"""Brands of those that hold more than one picture."""
_COPIES: Final = 4
"""How often the coded pieces are held at one time on their way to the decoder."""


def read_heif(data: bytes) -> Header:
    """The header of an HEIC or AVIF file.

    Raises:
        PhotoRejected: the file is damaged, in too many parts, or made in an unusual way.
    """
    brand = data[8:12]
    picture = read_picture(BRANDS[brand], data)
    kind: Kind = "AVIF" if picture.coding == "av1C" else "HEIC"
    needs = demand(picture)
    across, down = picture.piece
    beside = int(across * down * needs.held) + _COPIES * picture.packed
    return Header(
        kind,
        picture.width,
        picture.height,
        data,
        picture.packed,
        brand in _MOVING,
        scans=-(-needs.passes * picture.coded // max(1, picture.width * picture.height)),
        beside=beside,
        boxed=picture,
    )
