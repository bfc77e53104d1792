"""HEVC (ITU-T H.265), as iPhones code their photos: looked through, and decoded by OpenCV.

A piece reaches the decoder as a film of ours that holds nothing but its slices, and only where they
say the same size as the file.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import PhotoRejected, costly, damaged
from vision.heif.boxes import MAX_BOXES, Fields
from vision.heif.film import film_of
from vision.heif.hevc_sizes import Sizes, read_sizes
from vision.heif.picture import Demand, Picture
from vision.messages import say

if TYPE_CHECKING:
    from vision.runtime.opencv import cv2

_KIND: Final = "HEIC"
_SIZES: Final = 33
"""Type of the unit that holds the size: the sequence parameter set."""
_PARAMETERS: Final = frozenset({32, _SIZES, 34})
"""Types of the units with parameters."""
_MAX_PARAMETERS: Final = 96
"""Maximum number of those units: the standard knows 16, 16 and 64 of them at one time."""
_STILL: Final = frozenset(range(16, 22))
"""Types of slices that need no other picture."""
_ORDINARY: Final = b"nclx\0\1\0\x0d"
"""What the box for colours says of primaries and curve: sRGB, as in ``hevc_sizes``."""
_BESIDE: Final = 4.5
"""Bytes of a pixel beside its frame: three in colours, which OpenCV keeps and hands over a copy of,
and what FFmpeg notes of blocks."""
_FRAMES_HELD: Final = 2
"""Maximum number of pieces that the decoder holds: one, and the next, which may build on it."""
_PADDING: Final = 64
"""Maximum number of pixels by which a coded picture is wider or higher than it shows: it is made of
blocks of up to 64."""


def demand(picture: Picture) -> Demand:
    """What decoding the pieces takes: each slice may pass over all pixels of its piece.

    Raises:
        PhotoRejected: a piece is damaged, or says another size than the file.
    """
    _, held = _parameters(picture)
    at_once = min(len(picture.pieces), _FRAMES_HELD)
    passes = max(len(_slices(picture, piece)) for piece in picture.pieces)
    return Demand(passes, at_once * held + _BESIDE)


def decoded(picture: Picture) -> Iterator[NDArray[np.uint8]]:
    """The pieces as (h, w, 3) BGR, row by row.

    Raises:
        PhotoRejected: one is damaged, or OpenCV has no decoder here.
    """
    pieces = [b"".join(_slices(picture, piece)) for piece in picture.pieces]
    parameters, _ = _parameters(picture)
    colours = _ORDINARY + picture.colours[len(_ORDINARY) :] if picture.colours else b""
    ordinary = replace(picture, parameters=parameters, colours=colours)
    film = io.BytesIO(film_of(ordinary, pieces))  # OpenCV does not hold what it reads from
    capture = _opened(film)
    try:
        if not capture.isOpened():
            raise PhotoRejected(say("photo.no_heic"))
        for _ in pieces:
            there, pixels = capture.read()
            if not there or pixels.shape[1::-1] != picture.piece:
                raise damaged(_KIND)
            yield np.asarray(pixels, np.uint8)
    finally:
        capture.release()
        film.close()


def _opened(film: io.BytesIO) -> cv2.VideoCapture:
    """A film that OpenCV reads, in one thread; closed where this OpenCV reads no films of HEVC."""
    from vision.runtime.opencv import cv2

    capture = cv2.VideoCapture()
    single = [cv2.CAP_PROP_N_THREADS, 1]
    with suppress(cv2.error):
        capture.open(film, cv2.CAP_FFMPEG, single)  # type: ignore[call-overload]
    return capture


def _units(data: bytes, length: int) -> Iterator[bytes]:
    """The units of a piece, each behind its length."""
    body = Fields(_KIND, memoryview(data))
    for _ in range(MAX_BOXES):
        if not body.left:
            return
        unit = bytes(body.take(body.number(length)))
        if len(unit) > 2:
            yield unit
    raise costly(_KIND)


def _type(unit: bytes) -> int:
    return unit[0] >> 1 & 0x3F


def _slices(picture: Picture, piece: bytes) -> list[bytes]:
    """The slices of a piece, each with its length; only the first starts a picture.

    Raises:
        PhotoRejected: it has none, or slices of more than one picture.
    """
    length = (picture.parameters[21] & 3) + 1
    slices = [unit for unit in _units(piece, length) if _type(unit) in _STILL]
    starts = [unit[2] >> 7 for unit in slices]
    if not slices or not starts[0] or any(starts[1:]):
        raise damaged(_KIND)
    return [len(unit).to_bytes(length, "big") + unit for unit in slices]


def _parameters(picture: Picture) -> tuple[bytes, float]:
    """The parameters in ordinary colours, and the bytes that a decoder holds of a pixel.

    Raises:
        PhotoRejected: the parameters are damaged, or ask for another size than the file.
    """
    body = Fields(_KIND, memoryview(picture.parameters))
    head, kept, held = bytes(body.take(22)), list[bytes](), 0.0
    for _ in range(body.number(1)):
        of_type = body.number(1) & 0x3F
        for _ in range(body.number(2)):
            unit = bytes(body.take(body.number(2)))
            if of_type not in _PARAMETERS:
                continue
            if len(unit) < 3 or _type(unit) != of_type:
                raise damaged(_KIND)
            if of_type == _SIZES:
                sizes = read_sizes(unit)
                _check_size(sizes, picture.piece)
                unit, held = sizes.unit, max(held, sizes.held)
            kept.append(bytes([of_type, 0, 1]) + len(unit).to_bytes(2, "big") + unit)
    if not held or len(kept) > _MAX_PARAMETERS:
        raise damaged(_KIND)
    return head + bytes([len(kept)]) + b"".join(kept), held


def _check_size(sizes: Sizes, piece: tuple[int, int]) -> None:
    """Raise :class:`PhotoRejected` for a set whose pictures are larger than a piece."""
    for coded, shown in zip(sizes.coded, piece, strict=True):
        if not 0 <= coded - shown < _PADDING:
            raise damaged(_KIND)
