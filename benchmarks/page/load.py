"""Fifty phones at twelve tables while photos are read: ``python -m benchmarks.page.load``.

``kongbox serve`` runs on this machine with a database of its own. Each phone follows its table by
server-sent events, as the page does, fetches the table again when it changed, and opens another
page every few seconds; washed-out hands and totals are entered at the tables, and sample photos are
read meanwhile. The figures are the times of pages, of entries, and from an entry until the phones
show it. In addition, as ``burst``, all phones open their tables at once; no club does that, but it
shows the longest wait.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp

PHONES: Final = 50
"""Number of phones."""

TABLES: Final = 12
"""Number of tables."""

SECONDS: Final = 30.0
"""Duration of the measurement in seconds."""

LOOK_S: Final = (2.0, 10.0)
"""Least and greatest time in seconds that a phone stays on a page."""

ENTRY_S: Final = 15.0
"""Time in seconds between entries at a table; real hands take minutes."""

SERVE: Final = "from webapp.cli.main import main; main()"
"""The Python program that runs ``kongbox`` in a process of its own."""

ARRIVE_S: Final = 8.0
"""Time in seconds in which all phones open the page, before the measurement."""

BURSTS: Final = 3
"""Number of times that all phones open their tables at once."""

BURST_PAUSE_S: Final = 2.0
"""Time in seconds between these bursts."""

LIVE: Final = {"HX-Request": "true", "HX-Target": "game"}
"""Headers with which an open page asks for changes."""

START_S: Final = 90.0
"""Maximum time in seconds for the server to start."""

TIMEOUT: Final = aiohttp.ClientTimeout(total=None, sock_connect=30, sock_read=60)
"""Timeouts of the phones' connections."""

MEDIAN_MS: Final = 50.0
"""Maximum median time of a page in milliseconds."""

SLOW_MS: Final = 300.0
"""Maximum time of the slowest pages in milliseconds."""

PAGES: Final = ("", "", "", "/history", "/sheets", "/hands/1", "/hands/1/totals")
"""The pages of a table that phones open at random, mostly the table itself."""


@dataclass
class Seen:
    """The measurements of all phones; times in seconds."""

    pages: list[float] = field(default_factory=list)
    entries: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    photos: list[float] = field(default_factory=list)
    burst: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    entered_at: dict[str, float] = field(default_factory=dict)


class Phone:
    """One browser: its cookies, its token and its table."""

    def __init__(self, web: aiohttp.ClientSession, address: str, seen: Seen) -> None:
        self.web, self.address, self.seen = web, address, seen
        self.root = urlsplit(address).path
        self.token = ""

    async def get(self, path: str, headers: Mapping[str, str] | None = None) -> str:
        """Fetch a page and record the time it took."""
        begun = time.perf_counter()
        async with self.web.get(self.address + path, headers=headers) as answer:
            text = await answer.text()
        self.seen.pages.append(time.perf_counter() - begun)
        if answer.status != 200:
            self.seen.errors.append(f"{answer.status} {path}")
        return text

    async def open(self) -> None:
        """Open the first page, which sets the session and the token of the forms."""
        found = re.search(r'name="csrf-token" content="([^"]+)"', await self.get("/"))
        self.token = found[1] if found else ""

    async def post(self, path: str, form: dict[str, str]) -> str:
        """Send a form as the page does, and return the address of the answer."""
        begun = time.perf_counter()
        headers = {"X-CSRFToken": self.token}
        where = self.address + path
        async with self.web.post(
            where, data=form, headers=headers, allow_redirects=False
        ) as answer:
            await answer.read()
        self.seen.entries.append(time.perf_counter() - begun)
        if answer.status != 303:
            self.seen.errors.append(f"{answer.status} {path}")
        return answer.headers.get("Location", "").split("#")[0].removeprefix(self.root)

    async def follow(self, table: str, late: float) -> None:
        """Stay on the stream of a table and fetch the table whenever it changes."""
        await asyncio.sleep(late)
        known = ""
        wait_s = 0.5
        while True:
            async with self.web.get(f"{self.address}{table}/live") as answer:
                async for line in answer.content:
                    name, _, value = line.decode().strip().partition(": ")
                    if name == "retry":
                        wait_s = int(value) / 1000
                    elif name == "data" and value != known:
                        if known and (entered := self.seen.entered_at.get(table)):
                            self.seen.told.append(time.perf_counter() - entered)
                        known = value
                        await self.get(table, LIVE)
            await asyncio.sleep(wait_s)

    async def look_around(self, table: str, chance: random.Random) -> None:
        """Look at one page of the table after another."""
        while True:
            await asyncio.sleep(chance.uniform(*LOOK_S))
            await self.get(table + chance.choice(PAGES))

    async def enter(self, table: str, chance: random.Random) -> None:
        """Enter hands at the table."""
        await asyncio.sleep(chance.uniform(0, ENTRY_S))
        while True:
            self.seen.entered_at[table] = time.perf_counter()
            await self.post(f"{table}/drawn", {})
            await asyncio.sleep(ENTRY_S)

    async def photograph(self) -> None:
        """Have one sample photo read after another."""
        deal = await self.post("/deals", {})
        number = 0
        while True:
            begun = time.perf_counter()
            where = await self.post(
                f"{deal}/players/{'ESWN'[number % 4]}/sample", {"number": str(number % 4)}
            )
            while "/photos/" in where:
                await asyncio.sleep(0.7)
                async with self.web.get(self.address + where, allow_redirects=False) as answer:
                    await answer.read()
                if answer.status == 303:
                    break
            self.seen.photos.append(time.perf_counter() - begun)
            number += 1


