"""The audit finds what has a known hole, in the lock and in what is allowed, and asks nobody."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

from supply.audit import KNOWN_HOLES, OLD_DAYS, Use, audit, floors, found, read_holes
from supply.bill import ROOT

LISTED: dict[str, Any] = {
    "looked_up": "2026-11-01",
    "vulns": [
        {
            "id": "GHSA-1",
            "summary": "it leaks",
            "affected": [
                {
                    "package": {"ecosystem": "PyPI", "name": "Flask"},
                    "ranges": [{"type": "ECOSYSTEM", "events": [
                        {"introduced": "2.0"}, {"fixed": "99.0"},
                    ]}],
                }
            ],
        }
    ],
}  # fmt: skip
DAY = date(2026, 11, 2)


def listed_in(folder: Path) -> Path:
    path = folder / "holes.json"
    path.write_text(json.dumps(LISTED))
    return path


@pytest.mark.parametrize(
    ("version", "has_it"), [("1.9", False), ("2.0", True), ("98.9", True), ("99.0", False)]
)
def test_a_hole_reaches_from_where_it_came_in_to_where_it_was_closed(
    version: str, *, has_it: bool
) -> None:
    lines = found([Use("flask", Version(version), "a file")], read_holes(LISTED))
    assert bool(lines) == has_it


def test_what_is_locked_and_what_is_allowed_are_looked_at(tmp_path: Path) -> None:
    clean, lines = audit(listed_in(tmp_path), DAY)
    assert not clean
    places = [line.partition(":")[0] for line in lines if "GHSA-1 (it leaks)" in line]
    assert {"requirements/runtime.txt", "requirements/dev.txt", "pyproject.toml"} <= set(places)
    assert all("Take 99.0 or a later one." in line for line in lines if "GHSA-1" in line)


def test_what_has_no_least_version_may_be_any() -> None:
    project = {
        "build-system": {"requires": ["setuptools"]},
        "project": {"dependencies": ["Flask_WTF>=1.2"], "optional-dependencies": {"a": ["b==3"]}},
    }
    told = {use.package: str(use.version) for use in floors(project)}
    assert told == {"setuptools": "0", "flask-wtf": "1.2", "b": "3"}


def test_a_missing_file_skips_the_audit_aloud(tmp_path: Path) -> None:
    clean, lines = audit(tmp_path / "none.json", DAY)
    assert clean
    assert lines == ["THE AUDIT IS SKIPPED: none.json is not there."]


def test_an_old_file_is_called_old() -> None:
    looked_up = date.fromisoformat(json.loads(KNOWN_HOLES.read_text("utf-8"))["looked_up"])
    assert not any("days old" in line for line in audit(KNOWN_HOLES, looked_up)[1])
    later = looked_up + timedelta(days=OLD_DAYS + 1)
    assert any("61 days old" in line for line in audit(KNOWN_HOLES, later)[1])


def test_nothing_of_ours_has_a_known_hole() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "supply.audit"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "none applies" in done.stdout


def test_each_advisory_that_the_project_names_is_in_the_file() -> None:
    """A floor in pyproject.toml that an advisory is the reason for keeps its reason."""
    ids = {
        name
        for entry in json.loads(KNOWN_HOLES.read_text("utf-8"))["vulns"]
        for name in (entry["id"], *entry.get("aliases", []))
    }
    comments = [
        line.partition("#")[2].replace(",", " ").split()
        for line in (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
        if "GHSA-" in line or "CVE-" in line
    ]
    named = {word for words in comments for word in words if word.startswith(("GHSA-", "CVE-"))}
    assert len(named) > 10
    assert named <= ids
