"""How often something happened lately, counted by all machines together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Engine, delete, func, insert, select

from webapp.database.ids import new_id
from webapp.database.tables.association import CountedRow
from webapp.runtime.counts import Counts, Event
from webapp.runtime.steady_clock import seconds, steady_now


@dataclass(frozen=True, eq=False)
class _Kept(Event):
    """Something that happened; ``row`` is what it is called in the database."""

    row: str


class SharedCounts(Counts):
    """Counts in a club's database, as :class:`webapp.runtime.counts.Counts` does in memory.

    Two machines that count at the same moment may let one more happen than is allowed.

    Args:
        engine: the club's database.
        kind: what is counted.
        window_s: how long something counts, in seconds.
    """

    def __init__(self, engine: Engine, kind: str, window_s: float) -> None:
        super().__init__(window_s)
        self._engine, self._kind = engine, kind
        self._window = timedelta(seconds=window_s)

    def take(self, most: Mapping[str, int]) -> Event | None:
        """See :meth:`Counts.take`."""
        now, row = steady_now(), new_id()
        mine = CountedRow.kind == self._kind
        found = select(CountedRow.key, func.count()).where(
            mine, CountedRow.key.in_(most), CountedRow.at > now - self._window
        )
        with self._engine.begin() as connection:
            connection.execute(delete(CountedRow).where(mine, CountedRow.at <= now - self._window))
            counted = dict(connection.execute(found.group_by(CountedRow.key)).all())
            if any(counted.get(key, 0) >= limit for key, limit in most.items()):
                return None
            new = [{"event": row, "kind": self._kind, "key": key, "at": now} for key in most]
            connection.execute(insert(CountedRow), new)
        return _Kept(seconds(), frozenset(most), row)

    def give_back(self, event: Event) -> None:
        """See :meth:`Counts.give_back`."""
        if isinstance(event, _Kept):
            with self._engine.begin() as connection:
                connection.execute(delete(CountedRow).where(CountedRow.event == event.row))

    def forgive(self, key: str) -> None:
        """See :meth:`Counts.forgive`."""
        events = select(CountedRow.event).where(
            CountedRow.kind == self._kind, CountedRow.key == key
        )
        with self._engine.begin() as connection:
            connection.execute(delete(CountedRow).where(CountedRow.event.in_(events)))
