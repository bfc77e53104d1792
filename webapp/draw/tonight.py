"""What the rounds that are being played mean for those that are drawn after them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Final

from webapp.draw.costs import WEIGHTS
from webapp.draw.drawing import Round
from webapp.draw.entrants import Past
from webapp.draw.sizes import FULL

AS_MANY: Final = round(WEIGHTS.again / WEIGHTS.before)
"""As many meetings on earlier evenings one of tonight counts, so that meeting again costs as much
as it does among rounds that are drawn at once."""


def after(past: Past, rounds: Iterable[Round]) -> Past:
    """What was played before, with rounds of tonight whose tables are open.

    Args:
        past: what was played on earlier evenings.
        rounds: the rounds of tonight.
    """
    met, odd, east = Counter(past.met), Counter(past.odd), Counter(past.east)
    for round_ in rounds:
        odd.update(round_.resting)
        for table in round_.tables:
            east[table.players[0]] += 1
            for pair in combinations(table.players, 2):
                met[frozenset(pair)] += AS_MANY
            if len(table.players) != FULL:
                odd.update(table.players)
    return Past(met, odd, east)
