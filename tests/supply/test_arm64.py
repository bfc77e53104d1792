"""Readings on another processor are held against each other, and what fails there is told."""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import Any

import pytest

from supply.arm64 import DidNotWork, compare, run, serve, unloadable

TILE: dict[str, Any] = {
    "quad": [[0, 0], [30, 0], [30, 40], [0, 40]],
    "label": "1p",
    "confidence": 0.99,
}
BACK: dict[str, Any] = {
    "quad": [[40, 0], [70, 0], [70, 40], [40, 40]],
    "label": "back",
    "confidence": 0.99,
}


def reading(*tiles: dict[str, Any]) -> dict[str, Any]:
    return {"tiles": list(tiles)}


HERE = reading(TILE, BACK)


def test_the_same_tiles_moved_by_a_hair_and_in_another_order_are_the_same() -> None:
    quad = [[40, 0], [70.5, 0], [70, 40], [40, 39.8]]
    like = compare(HERE, reading(BACK | {"quad": quad, "confidence": 0.9875}, TILE))
    assert like.otherwise == ()
    assert like.tiles == 2
    assert like.corner == 0.5
    assert like.confidence == pytest.approx(0.0025)


def test_a_tile_that_is_read_otherwise_is_told() -> None:
    assert compare(HERE, reading(TILE, BACK | {"label": "2p"})).otherwise == (("back", "2p"),)


def test_a_tile_too_many_too_few_or_elsewhere_is_told() -> None:
    assert compare(HERE, reading(TILE)).otherwise == (("back", ""),)
    assert compare(reading(TILE), HERE).otherwise == (("", "back"),)
    far = BACK | {"quad": [[x, y + 90] for x, y in BACK["quad"]]}
    assert compare(HERE, reading(TILE, far)).otherwise == (("back", ""), ("", "back"))


def test_what_a_command_says_is_kept_and_its_time_and_memory_told() -> None:
    ran = run([sys.executable, "-c", "print(input() * 2)"], "tile\n")
    assert ran.said == "tiletile\n"
    assert ran.seconds > 0
    assert ran.megabytes > 1


def test_a_command_that_fails_is_told_with_what_it_said() -> None:
    with pytest.raises(DidNotWork, match="no such tile"):
        run([sys.executable, "-c", "raise SystemExit('no such tile')"])


def test_a_server_that_ends_gives_no_page() -> None:
    with pytest.raises(DidNotWork, match="no page"):
        serve([sys.executable, "-c", ""], "http://127.0.0.1:9/")


def library(path: Path, *alignments: int) -> Path:
    """A library for 64 bits whose loaded parts are laid out for pages of these sizes."""
    head = b"\x7fELF\x02".ljust(32, b"\0") + struct.pack("<Q14xHH6x", 64, 56, len(alignments))
    path.write_bytes(head + b"".join(struct.pack("<I44xQ", 1, size) for size in alignments))
    return path


def test_a_library_laid_out_for_small_pages_is_told(tmp_path: Path) -> None:
    library(tmp_path / "wide.so", 65536, 16384)
    small = library(tmp_path / "small.so", 65536, 4096)
    (tmp_path / "text.so").write_text("INPUT(wide.so)")
    assert list(unloadable(tmp_path)) == [small]
