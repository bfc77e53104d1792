"""The pages of a player's tiles, on which they are checked, corrected and laid out in melds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

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
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.wrappers import Response

from scorer.deal import STATUSES
from scorer.notations import NotationError
from scorer.tiles import parse_tiles
from vision.layout.unknown_set import UNKNOWN_SET
from webapp.database.sessions import shared
from webapp.deal import edits
from webapp.deal.for_scorer import dangers, fatal_discard, seat_title
from webapp.deal.names import of_player
from webapp.deal.rules_asked import asks_of
from webapp.deal.scoring import check
from webapp.deal.state import BONUS, HAND, DealState, Player
from webapp.deal.store import StoredDeal
from webapp.games.hand_forms import doubt_of_total
from webapp.joint.decision import tiles_missing, tiles_too_many, with_decision
from webapp.joint.questions import versions_for
from webapp.language.noted import noted
from webapp.language.numbers import NumberRefused, read_whole, whole_or_none
from webapp.language.translation import as_sentence
from webapp.pages.deal.keyboard import spent_keys
from webapp.photos.photo_warnings import shows_unknown_set, warnings_left
from webapp.photos.pictures import level_part
from webapp.rulesets.shown import rules_of
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import deal_or_404, player_or_404, services

pages = Blueprint("tiles", __name__, url_prefix="/deals/<deal_id>/players/<seat>")
pages.add_app_template_global(level_part)

MODES = ("tile", "pung", "kong", "concealed_kong", "chow")
"""What one tap on the keyboard can add."""

MAX_NAME = 30
"""Maximum number of characters of a player's name."""

MAX_CLAIMED = 10_000_000
"""Maximum total that can be typed in."""

Form = ImmutableMultiDict[str, str]


@pages.get("")
@Policy(MEMBER)
def show(deal_id: str, seat: str) -> str:
    """Show the photo with its tiles outlined, and the tiles in hand and melds."""
    return _page(deal_or_404(deal_id), seat, request.args.get("add", ""))


def _page(deal: StoredDeal, seat: str, mode: str) -> str:
    """The page of a player's tiles; ``mode`` is what one tap adds, empty for no keyboard."""
    found = services()
    player = player_or_404(deal.state, seat)
    photo, failed = found.store.photos_of(deal.id, seat, player.photo)
    problems = check(found.store, deal) if "check" in request.args else ()
    unknown = UNKNOWN_SET if player.doubtful and shows_unknown_set(photo) else None
    copies = found.copies(deal)
    return render_template(
        "deal/player.html",
        deal=deal,
        player=player,
        photo=photo,
        failure=failed.error if failed is not None else None,
        problems=problems,
        mode=mode if mode in MODES else "",
        modes=MODES,
        picking="sets" in request.args,
        missing=tiles_missing(player),
        too_many=tiles_too_many(player),
        bonus_played=asks_of(deal.state).bonus,
        spent=spent_keys(deal.state, mode if mode in MODES else "tile", copies),
        unknown=unknown,
        warnings=warnings_left(photo, deal.state, player),
        questions=() if unknown else versions_for(deal.state, seat, copies),
        photo_of=lambda other: found.store.photo(other.photo) if other.photo else None,
        next_seat=_next_seat(deal.state, seat),
        statuses=rules_of(deal.state.ruleset).statuses,
        dangers=dangers,
        fatal_discard=fatal_discard,
        sure=request.args.get("asked", "")[:MAX_NAME],
        HAND=HAND,
        BONUS=BONUS,
    )


def _next_seat(state: DealState, seat: str) -> str:
    """The seat to the right of a player."""
    return state.seats[(state.seats.index(seat) + 1) % len(state.seats)]


@pages.get("/tiles/<tile_id>")
@Policy(MEMBER)
def one(deal_id: str, seat: str, tile_id: str) -> str:
    """Show one tile with the labels it may have, and what can be done with it."""
    deal = deal_or_404(deal_id)
    player = player_or_404(deal.state, seat)
    try:
        tile = edits.tile_of(player, tile_id)
    except edits.EditError as error:
        abort(404, str(error))
    photo = services().store.photo(player.photo) if player.photo and tile.quad else None
    return render_template(
        "deal/tile.html",
        deal=deal,
        player=player,
        tile=tile,
        photo=photo,
        to_table=request.args.get("back") == "table",
        bonus_played=asks_of(deal.state).bonus,
        spent=spent_keys(deal.state, "tile", services().copies(deal), tile.label),
        HAND=HAND,
        BONUS=BONUS,
        MAX_MELD_TILES=edits.MAX_MELD_TILES,
    )


def _add(player: Player, form: Form) -> Player:
    mode, label = form.get("mode", "tile"), form.get("label", "")
    if mode == "tile":
        return edits.add_tiles(player, [label], HAND)
    if mode not in MODES:
        raise edits.EditError(gettext("Choose whether to add one tile or a whole set."))
    return edits.add_meld(player, mode, label)


