"""Tries Kongbox in an emulated Debian for 64-bit ARM, and holds it against this computer.

``supply/arm64.sh``, which ``make arm64`` runs, makes the system and ends with this. A Raspberry Pi
4 and a Pi 5 are emulated in turn: the processor of the 4 lacks the instructions for dot products
that the 5 has, and ONNX Runtime has other code for each. Seconds are those of an emulator, far from
a Pi's; memory is the emulator's and Kongbox's together.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import dist
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final

PROCESSORS: Final = {"Raspberry Pi 4": "cortex-a72", "Raspberry Pi 5": "cortex-a76"}
"""The name that qemu has for the processor of each computer."""

FOLDER: Final = "srv/kongbox"
"""Where the samples lie in the other system."""

SAMPLES: Final = ("east.jpg", "south.jpg")
"""The photos that are read."""

PORT: Final = 8764
"""Where the page is served for the while."""

PAGE_BYTES: Final = 16 * 1024
"""The pages of memory of a Pi 5's usual kernel; the emulator's are smaller."""

STARTING_S: Final = 300
"""Seconds within which an emulated server answers."""

DEAL: Final = {
    "ruleset": "bmja-u3a",
    "players": [
        {"seat": "E", "claimed": 20},
        {"seat": "W", "claimed": 8},
        {"seat": "N", "claimed": 34},
        {
            "seat": "S",
            "concealed": ["6s", "6s", "6s", "7z", "7z"],
            "melds": [
                {"kind": "pung", "tiles": [tile] * 3, "concealed": False}
                for tile in ("1s", "3s", "9s")
            ],
            "bonus": ["2f"],
        },
    ],
    "win": {"seat": "S", "tile": "6s", "source": "discard", "from": "N"},
}
"""The deal that is scored."""

_ELF_64: Final = b"\x7fELF\x02"
"""The first bytes of a library or program for 64 bits (elf(5))."""

_ELF: Final = struct.Struct("<32xQ14xHH6x")
_PART: Final = struct.Struct("<I44xQ")
_LOADED: Final = 1
"""The kind of a part of a library that is loaded."""


class DidNotWork(Exception):
    """Something failed in the other system; the text says what, and what was said there."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a command.

    Attributes:
        said: its standard output.
        seconds: the wall-clock time that it took.
        megabytes: the most memory that its process held, in 10^6 bytes.
    """

    said: str
    seconds: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Likeness:
    """How two readings of a photo differ.

    Attributes:
        tiles: number of tiles that both find in the same place.
        otherwise: what each reads of a tile where they differ, nothing where it finds none.
        corner: the furthest that a corner lies from the other's, in pixels.
        confidence: the most by which a confidence differs.
    """

    tiles: int
    otherwise: tuple[tuple[str, str], ...]
    corner: float
    confidence: float


def compare(one: Mapping[str, Any], other: Mapping[str, Any]) -> Likeness:
    """How two readings, as ``kongbox read --json`` gives them, differ.

    Two tiles are the same where none of their corners lies further from the other's than half the
    side of the first; in whatever order they come.
    """
    left = list(other["tiles"])
    otherwise: list[tuple[str, str]] = []
    corners, confidences = [0.0], [0.0]
    for tile in one["tiles"]:
        twin = min(left, key=lambda each: _apart(tile, each), default=None)
        if twin is None or _apart(tile, twin) > dist(*tile["quad"][:2]) / 2:
            otherwise.append((tile["label"], ""))
            continue
        left.remove(twin)
        corners.append(_apart(tile, twin))
        confidences.append(abs(tile["confidence"] - twin["confidence"]))
        if tile["label"] != twin["label"]:
            otherwise.append((tile["label"], twin["label"]))
    found = len(corners) - 1
    otherwise += (("", tile["label"]) for tile in left)
    return Likeness(found, tuple(otherwise), max(corners), max(confidences))


def _apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    return max(dist(*points) for points in zip(one["quad"], other["quad"], strict=True))


def unloadable(folder: Path) -> Iterator[Path]:
    """The 64-bit libraries and programs in the folder that cannot be loaded into a Pi 5's pages."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        with path.open("rb") as file:
            head = file.read(_ELF.size)
            if len(head) < _ELF.size or head[:5] != _ELF_64:
                continue
            start, size, count = _ELF.unpack(head)
            file.seek(start)
            table = file.read(size * count)
        parts = (_PART.unpack_from(table, size * number) for number in range(count))
        if any(kind == _LOADED and alignment < PAGE_BYTES for kind, alignment in parts):
            yield path


