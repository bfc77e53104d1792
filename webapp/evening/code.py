"""The code by which phones check in: for one evening, and as long as check-in is open."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Engine

from webapp.database.sessions import sessions_on
from webapp.database.tables.book import ClubSettingRow
from webapp.runtime.steady_clock import steady_now

SETTING: Final = "check_in"
"""The key of the club's setting that holds the code."""

DIGITS: Final = 6
"""Number of digits of the code: few enough to be typed from a wall, a million possible ones."""

OPEN_FOR: Final = timedelta(hours=6)
"""How long check-in stays open where nobody closes it."""


class CheckInCode:
    """Opens and closes check-in, and tells its code, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def _told(self) -> dict[str, Any]:
        """What is kept while check-in is open; nothing if it cannot be read."""
        with self._sessions() as session:
            told = ClubSettingRow.told(session, SETTING)
        try:
            ends = datetime.fromisoformat(str(told["until"]))
            return told if ends > steady_now() else {}
        except (KeyError, TypeError, ValueError):
            return {}

    def of(self, evening_id: str) -> str | None:
        """The code by which phones check in to an evening; None if that is not open."""
        told = self._told()
        return str(told.get("code")) if told.get("evening") == evening_id else None

    def evening(self, code: str) -> str | None:
        """The id of the evening to which a code lets phones check in; None if it is not good."""
        told = self._told()
        right = secrets.compare_digest(str(told.get("code")).encode(), code.encode())
        return str(told.get("evening")) if told and right else None

    def is_open(self) -> bool:
        """Whether phones can check in to any evening."""
        return bool(self._told())

    def open(self, evening_id: str) -> None:
        """Let phones check in to an evening, and to no other, by a new code."""
        code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"
        until = (steady_now() + OPEN_FOR).isoformat()
        with self._sessions.begin() as session:
            told = {"evening": evening_id, "code": code, "until": until}
            ClubSettingRow.decide(session, SETTING, told)

    def close(self, evening_id: str) -> None:
        """Let no more phones check in to an evening."""
        if self._told().get("evening") == evening_id:
            with self._sessions.begin() as session:
                ClubSettingRow.decide(session, SETTING, None)
