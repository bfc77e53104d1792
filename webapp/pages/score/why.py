"""The pages that explain a scored deal by missing rules, other rules and corrected tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer import DealError, PlayerResult
from scorer.explain.compare import Column
from webapp.deal.for_scorer import Problem, missing, to_deal
from webapp.deal.photos import StoredPhoto
from webapp.deal.rules_asked import looked_at
from webapp.deal.scoring import ScoreRefused, score
from webapp.deal.state import Player
from webapp.deal.store import DealEntry, StoredDeal
from webapp.deal.trail import ReadTile, as_read, read_tiles, tile_changes
from webapp.pages.score import explanations
from webapp.pages.score.result import place_to_fix
from webapp.security.policy import LINK, MEMBER, Policy
from webapp.services import deal_or_404, player_or_404, services

pages = Blueprint("why", __name__, url_prefix="/deals/<deal_id>")
pages.add_app_template_global(explanations.comparable)


@pages.get("/why/<seat>")
@Policy(LINK)
def why(deal_id: str, seat: str) -> Response:
    """Show how a hand was read, how else it may be read, and what it lacks for more."""
    found, deal = services(), deal_or_404(deal_id)
    player = player_or_404(deal.state, seat)
    try:
        result = score(found.store, deal)
    except ScoreRefused as refusal:
        return redirect(place_to_fix(deal_id, refusal.problem), 303)
    part = next(part for part in result.players if part.seat == seat)
    asked = to_deal(deal.state)
    message: str | None = None
    answers: explanations.Answers | None = None
    others: tuple[PlayerResult, ...] = ()
    try:
        others = explanations.other_readings(asked, seat)
        answers = explanations.answers(asked, seat)
    except DealError as error:
        message = explanations.refusal(error)
    page = render_template(
        "score/why.html",
        deal=deal,
        player=player,
        result=result.to_json(),
        part=part.to_json(),
        lines=part.lines,
        others=[(other.to_json(), other.lines) for other in others],
        answers=answers,
        message=message,
        shown=[it.seat for it in looked_at(deal.state)],
    )
    return make_response(page)


@pages.get("/rules")
@Policy(LINK)
def rules(deal_id: str) -> Response:
    """Show the same deal under other rules, with the differences marked.

    So is a deal that cannot be under its own rules: another club may play it.
    """
    deal = deal_or_404(deal_id)
    if problems := missing(deal.state):
        return redirect(place_to_fix(deal_id, problems[0]), 303)
    if not explanations.comparable(deal.state.ruleset, deal.state.changes):
        return redirect(url_for("result.show", deal_id=deal_id), 303)
    table = explanations.under_all_rules(to_deal(deal.state))
    own = table.columns[0].error
    if own is not None and all(column.result is None for column in table.columns):
        problem = Problem(own.player, own.field, own.words)
        return redirect(place_to_fix(deal_id, problem), 303)
    chosen = _chosen(table.columns, request.args.get("with", ""))
    page = render_template(
        "score/other_rules.html", deal=deal, comparison=table, own=table.columns[0], chosen=chosen
    )
    return make_response(page)


def _chosen(columns: tuple[Column, ...], name: str) -> int:
    """The index of the column that was asked for, else of the first other that can be scored."""
    names = [column.system.ruleset for column in columns]
    if name in names[1:]:
        return names.index(name, 1)
    scored = (index for index, it in enumerate(columns) if index and it.result is not None)
    return next(scored, 1)


@dataclass(frozen=True, slots=True)
class PhotoTrail:
    """A player's photo, what was read from it, and what the tiles are now."""

    player: Player
    photo: StoredPhoto
    tiles: list[ReadTile]


def photo_trails(deal: StoredDeal) -> list[PhotoTrail]:
    """The photos that the tiles of a deal were read from, with what became of each tile."""
    entries = services().store.trail(deal.id)
    trails = (photo_trail(player, entries) for player in deal.state.players)
    return [trail for trail in trails if trail is not None]


def photo_trail(player: Player, entries: Sequence[DealEntry]) -> PhotoTrail | None:
    """A player's photo, by the entries of the deal; None if no tiles were read from one."""
    photo = services().store.photo(player.photo) if player.photo else None
    original = as_read(entries, player)
    if photo is None or original is None:
        return None
    return PhotoTrail(player, photo, read_tiles(original, player))


@pages.get("/tiles")
@Policy(MEMBER)
def trail(deal_id: str) -> str:
    """The photos with the tiles as they were read, and who put which tile right."""
    deal = deal_or_404(deal_id)
    entries = services().store.trail(deal_id)
    return render_template(
        "score/trail.html",
        deal=deal,
        trails=photo_trails(deal),
        changes=tile_changes(entries),
        entries=entries,
    )
