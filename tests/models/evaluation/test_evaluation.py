from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.crops.negatives import overlap
from datasets.sets.coco import IGNORE
from models.evaluation import __main__ as command
from models.evaluation.__main__ import evaluate, evaluate_with_profiles, headline
from models.evaluation.changes import CHANGES, changed
from models.evaluation.examples import Choice, Example, photographed, rendered
from models.evaluation.gallery import Gallery
from models.evaluation.matching import (
    average_precision,
    corner_errors,
    match,
    score_finds,
)
from models.evaluation.outcomes import MISSED, NOTHING
from models.evaluation.photo import Examiner
from models.evaluation.report import (
    BEGIN,
    END,
    ReportError,
    insert,
    load_figures,
    size_table,
    table,
)
from models.evaluation.said import expected_calibration_error
from models.evaluation.tally import summarise
from tests.vision.fakes import models_that_see
from tests.vision.table import lay

SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"
CANVAS = np.full((400, 1200, 3), 90, np.uint8)
SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)


@pytest.fixture(scope="module")
def hands() -> list[Example]:
    """Two rendered hands."""
    return list(rendered(SAMPLES, 2))


def shifted(x: float, y: float = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
    return (SQUARE + np.array([x, y], np.float32)).astype(np.float32)


def test_overlap_is_the_shared_part_of_both() -> None:
    assert overlap(SQUARE, SQUARE) == pytest.approx(1)
    assert overlap(SQUARE, shifted(5)) == pytest.approx(1 / 3)
    assert overlap(SQUARE, shifted(20)) == 0


def test_each_tile_is_matched_with_one_find_the_best_first() -> None:
    truth = np.stack([SQUARE, shifted(11)])
    found = np.stack([shifted(3), shifted(1), shifted(10), shifted(200)])
    assert sorted(match(truth, found)) == [(0, 1), (1, 2)]
    assert match(truth, found[3:]) == []


def test_corner_errors_are_told_in_widths_whichever_way_up() -> None:
    errors, turn = corner_errors(SQUARE, np.roll(shifted(1), 2, axis=0))
    assert turn == 2
    assert np.allclose(errors, 0.1)


@pytest.mark.parametrize(
    ("finds", "tiles", "expected"),
    [
        ([(0.9, True), (0.8, True)], 2, 1.0),
        ([(0.9, True), (0.8, True)], 4, 51 / 101),
        ([(0.9, False), (0.8, True)], 1, 0.5),
        ([(0.9, True), (0.1, False)], 1, 1.0),
        ([], 3, 0.0),
    ],
)
def test_average_precision(finds: list[tuple[float, bool]], tiles: int, expected: float) -> None:
    assert average_precision(finds, tiles) == pytest.approx(expected)


def test_a_second_find_of_a_tile_is_none_and_ignored_tiles_count_for_nothing() -> None:
    shares = np.array([[0.9, 0.8, 0.0, 0.0], [0.0, 0.0, 0.6, 0.0]])
    scores = np.array([0.5, 0.9, 0.7, 0.1], np.float32)
    ignored = np.array([False, True])
    finds = score_finds(shares, scores, ignored, 0.5)
    assert [(round(score, 1), hit) for score, hit in finds] == [
        (0.9, True),
        (0.5, False),
        (0.1, False),
    ]


def test_calibration_is_the_gap_between_sureness_and_truth() -> None:
    assert expected_calibration_error([(0.95, True)] * 19 + [(0.95, False)]) == pytest.approx(0)
    assert expected_calibration_error([(0.9, False)] * 4) == pytest.approx(0.9)
    assert expected_calibration_error([]) == 0


def example(**changes: Any) -> Example:
    laid = lay("123m 5z 1f")
    base = Example("photo", "club", lambda: CANVAS, tuple(laid.labels), laid.quads)
    return replace(base, **changes)


def test_a_picture_read_right_is_exact() -> None:
    laid = lay("123m 5z 1f")
    examiner = Examiner(*models_that_see(laid.quads, laid.labels))
    outcome = examiner.examine(example(), CANVAS)
    assert outcome.failures == ()
    figures: Any = summarise([outcome])
    assert (figures["pictures"], figures["exact"], figures["tiles"]) == (1, 1, 5)
    assert figures["detection"]["ap75"] == 1
    assert figures["corners"]["mean"] == 0
    assert figures["kinds"]["bonus tiles"]["right"] == 1
    assert figures["classes"]["5z"]["top1"] == 1
    assert figures["sizes"]["from 48 px"]["tiles"] == 5
    assert set(figures["seconds"]) == {"decode", "detect", "classify", "layout"}


def test_missed_misread_and_invented_tiles_are_told_apart() -> None:
    laid = lay("123m 5z 1f")
    found = np.concatenate([laid.quads[1:], laid.quads[:1] + np.float32(300)])
    labels = ["2m", "9m", "blank", "1f", "7z"]
    outcome = Examiner(*models_that_see(found, labels)).examine(example(), CANVAS)
    assert sorted((tile.wanted, tile.got) for tile in outcome.failures) == [
        ("1m", MISSED),
        ("3m", "9m"),
        ("5z", "blank"),
        (NOTHING, "7z"),
    ]
    figures: Any = summarise([outcome])
    assert figures["exact"] == 0
    assert figures["detection"]["recall"] == 0.8
    assert figures["detection"]["invented_per_tile"] == 0.2
    assert figures["reading"]["top1"] == 0.5
    assert ["3m", "9m", 1] in figures["confusions"]
    assert figures["sets"]["club"]["tiles"] == 5


def test_shares_are_rounded_once() -> None:
    laid = lay("123m 5z 1f")
    right = Examiner(*models_that_see(laid.quads, laid.labels)).examine(example(), CANVAS)
    some = models_that_see(laid.quads[:4], ["1m", "2m", "9m", "5z"])
    figures: Any = summarise([*[right] * 5, Examiner(*some).examine(example(), CANVAS)])
    assert (figures["reading"]["right"], figures["reading"]["found"]) == (28, 29)
    assert f"{figures['reading']['top1']:.1%}" == f"{28 / 29:.1%}" == "96.6%"


def test_small_tiles_are_told_apart_from_large_ones() -> None:
    laid = lay("123m 5z 1f")
    quads = laid.quads.copy()
    quads[0] = quads[0].mean(axis=0) + (quads[0] - quads[0].mean(axis=0)) / 3
    examiner = Examiner(*models_that_see(quads[1:], laid.labels[1:]))
    sizes: Any = summarise([examiner.examine(example(quads=quads), CANVAS)])["sizes"]
    assert [row["tiles"] for row in sizes.values()] == [0, 1, 0, 0, 4]
    assert (sizes["from 16 px"]["recall"], sizes["from 48 px"]["recall"]) == (0, 1)


def test_a_blank_white_dragon_may_be_accepted() -> None:
    laid = lay("5z")
    truth = example(labels=("5z",), quads=laid.quads)
    models = models_that_see(laid.quads, ["blank"])
    assert len(Examiner(*models).examine(truth, CANVAS).failures) == 1
    assert not Examiner(*models, spare_as_white=True).examine(truth, CANVAS).failures


def test_ignored_tiles_are_neither_required_nor_punished() -> None:
    laid = lay("123m")
    labels = ("1m", IGNORE, IGNORE)
    truth = example(labels=labels, quads=laid.quads)
    examiner = Examiner(*models_that_see(laid.quads[:2], ["1m", "9s"]))
    outcome = examiner.examine(truth, CANVAS)
    assert outcome.failures == ()
    assert len(outcome.tiles) == 1


def test_a_picture_in_which_nothing_is_found_counts_as_missed() -> None:
    examiner = Examiner(*models_that_see(np.empty((0, 4, 2), np.float32), []))
    outcome = examiner.examine(example(), CANVAS)
    assert {tile.got for tile in outcome.failures} == {MISSED}
    assert len(outcome.failures) == 5


def test_the_gallery_shows_every_failure(tmp_path: Path) -> None:
    laid = lay("123m 5z 1f")
    gallery = Gallery(tmp_path / "out")
    right = Examiner(*models_that_see(laid.quads, laid.labels)).examine(example(), CANVAS)
    gallery.add(right, CANVAS)
    assert len(list((tmp_path / "out").iterdir())) == 1
    wrong = Examiner(*models_that_see(laid.quads[1:], ["9m", "3m", "5z", "1f"]))
    gallery.add(wrong.examine(example(name="<one>"), CANVAS), CANVAS)
    page = (tmp_path / "out" / "index.html").read_text()
    assert "&lt;one&gt;" in page
    assert "1m was missed" in page
    assert "2m read as 9m (97%)" in page
    for name in ("0001.jpg", "0001-00.jpg", "0001-01.jpg"):
        assert f'src="{name}"' in page
        assert cv2.imread(str(tmp_path / "out" / name)) is not None


def described(truth: Example, picture: str) -> str:
    """The COCO file of one picture of the set "ours"."""
    names = sorted({*truth.labels})
    rows = [
        {"id": i, "image_id": 7, "category_id": names.index(label), "segmentation": [q]}
        for i, (label, q) in enumerate(
            zip(truth.labels, truth.quads.reshape(-1, 8).tolist(), strict=True)
        )
    ]
    data = {
        "categories": [{"id": i, "name": name} for i, name in enumerate(names)],
        "images": [{"id": 7, "file_name": picture, "set": "ours", "split": "val"}],
        "annotations": rows,
    }
    return json.dumps(data)


def test_a_coco_file_of_ours_is_measured_and_its_figures_kept(
    hands: list[Example],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    truth = hands[0]
    folder = tmp_path / "table"
    folder.mkdir()
    cv2.imwrite(str(folder / "one.png"), truth.load())
    annotations = tmp_path / "table.coco.json"
    annotations.write_text(described(truth, "one.png"))
    kept = tmp_path / "kept" / "figures.json"
    arguments = [
        "evaluate",
        str(annotations),
        "--json",
        str(kept),
        "--gallery",
        str(tmp_path / "g"),
    ]
    monkeypatch.setattr("sys.argv", arguments)
    command.main()
    figures = json.loads(kept.read_text())
    assert figures["what"] == "table.coco.json"
    assert figures["tiles"] == sum(label != IGNORE for label in truth.labels)
    assert list(figures["sets"]) == ["ours"]
    assert f"{figures['tiles']} tiles in 1 pictures" in capsys.readouterr().out
    assert (tmp_path / "g" / "index.html").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sheets"], "needs --photos"),
        (["retaken"], "needs --photos"),
        (["rendered"], "needs --designs"),
        (["games"], "needs --designs"),
        (["nowhere.coco.json"], "nowhere.coco.json"),
    ],
)
def test_what_cannot_be_measured_is_told(
    arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["evaluate", *arguments])
    with pytest.raises(SystemExit, match=words):
        command.main()


