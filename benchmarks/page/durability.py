"""Kills the server at random moments while entries are sent: no acknowledged entry may be lost.

Run as ``python -m benchmarks.page.durability``; the database is in a temporary folder. The entries
are those of an evening: deals, tiles, disputes, hands at a table, and hands that were entered on a
phone without a connection. An entry that was not acknowledged is sent again to the next server, as
a phone does, and must then count once.
"""

from __future__ import annotations

import argparse
import json
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
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode

from sqlalchemy import func, select, text
from sqlalchemy.orm import sessionmaker

from webapp.database.disputes import DisputeEventRow
from webapp.database.engine import open_database
from webapp.database.ids import new_id
from webapp.deal.store import Store
from webapp.games.store import GameStore

SERVER = """
import sys
from pathlib import Path
import waitress
from webapp import create_app
app = create_app(sys.argv[1], folder=Path(sys.argv[2]))
waitress.serve(app, host="127.0.0.1", port=int(sys.argv[3]), threads=4)
"""
START_S = 60.0
"""Maximum time in seconds for the server to start."""
ANSWER_S = 10.0
"""Maximum time in seconds for an answer."""
KILL_AFTER_S = (0.02, 1.0)
"""Least and greatest time in seconds before the server is killed."""


KINDS = ("deal", "tile", "dispute", "drawn", "waited hand", "waited totals")
PLAYERS = {"E": "Ann", "S": "Bob", "W": "Cat", "N": "Dee"}
AT_TABLE = ("drawn", "waited hand", "waited totals")
HANDS = 12
"""Number of hands played at a table before the next one is opened, fewer than end a game."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run.

    Attributes:
        acknowledged: number of acknowledged entries by kind.
        lost: number of acknowledged entries that the database lacks or holds with other content.
        doubled: number of tiles, disputes and hands that count more than once.
        kills: number of times that the server was killed.
        sound: whether the database passed SQLite's integrity check after every kill.
    """

    acknowledged: dict[str, int]
    lost: int
    doubled: int
    kills: int
    sound: bool

    @property
    def entries(self) -> int:
        """The number of acknowledged entries."""
        return sum(self.acknowledged.values())


@dataclass
class Script:
    """The entries that have been sent so far.

    Attributes:
        tables: ids of the games; the last one is being played.
        at_table: the acknowledged hands of the last game.
        deals: the acknowledged deals, with the name of their East.
        entries: ids of the other acknowledged entries, with their kind.
        unanswered: the entry to send again, with its kind; None if all were acknowledged.
    """

    tables: list[str] = field(default_factory=list)
    at_table: int = 0
    deals: dict[str, str] = field(default_factory=dict)
    entries: dict[str, str] = field(default_factory=dict)
    unanswered: tuple[str, str] | None = None

    def __len__(self) -> int:
        return len(self.deals) + len(self.entries)


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


def _post(port: int, headers: dict[str, str], path: str, body: str) -> tuple[str, str] | None:
    """The address and text of the server's answer; None if the entry was not acknowledged.

    Raises:
        RuntimeError: the server refused the entry.
    """
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    try:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        place, told = answer.getheader("Location") or "", answer.read().decode()
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
    if answer.status >= 400:
        raise RuntimeError(f"{path} was refused with {answer.status}")
    return place, told


def _open_table(port: int, headers: dict[str, str], script: Script) -> None:
    """Open the next table, and record it if that is acknowledged."""
    form = {f"name_{seat}": name for seat, name in PLAYERS.items()} | {"ruleset": "bmja-u3a"}
    opened = _post(port, headers, "/tables", urlencode(form))
    if opened is not None:
        script.tables.append(opened[0].rsplit("/", 1)[1])
        script.at_table = 0


def _waited(script: Script, entry: str, kind: str) -> str:
    """A hand that was entered on a phone without a connection, as the page sends it."""
    sent: dict[str, object] = {
        "entry": entry, "game": script.tables[-1], "number": 1, "kind": "drawn", "as_next": True
    }  # fmt: skip
    if kind == "waited totals":
        told = dict.fromkeys(PLAYERS.values(), "16")
        sent |= {"kind": "totals", "totals": told, "winner": "Cat", "source": "wall"}
    return json.dumps(sent)


