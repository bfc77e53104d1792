"""Tells how far pip has come: ``pip install -r FILE | python -m supply.progress FILE``.

One line for each package, which a terminal shows in place of the one before. What goes wrong pip
says itself, on standard error.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_PIN: Final = re.compile(r"^[a-z0-9-]+(?:\[.*\])?==[^\\]*", re.MULTILINE)
_SEEN: Final = re.compile(r"(?:Collecting|Requirement already satisfied:) ([A-Za-z0-9._-]+)")
_ELSEWHERE: Final = "Ignoring "
"""How pip begins its line about a package that this computer does not need."""
_UNPACKING: Final = "Installing collected packages"


def steps(locks: Iterable[str], printed: Iterable[str]) -> Iterator[str]:
    """What is told of the lines that pip prints.

    Args:
        locks: the texts of the files that list the packages.
        printed: the lines of pip.
    """
    pins = {pin for text in locks for pin in _PIN.findall(text)}
    seen: set[str] = set()
    elsewhere: set[str] = set()
    for line in printed:
        if line.startswith(_ELSEWHERE):
            elsewhere.add(line)
        found = _SEEN.match(line)
        if found and found[1] not in seen:
            seen.add(found[1])
            yield f"  {len(seen)} of {len(pins) - len(elsewhere)}: {found[1]}"
        elif line.startswith(_UNPACKING):
            yield f"  {len(seen)} packages are put in place; that takes a little longer."


def main() -> None:
    """Tell of what comes in on standard input until it ends."""
    locks = [Path(name).read_text("utf-8") for name in sys.argv[1:]]
    begin, end = ("\r\x1b[K", "") if sys.stdout.isatty() else ("", "\n")
    for step in steps(locks, sys.stdin):
        sys.stdout.write(f"{begin}{step}{end}")
        sys.stdout.flush()
    sys.stdout.write("\n" if begin else "")


if __name__ == "__main__":
    main()
