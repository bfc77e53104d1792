"""Photos that any machine may read, and phones that hear what another machine was told."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from tests.webapp.association.test_metrics import figure
from tests.webapp.database.postgres import new_server_database
from tests.webapp.photos.hostile_readers import hostile
from vision.errors import PhotoError
from webapp.association.applications import require_shared
from webapp.association.machines.signals import Signals
from webapp.association.queue.tasks import Asked, Priority, Tasks
from webapp.association.queue.worker import Worker
from webapp.association.queue.workshop import Arrivals, BoundQueue, QueuedWorkshop
from webapp.database.engine import DatabaseError, open_database
from webapp.photos.desk import TooManyPhotos
from webapp.photos.workers import PhotoGivenUp, PhotoRead, SameProcess, WorkerFault

THEN = ("read", "left")
"""What a worker does with photos that a machine with other models asked for."""


@pytest.fixture(scope="module")
def address(server: str) -> str:
    return new_server_database(server)


@pytest.fixture(scope="module")
def engine(address: str) -> Iterator[Engine]:
    found = open_database(address)
    yield found
    found.dispose()


@pytest.fixture(scope="module")
def tasks(engine: Engine) -> Iterator[Tasks]:
    found = Tasks(engine)
    yield found
    found.close()


def work(engine: Engine) -> None:
    """Let a worker read all that waits now."""
    worker = Worker(engine, SameProcess(hostile))
    worker.run(until_empty=True)
    worker.close()


def test_a_photo_is_read_by_a_worker_and_forgotten(engine: Engine, tasks: Tasks) -> None:
    task = tasks.ask(Asked("a.jpg", b"good", with_picture=False))
    assert tasks.answer(task) is None
    work(engine)
    answer = tasks.answer(task)
    assert answer is not None
    assert answer.reading.seconds.keys() == {"pid"}
    assert tasks.asked(task) is None, "the photo itself is deleted once it is read"


def test_the_same_photo_is_read_once(engine: Engine, tasks: Tasks) -> None:
    asked = Asked("b.jpg", b"good", with_picture=False)
    assert tasks.ask(asked) == tasks.ask(asked) == asked.id
    assert tasks.waiting() == 1
    work(engine)
    first = tasks.answer(asked.id)
    tasks.ask(asked)
    work(engine)
    assert tasks.answer(asked.id) == first
    assert Asked("c.jpg", b"good", with_picture=False).id != asked.id


def test_a_worker_with_other_models_tells_so_and_leaves_what_is_read_anew(
    engine: Engine, tasks: Tasks, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    phones, archives = (Asked(name, b"good", with_picture=False) for name in ("p.jpg", "q.jpg"))
    tasks.ask(phones)
    later = tasks.ask(archives, Priority.LATER)
    before = [figure("kongbox_photos_of_other_models_total", then=then) for then in THEN]
    with monkeypatch.context() as upgraded:
        for module in ("tasks", "worker"):
            upgraded.setattr(f"webapp.association.queue.{module}.models_mark", lambda: "f" * 16)
        assert phones.id != later != archives.id, "an answer of other models is none of these"
        work(engine)
    assert tasks.answer(phones.id) is not None, "somebody at a table waits"
    assert tasks.answer(later) is None
    assert "which was left here" in caplog.text
    now = [figure("kongbox_photos_of_other_models_total", then=then) for then in THEN]
    assert now[0] == before[0] + 1
    assert now[1] > before[1]
    look_after(engine)
    work(engine)
    assert tasks.answer(later) is not None, "read by a worker with the right models"


def test_what_nobody_can_wait_for_any_more_is_forgotten(
    engine: Engine, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = tasks.ask(Asked("old.jpg", b"good", with_picture=False), Priority.LATER)
    with monkeypatch.context() as upgraded:
        upgraded.setattr("webapp.association.queue.worker.models_mark", lambda: "f" * 16)
        upgraded.setattr("webapp.association.queue.worker.KEPT_FOR", timedelta(0))
        work(engine)
    assert task not in tasks.unanswered()


def test_what_cannot_be_read_is_told_as_on_one_machine(engine: Engine, tasks: Tasks) -> None:
    empty = tasks.ask(Asked("e.jpg", b"empty", with_picture=False))
    work(engine)
    with pytest.raises(PhotoError, match="No tiles"):
        tasks.answer(empty)


def test_a_fault_of_the_program_is_tried_again_and_then_told(
    engine: Engine, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def fail(*_: object, **__: object) -> None:
        tries.append(1)
        raise WorkerFault("Traceback: a fault")

    monkeypatch.setattr(SameProcess, "read", fail)
    monkeypatch.setattr("webapp.association.queue.worker.TRIES", 2)
    task = tasks.ask(Asked("f.jpg", b"fault", with_picture=False))
    for _ in range(4):
        work(engine)
        time.sleep(0.3 if len(tries) < 2 else 0)
        if len(tries) < 2:
            time.sleep(2)
    with pytest.raises(WorkerFault, match="a fault"):
        tasks.answer(task)
    assert len(tries) == 2


def test_what_a_dead_worker_has_left_is_read_by_another(engine: Engine, tasks: Tasks) -> None:
    task = tasks.ask(Asked("left.jpg", b"good", with_picture=False))
    with engine.begin() as connection:
        dead = "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - '1 h'::interval)"
        worker_id = connection.exec_driver_sql(f"{dead} RETURNING id").scalar_one()
        connection.exec_driver_sql(
            "UPDATE procrastinate_jobs SET status = 'doing', worker_id = %s", (worker_id,)
        )
    work(engine)
    assert tasks.answer(task) is None, "it counts as being read"
    tasks.put_in_line(task)
    look_after(engine)
    work(engine)
    assert tasks.answer(task) is not None


def look_after(engine: Engine) -> None:
    """Do what workers do every few seconds."""
    worker = Worker(engine, SameProcess(hostile))

    async def once() -> None:
        async with worker.app.open_async():
            await worker.app.tasks["look_after"](timestamp=0)

    asyncio.run(once())
    worker.close()


def test_whoever_waits_is_read_for_first(engine: Engine, tasks: Tasks) -> None:
    order: list[str] = []

    class Noting(SameProcess):
        def read(self, name: str, data: bytes, /, **known: Any) -> PhotoRead:
            order.append(name)
            return super().read(name, data, **known)

    tasks.ask(Asked("later.jpg", b"1", with_picture=False), Priority.LATER)
    tasks.ask(Asked("now.jpg", b"2", with_picture=False), Priority.NOW)
    worker = Worker(engine, Noting(hostile))
    worker.run(until_empty=True)
    worker.close()
    assert order == ["now.jpg", "later.jpg"]


def test_a_server_waits_for_the_worker_and_gives_up_in_the_end(
    engine: Engine, tasks: Tasks
) -> None:
    arrivals, signals = Arrivals(), Signals(engine)
    signals.start({"read": arrivals.heard})
    workshop = QueuedWorkshop(tasks, arrivals, SameProcess(hostile), deadline=20)
    worker = threading.Timer(0.3, work, (engine,))
    worker.start()
    begun = time.monotonic()
    read = workshop.read("g.jpg", b"good", picture=False)
    waited = time.monotonic() - begun
    worker.join()
    signals.close()
    assert read.reading.seconds.keys() == {"pid"}
    assert waited < 5
    hasty = QueuedWorkshop(tasks, arrivals, SameProcess(hostile), deadline=0.1)
    with pytest.raises(PhotoGivenUp):
        hasty.read("h.jpg", b"good", picture=False)
    work(engine)


def test_no_more_photos_are_taken_in_than_all_machines_can_read(
    engine: Engine, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.association.queue.workshop.MOST_IN_LINE", 2)
    queue = BoundQueue(tasks)
    tasks.ask(Asked("1.jpg", b"1", with_picture=False), Priority.LATER)
    queue.enter()
    for name in ("2.jpg", "3.jpg"):
        tasks.ask(Asked(name, b"good", with_picture=False))
    with pytest.raises(TooManyPhotos):
        queue.enter()
    work(engine)
    queue.enter()


def test_only_postgresql_can_be_shared(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'own.sqlite3'}")
    with pytest.raises(DatabaseError, match="PostgreSQL"):
        require_shared(engine)
    engine.dispose()
