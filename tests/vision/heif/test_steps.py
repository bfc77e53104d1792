"""What an HEIC or AVIF picture is cut to is shown alone, however it is turned besides."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from benchmarks.hostile.heics import PIECE, Heic
from tests.vision.heif.test_heic import TURNS, avif, rebuilt
from tests.vision.photo.test_decode import close, upright
from tests.vision.pictures import drawing
from vision.errors import PhotoRejected
from vision.heif.boxes import box
from vision.heif.picture import read_picture
from vision.photo.decode import decode_photo


def clap(left: float, top: float, right: float, bottom: float) -> bytes:
    """The box that cuts the picture of 96 x 64 pixels at these lines, in quarters of a pixel."""
    sizes = (right - left, bottom - top, (left + right - 96) / 2, (top + bottom - 64) / 2)
    return box(b"clap", b"".join(struct.pack(">iI", round(4 * size), 4) for size in sizes))


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize(
    ("left", "top", "right", "bottom"),
    [(0, 0, 48, 64), (48, 0, 96, 64), (10, 20, 90, 60), (33, 1, 96, 34)],
)
def test_what_a_picture_is_cut_to_is_shown_alone(
    left: int, top: int, right: int, bottom: int, orientation: int
) -> None:
    steps = (clap(left, top, right, bottom), *TURNS[orientation])
    shown = upright(drawing()[top:bottom, left:right], orientation)
    assert close(decode_photo(bytes(Heic(turns=steps))), shown)
    assert close(decode_photo(bytes(Heic([PIECE], size=(96, 64), turns=steps))), shown)
    assert close(decode_photo(rebuilt(read_picture("AVIF", avif()), turns=steps)), shown)


def test_a_cut_behind_a_turn_is_of_what_was_turned() -> None:
    steps = (box(b"irot", b"\2"), clap(0, 0, 48, 64))
    assert close(decode_photo(bytes(Heic(turns=steps))), np.rot90(drawing(), 2)[:, :48])


@pytest.mark.parametrize(
    ("cut", "size"),
    [
        (clap(-50, -50, 48, 64), (48, 64)),
        (clap(0.5, 0, 48.5, 64), (48, 64)),
        (clap(0.25, 0.25, 95.75, 63.75), (96, 64)),
    ],
    ids=["over the edge", "halves", "quarters"],
)
def test_a_cut_between_pixels_or_over_the_edge_is_of_whole_pixels_that_are_there(
    cut: bytes, size: tuple[int, int]
) -> None:
    assert decode_photo(bytes(Heic(turns=[cut]))).shape[1::-1] == size


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (clap(0, 0, 20, 64), "The photo is 20 x 64 pixels; each side needs at least 32"),
        (clap(100, 0, 150, 64), "The photo is 0 x 64 pixels"),
        (clap(60, 0, 30, 64), "The photo is 0 x 64 pixels"),
        (box(b"clap", bytes(32)), "HEIC file is damaged"),
        (box(b"clap", bytes(5)), "HEIC file is damaged"),
    ],
    ids=["a strip", "beside it", "less than nothing", "divided by nothing", "cut short"],
)
def test_a_cut_that_leaves_no_photo_is_told(cut: bytes, words: str) -> None:
    with pytest.raises(PhotoRejected, match=words):
        decode_photo(bytes(Heic(turns=[cut])))
