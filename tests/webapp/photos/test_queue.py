"""So many photos wait and no more, whoever sends them."""

from __future__ import annotations

import io
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event, Lock

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webapp.conftest import services_of
from tests.webapp.fakes import DEAL, FakeReader, reading_of
from webapp.deal.state import new_deal
from webapp.photos import desk
from webapp.photos.desk import MAX_QUEUE, PhotoDesk, PhotoQueue, TooManyPhotos
from webapp.photos.workers import SameProcess
from webapp.tile_sets.drafts import SetDesk

SENT = 20
"""Photos sent at once."""


def until_free(busy: PhotoDesk, seconds: float = 20) -> None:
    """Wait until every photo that was accepted is read and has left its place."""
    end = time.monotonic() + seconds
    while busy.busy:
        assert time.monotonic() < end
        time.sleep(0.01)


def send(client: FlaskClient, deal: str, photo: bytes, *, page: bool) -> int:
    """The status that a page's form gets, or a program."""
    data = {"photo": (io.BytesIO(photo), "photo.png")}
    if not page:
        return client.post("/api/v1/readings", data=data).status_code
    return client.post(f"/deals/{deal}/players/E/photo", data=data).status_code


@pytest.mark.parametrize("pages", [SENT, SENT // 2, 0])
def test_of_many_photos_at_once_no_more_than_may_wait_are_accepted(
    app: Flask, reader: FakeReader, pages: int
) -> None:
    photo = reader.learn(reading_of(DEAL["players"][0], {}))
    go_on, at_once, lock = Event(), Barrier(SENT), Lock()
    refused: list[int] = []
    reader.hook = go_on.wait
    deal = services_of(app).store.create(new_deal(("E", "S", "W", "N")))

    def one(number: int) -> int:
        client = app.test_client()
        at_once.wait()
        status = send(client, deal, photo, page=number < pages)
        with lock:
            refused.extend([status] * (status == 503))
            if len(refused) == SENT - MAX_QUEUE:
                go_on.set()
        return status

    with ThreadPoolExecutor(SENT) as senders:
        answers = list(senders.map(one, range(SENT)))
    assert answers.count(503) == SENT - MAX_QUEUE
    assert {*answers} <= {200, 303, 503}
    until_free(services_of(app).desk)


def test_a_photo_that_cannot_be_stored_gives_its_place_back(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = services_of(app)

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(found.store, "add_photo", full)
    for _ in range(MAX_QUEUE + 1):
        with pytest.raises(OSError, match="no space"):
            found.desk.take("deal", "E", "photo", b"photo")
    assert not found.desk.busy


def test_photos_of_sets_wait_in_the_same_queue(tmp_path: Path) -> None:
    queue = PhotoQueue()
    queue.enter(MAX_QUEUE - 1)
    sets = SetDesk(lambda: tmp_path, SameProcess(FakeReader()), queue=queue)
    with pytest.raises(TooManyPhotos):
        sets.begin("Club set", [b"one", b"two"])
    assert not [*tmp_path.iterdir()]
    sets.close()


def test_what_was_accepted_before_a_restart_is_read_however_much_it_is(
    app: Flask, reader: FakeReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "MAX_QUEUE", 1)
    found, go_on = services_of(app), Event()
    reader.hook = go_on.wait
    deal = found.store.create(new_deal(("E", "S", "W", "N")))
    photo = reader.learn(reading_of(DEAL["players"][0], {}))
    for seat in ("E", "S", "W"):
        found.store.add_photo(deal, seat, "photo", photo)
    found.desk.resume()
    with pytest.raises(TooManyPhotos):
        found.desk.take(deal, "N", "photo", photo)
    go_on.set()
    until_free(found.desk)
