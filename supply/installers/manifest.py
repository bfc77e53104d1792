"""What is in an installer: the list that lies beside it, with the SHA-256 and size of each file."""

from __future__ import annotations

from pathlib import Path

from supply.installers.parts import digest


def write_manifest(installer: Path, stage: Path) -> Path:
    """Write the list of an installer and of everything that was laid into it.

    Each line has the SHA-256, the size in bytes and the place; the first is the installer itself.

    Returns:
        the list.
    """
    inside = sorted(path for path in stage.rglob("*") if path.is_file())
    lines = [_line(installer, installer.name)]
    lines += [_line(path, path.relative_to(stage).as_posix()) for path in inside]
    listed = installer.with_name(f"{installer.name}.manifest.txt")
    listed.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    return listed


def _line(path: Path, place: str) -> str:
    return f"{digest(path)} {path.stat().st_size:>11} {place}"
