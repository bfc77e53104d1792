"""The copy of a photo that the page shows: upright, no larger than needed, without metadata."""

from __future__ import annotations

from typing import Any, Final

from numpy.typing import NDArray

MAX_SHOWN_SIDE: Final = 2048
JPEG_QUALITY: Final = 82


def shown_copy(data: bytes) -> bytes:
    """A JPEG made from the photo's pixels, its longer side at most 2048 pixels.

    Raises:
        PhotoError: the bytes are no photo that is accepted.
    """
    from vision.photo.decode import decode_photo
    from vision.runtime.opencv import cv2

    image: NDArray[Any] = decode_photo(data)
    scale = MAX_SHOWN_SIDE / max(image.shape[:2])
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return bytes(encoded)
