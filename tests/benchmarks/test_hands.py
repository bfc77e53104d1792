"""The count of hands that are read wholly right."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from benchmarks.hands import cases as hand_cases
from benchmarks.hands.burnt import burnt_out
from benchmarks.hands.cases import Case, path_traced, rendered_deals
from benchmarks.hands.gallery import HandGallery, faults
from benchmarks.hands.hands import answer, answer_deal, read_truly, report
from benchmarks.hands.pictures import overlay
from datasets.sets.faces import FaceSet
from scorer.tiles import BACK

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"
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


def test_all_photos_of_a_deal_are_decided_together() -> None:
    (deal,) = rendered_deals(SAMPLES, 1)
    assert len({case.tile_set for case in deal}) == 1
    found = answer_deal(deal, [read_truly(case) for case in deal])
    assert [each.exact(each.joint) for each in found] == [True] * 4
    assert len({id(each.decision) for each in found}) == 1
    shown = [label for case in deal for tiles in _all_tiles(case) for label in tiles]
    assert max(shown.count(label) for label in set(shown) - {BACK}) <= 4
    assert report(found).splitlines()[1].split()[-5:] == ["4", "4", "100.0%", "4", "100.0%"]


def test_deals_are_drawn_from_any_number_on() -> None:
    with patch.object(hand_cases, "_from_plan") as drawn:
        assert len(list(rendered_deals(SAMPLES, 2, first=7))) == 2
    names = [call.args[0] for call in drawn.call_args_list]
    assert names == [f"deal-{number}-{photo}" for number in (7, 8) for photo in range(1, 5)]


@pytest.mark.parametrize(("below", "burnt"), [(0, False), (20, False), (90, True)])
def test_a_print_burnt_out_by_more_than_a_third_cannot_be_read(below: int, *, burnt: bool) -> None:
    face = np.full((120, 90, 3), 200, np.uint8)
    face[::8] = face[:, ::8] = 40
    photo = np.pad(face, ((20, 20), (20, 20), (0, 0)), constant_values=90)
    photo[20 : 20 + below, 20:110] = 255
    quad = np.array([[[20, 20], [110, 20], [110, 140], [20, 140]]], np.float32)
    shown = {"1p": (face,), "5z": (np.full_like(face, 200),)}
    faces = FaceSet("set", shown, (200,) * 3, (0, 0, 90), ((200,) * 3,), 0.75)
    assert burnt_out(photo, quad, ["1p"], faces).tolist() == [burnt]
    assert burnt_out(photo, quad, ["5z"], faces).tolist() == [False]
    assert burnt_out(photo, quad, ["back"], faces).tolist() == [False]
