#!/usr/bin/env bash
# Which way is up in a WebP picture that libvips (sharp, many photo servers) has written.
#
# Guess: a JPEG of a phone that says "turn me" (orientation 6) is saved as WebP and still says so, and
#   whoever turns JPEG and WebP of other programs turns this one.
# Seen (pyvips 3.2.0 with libvips 8.18.7, pillow 13.0.0, opencv-python-headless 5.0.0.93, exifread 3.5.1):
#   libvips puts the six bytes "Exif\0\0" of JPEG before what belongs into the chunk EXIF of WebP; into
#   PNG it does not. Pillow and libvips itself read it with them and without. OpenCV turns JPEG, PNG and
#   Pillow's WebP, but shows libvips's WebP lying on its side, without a word; exifread finds the orientation
#   of libvips's file and none in Pillow's. Whoever reads photos of both has to look for the six bytes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyvips==3.2.0 pyvips-binary==8.18.7 \
  pillow==13.0.0 opencv-python-headless==5.0.0.93 numpy==2.4.6 exifread==3.5.1
"$folder/venv/bin/python" - <<'PY'
import io

import cv2
import exifread
import numpy as np
import pyvips
from PIL import Image

ORIENTATION, QUARTER = 0x0112, 6
WIDTH, HEIGHT = 64, 32


def by_pillow(kind):
    exif, out = Image.Exif(), io.BytesIO()
    exif[ORIENTATION] = QUARTER
    Image.new("RGB", (WIDTH, HEIGHT), "red").save(out, kind, exif=exif)
    return out.getvalue()


def by_libvips(suffix):
    return pyvips.Image.new_from_buffer(by_pillow("JPEG"), "").write_to_buffer(suffix)


def read(picture):
    """Whether OpenCV turns it, and which orientation Pillow and exifread find."""
    height, width = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR).shape[:2]
    found = exifread.process_file(io.BytesIO(picture), details=False).get("Image Orientation")
    tag = Image.open(io.BytesIO(picture)).getexif().get(ORIENTATION)
    return (width, height) == (HEIGHT, WIDTH), tag, None if found is None else found.values[0]


def chunk(picture):
    start = picture.index(b"EXIF") + 8
    return picture[start : start + 6]


pictures = {
    "JPEG": by_pillow("JPEG"), "PNG of libvips": by_libvips(".png"),
    "WebP of Pillow": by_pillow("WEBP"), "WebP of libvips": by_libvips(".webp"),
}
seen = {name: read(picture) for name, picture in pictures.items()}
for name, result in seen.items():
    print(f"{name}: turned by OpenCV {result[0]}, Pillow {result[1]}, exifread {result[2]}")
assert chunk(pictures["WebP of libvips"]) == b"Exif\0\0"
assert chunk(pictures["WebP of Pillow"])[:2] in (b"MM", b"II")
assert seen == {
    "JPEG": (True, 6, 6), "PNG of libvips": (True, 6, 6),
    "WebP of Pillow": (True, 6, None), "WebP of libvips": (False, 6, 6),
}, seen
PY
echo "as it was seen"
