"""Tables to lay tiles on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import Generator

from datasets.props.backgrounds import SURFACES, Image, draw_patterned_cloth

SIZE = (90, 130)


def plainness(image: Image) -> float:
    """Share of the picture that is of its commonest colour, as far as 32 levels tell."""
    coarse = (image // 32).reshape(-1, 3).astype(np.int64) @ [64, 8, 1]
    return float(np.bincount(coarse).max() / len(coarse))


@pytest.mark.parametrize("surface", dict.fromkeys(SURFACES), ids=lambda draw: draw.__name__)
def test_every_surface_fills_the_picture_and_is_another_each_time(
    surface: Callable[[Generator, tuple[int, int]], Image],
) -> None:
    first, again, second = (surface(np.random.default_rng(seed), SIZE) for seed in (1, 1, 2))
    assert first.shape == (*SIZE, 3)
    assert first.dtype == np.uint8
    assert np.array_equal(first, again)
    assert not np.array_equal(first, second)


def test_most_patterned_cloths_show_several_colours() -> None:
    shares = [plainness(draw_patterned_cloth(np.random.default_rng(n), SIZE)) for n in range(40)]
    assert np.median(shares) < 0.6
