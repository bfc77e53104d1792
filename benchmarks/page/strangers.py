"""What strangers on the Wi-Fi cost the server: ``python -m benchmarks.page.strangers``.

``kongbox serve`` runs on this machine with a club's accounts. Passwords are guessed by many at
once, one of them the right one, at one name and at many; then large bodies are sent by someone who
may not send any. At last a thousand connections are kept that send or take next to nothing, and are
made again where they are closed. Meanwhile someone else asks for a page: the figures are how many
guesses were checked, the longest answer, the most memory of the server and the most it put on the
disk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, Final
from urllib.parse import urlencode

from benchmarks.page import load
from webapp.database.engine import open_database
from webapp.runtime.os_support import allow_open_files
from webapp.security.accounts import Accounts

ME: Final = "127.0.0.1"
GUESSER: Final = "127.0.0.2"
OTHER_GUESSER: Final = "127.0.0.3"
SLOW: Final = "127.0.0.4"
NAME: Final = "Sue"
PASSWORD: Final = "teapot ladder moss"  # noqa: S105
GUESSES: Final = 40
"""Number of passwords that are guessed at once for one name, the right one in the middle."""

NAMES: Final = 72
"""Number of names for which a password is guessed at once."""

BODIES: Final = 6
"""Number of large bodies that are sent at once."""

BODY_BYTES: Final = 60 * 1024**2
"""Size of a large body in bytes."""

PART: Final = bytes(64 * 1024)
"""What is sent of a body at once."""

HELD: Final = 1000
"""Number of slow connections that are kept from one address."""

HELD_S: Final = 20.0
"""How long they are kept, in seconds."""

TRICKLE_S: Final = 1.0
"""Seconds between two bytes on a slow connection."""

AGAIN_S: Final = 5.0
"""Seconds until a slow connection that was closed is made again."""

WAYS: Final = {
    "idle": b"",
    "slow heads": b"GET / HTTP/1.1\r\nX-Slow: ",
    "slow bodies": b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n",
    "slow readers": b"GET /static/samples/east.jpg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
}
"""How connections are slow: what is sent at first. Unless it is nothing, a byte follows now and
then; of what is answered nothing is taken."""

ANSWER_S: Final = 60.0
"""Maximum time in seconds for an answer."""

MOST_MEMORY_MB: Final = 300
"""Maximum growth of the server's memory in megabytes under any of the attacks."""

MOST_WAIT_MS: Final = 3000.0
"""Maximum time in milliseconds in which the page answers under any of the attacks."""

SLOW_MS: Final = 100.0
"""Maximum time in milliseconds of the slowest hundredth while someone keeps slow connections."""


@dataclass(frozen=True)
class Server:
    """A server of our own: its port and the id of its process."""

    port: int
    process: int

    def memory_mb(self, field: str) -> float:
        """A field of the memory of the process in megabytes: VmRSS now, VmHWM at most."""
        status = Path(f"/proc/{self.process}/status").read_text("ascii")
        found = re.search(rf"{field}:\s+(\d+) kB", status)
        return 0.0 if found is None else int(found[1]) / 1024

    def begin(self) -> float:
        """Count the most memory from now on; the memory now, in megabytes."""
        Path(f"/proc/{self.process}/clear_refs").write_text("5", "ascii")
        return self.memory_mb("VmRSS")

    def spooled_mb(self) -> float:
        """Megabytes in files that the server has open but that have no name any more."""
        total = 0
        for opened in Path(f"/proc/{self.process}/fd").iterdir():
            with suppress(OSError):
                nameless = opened.readlink().name.endswith("(deleted)")
                total += opened.stat().st_size if nameless else 0
        return total / 1024**2


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    """Run ``kongbox serve`` for a club with one account, and stop it afterwards."""
    database = f"sqlite:///{folder / 'club.sqlite3'}"
    engine = open_database(database)
    Accounts(engine).add(NAME, "secretary", PASSWORD)
    engine.dispose()
    with load.served(folder, "--db", database) as (port, process):
        yield Server(port, process)


def _asked(
    server: Server, method: str, path: str, body: bytes = b"", me: str = ME, **headers: str
) -> tuple[int, str, str]:
    """The status of the answer, its text and its cookie."""
    connection = HTTPConnection("127.0.0.1", server.port, ANSWER_S, source_address=(me, 0))
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request(method, path, body or None, sent)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers.get("Set-Cookie", "")
    except (OSError, HTTPException) as error:
        return 0, repr(error), ""
    finally:
        connection.close()


def _guess(server: Server, me: str, name: str, password: str) -> int:
    _, page, cookie = _asked(server, "GET", "/login", me=me)
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    form = {"name": name, "password": password, "csrf_token": token[1] if token else ""}
    return _asked(
        server,
        "POST",
        "/login",
        urlencode(form).encode(),
        me,
        Cookie=cookie.partition(";")[0],
        Content_Type="application/x-www-form-urlencoded",
    )[0]


