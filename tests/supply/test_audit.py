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

from supply.audit import (
    KNOWN_HOLES,
    OLD_DAYS,
    Use,
    audit,
    floors,
    found,
    not_decided,
    read_holes,
)
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


def advisory(*ranges: Any, name: str = "Flask", **more: Any) -> dict[str, Any]:
    """An advisory in the form of OSV about one package."""
    listed = [{"type": "ECOSYSTEM", "events": each} for each in ranges]
    affected = {"package": {"ecosystem": "PyPI", "name": name}, "ranges": listed}
    affected |= {key: more.pop(key) for key in ("versions", "ranges") if key in more}
    return {"id": "GHSA-2", "summary": "it leaks", "affected": [affected], **more}


def told(entry: dict[str, Any], version: str, package: str = "flask") -> str:
    """What the audit says of one version: nothing where it has not the hole."""
    use = Use(package, Version(version), "a file")
    return "".join(found([use], read_holes({"vulns": [entry]})))


TWO_SPANS = [{"introduced": "0"}, {"fixed": "1.2"}, {"introduced": "2.0"}, {"fixed": "2.1"}]
GIT = {"type": "GIT", "repo": "https://git.example.org/flask", "events": [{"introduced": "0"}]}


@pytest.mark.parametrize(
    ("entry", "have_it", "have_it_not"),
    [
        pytest.param(advisory([{"introduced": "2.0"}]), "2.0 99", "1.9", id="never fixed"),
        pytest.param(
            advisory([{"introduced": "0"}, {"last_affected": "2.3"}]),
            "0.0a1 1.0 2.3 2.3+cpu", "2.3.1 2.3.post1", id="last affected",
        ),
        pytest.param(
            advisory([{"introduced": "1.0"}, {"last_affected": "1.0"}]),
            "1.0", "0.9 1.0.1", id="one version alone",
        ),
        pytest.param(
            advisory(TWO_SPANS),
            "1.0 1.1.9 2.0", "1.2 1.9 2.1", id="two spans in a range",
        ),
        pytest.param(
            advisory(TWO_SPANS[::-1]),
            "1.0 2.0.1", "1.2 2.1", id="events in any order",
        ),
        pytest.param(
            advisory(
                [{"introduced": "0"}, {"fixed": "1.2"}],
                [{"introduced": "3.0"}, {"fixed": "3.1"}],
            ),
            "1.0 3.0", "1.2 2.0 3.1", id="several ranges",
        ),
        pytest.param(
            advisory([{"introduced": "0"}, {"fixed": "1.10"}]), "1.9 1.10rc1", "1.10 1.11",
            id="versions, not texts",
        ),
        pytest.param(advisory(versions=["1.0", "1.1.0", "1!2.0"]), "1.0 1.1 1!2.0", "1.2 2.0",
            id="listed versions alone",
        ),
        pytest.param(
            advisory(versions=["not-a-version", "1.0"]), "1.0", "1.1", id="a version of no index"
        ),
        pytest.param(
            advisory(ranges=[GIT], versions=["1.0"]), "1.0", "1.1", id="commits and versions"
        ),
        pytest.param(
            advisory(ranges=[{**GIT, "events": [{"introduced": "0"}, {"fixed": "ab12"}]}]),
            "", "0.1 1.0", id="commits alone",
        ),
        pytest.param(
            advisory([{"introduced": "0"}, {"fixed": "1.2"}], withdrawn="2026-01-01T00:00:00Z"),
            "", "1.0", id="withdrawn",
        ),
        pytest.param(
            {
                "id": "PYSEC-2026-1",
                "details": "It leaks.\nIn two places.",
                "affected": [
                    {
                        "package": {"ecosystem": "PyPI", "name": "flask", "purl": "pkg:pypi/flask"},
                        "ranges": [GIT, {"type": "ECOSYSTEM", "events": [
                            {"introduced": "0"}, {"fixed": "1.2"},
                        ]}],
                        "versions": ["0.9", "1.0", "1.1.dev3"],
                    }
                ],
            },
            "0.1 1.0 1.1.dev3", "1.2", id="as PYSEC writes it",
        ),
    ],
)  # fmt: skip
def test_advisories_are_read_as_they_are_published(
    entry: dict[str, Any], have_it: str, have_it_not: str
) -> None:
    assert [version for version in have_it.split() if not told(entry, version)] == []
    assert [version for version in have_it_not.split() if told(entry, version)] == []


