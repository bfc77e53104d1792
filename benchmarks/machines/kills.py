"""Kills random processes while phones enter and send photos: nothing may be lost or doubled."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import sessionmaker

from benchmarks.machines.cluster import Machine
from benchmarks.machines.photos import Sender
from benchmarks.page.durability import stored
from benchmarks.page.phones import Phone, lost_and_doubled
from webapp.backup.integrity import examine_database
from webapp.database.tables.deals import PhotoRow, RevisionRow
from webapp.deal.photos import DONE, READING, WAITING

BETWEEN_S: Final = (1.0, 5.0)
"""Least and greatest time in seconds between two kills."""

SETTLE_S: Final = 300.0
"""Maximum time in seconds until all photos are read once nothing is killed any more."""


@dataclass
class Outcome:
    """What was found at the end.

    Attributes:
        kills: number of processes that were killed, by the kind of machine.
        entries: number of acknowledged entries.
        photos: number of acknowledged photos.
        lost: number of acknowledged entries and photos that no database has.
        doubled: number of entries and readings that count twice.
        unread: number of acknowledged photos that were not read in the end.
        sound: whether each entry matches its link of the chain.
    """

    kills: dict[str, int]
    entries: int = 0
    photos: int = 0
    lost: int = 0
    doubled: int = 0
    unread: int = 0
    sound: bool = True

    @property
    def passed(self) -> bool:
        """Whether nothing was lost, doubled or damaged."""
        return not (self.lost or self.doubled or self.unread) and self.sound


@dataclass
class Crowd:
    """The phones of one club, which turn to any server that answers.

    Attributes:
        club: the club's address.
        phones: those that enter.
        sender: the one that sends photos.
    """

    club: str
    phones: list[Phone] = field(default_factory=list)
    sender: Sender = field(default_factory=Sender)


def crowd(club: str, phones: int) -> Crowd:
    """Phones for a club."""
    own = [Phone(f"{club} {number}", root=f"/{club}") for number in range(phones)]
    return Crowd(club, own, Sender(f"/{club}"))


def kill_while_they_play(
    crowds: Sequence[Crowd], servers: Sequence[Machine], workers: Sequence[Machine], kills: int
) -> dict[str, int]:
    """Let phones enter while random processes are killed and started again; counts the kills."""
    chance, over = random.Random(kills), threading.Event()
    counted: Counter[str] = Counter()

    def play(enter: Phone | Sender, seed: int) -> None:
        own = random.Random(seed)
        while not over.is_set():
            if not enter.send_next(own.choice(servers).port):
                time.sleep(0.05)

    everybody: list[Phone | Sender] = [phone for each in crowds for phone in each.phones]
    everybody += [each.sender for each in crowds]
    with ThreadPoolExecutor(len(everybody)) as hands:
        plays = [hands.submit(play, it, seed) for seed, it in enumerate(everybody)]
        try:
            for number in range(kills):
                time.sleep(chance.uniform(*BETWEEN_S))
                machine = chance.choice([*servers, *workers])
                machine.kill()
                counted["server" if machine.port else "worker"] += 1
                machine.start()
                if number % 10 == 9:
                    sys.stderr.write(f"{number + 1} kills\n")
                if machine.port and sum(it.ready for it in servers) == 0:
                    machine.wait()
        finally:
            for machine in servers:
                machine.wait()
            time.sleep(1)
            over.set()
        for each in plays:
            each.result()
    return dict(counted)


def settled(engines: Sequence[Engine]) -> bool:
    """Wait until all photos are read; whether that happened in time."""
    waiting = select(func.count()).where(PhotoRow.stage.in_((WAITING, READING)))
    until = time.monotonic() + SETTLE_S
    while time.monotonic() < until:
        left = 0
        for engine in engines:
            with sessionmaker(engine)() as session:
                left += session.scalar(waiting) or 0
        if not left:
            return True
        time.sleep(1)
    return False


def judge(crowds: Sequence[Crowd], engines: Sequence[Engine], kills: dict[str, int]) -> Outcome:
    """Compare what was acknowledged with what the clubs' databases hold."""
    found = Outcome(kills)
    for each, engine in zip(crowds, engines, strict=True):
        lost, doubled = lost_and_doubled(each.phones, _without_tiles(stored(engine), each))
        found.entries += sum(len(phone.kept) for phone in each.phones)
        found.lost, found.doubled = found.lost + lost, found.doubled + doubled
        history = examine_database(engine)
        found.sound = found.sound and history is not None and history.whole
        with sessionmaker(engine)() as session:
            for deal in each.sender.kept:
                rows = session.scalars(select(PhotoRow).where(PhotoRow.deal_id == deal)).all()
                found.photos += 1
                found.lost += not rows
                found.doubled += len(rows) > 1
                for row in rows:
                    put = select(func.count()).where(RevisionRow.entry == row.id)
                    times = session.scalar(put) or 0
                    if row.stage != DONE:
                        found.unread += 1
                        sys.stderr.write(f"photo {row.id[:8]} is {row.stage}: {row.error}\n")
                    found.doubled += times > 1
                    found.lost += row.stage == DONE and times == 0
    return found


def _without_tiles(counted: Counter[tuple[str, str]], each: Crowd) -> Counter[tuple[str, str]]:
    """What a database holds, without the deals of the phone that only sends photos."""
    own = {*each.sender.kept, *each.sender.names, each.sender.deal}
    return Counter({mark: many for mark, many in counted.items() if mark[1] not in own})
