"""A picture is halved once, however many stages look at it smaller."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.geometry.pyramid import half_of
from vision.runtime.opencv import cv2


def picture(seed: int) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (41, 60, 3), np.uint8)


@pytest.fixture
def resized(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The shapes of the pictures that are made smaller."""
    shapes: list[tuple[int, ...]] = []
    resize = cv2.resize

    def counted(image: NDArray[np.uint8], *sizes: object, **options: object) -> object:
        shapes.append(image.shape)
        return resize(image, *sizes, **options)  # type: ignore[call-overload]

    monkeypatch.setattr("vision.geometry.pyramid.cv2.resize", counted)
    return shapes


def test_a_half_has_half_the_sides_and_the_same_light() -> None:
    image = picture(1)
    half = half_of(image)
    assert half.shape == (20, 30, 3)
    assert abs(float(half.mean()) - float(image.mean())) < 2


def test_a_picture_and_its_half_are_halved_once(resized: list[tuple[int, ...]]) -> None:
    image = picture(2)
    quarters = [half_of(half_of(image)) for _ in range(3)]
    assert resized == [(41, 60, 3), (20, 30, 3)]
    assert quarters[0] is quarters[1] is quarters[2]


def test_each_picture_has_its_own_half(resized: list[tuple[int, ...]]) -> None:
    first, other = picture(3), picture(3)
    assert half_of(first) is not half_of(other)
    assert len(resized) == 2
    assert np.array_equal(half_of(first), half_of(other))


def test_nothing_is_kept_of_a_picture_that_is_no_longer_in_use() -> None:
    image = picture(4)
    half = weakref.ref(half_of(image))
    assert half() is not None
    del image
    gc.collect()
    assert half() is None


def test_threads_do_not_wait_for_each_other() -> None:
    image, halves = picture(5), []
    reader = threading.Thread(target=lambda: halves.append(half_of(image)))
    reader.start()
    reader.join()
    assert np.array_equal(halves[0], half_of(image))
    assert halves[0] is not half_of(image)
