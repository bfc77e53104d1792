"""The answers to the questions about a deal's tiles, each given with one tap."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, flash, redirect, request, url_for
from flask_babel import gettext
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.wrappers import Response

from scorer.tiles import SEATS, SUITS
from webapp.deal import edits
from webapp.deal.names import of_player
from webapp.deal.state import DealState, Player
from webapp.joint.decision import accept, decline, with_decision
from webapp.joint.decision_words import reason_words
from webapp.joint.questions import suits_asked
from webapp.language.noted import noted
from webapp.security.policy import SCORER, Policy
from webapp.services import deal_or_404, services

pages = Blueprint("answers", __name__, url_prefix="/deals/<deal_id>/answers")
pages.add_app_template_global(reason_words)
pages.add_app_template_global(suits_asked)

Form = ImmutableMultiDict[str, str]


def _version(state: DealState, form: Form) -> DealState:
    """Accept one suggestion, or reject all those named in the form."""
    kept = form.get("keep", "")
    numbers = [int(text) for text in (kept or form.get("number", "")).split() if text.isdecimal()]
    if not numbers or max(numbers) >= len(state.suggestions):
        raise edits.EditError(gettext("This has already been answered."))
    if not kept:
        return accept(state, numbers[0])
    for number in numbers:
        state = decline(state, number)
    return state


def _asked_of(state: DealState, form: Form) -> Player:
    """The player whose tiles were asked about.

    Raises:
        EditError: nobody sits there.
    """
    seat = form.get("seat", "")
    if seat not in state.seats:
        raise edits.EditError(gettext("Nobody sits there in this deal."))
    return state.player(seat)


def _name(state: DealState, form: Form) -> DealState:
    player = edits.change_tile(_asked_of(state, form), form.get("tile", ""), form.get("label", ""))
    return edits.with_player(state, player)


def _suits(state: DealState, form: Form) -> DealState:
    """Exchange two suits of a set that nobody knows."""
    one, other = form.get("suit", ""), form.get("other", "")
    if one == other or not {one, other} <= set(SUITS):
        raise edits.EditError(gettext("This has already been answered."))
    return edits.exchange_suits(state, one, other)


def _kong(state: DealState, form: Form) -> DealState:
    """Lay four tiles of a hand apart as a kong, shown or concealed."""
    tiles = form.get("tiles", "").split()
    concealed = form.get("kong") == "concealed"
    player = edits.group_tiles(_asked_of(state, form), tiles, concealed=concealed)
    return edits.with_player(state, player)


def _all_right(state: DealState, _form: Form) -> DealState:
    for player in state.players:
        state = edits.with_player(state, edits.confirm_all(player))
    return state


ANSWERS: dict[str, tuple[str, Callable[[DealState, Form], DealState]]] = {
    "version": (noted("Version chosen"), _version),
    "name": (noted("Tile named"), _name),
    "suits": (noted("Suits exchanged"), _suits),
    "kong": (noted("Kong laid apart"), _kong),
    "all_right": (noted("All tiles confirmed"), _all_right),
}
"""For each answer the words of the entry, and the edit that it makes."""


@pages.post("")
@Policy(SCORER)
def answer(deal_id: str) -> Response:
    """Store one answer and go back to the page that asked, the table's or a player's."""
    deal = deal_or_404(deal_id)
    form = request.form
    if form.get("action") not in ANSWERS:
        abort(400, gettext("Kongbox does not recognise this form. Go back and try again."))
    words, change = ANSWERS[form["action"]]
    found, back = services(), form.get("back", "")
    what = of_player(words, back) if back in SEATS else words
    copies = found.copies(deal)
    try:
        found.store.edit(deal_id, lambda state: with_decision(change(state, form), copies), what)
    except edits.EditError as error:
        flash(str(error))
    if back in deal.state.seats:
        return redirect(url_for("tiles.show", deal_id=deal_id, seat=back), 303)
    return redirect(url_for("deal.show", deal_id=deal_id) + "#questions", 303)
