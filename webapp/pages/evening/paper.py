"""What an evening puts on paper, and the way back from the cards on the tables to their pages."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, flash, redirect, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from webapp.contest.standing import Line
from webapp.evening.evenings import Evening
from webapp.games.store import StoredGame
from webapp.games.words import day_of_month, points
from webapp.language.numbers import whole_or_none
from webapp.pages.contest_shown import Shown, of_evening
from webapp.pages.entry.phones import address_for_phones
from webapp.pages.evening.evenings import evening_or_404, placed_results
from webapp.pages.evening.hall import Best, best_hand
from webapp.pages.sending import sent
from webapp.rulesets.shown import hand_words
from webapp.security.headers import named_hosts
from webapp.security.login import may_enter
from webapp.security.policy import MEMBER, Policy
from webapp.services import services
from webapp.serving import https
from webapp.serving.addresses import page_address, server_port

pages = Blueprint("paper", __name__)

MAX_TABLES: Final = 50
"""Largest number of a table for which a card is printed."""

NAMELESS: Final = frozenset({"claimed", "ordinary"})
"""The kinds of hands that have no name which a certificate would tell."""


@pages.get("/evenings/<evening_id>/page.pdf")
@Policy(MEMBER)
def evening_page(evening_id: str) -> Response:
    """Send an evening as one printed page: all standings, and what each player won or lost."""
    from webapp.exports import poster_pdf

    evening = evening_or_404(evening_id)
    games = services().games.of_evening(evening_id)
    data = poster_pdf.evening_page(evening, games, _placed(evening_id, games))
    return sent(data, _file(evening, "page"))


@pages.get("/evenings/<evening_id>/draw.pdf")
@Policy(MEMBER)
def draw_page(evening_id: str) -> Response:
    """Send the tables that were drawn as one printed page."""
    from webapp.exports import draw_pdf

    evening, draws = evening_or_404(evening_id), services().book.draws
    kept = draws.latest(evening_id)
    if kept is None:
        abort(404, gettext("The tables for this evening have not been drawn yet. Draw them first."))
    data = draw_pdf.draw_page(evening, kept, draws.names())
    return sent(data, _file(evening, "draw"))


@pages.get("/evenings/<evening_id>/certificates.pdf")
@Policy(MEMBER)
def certificates(evening_id: str) -> Response:
    """Send certificates for the first three places and the biggest hand of an evening."""
    from webapp.exports.certificate_pdf import LAST_PLACE, Award, certificates, honour, worth

    evening = evening_or_404(evening_id)
    games = services().games.of_evening(evening_id)
    day, where = day_of_month(evening.day), evening.place or gettext("The mahjong evening")
    standing = of_evening(evening_id)
    placed = [(place, name, worth(gain)) for place, name, gain, _ in placed_results(games)]
    if standing.decided is not None:
        placed = [
            (line.place, standing.names.get(line.who, "?"), _total(standing, line))
            for line in standing.lines
            if line.place is not None
        ]
    awards = [
        Award(name, honour(place), where, told, day)
        for place, name, told in placed
        if place <= LAST_PLACE
    ]
    best = best_hand(games)
    if best is not None:
        told = gettext("%(hand)s, %(points)s points", hand=_hand(best), points=points(best.total))
        awards.append(Award(best.name, gettext("The biggest hand"), where, told, day))
    if not awards:
        abort(404, gettext("No hands have been played yet, so there are no honours to give."))
    return sent(certificates(awards), _file(evening, "certificates"))


@pages.get("/evenings/<evening_id>/cards.pdf")
@Policy(MEMBER)
def cards(evening_id: str) -> Response:
    """Send a card for each table with the QR code of its page; they are good for every evening."""
    from webapp.exports.card_pdf import table_cards

    evening = evening_or_404(evening_id)
    tables = whole_or_none(request.args.get("tables", ""), 1, MAX_TABLES) or 1
    root = address_for_phones() or page_address(request.host, server_port(), named_hosts())
    door = https.https().door(root).rstrip("/")
    addresses = {
        number: door + url_for("paper.at_table", number=number) for number in range(1, tables + 1)
    }
    return sent(table_cards(addresses), _file(evening, "cards"))


@pages.get("/at/<int:number>")
@Policy(MEMBER)
def at_table(number: int) -> Response:
    """Lead from the card on a table to the game that is played there, or to one to be opened."""
    evening, games = services().tonight()
    here = [stored for stored in games if stored.number == number]
    if here:
        playing = [stored for stored in here if not stored.book.over] or here
        return redirect(url_for("table.show", game_id=playing[-1].id), 303)
    flash(gettext("There is no game at table %(number)s yet.", number=number))
    if may_enter():
        return redirect(url_for("evenings.new_table", at_table=number), 303)
    if evening is None:
        return redirect(url_for("evenings.index"), 303)
    return redirect(url_for("evenings.show", evening_id=evening.id), 303)


def _placed(evening_id: str, games: list[StoredGame]) -> list[tuple[int | None, str, int, int]]:
    """The results of an evening; where it is a tournament, with the places of that."""
    standing, found = of_evening(evening_id), placed_results(games)
    if standing.decided is None:
        return [*found]
    lines = standing.lines
    at = {standing.names.get(it.who): (number, it.place) for number, it in enumerate(lines)}
    last = (len(lines), None)
    found.sort(key=lambda result: at.get(result[1], last)[0])
    return [(at.get(name, last)[1], name, gain, played) for _, name, gain, played in found]


def _total(standing: Shown, line: Line) -> str:
    return str(gettext("%(total)s points", total=standing.total(line)))


def _hand(best: Best) -> str:
    """What the biggest hand is called, and where it was played."""
    if best.kind in NAMELESS:
        return best.title
    return f"{hand_words(best.ruleset, best.kind)}, {best.title}"


def _file(evening: Evening, name: str) -> str:
    return f"kongbox-{evening.day.isoformat()}-{name}.pdf"
