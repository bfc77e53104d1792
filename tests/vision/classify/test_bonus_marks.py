"""Flowers and seasons are told apart by their marks, and nothing else is changed by these."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.tiles import BONUS_TILES, READING_LABELS
from tests.vision.classify.small_print import PHOTO, QUAD, SIZE, FakeMarks, marks_by
from tests.vision.fakes import sure_of
from vision.classify.bonus_marks import LEAST, MOST_READ, refined_by_marks, upright_logits
from vision.errors import ModelError
from vision.vocabulary.labels import BONUS_COLUMNS


def by_both(picture: NDArray[np.float32], mark: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of views (n, 8) that are flowers or seasons, the probabilities (n, 8) of each."""
    views = np.zeros((len(picture), len(READING_LABELS)), np.float32)
    views[:, BONUS_COLUMNS] = picture
    return refined_by_marks(views, mark)[:, BONUS_COLUMNS]


def marked(
    model: FakeMarks, labels: list[str], sure: float | NDArray[np.float32]
) -> NDArray[np.float32]:
    quads = np.repeat(QUAD[np.newaxis], len(labels), axis=0)
    each = np.broadcast_to(np.asarray(sure), len(labels))
    seen = [sure_of([label], float(one)) for label, one in zip(labels, each, strict=True)]
    return marks_by(model).refined(PHOTO, quads, np.concatenate(seen))


def test_marks_are_read_from_the_photo_as_the_view_has_it_up() -> None:
    model = FakeMarks("2y", 0.99)
    for corner, down in ((0, 1), (2, -1)):
        quads = np.roll(QUAD, -corner, axis=0)[np.newaxis]
        marks_by(model).refined(PHOTO, quads, sure_of(["2y"], 0.9))
        assert model.shown.shape == (1, *SIZE, 3)
        rows = model.shown[0, :, 12, 0].astype(int)[::down]
        assert abs(rows[0] - 100) <= 3
        assert abs(rows[-1] - 139) <= 3
        assert (np.diff(rows) >= 0).all()


def test_a_clear_mark_decides_against_a_doubtful_picture() -> None:
    seen = marked(FakeMarks("2y", 0.99), ["4f"], 0.6)
    assert READING_LABELS[seen[0].argmax()] == "2y"


def test_an_unreadable_mark_leaves_the_picture_to_decide() -> None:
    seen = marked(FakeMarks("2y", 1 / 8), ["4f"], 0.9)
    assert READING_LABELS[seen[0].argmax()] == "4f"


def test_only_what_may_be_a_flower_or_a_bird_is_shown_to_the_reader_of_marks() -> None:
    model = FakeMarks("2y", 0.99)
    assert 9 * (1 - 0.999) / (len(READING_LABELS) - 1) < LEAST
    labels = ["5z", "back", "2s", "4f", "1s"]
    seen = marked(model, labels, 0.999)
    assert model.asked == 2
    assert np.array_equal(seen[:3], sure_of(labels, 0.999)[:3])


def test_how_likely_a_tile_is_a_flower_or_a_bird_stays() -> None:
    bonus = [READING_LABELS.index(label) for label in BONUS_TILES]
    either = [*bonus, READING_LABELS.index("1s")]
    before = sure_of(["1s"], 0.6)
    before[0, bonus] = 0.1
    before /= before.sum(axis=1, keepdims=True)
    marks = marks_by(FakeMarks("3y", 0.9))
    after = marks.refined(PHOTO, QUAD[np.newaxis], before)
    assert after[:, either].sum() == pytest.approx(before[:, either].sum(), rel=1e-5)
    assert np.allclose(np.delete(after, either, axis=1), np.delete(before, either, axis=1))
    assert after[0, bonus].argmax() == BONUS_TILES.index("3y")


@pytest.mark.parametrize("other", ["2y", "3f"])
def test_a_picture_outweighs_a_doubtful_mark_but_no_clear_one(other: str) -> None:
    shown, said = BONUS_TILES.index("2f"), BONUS_TILES.index(other)
    picture = np.full((1, 8), 0.2 / 7, np.float32)
    picture[0, shown] = 0.8
    for share, wanted in ((0.6, shown), (0.9, said)):
        mark = np.zeros((1, 8), np.float32)
        mark[0, [shown, said]] = 1 - share, share
        assert by_both(picture, mark)[0].argmax() == wanted


def test_certain_models_that_disagree_still_give_probabilities() -> None:
    picture, mark = np.zeros((1, 8), np.float32), np.zeros((1, 8), np.float32)
    picture[0, 0] = mark[0, 7] = 1
    both = by_both(picture, mark)
    assert np.isfinite(both).all()
    assert both.sum() == pytest.approx(1, abs=1e-5)


def test_of_very_many_views_the_likeliest_flowers_alone_are_read() -> None:
    count = MOST_READ + 10
    sure = np.random.default_rng(2).permutation(np.linspace(0.5, 0.9, count)).astype(np.float32)
    model = FakeMarks("2y", 0.99)
    seen = marked(model, ["4f"] * count, sure)
    assert model.asked == MOST_READ
    read = np.array([READING_LABELS[row.argmax()] == "2y" for row in seen])
    assert read.sum() == MOST_READ
    assert sure[read].min() > sure[~read].max()


def test_a_model_of_other_tiles_is_refused() -> None:
    with pytest.raises(ModelError, match=r"fake\.onnx"):
        marks_by(FakeMarks("1f", 0.5, BONUS_TILES[::-1]))


def test_a_model_that_does_not_say_what_it_looks_at_is_refused() -> None:
    model = FakeMarks("1f", 0.5)
    del model.metadata["size"]
    with pytest.raises(ModelError, match=r"fake\.onnx"):
        marks_by(model)


def test_a_view_whose_mark_is_legible_is_the_right_upright_logits() -> None:
    legible, doubtful = sure_of(["2y"], 0.9), sure_of(["2y"], 0.9)
    bonus = [READING_LABELS.index(label) for label in BONUS_TILES]
    legible[0, bonus] = doubtful[0, bonus] = 0.001
    legible[0, bonus[5]] = 0.9
    doubtful[0, bonus[5]] = doubtful[0, bonus[6]] = 0.45
    said = upright_logits(np.concatenate([legible, doubtful, sure_of(["1s"], 0.99)]))
    assert said[0] > 5
    assert said[1:].tolist() == [0, 0]
