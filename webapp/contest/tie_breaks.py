"""What decides between players with equal totals: an ordered list of named keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from webapp.contest.figures import Figures

Ahead = Mapping[tuple[str, str], int]
"""How often one player had more points than another at a table where both sat."""

MEETING: Final = "meeting"
"""The id of the tie-break that looks at the tables at which those who are level met."""

_OF_FIGURES: Final[Mapping[str, Callable[[Figures], Fraction | int]]] = MappingProxyType(
    {
        "points": lambda figures: figures.points,
        "places": lambda figures: figures.places,
        "firsts": lambda figures: figures.firsts,
        "won": lambda figures: figures.won,
        "highest": lambda figures: figures.highest,
    }
)
"""The tie-breaks that look at a player alone; the higher figure is ahead."""

TIE_BREAKS: Final = (*_OF_FIGURES, MEETING)
"""The ids of all tie-breaks."""

Ranked = list[tuple[list[str], str]]
"""Groups in their order, of one unless they share a place, each with the id of the tie-break that
set it apart from others with the same total; empty if none did."""


def broken(
    level: Sequence[str], ties: Sequence[str], figures: Mapping[str, Figures], ahead: Ahead
) -> Ranked:
    """Put those with equal totals into their order, as far as the tie-breaks tell one.

    Args:
        level: the ids of those whose totals are equal.
        ties: the tie-breaks, one after the other.
        figures: the figures of each.
        ahead: how often one was ahead of another.
    """
    groups: Ranked = [(sorted(level), "")]
    for tie in ties:
        groups = [
            (part, tie if len(parts) > 1 else by)
            for group, by in groups
            for parts in [_split(group, tie, figures, ahead)]
            for part in parts
        ]
    return groups


def _split(
    group: list[str], tie: str, figures: Mapping[str, Figures], ahead: Ahead
) -> list[list[str]]:
    """A group in parts, the best first, of those for whom the tie-break says the same."""
    if len(group) == 1:
        return [group]

    def worth(one: str) -> Fraction | int:
        if tie == MEETING:
            return sum(ahead.get((one, o), 0) - ahead.get((o, one), 0) for o in group)
        return _OF_FIGURES[tie](figures[one])

    found: dict[Fraction | int, list[str]] = {}
    for one in group:
        found.setdefault(worth(one), []).append(one)
    return [found[value] for value in sorted(found, reverse=True)]
