"""How shipped files hold parameters."""

from __future__ import annotations

import numpy as np

from models.storage import in_bytes


def test_a_kernel_in_bytes_is_off_by_half_a_level_at_most() -> None:
    rng = np.random.default_rng(0)
    widths = np.array([1e-3, 1.0, 30.0], np.float32).reshape(3, 1, 1, 1)
    kernel = rng.normal(size=(3, 4, 3, 3)).astype(np.float32) * widths
    levels, scale = in_bytes(kernel)
    assert levels.dtype == np.int8
    assert scale.shape == (3, 1, 1, 1)
    assert (np.abs(levels).reshape(3, -1).max(axis=1) == 127).all()
    assert (np.abs(levels * scale - kernel) <= 0.501 * scale).all()


def test_a_channel_of_nothing_stays_nothing() -> None:
    levels, scale = in_bytes(np.zeros((2, 3, 1, 1), np.float32))
    assert not levels.any()
    assert np.isfinite(scale).all()
