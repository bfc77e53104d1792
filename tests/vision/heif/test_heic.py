"""HEIC and AVIF are read as a JPEG of the same picture is; what is no such picture is refused.

The files beside this one were coded by pillow-heif: ``west.heic`` from a sample photo of the page,
cut into four pieces, the others from the drawing of four quarters: with ten bits of a colour, with
transparency, as the second of two pictures, the first of which is its negative, and in the wide
colours of iPhones.
"""

from __future__ import annotations

import io
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import AvifImagePlugin, Image

from benchmarks.hostile.heics import (
    HEICS,
    PARAMETERS,
    PIECE,
    Heic,
    turned,
)
from tests.vision.photo.test_decode import close, upright
from tests.vision.pictures import drawing, exif, with_exif
from vision import read_photo
from vision.errors import PhotoRejected
from vision.heif import hevc, hevc_sizes, pixels
from vision.heif.bits import Bits
from vision.heif.boxes import box
from vision.heif.hevc_sizes import read_sizes
from vision.heif.picture import Picture, read_picture
from vision.photo.decode import decode_photo, open_photo
from vision.runtime.opencv import cv2

HERE = Path(__file__).parent
SAMPLES = Path(__file__).parents[3] / "webapp" / "static" / "samples"
TURNS = {
    1: turned(0),
    2: turned(0, mirrored=1),
    3: turned(2),
    4: turned(0, mirrored=0),
    5: turned(1, mirrored=0),
    6: turned(3),
    7: turned(1, mirrored=1),
    8: turned(1),
}
"""What turns a picture as each of the eight ways of Exif does."""
PHOTOS = {"noise for 16 megapixels", "noise for 25 megapixels"}
"""Hostile files that are as large as what a camera makes, and cost as much."""
QUICK_S = 1.0
"""Processor time in seconds within which a file made to cost much is refused."""


def avif(mode: str = "RGB", **options: object) -> bytes:
    """The drawing as AVIF."""
    file = io.BytesIO()
    picture = Image.fromarray(drawing()[:, :, ::-1]).convert(mode)
    picture.save(file, **{"format": "AVIF", "quality": 90, **options})  # type: ignore[arg-type]
    return file.getvalue()


def test_the_tiles_of_an_iphone_photo_are_those_of_the_jpeg() -> None:
    heic = read_photo((HERE / "west.heic").read_bytes())
    jpeg = read_photo((SAMPLES / "west.jpg").read_bytes())
    assert len(heic.tiles) == 14
    assert sorted(tile.label for tile in heic.tiles) == sorted(tile.label for tile in jpeg.tiles)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_an_iphone_photo_is_upright_as_the_jpeg_of_it(orientation: int) -> None:
    jpeg = decode_photo(with_exif(drawing(), ".jpg", orientation))
    assert close(decode_photo(bytes(Heic(turns=TURNS[orientation]))), jpeg)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_an_avif_is_turned_once_though_exif_says_it_too(orientation: int) -> None:
    data = avif(exif=b"Exif\0\0" + exif(orientation))
    assert close(decode_photo(data), upright(drawing(), orientation))


@pytest.mark.parametrize("orientation", [1, 6, 7])
def test_pieces_are_put_together_and_cut_to_size(orientation: int) -> None:
    six = np.tile(drawing(), (2, 3, 1))[:100, :250]
    data = bytes(Heic([PIECE] * 6, 3, (250, 100), turns=TURNS[orientation]))
    assert close(decode_photo(data), upright(six, orientation))


@pytest.mark.parametrize("name", ["deep", "clear", "second"])
def test_depth_transparency_and_other_pictures_change_nothing(name: str) -> None:
    photo = open_photo((HERE / f"{name}.heic").read_bytes())
    assert close(photo.image, drawing())
    assert photo.remarks == ()


def test_the_wide_colours_of_an_iphone_take_no_time_and_are_read_as_a_jpeg_has_them() -> None:
    start = time.process_time()
    image = decode_photo((HERE / "wide.heic").read_bytes())
    assert time.process_time() - start < QUICK_S
    assert close(image, drawing())


