"""Measures an association's machines: ``python -m benchmarks.machines``.

PostgreSQL, two web servers and up to three workers run as processes of this machine, with clubs
that have a made-up season. Measured are the time until a phone at one server shows what was entered
at the other, the photos that workers read in a second, the times of pages with many phones, and
what is lost or doubled when random processes are killed. From the times of reading it is worked out
how many workers a thousand clubs need.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any, Final

import aiohttp
import numpy as np
from sqlalchemy import Engine

from benchmarks.machines.cluster import Machine, postgres, running, server, worker
from benchmarks.machines.kills import crowd, judge, kill_while_they_play, settled
from benchmarks.machines.photos import another
from benchmarks.machines.simulation import CLUBS, arrivals, needed
from benchmarks.page.load import TIMEOUT, Phone, Seen, load, times
from webapp.association.clubs import Clubs
from webapp.association.places import Places
from webapp.association.queue.tasks import Asked, Tasks
from webapp.book.demo_season import fill
from webapp.database.engine import open_database

SEASON: Final = 3
"""Number of evenings that each club has played."""

LIVE: Final = 40
"""Number of entries of which it is measured how soon a phone at the other server shows them."""

PHOTOGRAPHS: Final = 10
"""Of how many clubs one has photos read without a break: four of forty send some four a second."""


def made_clubs(
    engine: Engine, folder: Path, count: int, name: str = "club", evenings: int = SEASON
) -> list[str]:
    """Add clubs with a made-up season of so many evenings; gives their addresses."""
    clubs, places = Clubs(engine), Places(engine, folder)
    found = []
    for number in range(count):
        club = clubs.add(f"{name}-{number:03}", f"{name} {number}")
        own = places.database_of(club.id)
        if evenings:
            fill(own, evenings=evenings, seed=number, last_day=date(2026, 1, 8))
        found.append(club.id)
    return found


async def live_times(club: str, one: Machine, other: Machine, count: int) -> list[float]:
    """Seconds from an entry at one server until a phone at the other is told."""
    seen, delays = Seen(), []
    async with (
        aiohttp.ClientSession(timeout=TIMEOUT, cookie_jar=aiohttp.CookieJar(unsafe=True)) as here,
        aiohttp.ClientSession(timeout=TIMEOUT, cookie_jar=aiohttp.CookieJar(unsafe=True)) as there,
    ):
        scorer = Phone(here, f"http://127.0.0.1:{one.port}/{club}", seen)
        await scorer.open()
        form = {f"name_{seat}": f"P{seat}" for seat in "ESWN"} | {"ruleset": "bmja-u3a"}
        table = await scorer.post("/tables", form)
        stream = await there.get(f"http://127.0.0.1:{other.port}/{club}{table}/live")
        await _next_token(stream)
        for _ in range(count):
            begun = time.perf_counter()
            told = asyncio.create_task(_next_token(stream))
            await scorer.post(f"{table}/drawn", {})
            try:
                await asyncio.wait_for(told, 5)
                delays.append(time.perf_counter() - begun)
            except (TimeoutError, StopAsyncIteration):
                stream = await there.get(f"http://127.0.0.1:{other.port}/{club}{table}/live")
                await _next_token(stream)
            if len(delays) % 12 == 11:
                await scorer.post(f"{table}/undo", {})
                await _next_token(stream)
    return delays


async def _next_token(stream: aiohttp.ClientResponse) -> str:
    async for line in stream.content:
        if line.startswith(b"data: "):
            return line.decode()
    raise StopAsyncIteration


def throughput(tasks: Tasks, photos: int) -> float:
    """Photos that the workers which run now read in a second."""
    asked = [tasks.ask(Asked(f"{n}.jpg", another(n), with_picture=True)) for n in range(photos)]
    begun = time.monotonic()
    while not all(map(tasks.is_done, asked)):
        time.sleep(0.05)
    return photos / (time.monotonic() - begun)


async def crowded(clubs: Sequence[str], servers: Sequence[Machine], phones: int, s: float) -> Seen:
    """The times of pages with phones of all clubs at both servers.

    In one of :data:`PHOTOGRAPHS` clubs photos are read without a break, which is more than clubs
    send in :mod:`~benchmarks.machines.simulation`.
    """
    each = max(3, phones // len(clubs))
    roots = [f"http://127.0.0.1:{servers[n % len(servers)].port}/{c}" for n, c in enumerate(clubs)]
    runs = [
        load(root, each, 2, s, number, photos=number % PHOTOGRAPHS == 0)
        for number, root in enumerate(roots)
    ]
    together = Seen()
    for seen in await asyncio.gather(*runs):
        together.pages += seen.pages
        together.entries += seen.entries
        together.told += seen.told
        together.errors += seen.errors
    return together


def measure(given: argparse.Namespace) -> dict[str, Any]:
    """All figures of one run."""
    told: dict[str, Any] = {"clubs": given.clubs, "phones": given.phones}
    with ExitStack() as open_now:
        folder = Path(open_now.enter_context(tempfile.TemporaryDirectory(prefix="kongbox-")))
        address = open_now.enter_context(postgres())
        engine = open_database(address)
        open_now.callback(engine.dispose)
        clubs = made_clubs(engine, folder, given.clubs)
        servers = [server(name, address, folder) for name in ("one", "other")]
        workers = [worker(f"worker{number}", address, folder) for number in range(3)]
        tasks = Tasks(engine)
        open_now.callback(tasks.close)
        with running(workers[0]):
            throughput(tasks, 3)
            one = throughput(tasks, given.photos)
        with running(*workers):
            throughput(tasks, 9)
            three = throughput(tasks, given.photos)
        told["photos_a_second"] = {"one_worker": round(one, 2), "three": round(three, 2)}
        told["ratio"] = round(three / one, 2)
        with running(*servers, workers[0]):
            delays = asyncio.run(live_times(clubs[0], servers[0], servers[1], LIVE))
            told["told_at_the_other_server"] = times(delays)
            seen = asyncio.run(crowded(clubs, servers, given.phones, given.seconds))
            told["pages"], told["entries"] = times(seen.pages), times(seen.entries)
            told["errors"], told["first_errors"] = len(seen.errors), seen.errors[:3]
        empty = made_clubs(engine, folder, given.crowds, "empty", evenings=0)
        crowds = [crowd(club, 2) for club in empty]
        with running(*servers, *workers[:2]):
            kills = kill_while_they_play(crowds, servers, workers[:2], given.kills)
            engines = [Places(engine, folder).database_of(each.club) for each in crowds]
            settled(engines)
            outcome = judge(crowds, engines, kills)
        told["kills"], told["passed"] = asdict(outcome), outcome.passed
        found = needed(arrivals(np.random.default_rng(0)), [1 / one])
        told["workers_for_clubs"] = {"clubs": CLUBS, **asdict(found)}
    return told


def main() -> None:
    """Print one JSON object, and fail if anything was lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clubs", type=int, default=40)
    parser.add_argument("--phones", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--photos", type=int, default=24)
    parser.add_argument("--crowds", type=int, default=4)
    parser.add_argument("--kills", type=int, default=100)
    told = measure(parser.parse_args())
    sys.stdout.write(json.dumps(told) + "\n")
    sys.exit(not told["passed"])


if __name__ == "__main__":
    main()
