"""What a draw could not give: wishes not kept, pairs who meet twice, places that are not fair."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from webapp.draw.drawing import Drawing
from webapp.draw.entrants import Entrant, Pair, Wishes
from webapp.draw.sizes import FULL


@dataclass(frozen=True, slots=True)
class Shortcoming:
    """Something that a draw does not give.

    Attributes:
        kind: ``apart`` for two who meet though they are to be kept apart, ``together`` for two who
            sit at different tables though they are to be together, ``table`` for someone who is
            not at the table where they always sit, ``again`` for two who meet more than once in the
            draw, ``odd`` for someone who sits out or is at a table not of four more than once.
        names: the player or the two players.
        rounds: the rounds concerned, counted from 1.
    """

    kind: str
    names: tuple[str, ...]
    rounds: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """The shortcoming as a JSON value."""
        return {"kind": self.kind, "names": list(self.names), "rounds": list(self.rounds)}


def shortcomings(
    drawing: Drawing, entrants: Sequence[Entrant], wishes: Wishes
) -> tuple[Shortcoming, ...]:
    """All that a draw could not give, the worst first."""
    met = _met(drawing)
    return (
        *_pairs("apart", {pair: met[pair] for pair in wishes.apart if pair in met}),
        *_elsewhere(drawing, entrants),
        *_pairs("together", _separate(drawing, wishes)),
        *_odd(drawing),
        *_pairs(
            "again",
            {
                pair: rounds
                for pair, rounds in met.items()
                if len(rounds) > 1 and pair not in wishes.together
            },
        ),
    )


def _pairs(kind: str, rounds: dict[Pair, list[int]]) -> Iterator[Shortcoming]:
    for names, at in sorted((sorted(pair), at) for pair, at in rounds.items() if at):
        yield Shortcoming(kind, tuple(names), tuple(at))


def _met(drawing: Drawing) -> dict[Pair, list[int]]:
    met: dict[Pair, list[int]] = defaultdict(list)
    for number, round_ in enumerate(drawing.rounds, 1):
        for table in round_.tables:
            for pair in combinations(table.players, 2):
                met[frozenset(pair)].append(number)
    return met


def _separate(drawing: Drawing, wishes: Wishes) -> dict[Pair, list[int]]:
    """The rounds in which two who wish to be together both play, at different tables."""
    separate: dict[Pair, list[int]] = defaultdict(list)
    for number, round_ in enumerate(drawing.rounds, 1):
        at = {name: n for n, table in enumerate(round_.tables) for name in table.players}
        for pair in wishes.together:
            if len({at.get(name, -1) for name in pair}) > 1 and pair <= at.keys():
                separate[pair].append(number)
    return separate


def _elsewhere(drawing: Drawing, entrants: Sequence[Entrant]) -> Iterator[Shortcoming]:
    for entrant in entrants:
        rounds = [
            number
            for number, round_ in enumerate(drawing.rounds, 1)
            for at, table in enumerate(round_.tables, 1)
            if entrant.table not in (None, at) and entrant.name in table.players
        ]
        if rounds:
            yield Shortcoming("table", (entrant.name,), tuple(rounds))


def _odd(drawing: Drawing) -> Iterator[Shortcoming]:
    """Those with more than one odd place, as long as others have had fewer."""
    rounds: dict[str, list[int]] = defaultdict(list)
    played: Counter[str] = Counter()
    for number, round_ in enumerate(drawing.rounds, 1):
        for table in round_.tables:
            played.update(table.players)
            if len(table.players) != FULL:
                for name in table.players:
                    rounds[name].append(number)
        played.update(round_.resting)
        for name in round_.resting:
            rounds[name].append(number)
    fewest = min((len(rounds.get(name, ())) for name in played), default=0)
    for name, at in sorted(rounds.items()):
        if len(at) > fewest + 1:
            yield Shortcoming("odd", (name,), tuple(at))
