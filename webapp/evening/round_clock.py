"""The common clock of a round: one for the whole hall, kept as the moment at which it ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil
from typing import Any, Final

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from webapp.database.sessions import sessions_on
from webapp.database.tables.book import ClubSettingRow
from webapp.runtime.steady_clock import start_of_computer, started_at, steady_now

SETTING: Final = "clock"
"""The key of the club's setting that holds the clock."""

MAX_MINUTES: Final = 240
"""Greatest number of minutes for which the clock is started."""

USUAL_MINUTES: Final = 60
"""Number of minutes that is offered to a club that has never started the clock."""

MAX_ROUND: Final = 99
"""Greatest number of a round."""

MORE_MINUTES: Final = 5
"""Number of minutes that are added at once."""

MAX_EARLY: Final = 30
"""Greatest number of minutes before the end of a round at which the last hand is called."""

FORGOTTEN: Final = timedelta(hours=6)
"""How long after its end a clock that nobody stopped is still shown."""


class Ending(StrEnum):
    """What is played once the last hand is called.

    At the Danish championship of 2005 the current hand was finished and no new one begun
    (uk.mahjong.dk/activities/dmint/2005); other clubs play one more.
    """

    FINISH = "finish"
    """The hand in progress is the last."""
    ONE_MORE = "one_more"
    """One more hand is played after it."""


_CENTURY_S: Final = 100 * 365 * 24 * 3600.0
"""Number of seconds by which a clock is set at most; some computers begin in 1970."""


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a round.

    Attributes:
        seconds: the time left, 0 when it is up.
        until: a text that changes whenever the clock is started or given more time.
        round: the number of the round; None where the evening has one.
        ending: what is played once the last hand is called.
        early: how many minutes before the end it is called; 0 for when the time is up.
    """

    seconds: int
    until: str
    round: int | None = None
    ending: Ending = Ending.FINISH
    early: int = 0

    @property
    def called(self) -> bool:
        """Whether the last hand is called already."""
        return self.seconds <= 60 * self.early

    @property
    def minutes(self) -> int:
        """The minutes left; one that has begun counts as whole."""
        return ceil(self.seconds / 60)


class RoundClock:
    """Starts, lengthens, stops and tells the clock, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessions_on(engine)

    def left(self, evening_id: str) -> Left | None:
        """What is left of the round at this evening; None if the clock does not run for it."""
        with self._sessions() as session:
            told = _told(session)
        ends = _end(told)
        if ends is None or told.get("evening") != evening_id:
            return None
        left = ends - _now(told)
        if left < -FORGOTTEN:
            return None
        return Left(
            max(0, ceil(left.total_seconds())),
            ends.isoformat(),
            _whole(told, "round", 1, MAX_ROUND),
            next((one for one in Ending if one == told.get("ending")), Ending.FINISH),
            _whole(told, "early", 0, MAX_EARLY) or 0,
        )

    def minutes(self) -> int:
        """For how many minutes it was started last."""
        with self._sessions() as session:
            return _whole(_told(session), "minutes", 1, MAX_MINUTES) or USUAL_MINUTES

    def evening(self) -> str | None:
        """The evening for which it was started last, unless it was stopped."""
        with self._sessions() as session:
            told = _told(session)
        evening = told.get("evening")
        return evening if isinstance(evening, str) and _end(told) is not None else None

    def mark(self) -> str:
        """A text that changes whenever someone starts, lengthens or stops the clock."""
        with self._sessions() as session:
            return str(_told(session).get("ends") or "")

    def start(
        self,
        evening_id: str,
        minutes: int,
        round_: int | None = None,
        ending: Ending = Ending.FINISH,
        early: int = 0,
    ) -> None:
        """Let it run for so many minutes from now, and remember how many they were.

        Args:
            evening_id: the evening.
            minutes: for how many.
            round_: the number of the round; None where the evening has one.
            ending: what is played once the last hand is called.
            early: how many minutes before the end it is called.
        """
        ends = steady_now() + timedelta(minutes=minutes)
        told = {
            "evening": evening_id,
            "minutes": minutes,
            "ends": ends.isoformat(),
            "round": round_,
            "ending": str(ending),
            "early": early,
            "computer": start_of_computer(),
            "started": started_at(),
        }
        with self._sessions.begin() as session:
            ClubSettingRow.decide(session, SETTING, told)

    def more(self, evening_id: str) -> None:
        """Give the round :data:`MORE_MINUTES`, from now if its time is up."""
        with self._sessions.begin() as session:
            told = _told(session)
            ends = _end(told)
            if ends is not None and told.get("evening") == evening_id:
                later = max(ends, _now(told)) + timedelta(minutes=MORE_MINUTES)
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


def _now(told: dict[str, Any]) -> datetime:
    """The moment by the clock of the program that started this one, unless the computer restarted.

    So neither a restart of the program nor a clock that is set meanwhile makes a round longer.
    """
    started = told.get("started")
    if told.get("computer") != (start_of_computer() or None) or not isinstance(started, float):
        return steady_now()
    set_by = min(max(started - started_at(), -_CENTURY_S), _CENTURY_S)
    return steady_now() + timedelta(seconds=set_by)


def _whole(told: dict[str, Any], key: str, least: int, most: int) -> int | None:
    number = told.get(key)
    return number if isinstance(number, int) and least <= number <= most else None


def _end(told: dict[str, Any]) -> datetime | None:
    try:
        ends = datetime.fromisoformat(str(told.get("ends")))
    except ValueError:
        return None
    return ends if ends.tzinfo is not None else None
