"""Keyboards among the tiles have keys in rows, with a gap between and a sign on each."""

from __future__ import annotations

import numpy as np

from datasets.props.lookalikes.keyboards import draw_keyboard


def test_keyboards_are_dark_and_light_flat_and_dished() -> None:
    levels = []
    for seed in range(30):
        board = draw_keyboard(np.random.default_rng(seed)).image
        assert board.dtype == np.uint8
        assert 180 < board.shape[0] < board.shape[1] * 2
        levels.append(float(np.median(board)))
    assert min(levels) < 60
    assert max(levels) > 180


def test_keys_stand_in_rows() -> None:
    for seed in range(10):
        board = draw_keyboard(np.random.default_rng(seed)).image.astype(float)
        rows = (board.shape[0] - 24) // 64
        ground = board[2, 2]
        for row in range(rows):
            middle = board[12 + row * 64 + 8, 12:-12]
            below = board[12 + row * 64 + 63, 12:-12]
            assert np.abs(below - ground).max() < 1
            assert (np.abs(middle - ground).max(axis=1) > 0).mean() > 0.6


def test_it_is_known_where_the_keys_are() -> None:
    for seed in range(10):
        board = draw_keyboard(np.random.default_rng(seed))
        ground = board.image[2, 2].astype(float)
        covered = np.zeros(board.image.shape[:2], np.bool_)
        for left, top, right, bottom in board.keys:
            assert not covered[top:bottom, left:right].any()
            covered[top:bottom, left:right] = True
        assert np.abs(board.image[~covered] - ground).max() < 1
