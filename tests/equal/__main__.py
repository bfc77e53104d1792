"""Record what the program answers, or compare two such records."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tests.equal import inside_vision, page_part, scorer_part, terminal_part, vision_part
from tests.equal.comparing import compare
from tests.equal.records import Records, write_hashes

PARTS: Final[dict[str, Callable[[Records], None]]] = {
    "scorer": scorer_part.record,
    "vision": vision_part.record,
    "page": page_part.record,
    "terminal": terminal_part.record,
}


def record(folder: Path, parts: Sequence[str], *, quick: bool) -> None:
    """Record these parts into the folder; the files of other parts stay."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in parts:
        start = time.monotonic()
        path = folder / f"{part}.jsonl"
        with inside_vision.settled(), Records(path, quick=quick) as records:
            PARTS[part](records)
        spent = time.monotonic() - start
        sys.stdout.write(f"{part}: {len(records)} records in {spent:.0f} s\n")
        sys.stdout.flush()
    write_hashes(folder)


def main() -> int:
    """Do as the command line says; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.equal", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="keep what the program answers")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    recording.add_argument("--quick", action="store_true", help="ask only about a tenth")
    comparing = commands.add_parser("compare", help="tell whether two records are equal")
    comparing.add_argument("one", type=Path)
    comparing.add_argument("other", type=Path)
    comparing.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    if options.command == "record":
        record(options.folder, options.only, quick=options.quick)
        return 0
    lines, equal = compare(options.one, options.other, options.only)
    sys.stdout.write("\n".join((*lines, "equal" if equal else "DIFFERENT")) + "\n")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
