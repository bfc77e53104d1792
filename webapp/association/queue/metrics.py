"""Figures of a machine for Prometheus: how much, how long, how many wait. They hold no name."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from flask import Flask, Response, g, request
from prometheus_client import REGISTRY, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from webapp.association.queue.tasks import Tasks, models_mark

REQUESTS: Final = Counter("kongbox_requests", "Requests answered", ["status"])
ENTRIES: Final = Counter("kongbox_entries", "Forms and entries that were taken in")
ANSWER_S: Final = Histogram(
    "kongbox_answer_seconds",
    "Time from a request to the end of its answer",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
PHOTOS: Final = Counter("kongbox_photos", "Photos read by this worker", ["outcome"])
STAGE_S: Final = Histogram(
    "kongbox_photo_seconds",
    "Time of each stage of a photo: waiting, reading, answering",
    ["stage"],
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120),
)


OTHER_MODELS: Final = Counter(
    "kongbox_photos_of_other_models",
    "Photos that reached this worker and were asked for by a machine with other models",
    ["then"],
)
MODELS: Final = Gauge(
    "kongbox_models", "1 beside the mark of the models of this machine: all have the same", ["mark"]
)


class Queue(Collector):
    """How many photos wait, and how long the oldest has, asked when the figures are fetched."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    def collect(self) -> Iterable[Metric]:
        """The two figures; none where the database does not answer."""
        try:
            waiting, oldest = self._tasks.waiting(), self._tasks.oldest_s()
        except SQLAlchemyError:
            return
        yield GaugeMetricFamily("kongbox_photos_waiting", "Photos not read yet", waiting)
        yield GaugeMetricFamily("kongbox_photos_oldest_seconds", "Age of the oldest", oldest)


def serve_figures(address: str, tasks: Tasks | None) -> None:
    """Let the figures be fetched at an address, by threads of their own.

    Args:
        address: host and port, or the port alone, which then is this machine's only.
        tasks: the photos to be read; None where they are read on this machine.
    """
    host, _, port = address.rpartition(":")
    MODELS.labels(models_mark()).set(1)
    if tasks is not None:
        REGISTRY.register(Queue(tasks))
    start_http_server(int(port), host or "127.0.0.1")


def count_requests(app: Flask) -> None:
    """Count what an application answers."""

    def begin() -> None:
        g.kongbox_begun = time.perf_counter()

    def end(response: Response) -> Response:
        REQUESTS.labels(f"{response.status_code // 100}xx").inc()
        if request.method == "POST" and response.status_code < 400:
            ENTRIES.inc()
        begun = g.get("kongbox_begun")
        if begun is not None and not response.is_streamed:
            ANSWER_S.observe(time.perf_counter() - begun)
        return response

    app.before_request_funcs.setdefault(None, []).insert(0, begin)
    app.after_request(end)
