"""The installer for Windows lays down what is made for it, and removes what it laid down."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from supply.installers.parts import LIST
from supply.installers.targets import WINDOWS
from supply.installers.windows import SCRIPTS, build, installed_bytes, lay_scripts

SCRIPT = (SCRIPTS / "kongbox.nsi").read_text("utf-8")


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    """What is laid down, with stand-ins for what is fetched."""
    folder = tmp_path / "stage"
    for name in ("parts", "python"):
        (folder / name).mkdir(parents=True)
    with ZipFile(folder / "parts" / "kongbox-0.1.0-py3-none-any.whl", "w") as packed:
        packed.writestr("webapp/__init__.py", b"x" * 4000)
    (folder / "parts" / LIST).write_text("kongbox==0.1.0\n")
    (folder / "python" / "python.exe").write_bytes(b"stand-in")
    (folder / "uv.exe").write_bytes(b"stand-in")
    lay_scripts(folder)
    return folder


def test_every_file_that_the_script_names_is_made(stage: Path) -> None:
    named = set(re.findall(r"\$\{STAGE\}/([^\"]+)", SCRIPT))
    assert named == {path.name for path in stage.iterdir()}


def test_everything_that_is_laid_down_is_removed() -> None:
    install, _, remove = SCRIPT.partition('Section "Uninstall"')
    laid = re.findall(r"^  File (?:/r )?\"\$\{STAGE\}/([^\"]+)\"", install, re.MULTILINE)
    removed = set(re.findall(r"(?:Delete|RMDir /r) \"\$INSTDIR\\([^\"]+)\"", remove))
    assert {*laid, "Uninstall.exe", "fetched"} == removed
    links = set(re.findall(r"CreateShortcut (\"[^\"]+\")", install))
    assert links == set(re.findall(r"Delete (\"[^\"]+\.lnk\")", remove))
    assert len(links) == 2


def test_the_folder_of_the_club_is_neither_written_nor_deleted() -> None:
    folder = r"$LOCALAPPDATA\kongbox"
    touched = [line.split()[0] for line in SCRIPT.splitlines() if folder in line]
    assert touched == ["${If}", "MessageBox"]


def test_the_scripts_have_the_line_ends_of_windows_and_the_name_of_python(stage: Path) -> None:
    for name in ("Kongbox.cmd", "prepare.cmd"):
        written = (stage / name).read_bytes()
        assert written.count(b"\r\n") == written.count(b"\n") > 10
        assert b"@KEY@" not in written
    assert (
        f"uv.exe python install {WINDOWS.key}\r\n".encode() in (stage / "prepare.cmd").read_bytes()
    )


def test_each_place_to_which_a_script_jumps_is_there() -> None:
    for path in SCRIPTS.glob("*.cmd"):
        text = path.read_text("utf-8")
        assert set(re.findall(r"goto (\w+)", text)) <= set(
            re.findall(r"^:(\w+)", text, re.MULTILINE)
        )


def test_the_room_that_is_told_counts_the_wheels_unpacked(stage: Path) -> None:
    ours = sum((stage / name).stat().st_size for name in ("Kongbox.cmd", "prepare.cmd"))
    assert installed_bytes(stage) > 4000 + ours


@pytest.mark.skipif(shutil.which("makensis") is None, reason="needs makensis, of the package nsis")
def test_the_script_compiles(stage: Path, tmp_path: Path) -> None:
    made = [tmp_path / "first.exe", tmp_path / "second.exe"]
    for out in made:
        build(stage, "0.1.0", out)
    assert made[0].read_bytes()[:2] == b"MZ"
    assert made[0].read_bytes() == made[1].read_bytes()
