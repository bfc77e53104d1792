"""What cameras make in one piece is read, and takes the memory that was foreseen for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from benchmarks.hostile.heics import SLICE, Heic, sized, units
from benchmarks.hostile.jpegs import noise
from vision.photo.costs import check_cost
from vision.photo.headers import read_header


def camera(width: int, height: int) -> bytes:
    """A picture in one piece, of as many bytes as a camera would write at least."""
    slices = [units(SLICE[:40] + noise(width * height // 500))]
    return bytes(Heic(slices, piece=(width, height), parameters=sized(width, height)))


@pytest.mark.parametrize(("width", "height"), [(5504, 3680), (7008, 4672), (8256, 5504)])
def test_what_cameras_make_in_one_piece_is_let_pass(width: int, height: int) -> None:
    check_cost(read_header(camera(width, height)))


SPENT = """
import re, sys
from pathlib import Path
from vision.photo.costs import check_cost
from vision.photo.decode import decode_photo
from vision.photo.headers import read_header
from vision.photo.headers import read_header
from vision.runtime.opencv import cv2
from tests.vision.heif.test_heic import Heic, avif

def most():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024

data = Path(sys.argv[1]).read_bytes()
decode_photo(avif()), decode_photo(bytes(Heic()))
header, before = read_header(data), most()
decode_photo(data)
print(most() - before, header.pixels * 3 + header.beside)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells the peak of a process in /proc")
@pytest.mark.parametrize("kind", ["HEIC", "AVIF"])
def test_a_picture_in_one_piece_takes_no_more_memory_than_was_foreseen(
    kind: str, tmp_path: Path
) -> None:
    file = tmp_path / "picture"
    if kind == "HEIC":
        file.write_bytes(camera(4608, 3456))
    else:
        Image.new("RGB", (4608, 3456), "white").save(file, "AVIF", speed=10)
    told = subprocess.run([sys.executable, "-c", SPENT, str(file)], capture_output=True, check=True)
    spent, foreseen = map(int, told.stdout.split())
    assert foreseen / 2 < spent < foreseen + 20_000_000
