"""The reader of indices learns what cells say, and is silent where nothing stands."""

from __future__ import annotations

import torch

from datasets.crops.indexed import OPEN
from models.training.indices import losses
from vision.vocabulary.labels import INDICES


def test_cells_that_say_something_and_the_loudest_silent_ones_count() -> None:
    cells = torch.zeros((1, 16, 12), dtype=torch.int64)
    cells[0, 0, 0], cells[0, 0, 1] = 5, OPEN
    right = torch.zeros((1, len(INDICES), 16, 12))
    right[:, 0] = 9.0
    right[0, :, 0, 0] = 0.0
    right[0, 5, 0, 0] = 9.0
    good = losses(right, cells, 0.0)
    assert good["said"] < 0.01
    assert good["silent"] < 0.01
    loud = right.clone()
    loud[0, 7, 9, 9] = 30.0
    assert losses(loud, cells, 0.0)["silent"] > 1
    open_ = right.clone()
    open_[0, 7, 0, 1] = 30.0
    assert losses(open_, cells, 0.0) == good
    deaf = right.clone()
    deaf[0, 5, 0, 0] = -9.0
    assert losses(deaf, cells, 0.0)["said"] > 1


def test_faces_that_say_nothing_have_a_loss_too() -> None:
    cells = torch.zeros((2, 16, 12), dtype=torch.int64)
    found = losses(torch.zeros((2, len(INDICES), 16, 12)), cells, 0.02)
    assert found["said"] == 0
    assert found["silent"] > 1
