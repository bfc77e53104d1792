"""``python -m benchmarks.hostile``: what each hostile photo file costs the process that reads it.

Each file is made and read with the page's own limits. A line tells processor time, growth of the
process at its peak, and time until the answer, which other work of the computer makes longer; then
what people see. The exit status is 1 if a file was over the limits.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from benchmarks.hostile.heics import HEICS
from benchmarks.hostile.jpegs import JPEGS
from benchmarks.hostile.measure import LIMIT_MB, LIMIT_S, READ_MB, Cost, costs
from benchmarks.hostile.others import FOREIGN, WEBPS
from benchmarks.hostile.pngs import PNGS
from webapp.photos.workers import WorkerProcesses

FILES: dict[str, Callable[[], bytes]] = {
    f"{kind}: {name}": make
    for kind, files in (
        ("JPEG", JPEGS),
        ("PNG", PNGS),
        ("WebP", WEBPS),
        ("HEIC", HEICS),
        ("other", FOREIGN),
    )
    for name, make in files.items()
}
"""All files, by kind and name."""


def line(name: str, cost: Cost) -> str:
    """A row of the table."""
    spent = "    -" if cost.seconds is None else f"{cost.seconds:5.2f}"
    peak = "   -" if cost.megabytes is None else f"{cost.megabytes:4.0f}"
    over = "" if cost.within else "OVER "
    return f"{spent} s {peak} MB {cost.waited:6.2f} s waited {over}{name}: {cost.answer}"


def _tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(arguments: list[str] | None = None) -> int:
    """Measure the files whose names hold one of the words given, by default all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__)
    parser.add_argument("words", nargs="*", help="only files whose name holds one of these")
    words = parser.parse_args(arguments).words
    chosen = {n: f for n, f in FILES.items() if not words or any(word in n for word in words)}
    workshop = WorkerProcesses(places=1)
    over = []
    try:
        for name, cost in costs(workshop, chosen):
            _tell(line(name, cost))
            over += [] if cost.within else [name]
    finally:
        workshop.close()
    limits = (
        f"{LIMIT_S:.0f} s or {LIMIT_MB:.0f} MB, or {READ_MB:.0f} MB where it is read as a photo"
    )
    _tell(f"{len(chosen)} files, {len(over)} over {limits}")
    return bool(over)


if __name__ == "__main__":
    sys.exit(main())