def _send_one(port: int, headers: dict[str, str], script: Script, entry: str, kind: str) -> bool:
    """Send an entry with its id, and return whether it was acknowledged."""
    if kind in ("waited hand", "waited totals"):
        as_json = headers | {"Content-Type": "application/json"}
        answer = _post(port, as_json, "/offline/entries", _waited(script, entry, kind))
        if answer is not None and json.loads(answer[1])["state"] != "kept":
            raise RuntimeError(f"what waited was refused: {answer[1]}")
        return answer is not None
    deal, name = next(reversed(script.deals.items()))
    path, form = {
        "tile": (
            f"/deals/{deal}/players/E/edit", {"action": "add", "mode": "tile", "label": "7z"}
        ),
        "dispute": (f"/deals/{deal}/dispute", {"who": name, "text": "It was concealed."}),
        "drawn": (f"/tables/{script.tables[-1]}/drawn", {}),
    }[kind]  # fmt: skip
    return _post(port, headers | {"X-Entry": entry}, path, urlencode(form)) is not None


def _send_next(port: int, headers: dict[str, str], script: Script) -> None:
    """Send the unanswered entry again, or else the next entry of the script."""
    number = len(script)
    if not script.tables or (script.at_table >= HANDS and not script.unanswered):
        _open_table(port, headers, script)
        return
    entry, kind = script.unanswered or (new_id(), KINDS[number % len(KINDS)])
    if kind == "deal":
        name = f"Entry {number}"
        answer = _post(port, headers, "/deals", urlencode({"name_E": name}))
        if answer is not None:
            script.deals[answer[0].rsplit("/", 1)[1]] = name
        return
    if _send_one(port, headers, script, entry, kind):
        script.entries[entry] = kind
        script.unanswered = None
        script.at_table += kind in AT_TABLE
    else:
        script.unanswered = (entry, kind)


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


def _lost_and_doubled(url: str, script: Script) -> tuple[int, int]:
    """The number of acknowledged entries that are missing, and of entries that count twice."""
    engine = open_database(url)
    store = Store(engine)
    found = {deal_id: store.deal(deal_id) for deal_id in script.deals}
    lost = sum(
        deal is None or deal.state.player("E").name != script.deals[deal_id]
        for deal_id, deal in found.items()
    )
    games = [GameStore(engine).game(table) for table in script.tables]
    with sessionmaker(engine)() as session:
        disputes = session.scalar(select(func.count()).select_from(DisputeEventRow)) or 0
    engine.dispose()
    stored = {
        ("tile",): sum(len(deal.state.player("E").tiles) for deal in found.values() if deal),
        ("dispute",): disputes,
        AT_TABLE: sum(len(game.game.hands) for game in games if game),
    }
    doubled = 0
    for kinds, there in stored.items():
        told = sum(kind in kinds for kind in script.entries.values())
        perhaps = script.unanswered is not None and script.unanswered[1] in kinds
        lost += max(0, told - there)
        doubled += max(0, there - told - perhaps)
    return lost, doubled


def endure(entries: int, kills: int, seed: int = 0) -> Outcome:
    """Send entries to a server that is killed ``kills`` times while it answers."""
    chance = random.Random(seed)
    script = Script()
    sound = True
    with tempfile.TemporaryDirectory(prefix="kongbox-durability-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'kongbox.sqlite3'}"
        for life in range(kills + 1):
            with _server(url, folder) as (process, port):
                headers = _begin_session(port)
                while len(script) < entries * (life + 1) // (kills + 1):
                    _send_next(port, headers, script)
                if life < kills:
                    kill = threading.Timer(chance.uniform(*KILL_AFTER_S), process.kill)
                    kill.start()
                    while process.poll() is None:
                        _send_next(port, headers, script)
                    kill.join()
            sound = sound and _sound(url)
        lost, doubled = _lost_and_doubled(url, script)
    kinds = ["deal"] * len(script.deals) + list(script.entries.values())
    return Outcome({kind: kinds.count(kind) for kind in KINDS}, lost, doubled, kills, sound)


def main() -> None:
    """Print the outcome, and fail if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    outcome = endure(given.entries, given.kills, given.seed)
    kinds = ", ".join(f"{count} {kind}" for kind, count in outcome.acknowledged.items())
    sys.stdout.write(
        f"{outcome.entries} entries acknowledged ({kinds}), {outcome.lost} lost, "
        f"{outcome.doubled} doubled, the server killed {outcome.kills} times, "
        f"database {'sound' if outcome.sound else 'DAMAGED'}\n"
    )
    sys.exit(outcome.lost > 0 or outcome.doubled > 0 or not outcome.sound)


if __name__ == "__main__":
    main()
