"""Discards that are dangerous, because a player shows enough of their group on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from scorer.counting.hand import read_meld
from scorer.deal import Meld
from scorer.melds import ReadMeld
from scorer.messages import Message, Refused, say
from scorer.rules.rule import Danger
from scorer.rules.ruleset import Goulash, Ruleset
from scorer.tiles import parse_tiles, sort_tiles

_PAYS: Final = {"pay_for_all": "danger_pay_for_all", "reimburse": "danger_reimburse"}
"""The message that says who pays, by the effect of a penalty for a fatal discard."""


@dataclass(frozen=True, slots=True)
class DangerPosition:
    """What must not be thrown while a player shows what that player does.

    Attributes:
        shown: what the player shows, in the ruleset's words.
        tiles: what nobody else may throw.
        pays: who pays if one is thrown and the player wins by it.
        cite: where that is written.
    """

    shown: str
    tiles: tuple[str, ...]
    pays: Message
    cite: str


def danger_positions(
    ruleset: Ruleset, melds: Iterable[Meld], *, goulash: bool = False
) -> tuple[DangerPosition, ...]:
    """The danger positions that a player's exposed melds make under a ruleset.

    Args:
        ruleset: the ruleset, changes applied.
        melds: the player's melds on the table; concealed ones, and those that are none, do not
            matter.
        goulash: whether the deal is a goulash, in which a joker may stand in a meld.
    """
    if not ruleset.penalties_apply:
        return ()
    shown = tuple(_shown(melds, ruleset.goulash if goulash else None))
    return tuple(
        DangerPosition(danger.text, tiles, say(_PAYS[penalty.effect]), penalty.cite)
        for penalty in ruleset.penalty
        if penalty.effect in _PAYS
        for danger in penalty.danger
        for group in danger.groups
        if (tiles := _barred(danger, group, shown))
    )


def _shown(melds: Iterable[Meld], goulash: Goulash | None) -> Iterator[ReadMeld]:
    for meld in melds:
        try:
            read = read_meld(meld, goulash)
        except Refused:
            continue
        if not read.concealed:
            yield read


def _barred(danger: Danger, group: str, shown: tuple[ReadMeld, ...]) -> tuple[str, ...]:
    """The tiles of a group that may not be thrown; none if too few of it are shown."""
    tiles = parse_tiles(group)
    of_group = [meld for meld in shown if set(meld.tiles) <= set(tiles)]
    sets = [meld for meld in of_group if meld.kind != "chow"]
    if danger.tiles is None:
        enough = len(sets) >= (danger.sets or 0)
    else:
        enough = sum(len(meld.tiles) for meld in of_group) >= danger.tiles
    free = {meld.tile for meld in sets} if danger.others else set()
    return tuple(sort_tiles(set(tiles) - free)) if enough else ()
