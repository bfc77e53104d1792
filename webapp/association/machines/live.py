"""Live updates where several machines serve a club: what one was told, the others hear."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from webapp.serving.sse import EVERY, LiveDesk, Room

CHANGED: Final = "changed"
"""The kind of the signal that something changed; its text is the club and the table."""

_log = logging.getLogger(__name__)


class SharedLiveDesk(LiveDesk):
    """The open streams of a club on this machine, woken by every machine.

    Args:
        club_id: the club.
        send: sends a signal of a kind with a text to every machine.
        room: the room for streams on this machine.
    """

    def __init__(self, club_id: str, send: Callable[[str, str], None], room: Room) -> None:
        super().__init__(room)
        self._club_id, self._send = club_id, send

    def wake(self, table: str = EVERY) -> None:
        """Let the streams of a table check whether it has changed, wherever they are."""
        super().wake(table)
        try:
            self._send(CHANGED, f"{self._club_id} {table}")
        except SQLAlchemyError as error:
            _log.warning("other machines were not told: %s", type(error).__name__)

    def heard(self, table: str) -> None:
        """Wake the streams of this machine, because another one was told of a change."""
        super().wake(table)
