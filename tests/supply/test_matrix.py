"""The lock names a version of each package for each system that Kongbox is for."""

from __future__ import annotations

import subprocess
import tomllib
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from packaging.requirements import Requirement

from supply import matrix
from supply.bill import ROOT, read_lock
from supply.matrix import LOCK, PYTHONS, SYSTEMS, System

LOCKED = read_lock(LOCK.read_text("utf-8"))
INTEL = next(system for system in SYSTEMS if "Intel" in system.name)


def versions(system: System, python: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for pinned in LOCKED:
        if system.wants(pinned, python):
            found.setdefault(pinned.name, []).append(pinned.version)
    return found


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_each_package_has_one_version(system: System, python: str) -> None:
    found = versions(system, python)
    assert {name: those for name, those in found.items() if len(those) > 1} == {}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [Requirement(line) for line in project["dependencies"]]
    assert {w.name for w in wanted if w.marker is None} <= set(found)
    assert {"win32", "darwin"}.isdisjoint({system.system}) or "psutil" in found


def test_intels_macs_get_the_last_versions_with_wheels_for_them() -> None:
    intel = versions(INTEL, "3.13")
    assert intel["onnxruntime"] == ["1.23.2"]
    assert intel["argon2-cffi-bindings"] == ["25.1.0"]
    assert "cryptography" not in intel
    for system in SYSTEMS:
        if system is not INTEL:
            assert versions(system, "3.13")["onnxruntime"] > ["1.24"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Answers as the package index would, without any wheel for Python 3.14; what was asked."""
    found = []

    def run(command: list[str], **_more: Any) -> SimpleNamespace:
        value = dict(pairwise(command))
        found.append((value["--python-platform"], value["--python-version"]))
        no = value["--python-version"] == "3.14"
        return SimpleNamespace(returncode=int(no), stderr="no wheel of numpy" if no else "")

    monkeypatch.setattr(subprocess, "run", run)
    return found


def test_what_lacks_a_wheel_is_told_where_all_were_promised(
    asked: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert matrix.main() == 1
    told = capsys.readouterr().out
    assert set(asked) == {(s.platform, python) for s in SYSTEMS for python in PYTHONS}
    assert "Windows, Python 3.14: no wheel of numpy" in told
    assert "Intel, Python 3.14" not in told
    assert told.count("lacking") == len(SYSTEMS)


def test_where_nothing_is_lacking_the_wheels_are_counted(
    asked: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(matrix, "PYTHONS", ("3.11",))
    monkeypatch.setattr(System, "promised", lambda *_: True)
    assert matrix.main() == 0
    told = capsys.readouterr().out
    assert f"{sum(INTEL.wants(p, '3.11') for p in LOCKED)} wheels" in told
    assert len(asked) == len(SYSTEMS)
