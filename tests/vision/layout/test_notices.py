from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BACK
from tests.vision.fakes import FakeClassifier, models_that_see, reader_with, sure_of
from tests.vision.table import Laid, lay
from vision.layout.unknown_set import UNKNOWN_SET
from vision.messages import Message
from vision.runtime.opencv import cv2
from vision.vocabulary.readings import DOUBTFUL_BELOW

HAND = "123m 456p 789s 1155z"
SURE = (1 + DOUBTFUL_BELOW) / 2


def photo_of(laid: Laid) -> NDArray[np.uint8]:
    """A plain drawing of the tiles: light faces with dark marks."""
    size = laid.quads.reshape(-1, 2).max(axis=0) + 60
    image = np.full((int(size[1]), int(size[0]), 3), 70, np.uint8)
    for quad, label in zip(laid.quads, laid.labels, strict=True):
        side = (60, 130, 40) if label == BACK else (225, 235, 235)
        cv2.fillConvexPoly(image, quad.astype(np.int32), side)
        x, y = quad.mean(axis=0)
        if label != BACK:
            scale = float(np.linalg.norm(quad[1] - quad[0])) / 60
            place = (int(x - 25 * scale), int(y + 10 * scale))
            cv2.putText(image, label, place, cv2.FONT_HERSHEY_SIMPLEX, 1.4 * scale, (40, 20, 20), 3)
    return image


def messages_of(
    laid: Laid, *, confidence: float = SURE, blur: float = 0.0, clear: int = 1
) -> tuple[Message, ...]:
    """What is said of the photo; all tiles but the first ones are read with ``confidence``."""
    image = photo_of(laid)
    if blur:
        image = cv2.GaussianBlur(image, (0, 0), blur).astype(np.uint8)
    detector, classifier = models_that_see(laid.quads, laid.labels, confidence=confidence)
    classifier.probabilities[:clear] = sure_of(laid.labels[:clear], SURE)
    return reader_with(detector, classifier).read(image).warnings


def warnings_of(
    laid: Laid, *, confidence: float = SURE, blur: float = 0.0, clear: int = 1
) -> tuple[str, ...]:
    """The same in English."""
    return tuple(map(str, messages_of(laid, confidence=confidence, blur=blur, clear=clear)))


@pytest.mark.parametrize("extra", ["", " 2z", " 2z 1f 3y"])
def test_a_good_photo_of_a_whole_hand_needs_no_warning(extra: str) -> None:
    assert warnings_of(lay(HAND + extra)) == ()


def test_kongs_count_as_three() -> None:
    assert warnings_of(lay("7777z|2222s", "123m 4455p")) == ()


@pytest.mark.parametrize(("tiles", "count"), [("123m 456p 789s 115z", 12), (HAND + " 23z", 15)])
def test_a_missing_or_spare_tile_is_told(tiles: str, count: int) -> None:
    (warning,) = warnings_of(lay(tiles))
    assert warning.startswith(f"{count} tiles were found, but a hand has 13, or 14")


def test_a_single_tile_is_told_as_one() -> None:
    assert any(w.startswith("1 tile was found, but") for w in warnings_of(lay("5z")))


def test_doubtful_tiles_are_counted() -> None:
    (warning,) = warnings_of(lay(HAND), confidence=DOUBTFUL_BELOW - 0.05, clear=7)
    assert warning == "6 tiles are hard to read: check what is marked."
    assert warnings_of(lay(HAND), confidence=SURE) == ()


def test_of_a_set_that_is_not_known_only_that_is_told() -> None:
    laid = lay(HAND + " 22224z blank")
    assert messages_of(laid, confidence=DOUBTFUL_BELOW - 0.05) == (UNKNOWN_SET,)
    assert "teach it the set" in str(UNKNOWN_SET)


class Profiled(FakeClassifier):
    """Reads with a profile of the tile set."""

    profile = "of the set on the table"


def test_a_set_whose_profile_is_used_is_not_said_to_be_unknown() -> None:
    laid = lay(HAND)
    detector, classifier = models_that_see(laid.quads, laid.labels, confidence=SURE - 0.1)
    classifier.probabilities[:1] = sure_of(laid.labels[:1], SURE)
    image = photo_of(laid)
    assert reader_with(detector, classifier).read(image).warnings == (UNKNOWN_SET,)
    with_profile = Profiled(classifier.probabilities, classifier.turns)
    (warning,) = reader_with(detector, with_profile).read(image).warnings
    assert str(warning) == "12 tiles are hard to read: check what is marked."
    with_profile.probabilities = sure_of(laid.labels, SURE)
    assert reader_with(detector, with_profile).read(image).warnings == ()


def test_face_down_tiles_in_the_hand_are_told() -> None:
    (warning,) = warnings_of(lay("123m 456p 789s 115z back"))
    assert warning.startswith("1 tile is face down in the hand")


def test_a_kong_that_lies_face_down_is_told() -> None:
    (warning,) = warnings_of(lay("back back back back", "123m 456p 7899s"))
    assert warning == "A kong is face down: say which tile it is."


def test_tiles_outside_the_game_are_told() -> None:
    (warning,) = warnings_of(lay("123m 456p 789s 11z blank other"))
    assert warning.startswith("2 tiles are blank or not mahjong tiles")


def test_small_tiles_ask_to_come_closer() -> None:
    laid = lay(HAND)
    (warning,) = warnings_of(Laid(laid.labels, laid.quads * np.float32(0.4)))
    assert "come closer" in warning


def test_a_blurred_photo_is_told() -> None:
    (warning,) = warnings_of(lay(HAND), blur=6.0)
    assert warning.startswith("The photo is blurred")
