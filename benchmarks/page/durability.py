"""Kills the server at random moments while phones enter and correct: nothing may be lost.

Run as ``python -m benchmarks.page.durability``; the database is in a temporary folder. Several
phones send at once what an evening has: deals, tiles, disputes, hands at a table, hands that are
corrected, and hands that were entered on a phone without a connection. Every tenth kill the
database and its chain are examined and what is lost or doubled is told. At the end each
acknowledged entry must be there once, and ``kongbox check`` must say that the history is whole.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from multiprocessing.process import BaseProcess
from pathlib import Path

import waitress
from sqlalchemy import Engine, select, text
from sqlalchemy.orm import sessionmaker

from benchmarks.page.load import free_port
from benchmarks.page.phones import KINDS, Phone, lost_and_doubled
from webapp import create_app
from webapp.backup.integrity import examine_database
from webapp.database.engine import open_database
from webapp.database.tables.deals import DealRow, GameDealRow, GameRevisionRow, GameRow
from webapp.database.tables.disputes import DisputeEventRow
from webapp.deal.store import Store
from webapp.games.store import GameStore

THREADS = 8
"""Number of threads of the server."""

KONGBOX = "from webapp.cli.main import main; main()"
"""The Python program that runs ``kongbox`` in a process of its own."""

START_S = 60.0
"""Maximum time in seconds for the server to start."""
KILL_AFTER_S = (0.0, 1.5)
"""Least and greatest time in seconds from a server's first acknowledgement until it is killed."""
EXAMINED_EVERY = 10
"""Number of kills after which the database is examined."""
_MARK = re.compile("[0-9a-f]{32}")
"""What a phone writes as the reason of a correction and as the text of a dispute."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run.

    Attributes:
        acknowledged: number of acknowledged entries by kind.
        lost: number of acknowledged entries that the database lacks.
        doubled: number of entries that count more than once.
        kills: number of times that the server was killed.
        resent: number of entries that a kill left without an answer and that were sent again.
        sound: whether at each examination the database passed SQLite's integrity check, and each
            entry matched its link of the chain.
        checked: what ``kongbox check`` told of the history at the end.
    """

    acknowledged: dict[str, int]
    lost: int
    doubled: int
    kills: int
    resent: int
    sound: bool
    checked: str

    @property
    def entries(self) -> int:
        """The number of acknowledged entries."""
        return sum(self.acknowledged.values())

    @property
    def passed(self) -> bool:
        """Whether nothing was lost, doubled or damaged."""
        whole = "each as it was entered" in self.checked
        return not self.lost and not self.doubled and self.sound and whole


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/static/kongbox.css")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _serve(url: str, folder: Path, port: int) -> None:
    waitress.serve(create_app(url, folder=folder), host="127.0.0.1", port=port, threads=THREADS)


@contextmanager
def _server(url: str, folder: Path) -> Iterator[tuple[BaseProcess, int]]:
    """A server in a process of its own."""
    port = free_port()
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=_serve, args=(url, folder, port))
    process.start()
    try:
        until = time.monotonic() + START_S
        while not _answers(port):
            if not process.is_alive() or time.monotonic() > until:
                raise RuntimeError("the server did not start")
            time.sleep(0.05)
        yield process, port
    finally:
        process.kill()
        process.join()


def _sound(url: str) -> bool:
    """Whether the database is intact, and each entry as it was entered."""
    engine = open_database(url)
    with engine.connect() as connection:
        told = connection.execute(text("PRAGMA integrity_check")).scalar()
        orphans = connection.execute(text("PRAGMA foreign_key_check")).first()
    history = examine_database(engine)
    engine.dispose()
    return told == "ok" and orphans is None and history is not None and history.whole


def _checked(url: str) -> str:
    """What ``kongbox check`` says about the history."""
    command = [sys.executable, "-c", KONGBOX, "check", "--db", url]
    told = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    lines = (told.stdout + told.stderr).splitlines()
    return next((line for line in lines if "History: " in line), f"exit status {told.returncode}")


