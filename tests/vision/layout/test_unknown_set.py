from __future__ import annotations

from vision.layout.unknown_set import LIMITS, is_unknown_set
from vision.vocabulary.readings import DOUBTFUL_BELOW, Quad, TileReading

QUAD: Quad = ((0.0, 0.0), (60.0, 0.0), (60.0, 80.0), (0.0, 80.0))
HARD = DOUBTFUL_BELOW - 0.01


def read(label: str, confidence: float, count: int) -> list[TileReading]:
    return [TileReading(QUAD, label, confidence, ((label, confidence),), 0)] * count


def test_a_set_is_unknown_where_most_printed_faces_are_doubtful() -> None:
    doubtful = round(LIMITS.share * 20)
    assert is_unknown_set(read("3m", HARD, doubtful) + read("1p", 0.99, 20 - doubtful))
    assert not is_unknown_set(read("3m", HARD, doubtful - 1) + read("1p", 0.99, 21 - doubtful))


def test_a_few_doubtful_faces_tell_nothing_of_the_set() -> None:
    assert is_unknown_set(read("3m", HARD, LIMITS.faces))
    assert not is_unknown_set(read("3m", HARD, LIMITS.faces - 1))
    assert not is_unknown_set([])


def test_tiles_without_a_picture_tell_nothing_of_the_set() -> None:
    few = read("3m", HARD, LIMITS.faces - 1)
    plain = [tile for label in ("5z", "back", "blank") for tile in read(label, HARD, 9)]
    assert not is_unknown_set(few + plain)
    sure = [tile for label in ("5z", "back", "blank") for tile in read(label, 0.99, 9)]
    assert is_unknown_set(read("3m", HARD, LIMITS.faces) + sure)
