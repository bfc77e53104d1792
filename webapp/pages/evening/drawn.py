"""What is told beside a draw: what it could not give, and who came or left since it was made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from flask_babel import gettext

from webapp.book.draws import Kept, asked
from webapp.draw.drawing import Drawing, Round
from webapp.draw.entrants import Entrant
from webapp.draw.shortcomings import shortcomings
from webapp.draw.words import shortcoming_words
from webapp.evening.visits import Visit
from webapp.services import services

MAX_PAIRS: Final = 5
"""Largest number of pairs who meet again that are told by name; where few play, it is most."""


@dataclass(frozen=True, slots=True)
class Since:
    """Who came and who left since a draw was made, by their names, as far as it matters."""

    came: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def lacking(evening_id: str, kept: Kept, names: dict[str, str]) -> list[str]:
    """What the drawings of an evening could not give, in sentences."""
    opened = services().book.draws.opened(evening_id)
    before = (opened.get(number, Round(())) for number in range(1, kept.first))
    drawing = Drawing((*before, *kept.drawing.rounds), kept.drawing.seed)
    people = frozenset().union(*(round_.everybody for round_ in drawing.rounds))
    wishes = asked(map(Entrant, people), services().book.draws.wishes(), kept.odd)
    found = [
        replace(it, names=tuple(names.get(name, "?") for name in it.names))
        for it in shortcomings(drawing, *wishes)
    ]
    again = [it for it in found if it.kind == "again"]
    if len(again) > MAX_PAIRS:
        many = gettext("%(count)s pairs meet more than once.", count=len(again))
        return [*(shortcoming_words(it) for it in found if it not in again), many]
    return [shortcoming_words(it) for it in found]


def since(kept: Kept | None, visits: Iterable[Visit], names: dict[str, str]) -> Since:
    """Who came and who left since the rounds were drawn whose tables are not open."""
    if kept is None:
        return Since()
    here, came, left = list(visits), set[str](), set[str]()
    for at, round_ in enumerate(kept.drawing.rounds):
        if at not in kept.opened:
            now = here_in(here, kept.round_number(at))
            drawn = {names.get(person, "?") for person in round_.everybody}
            came |= now - drawn
            left |= drawn - now
    return Since(tuple(sorted(came)), tuple(sorted(left)))


def here_in(visits: Iterable[Visit], round_: int) -> set[str]:
    """The names of those who are here in a round of the evening, counted from 1.

    Who was drawn is compared with them by names, because players who are joined have two ids.
    """
    return {visit.name for visit in visits if visit.plays(round_)}
