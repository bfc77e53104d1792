"""Makes the installers: run as ``python -m supply.installers`` or ``make installers``.

Each is laid into a folder first and lies in ``dist/`` in the end, beside the list of what is in it.
The Python that it carries is looked for in ``dist/pythons`` and fetched if it is not there. Where
it cannot be fetched the installer is made without it and has ``needs-internet`` in its name.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from packaging.utils import parse_wheel_filename

from supply.bill import ROOT
from supply.installers import macos, windows
from supply.installers.manifest import write_manifest
from supply.installers.parts import NoWheel, PartMissing, build_wheel
from supply.installers.pythons import python_archive
from supply.installers.targets import TARGETS, WINDOWS, Target


def make(target: Target, own: Path, python: Path | None, dist: Path) -> Path:
    """Make the installer for one kind of computer, and the list of what is in it.

    Args:
        target: the kind of computer.
        own: Kongbox's own wheel.
        python: the archive with Python, if it is to be in it.
        dist: the folder where the installer is laid.

    Raises:
        PartMissing: something that it must hold cannot be had.
    """
    version = str(parse_wheel_filename(own.name)[1])
    ending = ".exe" if target is WINDOWS else ".zip"
    needs = "" if python else "-needs-internet"
    out = dist / f"Kongbox-{version}-{target.name}{needs}{ending}"
    with tempfile.TemporaryDirectory() as scratch:
        stage = Path(scratch)
        if target is WINDOWS:
            windows.lay(stage, own, python)
            windows.build(stage, version, out)
        else:
            macos.lay(target, stage, own, python, version)
            macos.build(stage, out)
        write_manifest(out, stage)
    return out


def main() -> None:
    """Make the installers that are asked for; end with 1 if one cannot be made that should be."""
    names = [target.name for target in TARGETS]
    parser = argparse.ArgumentParser(
        prog="python -m supply.installers", description="Makes the installers."
    )
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"of {', '.join(names)}; else all"
    )
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where they are laid")
    asked = parser.parse_args()
    if unknown := set(asked.targets) - set(names):
        parser.error(f"There is no installer for {', '.join(sorted(unknown))}.")
    chosen = [target for target in TARGETS if not asked.targets or target.name in asked.targets]
    asked.dist.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        own = build_wheel(Path(scratch))
        failed = [target for target in chosen if not _made(target, own, asked.dist)]
    sys.exit(1 if failed else 0)


def _made(target: Target, own: Path, dist: Path) -> bool:
    """Make one installer and tell of it; False if it should have been made and cannot be."""
    try:
        python = python_archive(target, dist / "pythons")
        made = make(target, own, python, dist)
    except PartMissing as missing:
        sys.stderr.write(f"{target.words}: no installer.\n{missing}\n")
        return target.if_wheels and isinstance(missing, NoWheel)
    size = made.stat().st_size / 1e6
    sys.stdout.write(f"{target.words}: {made}, {size:.0f} MB\n")
    if python is None:
        sys.stdout.write(
            f"  Python is not in it: {target.python_address} cannot be fetched. Lay the file into"
            f" {dist / 'pythons'} and make it again.\n"
        )
    return True


if __name__ == "__main__":
    main()
