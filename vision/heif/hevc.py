"""HEVC (ITU-T H.265), as iPhones code their photos: looked through, and decoded by OpenCV.

A piece reaches the decoder as a film of ours that holds nothing but its slices, and only where they
say the same size as the file.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import PhotoRejected, costly, damaged
from vision.heif.bits import Bits
from vision.heif.boxes import MAX_BOXES, Fields
from vision.heif.film import film_of
from vision.heif.picture import Demand, Picture
from vision.messages import say

if TYPE_CHECKING:
    from vision.runtime.opencv import cv2

_KIND: Final = "HEIC"
_SIZES: Final = 33
"""Type of the unit that holds the size: the sequence parameter set."""
_PARAMETERS: Final = frozenset({32, _SIZES, 34})
"""Types of the units with parameters."""
_STILL: Final = frozenset(range(16, 22))
"""Types of slices that need no other picture."""
_SAMPLES: Final = {0: 1.0, 1: 1.5, 2: 2.0, 3: 3.0}
"""Samples of a pixel, by the number of its kind of colour."""
_PADDING: Final = 64
"""Maximum number of pixels by which a coded picture is wider or higher than it shows: it is made of
blocks of up to 64."""


def demand(picture: Picture) -> Demand:
    """What decoding the pieces takes: each slice may pass over all pixels of its piece.

    Raises:
        PhotoRejected: a piece is damaged, or says another size than the file.
    """
    held = _check_parameters(picture)
    return Demand(max(len(_slices(picture, piece)) for piece in picture.pieces), held)


def decoded(picture: Picture) -> Iterator[NDArray[np.uint8]]:
    """The pieces as (h, w, 3) BGR, row by row.

    Raises:
        PhotoRejected: one is damaged, or OpenCV has no decoder here.
    """
    pieces = [b"".join(_slices(picture, piece)) for piece in picture.pieces]
    film = io.BytesIO(film_of(picture, pieces))  # OpenCV does not hold what it reads from
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


def _check_parameters(picture: Picture) -> float:
    """The bytes that a decoder holds of a pixel.

    Raises:
        PhotoRejected: the parameters are damaged, or ask for another size than the file.
    """
    body = Fields(_KIND, memoryview(picture.parameters))
    body.take(22)
    held = 0.0
    for _ in range(body.number(1)):
        of_type = body.number(1) & 0x3F
        for _ in range(body.number(2)):
            unit = bytes(body.take(body.number(2)))
            if of_type not in _PARAMETERS or len(unit) < 3 or _type(unit) != of_type:
                raise costly(_KIND)
            if of_type == _SIZES:
                held = max(held, _held(unit, picture.piece))
    if not held:
        raise damaged(_KIND)
    return held


def _held(unit: bytes, size: tuple[int, int]) -> float:
    """The bytes that a decoder holds of a pixel, by a sequence parameter set (7.3.2.2).

    Raises:
        PhotoRejected: its pictures are larger than a piece.
    """
    bits = Bits(_KIND, unit[2:].replace(b"\0\0\3", b"\0\0"))
    bits.number(4)
    layers = bits.number(3)
    bits.number(1 + 96)
    present = [(bits.number(1), bits.number(1)) for _ in range(layers)]
    if layers:
        bits.number(2 * (8 - layers))
    for profile, level in present:
        bits.number(88 * profile + 8 * level)
    bits.any_number()
    colours = bits.any_number()
    if colours == 3:
        bits.number(1)
    for coded, shown in zip((bits.any_number(), bits.any_number()), size, strict=True):
        if not 0 <= coded - shown < _PADDING:
            raise damaged(_KIND)
    if bits.number(1):
        for _ in range(4):
            bits.any_number()
    deep = bits.any_number() or bits.any_number()
    return _SAMPLES.get(colours, 3.0) * (2 if deep else 1)