def _about(player: Player, form: Form) -> Player:
    status = form.get("status", player.status)
    if status not in STATUSES:
        raise edits.EditError(gettext("Choose one of the listed states of the hand."))
    name = form.get("name", player.name).strip()[:MAX_NAME]
    try:
        claimed = read_whole(form.get("claimed", ""), 0, MAX_CLAIMED)
    except NumberRefused as error:
        words = gettext("The total is a whole number of points, such as 120.")
        raise edits.EditError(words) from error
    return replace(player, name=name, status=status, claimed=claimed)


def _doubt(state: DealState, seat: str, form: Form) -> str | None:
    """A question about an unlikely total, unless it was asked before; None for any other."""
    typed = form.get("claimed", "")
    claimed = whole_or_none(typed, 0, MAX_CLAIMED)
    if claimed is None or form.get("sure") == typed:
        return None
    rules = rules_of(state.ruleset)
    won = state.win.seat == seat
    return doubt_of_total(claimed, seat_title(state.player(seat)), rules, won=won)


def _type(player: Player, form: Form) -> Player:
    try:
        labels = parse_tiles(form.get("codes", ""))
    except NotationError as error:
        raise edits.EditError(as_sentence(error.words)) from error
    return edits.add_tiles(player, labels, HAND)


def _remove_ticked(player: Player, form: Form) -> Player:
    for tile_id in form.getlist("tiles"):
        player = edits.remove_tile(player, tile_id)
    return player


Edit = Callable[[Player, Form], Player]

ACTIONS: dict[str, tuple[str, Edit]] = {
    "add": (noted("Tile added"), _add),
    "type": (noted("Tiles typed in"), _type),
    "change": (
        noted("Tile changed"),
        lambda p, f: edits.change_tile(p, f.get("tile", ""), f.get("label", "")),
    ),
    "confirm": (noted("Tile confirmed"), lambda p, f: edits.confirm_tile(p, f.get("tile", ""))),
    "confirm_all": (noted("All tiles confirmed"), lambda p, _: edits.confirm_all(p)),
    "remove": (noted("Tile removed"), lambda p, f: edits.remove_tile(p, f.get("tile", ""))),
    "remove_ticked": (noted("Tiles removed"), _remove_ticked),
    "move": (
        noted("Tile moved"),
        lambda p, f: edits.move_tile(p, f.get("tile", ""), f.get("place", "")),
    ),
    "group": (noted("Set laid out"), lambda p, f: edits.group_tiles(p, f.getlist("tiles"))),
    "toggle": (noted("Set turned"), lambda p, f: edits.toggle_meld(p, f.get("set", ""))),
    "resize": (noted("Kong or pung"), lambda p, f: edits.resize_meld(p, f.get("set", ""))),
    "dissolve": (
        noted("Set put back in hand"),
        lambda p, f: edits.dissolve_meld(p, f.get("set", "")),
    ),
    "clear": (noted("Tiles cleared"), lambda p, _: edits.clear_tiles(p)),
    "about": (noted("Player's details"), _about),
}
"""For each action the words of the entry, and the edit that it makes."""


@pages.post("/edit")
@Policy(SCORER)
def edit(deal_id: str, seat: str) -> Response:
    """Apply one entry and go back to the page on which it was made."""
    deal = deal_or_404(deal_id)
    player_or_404(deal.state, seat)
    form = request.form
    if form.get("action") not in ACTIONS:
        abort(400, gettext("Kongbox does not recognise this form. Go back and try again."))
    words, change = ACTIONS[form["action"]]
    what = of_player(words, seat)

    found = services()
    asked = _doubt(deal.state, seat, form) if form["action"] == "about" else None
    if asked is not None:
        flash(gettext("%(question)s If that is right, send it again.", question=asked))
        typed = form["claimed"]
        return redirect(url_for("tiles.show", deal_id=deal_id, seat=seat, asked=typed), 303)
    copies = found.copies(deal)

    def apply(state: DealState) -> DealState:
        return with_decision(edits.with_player(state, change(state.player(seat), form)), copies)

    try:
        deal = found.store.edit(deal_id, apply, what)
    except edits.EditError as error:
        flash(str(error))
    if form.get("back") == "table":
        return redirect(url_for("deal.show", deal_id=deal_id), 303)
    mode = form.get("mode", "")
    return _edited(deal, seat, mode if mode in MODES else "")


def _edited(deal: StoredDeal, seat: str, mode: str) -> Response:
    """The page of the tiles after an entry: at once for a script that shows it, else its address.

    The script is told the address too, to which the same form leads if it is sent again.
    """
    address = url_for("tiles.show", deal_id=deal.id, seat=seat, add=mode or None)
    if "HX-Request" not in request.headers:
        return redirect(address, 303)
    with shared():
        response = make_response(_page(deal, seat, mode))
    response.headers["HX-Push-Url"] = address
    return response
