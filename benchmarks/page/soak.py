"""Uses the page for an hour and says whether it grows: ``python -m benchmarks.page.soak``.

``kongbox serve`` runs on this machine with a database of its own. Phones look at pages and enter
hands, one after another sends photos: most of them sound, some cut short, some no photos at all.
Meanwhile the memory, the open files and the threads of the server and of the processes that read
photos are written down. After it has warmed up none of them may grow.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import aiohttp

from benchmarks.page.load import PAGES, TIMEOUT, Phone, Seen, served
from webapp.services import SAMPLES_FOLDER

SECONDS: Final = 3600.0
"""Time in seconds over which the requests and photos are spread."""

REQUESTS: Final = 20_000
"""Number of requests, without those that ask whether a photo was read."""

PHOTOS: Final = 600
"""Number of photos."""

PHONES: Final = 8
"""Number of phones that look and enter."""

ENTRY: Final = 5
"""One request of so many is an entry; the others look at pages."""

SAMPLE_EVERY_S: Final = 15.0
"""Time in seconds between two samples of memory, files and threads."""

MOST_GROWTH_MB: Final = 50.0
"""Maximum growth of the memory in megabytes after warming up."""

MOST_MORE: Final = 8.0
"""Maximum growth of the number of open files or threads: connections come and go."""

ASK_S: Final = 0.6
"""Time in seconds after which a phone asks again whether its photo was read."""

MOST_ASKED: Final = 500
"""Number of times that a phone asks; then the next photo is sent."""

HANDS: Final = 12
"""Number of hands at a table before the next one is opened."""


@dataclass(frozen=True)
class Sample:
    """What server and workers held at a moment.

    Attributes:
        second: the time since the first sample in seconds.
        requests: number of requests until then.
        photos: number of photos until then.
        server_mb: memory of the server in megabytes.
        server_files: number of files that it had open.
        server_threads: number of its threads.
        workers: number of processes that the server had started.
        workers_mb: their memory in megabytes, together.
        workers_files: number of files that they had open.
        workers_threads: number of their threads.
    """

    second: float
    requests: int
    photos: int
    server_mb: float
    server_files: int
    server_threads: int
    workers: int
    workers_mb: float
    workers_files: int
    workers_threads: int


GROWS: Final = {
    field.name: MOST_GROWTH_MB if field.name.endswith("_mb") else MOST_MORE
    for field in fields(Sample)
    if field.name.startswith(("server_", "workers_"))
}
"""The maximum growth of each figure after warming up."""


def _of_process(process: int) -> tuple[float, int, int]:
    """The memory in megabytes, the open files and the threads of a process; none if it is gone."""
    folder = Path(f"/proc/{process}")
    try:
        status = (folder / "status").read_text("ascii")
        files = len(list((folder / "fd").iterdir()))
    except OSError:
        return 0.0, 0, 0
    found = dict(re.findall(r"(VmRSS|Threads):\s+(\d+)", status))
    return int(found.get("VmRSS", 0)) / 1024, files, int(found.get("Threads", 0))


def children(process: int) -> list[int]:
    """The ids of the processes that a process has started, and of those that they have."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text("utf-8").rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == process:
            found += [int(stat.parent.name), *children(int(stat.parent.name))]
    return found


def sampled(process: int, second: float, requests: int, photos: int) -> Sample:
    """What a server and its workers hold now."""
    own, others = _of_process(process), [_of_process(child) for child in children(process)]
    together = [sum(figures) for figures in zip(*others, strict=True)] or [0.0, 0, 0]
    return Sample(
        round(second, 1), requests, photos, *own, len(others), together[0], *map(int, together[1:])
    )


def growth(samples: Sequence[Sample]) -> dict[str, float]:
    """How much each figure grew: the last quarter of the samples against the second one."""
    quarter = len(samples) // 4
    second, last = samples[quarter : 2 * quarter], samples[-quarter:]

    def middle(of: Sequence[Sample], name: str) -> float:
        return float(median(getattr(sample, name) for sample in of))

    return {name: round(middle(last, name) - middle(second, name), 1) for name in GROWS}


def passed(grown: dict[str, float]) -> bool:
    """Whether nothing grew by more than it may."""
    return all(grown[name] <= most for name, most in GROWS.items())


