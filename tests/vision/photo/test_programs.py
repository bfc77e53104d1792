"""What programs write in ways of their own is read as other readers read it, or named."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from PIL import Image

from benchmarks.hostile.jpegs import END, START, Frame, flat, segment
from benchmarks.hostile.others import canvas, part, riff
from tests.vision.photo.test_decode import close, upright
from tests.vision.pictures import drawing, encoded, exif, png_chunk, riff_chunk, webp_with_exif
from vision.errors import PhotoRejected
from vision.photo.decode import decode_photo, open_photo

JPEG = encoded(drawing())
PNG = encoded(drawing(), ".png")
WEBP = encoded(drawing(), ".webp")
HEAD = PNG.index(b"IHDR") + 21
"""Where the header of the PNG ends."""
LAST = PNG.index(b"IEND") - 4
"""Where its last chunk begins."""


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_with_the_prefix_of_a_jpeg_turns_webp_and_png(orientation: int) -> None:
    block = b"Exif\0\0" + exif(orientation)
    png = PNG[:HEAD] + png_chunk(b"eXIf", block) + PNG[HEAD:]
    for data in (webp_with_exif(drawing(), WEBP, block), png):
        assert close(decode_photo(data), upright(drawing(), orientation))


def ends(data: bytes) -> list[int]:
    """Where the segments in front of a JPEG's pixels end, but for the header of their scan."""
    found, position = list[int](), 2
    while data[position + 1] != 0xDA:
        position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
        found.append(position)
    return found


@pytest.mark.parametrize("stray", [b"?>", bytes(8), b"\xff\0\xff", b"\0" * 70_000])
def test_bytes_between_the_segments_of_a_jpeg_are_passed_over(
    stray: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    turned = segment(0xE1, b"Exif\0\0" + exif(6))
    data = START + turned + JPEG[2:]
    assert len(ends(data)) >= 5
    for end in ends(data):
        opened = open_photo(data[:end] + stray + data[end:])
        assert np.array_equal(opened.image, decode_photo(data))
        assert opened.remarks == ()
    assert capfd.readouterr().err == ""


def wrong(chunk: bytes) -> bytes:
    """A chunk of a PNG with another checksum."""
    return chunk[:-4] + bytes(byte ^ 0x55 for byte in chunk[-4:])


@pytest.mark.parametrize("at", [HEAD, LAST])
@pytest.mark.parametrize("name", [b"tEXt", b"iCCP", b"tRNS", b"eXIf"])
def test_a_note_of_a_png_with_a_wrong_checksum_is_left_out(name: bytes, at: int) -> None:
    note = wrong(png_chunk(name, exif(6)))
    assert np.array_equal(decode_photo(PNG[:at] + note + PNG[at:]), drawing())


@pytest.mark.parametrize("name", [b"IHDR", b"IDAT"])
def test_a_png_whose_pixels_have_a_wrong_checksum_is_damaged(name: bytes) -> None:
    start = PNG.index(name) - 4
    end = start + 12 + int.from_bytes(PNG[start : start + 4], "big")
    with pytest.raises(PhotoRejected, match="PNG file is damaged"):
        decode_photo(PNG[:start] + wrong(PNG[start:end]) + PNG[end:])


@pytest.mark.parametrize(
    "behind",
    [b"", PNG[LAST : LAST + 5], PNG[LAST:-1], wrong(PNG[LAST:]), png_chunk(b"tEXt", b"a note")[:9]],
    ids=["nothing", "its name begun", "a byte less", "a wrong checksum", "a note begun"],
)
def test_a_png_that_breaks_off_behind_its_pixels_is_read(behind: bytes) -> None:
    assert np.array_equal(decode_photo(PNG[:LAST] + behind), drawing())


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (Frame(640, 480, 3, kind=0xC1, bits=12), "a JPEG with 12 bits per colour, which Kongbox"),
        (Frame(640, 480, 3, kind=0xC9), "a JPEG with arithmetic coding"),
        (Frame(640, 480, 3, kind=0xCA), "a JPEG with arithmetic coding"),
        (Frame(640, 480, 3, kind=0xC3), "a lossless JPEG"),
        (Frame(640, 480, 3, kind=0xF7), "a lossless JPEG"),
        (Frame(640, 480, 3, kind=0xC5), "a JPEG in several layers"),
    ],
)
def test_a_jpeg_that_no_decoder_here_reads_is_named(frame: Frame, words: str) -> None:
    with pytest.raises(PhotoRejected, match=f"This is {words}"):
        decode_photo(flat(frame))
    with pytest.raises(PhotoRejected, match=f"This is {words}"):
        decode_photo(START + bytes(frame) + END)


def animation(left: int, top: int, orientation: int = 1) -> bytes:
    """A WebP of 128 x 96 whose first frame is the drawing and whose second is grey."""
    second = encoded(np.full((96, 128, 3), 200, np.uint8), ".webp")
    frames = [
        part(b"ANMF", b"".join(side.to_bytes(3, "little") for side in sides) + b"\0" + file[12:])
        for sides, file in (
            ((left // 2, top // 2, 95, 63, 500), WEBP),
            ((0, 0, 127, 95, 500), second),
        )
    ]
    note = riff_chunk(b"EXIF", exif(orientation))
    return riff(canvas(128, 96, 0x0A), part(b"ANIM", b"\xff" * 4 + bytes(2)), *frames, note)


@pytest.mark.parametrize("orientation", [1, 6])
@pytest.mark.parametrize(("left", "top"), [(0, 0), (16, 20), (32, 32)])
def test_the_first_frame_of_a_webp_lies_on_its_canvas(
    left: int, top: int, orientation: int
) -> None:
    shown = np.zeros((96, 128, 3), np.uint8)
    shown[top : top + 64, left : left + 96] = drawing()
    opened = open_photo(animation(left, top, orientation))
    assert np.array_equal(opened.image, upright(shown, orientation))
    assert "first picture" in str(opened.remarks[0])


def test_a_frame_beside_its_canvas_is_damage() -> None:
    with pytest.raises(PhotoRejected, match="WebP file is damaged"):
        decode_photo(animation(64, 0))


def test_a_small_frame_on_a_canvas_that_costs_too_much_is_refused() -> None:
    size = (5000 - 1).to_bytes(3, "little")
    data = animation(0, 0).replace(canvas(128, 96, 0x0A)[12:], size + size, 1)
    with pytest.raises(PhotoRejected, match="too large"):
        decode_photo(data)


def test_pillow_and_this_reader_agree_on_an_animation() -> None:
    with Image.open(io.BytesIO(animation(16, 16))) as image:
        other = np.asarray(image.convert("RGB"))[:, :, ::-1]
    assert np.array_equal(decode_photo(animation(16, 16)), other)
    assert struct.unpack("<I", animation(16, 16)[4:8])[0] == len(animation(16, 16)) - 8
