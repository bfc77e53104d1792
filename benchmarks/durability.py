"""Kills the server at random moments while entries are sent: none it acknowledged may be lost.

Run as ``python -m benchmarks.durability``; the database is made in a folder that goes afterwards.
"""

from __future__ import annotations

import argparse
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode

from sqlalchemy import text

from webapp.database import open_database
from webapp.store import Store

SERVER = """
import sys
from pathlib import Path
import waitress
from webapp import create_app
app = create_app(sys.argv[1], folder=Path(sys.argv[2]))
waitress.serve(app, host="127.0.0.1", port=int(sys.argv[3]), threads=4)
"""
START_S = 60.0
ANSWER_S = 10.0
KILL_AFTER_S = (0.02, 1.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it.

    Attributes:
        acknowledged: entries that the server answered.
        lost: how many of those are not in the database afterwards, or are not as they were sent.
        kills: how often the server was killed.
        sound: whether the database passed SQLite's integrity check after every kill.
    """

    acknowledged: int
    lost: int
    kills: int
    sound: bool


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _begin_session(port: int) -> dict[str, str]:
    """The headers with which a phone that opened the page sends its forms."""
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    try:
        connection.request("GET", "/")
        page = connection.getresponse()
        cookie = (page.getheader("Set-Cookie") or "").partition(";")[0]
        token = re.search(r'name="csrf-token" content="([^"]+)"', page.read().decode())
    finally:
        connection.close()
    if token is None:
        raise RuntimeError("the page holds no token for its forms")
    kind = "application/x-www-form-urlencoded"
    return {"Content-Type": kind, "Cookie": cookie, "X-CSRFToken": token[1]}


def _send(port: int, headers: dict[str, str], name: str) -> str | None:
    """Enter a new deal with East's name; gives its id when that was acknowledged."""
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    try:
        connection.request("POST", "/deals", urlencode({"name_E": name}), headers)
        answer = connection.getresponse()
        place = answer.getheader("Location") or ""
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
    return place.rsplit("/", 1)[1] if answer.status == 303 else None


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/static/kongbox.css")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


@contextmanager
def _server(url: str, folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    port = _free_port()
    command = [sys.executable, "-c", SERVER, url, str(folder), str(port)]
    with subprocess.Popen(command) as process:  # noqa: S603
        try:
            until = time.monotonic() + START_S
            while not _answers(port):
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError("the server did not start")
                time.sleep(0.05)
            yield process, port
        finally:
            process.kill()


def _sound(url: str) -> bool:
    engine = open_database(url)
    with engine.connect() as connection:
        told = connection.execute(text("PRAGMA integrity_check")).scalar()
        orphans = connection.execute(text("PRAGMA foreign_key_check")).first()
    engine.dispose()
    return told == "ok" and orphans is None


def _lost(url: str, kept: dict[str, str]) -> int:
    engine = open_database(url)
    store = Store(engine)
    found = {deal_id: store.deal(deal_id) for deal_id in kept}
    engine.dispose()
    return sum(
        deal is None or deal.state.player("E").name != kept[deal_id]
        for deal_id, deal in found.items()
    )


def _send_next(port: int, headers: dict[str, str], acknowledged: dict[str, str]) -> None:
    entry = f"entry {len(acknowledged)}"
    deal_id = _send(port, headers, entry)
    if deal_id is not None:
        acknowledged[deal_id] = entry


def endure(entries: int, kills: int, seed: int = 0) -> Outcome:
    """Send ``entries`` deals to a server that is killed ``kills`` times while it answers."""
    chance = random.Random(seed)
    acknowledged: dict[str, str] = {}
    sound = True
    with tempfile.TemporaryDirectory(prefix="kongbox-durability-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'kongbox.sqlite3'}"
        for life in range(kills + 1):
            with _server(url, folder) as (process, port):
                headers = _begin_session(port)
                while len(acknowledged) < entries * (life + 1) // (kills + 1):
                    _send_next(port, headers, acknowledged)
                if life < kills:
                    kill = threading.Timer(chance.uniform(*KILL_AFTER_S), process.kill)
                    kill.start()
                    while process.poll() is None:
                        _send_next(port, headers, acknowledged)
                    kill.join()
            sound = sound and _sound(url)
        return Outcome(len(acknowledged), _lost(url, acknowledged), kills, sound)


def main() -> None:
    """Tell the outcome, and fail if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    outcome = endure(given.entries, given.kills, given.seed)
    sys.stdout.write(
        f"{outcome.acknowledged} entries acknowledged, {outcome.lost} lost, the server killed "
        f"{outcome.kills} times, database {'sound' if outcome.sound else 'DAMAGED'}\n"
    )
    sys.exit(outcome.lost > 0 or not outcome.sound)


if __name__ == "__main__":
    main()
