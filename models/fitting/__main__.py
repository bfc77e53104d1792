"""Fits the numbers that weigh models and clues, and writes them where they are shipped.

``python -m models.fitting NAME --help`` describes a fit and its options. Each prints the numbers it
finds, as ``models/weights.toml`` has them, and what they are worth; with ``--write`` it also puts
them there, under the next version, and enters that file in ``models/registry.toml``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from models.nets.registration import FOLDER, register
from vision.errors import ModelError
from vision.messages import Message
from vision.runtime.registry import WEIGHTS, find_model
from vision.runtime.weights import Weights

FITS: Final = (
    "birds",
    "bonus_marks",
    "calibrate",
    "profiles",
    "verifier",
)
"""The modules of this package that fit something, each with ``add_arguments`` and ``run``."""


def write(found: Sequence[Weights], folder: Path = FOLDER) -> str:
    """Put fitted numbers in the place of those that are shipped.

    Args:
        found: the numbers of some decisions; all others stay, and so do the comments.
        folder: where the registry and the file of fitted numbers lie.

    Returns:
        The file's new version.

    Raises:
        ModelError: the registry does not name the file, or it has no place for a number.
    """
    entry = find_model(WEIGHTS, folder)
    path = folder / entry.file
    version = _next(entry.version)
    numbers = {(each.table, name): v for each in found for name, v in each.numbers().items()}
    table, lines = "", []
    for line in path.read_text("utf-8").splitlines():
        name = line.partition(" = ")[0]
        if line.startswith("["):
            table = line.strip("[]")
        if (table, name) in numbers:
            lines.append(f"{name} = {numbers.pop((table, name))}")
        elif (table, name) == ("", "version"):
            lines.append(f'version = "{version}"')
        else:
            lines.append(line)
    if numbers:
        lacking = ", ".join(f"{name} of {table}" for table, name in numbers)
        values = {"file": entry.file, "lacking": lacking}
        raise ModelError(Message("{file} has no place for {lacking}.", values))
    path.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    register(WEIGHTS, path, version)
    return version


def _next(version: str) -> str:
    """The version that follows, such as 1.3.0 after 1.2.1."""
    major, minor, _ = version.split(".")
    return f"{major}.{int(minor) + 1}.0"


def main() -> None:
    """Run one fit."""
    plain = argparse.RawDescriptionHelpFormatter
    chooser = argparse.ArgumentParser("models.fitting", description=__doc__, formatter_class=plain)
    chooser.add_argument("name", choices=FITS, help="what is fitted")
    chooser.add_argument("options", nargs=argparse.REMAINDER, help="of this fit")
    chosen = chooser.parse_args()
    fit = import_module(f"models.fitting.{chosen.name}")
    parser = argparse.ArgumentParser(
        f"models.fitting {chosen.name}", description=fit.__doc__, formatter_class=plain
    )
    fit.add_arguments(parser)
    parser.add_argument("--write", action="store_true", help="put the numbers in weights.toml")
    options = parser.parse_args(chosen.options)
    weights, report = fit.run(options)
    for each in weights:
        print(f"[{each.table}]")
        for name, number in each.numbers().items():
            print(f"{name} = {number}")
    for line in report:
        print(line)
    if options.write:
        print(f"written as version {write(weights)}" if weights else "nothing to write")


if __name__ == "__main__":
    main()
