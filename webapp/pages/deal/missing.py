"""Everything that a deal still lacks before it can be scored, each with the place to enter it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for
from flask_babel import gettext

from webapp.deal.for_scorer import Problem, missing
from webapp.deal.store import StoredDeal


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that a deal lacks.

    Attributes:
        words: what it is.
        address: the page, or the place on the page of the table, where it is entered.
        button: the words of the button that leads there.
        without_photo: the page on which it is entered without a photo; empty where none is asked.
    """

    words: str
    address: str
    button: str
    without_photo: str = ""


def missing_words(deal: StoredDeal) -> list[Missing]:
    """All that a deal lacks, as the page of the table shows it."""
    return [_missing(deal, problem) for problem in missing(deal.state)]


def _missing(deal: StoredDeal, problem: Problem) -> Missing:
    words = str(problem.message)
    if problem.player is None:
        place = f"#ask-{(problem.field or '').removeprefix('win.')}"
        if not all(player.entered for player in deal.state.players):
            place = url_for("winning.show", deal_id=deal.id) + place
        return Missing(words, place, gettext("Answer it"))
    player = deal.state.player(problem.player)
    tiles = url_for("tiles.show", deal_id=deal.id, seat=player.seat)
    if player.entered:
        return Missing(words, tiles, gettext("Look at the tiles"))
    address = url_for("capture.show", deal_id=deal.id, seat=player.seat)
    return Missing(words, address, gettext("Take a photo"), without_photo=tiles)
