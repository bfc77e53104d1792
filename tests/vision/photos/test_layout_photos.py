"""Hands laid by hand and seen by a phone's camera, with exact corners, are told apart again."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.props.camera import box_corners
from datasets.scenes.tables import LaidHand, LaidMeld, lay_out, phone_camera, random_hand
from scorer.tiles import BACK
from vision.layout.arrange import arrange
from vision.vocabulary.melds import find_meld
from vision.vocabulary.readings import HandReading

PHOTO = (1600, 1200)
TILE_HEIGHT, TILE_DEPTH = 1.35, 0.75
"""In tile widths."""

Summary = tuple[list[str], list[tuple[tuple[str, ...], bool]], list[str]]


def seen(hand: LaidHand, seed: int) -> HandReading:
    """What the layout makes of the hand's true corners in one photo."""
    random = np.random.default_rng(seed)
    tiles = lay_out(random, hand, TILE_HEIGHT)
    camera = phone_camera(random, tiles, PHOTO)
    faces = [camera.project(box_corners(tile, TILE_HEIGHT, TILE_DEPTH)[0]) for tile in tiles]
    labels = [BACK if tile.pose == "down" else tile.label for tile in tiles]
    order = random.permutation(len(tiles))
    quads = np.array(faces, np.float32)[order]
    (found,) = arrange(quads, [labels[i] for i in order]).hands
    return found


def summary(hand: LaidHand | HandReading) -> Summary:
    melds = sorted((tuple(meld.tiles), meld.concealed) for meld in hand.melds)
    return sorted(hand.concealed), melds, sorted(hand.bonus)


@pytest.mark.parametrize("seed", range(150))
def test_random_hands_are_told_apart_from_their_sets(seed: int) -> None:
    hand = random_hand(np.random.default_rng(1000 + seed))
    assert summary(seen(hand, seed)) == summary(hand)


def test_the_hands_have_sets_of_all_kinds() -> None:
    hands = [random_hand(np.random.default_rng(1000 + seed)) for seed in range(150)]
    melds: list[LaidMeld] = [meld for hand in hands for meld in hand.melds]
    kinds = {(found.kind, meld.concealed) for meld in melds if (found := find_meld(meld.tiles))}
    assert kinds == {("chow", False), ("pung", False), ("kong", False), ("kong", True)}
