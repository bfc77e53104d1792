"""A fit writes what it found, and that is what is read afterwards."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser, Namespace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from models.fitting import __main__ as command
from models.fitting.__main__ import FITS, write
from models.fitting.likeliest import Fitted, rounded
from models.nets.registration import FOLDER, register
from tests.models.fitting.command import printed_by
from tests.optional import needed
from vision.classify.bonus_marks import BirdWeights, MarkWeights
from vision.errors import ModelError
from vision.runtime.registry import read_registry
from vision.runtime.weights import read_tables
from vision.tilesets.fusion import ProfileWeights

MARKS, BIRDS = MarkWeights(0.5, -1.25, 12.0), BirdWeights(0.43, 0.8, -1.5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of what is shipped, the networks apart, as version 1.0.0."""
    for name in ("registry.toml", "weights.toml"):
        shutil.copy(FOLDER / name, tmp_path)
    register("weights", tmp_path / "weights.toml", "1.0.0")
    return tmp_path


def test_what_is_written_is_read_back(folder: Path) -> None:
    before = (folder / "weights.toml").read_text().splitlines()
    version = write([MARKS, BIRDS], folder)
    tables = read_tables(folder)
    assert MarkWeights.read_from(tables) == MARKS
    assert BirdWeights.read_from(tables) == BIRDS
    assert ProfileWeights.read_from(tables) == ProfileWeights.shipped()
    assert tables["version"] == version == read_registry(folder)["weights"].version == "1.1.0"
    after = (folder / "weights.toml").read_text().splitlines()
    changed = [line for line, old in zip(after, before, strict=True) if line != old]
    assert len(changed) == 1 + 3 + 3
    assert not any(line.startswith("#") for line in changed)


def test_the_networks_stay_registered_as_they_are(folder: Path) -> None:
    before = read_registry(folder)
    write([BIRDS], folder)
    after = read_registry(folder)
    assert {name for name in before if before[name] != after[name]} == {"weights"}


def test_writing_the_same_numbers_changes_nothing_but_the_version(folder: Path) -> None:
    before = read_tables(folder)
    write([ProfileWeights.shipped()], folder)
    assert {**read_tables(folder), "version": before["version"]} == before


def test_a_number_without_a_place_is_told(folder: Path) -> None:
    file = folder / "weights.toml"
    file.write_text(file.read_text().replace("[flower_or_bird]", "[birds]"))
    text = file.read_text()
    with pytest.raises(ModelError, match="no place for several of flower_or_bird, one of"):
        write([BIRDS], folder)
    assert file.read_text() == text


@pytest.mark.parametrize("option", [(), ("--write",)])
def test_the_command_writes_only_when_it_is_told_to(
    option: tuple[str, ...],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def add_arguments(parser: ArgumentParser) -> None:
        parser.add_argument("--scenes", type=int)

    def run(options: Namespace) -> Fitted:
        assert options.scenes == 4
        return Fitted([BIRDS], ["as good as any"])

    fit = SimpleNamespace(__doc__="A fit.", add_arguments=add_arguments, run=run)
    monkeypatch.setattr(command, "import_module", {"models.fitting.birds": fit}.__getitem__)
    monkeypatch.setattr(command, "write", lambda found: write(found, folder))
    lines = printed_by(monkeypatch, capsys, "birds", "--scenes", "4", *option)
    said = ["[flower_or_bird]", "several = 0.43", "one = 0.8", "illegible = -1.5"]
    said.append("as good as any")
    assert lines == [*said, *(["written as version 1.1.0"] if option else [])]
    written = BirdWeights.read_from(read_tables(folder))
    assert written == (BIRDS if option else BirdWeights.shipped())


def test_an_unknown_fit_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        printed_by(monkeypatch, capsys, "mahjong")
    assert "invalid choice: 'mahjong'" in capsys.readouterr().err


@pytest.mark.torch
@pytest.mark.parametrize("name", FITS)
def test_every_fit_says_what_it_needs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason=needed("torch"))
    with pytest.raises(SystemExit, match="0"):
        printed_by(monkeypatch, capsys, name, "--help")
    said = capsys.readouterr().out
    assert "--designs" in said
    assert "--write" in said


def test_fitted_numbers_are_kept_to_two_digits() -> None:
    found = rounded(MarkWeights, np.array([0.341, 1.026, -0.004]))
    assert found == MarkWeights(0.34, 1.03, -0.0)
