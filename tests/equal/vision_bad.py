"""Photos as no camera should make them, and files that are none."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tests.equal import inside_vision as inside
from tests.equal.canonical import digest, outcome, picture, refusal
from tests.equal.records import Records
from vision import PhotoError, PhotoReader

Pixels = NDArray[np.uint8]

_HAND: Final = "123m 456m 1234z 567z 9m"


def record(records: Records) -> None:
    """Record what is made of photos that are odd, bad or none."""
    faces = inside.design()
    reader = inside.reader()
    scene = inside.photographed_hand(2, _HAND, faces).image
    for number, (name, made) in enumerate(ODD.items()):
        if not records.quick or number % 4 == 0:
            records.add(f"odd {name}", _told(reader, made(scene)))
    mirrored = np.ascontiguousarray(inside.photographed_hand(12, _HAND, faces).image[:, ::-1])
    records.add("odd mirrored", _told(reader, mirrored))
    data = _encoded(scene)
    for name, photo in {**_cut(data), **_no_photos(data)}.items():
        records.add(f"bad {name}", _told(reader, photo))


def _told(reader: PhotoReader, photo: bytes | Pixels) -> Any:
    """Both what the photo is and how it is read, or how it is refused."""
    shown = digest(photo) if isinstance(photo, bytes) else picture(photo)
    told = {"file": shown, "decoded": outcome(inside.decoded, photo)}
    told["glance"] = outcome(inside.glanced, photo)
    try:
        return {**told, "read": inside.read_closely(reader, photo)[1]}
    except PhotoError as error:
        return {**told, "refused": refusal(error)}


def _encoded(image: NDArray[Any], extension: str = ".jpg", *options: int) -> bytes:
    return bytes(cv2.imencode(extension, image, options)[1].tobytes())


def _saved(image: Pixels, mode: str, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(image[:, :, ::-1]).convert(mode).save(file, kind, **options)
    return file.getvalue()


def _strip(image: Pixels) -> bytes:
    """The photo in the middle of a table fifteen times as wide as it is high."""
    middle = cv2.resize(image, (933, 400), interpolation=cv2.INTER_AREA)
    table = np.full((400, 6000, 3), 90, np.uint8)
    table[:, 2500 : 2500 + middle.shape[1]] = middle
    return _encoded(table)


def _animated(image: Pixels) -> bytes:
    second = Image.new("RGB", (image.shape[1], image.shape[0]))
    return _saved(image, "RGB", "PNG", save_all=True, append_images=[second])


def _turned(image: Pixels, orientation: int) -> bytes:
    """A photo that the camera asks to be turned."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    return _saved(image, "RGB", "JPEG", quality=92, exif=exif)


def _noisy(image: Pixels) -> Pixels:
    grain = np.random.default_rng(3).normal(0, 30, image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def _resized(image: Pixels, scale: float) -> Pixels:
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale), np.uint8)


ODD: Final[dict[str, Callable[[Pixels], bytes | Pixels]]] = {
    "itself": lambda image: image,
    "upside down": lambda image: _encoded(np.ascontiguousarray(image[::-1, ::-1])),
    "on its side": lambda image: np.ascontiguousarray(image.swapaxes(0, 1)[::-1]),
    "sixteen bits": lambda image: _encoded(image.astype(np.uint16) * 257, ".png"),
    "cmyk": lambda image: _saved(image, "CMYK", "JPEG", quality=92),
    "with alpha": lambda image: _saved(image, "RGBA", "PNG"),
    "palette": lambda image: _saved(image, "P", "PNG"),
    "extremely wide": _strip,
    "progressive": lambda image: _saved(image, "RGB", "JPEG", quality=90, progressive=True),
    "grey": lambda image: _saved(image, "L", "JPEG", quality=92),
    "animated": _animated,
    "webp": lambda image: _encoded(image, ".webp"),
    "crushed": lambda image: _encoded(image, ".jpg", cv2.IMWRITE_JPEG_QUALITY, 12),
    "turned 3": lambda image: _turned(image, 3),
    "turned 6": lambda image: _turned(image, 6),
    "turned 5": lambda image: _turned(image, 5),
    "negative": lambda image: 255 - image,
    "dark": lambda image: (image * 0.12).astype(np.uint8),
    "burnt out": lambda image: np.clip(image * 2.6, 0, 255).astype(np.uint8),
    "blurred": lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), 5), np.uint8),
    "hopelessly blurred": lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), 22), np.uint8),
    "noisy": _noisy,
    "small": lambda image: _resized(image, 0.3),
    "tiny": lambda image: _resized(image, 0.08),
    "large": lambda image: _resized(image, 2.5),
    "cut through": lambda image: np.ascontiguousarray(image[:, : image.shape[1] // 2]),
    "one tile from near": lambda image: _resized(np.ascontiguousarray(image[240:420, 560:760]), 5),
}
"""Ways to spoil a photo that a person could still read, most of them."""


def _cut(data: bytes) -> dict[str, bytes]:
    return {f"cut short at {share}": data[: len(data) * share // 100] for share in (95, 90, 60, 9)}


def _no_photos(data: bytes) -> dict[str, bytes | Pixels]:
    """Files and pictures that show no tiles, or nothing at all."""
    noise = np.random.default_rng(7).integers(0, 256, (200, 200, 3), np.uint8)
    return {
        "empty": b"",
        "words": b"just some words",
        "heic": b"\0\0\0\x1cftypheic" + bytes(64),
        "gif": _saved(noise, "P", "GIF"),
        "bmp": _encoded(noise, ".bmp"),
        "tiff": _encoded(noise, ".tiff"),
        "noise": noise,
        "black": np.zeros((400, 600, 3), np.uint8),
        "white": np.full((400, 600, 3), 255, np.uint8),
        "one pixel": np.zeros((1, 1, 3), np.uint8),
        "too thin": np.zeros((8, 3000, 3), np.uint8),
        "damaged": data[:400] + bytes(len(data) // 2) + data[len(data) // 2 + 400 :],
        "too wide": _png_claiming(20_000, 10_000),
        "too large": _png_claiming(14_000, 14_000),
        "no size": _png_claiming(0, 10),
    }


def _png_claiming(width: int, height: int) -> bytes:
    """A small, wellformed PNG file whose header claims any size."""

    def chunk(name: bytes, data: bytes) -> bytes:
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(bytes(100_000))), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, data) for name, data in parts)
