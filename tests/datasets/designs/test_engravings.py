"""Other people's faces on drawn sets."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from datasets.designs import DesignError, FontSpec
from datasets.designs.drawing.palette import rng_for
from datasets.designs.engravings import (
    EngravingSet,
    EngravingStyle,
    find_engravings,
    sample_engravings,
)
from datasets.designs.engravings import fetch as fetching
from datasets.designs.engravings.__main__ import main
from datasets.designs.engravings.fetch import draw_riichi, draw_typeface, fetch_engravings
from datasets.designs.errors import PackageError
from datasets.designs.factory import SetStyle, draw_face, sample_style
from datasets.sets.fresh import Makes, fresh_set
from scorer.tiles import PLAYING_TILES, TILES
from tests.datasets.designs.typeface import save_typeface

ORANGE = (40, 140, 250)
BLACK = (0, 0, 0)


def engraved(folder: Path, colour: tuple[int, int, int], tiles: tuple[str, ...]) -> None:
    """Faces of a square above another, in a colour."""
    folder.mkdir(parents=True)
    picture = np.zeros((80, 60, 4), np.uint8)
    picture[5:35, 15:45] = picture[45:75, 15:45] = (*colour, 255)
    for tile in tiles:
        (folder / f"{tile}.png").write_bytes(cv2.imencode(".png", picture)[1].tobytes())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    engraved(tmp_path / "art" / "coloured", ORANGE, PLAYING_TILES)
    engraved(tmp_path / "art" / "lines", BLACK, PLAYING_TILES[:30])
    return tmp_path / "art"


@pytest.fixture
def sets(folder: Path) -> tuple[EngravingSet, ...]:
    return find_engravings(folder)


def showing(style: SetStyle, engravings: EngravingSet, **choices: object) -> SetStyle:
    shown = EngravingStyle(engravings, "mpsz", "colours", 0.9, 0.0)
    return replace(style, engravings=replace(shown, **choices))  # type: ignore[arg-type]


def share_of(face: np.ndarray, colour: tuple[int, int, int]) -> float:
    return float((np.abs(face.astype(int) - colour).max(axis=2) < 60).mean())


def test_sets_are_found_with_what_they_have(sets: tuple[EngravingSet, ...]) -> None:
    assert [(found.name, len(found.faces), found.coloured) for found in sets] == [
        ("coloured", 34, True),
        ("lines", 30, False),
    ]


def test_tiles_of_the_chosen_kinds_show_them(
    typefaces: list[FontSpec], sets: tuple[EngravingSet, ...]
) -> None:
    plain = sample_style(3, typefaces)
    style = showing(plain, sets[0], kinds="pz")
    for tile in PLAYING_TILES:
        same = np.array_equal(draw_face(tile, style), draw_face(tile, plain))
        assert same == (tile[1] in "ms")
    assert share_of(draw_face("5p", style), ORANGE) > 0.1
    assert np.array_equal(draw_face("2f", style), draw_face("2f", plain))


def test_a_tile_that_they_lack_is_drawn(
    typefaces: list[FontSpec], sets: tuple[EngravingSet, ...]
) -> None:
    plain = sample_style(3, typefaces)
    style = showing(plain, sets[1], print="one")
    assert "6z" not in sets[1].faces
    assert np.array_equal(draw_face("6z", style), draw_face("6z", plain))
    assert not np.array_equal(draw_face("1z", style), draw_face("1z", plain))


def test_characters_in_bands_have_the_inks_of_the_set(
    typefaces: list[FontSpec], sets: tuple[EngravingSet, ...]
) -> None:
    plain = sample_style(3, typefaces)
    palette = replace(plain.palette, numeral=(200, 40, 40), wan=(30, 30, 210))
    style = showing(replace(plain, palette=palette), sets[1], print="bands")
    face = draw_face("4m", style)
    half = face.shape[0] // 2
    assert share_of(face[:half], palette.numeral) > 0.1
    assert share_of(face[half:], palette.wan) > 0.1
    assert share_of(face[half:], palette.numeral) < 0.02


def test_colours_are_replaced_by_the_inks_called_so(
    typefaces: list[FontSpec], sets: tuple[EngravingSet, ...]
) -> None:
    plain = sample_style(3, typefaces)
    palette = replace(plain.palette, red=(200, 20, 200))
    style = showing(replace(plain, palette=palette), sets[0], print="inks")
    assert share_of(draw_face("3p", style), palette.red) > 0.1
    assert share_of(draw_face("3p", style), ORANGE) < 0.02


def test_every_way_comes(sets: tuple[EngravingSet, ...]) -> None:
    styles = [sample_engravings(rng_for(seed, "engravings"), sets) for seed in range(120)]
    assert {style.print for style in styles} == {"colours", "inks", "bands", "one"}
    assert {style.engravings.name for style in styles} == {"coloured", "lines"}
    assert all(style.print in ("bands", "one") for style in styles if not style.engravings.coloured)
    assert {kind for style in styles for kind in style.kinds} == set("mpsz")
    assert all(style.kinds for style in styles)


def test_sets_drawn_while_training_runs_have_them(
    typefaces: list[FontSpec], sets: tuple[EngravingSet, ...]
) -> None:
    changed = [
        not np.array_equal(
            fresh_set(seed, typefaces, TILES, Makes(rarer=1.0)).faces["6p"][0],
            fresh_set(seed, typefaces, TILES, Makes(rarer=1.0, engravings=sets)).faces["6p"][0],
        )
        for seed in range(16)
    ]
    assert 1 <= sum(changed) < 12


def test_a_folder_without_engravings_is_told(tmp_path: Path) -> None:
    engraved(tmp_path / "few", BLACK, PLAYING_TILES[:10])
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(DesignError, match="--fetch"):
            find_engravings(folder)
    assert find_engravings(None) == ()


def test_a_picture_without_transparency_is_told(folder: Path) -> None:
    opaque = cv2.imencode(".png", np.zeros((9, 9, 3), np.uint8))[1].tobytes()
    (folder / "lines" / "1m.png").write_bytes(opaque)
    with pytest.raises(DesignError, match=r"1m\.png is no picture with transparency"):
        find_engravings(folder)


def typeface(path: Path) -> Path:
    """A typeface whose tiles are a frame around a bar, as far down as their number says."""
    frame = [(50, 0, 650, 30), (50, 870, 650, 900), (50, 0, 80, 900), (620, 0, 650, 900)]
    bars = [(200, 700 - 18 * index, 500, 800 - 18 * index) for index in range(34)]
    tiles = {chr(0x1F000 + index): [*frame, bar] for index, bar in enumerate(bars)}
    return save_typeface(path, {**tiles, chr(0x1F006): frame})


def test_a_typefaces_tiles_lose_their_frames(tmp_path: Path) -> None:
    draw_typeface(typeface(tmp_path / "tiles.ttf"), tmp_path / "drawn")
    drawn = {path.stem for path in (tmp_path / "drawn").iterdir()}
    assert drawn == set(PLAYING_TILES) - {"5z"}
    heights = []
    for tile in ("1z", "7z", "1m", "9p"):
        data = (tmp_path / "drawn" / f"{tile}.png").read_bytes()
        picture = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED))
        cover = picture[..., 3]
        rows, columns = np.nonzero(cover > 128)
        assert np.ptp(columns) / cover.shape[1] == pytest.approx(0.5, abs=0.04)
        heights.append(rows.mean() / cover.shape[0])
    assert heights == sorted(heights)


def wheel(path: Path, tiles: tuple[str, ...]) -> Path:
    with ZipFile(path, "w") as package:
        for tile in tiles:
            package.writestr(f"pymdownx_mahjong/assets/light/{tile}.svg", f"<svg>{tile}</svg>")
    return path


def test_a_packages_tiles_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "draw_svg", lambda svg, *size: svg + " ".join(size).encode())
    draw_riichi(wheel(tmp_path / "some.whl", PLAYING_TILES), tmp_path / "drawn")
    assert (tmp_path / "drawn" / "3s.png").read_text() == "<svg>3s</svg>--height 288"
    assert len(list((tmp_path / "drawn").iterdir())) == 33


def test_a_package_without_them_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "draw_svg", lambda svg, *_: svg)
    with pytest.raises(PackageError, match=r"there is no pymdownx_mahjong/assets/light/2m\.svg"):
        draw_riichi(wheel(tmp_path / "some.whl", ("1m",)), tmp_path / "drawn")


@pytest.fixture
def pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for pip that copies a wheel, once there is one."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    tool = tmp_path / "python"
    tool.write_text(f'#!/bin/sh\nfor last; do :; done\ncp {wheels}/"$last".whl "$7"/\n')
    tool.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tool))
    monkeypatch.setattr(fetching, "draw_svg", lambda *_: (tmp_path / "face.png").read_bytes())
    engraved(tmp_path / "one", ORANGE, ("1m",))
    (tmp_path / "one" / "1m.png").rename(tmp_path / "face.png")
    return wheels


def test_all_that_is_there_is_fetched_and_the_rest_named(tmp_path: Path, pip: Path) -> None:
    wheel(pip / "pymdownx-mahjong.whl", PLAYING_TILES)
    (tmp_path / "fonts" / "deep").mkdir(parents=True)
    typeface(tmp_path / "fonts" / "deep" / "FreeSerif.otf")
    missing = fetch_engravings(tmp_path / "got", tmp_path / "fonts")
    assert missing == ["fonts-hanazono", "fonts-noto-core", "fonts-symbola"]
    found = {e.name: e.coloured for e in find_engravings(tmp_path / "got")}
    assert found == {"FreeSerif": False, "riichi": True}


def test_the_command_lists_what_it_got(
    tmp_path: Path, pip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "TYPEFACES", {})
    wheel(pip / "pymdownx-mahjong.whl", PLAYING_TILES)
    done = CliRunner().invoke(main, ["--fetch", str(tmp_path / "got")])
    assert done.exit_code == 0, done.output
    assert done.output == "riichi: 33 tiles in colours\n"


@pytest.mark.usefixtures("pip")
def test_a_package_that_cannot_be_fetched_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["--fetch", str(tmp_path / "got")])
    assert done.exit_code == 1
    assert "could not fetch pymdownx-mahjong" in done.output
    assert CliRunner().invoke(main).exit_code == 2
