"""The parts of an installer: the wheels of everything that is locked, Kongbox's own, and uv.

What is fetched is held against the hashes in ``requirements/`` as it comes, and the list that goes
with the wheels names the hash of each, so that uv holds them against it once more where Kongbox is
installed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from packaging.utils import parse_wheel_filename

from supply.bill import ROOT, Pinned, read_lock
from supply.installers.targets import VERSION, Target

LIST: Final = "kongbox.txt"
"""The list of the wheels, with the hash of each, which lies among them."""

EPOCH: Final = "1577836800"
"""The time of each file in what is built, in seconds since 1970: that of 2020 began."""

BUILT_FROM: Final = ("scorer", "vision", "webapp", "models", "supply", "requirements")
"""The folders from which Kongbox's own wheel is built."""

_BUILD: Final = "import sys, setuptools.build_meta as build; build.build_wheel(sys.argv[1])"


class PartMissing(Exception):
    """Something that the installer must hold cannot be had."""


class NoWheel(PartMissing):
    """Something that is locked has no wheel for that kind of computer."""


def lay_parts(target: Target, own: Path, folder: Path) -> None:
    """Lay everything that is installed on a target into a folder, with the list of it.

    Args:
        target: the kind of computer.
        own: Kongbox's own wheel.
        folder: where they are laid; it is made.

    Raises:
        NoWheel: something that is locked has no wheel for this kind of computer.
        PartMissing: something else cannot be had.
    """
    folder.mkdir(parents=True)
    pins = target.wanted()
    fetch(pins, ["--platform", target.wheels, "--python-version", VERSION], folder)
    shutil.copy(own, folder / own.name)
    write_list(pins, folder)


def fetch(pins: Iterable[Pinned], options: list[str], folder: Path) -> None:
    """Fetch the wheel of each package, if it has one of the hashes that are locked.

    Raises:
        NoWheel: there is no such wheel.
        PartMissing: nothing can be fetched, or something else came.
    """
    with tempfile.TemporaryDirectory() as scratch:
        lock = Path(scratch) / "wanted.txt"
        lock.write_text("".join(map(_line, pins)), "utf-8")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        locked = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", str(lock)]
        done = subprocess.run(  # noqa: S603 - pip of this environment, with options of ours
            [*pip, *locked, *options, "--dest", str(folder)],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        trouble = NoWheel if "No matching distribution found" in done.stderr else PartMissing
        raise trouble("\n".join(reasons) or done.stderr)


def write_list(pins: Iterable[Pinned], folder: Path) -> None:
    """Write the list of the wheels in a folder, by which uv installs them.

    Raises:
        PartMissing: what is locked and what lies there are not the same.
    """
    locked = {pin.name: pin for pin in pins}
    lines = []
    for path in sorted(folder.glob("*.whl")):
        name, version, *_ = parse_wheel_filename(path.name)
        sha256 = digest(path)
        pin = locked.pop(name, None)
        if name != "kongbox" and (pin is None or sha256 not in pin.hashes):
            raise PartMissing(f"{path.name} is not what is locked.")
        lines.append(_line(Pinned(name, str(version), "", (sha256,), ())))
    if locked:
        raise PartMissing(f"There is no wheel of {', '.join(sorted(locked))}.")
    (folder / LIST).write_text("".join(lines), "utf-8", newline="\n")


def _line(pin: Pinned) -> str:
    hashes = " ".join(f"--hash=sha256:{sha256}" for sha256 in pin.hashes)
    return f"{pin.name}=={pin.version} {hashes}\n"


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def build_wheel(folder: Path) -> Path:
    """Kongbox's own wheel, built into a folder from copies, the same bytes each time."""
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch)
        for name in BUILT_FROM:
            left_out = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, source / name, ignore=left_out)
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, source / name)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
        command = [sys.executable, "-c", _BUILD, str(folder.resolve())]
        subprocess.run(  # noqa: S603 - this Python, with code of ours
            command, cwd=source, env=environment, check=True, capture_output=True
        )
    (built,) = folder.glob("kongbox-*.whl")
    return built


def lay_uv(target: Target, folder: Path) -> Path:
    """Lay the uv of the lock for this kind of computer into a folder, with its licences."""
    (pin,) = (
        each
        for each in read_lock((ROOT / "requirements" / "lock.txt").read_text("utf-8"))
        if each.name == "uv"
    )
    with tempfile.TemporaryDirectory() as scratch:
        fetch([pin], ["--platform", target.uv], Path(scratch))
        (wheel,) = Path(scratch).glob("uv-*.whl")
        return _unpack_uv(wheel, folder)


def _unpack_uv(wheel: Path, folder: Path) -> Path:
    with ZipFile(wheel) as opened:
        for name in opened.namelist():
            if "/licenses/" in name:
                licence = folder / "licences" / f"uv-{Path(name).name}.txt"
                licence.parent.mkdir(exist_ok=True)
                licence.write_bytes(opened.read(name))
        (program,) = (
            name for name in opened.namelist() if Path(name).stem == "uv" and "/scripts/" in name
        )
        laid = folder / Path(program).name
        laid.write_bytes(opened.read(program))
    laid.chmod(0o755)
    return laid
