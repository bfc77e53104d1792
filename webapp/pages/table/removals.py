"""The pages on which tables, evenings and deals are removed and brought back."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext, lazy_gettext, ngettext
from werkzeug.wrappers import Response

from webapp.games.removals import REMOVED, Change, Kind
from webapp.games.words import long_day
from webapp.pages.evening.evenings import evening_or_404
from webapp.pages.table.table import game_or_404
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import deal_or_404, services

pages = Blueprint("removals", __name__, url_prefix="/removed")

QUESTIONS: Final[dict[Kind, str]] = {
    "table": lazy_gettext("Remove this table?"),
    "evening": lazy_gettext("Remove this evening?"),
    "deal": lazy_gettext("Remove this deal?"),
}
"""The heading of the page that asks before something is removed."""


def _kind_or_404(text: str) -> Kind:
    kind = next((kind for kind in REMOVED if kind == text), None)
    if kind is None:
        abort(404)
    return kind


def _title(kind: Kind, ref: str) -> str:
    """What it is called; ends the request with status 404 if there is no such thing."""
    if kind == "table":
        stored = game_or_404(ref)
        day = long_day(evening_or_404(stored.evening_id).day)
        return str(gettext("%(title)s, %(day)s", title=stored.title, day=day))
    if kind == "evening":
        return long_day(evening_or_404(ref).day)
    players = (player.name for player in deal_or_404(ref).state.players)
    return ", ".join(filter(None, players)) or gettext("A deal without names")


def _what_goes(kind: Kind, ref: str) -> list[str]:
    """What a removal means, in sentences."""
    if kind == "deal":
        entered = sum(player.entered for player in deal_or_404(ref).state.players)
        return [
            ngettext(
                "Tiles of %(num)d player are entered in it.",
                "Tiles of %(num)d players are entered in it.",
                entered,
            )
        ]
    games = [game_or_404(ref)] if kind == "table" else services().games.of_evening(ref)
    hands = sum(len(stored.game.hands) for stored in games)
    played = ngettext("%(num)d hand was played.", "%(num)d hands were played.", hands)
    if kind == "table":
        return [played]
    tables = ngettext(
        "%(num)d table will be removed as well.",
        "%(num)d tables will be removed as well.",
        len(games),
    )
    return [tables, played]


def _address(kind: Kind, ref: str) -> str:
    """The page of a table, an evening or a deal."""
    if kind == "table":
        return url_for("table.show", game_id=ref)
    if kind == "evening":
        return url_for("evenings.show", evening_id=ref)
    return url_for("deal.show", deal_id=ref)


def _place_around(kind: Kind, ref: str) -> str:
    """The page to which people go once it is removed."""
    if kind == "table":
        return url_for("evenings.show", evening_id=game_or_404(ref).evening_id)
    if kind == "evening":
        return url_for("evenings.index")
    link = services().games.game_of(ref)
    return url_for("home.index") if link is None else url_for("table.show", game_id=link[0])


def _is_in_a_game(ref: str) -> bool:
    """Whether a deal is the score of a hand that was kept."""
    link = services().games.game_of(ref)
    stored = None if link is None else services().games.game(link[0])
    return stored is not None and ref in stored.book.deals


@pages.get("")
@Policy(MEMBER)
def index() -> str:
    """Show all that is removed."""
    found = [
        (change, _title(change.kind, change.ref), _address(change.kind, change.ref))
        for change in services().removals.all_removed()
    ]
    return render_template("table/removed.html", found=found)


@pages.get("/<kind>/<ref>")
@Policy(MEMBER)
def ask(kind: str, ref: str) -> str:
    """Show what a removal means and ask for confirmation."""
    known = _kind_or_404(kind)
    return render_template(
        "table/remove.html",
        kind=known,
        ref=ref,
        question=QUESTIONS[known],
        title=_title(known, ref),
        lines=_what_goes(known, ref),
        back=_address(known, ref),
    )


@pages.post("/<kind>/<ref>")
@Policy(SCORER)
def decide(kind: str, ref: str) -> Response:
    """Remove a table, an evening or a deal, or bring it back."""
    known = _kind_or_404(kind)
    title = _title(known, ref)
    if request.form.get("then") == "back":
        services().removals.bring_back(known, ref)
        flash(gettext("Restored: %(title)s.", title=title), "good")
        return redirect(_address(known, ref), 303)
    if known == "deal" and _is_in_a_game(ref):
        flash(gettext("This hand belongs to a table. Delete it there."))
        return redirect(_address(known, ref), 303)
    services().removals.remove(known, ref)
    flash(gettext("Removed: %(title)s. You can restore it.", title=title), "good")
    return redirect(_place_around(known, ref), 303)


@pages.app_template_global()
def changes_of(kind: Kind, ref: str) -> list[Change]:
    """What was done with a table, an evening or a deal as a whole, latest first."""
    return services().removals.changes(kind, ref)


@pages.app_template_global()
def is_removed(kind: Kind, ref: str) -> bool:
    """Whether a table, an evening or a deal is removed."""
    return services().removals.is_removed(kind, ref)


@pages.app_template_global()
def any_removed() -> bool:
    """Whether anything is removed."""
    return bool(services().removals.all_removed())
