"""The bill of materials: what is locked and which models are shipped, as CycloneDX in the wheel.

It is made by the build from ``requirements/runtime.txt`` and ``models/registry.toml`` and lies in
the wheel's ``sboms`` folder (PEP 770). The same inputs give the same bytes. Hashes of packages stay
in the lock, since which of a package's files is installed depends on the computer.

The build loads this module by itself, so it imports nothing of ours.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from setuptools.command.bdist_wheel import bdist_wheel

ROOT: Final = Path(__file__).parents[1]
"""The folder of the project."""

BILL: Final = "kongbox.cdx.json"
"""The name of the bill's file."""

_PIN: Final = re.compile(
    r"^(?P<name>[a-z0-9-]+)(?:\[[a-z0-9, -]+\])?==(?P<version>[^ \\;]+)"
    r"(?: ; (?P<marker>[^\\]+?))?(?: \\)?$"
)
_HASH: Final = re.compile(r"^ +--hash=sha256:(?P<hash>[0-9a-f]{64})(?: \\)?$")
_VIA: Final = re.compile(r"^ +# +(?:via +)?(?P<name>[a-z0-9-]+)(?: \(pyproject\.toml\))?$")


@dataclass(frozen=True, slots=True)
class Pinned:
    """One locked package.

    Attributes:
        name: of the package, in lower case with hyphens.
        version: the locked one.
        marker: on which computers it is installed; empty for all.
        hashes: SHA-256 of each file that may be installed, in hexadecimal digits.
        wanted_by: the packages that need it.
    """

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    wanted_by: tuple[str, ...]

    @property
    def purl(self) -> str:
        """Its address in the package URL scheme."""
        return f"pkg:pypi/{self.name}@{self.version}"


def read_lock(text: str) -> tuple[Pinned, ...]:
    """The packages of a file in ``requirements/``.

    Raises:
        ValueError: a line is none of a pin, a hash and a comment.
    """
    return tuple(_pinned(block) for block in _blocks(text.splitlines()))


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """The lines of each package: its pin, its hashes and who wants it."""
    block: list[str] = []
    for line in lines:
        if not line or line.startswith("#"):
            continue
        if block and not line.startswith(" "):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _pinned(block: list[str]) -> Pinned:
    pin, rest = _PIN.match(block[0]), block[1:]
    hashes = [found["hash"] for line in rest if (found := _HASH.match(line))]
    comments = [line for line in rest if line.lstrip().startswith("#")]
    if pin is None or not hashes or len(hashes) + len(comments) != len(rest):
        raise ValueError(f"{block[0]!r} is not the pin of a package with its hashes")
    wanted_by = [found["name"] for line in comments if (found := _VIA.match(line))]
    names = tuple(name for name in wanted_by if name != "via")
    return Pinned(pin["name"], pin["version"], pin["marker"] or "", tuple(hashes), names)


def bill(version: str, lock: tuple[Pinned, ...], models: dict[str, dict[str, str]]) -> str:
    """The bill of materials as CycloneDX JSON.

    Args:
        version: of Kongbox.
        lock: what it needs to run.
        models: the entries of the registry of models.
    """
    own = f"pkg:pypi/kongbox@{version}"
    purls = {package.name: package.purl for package in lock} | {"kongbox": own}
    needs = {
        purl: sorted(package.purl for package in lock if name in package.wanted_by)
        for name, purl in purls.items()
    }
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _component("application", "kongbox", version, own)},
        "components": [*map(_library, lock), *(_model(*each) for each in models.items())],
        "dependencies": [{"ref": ref, "dependsOn": needs[ref]} for ref in sorted(needs)],
    }
    return json.dumps(document, indent=1) + "\n"


def _component(kind: str, name: str, version: str, ref: str) -> dict[str, Any]:
    return {"type": kind, "bom-ref": ref, "name": name, "version": version}


def _library(package: Pinned) -> dict[str, Any]:
    component = _component("library", package.name, package.version, package.purl)
    scope = "optional" if package.marker else "required"
    return {**component, "purl": package.purl, "scope": scope}


def _model(name: str, entry: dict[str, str]) -> dict[str, Any]:
    kind = "machine-learning-model" if entry["file"].endswith(".onnx") else "data"
    component = _component(kind, name, entry["version"], f"model:{name}@{entry['version']}")
    return {**component, "hashes": [{"alg": "SHA-256", "content": entry["sha256"]}]}


class WheelWithBill(bdist_wheel):  # type: ignore[misc]
    """Builds the wheel with the bill of materials in it."""

    def write_wheelfile(self, wheelfile_base: str, *args: str, **kwargs: str) -> None:
        """Write the wheel's own description, and the bill beside it."""
        super().write_wheelfile(wheelfile_base, *args, **kwargs)
        lock = read_lock((ROOT / "requirements" / "runtime.txt").read_text("utf-8"))
        models = tomllib.loads((ROOT / "models" / "registry.toml").read_text("utf-8"))
        folder = Path(wheelfile_base) / "sboms"
        folder.mkdir(exist_ok=True)
        text = bill(self.distribution.get_version(), lock, models)
        (folder / BILL).write_text(text, "utf-8")
