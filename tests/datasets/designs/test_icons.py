"""Other people's birds and flowers on drawn sets."""

from __future__ import annotations

import json
import tarfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from datasets.designs import DesignError, FontSpec
from datasets.designs.drawing.palette import rng_for
from datasets.designs.errors import PackageError
from datasets.designs.factory import SetStyle, draw_face, sample_style
from datasets.designs.icons import BIRDS, OTHERS, IconSet, IconStyle, find_icons
from datasets.designs.icons.__main__ import main
from datasets.designs.icons.fetch import unpack_icons
from datasets.designs.rarer import with_rarer_makes
from datasets.sets.fresh import Makes, fresh_set
from scorer.tiles import BONUS_TILES, TILES

ORANGE = (40, 140, 250)
PURPLE = (200, 30, 160)


def drawn_icon(path: Path, colour: tuple[int, int, int]) -> None:
    """A disc of a colour, dark on its left, on nothing."""
    picture = np.zeros((60, 60, 4), np.uint8)
    cv2.circle(picture, (30, 30), 24, (*colour, 255), -1)
    picture[:, :26, :3] = 20
    path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for kind, colour in ((BIRDS, ORANGE), (OTHERS, PURPLE)):
        (tmp_path / "icons" / "someone" / kind).mkdir(parents=True)
        for index in range(4):
            drawn_icon(tmp_path / "icons" / "someone" / kind / f"{index}.png", colour)
    return tmp_path / "icons"


@pytest.fixture
def icons(folder: Path) -> IconSet:
    (found,) = find_icons(folder)
    return found


def showing(style: SetStyle, icons: IconSet, **choices: object) -> SetStyle:
    shown = IconStyle(icons, one=True, bonus=True, print="colours", inks=3, size=1.0)
    return replace(style, icons=replace(shown, **choices))  # type: ignore[arg-type]


def share_of(face: np.ndarray, colour: tuple[int, int, int]) -> float:
    return float((np.abs(face.astype(int) - colour).max(axis=2) < 60).mean())


def test_the_one_of_bamboo_is_a_bird_and_flowers_are_mostly_others(
    typefaces: list[FontSpec], icons: IconSet
) -> None:
    style = showing(sample_style(3, typefaces), icons)
    assert share_of(draw_face("1s", style), ORANGE) > 0.02
    shown = [draw_face(tile, style) for tile in BONUS_TILES]
    assert sum(share_of(face, PURPLE) > 0.02 for face in shown) >= 4
    assert np.array_equal(draw_face("5s", style), draw_face("5s", replace(style, icons=None)))


@pytest.mark.parametrize(("shown", "as_before"), [("1s", "2f"), ("2f", "1s")])
def test_either_may_be_as_before(
    typefaces: list[FontSpec], icons: IconSet, shown: str, as_before: str
) -> None:
    plain = sample_style(3, typefaces)
    style = showing(plain, icons, one=shown == "1s", bonus=shown == "2f")
    assert not np.array_equal(draw_face(shown, style), draw_face(shown, plain))
    assert np.array_equal(draw_face(as_before, style), draw_face(as_before, plain))


@pytest.mark.parametrize("print_", ["inks", "outline"])
def test_pictures_are_printed_in_the_inks_of_the_set(
    typefaces: list[FontSpec], icons: IconSet, print_: str
) -> None:
    style = showing(sample_style(3, typefaces), icons, print=print_)
    face = draw_face("1s", style)
    assert share_of(face, ORANGE) < 0.01
    assert not np.array_equal(face, draw_face("1s", replace(style, icons=None)))
    assert np.array_equal(face, draw_face("1s", style))


def test_flowers_with_any_icons_are_told_by_their_marks(
    typefaces: list[FontSpec], icons: IconSet
) -> None:
    plain = [sample_style(seed, typefaces) for seed in range(60)]
    styles = [with_rarer_makes(s, rng_for(s.seed, "rarer"), (icons,)) for s in plain]
    shown = [s for s in styles if s.icons is not None]
    assert 20 < len(shown) < 55
    assert {s.icons.print for s in shown if s.icons} == {"colours", "inks", "outline"}
    marked = [s.bonus.marking for s in shown if s.icons and s.icons.bonus]
    assert marked
    assert not {"number", "alone"} & set(marked)


