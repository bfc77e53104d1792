from __future__ import annotations

import io
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from tests.vision.pictures import (
    drawing,
    encoded,
    jpeg_claiming,
    png_chunk,
    png_claiming,
    riff_chunk,
    webp_claiming,
    with_exif,
)
from vision.errors import PhotoError, PhotoRejected
from vision.photo.decode import MAX_FILE_BYTES, decode_photo, open_photo
from vision.runtime.opencv import cv2


def speckled() -> NDArray[np.uint8]:
    """(480, 640, 3) picture whose rows need about equally many bytes."""
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 255, (480, 640, 3)).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(noise, (0, 0), 3), np.uint8)


FORMATS = (".jpg", ".png", ".webp")
CLOSE = 12
"""How far JPEG may move a colour, of 255."""


def close(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> bool:
    if first.shape != second.shape:
        return False
    return bool(np.abs(first.astype(int) - second).mean() < CLOSE)


@pytest.mark.parametrize("extension", FORMATS)
def test_a_photo_becomes_its_pixels(extension: str) -> None:
    image = decode_photo(encoded(drawing(), extension))
    assert image.dtype == np.uint8
    assert image.flags["C_CONTIGUOUS"]
    assert close(image, drawing())


def upright(image: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """What EXIF 2.32 section 4.6.4 asks for: where row 0 and column 0 of the file belong."""
    mirrored = image[:, ::-1]
    turned = {
        1: image,
        2: mirrored,
        3: np.rot90(image, 2),
        4: np.rot90(mirrored, 2),
        5: np.rot90(mirrored, 1),
        6: np.rot90(image, -1),
        7: np.rot90(mirrored, -1),
        8: np.rot90(image, 1),
    }
    return turned[orientation]


@pytest.mark.parametrize("extension", FORMATS)
@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_camera_s_orientation_is_applied(extension: str, orientation: int) -> None:
    image = decode_photo(with_exif(drawing(), extension, orientation))
    assert close(image, upright(drawing(), orientation))


def test_the_four_quarters_tell_all_orientations_apart() -> None:
    views = [upright(drawing(), orientation) for orientation in range(1, 9)]
    for first in range(8):
        for second in range(first):
            assert not close(views[first], views[second])


def test_grey_becomes_colour() -> None:
    grey = drawing()[:, :, 1]
    assert np.array_equal(decode_photo(encoded(grey, ".png")), np.dstack([grey] * 3))


def test_sixteen_bits_become_eight() -> None:
    deep = drawing().astype(np.uint16) * 257
    assert np.array_equal(decode_photo(encoded(deep, ".png")), drawing())


def test_transparency_is_dropped() -> None:
    alpha = np.full((64, 96, 1), 40, np.uint8)
    assert np.array_equal(decode_photo(encoded(np.dstack([drawing(), alpha]), ".png")), drawing())


def saved(mode: str, **options: object) -> bytes:
    """The drawing written by another program, in another colour mode."""
    file = io.BytesIO()
    picture = Image.fromarray(drawing()[:, :, ::-1]).convert(mode)
    picture.save(file, **{"format": "JPEG", **options})  # type: ignore[arg-type]
    return file.getvalue()


def test_cmyk_and_progressive_photos_are_read() -> None:
    assert close(decode_photo(saved("CMYK")), drawing())
    assert close(decode_photo(saved("RGB", progressive=True)), drawing())


def test_webp_with_loss_is_read() -> None:
    done, data = cv2.imencode(".webp", drawing(), [cv2.IMWRITE_WEBP_QUALITY, 95])
    assert done
    assert data[12:16].tobytes() == b"VP8 "
    assert close(decode_photo(data.tobytes()), drawing())


def test_an_error_within_opencv_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise cv2.error("something within")

    monkeypatch.setattr(cv2, "imdecode", fail)
    with pytest.raises(PhotoRejected, match="damaged"):
        decode_photo(encoded(drawing()))


def test_a_palette_picture_is_read() -> None:
    file = io.BytesIO()
    Image.fromarray(drawing()[:, :, ::-1]).quantize(16).save(file, "PNG")
    assert close(decode_photo(file.getvalue()), drawing())


def test_the_first_frame_of_an_animation_is_read() -> None:
    file = io.BytesIO()
    frames = [Image.fromarray(drawing()[:, :, ::-1]), Image.new("RGB", (96, 64))]
    frames[0].save(file, "WEBP", save_all=True, append_images=frames[1:], lossless=True)
    assert close(decode_photo(file.getvalue()), drawing())


@pytest.mark.parametrize(("kind", "frames"), [("WEBP", 2), ("PNG", 2), ("WEBP", 1), ("PNG", 1)])
def test_an_animation_is_said_to_be_one(kind: str, frames: int) -> None:
    file = io.BytesIO()
    first = Image.fromarray(drawing()[:, :, ::-1])
    more = {"save_all": True, "append_images": [Image.new("RGB", (96, 64))]} if frames > 1 else {}
    first.save(file, kind, lossless=True, **more)
    opened = open_photo(file.getvalue())
    assert close(opened.image, drawing())
    assert [("first picture" in str(remark)) for remark in opened.remarks] == [True] * (frames - 1)


@pytest.mark.parametrize("share", [0.35, 0.7, 0.98])
def test_what_is_there_of_a_jpeg_that_is_cut_short_is_read(
    share: float, capfd: pytest.CaptureFixture[str]
) -> None:
    data = encoded(speckled())
    opened = open_photo(data[: int(len(data) * share)])
    assert opened.image.shape == (480, 640, 3)
    top = int(480 * share * 0.8)
    assert close(opened.image[:top], speckled()[:top])
    (remark,) = opened.remarks
    told = int(str(remark).split("only ")[1].split("%")[0])
    assert abs(told - 100 * share) < 10
    assert capfd.readouterr().err == ""


def test_a_jpeg_cut_short_is_turned_as_the_camera_asked() -> None:
    data = with_exif(speckled(), ".jpg", 6)
    opened = open_photo(data[: int(len(data) * 0.6)])
    assert opened.image.shape == (640, 480, 3)
    assert "cut short" in str(opened.remarks[0])


def test_a_whole_photo_needs_no_remark() -> None:
    assert open_photo(encoded(drawing())).remarks == ()
    assert open_photo(drawing()).remarks == ()


def test_what_follows_the_end_of_a_jpeg_is_let_be() -> None:
    assert close(decode_photo(encoded(drawing()) + b"a phone's own notes" * 50), drawing())


def iso_media(brand: bytes) -> bytes:
    return b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0" + brand + b"mif1" + bytes(200)


FOREIGN = {
    "empty": (b"", "empty"),
    "zero bytes": (bytes(5000), "unknown kind"),
    "text named jpg": (b"This is a text file.\n" * 20, "a text file"),
    "text with accents": ("Dîner à quatre".encode() * 100, "a text file"),
    "web page": (b"<!DOCTYPE html><html></html>", "a web page"),
    "svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
    "xml": (b"\xef\xbb\xbf<?xml version='1.0'?><svg/>", "SVG"),
    "mp4": (iso_media(b"isom"), "video"),
    "gif": (b"GIF89a" + bytes(100), "GIF"),
    "tiff": (b"II*\0" + bytes(100), "TIFF"),
    "tiff big endian": (b"MM\0*" + bytes(100), "TIFF"),
    "bmp": (b"BM" + bytes(100), "BMP"),
    "pdf": (b"%PDF-1.7\n" + bytes(100), "PDF"),
    "zip": (b"PK\x03\x04" + bytes(100), "zip"),
    "jpeg 2000": (b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(100), "JPEG 2000"),
    "jpeg xl": (b"\xff\x0a" + bytes(100), "JPEG XL"),
    "openexr": (b"v/1\x01" + bytes(100), "OpenEXR"),
    "photoshop": (b"8BPS" + bytes(100), "Photoshop"),
    "sound in riff": (b"RIFF\x24\0\0\0WAVEfmt " + bytes(60), "unknown kind"),
    "text cut within a letter": ("é".encode() * 255 + b"\xc3\xc3", "a text file"),
    "latin-1 text": ("Dîner".encode("latin-1") * 200, "unknown kind"),
    "random": (np.random.default_rng(7).bytes(4000), "unknown kind"),
}
BROKEN = {
    "three bytes of jpeg": b"\xff\xd8\xff",
    "jpeg cut in its head": encoded(drawing())[:100],
    "jpeg with a tenth of its picture": encoded(speckled())[: len(encoded(speckled())) // 10],
    "jpeg without a frame": b"\xff\xd8\xff\xda\x00\x02" + bytes(50) + b"\xff\xd9",
    "jpeg segment of no length": b"\xff\xd8\xff\xe0\x00\x00" + bytes(50),
    "png signature alone": b"\x89PNG\r\n\x1a\n",
    "png cut in half": encoded(drawing(), ".png")[:90],
    "png without half of its pixels": encoded(drawing(), ".png")[:-40],
    "png without a header": b"\x89PNG\r\n\x1a\n" + png_chunk(b"IEND", b""),
    "png with a changed byte": encoded(drawing(), ".png")[:60]
    + b"\x55"
    + encoded(drawing(), ".png")[61:],
    "png claiming more than it has": png_claiming(4000, 4000),
    "webp head alone": b"RIFF\x24\0\0\0WEBPVP8 " + bytes(8),
    "webp cut in half": encoded(drawing(), ".webp")[:60],
    "webp of unknown content": b"RIFF\x64\0\0\0WEBP" + riff_chunk(b"XXXX", bytes(84)),
}
TOO_LARGE = {
    "png of 400 million pixels": (png_claiming(20_000, 20_000), "16000"),
    "png of 200 million pixels": (png_claiming(14_142, 14_142), "200 million"),
    "jpeg of 200 million pixels": (jpeg_claiming(14_142, 14_142), "200 million"),
    "webp of 200 million pixels": (webp_claiming(14_142, 14_142), "200 million"),
    "jpeg of 65535 pixels a side": (jpeg_claiming(65_535, 65_535), "16000"),
    "a very long strip": (png_claiming(16_001, 40), "16000"),
    "a jpeg of no height": (jpeg_claiming(640, 0), "at least 32"),
    "a thumbnail": (encoded(drawing(31, 200)), "at least 32"),
    "a file of 26 MB": (encoded(drawing()) + bytes(MAX_FILE_BYTES), "25 MB"),
}


@pytest.mark.parametrize(("data", "words"), FOREIGN.values(), ids=FOREIGN)
def test_other_kinds_of_files_are_named(data: bytes, words: str) -> None:
    with pytest.raises(PhotoRejected, match=words):
        decode_photo(data)


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_damaged_photos_are_refused(data: bytes) -> None:
    with pytest.raises(PhotoRejected, match="damaged or cut short"):
        decode_photo(data)


@pytest.mark.parametrize(("data", "words"), TOO_LARGE.values(), ids=TOO_LARGE)
def test_sizes_out_of_bounds_are_refused_before_decoding(data: bytes, words: str) -> None:
    start = time.process_time()
    with pytest.raises(PhotoRejected, match=words):
        decode_photo(data)
    assert time.process_time() - start < 0.5


def test_refusals_print_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    every = [*(data for data, _ in FOREIGN.values()), *BROKEN.values()]
    for data in every:
        if data is not BROKEN["png claiming more than it has"]:
            with pytest.raises(PhotoRejected):
                decode_photo(data)
    assert capfd.readouterr().err == ""


@given(st.sampled_from(FORMATS), st.integers(0, 10_000), st.binary(max_size=6))
@settings(max_examples=150, deadline=None)
def test_any_damage_gives_pixels_or_a_refusal(
    extension: str, position: int, replacement: bytes
) -> None:
    data = bytearray(encoded(drawing(), extension))
    position %= len(data)
    data[position : position + len(replacement) + 1] = replacement
    try:
        image = decode_photo(bytes(data))
    except PhotoError:
        return
    assert image.ndim == 3


@given(
    st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\x99\0\0\0WEBPVP8X"]),
    st.binary(),
)
@settings(max_examples=150, deadline=None)
def test_any_bytes_after_a_signature_are_refused(signature: bytes, rest: bytes) -> None:
    with pytest.raises(PhotoRejected):
        decode_photo(signature + rest)


def test_arrays_are_checked_and_made_colour() -> None:
    image = drawing()
    assert np.array_equal(decode_photo(image), image)
    assert np.array_equal(decode_photo(np.dstack([image, image[:, :, 0]])), image)
    assert decode_photo(image[:, :, 0]).shape == image.shape
    assert decode_photo(image[::2, ::2]).flags["C_CONTIGUOUS"]


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros((64, 64, 3), np.float32), "uint8"),
        (np.zeros((64, 64, 2), np.uint8), "shape"),
        (np.zeros((64,), np.uint8), "shape"),
        (np.zeros((2, 64, 64, 3), np.uint8), "shape"),
        (np.zeros((8, 64, 3), np.uint8), "at least 32"),
        (np.zeros((16_001, 32), np.uint8), "16000"),
    ],
)
def test_other_arrays_are_refused(array: NDArray[np.uint8], words: str) -> None:
    with pytest.raises(PhotoRejected, match=words):
        decode_photo(array)


def test_what_is_no_photo_at_all_is_refused() -> None:
    with pytest.raises(PhotoRejected, match="bytes or as an array"):
        decode_photo("photo.jpg")  # type: ignore[arg-type]
