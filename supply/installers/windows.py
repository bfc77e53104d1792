"""The installer for Windows: what it lays down, and its compiling by makensis."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from supply.bill import ROOT
from supply.installers.icons import draw_icon, draw_side
from supply.installers.parts import EPOCH, PartMissing, lay_parts, lay_uv
from supply.installers.targets import WINDOWS

SCRIPTS: Final = Path(__file__).parent / "windows"
"""The scripts that are laid down, and the one that makensis compiles."""


def lay(stage: Path, own: Path, python: Path | None) -> None:
    """Lay everything that the installer lays down into a folder.

    Args:
        stage: the folder, which is empty.
        own: Kongbox's own wheel.
        python: the archive with Python; None if it is fetched where Kongbox is installed.

    Raises:
        PartMissing: something that is locked cannot be had for Windows.
    """
    lay_parts(WINDOWS, own, stage / "parts")
    lay_uv(WINDOWS, stage)
    lay_scripts(stage)
    if python is not None:
        with tarfile.open(python) as opened:
            opened.extractall(stage, filter="data")
        (stage / "python" / WINDOWS.key).touch()


def lay_scripts(stage: Path) -> None:
    """Lay the scripts, the icon and the licence, which are ours."""
    for path in SCRIPTS.glob("*.cmd"):
        text = path.read_text("utf-8").replace("@KEY@", WINDOWS.key)
        (stage / path.name).write_text(text, "ascii", newline="\r\n")
    draw_icon(stage / "kongbox.ico")
    draw_side(stage / "side.bmp")
    (stage / "licences").mkdir(exist_ok=True)
    shutil.copy(ROOT / "LICENSE", stage / "licences" / "Kongbox.txt")


def build(stage: Path, version: str, out: Path) -> None:
    """Compile the installer.

    Args:
        stage: the folder with what it lays down.
        version: of Kongbox.
        out: the installer.

    Raises:
        PartMissing: makensis is not there, or it refuses the script.
    """
    makensis = shutil.which("makensis")
    if makensis is None:
        raise PartMissing("makensis is not there. On Debian or Ubuntu: sudo apt-get install nsis")
    values = {
        "STAGE": stage.resolve(),
        "VERSION": version,
        "OUT": out.resolve(),
        "SIZE": installed_bytes(stage) // 1000,
        **({"PYTHON": ""} if (stage / "python").exists() else {}),
    }
    defined = [f"-D{name}={value}" for name, value in values.items()]
    done = subprocess.run(  # noqa: S603 - the compiler, with values of ours
        [makensis, "-V2", "-WX", *defined, str(SCRIPTS / "kongbox.nsi")],
        env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise PartMissing(done.stdout + done.stderr)


def installed_bytes(stage: Path) -> int:
    """How much room all takes once the wheels are unpacked and deleted."""
    wheels = sum(
        entry.file_size for path in stage.glob("parts/*.whl") for entry in ZipFile(path).infolist()
    )
    files = [path for path in stage.rglob("*") if path.is_file() and path.parent.name != "parts"]
    return wheels + sum(path.stat().st_size for path in files)
