"""What a machine tells of itself: figures for Prometheus and lines of JSON, without any name."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client import REGISTRY, generate_latest
from sqlalchemy import Engine

from benchmarks.page.load import free_port
from tests.webapp.database.postgres import new_server_database
from tests.webapp.photos.hostile_readers import hostile
from webapp.association.queue.metrics import Queue, count_requests, serve_figures
from webapp.association.queue.tasks import Asked, Tasks, models_mark
from webapp.association.queue.worker import Worker
from webapp.cli.main import main
from webapp.database.engine import open_database
from webapp.photos.workers import SameProcess
from webapp.serving.log import FORM, JsonLines


def figure(name: str, **labels: str) -> float:
    """A figure as it is now."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.fixture(scope="module")
def engine(server: str) -> Iterator[Engine]:
    found = open_database(new_server_database(server))
    yield found
    found.dispose()


def test_the_queue_and_the_worker_are_counted(engine: Engine) -> None:
    tasks = Tasks(engine)
    tasks.ask(Asked("Ann Smith.jpg", b"good", with_picture=False))
    waiting, oldest = Queue(tasks).collect()
    assert waiting.samples[0].value == 1
    assert 0 <= oldest.samples[0].value < 60
    before = figure("kongbox_photos_total", outcome="read")
    worker = Worker(engine, SameProcess(hostile))
    worker.run(until_empty=True)
    worker.close()
    assert figure("kongbox_photos_total", outcome="read") == before + 1
    assert figure("kongbox_photo_seconds_count", stage="waiting") >= 1
    waiting, oldest = Queue(tasks).collect()
    assert (waiting.samples[0].value, oldest.samples[0].value) == (0, 0)
    assert b"Ann" not in generate_latest()
    tasks.close()


def test_answers_and_entries_are_counted(app: Flask, client: FlaskClient) -> None:
    count_requests(app)
    good, entries = figure("kongbox_requests_total", status="2xx"), figure("kongbox_entries_total")
    client.get("/healthz")
    client.post("/evenings", data={})
    assert figure("kongbox_requests_total", status="2xx") > good
    assert figure("kongbox_entries_total") == entries + 1


def test_the_figures_are_fetched_by_http() -> None:
    port = free_port()
    serve_figures(str(port), None)
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        told = answer.read().decode()
    assert "kongbox_answer_seconds_bucket" in told
    assert f'kongbox_models{{mark="{models_mark()}"}} 1.0' in told


def test_a_workers_log_is_json_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FORM, "json")
    monkeypatch.setattr("webapp.cli.worker.stop_when_asked", lambda: None)
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    CliRunner().invoke(main, ["worker", "--db", f"sqlite:///{tmp_path / 'own.sqlite3'}"])
    assert [type(handler.formatter) for handler in root.handlers] == [JsonLines]


def test_a_line_of_the_log_is_json_with_its_trace() -> None:
    assert FORM == "KONGBOX_LOG"
    record = logging.LogRecord("webapp.x", logging.ERROR, "x.py", 1, "it failed", (), None)
    told = json.loads(JsonLines().format(record))
    assert (told["level"], told["message"]) == ("error", "it failed")
    try:
        int("why")
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    assert "ValueError: invalid literal" in json.loads(JsonLines().format(record))["trace"]
