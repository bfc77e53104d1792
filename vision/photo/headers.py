"""The format of a file, told by its first bytes, and the header of a picture file."""

from __future__ import annotations

from typing import Final

from vision.errors import PhotoRejected
from vision.messages import say
from vision.photo.costs import Header
from vision.photo.heif import BRANDS, read_heif
from vision.photo.jpeg import read_jpeg
from vision.photo.png import SIGNATURE, read_png
from vision.photo.webp import read_webp

_OTHER_FORMATS: Final[tuple[tuple[bytes, str], ...]] = (
    (b"GIF8", "file.gif"),
    (b"II*\0", "file.tiff"),
    (b"MM\0*", "file.tiff"),
    (b"BM", "file.bmp"),
    (b"%PDF", "file.pdf"),
    (b"PK\x03\x04", "file.zip"),
    (b"\0\0\0\x0cjP  ", "file.jpeg_2000"),
    (b"\xff\x4f\xff\x51", "file.jpeg_2000"),
    (b"\xff\x0a", "file.jpeg_xl"),
    (b"\0\0\0\x0cJXL ", "file.jpeg_xl"),
    (b"8BPS", "file.photoshop"),
    (b"v/1\x01", "file.openexr"),
    (b"\x1aE\xdf\xa3", "file.video"),
)
"""First bytes of other formats, each with the id of the message that names it."""


def read_header(data: bytes) -> Header:
    """The header of a JPEG, PNG, WebP, HEIC or AVIF file.

    Raises:
        PhotoRejected: the bytes are empty, of another format, damaged, or in too many parts.
    """
    if not data:
        raise PhotoRejected(say("photo.empty"))
    if data.startswith(b"\xff\xd8\xff"):
        return read_jpeg(data)
    if data.startswith(SIGNATURE):
        return read_png(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return read_webp(data)
    if data[4:8] == b"ftyp" and data[8:12] in BRANDS:
        return read_heif(data)
    kind, advice = say(_kind_of(data)), say("file.advice")
    raise PhotoRejected(say("photo.not_a_photo", kind=kind, advice=advice))


def _kind_of(data: bytes) -> str:
    """The id of the message that names what the bytes look like."""
    for magic, kind in _OTHER_FORMATS:
        if data.startswith(magic):
            return kind
    if data[4:8] == b"ftyp":
        return "file.video"
    head = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<svg", b"<?xml")):
        return "file.svg"
    if head.startswith((b"<!doctype html", b"<html")):
        return "file.web_page"
    if b"\0" not in data[:512] and _is_text(data[:512]):
        return "file.text"
    return "file.unknown"


def _is_text(head: bytes) -> bool:
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4
    return True
