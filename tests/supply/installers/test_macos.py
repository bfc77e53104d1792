"""The app for Macs: programs stay programs in its ZIP file, and its scripts do what they say.

The scripts run under ``sh`` with stand-ins for ``open``, ``uv`` and Python.
"""

from __future__ import annotations

import os
import plistlib
import shutil
import subprocess
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from supply.installers.macos import build, lay_scripts
from supply.installers.parts import LIST
from supply.installers.targets import MAC

needs_sh = pytest.mark.skipif(shutil.which("sh") is None, reason="there is no sh")

OPEN = '#!/bin/sh\n[ "$1 $2" = "-a Terminal" ] && exec sh "$3"\n'
UV = """#!/bin/sh
echo "uv $1 $2" >> "$HOME/calls"
case "$1" in
    python)
        mkdir -p "$UV_PYTHON_INSTALL_DIR/$3/bin" && [ ! -f "$HOME/offline" ] || exit 1
        cp "$HOME/python3" "$UV_PYTHON_INSTALL_DIR/$3/bin/python3" ;;
    pip) [ ! -f "$HOME/full" ] ;;
esac
"""
PYTHON = '#!/bin/sh\necho "Python $*"\n'


def program(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    """The app, with stand-ins for what is fetched."""
    folder = tmp_path / "stage"
    lay_scripts(MAC, folder, "0.1.0")
    resources = folder / "Kongbox.app" / "Contents" / "Resources"
    (resources / "parts").mkdir()
    (resources / "parts" / LIST).write_text("kongbox==0.1.0\n")
    program(resources / "uv", UV)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of somebody who opens the app."""
    folder = tmp_path / "a home"
    (folder / "bin").mkdir(parents=True)
    program(folder / "bin" / "open", OPEN)
    program(folder / "python3", PYTHON)
    return folder


def opened(stage: Path, home: Path) -> str:
    """What the window shows after a double click; its script ends at once, since Python does."""
    launcher = stage / "Kongbox.app" / "Contents" / "MacOS" / "Kongbox"
    path = f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [launcher], env={"HOME": str(home), "PATH": path}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


def calls(home: Path) -> list[str]:
    """What was asked of uv since it was last asked for."""
    path = home / "calls"
    told = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return told


def test_programs_stay_programs_and_nothing_else_is_one(stage: Path, tmp_path: Path) -> None:
    made = [tmp_path / "first.zip", tmp_path / "second.zip"]
    for out in made:
        build(stage, out)
    assert made[0].read_bytes() == made[1].read_bytes()
    with ZipFile(made[0]) as packed:
        programs = {
            entry.filename for entry in packed.infolist() if entry.external_attr >> 16 & 0o111
        }
        assert {entry.create_system for entry in packed.infolist()} == {3}
    app = "Kongbox.app/Contents"
    assert programs == {f"{app}/MacOS/Kongbox", f"{app}/Resources/uv"}


def test_macos_is_told_of_the_launcher_and_the_icon(stage: Path) -> None:
    contents = stage / "Kongbox.app" / "Contents"
    told = plistlib.loads((contents / "Info.plist").read_bytes())
    assert (contents / "MacOS" / told["CFBundleExecutable"]).exists()
    assert (contents / "Resources" / f"{told['CFBundleIconFile']}.icns").exists()
    assert told["CFBundleShortVersionString"] == "0.1.0"
    assert told["LSArchitecturePriority"] == ["arm64"]


@needs_sh
def test_the_first_start_installs_and_the_next_does_not(stage: Path, home: Path) -> None:
    first = opened(stage, home)
    assert "being put in place" in first
    assert "Leave this window open while you play" in first
    assert "Python -I -c from webapp.cli.main import main" in first
    assert calls(home) == ["uv python install", "uv pip sync"]
    again = opened(stage, home)
    assert "being put in place" not in again
    assert "Python -I -c from webapp.cli.main import main" in again
    assert calls(home) == []


@needs_sh
def test_the_python_in_the_app_is_used(stage: Path, home: Path) -> None:
    archive = stage / "Kongbox.app" / "Contents" / "Resources" / "python.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(home / "python3", "python/bin/python3")
    assert "Python -I -c" in opened(stage, home)
    assert calls(home) == ["uv pip sync"]


@needs_sh
def test_another_version_is_put_in_place_over_the_old_one(stage: Path, home: Path) -> None:
    opened(stage, home)
    calls(home)
    parts = stage / "Kongbox.app" / "Contents" / "Resources" / "parts"
    (parts / LIST).write_text("kongbox==0.2.0\n")
    assert "being put in place" in opened(stage, home)
    assert calls(home) == ["uv pip sync"]


@needs_sh
@pytest.mark.parametrize(
    ("trouble", "words"),
    [("offline", "not connected to the internet"), ("full", "could not be put in place")],
)
def test_what_went_wrong_is_told_and_tried_again(
    stage: Path, home: Path, trouble: str, words: str
) -> None:
    (home / trouble).touch()
    failed = opened(stage, home)
    assert words in failed
    assert "Python" not in failed.replace("Fetching Python", "")
    (home / trouble).unlink()
    assert "Python -I -c" in opened(stage, home)
