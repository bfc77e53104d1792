"""Tile sets of other people's games."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from datasets.designs import DesignError, load_design
from datasets.sets import games
from datasets.sets.games import GAMES, GameArt, read_game
from datasets.sets.sources import GAME_DESIGNS, HELD_GAMES, VAL_DESIGNS
from scorer.tiles import TILES

CELL = (30, 40)
COLUMNS = 9
ORDER = "123456789m 123456789p 123456789s 1234z . 67z 1234f 1234y"
ART = GameArt("tested", "some-package", "art/tiles.png", 270, (0, 0), CELL, (3, 2, 1, 4), 9, ORDER)


def listed(art: GameArt) -> list[str]:
    groups = [group for group in art.tiles.split() if group != "."]
    return [digit + group[-1] for group in groups for digit in group[:-1]]


def colour(place: int) -> tuple[int, int, int]:
    return 40 + 4 * place, 230 - 5 * place, 60 + (place % 7) * 25


def picture() -> np.ndarray:
    """A grid of cells in colours of their own, with dark edges."""
    rows = 5
    drawn = np.zeros((rows * CELL[1], COLUMNS * CELL[0], 3), np.uint8)
    for place in range(rows * COLUMNS):
        row, column = divmod(place, COLUMNS)
        cell = drawn[row * 40 : row * 40 + 40, column * 30 : column * 30 + 30]
        cell[2:36, 3:29] = colour(place)
    return drawn


def written(root: Path, drawn: np.ndarray, name: str = "tiles.png") -> None:
    (root / "art").mkdir(exist_ok=True)
    (root / "art" / name).write_bytes(cv2.imencode(".png", drawn)[1].tobytes())


@pytest.mark.parametrize("art", GAMES, ids=lambda art: art.name)
def test_every_set_has_all_tiles_once(art: GameArt) -> None:
    tiles = listed(art)
    assert len(set(tiles)) == len(tiles)
    assert set(TILES) - set(tiles) <= {"5z"}


def test_sets_to_measure_with_are_never_trained_on() -> None:
    assert len(GAME_DESIGNS) == len(GAMES)
    assert set(HELD_GAMES) < set(GAME_DESIGNS)
    assert set(HELD_GAMES) <= VAL_DESIGNS
    assert not (set(GAME_DESIGNS) - set(HELD_GAMES)) & VAL_DESIGNS


def test_each_face_is_cut_out_of_its_cell(tmp_path: Path) -> None:
    written(tmp_path, picture())
    design = read_game(ART, tmp_path)
    places = [place for place in range(42) if place != 31]
    assert design.proportion == pytest.approx(26 / 34, abs=0.01)
    for place, tile in zip(places, listed(ART), strict=True):
        assert np.abs(design.faces[tile].astype(int) - colour(place)).max() <= 1


def test_a_white_dragon_that_is_not_there_is_blank(tmp_path: Path) -> None:
    written(tmp_path, picture())
    design = read_game(ART, tmp_path)
    assert (design.faces["5z"] == design.body_bgr).all()
    assert (design.faces["blank"] == design.body_bgr).all()


def test_what_is_transparent_lies_on_paper(tmp_path: Path) -> None:
    clear = np.dstack([picture(), np.zeros((200, 270), np.uint8)])
    written(tmp_path, clear)
    assert read_game(ART, tmp_path).body_bgr == (236, 244, 247)


def test_drawings_are_rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, picture(), "rendered.png")
    tool = tmp_path / "rsvg-convert"
    tool.write_text(f'#!/bin/sh\ngrep -q "<svg" && cat "{tmp_path}/art/rendered.png"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    art = replace(ART, path="art/tiles.svgz")
    (tmp_path / art.path).write_bytes(gzip.compress(b"<svg/>"))
    assert np.abs(read_game(art, tmp_path).faces["1m"].astype(int) - colour(0)).max() <= 1
    (tmp_path / art.path).write_bytes(gzip.compress(b"no drawing"))
    with pytest.raises(DesignError, match=r"tested: .*tiles\.svgz cannot be read"):
        read_game(art, tmp_path)


def test_a_package_that_is_not_installed_is_named(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match=r"tiles\.png is not installed.*some-package"):
        read_game(ART, tmp_path)


@pytest.mark.parametrize("data", [b"", b"GIF89a broken"])
def test_a_damaged_picture_is_named(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / ART.path).write_bytes(data)
    with pytest.raises(DesignError, match=r"tested: .*tiles\.png"):
        read_game(ART, tmp_path)


def test_the_command_writes_designs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, picture())
    known = read_game(ART, tmp_path)
    monkeypatch.setattr(games, "read_game", lambda art: replace(known, name=art.name))
    done = CliRunner().invoke(games.main, ["--out", str(tmp_path / "designs")])
    assert done.exit_code == 0, done.output
    names = {load_design(path).name for path in (tmp_path / "designs").glob("*.npz")}
    assert names == {art.name for art in GAMES}


@pytest.mark.parametrize("split", ["train", "val"])
def test_the_command_writes_one_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, split: str
) -> None:
    written(tmp_path, picture())
    known = read_game(ART, tmp_path)
    monkeypatch.setattr(games, "read_game", lambda art: replace(known, name=art.name))
    done = CliRunner().invoke(games.main, ["--out", str(tmp_path / "designs"), "--split", split])
    assert done.exit_code == 0, done.output
    numbers = {int(path.stem) for path in (tmp_path / "designs").glob("*.npz")}
    held = set(HELD_GAMES)
    assert numbers == (held if split == "val" else set(GAME_DESIGNS) - held)


def test_the_command_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES", (ART,) * len(GAME_DESIGNS))
    done = CliRunner().invoke(games.main, ["--out", str(tmp_path)])
    assert done.exit_code == 1
    assert "sudo apt-get install some-package" in done.output
