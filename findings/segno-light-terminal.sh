#!/usr/bin/env bash
# A QR code in a terminal, printed by segno and read by OpenCV.
#
# Guess: QRCode.terminal() prints a code that can be scanned, whatever colours the terminal has; if one
#   is light on dark after all, readers take that too, since black and white are only exchanged.
# Seen (segno 1.6.6, opencv-python-headless 5.0.0.93, zxing-cpp 3.1.1): both forms take the terminal's own
#   colours and are made for light ink on dark ground. The compact one draws the light modules in ink, the
#   other one in reversed colours: on a terminal of black on white either is light on dark. Both of
#   OpenCV's detectors read nothing then, without an error; zxing-cpp reads it. Whoever prints a code has
#   to bring both colours along.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  segno==1.6.6 opencv-python-headless==5.0.0.93 numpy==2.4.6 zxing-cpp==3.1.1
"$folder/venv/bin/python" - <<'PY'
import io
import re

import cv2
import numpy as np
import segno
import zxingcpp

ADDRESS = "http://192.168.77.1:8080/enter"


def printed(compact):
    out = io.StringIO()
    segno.make(ADDRESS, error="m").terminal(out, compact=compact)
    return [line for line in out.getvalue().splitlines() if line]


def compact_form():
    """Which pixels are inked: each character is a module wide and two high."""
    return [[c in halves for c in line] for line in printed(True) for halves in ("█▀", "█▄")]


def wide_form():
    """The same of the other form: two spaces a module, light ones between codes that reverse."""
    rows = []
    for line in printed(False):
        row, reversed_now = [], False
        for code, spaces in re.findall(r"\x1b\[(\d+)m|( +)", line):
            if spaces:
                row += [reversed_now] * (len(spaces) // 2)
            else:
                reversed_now = code == "7"
        rows.append(row)
    return rows


def read(inked, ink, ground):
    large = np.array(inked, bool).repeat(8, 0).repeat(8, 1)
    shown = np.pad(np.where(large, ink, ground).astype(np.uint8), 40, constant_values=ground)
    found = [kind().detectAndDecode(shown)[0] for kind in (cv2.QRCodeDetector, cv2.QRCodeDetectorAruco)]
    found += [each.text for each in zxingcpp.read_barcodes(shown)]
    return [text == ADDRESS for text in found]


for form in (compact_form, wide_form):
    dark, light = read(form(), 230, 12), read(form(), 0, 255)
    print(form.__name__, "dark terminal:", dark, " light terminal:", light)
    assert dark == [True, True, True], dark
    assert light == [False, False, True], light
PY
echo "as it was seen"
