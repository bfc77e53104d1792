"""The pages of disputes about a deal, on which they are opened, answered and listed."""

from __future__ import annotations

from flask import (
    Blueprint,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorer.tiles import SEAT_NAMES
from webapp.database.author import author
from webapp.deal.store import StoredDeal
from webapp.games.audit import TableDispute, table_disputes
from webapp.games.disputes import MAX_OPEN, MAX_TEXT, Dispute, Kind, Settled, TooMany, clean_text
from webapp.games.store import StoredGame
from webapp.pages.table.table import place_at_table
from webapp.people.names import NameRefused, clean_name
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import deal_or_404, services

pages = Blueprint("disputes", __name__)

OTHER = "*"
"""The value of the speaker's field that stands for a name that is typed."""

ANSWERS: dict[str, Kind] = {"stands": "stands", "correct": "correcting", "corrected": "corrected"}
"""For each value of the form the kind of step that it adds to a dispute."""


class NoteRefused(ValueError):
    """The form is not complete; the message says what is missing."""


def speakers(deal: StoredDeal) -> list[str]:
    """The names offered as speaker: the person who is logged in, then the players."""
    players = [player.name or SEAT_NAMES[player.seat] for player in deal.state.players]
    login = author()
    return list(dict.fromkeys(([login] if login else []) + players))


def _speaker(form: MultiDict[str, str], deal: StoredDeal) -> str:
    who = form.get("who", "")
    if who in speakers(deal):
        return who
    if who != OTHER:
        raise NoteRefused(gettext("Choose your name."))
    try:
        return clean_name(form.get("other", ""))
    except NameRefused as refusal:
        raise NoteRefused(str(refusal)) from refusal


def _note(form: MultiDict[str, str]) -> str:
    text = clean_text(form.get("text", ""))
    if not text:
        raise NoteRefused(gettext("Say what you think is wrong, in a few words."))
    return text


@pages.get("/deals/<deal_id>/dispute")
@Policy(MEMBER)
def new(deal_id: str) -> str:
    """Show the form that opens a dispute."""
    return _form(deal_or_404(deal_id), None)


def _form(deal: StoredDeal, message: str | None, dispute: Dispute | None = None) -> str:
    """The page with the form that opens a dispute, or with the one that settles ``dispute``."""
    return render_template(
        "table/dispute.html" if dispute is None else "table/dispute_outcome.html",
        deal=deal,
        dispute=dispute,
        speakers=speakers(deal),
        other=OTHER,
        most=MAX_TEXT,
        form=request.form,
        message=message,
    )


@pages.post("/deals/<deal_id>/dispute")
@Policy(SCORER)
def begin(deal_id: str) -> Response:
    """Open a dispute."""
    deal = deal_or_404(deal_id)
    try:
        who, text = _speaker(request.form, deal), _note(request.form)
        services().disputes.open(deal_id, who, text)
    except NoteRefused as refusal:
        return make_response(_form(deal, str(refusal)), 400)
    except TooMany:
        told = gettext(
            "There are already %(most)s open disputes about this hand. Settle one of them first.",
            most=MAX_OPEN,
        )
        return make_response(_form(deal, told), 409)
    return _back(deal)


@pages.get("/disputes/<dispute_id>")
@Policy(MEMBER)
def show(dispute_id: str) -> str:
    """Show a dispute with its steps, and how it can be settled."""
    return _page(_dispute_or_404(dispute_id), None)


def _dispute_or_404(dispute_id: str) -> Dispute:
    dispute = services().disputes.dispute(dispute_id)
    if dispute is None:
        abort(404, gettext("That dispute does not exist. Go back to the table."))
    return dispute


def _page(dispute: Dispute, message: str | None) -> str:
    return _form(deal_or_404(dispute.deal_id), message, dispute)


@pages.post("/disputes/<dispute_id>")
@Policy(SCORER)
def answer(dispute_id: str) -> Response:
    """Settle a dispute, or go on to correct the hand."""
    dispute = _dispute_or_404(dispute_id)
    deal = deal_or_404(dispute.deal_id)
    kind = ANSWERS.get(request.form.get("answer", ""))
    if kind is None:
        abort(400, gettext("Choose whether the score is right or is corrected."))
    try:
        who = _speaker(request.form, deal)
    except NoteRefused as refusal:
        return make_response(_page(dispute, str(refusal)), 400)
    try:
        services().disputes.add(dispute_id, kind, who, request.form.get("text", ""))
    except Settled:
        flash(gettext("This dispute has just been settled, perhaps on another phone."))
        return redirect(url_for("disputes.show", dispute_id=dispute_id), 303)
    return redirect(place_to_correct(deal), 303) if kind == "correcting" else _back(deal)


def place_to_correct(deal: StoredDeal) -> str:
    """The address where a hand is corrected: its table once it is in the game, else its tiles."""
    place = place_at_table(deal)
    if place is not None and place.correction:
        return url_for("hands.show", game_id=place.stored.id, number=place.number)
    return url_for("deal.show", deal_id=deal.id)


def _back(deal: StoredDeal) -> Response:
    return redirect(url_for("result.show", deal_id=deal.id) + "#disputes", 303)


@pages.app_template_global()
def deal_disputes(deal_id: str | None) -> list[Dispute]:
    """The disputes about a deal, oldest first."""
    return [] if deal_id is None else services().disputes.of_deal(deal_id)


@pages.app_template_global("table_disputes")
def disputes_of(stored: StoredGame) -> list[TableDispute]:
    """The disputes of a table, oldest first."""
    return table_disputes(services().disputes, stored)
