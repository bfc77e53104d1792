"""Path-traced light becomes photographs as a camera makes them, and prints carry ink."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.pathtraced.develop import develop
from datasets.pathtraced.table.plan import Development
from datasets.pathtraced.table.prints import PRINTS

SETTINGS = Development(
    stops=0.0,
    cast=(1.0, 1.0, 1.0),
    noise=0.004,
    blur=(0.0, 0.0),
    sharpening=0.3,
    contrast=1.1,
    quality=80,
)


def ramp() -> np.ndarray:
    light = np.tile(np.linspace(0.01, 2, 160, dtype=np.float32), (120, 1))
    return np.repeat(light[..., None], 3, axis=2)


def developed(**changes: object) -> np.ndarray:
    names = Development.__dataclass_fields__
    values = {name: changes.get(name, getattr(SETTINGS, name)) for name in names}
    return develop(np.random.default_rng(1), ramp(), Development(**values))  # type: ignore[arg-type]


def test_exposure_noise_and_colour_follow_the_settings() -> None:
    usual = developed()
    assert usual.shape == (120, 160, 3)
    assert usual.dtype == np.uint8
    assert np.all(np.diff(usual[..., 1].mean(axis=0)[::8]) > 0)
    assert developed(stops=-1.5).mean() < usual.mean() - 20
    assert developed(noise=0.03)[:, 40].std() > usual[:, 40].std() * 2
    warm = developed(cast=(1.3, 1.0, 0.7)).reshape(-1, 3).mean(axis=0)
    assert warm[2] > warm[1] > warm[0]


def test_exposure_does_not_depend_on_the_scale_of_the_light() -> None:
    first = develop(np.random.default_rng(1), ramp(), SETTINGS)
    second = develop(np.random.default_rng(1), ramp() * 50, SETTINGS)
    assert np.abs(first.astype(int) - second.astype(int)).max() <= 1


def test_motion_smears_along_its_direction_only() -> None:
    light = np.full((61, 61, 3), 0.2, np.float32)
    light[30, 30] = 50
    still = {"noise": 0.0, "sharpening": 0.0}
    settings = [
        Development(**{**{n: getattr(SETTINGS, n) for n in Development.__dataclass_fields__}, **c})
        for c in (still, {**still, "blur": (6.0, 0.0)})
    ]
    pictures = [develop(np.random.default_rng(1), light, s) for s in settings]
    marks = [np.argwhere(p[..., 0] > p[0, 0, 0] + 10) for p in pictures]
    assert np.ptp(marks[0], axis=0).max() == 0
    assert np.ptp(marks[1][:, 1]) >= 4
    assert np.ptp(marks[1][:, 0]) == 0


@pytest.mark.parametrize("kind", PRINTS)
def test_prints_carry_ink_and_differ(kind: str) -> None:
    first, again, other = (PRINTS[kind](np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.dtype == np.uint8
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert (first.max(axis=2) < 120).mean() > 0.005
