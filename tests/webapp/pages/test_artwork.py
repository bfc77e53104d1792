"""The drawn tiles: all there, made of shapes only, and as the program draws them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from scorer.tiles import NAMES, READING_LABELS
from webapp.artwork.__main__ import FOLDER, main
from webapp.artwork.glyphs import FONT_FOLDER, Glyphs

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {f"{SVG}{name}" for name in ("svg", "title", "g", "rect", "circle", "ellipse", "path")}
MAX_BYTES = 12_000


def test_there_is_one_drawing_for_every_label() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(READING_LABELS)


@pytest.mark.parametrize("label", READING_LABELS)
def test_a_drawing_is_small_named_and_needs_no_font(label: str) -> None:
    path = FOLDER / f"{label}.svg"
    root = ET.fromstring(path.read_text("utf-8"))
    assert path.stat().st_size < MAX_BYTES
    assert root.attrib["viewBox"] == "0 0 60 80"
    assert root.findtext(f"{SVG}title") == NAMES[label]
    assert {element.tag for element in root.iter()} <= SHAPES


def test_no_two_tiles_look_the_same() -> None:
    drawings = {
        path.read_text("utf-8").split("</title>")[1]: path.stem for path in FOLDER.glob("*.svg")
    }
    assert len(drawings) == len(READING_LABELS)


@pytest.mark.skipif(not FONT_FOLDER.exists(), reason="needs the package fonts-noto-cjk")
def test_the_drawings_are_those_that_the_program_draws(tmp_path: Path) -> None:
    main(tmp_path)
    for label in READING_LABELS:
        drawn, kept = (folder / f"{label}.svg" for folder in (tmp_path, FOLDER))
        assert drawn.read_text("utf-8") == kept.read_text("utf-8"), label


def test_a_missing_font_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="install the package fonts-noto-cjk"):
        Glyphs("NotoSerifCJK-Bold.ttc", folder=tmp_path)
