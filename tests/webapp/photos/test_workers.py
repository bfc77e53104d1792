"""A photo that hangs, crashes or eats memory costs its own process, never the page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask

from tests.webapp.conftest import services_of, wait_for_photos
from tests.webapp.fakes import white_png
from tests.webapp.photos.hostile_readers import hostile, photo_of_fate
from vision.errors import ModelError, NoTilesFound, PhotoRejected
from webapp.deal.state import new_deal
from webapp.photos.desk import BROKEN, PhotoDesk
from webapp.photos.workers import (
    TOO_MUCH,
    TOO_SLOW,
    PhotoGivenUp,
    WorkerFault,
    WorkerProcesses,
    default_reader,
)

SEATS = ("E", "S", "W", "N")


@pytest.fixture(scope="module")
def workshop() -> Iterator[WorkerProcesses]:
    made = WorkerProcesses(hostile, places=1, seconds=4.0)
    made.start()
    yield made
    made.close()


def reading_process(workshop: WorkerProcesses) -> int:
    return int(workshop.read("a", b"good", picture=False).reading.seconds["pid"])


def test_photos_are_read_in_another_process(workshop: WorkerProcesses) -> None:
    pid = reading_process(workshop)
    assert pid != os.getpid()
    assert reading_process(workshop) == pid
    assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)


@pytest.mark.parametrize(
    ("photo", "words"), [(b"hang", TOO_SLOW), (b"crash", TOO_MUCH), (b"spin", TOO_MUCH)]
)
def test_a_process_that_hangs_or_crashes_is_replaced(
    workshop: WorkerProcesses, photo: bytes, words: str
) -> None:
    before = reading_process(workshop)
    with pytest.raises(PhotoGivenUp, match=words[:40]):
        workshop.read("a", photo, picture=False)
    assert reading_process(workshop) != before


def test_a_photo_that_hangs_holds_no_other_up() -> None:
    made = WorkerProcesses(hostile, seconds=10.0)
    try:
        with ThreadPoolExecutor(1) as sender:
            hanging = sender.submit(made.read, "a", b"hang", picture=False)
            for _ in range(3):
                made.read("b", b"good", picture=False)
            assert not hanging.done()
            made.close()
            assert hanging.exception() is not None
    finally:
        made.close()


@pytest.mark.parametrize(
    ("photo", "error", "words"),
    [
        (b"eat", PhotoGivenUp, "too much for this computer"),
        (b"empty", NoTilesFound, "No tiles"),
        (b"model", ModelError, "No model"),
        (b"fault", WorkerFault, "ZeroDivisionError: a fault"),
    ],
)
def test_errors_come_back_and_the_process_goes_on(
    workshop: WorkerProcesses, photo: bytes, error: type[Exception], words: str
) -> None:
    before = reading_process(workshop)
    with pytest.raises(error, match=words):
        workshop.read("a", photo, picture=False)
    assert reading_process(workshop) == before


def test_the_desk_tells_each_photo_its_own_fate(app: Flask, workshop: WorkerProcesses) -> None:
    store = services_of(app).store
    desk = PhotoDesk(store, workshop)
    deal_id = store.create(new_deal(SEATS))
    for seat, photo in zip(SEATS, (b"crash", b"empty", b"fault", b"model"), strict=True):
        desk.take(deal_id, seat, "photo", photo_of_fate(photo))
    wait_for_photos(app, deal_id, 20)
    told = {seat: photo.error for seat, photo in store.latest_photos(deal_id).items()}
    assert told == {"E": TOO_MUCH, "S": "No tiles.", "W": BROKEN, "N": "No model."}


BOMBS = {
    "200 megapixels": white_png(20_000, 10_000),
    "a long thin one": white_png(64_000, 40),
    "a drawing": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "cut short": white_png(640, 480)[:200],
    "a web page behind a photo's first bytes": b"\xff\xd8\xff<html><script>alert(1)</script>",
    "a photo's first bytes and no more": b"\xff\xd8\xff\xe0",
    "an archive": b"PK\x03\x04" + bytes(400),
    "nothing": b"",
}


def test_files_that_attack_are_refused_in_words() -> None:
    workshop = WorkerProcesses(default_reader, places=1, seconds=30.0)
    try:
        for name, data in BOMBS.items():
            with pytest.raises(PhotoRejected) as refused:
                workshop.read("a", data, picture=True)
            assert len(str(refused.value)) > 30, name
    finally:
        workshop.close()