def test_sets_drawn_while_training_runs_have_them(
    typefaces: list[FontSpec], icons: IconSet
) -> None:
    makes = Makes(rarer=1.0, icons=(icons,))
    changed = [
        not np.array_equal(
            fresh_set(seed, typefaces, TILES, Makes(rarer=1.0)).faces["1s"][0],
            fresh_set(seed, typefaces, TILES, makes).faces["1s"][0],
        )
        for seed in range(8)
    ]
    assert 1 <= sum(changed) < 8


def test_a_folder_without_icons_is_told(tmp_path: Path) -> None:
    (tmp_path / "few" / BIRDS).mkdir(parents=True)
    drawn_icon(tmp_path / "few" / BIRDS / "0.png", ORANGE)
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(DesignError, match="--fetch"):
            find_icons(folder)


def test_a_picture_that_fills_its_square_is_told(typefaces: list[FontSpec], icons: IconSet) -> None:
    opaque = cv2.imencode(".png", np.zeros((9, 9, 3), np.uint8))[1].tobytes()
    for bird in icons.birds:
        bird.write_bytes(opaque)
    with pytest.raises(DesignError, match="no picture that stands free"):
        draw_face("1s", showing(sample_style(3, typefaces), icons))


def packed(path: Path, icons: dict[str, object]) -> Path:
    source = path.parent / "icons.json"
    source.write_text(json.dumps({"icons": icons, "height": 20, "width": 20}))
    with tarfile.open(path, "w:gz") as archive:
        archive.add(source, "package/icons.json")
    return path


@pytest.fixture
def rsvg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in, so that the test needs no such tool: where it writes down what it is to draw.

    It draws an icon, but a full square where that is named in the SVG.
    """
    folder = tmp_path / "bin"
    folder.mkdir()
    drawn_icon(folder / "free.png", ORANGE)
    full = cv2.imencode(".png", np.zeros((9, 9, 3), np.uint8))[1].tobytes()
    (folder / "full.png").write_bytes(full)
    tool = folder / "rsvg-convert"
    tool.write_text(
        f'#!/bin/sh\ncd "{folder}"\n/bin/cat > one.svg\n/bin/cat one.svg >> all.svg\n'
        "if /bin/grep -q square one.svg; then /bin/cat full.png; else /bin/cat free.png; fi\n"
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return folder / "all.svg"


def test_birds_and_plants_of_a_package_are_kept_apart(tmp_path: Path, rsvg: Path) -> None:
    icons = {
        "peacock": {"body": '<path d="M0 0"/>', "width": 30},
        "tulip": {"body": "<g/>", "left": 2},
        "bowling": {"body": "<g/>"},
        "flag-for-turkey": {"body": "<g/>"},
        "mountain": {"body": '<g id="square"/>'},
    }
    kept = tmp_path / "kept"
    assert unpack_icons(packed(tmp_path / "some.tgz", icons), kept) == 2
    assert sorted(str(p.relative_to(kept)) for p in kept.rglob("*.png")) == [
        "birds/peacock.png",
        "others/tulip.png",
    ]
    asked = rsvg.read_text(encoding="utf-8")
    assert 'viewBox="0 0 30 20"><path d="M0 0"/></svg>' in asked
    assert 'viewBox="2 0 20 20"' in asked


def test_without_the_tool_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PackageError, match="apt-get install librsvg2-bin"):
        unpack_icons(packed(tmp_path / "some.tgz", {"swan": {"body": "<g/>"}}), tmp_path / "kept")


def test_a_package_of_another_kind_is_told(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "other.tgz", "w:gz"):
        pass
    with pytest.raises(PackageError, match=r"no package/icons\.json"):
        unpack_icons(tmp_path / "other.tgz", tmp_path / "kept")


def test_the_command_lists_icons_and_fetches_them(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = CliRunner().invoke(main, [str(folder)])
    assert (done.exit_code, done.output) == (0, "someone: 4 birds, 4 others\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    done = CliRunner().invoke(main, ["--fetch", str(tmp_path / "new")])
    assert done.exit_code == 1
    assert "npm is not installed" in done.output
    assert CliRunner().invoke(main, []).exit_code == 2
