"""Makes small picture files for tests, whole and broken."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from vision.runtime.opencv import cv2


def drawing(width: int = 96, height: int = 64) -> NDArray[np.uint8]:
    """(height, width, 3) uint8 BGR, a different colour in each quarter."""
    image = np.zeros((height, width, 3), np.uint8)
    image[: height // 2, : width // 2] = (0, 0, 230)
    image[: height // 2, width // 2 :] = (0, 230, 0)
    image[height // 2 :, : width // 2] = (230, 0, 0)
    image[height // 2 :, width // 2 :] = (230, 230, 230)
    return image


def encoded(image: NDArray[np.uint8] | NDArray[np.uint16], extension: str = ".jpg") -> bytes:
    """The picture as the bytes of a file; ``.webp`` without loss."""
    options = [cv2.IMWRITE_WEBP_QUALITY, 101] if extension == ".webp" else []
    done, data = cv2.imencode(extension, image, options)
    assert done
    return data.tobytes()


def exif(orientation: int) -> bytes:
    """A TIFF block that holds nothing but the camera's orientation, 1 to 8."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    return b"MM\0*" + struct.pack(">IH", 8, 1) + entry + b"\0\0\0\0"


def with_exif(image: NDArray[np.uint8], extension: str, orientation: int) -> bytes:
    """A picture file whose pixels the camera asks to be turned."""
    data, block = encoded(image, extension), exif(orientation)
    if extension == ".jpg":
        payload = b"Exif\0\0" + block
        return data[:2] + b"\xff\xe1" + struct.pack(">H", len(payload) + 2) + payload + data[2:]
    if extension == ".png":
        return data[:33] + png_chunk(b"eXIf", block) + data[33:]
    return webp_with_exif(image, data, block)


def webp_with_exif(image: NDArray[np.uint8], data: bytes, block: bytes) -> bytes:
    """The extended WebP form: canvas size, picture, then the block."""
    height, width = image.shape[:2]
    canvas = bytes([8, 0, 0, 0])
    canvas += (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBP" + riff_chunk(b"VP8X", canvas) + data[12:] + riff_chunk(b"EXIF", block)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def riff_chunk(name: bytes, payload: bytes) -> bytes:
    """One chunk of a RIFF file, padded to an even length."""
    return name + struct.pack("<I", len(payload)) + payload + b"\0" * (len(payload) % 2)


def png_chunk(name: bytes, payload: bytes) -> bytes:
    """One chunk of a PNG file with its checksum."""
    checked = name + payload
    return struct.pack(">I", len(payload)) + checked + struct.pack(">I", zlib.crc32(checked))


def png_claiming(width: int, height: int) -> bytes:
    """A small, wellformed PNG file whose header claims any size."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    pixels = zlib.compress(bytes(100_000))
    chunks = [(b"IHDR", header), (b"IDAT", pixels), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(name, data) for name, data in chunks)


def jpeg_claiming(width: int, height: int) -> bytes:
    """A JPEG file whose frame header claims any size."""
    data = bytearray(encoded(drawing()))
    frame = data.index(b"\xff\xc0")
    data[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def webp_claiming(width: int, height: int) -> bytes:
    """An extended WebP file whose canvas claims any size."""
    canvas = bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBP" + riff_chunk(b"VP8X", canvas) + encoded(drawing(), ".webp")[12:]
    return b"RIFF" + struct.pack("<I", len(body)) + body
