"""Decodes photos: untrusted bytes become upright pixels, or an error that says what to do.

The format, the size and what decoding will cost are read from the header and checked before
anything is decoded, so that a file which was made to cost time or memory costs neither.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import PhotoRejected, damaged
from vision.heif.pixels import pixels_of
from vision.messages import Message, say
from vision.photo.costs import Header, check_cost
from vision.photo.headers import read_header
from vision.photo.png import check_unpacked
from vision.runtime.opencv import MAX_PIXELS, cv2
from vision.runtime.process import processor_time

MAX_FILE_BYTES: Final = 25 * 1024 * 1024
"""Maximum size of a photo file in bytes."""

MIN_SIDE: Final = 32
"""Minimum length in pixels of either side of a photo."""

MAX_SIDE: Final = 16_000
"""Maximum length in pixels of either side of a photo."""

DECODING_S: Final = 3.0
"""Maximum processor time in seconds of decoding a photo, in processes that read for others; whole
photos of 60 megapixels take 0.3."""

LEAST_THERE: Final = 0.25
"""Minimum share of a truncated JPEG's pixels for the photo to be read all the same."""

_JPEG_END: Final = b"\xff\xd9"
"""The end-of-image marker, without which a truncated JPEG is not decoded at all."""
_MISSING_GREY: Final = 128
"""Grey level with which the decoder fills the missing part of a truncated JPEG."""
_STDERR_LOCK: Final = threading.Lock()
"""Held while the process's standard error leads nowhere."""
_CHANNELS_BGR: Final = 3
"""Channels of a colour picture."""
_CHANNELS_BGRA: Final = 4
"""Channels of a colour picture with transparency."""


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """A decoded photo.

    Attributes:
        image: (h, w, 3) uint8 BGR pixels, upright, at full resolution.
        remarks: what people should know of the file.
    """

    image: NDArray[np.uint8]
    remarks: tuple[Message, ...] = ()


PhotoData = bytes | NDArray[np.uint8] | Decoded
"""A photo as it may be given: the bytes of a file, upright pixels, or decoded before."""


def decode_photo(data: PhotoData) -> NDArray[np.uint8]:
    """The pixels alone of :func:`open_photo`."""
    return open_photo(data).image


def open_photo(data: PhotoData) -> Decoded:
    """The photo as (h, w, 3) uint8 BGR pixels, upright, at full resolution, with remarks.

    For a file, the camera's orientation is applied, grey becomes colour, 16 bits become 8 and
    transparency is dropped. An animation gives its first picture, and a truncated JPEG what is
    there, if it is at least :data:`LEAST_THERE`. An array is checked to be upright BGR, BGRA or
    grey.

    Args:
        data: the bytes of a JPEG, PNG, WebP, HEIC or AVIF file, or (h, w), (h, w, 3) or (h, w, 4)
            uint8; or a photo that was opened before, which is given back.

    Raises:
        PhotoRejected: it is no such photo, it is damaged, or it exceeds one of the limits.
    """
    if isinstance(data, Decoded):
        return data
    if isinstance(data, np.ndarray):
        return Decoded(_from_array(data))
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise PhotoRejected(say("photo.of_another_type", type=str(type(data))))
    data = bytes(data)
    if len(data) > MAX_FILE_BYTES:
        megabytes = len(data) / 1024 / 1024
        most = MAX_FILE_BYTES // 1024 // 1024
        raise PhotoRejected(say("photo.file_too_large", megabytes=megabytes, most=most))
    header = read_header(data)
    _check_size(header.width, header.height)
    if header.boxed is not None:
        _check_size(*header.boxed.shown)
    check_cost(header)
    with processor_time(DECODING_S):
        if header.kind == "PNG":
            check_unpacked(header)
        return _decode(header)


def _check_size(width: int, height: int) -> None:
    """Raise :class:`PhotoRejected` for a photo that is too small, too long or too large."""
    shorter, longer = min(width, height), max(width, height)
    if shorter < MIN_SIDE:
        raise PhotoRejected(say("photo.too_small", width=width, height=height, least=MIN_SIDE))
    if longer > MAX_SIDE:
        raise PhotoRejected(say("photo.too_long", width=width, height=height, most=MAX_SIDE))
    if width * height > MAX_PIXELS:
        millions, most = width * height / 1e6, MAX_PIXELS // 1_000_000
        raise PhotoRejected(say("photo.too_many_pixels", millions=millions, most=most))


def _decode(header: Header) -> Decoded:
    """The photo of a file, or what is there of a truncated JPEG.

    Raises:
        PhotoRejected: the file is damaged.
    """
    remarks = (say("photo.animated"),) if header.animated else ()
    if header.boxed is not None:
        return Decoded(pixels_of(header.boxed), remarks)
    image = _pixels(header.picture, header)
    if image is not None:
        return Decoded(image, remarks)
    if header.kind == "JPEG":
        with _STDERR_LOCK, _without_stderr():
            image = _pixels(header.picture + _JPEG_END, header)
        there = 0.0 if image is None else _share_there(image)
        if image is not None and there >= LEAST_THERE:
            return Decoded(image, (say("photo.cut_short", share=there),))
    raise damaged(header.kind)


def _pixels(data: bytes, header: Header) -> NDArray[np.uint8] | None:
    """The pixels of a file, or None if OpenCV cannot decode it to the size in its header."""
    how = cv2.IMREAD_REDUCED_COLOR_2 if header.halved else cv2.IMREAD_COLOR
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    except cv2.error:
        return None
    if image is None:
        return None
    for size in ((header.width, header.height), (header.height, header.width)):
        if image.shape[1::-1] == size:
            return np.ascontiguousarray(image, dtype=np.uint8)
        if header.halved and _is_half(image.shape, size):
            return np.asarray(cv2.resize(image, size), np.uint8)
    return None


def _is_half(shape: tuple[int, ...], size: tuple[int, int]) -> bool:
    """Whether a decoded picture (h, w, 3) has half the width and height of a size."""
    return all(abs(2 * side - whole) <= 1 for side, whole in zip(shape[1::-1], size, strict=True))


def _share_there(image: NDArray[np.uint8]) -> float:
    """Share of a JPEG that was decoded; the rest is filled with :data:`_MISSING_GREY`."""
    darkest, lightest = (_MISSING_GREY - 1,) * 3, (_MISSING_GREY + 1,) * 3
    grey = int(cv2.countNonZero(cv2.inRange(image, darkest, lightest)))
    height, width = image.shape[:2]
    return 1.0 - grey / float(height * width)


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Discard what is written to the process's standard error: libjpeg's own warnings."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _from_array(array: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The BGR pixels of an array, or :class:`PhotoRejected` if it holds no picture."""
    if array.dtype != np.uint8:
        raise PhotoRejected(say("photo.array_type", type=str(array.dtype)))
    if array.ndim == 2:
        array = array[:, :, np.newaxis].repeat(_CHANNELS_BGR, axis=2)
    if array.ndim != 3 or array.shape[2] not in (_CHANNELS_BGR, _CHANNELS_BGRA):
        raise PhotoRejected(say("photo.array_shape", shape=str(array.shape)))
    _check_size(array.shape[1], array.shape[0])
    return np.ascontiguousarray(array[:, :, :_CHANNELS_BGR])
