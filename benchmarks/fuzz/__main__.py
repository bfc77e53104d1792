"""Searches for inputs that break a reader: ``python -m benchmarks.fuzz deals --seconds 300``.

Only the declared errors may come back, in 100 ms of processor time and with 256 MB of memory
at most. The search is guided by branches where atheris is installed (``pip install
kongbox[fuzz]``), and blind otherwise. It ends with 1 if something was found.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from pathlib import Path

from benchmarks.fuzz.search import Record, guided, search_blind, search_guided
from benchmarks.fuzz.targets import TARGETS


def main() -> None:
    """Search, and tell what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=300, help="how long to search")
    parser.add_argument("--finds", type=Path, help="a folder for the inputs that break it")
    parser.add_argument("--keep", type=Path, help="a folder for the inputs that reach new branches")
    asked = parser.parse_args()
    began = time.monotonic()
    if guided():
        record = search_guided(asked.target, seconds=asked.seconds, keep=asked.keep)
    else:
        sys.stdout.write("atheris is not installed: the search is not guided by branches.\n")
        record = search_blind(asked.target, seconds=asked.seconds, seed=int(began))
    _tell(asked.target, record, time.monotonic() - began)
    if asked.finds is not None:
        asked.finds.mkdir(parents=True, exist_ok=True)
        for _, data in record.faults.values():
            name = hashlib.sha256(data).hexdigest()[:12]
            (asked.finds / f"{asked.target}-{name}").write_bytes(data)
    sys.exit(1 if record.faults else 0)


def _tell(name: str, record: Record, seconds: float) -> None:
    reached = "" if record.coverage is None else f", {record.coverage} branches"
    told = f"{record.executions} inputs in {seconds:.0f} s{reached}, corpus {record.corpus}"
    faults = [
        f"  {fault.kind}: {fault.place} ({len(data)} bytes): {fault.told}"
        for fault, data in record.faults.values()
    ]
    sys.stdout.write("\n".join([f"{name}: {told}", *faults]) + "\n")


if __name__ == "__main__":
    main()
