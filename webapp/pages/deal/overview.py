"""The page of a deal as a whole: what is entered of each player, undo, and the next deal."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from scorer.tiles import SEAT_NAMES
from vision.layout.unknown_set import UNKNOWN_SET
from webapp.deal.for_scorer import dangers, fatal_discard
from webapp.deal.photos import READING, WAITING, StoredPhoto
from webapp.deal.rules_asked import looked_at
from webapp.deal.state import DealState, Player
from webapp.games.words import entered_by
from webapp.joint.decision import exchanged, tiles_missing, tiles_too_many
from webapp.joint.questions import questions_of, repairs_of
from webapp.language.noted import noted
from webapp.pages.deal.missing import missing_words
from webapp.pages.deal.winning import facts_asked
from webapp.photos.desk import TABLE
from webapp.photos.photo_warnings import shows_unknown_set
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import deal_or_404, services

pages = Blueprint("deal", __name__)


@pages.get("/deals/<deal_id>")
@Policy(MEMBER)
def show(deal_id: str) -> str | Response:
    """Show whose tiles are entered and what to do next."""
    found = services()
    game = found.games.game_of(deal_id)
    token = "" if game is None else found.table_token(game[0])
    photos = found.store.stages(deal_id)
    # The deal is read last, so that it contains whatever the photos and the token stand for.
    deal = deal_or_404(deal_id)
    if deal.state.only:
        return redirect(url_for("worth.show", deal_id=deal_id), 303)
    busy = any(photo.stage in (WAITING, READING) for photo in photos.values())

    @cache
    def photo_of(player: Player) -> StoredPhoto | None:
        return found.store.photo(player.photo) if player.photo else None

    unknown = [p for p in deal.state.players if p.doubtful and shows_unknown_set(photo_of(p))]
    questions = questions_of(deal.state, found.copies(deal))
    return render_template(
        "deal/overview.html",
        deal=deal,
        photos=photos,
        busy=busy,
        **_looks(deal.state),
        nobody_entered=not any(player.entered for player in deal.state.players),
        table_photo=photos.get(TABLE),
        unknown=UNKNOWN_SET if unknown else None,
        of_unknown=unknown,
        questions=[q for q in questions if q.player not in unknown],
        repairs=[r for r in repairs_of(deal.state) if r.player not in unknown],
        tiles_missing=tiles_missing,
        tiles_too_many=tiles_too_many,
        missing=missing_words(deal) if "check" in request.args else [],
        **facts_asked(deal, "deal.show"),
        suspected={s.player.seat for q in questions for s in q.suspects},
        photo_of=photo_of,
        dangers=dangers,
        fatal_discard=fatal_discard,
        token=token,
    )


def _looks(state: DealState) -> dict[str, Any]:
    """Whose tiles are asked for, and whether all of them are there."""
    matter = looked_at(state)
    asked_for = matter or [player for player in state.players if player.entered]
    entered = bool(asked_for) and all(player.entered for player in asked_for)
    nothing = state.win.drawn and not matter
    return {"asked_for": asked_for, "entered": entered or nothing}


@pages.post("/deals/<deal_id>/exchange")
@Policy(SCORER)
def exchange(deal_id: str) -> Response:
    """Exchange the tiles of two players, or give one's to another who has none."""
    deal, found = deal_or_404(deal_id), services()
    state = deal.state
    one, other = request.form.get("seat", ""), request.form.get("other", "")
    if one == other or not {one, other} <= set(state.seats):
        abort(400, gettext("Nobody sits there in this deal."))
    copies = found.copies(deal)
    found.store.edit(
        deal_id,
        lambda state: exchanged(state, one, other, copies),
        noted("Tiles given to another player"),
    )
    return redirect(url_for("deal.show", deal_id=deal_id), 303)


@pages.post("/deals/<deal_id>/undo")
@Policy(SCORER)
def undo(deal_id: str) -> Response:
    """Take back the entry that the sender saw as the latest."""
    deal, found = deal_or_404(deal_id), services()
    head = request.form.get("head", -1, type=int)
    if head == deal.head:
        found.store.undo(deal_id, head)
    elif head > deal.head:
        flash(gettext("That has already been undone on another phone."))
    else:
        latest = found.store.trail(deal_id)[-1]
        other = entered_by(latest.what, latest.who)
        flash(gettext("%(other)s Your Undo changed nothing.", other=other))
    back = request.form.get("back", "")
    own = back.startswith(f"/deals/{deal_id}")
    return redirect(back if own else url_for("deal.show", deal_id=deal_id), 303)


@pages.post("/deals/<deal_id>/next")
@Policy(SCORER)
def next_deal(deal_id: str) -> Response:
    """Start a deal with the same people, with the winds as they are or passed on by one seat.

    Its rules are the club's, or those of the deal before it where the club has decided on none.
    """
    state = deal_or_404(deal_id).state
    names = {player.seat: player.name for player in state.players}
    sides = dict(state.sides)
    winds = request.form.get("winds", "stay")
    if winds not in ("stay", "pass"):
        abort(400, gettext("The winds either stay or pass."))
    if winds == "pass":
        order = [seat for seat in SEAT_NAMES if seat in names]
        before = {seat: order[(i + 1) % len(order)] for i, seat in enumerate(order)}
        names = {seat: names[old] for seat, old in before.items()}
        sides = {seat: sides[old] for seat, old in before.items() if old in sides}
    found = services()
    following = replace(found.loose_deal(state.seats, names), sides=sides)
    if found.club_rules() is None:
        following = replace(following, ruleset=state.ruleset, changes=state.changes)
    new_id = found.begin_deal(following)
    return redirect(url_for("deal.show", deal_id=new_id), 303)
