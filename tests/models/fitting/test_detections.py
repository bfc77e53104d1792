"""The weights that decide whether detections are tiles can be found again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.evaluation.examples import Example, dealt
from models.fitting import verifier
from models.fitting.detections import FIRST, Judged, fit
from tests.models.fitting.command import printed_by

WEIGHTS = np.array([0.8, -1.5, 0.6, -2.0, 1.3])
SAMPLES = Path(__file__).parents[3] / "datasets" / "samples"


def test_the_weights_that_made_the_data_are_found_again() -> None:
    rng = np.random.default_rng(3)
    told = rng.normal(size=(20_000, len(WEIGHTS))) * np.array([2, 0.3, 1, 0.4, 0])
    told[:, -1] = 1
    true = rng.random(len(told)) < 1 / (1 + np.exp(-told @ WEIGHTS))
    assert np.abs(fit(Judged(told, true)) - WEIGHTS).max() < 0.25


@pytest.fixture(scope="module")
def pictures() -> list[Example]:
    """The photos of the first deal that is fitted on."""
    return list(dealt(SAMPLES, 1, FIRST))


@pytest.fixture(autouse=True)
def drawn_once(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    def kept(designs: Path, count: int, first: int) -> list[Example]:
        assert (designs, count, first) == (SAMPLES, 1, FIRST)
        pictures: list[Example] = request.getfixturevalue("pictures")
        return pictures

    monkeypatch.setattr("models.fitting.detections.dealt", kept)


def told_by(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """What the command prints of a few pictures."""
    return printed_by(monkeypatch, capsys, name, "--designs", str(SAMPLES), "--count", "1")


def test_the_verifiers_weights_are_told_for_each_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = iter(told_by("verifier", monkeypatch, capsys))
    of_verifier = ("detector", "verifier", "constant")
    for table, names in (("tile", of_verifier), ("face_down", of_verifier)):
        assert next(told) == f"[{table}]"
        weights = [next(told).split(" = ") for _ in names]
        assert [name for name, _ in weights] == list(names)
        assert all(np.isfinite(float(weight)) for _, weight in weights)
    for question in verifier.QUESTIONS:
        asked, worth = next(told).split(": ")
        assert asked == question
        assert int(worth.split()[0]) > (20 if question == "a tile" else 0)
    assert next(told, None) is None
