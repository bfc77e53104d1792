"""A server of a test in a thread of its own, which is closed from the test's."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Thread


def in_thread(run: Callable[[], object]) -> Thread:
    """Run a server; when it is closed it may be waiting at the socket that then is none."""

    def until_closed() -> None:
        with suppress(OSError):
            run()

    thread = Thread(target=until_closed, daemon=True)
    thread.start()
    return thread
