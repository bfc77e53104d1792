"""A file that was made to cost time or memory costs neither; ordinary files are read as ever."""

from __future__ import annotations

import io
import time
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin

from benchmarks.hostile.heics import PIECE, Heic
from benchmarks.hostile.jpegs import JPEGS, PROGRESSIVE, Frame, flat, many_scans, segment
from benchmarks.hostile.others import WEBPS, moving
from benchmarks.hostile.pngs import PNGS, RGBA, Head, chunk, packed_zeros, png
from tests.vision.photo.test_decode import FORMATS, close, saved, upright
from tests.vision.pictures import drawing, encoded, exif, png_chunk, with_exif
from vision.errors import PhotoRejected
from vision.photo import costs, jpeg, webp
from vision.photo import png as png_files
from vision.photo.decode import open_photo
from vision.photo.headers import read_header

COSTLY = {
    "JPEG": {
        "3,000 scans of 60 megapixels",
        "200,000 scans of 0.3 megapixels",
        "2,000 hidden scans of 8 megapixels",
        "12 scans of 60 megapixels in 3 colours",
        "60 megapixels claimed, nothing there",
        "60 megapixels claimed, a third of a large file",
        "60 megapixels of one grey",
        "24 MB of 0xFF, then 0",
        "24 MB of restarts in the head",
        "6 million empty comments",
    },
    "PNG": {
        "60 megapixels of 16 bits, RGBA",
        "60 megapixels of 16 bits, interlaced",
        "64 pixels, 600 MB of data",
        "25 megapixels, 20 GB of data",
        "2 million empty chunks of pixels",
    },
    "WebP": {
        "60 megapixels without loss",
        "a small canvas, a large picture",
        "a large canvas, a small picture",
        "3 million empty chunks",
        "9,000 pictures of 300 empty chunks",
        "20 MB of noise",
    },
}
"""Files that took more than 3 s or 300 MB before there were limits on what they cost."""
MAKERS = {"JPEG": JPEGS, "PNG": PNGS, "WebP": WEBPS}
REFUSED = "file is damaged|file would take too long|picture is too large"
QUICK_S = 1.0
"""Processor time in seconds within which each is refused."""


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in COSTLY for name in sorted(COSTLY[kind])]
)
def test_what_was_made_to_cost_much_is_refused_at_once(kind: str, name: str) -> None:
    data = MAKERS[kind][name]()
    start = time.process_time()
    with pytest.raises(PhotoRejected, match=f"{kind} ({REFUSED})"):
        open_photo(data)
    assert time.process_time() - start < QUICK_S


@pytest.mark.parametrize(
    "name",
    [
        "600 notes of 8 MB",
        "a colour profile of 600 MB",
        "600 notes of 8 MB behind the pixels",
        "64 pixels, 20 MB behind their end",
    ],
)
def test_what_hides_beside_a_picture_is_never_unpacked(name: str) -> None:
    data = PNGS[name]()
    start = time.process_time()
    assert open_photo(data).image.shape == (64, 64, 3)
    assert time.process_time() - start < QUICK_S


def test_the_first_picture_of_a_large_animation_is_read_alone() -> None:
    opened = open_photo(moving(500, 400))
    assert opened.image.shape == (400, 400, 3)
    assert "first picture" in str(opened.remarks[0])
    assert len(read_header(moving(500, 400)).picture) < 200


HELD = int((3 + 4.5 + 1.5) * 96 * 64) + 4 * len(PIECE)
"""Of an HEIC picture in one piece: the pixels, what FFmpeg has beside, a frame of 4:2:0."""
SCANS = many_scans(Frame(640, 480, kind=PROGRESSIVE), 20)
LIMITS: dict[str, tuple[ModuleType, str, int, bytes, str]] = {
    "segments": (jpeg, "MAX_PARTS", 6, flat(Frame(64, 64)), "too long"),
    "chunks": (png_files, "MAX_PARTS", 3, png(Head(64, 64)), "too long"),
    "chunks of WebP": (webp, "MAX_PARTS", 1, encoded(drawing(), ".webp"), "too long"),
    "pixels of all scans": (costs, "MAX_SCANNED_PIXELS", 21 * 640 * 480, SCANS, "too long"),
    "memory": (costs, "MAX_HELD_BYTES", 5 * 640 * 480, SCANS, "too large"),
    "memory of HEIC": (costs, "MAX_BOXED_BYTES", HELD, bytes(Heic()), "too large"),
    "unpacked": (
        costs,
        "MAX_UNPACKED_BYTES",
        8 * 64 * 64 + 64,
        png(Head(64, 64, RGBA, 16)),
        "too large",
    ),
    "pixels a byte": (costs, "FREE_PIXELS", 640 * 480, flat(Frame(640, 480))[:400], "damaged"),
}
"""Each limit, its value that just lets a file pass, the file, and what is told below it."""


