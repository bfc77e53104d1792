"""The count of hands that are read wholly right."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.hand_cases import Case, path_traced
from benchmarks.hand_gallery import HandGallery, faults
from benchmarks.hand_pictures import overlay
from benchmarks.hands import answer, read_truly, report

HEAD_OF_PANEL, PANEL_OF_ONE, TILE_AND_GAP = 60, 218, 44
"""Pixels of a panel with one hand, of what is written above its tiles, of a tile's width."""


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(islice(path_traced(), 3))


def test_true_tiles_make_right_hands_before_and_after_the_decision(cases: list[Case]) -> None:
    for case in cases:
        found = answer(case, read_truly(case))
        assert found.exact(found.camera)
        assert found.exact(found.joint)
        assert faults(found) == 0


def test_a_misread_tile_makes_a_hand_wrong_and_comes_into_the_gallery(
    cases: list[Case], tmp_path: Path
) -> None:
    reading = read_truly(cases[0])
    (hand,) = reading.hands
    first = reading.tiles[hand.parts[-1].tiles[0]]
    other = "1p" if first.label != "1p" else "9s"
    wrong = replace(first, label=other, alternatives=((other, 0.99),))
    concealed = (other, *hand.concealed[1:])
    misread = replace(
        reading,
        tiles=tuple(wrong if tile is first else tile for tile in reading.tiles),
        hands=(replace(hand, concealed=concealed),),
    )
    found = answer(cases[0], misread)
    assert not found.exact(found.joint)
    assert faults(found) >= 1
    assert "0.0%" in report([found])
    HandGallery(tmp_path).write([found])
    page = (tmp_path / "index.html").read_text("utf-8")
    assert cases[0].name in page
    picture = cv2.imread(str(tmp_path / "worst-01.jpg"))
    assert picture is not None
    shown = overlay(found)
    height, width = shown.shape[:2]
    assert np.abs(picture[:height, :width].astype(int) - shown).mean() < 6
    panels = picture[:, width:].astype(int)
    true, read = panels[:PANEL_OF_ONE], panels[PANEL_OF_ONE : 2 * PANEL_OF_ONE]
    differing = (np.abs(true - read).max(axis=2) > 90)[HEAD_OF_PANEL:].any(axis=0)
    assert 0 < differing.sum() <= 2 * TILE_AND_GAP, "they differ in the place of one tile"


def test_a_photo_without_tiles_counts_as_wrong(cases: list[Case]) -> None:
    found = answer(cases[0], None)
    assert not found.exact(found.camera)
    assert faults(found) == sum(len(tiles) for tiles in _all_tiles(cases[0]))


def _all_tiles(case: Case) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for concealed, sets, bonus in case.hands.values():
        found += [concealed, bonus, *(tiles for _, tiles, _ in sets)]
    return found
