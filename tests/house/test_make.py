"""What the documents tell people to type exists, and make says what is missing."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from supply.bill import read_lock
from vision.runtime.opencv import SYSTEM_PACKAGES
from webapp.cli.main import main

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("README.md", "CONTRIBUTING.md")

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def code_of(document: str) -> str:
    """Everything that the document sets as code."""
    text = (ROOT / document).read_text("utf-8")
    return "\n".join(
        re.findall(r"```sh\n(.*?)```", text, re.DOTALL) + re.findall(r"`([^`\n]+)`", text)
    )


def targets() -> set[str]:
    return set(
        re.findall(r"^([a-z][a-z0-9-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    )


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_make_command_exists(document: str) -> None:
    named = set(re.findall(r"^make ([a-z-]+)", code_of(document), re.MULTILINE))
    assert {"test"} <= named <= targets()


def test_the_two_commands_come_first() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert re.findall(r"^make ([a-z-]+)", readme, re.MULTILINE)[:2] == ["run", "test"]


def test_the_readme_is_read_in_a_few_minutes() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 120


def test_every_kongbox_command_exists() -> None:
    code = "\n".join(map(code_of, ("docs/COMMANDS.md", "docs/CLUB.md")))
    named = set(re.findall(r"^\.venv/bin/kongbox ([a-z]+)", code, re.MULTILINE))
    assert named == set(main.commands)


def test_help_tells_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    told = set(re.findall(r'"make ([a-z0-9-]+) ', makefile))
    assert told == targets() - {"help"}


def interpreter(folder: Path, script: str) -> Path:
    """A stand-in for Python that answers as the script says."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def make_run(folder: Path, python: str) -> subprocess.CompletedProcess[str]:
    """``make run`` in an empty folder, with that interpreter."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    return subprocess.run(
        ["make", "-f", str(ROOT / "Makefile"), "run", f"PYTHON={python}"],
        cwd=folder,
        env=clean,
        capture_output=True,
        text=True,
        check=False,
    )


@needs_make
def test_a_missing_python_is_told(tmp_path: Path) -> None:
    done = make_run(tmp_path, "no-such-python")
    assert done.returncode != 0
    assert "no-such-python was not found" in done.stderr
    assert "sudo apt-get install python3 python3-venv" in done.stderr


@needs_make
def test_an_old_python_is_told(tmp_path: Path) -> None:
    script = 'case "$1" in --version) echo Python 3.9.2;; *) exit 1;; esac'
    done = make_run(tmp_path, str(interpreter(tmp_path, script)))
    assert done.returncode != 0
    assert "needs Python 3.11 or newer; this is Python 3.9.2" in done.stderr


@needs_make
def test_a_missing_venv_module_is_told(tmp_path: Path) -> None:
    script = 'case "$2" in *ensurepip*) exit 1;; esac'
    done = make_run(tmp_path, str(interpreter(tmp_path, script)))
    assert done.returncode != 0
    assert "sudo apt-get install python3-venv" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_all_name_the_same_system_packages() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert f"SYSTEM_PACKAGES := {' '.join(SYSTEM_PACKAGES)}\n" in makefile
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    assert all(f" {package}\n" in ci for package in SYSTEM_PACKAGES)


def test_what_is_locked_is_exact_has_hashes_and_names_no_host() -> None:
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        text = path.read_text("utf-8")
        assert read_lock(text)
        assert not re.search(r"https?://|file:/|--(?!hash=sha256:)", text), path.name


def test_everything_that_is_installed_from_the_lock_is_held_against_its_hashes() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "LOCKED := $(INSTALL) --require-hashes --only-binary :all:\n" in makefile
    installs = re.findall(r"^\t@?(.*-r .*)$", makefile, re.MULTILINE)
    assert len(installs) >= 5
    assert [line for line in installs if "$(LOCKED)" not in line] == []


@needs_make
def test_a_file_with_another_hash_is_not_installed(tmp_path: Path) -> None:
    pin = f"pip==99.0 --hash=sha256:{'0' * 64}\n"
    (tmp_path / "requirements.txt").write_text(pin)
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    with ZipFile(shelf / "pip-99.0-py3-none-any.whl", "w") as packed:
        packed.writestr("pip-99.0.dist-info/METADATA", "Name: pip\nVersion: 99.0\n")
    printed = subprocess.run(
        ["make", "-pn", "-f", str(ROOT / "Makefile"), "help"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    locked = re.search(r"^LOCKED := .*install (.*)$", printed.stdout, re.MULTILINE)
    assert locked
    offline = ["--no-index", "--find-links", str(shelf), "--target", str(tmp_path / "into")]
    options = [*locked[1].split(), *offline, "-r", "requirements.txt"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr
