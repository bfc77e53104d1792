"""Planned path-traced scenes, and one of them rendered, for several tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from datasets.designs.drawing.design import load_design
from datasets.pathtraced.scenes import SCENE_COUNT, design_of, plan_scene
from datasets.pathtraced.table.deals import DealtHand
from datasets.pathtraced.table.plan import ScenePlan
from datasets.photographs.benchmark import TrueHand
from datasets.sets.faces import FaceSet, from_design

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
RENDERED = Path(__file__).with_name("pathtraced_0001.png")
"""Of scene 1 the number of the tile that each pixel shows, from 1; 0 for none."""
PLANNED = [n for n in range(SCENE_COUNT) if design_of(n) in {900, 901}]


@cache
def faces_of(number: int) -> FaceSet:
    return from_design(load_design(SAMPLES / f"{design_of(number):04d}.npz"))


@cache
def planned(number: int) -> ScenePlan:
    return plan_scene(number, design_of(number), faces_of(number), 1)


def as_player(hand: DealtHand | TrueHand) -> dict[str, object]:
    """The hand as a player of a deal that is scored."""
    return {
        "seat": hand.seat,
        "concealed": list(hand.concealed),
        "melds": [
            {"kind": meld.kind, "tiles": list(meld.tiles), "concealed": meld.concealed}
            for meld in hand.melds
        ],
        "bonus": list(hand.bonus),
    }


def rendered() -> np.ndarray:
    image = cv2.imread(str(RENDERED), cv2.IMREAD_UNCHANGED)
    assert image is not None
    return np.asarray(image, np.int32) - 1
