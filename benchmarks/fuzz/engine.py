"""Searches with atheris, guided by the branches that inputs reach; run by the command itself."""

from __future__ import annotations

import hashlib
import random
import sys
from pathlib import Path
from typing import Final

import atheris

from benchmarks.fuzz.judge import Fault, judge

INSTRUMENTED: Final = ["scorer", "vision", "webapp", "tomllib", "zipfile"]
"""The packages whose branches guide the search."""

with atheris.instrument_imports(include=INSTRUMENTED):
    from benchmarks.fuzz.targets import TARGETS, Target


class Finder:
    """Reads the inputs that the search comes up with and keeps those with a fault.

    Args:
        target: what reads them.
        folder: where the first input of each fault is kept, and of slow ones each slower one.
    """

    def __init__(self, target: Target, folder: Path) -> None:
        self._target = target
        self._folder = folder
        self._seen: set[tuple[str, int]] = set()

    def __call__(self, data: bytes) -> None:
        """Read one input."""
        target = self._target
        fault = judge(target.read, target.declared, data, target.limits)
        if fault is None or self._known(fault):
            return
        name = hashlib.sha256(data).hexdigest()[:12]
        (self._folder / f"{fault.kind}-{name}").write_bytes(data)

    def _known(self, fault: Fault) -> bool:
        """Whether a fault of the same cause was seen; of costs, one in the same power of two."""
        told = fault.told.split()[0]
        grade = int(told).bit_length() if fault.kind in ("slow", "heavy") else 0
        known = (fault.place, grade) in self._seen
        self._seen.add((fault.place, grade))
        return known


def main() -> None:
    """Search; the arguments are the target, the folder for finds and those of libFuzzer."""
    target = TARGETS[sys.argv[1]]
    mutate = target.mutate
    finder = Finder(target, Path(sys.argv[2]))
    arguments = [sys.argv[0], *sys.argv[3:], f"-max_len={target.max_bytes}"]
    if mutate is None:
        atheris.Setup(arguments, finder)
    else:

        def broken(data: bytes, most: int, seed: int) -> bytes:
            made = mutate(data, random.Random(seed), atheris.Mutate)
            return made if len(made) <= most else data

        atheris.Setup(arguments, finder, custom_mutator=broken)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
