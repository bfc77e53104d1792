"""The sample photos that come with the program."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

PREVIEW_SIDE: Final = 240
"""Longer side in pixels of the small picture of a sample photo that a page shows."""

PREVIEW_QUALITY: Final = 70
"""JPEG quality of that small picture."""


def sample_bytes(samples_file: Path, sample: dict[str, Any]) -> bytes:
    """The photo of one sample; its path is relative to the folder of the description."""
    return (samples_file.parent / "static" / "samples" / Path(sample["photo"]).name).read_bytes()


def samples_for(samples: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The samples in the order of the description, none if they are not installed."""
    return [] if samples is None else list(samples["photos"])


@cache
def sample_preview(photo: bytes) -> bytes:
    """A small picture of a sample photo, a JPEG of some kilobytes."""
    from vision.photo.decode import decode_photo
    from vision.runtime.opencv import cv2

    image = decode_photo(photo)
    scale = min(1.0, PREVIEW_SIDE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, encoded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, PREVIEW_QUALITY])
    return bytes(encoded)
