"""The app for Macs: a folder that macOS shows as one thing, in a ZIP file."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from supply.bill import ROOT
from supply.installers.icons import draw_icon
from supply.installers.parts import EPOCH, lay_parts, lay_uv
from supply.installers.targets import Target

SCRIPTS: Final = Path(__file__).parent / "macos"
"""The scripts of the app, and what tells macOS of it."""

PACKED_ALREADY: Final = (".whl", ".gz")
"""Files with these endings are stored as they are."""


def lay(target: Target, stage: Path, own: Path, python: Path | None, version: str) -> None:
    """Lay the app into a folder.

    Args:
        target: the kind of Mac.
        stage: the folder, which is empty.
        own: Kongbox's own wheel.
        python: the archive with Python; None if it is fetched at the first start.
        version: of Kongbox.

    Raises:
        PartMissing: something that is locked cannot be had for this kind of Mac.
    """
    resources = stage / "Kongbox.app" / "Contents" / "Resources"
    lay_scripts(target, stage, version)
    lay_parts(target, own, resources / "parts")
    lay_uv(target, resources)
    if python is not None:
        shutil.copy(python, resources / "python.tar.gz")


def lay_scripts(target: Target, stage: Path, version: str) -> None:
    """Lay the scripts, the icon, the licence and what tells macOS of the app, which are ours."""
    contents = stage / "Kongbox.app" / "Contents"
    resources = contents / "Resources"
    values = {"@KEY@": target.key, "@VERSION@": version, "@MACHINE@": target.machine}
    for name, place in (
        ("Info.plist", contents / "Info.plist"),
        ("Kongbox", contents / "MacOS" / "Kongbox"),
        ("window.sh", resources / "window.sh"),
    ):
        text = (SCRIPTS / name).read_text("utf-8")
        for mark, value in values.items():
            text = text.replace(mark, value)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8", newline="\n")
    (contents / "MacOS" / "Kongbox").chmod(0o755)
    draw_icon(resources / "kongbox.icns")
    (resources / "licences").mkdir()
    shutil.copy(ROOT / "LICENSE", resources / "licences" / "Kongbox.txt")


def build(stage: Path, out: Path) -> None:
    """Pack the app; the same files give the same bytes, and programs stay programs."""
    written = time.gmtime(int(EPOCH))[:6]
    with ZipFile(out, "w", ZIP_DEFLATED) as packed:
        for path in sorted(path for path in stage.rglob("*") if path.is_file()):
            entry = ZipInfo(path.relative_to(stage).as_posix(), written)
            entry.create_system = 3  # Unix, whose systems look at the mode
            mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = ZIP_STORED if path.suffix in PACKED_ALREADY else ZIP_DEFLATED
            packed.writestr(entry, path.read_bytes())