def with_matrix(unit: bytes, matrix: int) -> bytes:
    """A sequence parameter set, without guarding bytes, whose colours are made by that matrix."""
    read: list[tuple[Bits, int, int]] = []

    class Watched(Bits):
        def number(self, count: int) -> int:
            read.append((self, self.at, count))
            return super().number(count)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(hevc_sizes, "Bits", Watched)
        read_sizes(unit)
    bits, at, count = read[-1]
    assert count == 8
    behind = 8 * len(bits.data) - at - count
    value = int.from_bytes(bits.data, "big") & ~(255 << behind) | matrix << behind
    return value.to_bytes(len(bits.data), "big")


@pytest.fixture(scope="module")
def wide_set() -> bytes:
    """The sequence parameter set of an iPhone's picture."""
    parameters = read_picture("HEIC", (HERE / "wide.heic").read_bytes()).parameters
    start = parameters.index(b"\x42\1")
    return parameters[start : start + int.from_bytes(parameters[start - 2 : start], "big")]


@pytest.mark.parametrize("matrix", range(16))
def test_only_matrices_that_are_converted_get_to_the_decoder(wide_set: bytes, matrix: int) -> None:
    converted = matrix in {1, 2, 4, 5, 6, 7, 9}
    told = b"nclx\0\1\0\x0d" + matrix.to_bytes(2, "big") + b"\x80"
    refused = pytest.raises(PhotoRejected, match="stores its colours in a way that Kongbox cannot")
    with nullcontext() if converted else refused:
        read_picture("HEIC", bytes(Heic(colours=told)))
    with nullcontext() if converted else refused:
        read_sizes(with_matrix(wide_set, matrix))


def test_grey_avif_of_limited_range_is_stretched_to_all_levels() -> None:
    ramp = np.tile(np.arange(256, dtype=np.uint8), (64, 1))
    file = io.BytesIO()
    Image.fromarray(ramp).save(file, "AVIF", quality=100, range="limited")
    assert np.abs(decode_photo(file.getvalue()).astype(int) - ramp[:, :, np.newaxis]).max() <= 1


def rebuilt(whole: Picture, **changed: Any) -> bytes:
    """An AVIF of the pieces of another, with other boxes."""
    told = {"parameters": whole.parameters, "colours": whole.colours, "piece": whole.piece}
    return bytes(
        Heic(whole.pieces, coding=b"av1C", item=b"av01", brand=b"avif", **{**told, **changed})
    )


@pytest.mark.parametrize("matrix", range(16))
def test_only_matrices_that_pillow_converts_get_to_it(matrix: int) -> None:
    whole = read_picture("AVIF", avif(subsampling="4:4:4"))
    told = whole.colours[:8] + matrix.to_bytes(2, "big") + whole.colours[10:]
    if matrix in {0, 1, 2, 4, 5, 6, 7, 8, 9, 12}:
        assert decode_photo(rebuilt(whole, colours=told)).std() > 40
    else:
        with pytest.raises(PhotoRejected, match="stores its colours in a way that Kongbox cannot"):
            decode_photo(rebuilt(whole, colours=told))


def test_avif_with_transparency_in_grey_and_moving_is_read() -> None:
    assert close(decode_photo(avif("RGBA")), drawing())
    grey = cv2.cvtColor(drawing(), cv2.COLOR_BGR2GRAY)
    assert close(decode_photo(avif("L")), np.dstack([grey] * 3).astype(np.uint8))
    first, second = (Image.new("RGB", (96, 64), colour) for colour in ("white", "black"))
    file = io.BytesIO()
    first.save(file, format="AVIF", save_all=True, append_images=[second])
    moving = open_photo(file.getvalue())
    assert moving.image.mean() > 250
    assert "animation" in str(moving.remarks[0])


def test_a_picture_behind_another_is_found() -> None:
    data = bytes(Heic([PIECE], size=(96, 64)))
    for derived in (b"iden", b"tmap"):
        assert close(decode_photo(data.replace(b"grid", derived, 1)), drawing())


