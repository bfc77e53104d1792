"""The folders of several clubs that one program serves stay apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer import DealError
from scorer.rules.folder import FOLDER_VARIABLE
from scorer.rules.rulebook import forget_files, load_ruleset, ruleset_ids
from vision.tilesets.folder import profiles_folder
from webapp.photos.workers import WorkerProcesses
from webapp.rulesets.files import forget
from webapp.rulesets.shown import rulesets
from webapp.runtime.data_folder import club_folder, data_folder, in_folder
from webapp.runtime.data_folder import club_folder as where_am_i

OWN = 'id = "ours"\nname = "{name}"\ndescription = "-"\nbase = "bmja-u3a"\n'


def clubs(tmp_path: Path) -> tuple[Path, Path]:
    """The folders of two clubs, the first of which has a ruleset of its own."""
    forget()
    (tmp_path / "a" / "rulesets").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "rulesets" / "ours.toml").write_text(OWN.format(name="Of A"), "utf-8")
    return tmp_path / "a", tmp_path / "b"


def test_each_club_has_its_own_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    one, other = clubs(tmp_path)
    with in_folder(one):
        assert "ours" in ruleset_ids()
        assert "ours" in [info.id for info in rulesets()]
        assert load_ruleset("ours").name == "Of A"
    with in_folder(other):
        assert "ours" not in ruleset_ids()
        assert "ours" not in [info.id for info in rulesets()]
        with pytest.raises(DealError):
            load_ruleset("ours")
    assert "ours" not in ruleset_ids()
    forget_files()


def test_each_club_has_its_own_files(tmp_path: Path) -> None:
    one, other = tmp_path / "a", tmp_path / "b"
    before = data_folder(), profiles_folder()
    for folder in (one, other):
        with in_folder(folder):
            assert data_folder() == club_folder() == folder
            assert profiles_folder() == folder / "sets"
    assert (data_folder(), profiles_folder()) == before
    assert club_folder() is None


def test_photos_are_read_for_the_club_that_sent_them(tmp_path: Path) -> None:
    workshop = WorkerProcesses(places=1)
    try:
        with in_folder(tmp_path):
            told = workshop.work(where_am_i)
    finally:
        workshop.close()
    assert told == tmp_path
