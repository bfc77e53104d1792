"""The photos that the tap benchmark cuts out of a picture of the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks.page.played import won_deals
from benchmarks.page.taps import cut_out
from datasets.photographs.benchmark import BenchmarkPhoto


@pytest.fixture(scope="module")
def photo() -> BenchmarkPhoto:
    return next(iter(won_deals())).photo


def dotted(photo: BenchmarkPhoto, number: int) -> np.ndarray:
    """A dark picture of the table's size with a spot in the middle of each tile in hand."""
    image = np.zeros_like(photo.photo.load_image())
    parts = zip(photo.photo.quads, photo.owners, photo.groups, strict=True)
    for quad, owner, group in parts:
        if owner == number and group == "hand":
            x, y = quad.mean(axis=0)
            cv2.circle(image, (int(x), int(y)), 3, (255, 255, 255), -1)
    return image


@pytest.mark.parametrize("number", range(4))
def test_each_player_sits_in_front_with_all_tiles(photo: BenchmarkPhoto, number: int) -> None:
    assert {hand.position for hand in photo.hands} == {"near", "right", "far", "left"}
    part = cut_out(photo, number, dotted(photo, number))
    count, _, _, centres = cv2.connectedComponentsWithStats((part[..., 0] > 128).astype(np.uint8))
    spots = centres[1:]
    assert count - 1 == len(photo.hands[number].concealed)
    across, down = np.ptp(spots, axis=0)
    assert across > 1.5 * down, "the row of the hand lies across"
    if any(group.startswith("meld") for group in photo.groups):
        assert spots[:, 1].mean() > 0.4 * part.shape[0], "with the sets before it"


def test_deals_that_are_played_can_be_scored_and_have_a_winner() -> None:
    deals = list(won_deals())
    assert len(deals) >= 20
    assert all(deal.tile in deal.hands[deal.winner].concealed for deal in deals)