@pytest.mark.parametrize("name", sorted(set(HEICS) - PHOTOS))
def test_a_file_made_to_cost_much_costs_little(name: str) -> None:
    data = HEICS[name]()
    start = time.process_time()
    try:
        image = decode_photo(data)
    except PhotoRejected as refusal:
        assert str(refusal).startswith(("The ", "This ", "Reading this "))  # noqa: PT017
    else:
        assert image.size <= 3 * 6 * 96 * 64
    assert time.process_time() - start < QUICK_S


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cut short", "is damaged"),
        ("60 megapixels coded, 96 x 64 told", "is damaged"),
        ("a piece of 60 megapixels", "is damaged"),
        ("a grid of 64 pixels, pieces of 60 megapixels", "is damaged"),
        ("a grid of 10,000 pieces", "too long"),
        ("a grid of itself", "too long"),
        ("20 pictures in a piece", "is damaged"),
        ("9,000 slices of 25 megapixels", "too long"),
        ("65,535 extents of nothing, again and again", "too long"),
        ("parameters of 20 MB", "too long"),
        ("a film", "too long"),
    ],
)
def test_what_was_made_to_cost_much_never_gets_to_the_decoder(
    name: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(pixels._DECODERS, "hvcC", lambda _picture: pytest.fail("decoded"))
    with pytest.raises(PhotoRejected, match=words):
        decode_photo(HEICS[name]())


def test_avif_that_claims_another_size_is_refused() -> None:
    data = bytearray(avif())
    at = data.index(b"ispe") + 8
    data[at : at + 8] = (8900).to_bytes(4, "big") + (6700).to_bytes(4, "big")
    with pytest.raises(PhotoRejected, match="AVIF file is damaged"):
        decode_photo(bytes(data))


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])
def test_parameters_that_end_early_are_told(share: float) -> None:
    start = PARAMETERS.index(b"\x42\1\1")
    length = int(share * int.from_bytes(PARAMETERS[start - 2 : start], "big"))
    cut = PARAMETERS[: start - 2] + length.to_bytes(2, "big") + PARAMETERS[start : start + length]
    with pytest.raises(PhotoRejected, match="HEIC file is damaged"):
        decode_photo(bytes(Heic(parameters=cut)))


def test_other_units_among_the_parameters_are_left_out() -> None:
    note = b"\x27\0\1\0\x06\x4e\1\5\1\0\x80"
    told = PARAMETERS[:22] + bytes([PARAMETERS[22] + 1]) + note + PARAMETERS[23:]
    assert close(decode_photo(bytes(Heic(parameters=told))), drawing())


@pytest.mark.parametrize("share", [0.02, 0.1, 0.6, 0.99])
def test_an_iphone_photo_that_is_cut_short_is_told_as_that(share: float) -> None:
    data = (HERE / "west.heic").read_bytes()
    with pytest.raises(PhotoRejected, match="HEIC file is damaged or cut short"):
        decode_photo(data[: int(share * len(data))])


def test_an_avif_that_is_broken_is_told_once(capfd: pytest.CaptureFixture[str]) -> None:
    data = avif()
    with pytest.raises(PhotoRejected, match="AVIF file is damaged"):
        decode_photo(data[:-40] + bytes(40))
    assert capfd.readouterr() == ("", "")


def test_a_piece_that_is_broken_is_told() -> None:
    broken = PIECE[:5] + bytes([PIECE[5], 0x80]) + bytes(len(PIECE) - 7)
    with pytest.raises(PhotoRejected, match="HEIC file is damaged"):
        decode_photo(bytes(Heic([broken])))


def test_notes_in_a_file_never_get_to_the_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    films: list[bytes] = []
    opened = hevc._opened

    def kept(film: io.BytesIO) -> cv2.VideoCapture:
        films.append(film.getvalue())
        return opened(film)

    monkeypatch.setattr(hevc, "_opened", kept)
    data = bytes(Heic(before=box(b"uuid", b"where it was taken"))) + box(b"free", b"a note")
    assert close(decode_photo(data), drawing())
    assert b"taken" not in films[0]
    assert b"note" not in films[0]


def test_where_no_decoder_is_there_people_are_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hevc, "_opened", lambda _film: cv2.VideoCapture())
    with pytest.raises(PhotoRejected, match="Settings, Camera, Formats, Most Compatible"):
        decode_photo(bytes(Heic()))
    monkeypatch.setattr(AvifImagePlugin, "SUPPORTED", False)
    with pytest.raises(PhotoRejected, match="Save it as JPEG"):
        decode_photo(avif())
