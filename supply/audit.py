"""Holds what is locked, and the least versions that are allowed, against a file of known holes.

Run as ``python -m supply.audit`` or ``make audit``. It asks nobody: the file is
``supply/known-holes.json``, whose entries have the form of OSV, so that an advisory can be put in
as it is published. Without the file the audit says that it is skipped.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.version import Version

from supply.bill import ROOT, read_lock

KNOWN_HOLES: Final = Path(__file__).parent / "known-holes.json"
"""The file of known holes."""

OLD_DAYS: Final = 60
"""Age in days from which the file of known holes is called old."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A known hole of one package.

    Attributes:
        advisory: the id of the advisory.
        package: the package's name.
        introduced: the first version that has the hole.
        fixed: the first version after that which has not.
        summary: what the hole is.
    """

    advisory: str
    package: str
    introduced: Version
    fixed: Version
    summary: str

    def holds_for(self, version: Version) -> bool:
        """Whether this version has the hole."""
        return self.introduced <= version < self.fixed


@dataclass(frozen=True, slots=True)
class Use:
    """A version that is installed, or may be.

    Attributes:
        package: the package's name.
        version: the version.
        place: the file that says so.
    """

    package: str
    version: Version
    place: str


def read_holes(listed: dict[str, Any]) -> list[Hole]:
    """The holes in the content of the file of known holes."""
    return [
        Hole(entry["id"], affected["package"]["name"].lower(), *span, entry["summary"])
        for entry in listed["vulns"]
        for affected in entry["affected"]
        for span in _spans(affected["ranges"])
    ]


def _spans(ranges: Iterable[dict[str, Any]]) -> Iterator[tuple[Version, Version]]:
    """From which to before which version, of each range."""
    for each in ranges:
        versions = {name: value for event in each["events"] for name, value in event.items()}
        yield Version(versions["introduced"]), Version(versions["fixed"])


def locked(folder: Path) -> list[Use]:
    """Every locked version."""
    return [
        Use(package.name, Version(package.version), f"{folder.name}/{path.name}")
        for path in sorted(folder.glob("*.txt"))
        for package in read_lock(path.read_text("utf-8"))
    ]


def floors(project: dict[str, Any]) -> list[Use]:
    """The least version of everything that ``pyproject.toml`` names; 0 where it gives none."""
    extras = project["project"]["optional-dependencies"].values()
    named = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    return [_floor(text) for text in [*named, *(each for extra in extras for each in extra)]]


def _floor(text: str) -> Use:
    wanted = Requirement(text)
    least = [each.version for each in wanted.specifier if each.operator in (">=", "==", "~=")]
    name = re.sub(r"[-_.]+", "-", wanted.name).lower()
    return Use(name, max(map(Version, least), default=Version("0")), "pyproject.toml")


def found(uses: Iterable[Use], holes: Iterable[Hole]) -> list[str]:
    """A line for each version that has a known hole."""
    known = list(holes)
    return [
        f"{use.place}: {use.package} {use.version} has {hole.advisory} ({hole.summary}). "
        f"Take {hole.fixed} or a later one."
        for use in uses
        for hole in known
        if hole.package == use.package and hole.holds_for(use.version)
    ]


def audit(path: Path, today: date) -> tuple[bool, list[str]]:
    """Whether nothing has a known hole, and what there is to tell.

    Args:
        path: the file of known holes.
        today: the day from which its age is counted.
    """
    if not path.exists():
        return True, [f"THE AUDIT IS SKIPPED: {path.name} is not there."]
    listed = json.loads(path.read_text("utf-8"))
    holes = read_holes(listed)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    uses = [*locked(ROOT / "requirements"), *floors(project)]
    lines = found(uses, holes)
    age = (today - date.fromisoformat(listed["looked_up"])).days
    if age > OLD_DAYS:
        lines.append(f"The file of known holes is {age} days old: look for newer advisories.")
    clean = not found(uses, holes)
    told = f"{len(uses)} versions, {len(holes)} known holes as of {listed['looked_up']}"
    return clean, [*lines, f"{told}: {'none applies' if clean else 'see above'}."]


def main() -> None:
    """Tell what is found; end with 1 if a version has a known hole."""
    clean, lines = audit(KNOWN_HOLES, datetime.now(UTC).date())
    sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(0 if clean else 1)


if __name__ == "__main__":
    main()
