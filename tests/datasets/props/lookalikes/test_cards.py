"""Playing cards that lie among the tiles show what cards show."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.props.lookalikes.cards import draw_card, pip_places


def test_a_card_has_as_many_pips_as_its_value_says_and_is_the_same_both_ways_up() -> None:
    for value in range(1, 11):
        places = pip_places(value)
        assert len(places) == len(set(places)) == value
        if value != 7:
            turned = {(round(1 - x, 6), round(1 - y, 6)) for x, y in places}
            assert turned == {(round(x, 6), round(y, 6)) for x, y in places}
    assert all(pip_places(value) == [] for value in (11, 12, 13))


def test_cards_are_light_with_red_or_black_print() -> None:
    inks = set()
    for seed in range(40):
        card = draw_card(np.random.default_rng(seed))
        assert card.shape == (210, 150, 3)
        assert np.median(card) > 200
        corner = card[8:40, 4:40].reshape(-1, 3)
        dark = corner[corner.min(axis=1) < 60]
        saturation = cv2.cvtColor(dark[np.newaxis], cv2.COLOR_BGR2HSV)[0, :, 1]
        inks.add("red" if np.median(saturation) > 150 else "black")
    assert inks == {"red", "black"}
