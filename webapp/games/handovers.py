"""Players who took a place at a running table: substitutes, and names that were wrong.

The game itself holds the names of those who sit there now. What is noted here says who played the
hands before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask_babel import gettext

from scorer.game.corrections import rename
from scorer.game.game import Game
from webapp.deal.names import renamed_state
from webapp.deal.state import DealState


@dataclass(frozen=True, slots=True)
class Handover:
    """Some players of a game became others.

    Attributes:
        hand: the first hand that the new ones played; 1 if the names were wrong from the start.
        names: the new name for each earlier one.
    """

    hand: int
    names: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        """The handover as a JSON value."""
        return {"hand": self.hand, "names": dict(self.names)}


def read_handovers(kept: Iterable[Mapping[str, Any]], now: Mapping[str, str]) -> list[Handover]:
    """The handovers that were kept, with other names for some players.

    Args:
        kept: their JSON values.
        now: the current name for each name that was written.
    """
    return [
        Handover(
            item["hand"],
            {now.get(old, old): now.get(new, new) for old, new in item["names"].items()},
        )
        for item in kept
    ]


def who_sat(handovers: Sequence[Handover], name: str, hand: int) -> str:
    """The name of the player who played a hand at the place of the one who sits there now."""
    for handover in reversed(handovers):
        if hand < handover.hand:
            earlier = {new: old for old, new in handover.names.items()}
            name = earlier.get(name, name)
    return name


def everybody(handovers: Sequence[Handover], game: Game) -> list[str]:
    """The names of all who played or sit at a table, in the order of their places."""
    hands = range(1, len(game.hands) + 1)
    return list(
        dict.fromkeys(
            who
            for name in game.totals
            for who in (name, *(who_sat(handovers, name, hand) for hand in hands))
        )
    )


def who_went(handovers: Sequence[Handover], game: Game) -> dict[str, str | None]:
    """Who played at a table and has gone, each with the substitute in their place; None without."""
    if game.next is None:
        return {}
    there = game.next.everybody
    gone: dict[str, str | None] = {n: None for n in game.setup.names if n not in there}
    for index, handover in enumerate(handovers):
        for old in handover.names if handover.hand > 1 else ():
            now = old
            for later in handovers[index:]:
                now = later.names.get(now, now)
            if old not in game.setup.names and now in there:
                gone[old] = now
    return gone


def handover_lines(handovers: Sequence[Handover]) -> list[str]:
    """Who played for whom, in sentences."""
    return [
        gettext(
            "%(new)s plays instead of %(old)s from hand %(hand)s on.",
            new=new,
            old=old,
            hand=handover.hand,
        )
        for handover in handovers
        if handover.hand > 1
        for old, new in handover.names.items()
    ]


def handed_over(game: Game, handover: Handover) -> Game:
    """The game with the names of the new players in all its hands.

    Raises:
        GameError: nobody has such a name, or two players would be called the same.
    """
    return rename(game, handover.names)


def follow_in_deal(
    state: DealState, before: Sequence[Handover], after: Sequence[Handover]
) -> DealState:
    """A deal of a game with the players who sit there after an entry or after taking it back."""
    if len(after) > len(before):
        return renamed_state(state, after[-1].names)
    if len(after) < len(before):
        earlier = {new: old for old, new in before[-1].names.items()}
        return renamed_state(state, earlier)
    return replace(state)
