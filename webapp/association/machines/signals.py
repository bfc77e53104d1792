"""Signals between the machines of an association, through the database that they share.

A signal is a channel and a short text. It reaches every machine that listens at that moment and is
kept nowhere: whoever missed it looks by itself a little later.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from threading import Event, Thread
from typing import Final

import psycopg
from sqlalchemy import Engine

AGAIN_S: Final = 2.0
"""Seconds after which a lost connection is made again."""

LOOK_S: Final = 0.1
"""Longest time in seconds that a signal may lie unseen which arrives between two looks."""

CHANNEL: Final = "kongbox"
"""The channel of the database on which all signals are sent."""

Heard = Callable[[str], None]
"""Is given the text of a signal."""

_log = logging.getLogger(__name__)


def connection_string(engine: Engine) -> str:
    """The address of a PostgreSQL database as its own library wants it told."""
    return engine.url.set(drivername="postgresql").render_as_string(hide_password=False)


class Signals:
    """Sends signals, and tells those who listen of each that arrives, in a thread of its own.

    Args:
        engine: the association's database, which is PostgreSQL.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._heard: dict[str, Heard] = {}
        self._stop, self._ready = Event(), Event()
        self._thread = Thread(target=self._listen, name="signals", daemon=True)

    def send(self, kind: str, text: str) -> None:
        """Send a signal to every machine, this one among them."""
        with self._engine.connect() as connection:
            connection.exec_driver_sql("SELECT pg_notify(%s, %s)", (CHANNEL, f"{kind} {text}"))

    def start(self, heard: Mapping[str, Heard]) -> None:
        """Listen from now on.

        Args:
            heard: what is called for each kind of signal.
        """
        self._heard.update(heard)
        self._thread.start()
        self._ready.wait(AGAIN_S)

    def close(self) -> None:
        """Listen no longer."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _listen(self) -> None:
        while not self._stop.is_set():
            try:
                with psycopg.connect(connection_string(self._engine), autocommit=True) as own:
                    own.execute(f"LISTEN {CHANNEL}")
                    self._ready.set()
                    while not self._stop.is_set():
                        for signal in own.notifies(timeout=LOOK_S):
                            self._tell(*signal.payload.partition(" ")[::2])
            except psycopg.Error as error:
                _log.warning("no signals from other machines: %s", type(error).__name__)
                self._stop.wait(AGAIN_S)

    def _tell(self, kind: str, text: str) -> None:
        heard = self._heard.get(kind)
        if heard is None:
            return
        try:
            heard(text)
        except (RuntimeError, OSError, ValueError):
            _log.exception("a signal could not be followed")