async def _open_tables(phone: Phone, tables: int) -> list[str]:
    form = {"ruleset": "bmja-u3a"}
    return [
        await phone.post("/tables", form | {f"name_{seat}": f"P{seat}{table}" for seat in "ESWN"})
        for table in range(tables)
    ]


async def _burst(phones: Sequence[Phone], tables: Sequence[str]) -> list[float]:
    """Every phone opens its table in the same instant, a few times over."""
    met = Seen()
    for phone in phones:
        phone.seen = met
    for _ in range(BURSTS):
        await asyncio.sleep(BURST_PAUSE_S)
        await asyncio.gather(
            *(phone.get(tables[number % len(tables)]) for number, phone in enumerate(phones))
        )
    if met.errors:
        raise RuntimeError(met.errors[0])
    return met.pages


async def load(
    address: str, phones: int, tables: int, seconds: float, seed: int, *, photos: bool = True
) -> Seen:
    """Use the page at an address with that many phones for that many seconds.

    Args:
        address: the address of the page.
        phones: number of phones, beside the one that enters tables and the one that photographs.
        tables: number of tables.
        seconds: length of the measurement.
        seed: draws which pages are looked at.
        photos: whether one photo after another is read meanwhile.
    """
    seen, warm = Seen(), Seen()
    jars = [
        aiohttp.ClientSession(timeout=TIMEOUT, cookie_jar=aiohttp.CookieJar(unsafe=True))
        for _ in range(phones + 2)
    ]
    try:
        everybody = [Phone(jar, address, warm) for jar in jars]
        for phone in everybody:
            await phone.open()
        opened = await _open_tables(everybody[0], tables)
        for table in opened:
            await everybody[0].post(f"{table}/drawn", {})
        work = [asyncio.create_task(everybody[1].photograph())] if photos else []
        others = len(work)
        for number, phone in enumerate(everybody[2:]):
            chance = random.Random(seed + number)
            table = opened[number % tables]
            work.append(asyncio.create_task(phone.follow(table, chance.uniform(0, ARRIVE_S))))
            work.append(asyncio.create_task(phone.look_around(table, chance)))
            if number < tables:
                work.append(asyncio.create_task(phone.enter(table, chance)))
        await asyncio.sleep(ARRIVE_S)
        for phone in everybody:
            phone.seen = seen
        done, _ = await asyncio.wait(work, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in work[others:]:
            task.cancel()
        seen.burst = await _burst(everybody[2:], opened)
        for task in work[:others]:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        seen.errors += [repr(task.exception()) for task in done]
    finally:
        for jar in jars:
            await jar.close()
    seen.errors += warm.errors
    return seen


def free_port() -> int:
    """A port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def served(folder: Path, *options: str) -> Iterator[tuple[int, int]]:
    """Run ``kongbox serve`` with its data in a folder; yields its port and its process's id."""
    port = free_port()
    command = [sys.executable, "-c", SERVE, "serve", "--port", str(port), *options]
    surroundings = os.environ | {"XDG_DATA_HOME": str(folder)}
    with subprocess.Popen(  # noqa: S603
        command, env=surroundings, stdout=subprocess.DEVNULL
    ) as process:
        try:
            until = time.monotonic() + START_S
            while True:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                if process.poll() is not None or time.monotonic() > until:
                    raise SystemExit("the server did not start")
                time.sleep(0.1)
            yield port, process.pid
        finally:
            process.terminate()


def times(values: list[float]) -> dict[str, float | int]:
    """The number of times, and their median, 99th of a hundred and greatest in milliseconds."""
    if len(values) < 2:
        return {"count": len(values)}
    cuts = quantiles(values, n=100, method="inclusive")
    return {
        "count": len(values),
        "median_ms": round(1000 * median(values), 1),
        "p99_ms": round(1000 * cuts[98], 1),
        "most_ms": round(1000 * max(values), 1),
    }


def measure(phones: int, tables: int, seconds: float, seed: int = 0) -> dict[str, Any]:
    """The figures of one run, with the load of the machine before it."""
    before = os.getloadavg()[0]
    with (
        TemporaryDirectory(prefix="kongbox-load-") as folder,
        served(Path(folder)) as (port, _),
    ):
        seen = asyncio.run(load(f"http://127.0.0.1:{port}", phones, tables, seconds, seed))
    return {
        "phones": phones,
        "tables": tables,
        "seconds": seconds,
        "pages": times(seen.pages),
        "entries": times(seen.entries),
        "phones_told": times(seen.told),
        "photos": times(seen.photos),
        "burst": times(seen.burst),
        "errors": len(seen.errors),
        "first_errors": seen.errors[:3],
        "load_before": round(before, 1),
        "cores": os.cpu_count(),
    }


def main() -> None:
    """Measure, print one JSON object, and fail if a limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=PHONES)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    given = parser.parse_args()
    told = measure(given.phones, given.tables, given.seconds)
    sys.stdout.write(json.dumps(told) + "\n")
    pages = told["pages"]
    missed = told["errors"] or pages["median_ms"] >= MEDIAN_MS or pages["p99_ms"] >= SLOW_MS
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
