"""``kongbox read --together`` with the shipped models."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from vision.photo.decode import decode_photo
from vision.runtime.opencv import cv2
from webapp.cli.main import main

SAMPLES = Path(__file__).parents[3] / "webapp" / "static" / "samples"


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """East's sample photo in two parts, each of which cuts some tiles off."""
    folder = tmp_path_factory.mktemp("halves")
    image = decode_photo((SAMPLES / "east.jpg").read_bytes())
    width = image.shape[1]
    names = []
    for name, part in (
        ("left.jpg", image[:, : int(0.68 * width)]),
        ("right.jpg", image[:, int(0.3 * width) :]),
    ):
        cv2.imwrite(str(folder / name), part)
        names.append(str(folder / name))
    return names


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["read", "--together", *arguments])


def test_photos_that_cut_tiles_off_show_the_whole_hand_together(halves: list[str]) -> None:
    whole = json.loads(CliRunner().invoke(main, ["read", "--json", f"{SAMPLES}/east.jpg"]).stdout)
    result = run(*halves, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["photos"] == halves
    assert found["hands"] == whole["hands"]
    alone = {tuple(tile["seen"]) for tile in found["tiles"]}
    assert {(0,), (0, 1), (1,)} <= alone
    for tile, true in zip(found["tiles"], whole["tiles"], strict=True):
        away = np.mean(tile["quad"], axis=0) - np.mean(true["quad"], axis=0)
        assert np.linalg.norm(away) < 0.4 * np.linalg.norm(np.subtract(*true["quad"][:2]))
    text = run(*halves)
    assert "14 tiles in 2 rows" in text.stdout


def test_photos_of_other_hands_are_refused(halves: list[str]) -> None:
    result = run(halves[0], str(SAMPLES / "north.jpg"), "--json")
    assert result.exit_code == 2
    assert "Photo 2 of 2 does not seem to show the same tiles" in result.stderr
    assert "same tiles" in json.loads(result.stdout)["error"]


def test_a_photo_that_is_not_there_is_told(halves: list[str]) -> None:
    result = run(halves[0], "nothing.jpg")
    assert result.exit_code == 2
    assert "cannot be opened" in result.stderr
