"""Holds what is locked, and the least versions that are allowed, against a file of known holes.

Run as ``python -m supply.audit`` or ``make audit``. It asks nobody: the file is
``supply/known-holes.json``, whose entries have the form of OSV, so that an advisory can be put in
as it is published, by GitHub (GHSA) or by the Python Packaging Authority (PYSEC). Without the file
the audit says that it is skipped.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from supply.bill import ROOT, read_lock

KNOWN_HOLES: Final = Path(__file__).parent / "known-holes.json"
"""The file of known holes."""

OLD_DAYS: Final = 60
"""Age in days from which the file of known holes is called old."""


@dataclass(frozen=True, slots=True)
class Span:
    """Versions that have a hole.

    Attributes:
        first: the first of them.
        end: where they end; None where no later version is known to be without it.
        ends_before: whether ``end`` is the first version without the hole, not the last with it.
    """

    first: Version
    end: Version | None
    ends_before: bool = True

    def holds_for(self, version: Version) -> bool:
        """Whether this version is one of them."""
        if self.end is None or version < self.first:
            return version >= self.first
        return version < self.end if self.ends_before else version <= self.end


@dataclass(frozen=True, slots=True)
class Hole:
    """A known hole of one package.

    Attributes:
        advisory: the id of the advisory.
        package: the package's name, as PEP 503 writes it.
        spans: the versions that have the hole, from one to another.
        versions: versions that have it by themselves.
        summary: what the hole is.
    """

    advisory: str
    package: str
    spans: tuple[Span, ...]
    versions: frozenset[Version]
    summary: str

    def holds_for(self, version: Version) -> bool:
        """Whether this version has the hole, in a build of one's own, too: ``2.1+cpu`` is 2.1."""
        public = Version(version.public)
        return public in self.versions or any(span.holds_for(public) for span in self.spans)

    def way_out(self, version: Version) -> str:
        """What to do where this version has the hole."""
        ends = [
            span.end
            for span in self.spans
            if span.end is not None and span.ends_before and version < span.end
        ]
        without = [end for end in sorted(ends) if not self.holds_for(end)]
        if without:
            return f"Take {without[0]} or a later one."
        return "No version without it is told: read the advisory."


@dataclass(frozen=True, slots=True)
class Holes:
    """What the file of known holes says.

    Attributes:
        known: the holes.
        unreadable: the id of each advisory that names no version, with the package, if it names
            that.
        packages: the packages that the file has an entry for, withdrawn ones left out.
    """

    known: tuple[Hole, ...]
    unreadable: tuple[tuple[str, str], ...]
    packages: frozenset[str]


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


def read_holes(listed: dict[str, Any]) -> Holes:
    """The holes in the content of the file of known holes.

    Withdrawn advisories and packages of others than PyPI are left out.
    """
    known: list[Hole] = []
    unreadable: list[tuple[str, str]] = []
    packages: set[str] = set()
    for entry in listed["vulns"]:
        if entry.get("withdrawn") is not None:
            continue
        if not entry.get("affected"):
            unreadable.append((entry["id"], ""))
        for affected in entry.get("affected", ()):
            package = affected["package"]
            if package["ecosystem"].partition(":")[0] != "PyPI":
                continue
            hole = _hole(entry, affected)
            packages.add(hole.package)
            if hole.spans or hole.versions:
                known.append(hole)
            else:
                unreadable.append((hole.advisory, hole.package))
    return Holes(tuple(known), tuple(unreadable), frozenset(packages))


def _hole(entry: dict[str, Any], affected: dict[str, Any]) -> Hole:
    ranges = (each for each in affected.get("ranges", ()) if each["type"] != "GIT")
    spans = tuple(span for each in ranges for span in _spans(each["events"]))
    versions = frozenset(filter(None, map(_version, affected.get("versions", ()))))
    summary = entry.get("summary") or entry.get("details", "").strip().partition("\n")[0]
    name = canonicalize_name(affected["package"]["name"])
    return Hole(entry["id"], name, spans, versions, summary or "no summary")


_FIRST: Final = Version("0.dev0")
"""What an advisory writes as 0: before every version."""

_EVENTS: Final = ("fixed", "introduced", "last_affected")
"""What may happen at a version, in the order in which it is taken."""


def _version(text: str) -> Version | None:
    """The version that an advisory names; None where it is none of PyPI's."""
    try:
        return _FIRST if text == "0" else Version(text)
    except InvalidVersion:
        return None


def _spans(events: Iterable[dict[str, str]]) -> Iterator[Span]:
    """From which to which version, by the events of one range in any order.

    One that names what is no version says nothing.
    """
    told = [(name, text) for event in events for name, text in event.items() if name in _EVENTS]
    read = [(version, _EVENTS.index(name)) for name, text in told if (version := _version(text))]
    if len(read) < len(told):
        return
    first: Version | None = None
    for version, event in sorted(read):
        if _EVENTS[event] == "introduced":
            first = first or version
        elif first is not None:
            yield Span(first, version, ends_before=_EVENTS[event] == "fixed")
            first = None
    if first is not None:
        yield Span(first, None)


def locked(folder: Path) -> list[Use]:
    """Every locked version."""
    return [
        Use(canonicalize_name(package.name), Version(package.version), f"{folder.name}/{path.name}")
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
    return Use(
        canonicalize_name(wanted.name),
        max(map(Version, least), default=Version("0")),
        "pyproject.toml",
    )


def found(uses: Iterable[Use], holes: Holes) -> list[str]:
    """A line for each version that has a known hole."""
    return [
        f"{use.place}: {use.package} {use.version} has {hole.advisory} ({hole.summary}). "
        f"{hole.way_out(use.version)}"
        for use in uses
        for hole in holes.known
        if hole.package == use.package and hole.holds_for(use.version)
    ]


def not_decided(uses: Iterable[Use], holes: Holes) -> list[str]:
    """A line for each advisory that is about a package in use and names no version."""
    used = {use.package for use in uses}
    return [
        f"{advisory} is about {package} and names no version: read it."
        for advisory, package in holes.unreadable
        if package in used
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
    in_lock = locked(ROOT / "requirements")
    uses = [*in_lock, *floors(project)]
    open_ = found(uses, holes)
    lines = [*open_, *not_decided(uses, holes)]
    age = (today - date.fromisoformat(listed["looked_up"])).days
    if age > OLD_DAYS:
        lines.append(f"The file of known holes is {age} days old: look for newer advisories.")
    packages = {use.package for use in in_lock}
    lines.append(
        f"{len(packages - holes.packages)} of {len(packages)} locked packages have no entry in it."
    )
    told = f"{len(uses)} versions, {len(holes.known)} known holes as of {listed['looked_up']}"
    if holes.unreadable:
        told += f", {len(holes.unreadable)} that name no version"
    return not open_, [*lines, f"{told}: {'see above' if open_ else 'none applies'}."]


def main() -> None:
    """Tell what is found; end with 1 if a version has a known hole."""
    clean, lines = audit(KNOWN_HOLES, datetime.now(UTC).date())
    sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(0 if clean else 1)


if __name__ == "__main__":
    main()
