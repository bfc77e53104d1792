from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from datasets.scenes.set_photos import set_photo
from datasets.scenes.tables import hand_scene
from datasets.sets.faces import load_designs
from scorer.tiles import BONUS_TILES, DRAGONS
from vision.runtime.opencv import cv2
from vision.tilesets.folder import FOLDER_VARIABLE
from vision.tilesets.profile_file import load_profile
from webapp.cli.main import main

SAMPLES = Path(__file__).parents[4] / "datasets" / "samples"


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a photo of a whole set, one of its pictured tiles, and one of a hand."""
    folder = tmp_path_factory.mktemp("photos")
    (faces,) = load_designs([SAMPLES / "0900.npz"])
    rng = np.random.default_rng
    pictured = (*DRAGONS, *BONUS_TILES)
    scenes = {
        "whole": set_photo(rng(5), faces),
        "pictured": set_photo(rng(6), faces, labels=pictured),
        "hand": hand_scene(rng(7), faces, (1200, 1600)),
    }
    for name, scene in scenes.items():
        cv2.imwrite(str(folder / f"{name}.jpg"), scene.image)
    return folder


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "sets"))


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(main, list(arguments), input=given)


def test_a_set_is_learnt_listed_shown_used_and_forgotten(photos: Path, tmp_path: Path) -> None:
    assert "No sets yet" in run("sets", "list").stdout
    added = run("sets", "add", "Club", str(photos / "whole.jpg"), "--yes", "--copies", "1f=0")
    assert added.exit_code == 0, added.output
    assert "42 of 42 faces, 42 pictures" in added.stdout
    more = run("sets", "add", "Club", str(photos / "pictured.jpg"), "--yes")
    assert more.exit_code == 0, more.output
    assert "53 pictures" in more.stdout
    (listed,) = map(json.loads, run("sets", "list", "--json").stdout.splitlines())
    assert listed["shots"]["7z"] == 2
    assert listed["copies"] == {"1f": 0}
    sheet = tmp_path / "sheet.png"
    shown = run("sets", "show", "Club", "--sheet", str(sheet))
    assert "2 x Red dragon" in shown.stdout
    assert "the set has 0 of plum flower (1)" in shown.stdout
    assert cv2.imread(str(sheet)) is not None
    read = run("read", str(photos / "hand.jpg"), "--set", "Club", "--json")
    assert read.exit_code == 0
    assert json.loads(read.stdout)["tiles"]
    assert "Club is forgotten" in run("sets", "remove", "Club").stdout
    assert run("sets", "list", "--json").stdout == ""


def test_people_are_asked_about_doubtful_tiles_and_believed(
    photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.tilesets.teaching.DOUBTFUL", 1e9)
    monkeypatch.setattr("vision.tilesets.teaching.MOST_ASKED", 2)
    asked = run("sets", "add", "Club", str(photos / "pictured.jpg"), given="9x\nother\n-\n")
    assert asked.exit_code == 0, asked.output
    assert "2 of them are not clear" in asked.stdout
    assert "'9x' is not one of" in asked.output
    counts = load_profile("Club").shot_counts()
    assert counts["other"] == 1
    assert counts.total() == 10
    path = Path(asked.stdout.split("they are shown in ")[1].splitlines()[0])
    assert cv2.imread(str(path)) is not None


def test_whether_the_white_dragon_is_blank_can_be_said(photos: Path) -> None:
    photo = str(photos / "pictured.jpg")
    run("sets", "add", "Club", photo, "--yes", "--white-dragon", "blank")
    assert load_profile("Club").blank_white
    run("sets", "add", "Club", photo, "--yes", "--white-dragon", "marked")
    assert not load_profile("Club").blank_white


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["add", "../x", "{photo}", "--yes"], "cannot be called"),
        (["add", "Club", "nowhere.jpg"], "cannot be opened"),
        (["add", "Club", "{text}"], "a text file"),
        (["add", "Club", "{photo}", "--copies", "1f"], "TILE=N"),
        (["add", "Club", "{photo}", "--yes", "--copies", "1f=99"], "cannot have 99"),
        (["show", "Nobody's"], 'no set profile "Nobody'),
        (["remove", "Nobodys"], "no set profile 'Nobodys'"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(
    arguments: list[str], words: str, photos: Path
) -> None:
    (photos / "text.jpg").write_text("no photo")
    places = {"photo": str(photos / "pictured.jpg"), "text": str(photos / "text.jpg")}
    done = run("sets", *(argument.format(**places) for argument in arguments))
    assert done.exit_code in (1, 2)
    assert words in done.stderr
    assert run("sets", "list", "--json").stdout == ""


def test_a_set_that_is_not_known_is_told_before_anything_is_read(photos: Path) -> None:
    done = run("read", str(photos / "hand.jpg"), "--set", "Club")
    assert done.exit_code == 1
    assert "no set profile 'Club'; known are: none" in done.stderr


def test_a_damaged_profile_does_not_hide_the_others(tmp_path: Path, photos: Path) -> None:
    run("sets", "add", "Club", str(photos / "pictured.jpg"), "--yes")
    (tmp_path / "sets" / "Bad.kongset").write_text("{}")
    listed = run("sets", "list")
    assert "Club: 11 of 42 faces" in listed.stdout
    assert "Bad.kongset is not a set profile" in listed.stderr


def test_a_folder_is_read_in_order_several_at_a_time(photos: Path, tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    folder.mkdir()
    hand = (photos / "hand.jpg").read_bytes()
    (folder / "b.jpg").write_bytes(hand)
    (folder / "a.JPG").write_bytes(hand)
    (folder / "c.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(40))
    (folder / "notes.txt").write_text("not a photo")
    done = run("read", str(folder), str(photos / "hand.jpg"), "--jobs", "2", "--json")
    assert done.exit_code == 2
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [Path(result["photo"]).name for result in results] == [
        "a.JPG", "b.jpg", "c.heic", "hand.jpg"
    ]  # fmt: skip
    assert "HEIC" in results[2]["error"]
    assert results[0]["tiles"] == results[1]["tiles"] == results[3]["tiles"]
    assert "photo/s" not in done.stderr


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    done = run("read", str(tmp_path))
    assert done.exit_code == 1
    assert "holds no photos" in done.stderr