def run(command: Sequence[str], typed: str = "") -> Ran:
    """Run the command to its end, with this text as its standard input.

    Raises:
        DidNotWork: it failed.
    """
    with (
        TemporaryFile("w+", encoding="utf-8") as entered,
        TemporaryFile("w+", encoding="utf-8") as said,
        TemporaryFile("w+", encoding="utf-8") as rest,
    ):
        entered.write(typed)
        entered.seek(0)
        begun = time.monotonic()
        process = subprocess.Popen(command, stdin=entered, stdout=said, stderr=rest)  # noqa: S603
        megabytes = _ended(process)
        seconds = time.monotonic() - begun
        said.seek(0)
        rest.seek(0)
        if process.returncode:
            raise DidNotWork(f"{' '.join(command)}\n{said.read()}{rest.read()}")
        return Ran(said.read(), seconds, megabytes)


def serve(command: Sequence[str], address: str) -> Ran:
    """Start a server, take one page from it and stop it; the seconds are those to the page.

    Raises:
        DidNotWork: it ended or gave no page in time.
    """
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603
    page = None
    while page is None and time.monotonic() < begun + STARTING_S and process.poll() is None:
        time.sleep(0.2)
        with suppress(OSError), urllib.request.urlopen(address, timeout=STARTING_S) as answer:  # noqa: S310
            page = answer.read().decode()
    seconds = time.monotonic() - begun
    if process.returncode is not None or page is None:
        process.kill()
        raise DidNotWork(f"{' '.join(command)}\nno page came from it")
    process.terminate()
    return Ran(page, seconds, _ended(process))


def _ended(process: subprocess.Popen[bytes]) -> float:
    """Wait for the end of a process; the most memory that it held, in 10^6 bytes."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_maxrss * 1024 / 1e6


def inside(root: Path, processor: str, *command: str) -> list[str]:
    """The command that runs a command in the other system, on this processor."""
    bare = ["/usr/bin/env", "-i"]
    path = "PATH=/opt/kongbox/bin:/usr/bin:/bin"
    told = [path, "HOME=/root", "LANG=C.UTF-8", f"QEMU_CPU={processor}"]
    return [*bare, "/usr/sbin/chroot", str(root), *bare, *told, *command]


def tried(root: Path, computer: str) -> Iterator[str]:
    """Lines that tell what came of each command on this computer.

    Raises:
        DidNotWork: a command failed, or gave something else than here.
    """
    processor = PROCESSORS[computer]
    own = str(Path(sys.executable).parent / "kongbox")

    def there(*command: str, typed: str = "") -> Ran:
        return run(inside(root, processor, "kongbox", *command), typed)

    yield f"{f'{computer} ({processor}), emulated':<40} {'s':>7} {'MB':>6}"
    yield _line("kongbox check", there("check"))
    deal = json.dumps(DEAL)
    scored = there("score", "--json", typed=deal)
    if scored.said != run([own, "score", "--json"], deal).said:
        raise DidNotWork(f"The deal is scored otherwise there:\n{scored.said}")
    yield _line("kongbox score, as here", scored)
    for sample in SAMPLES:
        read = there("read", "--json", "--jobs", "1", f"/{FOLDER}/{sample}")
        here = run([own, "read", "--json", "--jobs", "1", str(root / FOLDER / sample)])
        like = compare(json.loads(here.said), json.loads(read.said))
        if like.otherwise:
            raise DidNotWork(f"{sample}: read otherwise there: {like.otherwise}")
        yield _line(f"kongbox read {sample}", read)
        yield (
            f"  {like.tiles} tiles as here; corners within {like.corner:.1f} pixels, "
            f"confidences within {like.confidence:.4f}"
        )
    served = serve(
        inside(root, processor, "kongbox", "serve", "--port", str(PORT)),
        f"http://127.0.0.1:{PORT}/",
    )
    yield _line("kongbox serve, to the first page", served)


def _line(what: str, ran: Ran) -> str:
    return f"{what:<40} {ran.seconds:7.1f} {ran.megabytes:6.0f}"


def lines(root: Path) -> Iterator[str]:
    """Lines that tell what came of everything on every computer.

    Raises:
        DidNotWork: something failed.
    """
    if narrow := list(unloadable(root / "opt" / "kongbox")):
        raise DidNotWork(f"A Raspberry Pi 5 cannot load {narrow}")
    yield "A Raspberry Pi 5 can load every library into its pages."
    for computer in PROCESSORS:
        yield from tried(root, computer)


def main(arguments: Sequence[str]) -> None:
    """Try everything in the system in the folder that is named."""
    (root,) = arguments
    try:
        for line in lines(Path(root)):
            print(line, flush=True)  # noqa: T201
    except DidNotWork as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