def _send_body(server: Server, path: str) -> int:
    """Send a large body as fast as it is taken; the status of the answer, 0 if there is none."""
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {BODY_BYTES}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), ANSWER_S) as connection:
        with suppress(OSError):
            connection.sendall(head.encode())
            for _ in range(BODY_BYTES // len(PART)):
                connection.sendall(PART)
        with suppress(OSError):
            found = re.match(rb"HTTP/1\.1 (\d+)", connection.recv(64 * 1024))
            return int(found[1]) if found else 0
    return 0


def keep_slow(port: int, begin: bytes, held: int, seconds: float) -> int:
    """Keep so many slow connections for a while; how often one was made."""
    made, until = 0, time.monotonic() + seconds

    async def one(late: float) -> None:
        nonlocal made
        await asyncio.sleep(late)
        while time.monotonic() < until:
            with suppress(OSError):
                line = socket.socket()
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.bind((SLOW, 0))
                line.connect((ME, port))
                reader, writer = await asyncio.open_connection(sock=line, limit=1)
                made += 1
                writer.write(begin)
                while not (reader.at_eof() or writer.is_closing()) and time.monotonic() < until:
                    await asyncio.sleep(TRICKLE_S)
                    writer.write(begin and b"a")
                writer.transport.abort()
            await asyncio.sleep(AGAIN_S)

    async def every() -> None:
        await asyncio.gather(*(one(AGAIN_S * number / held) for number in range(held)))

    asyncio.run(every())
    return made


def attack(
    server: Server, attempts: Sequence[Callable[[], int]], page: str = "/healthz"
) -> dict[str, Any]:
    """Do all attempts at once; the figures of the server, and of the page asked meanwhile."""
    before = server.begin()
    statuses: list[int] = []
    threads = [Thread(target=lambda one: statuses.append(one()), args=[one]) for one in attempts]
    waits: list[float] = []
    spooled, over = [0.0], Event()

    def watch() -> None:
        while not over.is_set():
            spooled.append(server.spooled_mb())
            over.wait(0.02)

    watching = Thread(target=watch)
    watching.start()
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        asked = time.monotonic()
        _asked(server, "GET", page)
        waits.append(time.monotonic() - asked)
        time.sleep(0.05)
    took = time.monotonic() - begun
    over.set()
    watching.join()
    return {
        "attempts": len(attempts),
        "statuses": {str(status): n for status, n in sorted(Counter(statuses).items())},
        "seconds": round(took, 1),
        "answers": load.times(waits),
        "memory_before_mb": round(before),
        "memory_most_mb": round(server.memory_mb("VmHWM")),
        "spooled_most_mb": round(max(spooled)),
    }


def measure() -> dict[str, dict[str, Any]]:
    """The figures of each attack, on one server."""
    with TemporaryDirectory(prefix="kongbox-strangers-") as folder, served(Path(folder)) as server:
        _asked(server, "GET", "/login")
        bodies = attack(server, [partial(_send_body, server, "/login")] * BODIES)
        passwords = [f"guess {number}" for number in range(GUESSES)]
        passwords[GUESSES // 2] = PASSWORD
        one = [partial(_guess, server, GUESSER, NAME, password) for password in passwords]
        many = [partial(_guess, server, OTHER_GUESSER, f"X{n}", "guess") for n in range(NAMES)]
        return {
            "bodies": bodies,
            "one name": attack(server, one),
            "names": attack(server, many),
            **{way: keep(server, begin) for way, begin in WAYS.items()},
        }


def keep(server: Server, begin: bytes) -> dict[str, Any]:
    """The figures while another process keeps slow connections of a kind."""
    made: list[int] = []
    with ProcessPoolExecutor(1, get_context("spawn")) as other:
        other.submit(allow_open_files, HELD + 100).result()

        def wait() -> int:
            kept = other.submit(keep_slow, server.port, begin, HELD, HELD_S)
            made.append(kept.result())
            return 0

        return attack(server, [wait], "/login") | {"attempts": sum(made)}


def main() -> None:
    """Measure, print one JSON object, and fail if a limit is exceeded."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    told = measure()
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    missed = [
        name
        for name, seen in told.items()
        if seen["memory_most_mb"] - seen["memory_before_mb"] > MOST_MEMORY_MB
        or seen["answers"]["most_ms"] > MOST_WAIT_MS
        or (name in WAYS and seen["answers"]["p99_ms"] > SLOW_MS)
    ]
    sys.exit(" ".join(missed) and f"over the limits: {', '.join(missed)}")


if __name__ == "__main__":
    main()
