"""The page of the table while photos are being read."""

from __future__ import annotations

import threading
import time

import pytest
from flask import Flask

from tests.webapp.conftest import services_of
from tests.webapp.fakes import FakeReader
from webapp.deal.photos import READING, WAITING, PhotoStage
from webapp.deal.store import Store


def test_a_photo_that_is_finished_while_the_page_is_made_shows_its_tiles(
    app: Flask, reader: FakeReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = threading.Event()
    reader.hook = lambda: held.wait(10)
    client = app.test_client()
    address = client.post("/demo").headers["Location"]
    look = Store.stages

    def look_once_all_are_read(store: Store, deal_id: str) -> dict[str, PhotoStage]:
        held.set()
        until = time.monotonic() + 10
        while any(p.stage in (WAITING, READING) for p in look(store, deal_id).values()):
            assert time.monotonic() < until, "the photos were not read in time"
            time.sleep(0.01)
        return look(store, deal_id)

    monkeypatch.setattr(Store, "stages", look_once_all_are_read)
    assert isinstance(services_of(app).store, Store)
    page = client.get(address).get_data(as_text=True)
    assert 'hx-trigger="every' not in page
    assert page.count("Check ") == 4
