#!/usr/bin/env bash
# The crop (clap) of an AVIF picture and of an HEIC picture, read by Pillow's two decoders.
#
# Guess: a picture that was cropped on a phone keeps all its pixels and says in the property clap which
#   part is shown (ISO/IEC 14496-12; essential in MIAF). Pillow shows that part, of AVIF as of HEIC.
# Seen (pillow 13.0.0 with libavif 1.4.2, pillow-heif 1.8.1): of HEIC pillow-heif shows the part, 48 of
#   96 pixels wide. Of AVIF Pillow's own decoder shows the whole picture without a word, and says nothing
#   of a crop in its info: who crops a bystander out of an AVIF photo shows them in every thumbnail that
#   Pillow makes. Whoever reads both with Pillow has to read clap of AVIF files by themselves.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pillow==13.0.0 pillow-heif==1.8.1
"$folder/venv/bin/python" - <<'PY'
import io
import struct

import pillow_heif
from PIL import Image, features

pillow_heif.register_heif_opener()
LEFT_HALF = struct.pack(">8i", 48, 1, 64, 1, -24, 1, 0, 1)
"""Width and height of the part, and how far its middle lies right of and below the picture's."""


def box(kind, *parts):
    content = b"".join(parts)
    return struct.pack(">I", 8 + len(content)) + kind + content


def inside(data):
    """The boxes of some bytes, by kind; each kind once."""
    found, at = {}, 0
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        found[kind] = data[at + 8 : at + size]
        at += size
    return found


def cropped(data):
    """The file with one more property of its only item."""
    file = inside(data)
    meta = inside(file[b"meta"][4:])
    iprp = inside(meta[b"iprp"])
    properties, at = 1, 0
    while at < len(iprp[b"ipco"]):
        at += struct.unpack_from(">I", iprp[b"ipco"], at)[0]
        properties += 1
    ipma = bytearray(iprp[b"ipma"])  # version, number of items, item, number of its properties, these
    ipma[10] += 1
    iprp = box(b"iprp", box(b"ipco", iprp[b"ipco"], box(b"clap", LEFT_HALF)),
               box(b"ipma", bytes(ipma), bytes([128 | properties])))
    before, grown = data.index(b"mdat") + 4, len(iprp) - 8 - len(meta[b"iprp"])
    moved = meta[b"iloc"].replace(struct.pack(">I", before), struct.pack(">I", before + grown))
    assert moved != meta[b"iloc"]
    meta = {**meta, b"iloc": moved}
    whole = [iprp if kind == b"iprp" else box(kind, content) for kind, content in meta.items()]
    file[b"meta"] = file[b"meta"][:4] + b"".join(whole)
    return b"".join(box(kind, content) for kind, content in file.items())


def shown(kind):
    picture = Image.new("RGB", (96, 64), "red")
    picture.paste("blue", (48, 0, 96, 64))
    file = io.BytesIO()
    picture.save(file, kind, quality=90)
    one = Image.open(io.BytesIO(cropped(file.getvalue())))
    one.load()
    colours = {("red" if red > 128 else "blue") for red, _, _ in (
        one.convert("RGB").getpixel((x, 32)) for x in range(4, one.width - 4, 8))}
    return one.size, sorted(colours)


seen = {kind: shown(kind) for kind in ("HEIF", "AVIF")}
print("libavif", features.version("avif"))
print(seen)
assert seen == {"HEIF": ((48, 64), ["red"]), "AVIF": ((96, 64), ["blue", "red"])}, seen
PY
echo "as it was seen"