def test_photographs_are_taken_anew_in_turn(hands: list[Example], tmp_path: Path) -> None:
    truth = hands[0]
    (tmp_path / "sheets").mkdir()
    cv2.imwrite(str(tmp_path / "sheets" / "one.png"), truth.load())
    (tmp_path / "sheets.coco.json").write_text(described(truth, "one.png"))
    shown = list(Choice("retaken", photos=tmp_path, count=3).examples())
    assert [example.group for example in shown] == ["ours"] * 3
    pictures = [example.load() for example in shown]
    assert not np.array_equal(pictures[0], pictures[1])
    again = list(Choice("retaken", photos=tmp_path, count=3).examples())
    assert all(np.array_equal(e.load(), p) for e, p in zip(again, pictures, strict=True))


def test_the_truth_goes_where_the_picture_goes() -> None:
    image = np.zeros((300, 400, 3), np.uint8)
    quad = np.array([[150, 80], [210, 90], [205, 170], [140, 165]], np.float32)
    cv2.fillConvexPoly(image, quad.astype(np.int32), (250, 250, 250))
    shown = list(changed([Example("one", "ours", image.copy, ("5z",), quad[np.newaxis])]))
    assert [example.name for example in shown] == [f"one, {name}" for name in CHANGES]
    corners = set()
    for example in shown:
        picture = example.load()
        inside = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, example.quads[0].astype(np.int32), 1)
        light = picture.max(axis=2) > 60
        both = np.count_nonzero(light & (inside > 0))
        assert both > 0.95 * max(np.count_nonzero(light), np.count_nonzero(inside)), example.name
        corners.add(tuple(example.quads[0, 0].round().tolist()))
    assert len(corners) == 6, "as it is, three turns and two tilts"
    assert len({example.load().tobytes() for example in shown}) == len(CHANGES)