@pytest.mark.parametrize("name", LIMITS)
def test_each_limit_lets_pass_what_is_within_and_nothing_more(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, limit, most, data, words = LIMITS[name]
    monkeypatch.setattr(costs, "PIXELS_A_BYTE", 1)
    monkeypatch.setattr(module, limit, most)
    header = read_header(data)
    costs.check_cost(header)
    monkeypatch.setattr(module, limit, most - 1)
    with pytest.raises(PhotoRejected, match=words):
        costs.check_cost(read_header(data))


def test_a_png_unpacks_to_its_rows_and_no_byte_more() -> None:
    head = Head(64, 64)
    assert open_photo(png(head, chunk(b"IDAT", packed_zeros(head.unpacked)))).image.shape
    with pytest.raises(PhotoRejected, match="too long"):
        open_photo(png(head, chunk(b"IDAT", packed_zeros(head.unpacked + 1))))


@pytest.mark.parametrize("extension", FORMATS)
@pytest.mark.parametrize("orientation", [1, 6])
def test_a_very_large_photo_is_decoded_at_half_its_side(
    extension: str, orientation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "FULL_PIXELS", 5000)
    image = drawing(97, 63)
    opened = open_photo(with_exif(image, extension, orientation)).image
    assert opened.shape == upright(image, orientation).shape
    assert close(opened, upright(image, orientation))


def picture(**options: object) -> bytes:
    file = io.BytesIO()
    Image.fromarray(drawing()[:, :, ::-1]).save(file, **options)  # type: ignore[arg-type]
    return file.getvalue()


def noted() -> PngImagePlugin.PngInfo:
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Software", "a phone" * 300, zip=True)
    notes.add_itxt("Title", "table")
    return notes


def in_small_chunks() -> bytes:
    """The drawing as a PNG whose pixels come in chunks of ten bytes."""
    data = encoded(drawing(), ".png")
    start = data.index(b"IDAT") - 4
    length = int.from_bytes(data[start : start + 4], "big")
    pixels = data[start + 8 : start + 8 + length]
    parts = [png_chunk(b"IDAT", pixels[n : n + 10]) for n in range(0, length, 10)]
    return data[:start] + b"".join(parts) + data[start + 12 + length :]


def restarted() -> bytes:
    return saved("RGB", restart_marker_blocks=1)


ORDINARY = {
    "a progressive JPEG": picture(format="JPEG", progressive=True, quality=95),
    "one of full colour": picture(format="JPEG", progressive=True, subsampling=0),
    "a colour profile": picture(format="JPEG", icc_profile=bytes(200_000), quality=95),
    "restarts": restarted(),
    "fill bytes": encoded(drawing()).replace(b"\xff\xc0", b"\xff" * 9 + b"\xc0", 1),
    "a second picture behind the first": encoded(drawing()) + encoded(drawing()[:, ::-1]),
    "a thumbnail in the camera's notes": encoded(drawing())[:2]
    + segment(0xE1, b"Exif\0\0" + exif(1) + encoded(drawing(320, 240)))
    + encoded(drawing())[2:],
    "a PNG with notes": picture(format="PNG", pnginfo=noted(), icc_profile=bytes(9000)),
    "a PNG in small chunks": in_small_chunks(),
    "a WebP with a profile": picture(format="WEBP", lossless=True, icc_profile=bytes(9001)),
}


@pytest.mark.parametrize("data", ORDINARY.values(), ids=ORDINARY)
def test_what_phones_and_programs_write_is_read(data: bytes) -> None:
    opened = open_photo(data)
    assert close(opened.image, drawing())
    assert opened.remarks == ()


def test_a_white_screenshot_is_read_however_small_its_file_is() -> None:
    white: NDArray[np.uint8] = np.full((3000, 1440, 3), 255, np.uint8)
    assert open_photo(encoded(white, ".png")).image.shape == white.shape
