"""How long a start takes: from the command to the first page, on two cores.

``python -m benchmarks.page.starting`` starts Kongbox for the first time after installing, when
nothing is compiled yet, Python's own library included; with an empty data folder, in which the
database is made; and once more. The last two are done again with all files on the disk alone, as
after the computer was switched on. It fails if a first page takes longer than :data:`MOST_S`.
``--kongbox PROGRAM`` measures an installed one instead of the working copy.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.page.load import SERVE, free_port

MOST_S: Final = 3.0
"""A first page takes at most so many seconds."""

CORES: Final = 2
"""On so many processor cores it is measured."""

GIVEN_UP_S: Final = 60.0
"""A start that takes so many seconds is none."""

LOOK_S: Final = 0.01
"""So many seconds pass between two questions whether the page is there."""

ROOT: Final = Path(__file__).parents[2]
"""The folder of the project."""


@contextmanager
def _two_cores() -> Iterator[None]:
    """Let this process and those it starts use two cores, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:CORES])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def forget(folders: Sequence[Path]) -> None:
    """Let the system drop the files of the folders from memory, those that no program uses now."""
    for folder in folders:
        for path in folder.rglob("*"):
            with suppress(OSError), path.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def first_page_s(command: Sequence[str], surroundings: Mapping[str, str]) -> float:
    """The seconds from starting the command to its first page.

    Raises:
        SystemExit: there is none.
    """
    port = free_port()
    begun = time.monotonic()
    with subprocess.Popen(  # noqa: S603
        [*command, "serve", "--port", str(port)],
        env=os.environ | surroundings,
        stdout=subprocess.DEVNULL,
    ) as process:
        try:
            while not _page_is_there(port):
                if process.poll() is not None or time.monotonic() - begun > GIVEN_UP_S:
                    raise SystemExit("Kongbox did not start")
                time.sleep(LOOK_S)
            return time.monotonic() - begun
        finally:
            process.terminate()


def _page_is_there(port: int) -> bool:
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=GIVEN_UP_S)
    try:
        asked.request("GET", "/")
        answer = asked.getresponse()
        return answer.status == http.HTTPStatus.OK and bool(answer.read())
    except OSError:
        return False
    finally:
        asked.close()


def measure(command: Sequence[str], forgotten: Sequence[Path] = ()) -> dict[str, float]:
    """The seconds to the first page after installing, with an empty data folder, and once more.

    Args:
        command: what starts Kongbox.
        forgotten: before each start the files in these folders are dropped from memory. Right after
            installing they are there, so that start is left out.
    """
    with TemporaryDirectory(prefix="kongbox-starting-") as folder:
        compiled, data, other = (str(Path(folder) / name) for name in ("compiled", "data", "other"))
        starts = {
            "after installing": {"PYTHONPYCACHEPREFIX": compiled, "XDG_DATA_HOME": other},
            "empty folder": {"XDG_DATA_HOME": data},
            "once more": {"XDG_DATA_HOME": data},
        }
        if forgotten:
            del starts["after installing"]
        took = {}
        for name, surroundings in starts.items():
            forget(forgotten)
            took[name] = round(first_page_s(command, surroundings), 2)
        return took


def _installed(program: str) -> tuple[list[str], list[Path]]:
    """The command of an installed program, and the folder of its environment."""
    return [program], [Path(program).resolve().parents[1]]


def main() -> None:
    """Measure, print one JSON object, and fail if a first page takes too long."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kongbox", metavar="PROGRAM", help="an installed program to measure")
    given = parser.parse_args()
    own = [sys.executable, "-c", SERVE], [ROOT, Path(sys.prefix)]
    command, folders = _installed(given.kongbox) if given.kongbox else own
    told: dict[str, Any] = {"load_before": round(os.getloadavg()[0], 1), "cores": CORES}
    with _two_cores():
        told["in memory"] = measure(command)
        told["on the disk"] = measure(command, folders)
    sys.stdout.write(json.dumps(told) + "\n")
    sys.exit(max(*told["in memory"].values(), *told["on the disk"].values()) > MOST_S)


if __name__ == "__main__":
    main()
