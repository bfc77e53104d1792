"""Drawn tile sets: what a design holds, how it is kept, and that its faces can be told apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from datasets.designs import (
    FACE_WIDTH,
    DesignError,
    FontError,
    FontSpec,
    TileDesign,
    draw_design,
    fonts,
    has_formal_numerals,
    has_loose_pictures,
    has_worded_bonus,
    load_design,
    save_design,
)
from datasets.designs.__main__ import main
from datasets.designs.sheet import contact_sheet
from scorer.tiles import BLANK, TILES

SAMPLES = sorted((Path(__file__).parents[3] / "datasets" / "samples").glob("*.npz"))


@pytest.fixture(scope="module")
def designs(typefaces: list[FontSpec]) -> list[TileDesign]:
    return [draw_design(seed, typefaces) for seed in range(8)]


def plain(shape: tuple[int, ...] = (160, FACE_WIDTH, 3)) -> TileDesign:
    faces = {code: np.full(shape, 200, np.uint8) for code in (*TILES, BLANK)}
    return TileDesign("plain", faces, (200, 200, 200), (40, 120, 60), ((200, 200, 200),))


def contrast(a: np.ndarray, b: np.ndarray) -> float:
    """How much of two faces differs clearly, in per cent, after a slight blur."""
    difference = np.abs(cv2.blur(a, (5, 5)).astype(int) - cv2.blur(b, (5, 5))).max(2)
    return float((difference > 30).mean() * 100)


def test_a_design_has_every_face_in_one_size(designs: list[TileDesign]) -> None:
    for design in designs:
        assert {*TILES, BLANK} <= set(design.faces)
        assert {face.shape for face in design.faces.values()} == {design.shape}
        assert design.shape[1] == FACE_WIDTH
        assert 0.68 <= design.proportion <= 0.80


def test_some_designs_have_other_tiles(designs: list[TileDesign]) -> None:
    allowed = {"other", "other#1", "other#2"}
    extra = [set(design.faces) - {*TILES, BLANK} for design in designs]
    assert all(keys <= allowed for keys in extra)
    assert 0 < sum("other" in keys for keys in extra) < len(designs)


def test_designs_differ_in_shape_and_colours(designs: list[TileDesign]) -> None:
    assert len({design.proportion for design in designs}) > 4
    assert len({design.body_bgr for design in designs}) == len(designs)
    assert len({design.back_bgr for design in designs}) == len(designs)


def test_the_same_seed_draws_the_same_set(
    designs: list[TileDesign], typefaces: list[FontSpec]
) -> None:
    again = draw_design(3, typefaces)
    assert again.back_bgr == designs[3].back_bgr
    assert all(np.array_equal(again.faces[code], designs[3].faces[code]) for code in again.faces)


def test_the_background_is_the_body_colour(designs: list[TileDesign]) -> None:
    for design in designs:
        middle = np.median(design.faces[BLANK].reshape(-1, 3), axis=0)
        assert np.abs(middle - design.body_bgr).max() < 12


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_faces_of_a_sample_can_be_told_apart(path: Path) -> None:
    design = load_design(path)
    close = [
        (a, b)
        for a, b in combinations(TILES, 2)
        if contrast(design.faces[a], design.faces[b]) < 1.5
    ]
    assert close == []


def test_samples_are_whole_and_small() -> None:
    assert [path.stem for path in SAMPLES] == ["0900", "0901"]
    assert all(path.stat().st_size <= 250_000 for path in SAMPLES)
    assert all({*TILES, BLANK} <= set(load_design(path).faces) for path in SAMPLES)


def test_a_saved_design_comes_back(tmp_path: Path, designs: list[TileDesign]) -> None:
    design = designs[0]
    save_design(design, tmp_path / "a.npz")
    loaded = load_design(tmp_path / "a.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]
    assert (loaded.name, loaded.body_bgr, loaded.back_bgr, loaded.side_bgrs) == (
        design.name,
        design.body_bgr,
        design.back_bgr,
        design.side_bgrs,
    )
    for key, face in design.faces.items():
        assert np.abs(face.astype(int) - loaded.faces[key]).mean() < 3


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match=r"no design file .*none\.npz"):
        load_design(tmp_path / "none.npz")


@pytest.mark.parametrize("keep", [0, 10, 5000])
def test_a_damaged_file_is_named(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "cut.npz"
    path.write_bytes(SAMPLES[0].read_bytes()[:keep])
    with pytest.raises(DesignError, match=r"cut\.npz is no tile-set design"):
        load_design(path)


def test_another_archive_is_no_design(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", numbers=np.arange(3))
    with pytest.raises(DesignError, match="no tile-set design"):
        load_design(tmp_path / "other.npz")


def test_a_design_without_a_face_is_refused() -> None:
    faces = {code: face for code, face in plain().faces.items() if code != "3z"}
    with pytest.raises(DesignError, match="no face for 3z"):
        replace(plain(), faces=faces)


def test_an_unknown_face_is_refused() -> None:
    faces = plain().faces | {"8z": plain().faces["1m"]}
    with pytest.raises(DesignError, match="unknown tile '8z'"):
        replace(plain(), faces=faces)


def test_faces_of_two_sizes_are_refused() -> None:
    faces = plain().faces | {"9s": np.zeros((150, FACE_WIDTH, 3), np.uint8)}
    with pytest.raises(DesignError, match="face '9s' is"):
        replace(plain(), faces=faces)


def test_a_square_tile_is_refused() -> None:
    with pytest.raises(DesignError, match="no mahjong tile"):
        plain((FACE_WIDTH, FACE_WIDTH, 3))


def test_a_contact_sheet_shows_faces_and_gaps() -> None:
    design = plain()
    sheet = contact_sheet([design, design], ["1m", "other"], width=40)
    assert sheet.shape == (2 * 54, 80, 3)
    assert tuple(sheet[27, 20]) == design.body_bgr
    assert tuple(sheet[27, 60]) == design.back_bgr


def test_the_command_writes_designs_once(
    tmp_path: Path, typefaces: list[FontSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("datasets.designs.__main__.find_fonts", lambda _: typefaces)
    options = ["--count", "2", "--first-seed", "7", "--out", str(tmp_path / "out")]
    assert CliRunner().invoke(main, options).exit_code == 0
    first = tmp_path / "out" / "0007.npz"
    written = first.read_bytes()
    (tmp_path / "out" / "0008.npz").unlink()
    monkeypatch.setattr("datasets.designs.__main__.draw_design", lambda *_: plain())
    assert CliRunner().invoke(main, options).exit_code == 0
    assert first.read_bytes() == written
    assert load_design(tmp_path / "out" / "0008.npz").name == "plain"


def test_the_command_draws_what_few_sets_have_if_asked(
    tmp_path: Path, typefaces: list[FontSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("datasets.designs.__main__.find_fonts", lambda _: typefaces)
    monkeypatch.setattr("datasets.designs.__main__.draw_rarer_design", lambda *_: plain())
    options = ["--count", "1", "--rarer", "--out", str(tmp_path)]
    assert CliRunner().invoke(main, options).exit_code == 0
    assert load_design(tmp_path / "0000.npz").name == "plain"


@pytest.mark.parametrize(
    ("kind", "is_such"),
    [
        ("formal", has_formal_numerals),
        ("worded", has_worded_bonus),
        ("loose", has_loose_pictures),
    ],
)
def test_the_command_writes_only_sets_of_one_kind(
    kind: str,
    is_such: Callable[[int, list[FontSpec]], bool],
    tmp_path: Path,
    typefaces: list[FontSpec],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = [seed for seed in range(30) if is_such(seed, typefaces)]
    assert 0 < len(wanted) < 20
    monkeypatch.setattr("datasets.designs.__main__.find_fonts", lambda _: typefaces)
    monkeypatch.setattr("datasets.designs.__main__.draw_design", lambda *_: plain())
    options = ["--count", "30", "--only", kind, "--out", str(tmp_path)]
    assert CliRunner().invoke(main, options).exit_code == 0
    assert [int(path.stem) for path in sorted(tmp_path.iterdir())] == wanted


def test_the_command_writes_a_sheet(
    tmp_path: Path, typefaces: list[FontSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("datasets.designs.__main__.find_fonts", lambda _: typefaces)
    sheet = tmp_path / "sheet.png"
    done = CliRunner().invoke(main, ["--count", "1", "--sheet", str(sheet)])
    assert done.exit_code == 0
    picture = cv2.imread(str(sheet))
    assert picture is not None
    assert picture.shape[1] == 60 * 46


def test_the_command_asks_where_to_write() -> None:
    done = CliRunner().invoke(main, [])
    assert done.exit_code == 2
    assert "--out DIR, --sheet PNG or both" in done.output


def test_the_command_reports_missing_typefaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "_FOLDERS", ())
    done = CliRunner().invoke(main, ["--out", str(tmp_path)])
    assert done.exit_code == 1
    assert "apt-get install fonts-noto-cjk" in done.output


def test_typefaces_that_lack_characters_are_named() -> None:
    with pytest.raises(FontError, match="none of the typefaces has all of: 一二三"):
        draw_design(0, [FontSpec("empty", {})])