@pytest.mark.parametrize(
    ("entry", "version", "advice"),
    [
        (advisory([{"introduced": "0"}]), "1.0", "No version without it is told"),
        (advisory([{"introduced": "0"}, {"last_affected": "1.0"}]), "1.0", "No version without it"),
        (
            advisory([{"introduced": "0"}, {"fixed": "1.2"}, {"introduced": "2"}]),
            "1.0",
            "Take 1.2 ",
        ),
        (
            advisory([{"introduced": "0"}, {"fixed": "1.2"}, {"introduced": "2"}]),
            "2.0",
            "No version",
        ),
        (
            advisory(
                [{"introduced": "0"}, {"fixed": "1.2"}], [{"introduced": "1"}, {"fixed": "3"}]
            ),
            "1.1",
            "Take 3 ",
        ),
    ],
)
def test_the_advice_names_no_version_that_has_the_hole(
    entry: dict[str, Any], version: str, advice: str
) -> None:
    assert advice in told(entry, version)


def test_a_name_is_the_same_in_any_spelling() -> None:
    entry = advisory([{"introduced": "0"}], name="Ruamel.Yaml_CLib")
    assert told(entry, "1.0", "ruamel-yaml-clib")
    other = advisory([{"introduced": "0"}])
    other["affected"][0]["package"]["ecosystem"] = "npm"
    assert not told(other, "1.0")


def test_an_advisory_without_a_summary_is_told_by_its_first_line() -> None:
    entry = advisory([{"introduced": "0"}])
    entry["summary"], entry["details"] = "", "\nIt leaks a lot.\nIn two places."
    assert "has GHSA-2 (It leaks a lot.)" in told(entry, "1.0")
    assert "has GHSA-2 (no summary)" in told(entry | {"details": ""}, "1.0")


@pytest.mark.parametrize(
    "entry",
    [
        advisory(ranges=[GIT]),
        advisory([{"introduced": "0"}, {"fixed": "release-of-may"}]),
        advisory(versions=["release-of-may"]),
        advisory(),
    ],
)
def test_what_names_no_version_is_counted_and_told(tmp_path: Path, entry: dict[str, Any]) -> None:
    holes = read_holes({"vulns": [entry]})
    assert (holes.known, holes.unreadable) == ((), (("GHSA-2", "flask"),))
    use = Use("flask", Version("1.0"), "a file")
    line = "GHSA-2 is about flask and names no version: read it."
    assert not_decided([use, use], holes) == [line]
    assert not_decided([Use("other", Version("1.0"), "a file")], holes) == []
    path = tmp_path / "holes.json"
    nothing = {"id": "GHSA-3", "summary": "about nothing"}
    path.write_text(json.dumps({"looked_up": "2026-11-01", "vulns": [entry, nothing]}))
    clean, lines = audit(path, DAY)
    assert clean
    assert line in lines
    assert "0 known holes as of 2026-11-01, 2 that name no version: none applies." in lines[-1]


def test_locked_packages_without_an_entry_are_counted(tmp_path: Path) -> None:
    counts = []
    withdrawn = advisory([{"introduced": "0"}], name="click", withdrawn="2026-01-01T00:00:00Z")
    for entries in ([], [advisory(versions=["0.1"])], [advisory(versions=["0.1"]), withdrawn]):
        path = tmp_path / "holes.json"
        path.write_text(json.dumps({"looked_up": "2026-11-01", "vulns": entries}))
        *_, line, _ = audit(path, DAY)[1]
        without, _of, every, *words = line.split()
        assert " ".join(words) == "locked packages have no entry in it."
        counts.append(int(every) - int(without))
    assert counts == [0, 1, 1]


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
