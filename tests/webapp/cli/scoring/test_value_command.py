"""What one hand is worth, from its tiles or a photo, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorer import score_hand
from tests.webapp.cli.test_main import run

HAND = "22m333m444p555s666s"


def test_a_hand_that_went_out_is_told_line_by_line() -> None:
    done = run("value", HAND, "--win", "2m", "--source", "wall", "--ruleset", "bmja-u3a")
    assert done.exit_code == 0
    total = score_hand(HAND, win="2m", ruleset="bmja-u3a").total
    assert f"South: {total}" in done.stdout
    assert "Going Mah Jong" in done.stdout


def test_without_the_winning_tile_the_range_is_told() -> None:
    done = run("value", HAND, "--ruleset", "bmja-u3a", "--json")
    known = json.loads(done.stdout)
    assert known["least"] < known["most"]
    assert known["result"] is None
    exact = run("value", HAND, "--win", "2m", "--source", "wall", "--ruleset", "bmja-u3a", "--json")
    assert known["least"] <= json.loads(exact.stdout)["result"]["total"] <= known["most"]
    assert (
        f"Complete: {known['least']} to {known['most']}."
        in run("value", HAND, "--ruleset", "bmja-u3a").stdout
    )


def test_a_hand_that_did_not_go_out_has_its_points_and_the_winds_count() -> None:
    own = run("value", "111z123m456p789s5s", "--wind", "E", "--round", "E", "--json")
    other = run("value", "111z123m456p789s5s", "--wind", "S", "--round", "S", "--json")
    assert json.loads(own.stdout)["most"] > json.loads(other.stdout)["most"]


@pytest.mark.parametrize(("given", "told"), [
    (["no hand"], "hand"),
    (["nothing.jpg"], "nothing.jpg"),
    ([HAND, "--win", "x"], "win"),
    ([HAND, "--win", "9m"], "nine characters"),
    ([HAND, "--set", "odd"], "odd"),
])  # fmt: skip
def test_what_cannot_be_valued_is_refused_in_words(given: list[str], told: str) -> None:
    done = run("value", *given)
    assert done.exit_code in (1, 2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_photo_is_read_and_valued(shipped_photo: Path) -> None:
    done = run("value", str(shipped_photo), "--wind", "S", "--round", "E")
    assert done.exit_code == 0, done.stderr
    assert "tiles in" in done.stderr, "what was read can be checked"
    assert "South: " in done.stdout or "Complete: " in done.stdout


@pytest.fixture
def shipped_photo() -> Path:
    """South's hand of the demo deal, as it is shipped with the page."""
    folder = Path(__file__).parents[4] / "webapp"
    listed = json.loads((folder / "samples.json").read_text("utf-8"))["photos"]
    return folder / "static" / str(next(p["photo"] for p in listed if p["seat"] == "S"))