def _stored(url: str) -> Counter[tuple[str, str]]:
    """How often the database holds each entry."""
    engine = open_database(url)
    found = stored(engine)
    engine.dispose()
    return found


def stored(engine: Engine) -> Counter[tuple[str, str]]:
    """How often a database holds each entry."""
    deals, games = Store(engine), GameStore(engine)
    found: Counter[tuple[str, str]] = Counter()
    with sessionmaker(engine)() as session:
        of_a_table = select(GameDealRow.deal_id)
        for deal_id in session.scalars(select(DealRow.id).where(DealRow.id.not_in(of_a_table))):
            deal = deals.deal(deal_id)
            if deal is not None:
                east = deal.state.player("E")
                found["deal", east.name] += 1
                found["tile", deal_id] += len(east.tiles)
        for game_id in session.scalars(select(GameRow.id)):
            game = games.game(game_id)
            found["hand", game_id] += 0 if game is None else len(game.game.hands)
        for said in session.scalars(select(DisputeEventRow.text)):
            found["dispute", said or ""] += 1
        for what in session.scalars(select(GameRevisionRow.what)):
            found.update(("correction", reason) for reason in _MARK.findall(what))
    return found


def _one_life(url: str, folder: Path, phones: list[Phone], kill_after_s: float | None) -> int:
    """Let phones enter at a server until it is killed; None lets each enter every kind once.

    Returns:
        The number of entries that were sent to this server for the second time.
    """
    resent = sum(phone.unanswered is not None for phone in phones)
    with _server(url, folder) as (process, port):
        if kill_after_s is None:
            for phone in phones:
                until = len(phone.kept) + len(KINDS)
                while len(phone.kept) < until:
                    phone.send_next(port)
            return resent
        kill = threading.Timer(kill_after_s, process.kill)
        first = threading.Lock()

        def enter(phone: Phone) -> None:
            while process.is_alive():
                if phone.send_next(port) and first.acquire(blocking=False):
                    kill.start()

        with ThreadPoolExecutor(len(phones)) as hands:
            list(hands.map(enter, phones))
        kill.join()
    return resent


def endure(kills: int, phones: int = 4, seed: int = 0) -> Outcome:
    """Let phones enter at a server that is killed ``kills`` times while it answers."""
    chance = random.Random(seed)
    everybody = [Phone(f"Phone {number}") for number in range(phones)]
    sound, resent = True, 0
    with tempfile.TemporaryDirectory(prefix="kongbox-durability-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'kongbox.sqlite3'}"
        for life in range(kills):
            resent += _one_life(url, folder, everybody, chance.uniform(*KILL_AFTER_S))
            if (life + 1) % EXAMINED_EVERY == 0:
                sound = _sound(url) and sound
                kept, found = sum(len(it.kept) for it in everybody), _stored(url)
                lost, doubled = lost_and_doubled(everybody, found)
                told = f"{life + 1} kills, {kept} entries, {lost} lost, {doubled} doubled"
                sys.stderr.write(f"{told}, {'sound' if sound else 'DAMAGED'}\n")
        resent += _one_life(url, folder, everybody, None)
        sound = _sound(url) and sound
        lost, doubled = lost_and_doubled(everybody, _stored(url))
        checked = _checked(url)
    kinds = Counter(entry.kind for phone in everybody for entry in phone.kept)
    counted = {kind: kinds[kind] for kind in KINDS}
    return Outcome(counted, lost, doubled, kills, resent, sound, checked)


def main() -> None:
    """Print the outcome, and fail if anything was lost, doubled or damaged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--phones", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    outcome = endure(given.kills, given.phones, given.seed)
    kinds = ", ".join(f"{count} {kind}" for kind, count in outcome.acknowledged.items())
    sys.stdout.write(
        f"{outcome.entries} entries acknowledged ({kinds}), {outcome.lost} lost, "
        f"{outcome.doubled} doubled, the server killed {outcome.kills} times, {outcome.resent} "
        f"entries sent again, database {'sound' if outcome.sound else 'DAMAGED'}\n"
        f"{outcome.checked}\n"
    )
    sys.exit(not outcome.passed)


if __name__ == "__main__":
    main()