def test_a_picture_may_be_measured_in_other_lights_too(
    hands: list[Example], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = hands[0]
    (tmp_path / "table").mkdir()
    cv2.imwrite(str(tmp_path / "table" / "one.png"), truth.load())
    (tmp_path / "table.coco.json").write_text(described(truth, "one.png"))
    kept = tmp_path / "figures.json"
    arguments = ["evaluate", str(tmp_path / "table.coco.json"), "--changed", "--json", str(kept)]
    monkeypatch.setattr("sys.argv", arguments)
    command.main()
    figures = json.loads(kept.read_text())
    assert figures["what"] == "table.coco.json, changed"
    assert figures["pictures"] == len(CHANGES)
    assert figures["detection"]["recall"] > 0.8


def test_a_picture_may_be_searched_at_several_sizes(hands: list[Example]) -> None:
    truth = hands[:1]
    once, often = evaluate(truth), evaluate(truth, searched=[640, 1024, 1280])
    assert often["tiles"] == 3 * once["tiles"]
    assert often["pictures"] == 3
    assert often["detection"]["recall"] > 0.9


@pytest.mark.parametrize(
    "more", [["--searched", "1024", "12"], ["--searched", "960", "--set-profile"]]
)
def test_sizes_that_cannot_be_searched_are_told(
    more: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["evaluate", "benchmark", *more])
    with pytest.raises(SystemExit):
        command.main()
    assert "--searched takes sides from 256 pixels" in capsys.readouterr().err


def test_profiles_are_measured_beside_plain_reading_on_the_same_tiles() -> None:
    choice = Choice("rendered", designs=SAMPLES, count=2)
    figures: Any = evaluate_with_profiles(choice.examples(), choice.set_photos())
    assert figures["tiles"] == figures["plain"]["tiles"]
    assert figures["reading"]["top1"] >= figures["plain"]["reading"]["top1"]
    assert "pictured" in headline(figures)


def test_a_profile_taken_from_the_pictures_is_not_measured_on_its_own_tiles(
    hands: list[Example],
) -> None:
    figures: Any = evaluate_with_profiles(hands, [])
    every: Any = evaluate(hands)
    used = sum(len({s for s in e.labels if s not in (IGNORE, "back")}) for e in hands)
    assert figures["tiles"] == every["tiles"] - used


def test_photographs_without_a_label_are_ignored(tmp_path: Path) -> None:
    data = {
        "categories": [{"id": 0, "name": "1m"}],
        "images": [
            {
                "id": 1,
                "file_name": "a.png",
                "set": "ours",
                "split": "val",
                "unlabelled_quads": [{"quad": SQUARE.ravel().tolist()}],
            }
        ],
        "annotations": [
            {
                "id": 1,
                "image_id": 1,
                "category_id": 0,
                "segmentation": [shifted(20).ravel().tolist()],
            }
        ],
    }
    path = tmp_path / "a.coco.json"
    path.write_text(json.dumps(data))
    (only,) = photographed(path, None)
    assert only.labels == ("1m", IGNORE)


def figures_of(what: str, *, top1: float, set_profile: bool = False) -> dict[str, Any]:
    laid = lay("123m 5z 1f")
    outcome = Examiner(*models_that_see(laid.quads, laid.labels)).examine(example(), CANVAS)
    figures: Any = summarise([outcome])
    figures["reading"]["top1"] = top1
    facts = {"what": what, "set_profile": set_profile, "date": "2026-01-02", "models": {"d": "1"}}
    return {**facts, **figures}


def test_the_table_tells_the_figures_it_was_given(tmp_path: Path) -> None:
    with_profile = figures_of("benchmark", top1=0.8765, set_profile=True)
    with_profile["plain"] = figures_of("benchmark", top1=0.7654)
    for name, figures in {"a": with_profile, "c": figures_of("sheets", top1=0.5432)}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(figures))
    text = table(load_figures(tmp_path))
    rows = [line for line in text.splitlines() if "%" in line]
    assert [row.split("|")[5].strip() for row in rows] == ["54.3%", "76.5%", "87.6%"]
    assert "with a set profile" in rows[2]
    assert "2026-01-02" in text
    assert "| from 48 px | 5 | 100.0% | 100.0% |" in size_table(load_figures(tmp_path))
    assert size_table([figures_of("sheets", top1=0.5)]) == ""
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert insert(page, text) == f"before\n{BEGIN}\n{text}{END}\nafter\n"
    with pytest.raises(ReportError, match="needs the lines"):
        insert("a page", text)


def test_damaged_or_missing_figures_are_told(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="holds no figures"):
        load_figures(tmp_path)
    (tmp_path / "a.json").write_text("{")
    with pytest.raises(ReportError, match=r"a\.json is damaged"):
        load_figures(tmp_path)
    with pytest.raises(ReportError, match="lack 'detection'"):
        table([{"what": "sheets", "set_profile": False}])
