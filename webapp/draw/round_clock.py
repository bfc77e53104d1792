"""The common clock of a round: one for the whole hall, kept as the moment at which it ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final

from sqlalchemy import Engine
from sqlalchemy.orm import Session, sessionmaker

from webapp.clock import steady_now
from webapp.database.book import ClubSettingRow

SETTING: Final = "clock"
"""The key of the club's setting that holds the clock."""

MAX_MINUTES: Final = 240
"""Greatest number of minutes for which the clock is started."""

USUAL_MINUTES: Final = 60
"""Number of minutes that is offered to a club that has never started the clock."""

MORE_MINUTES: Final = 5
"""Number of minutes that are added at once."""

FORGOTTEN: Final = timedelta(hours=6)
"""How long after its end a clock that nobody stopped is still shown."""


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a round.

    Attributes:
        seconds: the time left, 0 when it is up.
        until: a text that changes whenever the clock is started or given more time.
    """

    seconds: int
    until: str

    @property
    def minutes(self) -> int:
        """The minutes left; one that has begun counts as whole."""
        return ceil(self.seconds / 60)


class RoundClock:
    """Starts, lengthens, stops and tells the clock, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessionmaker(engine, expire_on_commit=False)

    def left(self, evening_id: str) -> Left | None:
        """What is left of the round at this evening; None if the clock does not run for it."""
        with self._sessions() as session:
            told = _told(session)
        ends = _end(told)
        if ends is None or told.get("evening") != evening_id:
            return None
        left = ends - steady_now()
        if left < -FORGOTTEN:
            return None
        return Left(max(0, ceil(left.total_seconds())), ends.isoformat())

    def minutes(self) -> int:
        """For how many minutes it was started last."""
        with self._sessions() as session:
            minutes = _told(session).get("minutes")
        if isinstance(minutes, int) and 1 <= minutes <= MAX_MINUTES:
            return minutes
        return USUAL_MINUTES

    def mark(self) -> str:
        """A text that changes whenever somebody starts, lengthens or stops the clock."""
        with self._sessions() as session:
            return str(_told(session).get("ends") or "")

    def start(self, evening_id: str, minutes: int) -> None:
        """Let it run for so many minutes from now, and remember how many they were."""
        ends = steady_now() + timedelta(minutes=minutes)
        with self._sessions.begin() as session:
            told = {"evening": evening_id, "minutes": minutes, "ends": ends.isoformat()}
            ClubSettingRow.decide(session, SETTING, told)

    def more(self, evening_id: str) -> None:
        """Give the round :data:`MORE_MINUTES`, from now if its time is up."""
        with self._sessions.begin() as session:
            told = _told(session)
            ends = _end(told)
            if ends is not None and told.get("evening") == evening_id:
                later = max(ends, steady_now()) + timedelta(minutes=MORE_MINUTES)
                told = told | {"ends": later.isoformat()}
                ClubSettingRow.decide(session, SETTING, told)

    def stop(self, evening_id: str) -> None:
        """Let it run no longer for this evening."""
        with self._sessions.begin() as session:
            told = _told(session)
            if told.get("evening") == evening_id:
                ClubSettingRow.decide(session, SETTING, told | {"ends": None})


def _told(session: Session) -> dict[str, Any]:
    """What is kept; nothing if it cannot be read, such as from a foreign copy."""
    told = ClubSettingRow.told(session, SETTING)
    return told if isinstance(told, dict) else {}


def _end(told: dict[str, Any]) -> datetime | None:
    try:
        ends = datetime.fromisoformat(str(told.get("ends")))
    except ValueError:
        return None
    return ends if ends.tzinfo is not None else None