@dataclass
class Soak:
    """A run: the phones, and how far they are.

    Attributes:
        address: where the page is served.
        seconds: the time over which the work is spread.
        requests: number of requests to make.
        photos: number of photos to send.
        asked: number of requests made so far.
        sent: number of photos sent so far.
    """

    address: str
    seconds: float
    requests: int
    photos: int
    asked: int = 0
    sent: int = 0

    def __post_init__(self) -> None:
        """Begin to count the time."""
        self.begun = time.monotonic()

    async def _in_time(self, done: int, of: int) -> None:
        """Wait until it is time for the next of so many."""
        due = self.begun + self.seconds * done / of
        await asyncio.sleep(max(0.0, due - time.monotonic()))

    async def use(self, phone: Phone, chance: random.Random) -> None:
        """Look at a table and enter hands there, then at the next one."""
        hands, table = HANDS, ""
        while self.asked < self.requests:
            number, self.asked = self.asked, self.asked + 1
            await self._in_time(number, self.requests)
            if hands == HANDS:
                form = {f"name_{seat}": f"P{seat}" for seat in "ESWN"} | {"ruleset": "bmja-u3a"}
                hands, table = 0, await phone.post("/tables", form)
            elif not hands or chance.randrange(ENTRY) == 0:
                hands += 1
                await phone.post(f"{table}/drawn", {})
            else:
                await phone.get(table + chance.choice(PAGES))

    async def photograph(self, phone: Phone) -> None:
        """Send one photo after another and wait until each was read or refused."""
        sound = [path.read_bytes() for path in sorted((SAMPLES_FOLDER / "samples").glob("*.jpg"))]
        deal = ""
        while self.sent < self.photos:
            number, self.sent = self.sent, self.sent + 1
            await self._in_time(number, self.photos)
            if number % 4 == 0:
                deal = await phone.post("/deals", {})
            data = sound[number % 4]
            if number % 10 == 9:
                data = data[: len(data) // 2] if number % 20 == 9 else data[100:]
            where = await self._send(phone, f"{deal}/players/{'ESWN'[number % 4]}/photo", data)
            for _ in range(MOST_ASKED):
                if not where or not await self._waits(phone, where):
                    break
                await asyncio.sleep(ASK_S)

    async def _waits(self, phone: Phone, where: str) -> bool:
        """Whether a photo is still waiting or being read."""
        async with phone.web.get(self.address + where, allow_redirects=False) as answer:
            return 'http-equiv="refresh"' in await answer.text()

    async def _send(self, phone: Phone, path: str, data: bytes) -> str:
        form = aiohttp.FormData()
        form.add_field("photo", data, filename="photo.jpg", content_type="image/jpeg")
        headers = {"X-CSRFToken": phone.token}
        where = self.address + path
        async with phone.web.post(where, data=form, headers=headers, allow_redirects=False) as told:
            await told.read()
        if told.status not in (303, 503):
            phone.seen.errors.append(f"{told.status} {path}")
        return told.headers.get("Location", "").split("#")[0]


async def soak(run: Soak, process: int, phones: int, every_s: float) -> tuple[list[Sample], Seen]:
    """Use the page, and write down what the server and its workers hold."""
    seen, samples = Seen(), []
    jars = [
        aiohttp.ClientSession(timeout=TIMEOUT, cookie_jar=aiohttp.CookieJar(unsafe=True))
        for _ in range(phones + 1)
    ]
    try:
        everybody = [Phone(jar, run.address, seen) for jar in jars]
        for phone in everybody:
            await phone.open()
        work = [asyncio.create_task(run.photograph(everybody[0]))]
        work += [
            asyncio.create_task(run.use(phone, random.Random(number)))
            for number, phone in enumerate(everybody[1:])
        ]
        while not all(task.done() for task in work):
            now = time.monotonic() - run.begun
            samples.append(sampled(process, now, run.asked, run.sent))
            sys.stderr.write(json.dumps(asdict(samples[-1])) + "\n")
            await asyncio.wait(work, timeout=every_s)
        await asyncio.gather(*work)
    finally:
        for jar in jars:
            await jar.close()
    return samples, seen


def measure(
    seconds: float,
    requests: int,
    photos: int,
    phones: int = PHONES,
    every_s: float = SAMPLE_EVERY_S,
) -> dict[str, object]:
    """The figures of one run."""
    with (
        TemporaryDirectory(prefix="kongbox-soak-") as folder,
        served(Path(folder)) as (port, process),
    ):
        run = Soak(f"http://127.0.0.1:{port}", seconds, requests, photos)
        samples, seen = asyncio.run(soak(run, process, phones, every_s))
    grown = growth(samples)
    return {
        "seconds": round(time.monotonic() - run.begun),
        "requests": run.asked,
        "photos": run.sent,
        "errors": len(seen.errors),
        "first_errors": seen.errors[:3],
        "grown": grown,
        "flat": passed(grown),
        "first": asdict(samples[len(samples) // 4]),
        "last": asdict(samples[-1]),
        "cores": os.cpu_count(),
    }


def main() -> None:
    """Print one JSON object, and fail if something grew or an answer was an error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--requests", type=int, default=REQUESTS)
    parser.add_argument("--photos", type=int, default=PHOTOS)
    given = parser.parse_args()
    told = measure(given.seconds, given.requests, given.photos)
    sys.stdout.write(json.dumps(told) + "\n")
    sys.exit(not told["flat"] or bool(told["errors"]))


if __name__ == "__main__":
    main()
