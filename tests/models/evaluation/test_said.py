from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.sets.coco import IGNORE
from models.evaluation.__main__ import headline
from models.evaluation.changes import changed
from models.evaluation.examples import Example, photographed
from models.evaluation.outcomes import MISSED, NOTHING, TileOutcome
from models.evaluation.photo import Examiner
from models.evaluation.said import said_figures, said_lines
from models.evaluation.tally import summarise
from tests.models.evaluation.test_evaluation import CANVAS, described, shifted
from tests.vision.fakes import FakeJudge, models_that_see
from tests.vision.table import lay

NOWHERE = np.zeros((4, 2), np.float32)


def tile(wanted: str, got: str, confidence: float = 0.99) -> TileOutcome:
    found = wanted != NOTHING and got != MISSED
    corners = np.zeros(4, np.float32) if found else None
    accepted = frozenset() if wanted == NOTHING else frozenset({wanted})
    return TileOutcome(wanted, got, accepted, confidence, NOWHERE, corners=corners)


TABLE = (
    *(tile("1m", "1m") for _ in range(6)),
    tile("2m", "3m", 0.6),
    tile("5z", "back", 0.98),
    tile("4m", MISSED, 0.0),
    tile("other", "other", 0.97),
    tile(NOTHING, "5z", 0.99),
    tile(NOTHING, "4p", 0.7),
    tile(NOTHING, "back", 0.98),
    tile("back", "back"),
    tile("back", "5z", 0.99),
    tile("back", "6s", 0.5),
    tile("back", MISSED, 0.0),
)


def test_faces_and_backs_are_counted_apart() -> None:
    figures = said_figures(TABLE)
    assert (figures["faces"], figures["found"], figures["right"]) == (10, 9, 7)
    assert (figures["invented"], figures["invented_white"]) == (2, 1)
    assert figures["invented_per_100"] == pytest.approx(20)
    assert (figures["on_backs"], figures["on_backs_white"]) == (2, 1)
    assert (figures["backs"], figures["backs_found"], figures["backs_right"]) == (4, 3, 1)


def test_what_is_said_surely_is_wrong_where_it_is_invented_or_on_a_back() -> None:
    figures = said_figures(TABLE)
    assert figures["sure"] == 12, "6 + 1 true, a face read as back, 2 invented, 2 on backs"
    assert figures["sure_wrong"] == 4


def test_invented_tiles_count_as_wrong_in_the_calibration() -> None:
    assert said_figures([tile("1m", "1m", 1.0)])["ece"] == pytest.approx(0)
    pair = [tile("1m", "1m", 1.0), tile(NOTHING, "1m", 1.0)]
    assert said_figures(pair)["ece"] == pytest.approx(0.5)
    assert said_figures([tile("1m", MISSED, 0.0)])["ece"] == 0, "nothing was said"


def test_the_lines_for_people_tell_parts_and_wholes() -> None:
    lines = "\n".join(said_lines(said_figures(TABLE)))
    assert "faces found 9 of 10 (90.00%), right 7 of 9 (77.78%)" in lines
    assert "faces invented 2 (20.00 per 100 true ones), 1 of them White dragons" in lines
    assert "faces said on backs 2, 1 of them White dragons" in lines
    assert "backs found 3 of 4 (75.00%), right 1 of 3 (33.33%)" in lines
    assert "wrong of what is said from 0.97 on: 4 of 12 (33.33%)" in lines
    assert "backs found 0 of 0, right 0 of 0" in "\n".join(said_lines(said_figures([])))


def outcome_of(truth: Sequence[str], read: Sequence[str], *, backs_complete: bool) -> Any:
    """The figures of a row of tiles of which the truth names only the first few."""
    laid = lay("123m 456m")
    quads = laid.quads[: len(truth)]
    truth_of = Example("a", "club", lambda: CANVAS, tuple(truth), quads, backs_complete)
    examiner = Examiner(*models_that_see(laid.quads[: len(read)], list(read)), judge=FakeJudge())
    return examiner.examine(truth_of, CANVAS)


@pytest.mark.parametrize("complete", [True, False])
def test_a_back_that_matches_none_is_wrong_only_where_all_backs_are_known(
    *, complete: bool
) -> None:
    outcome = outcome_of(["1m", "2m"], ["1m", "2m", "back"], backs_complete=complete)
    assert [tile.got for tile in outcome.failures] == ["back"] * complete
    assert said_figures(outcome.tiles)["invented"] == 0


def test_a_face_that_matches_none_is_invented_also_where_not_all_backs_are_known() -> None:
    outcome = outcome_of(["1m", "2m"], ["1m", "2m", "5z"], backs_complete=False)
    assert said_figures(outcome.tiles)["invented_white"] == 1


def test_what_lies_on_an_ignored_tile_is_neither_required_nor_punished() -> None:
    outcome = outcome_of(["1m", IGNORE, IGNORE], ["1m", "back"], backs_complete=True)
    assert [tile.wanted for tile in outcome.tiles] == ["1m"]
    assert not outcome.failures


def test_the_figures_stand_in_the_report_and_its_headline() -> None:
    outcome = outcome_of(["1m", "2m"], ["1m", "2m", "5z"], backs_complete=True)
    figures: Any = summarise([outcome])
    assert figures["said"] == said_figures(outcome.tiles)
    assert "faces invented 1 (50.00 per 100 true ones), 1 of them" in headline(figures)


def test_that_not_all_backs_are_known_is_read_and_kept(tmp_path: Path) -> None:
    truth = Example("a", "ours", lambda: CANVAS, ("1m",), shifted(20)[np.newaxis])
    path = tmp_path / "table.coco.json"
    text = described(truth, "table/one.png")
    path.write_text(text.replace('"split": "val"', '"backs_complete": false'))
    (only,) = photographed(path, "val")
    assert not only.backs_complete
    assert not only.without({0}).backs_complete
    path.write_text(text)
    (only,) = photographed(path, "val")
    assert only.backs_complete


def test_a_picture_in_another_light_keeps_what_is_known_of_its_backs() -> None:
    truth = Example(
        "a", "club", lambda: CANVAS, ("1m",), shifted(20)[np.newaxis], backs_complete=False
    )
    assert not any(example.backs_complete for example in changed([truth]))
