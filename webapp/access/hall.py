"""What the club lets the display in the hall show, and whether it does so without a login."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import Engine
from sqlalchemy.orm import sessionmaker

from webapp.database.book import ClubSettingRow

SETTING: Final = "hall"
"""The key of the club's setting that holds what the display may show."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the club decided about its display.

    Attributes:
        open: whether it is shown without a login where there are accounts.
        full_names: whether it tells whole names, not first names only.
    """

    open: bool = False
    full_names: bool = False


class Hall:
    """Reads and writes what the display may show, from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._sessions = sessionmaker(engine, expire_on_commit=False)

    def shown(self) -> Shown:
        """What the club decided; what cannot be read, such as from a foreign copy, shows least."""
        with self._sessions() as session:
            told = ClubSettingRow.told(session, SETTING)
        told = told if isinstance(told, dict) else {}
        return Shown(told.get("open") is True, told.get("full_names") is True)

    def is_open(self) -> bool:
        """Whether the display needs no login."""
        return self.shown().open

    def decide(self, shown: Shown) -> None:
        """Let the display show this from now on."""
        with self._sessions.begin() as session:
            ClubSettingRow.decide(session, SETTING, asdict(shown))
