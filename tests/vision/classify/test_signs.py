"""Signs are read through windows on the tile, each for itself."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.classify.small_print import FakeModel, reader_with, sign_of, signs_with
from vision.classify.signs import FIRST_CHARACTER, NONE, NUMBERS, SIGNS, WINDOW, OnnxSigns, corners
from vision.errors import ModelError


def test_every_sign_has_its_place() -> None:
    assert SIGNS[NONE] == "none"
    assert [SIGNS[int(number)] for number in NUMBERS] == list(NUMBERS)
    assert SIGNS[FIRST_CHARACTER] == "1f"


def test_every_window_has_its_answer() -> None:
    model = sign_of("7", 0.9)
    said = signs_with(model).read(np.zeros((2, 3, WINDOW, WINDOW, 3), np.uint8))
    assert said.shape == (2, 3, len(SIGNS))
    assert (said.argmax(axis=2) == 7).all()
    assert model.asked == 6


def test_corners_come_in_reading_order() -> None:
    face = np.zeros((1, 96, 72, 3), np.uint8)
    for place, (y, x) in enumerate(((0, 0), (0, 71), (95, 0), (95, 71))):
        face[0, y, x] = place + 1
    shown = corners(face, WINDOW)
    assert [shown[0, place].max() for place in range(4)] == [1, 2, 3, 4]


def test_a_model_of_other_windows_is_refused() -> None:
    with pytest.raises(ModelError, match=r"fake\.onnx"):
        OnnxSigns(reader_with(FakeModel(SIGNS, "1", 0.5), SIGNS))


def test_a_model_of_other_labels_is_refused() -> None:
    model = sign_of("1", 0.5)
    model.metadata["labels"] = list(SIGNS[::-1])
    with pytest.raises(ModelError, match=r"fake\.onnx"):
        signs_with(model)
