"""The page of the facts of a deal: the round, who went out and how, who was fishing, faults."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.wrappers import Response

from scorer.game.winds import ON_TABLE
from scorer.tiles import PLAYING_TILES, SEATS
from webapp.club_settings.words import rules_words
from webapp.deal.edits import EditError, remove_tile, with_player
from webapp.deal.for_scorer import Problem, giver_matters, liable_matters
from webapp.deal.rules_asked import (
    also_possible,
    asks_of,
    fives_of,
    flags_for,
    giver_by_flags,
    needs_tile,
    own_flags_for,
    sources_for,
)
from webapp.deal.scoring import check
from webapp.deal.state import BONUS, FLAGS, HAND, DealState, Penalty, Win
from webapp.deal.store import StoredDeal
from webapp.joint.decision import fed_by, tile_set_off, with_decision
from webapp.language.noted import noted
from webapp.language.numbers import whole_or_none
from webapp.rulesets.shown import rules_of, ruleset_name, rulesets
from webapp.security.policy import MEMBER, SCORER, Policy
from webapp.services import deal_or_404, services

pages = Blueprint("winning", __name__, url_prefix="/deals/<deal_id>")
MAX_PENALTIES = 12
"""Maximum number of faults in a deal."""

MAX_INDICATORS = 5
"""Maximum number of indicators of a kind: one, and one for each of four kongs."""

MAX_COUNTERS = 20
"""Maximum number of counters, and of sticks, on the table."""

NOBODY = "nobody"
"""The value of the winner's field that stands for a drawn hand."""

CLUBS = "club"
"""The value of the field of rules that stands for the club's with its house rules."""

PLAIN = "="
"""The end of the value of a ruleset without the house rules that the deal has."""

Form = ImmutableMultiDict[str, str]


def _choices(deal_state: DealState) -> list[str]:
    """The labels of the tiles on which the winner may have gone out, without bonus tiles."""
    seat = deal_state.win.seat
    if seat is None:
        return []
    tiles = deal_state.player(seat).tiles
    return list(dict.fromkeys(t.label for t in tiles if t.place != BONUS and not t.unresolved))


@pages.get("/win")
@Policy(MEMBER)
def show(deal_id: str) -> str:
    """Show the form of facts without the questions that do not apply to the answers so far."""
    found, deal = services(), deal_or_404(deal_id)
    problems = check(found.store, deal) if "check" in request.args else ()
    return render_template(
        "deal/win.html", deal=deal, **facts_asked(deal, "winning.show", problems)
    )


def facts_asked(deal: StoredDeal, back: str, problems: tuple[Problem, ...] = ()) -> dict[str, Any]:
    """The values for the form of facts, by their names in its template.

    Args:
        deal: the deal.
        back: the endpoint of the page on which the form stands.
        problems: what is told beside the questions.
    """
    state, win = deal.state, deal.state.win
    liable = liable_matters(state)
    return {
        "back": back,
        "problems": problems,
        "choices": _choices(state) if needs_tile(state, win.source) else [],
        "by_place": win.tile is not None and win.tile == _set_off(state),
        "asks_tile": needs_tile(state, win.source),
        "asks_from": giver_matters(state),
        "sources": sources_for(state, win.seat) if win.seat else {},
        "flags": flags_for(state, win),
        "own_flags": own_flags_for(state, win),
        "asks": asks_of(state),
        "most_indicators": MAX_INDICATORS,
        "most_counters": MAX_COUNTERS,
        "also_possible": also_possible(state, win),
        "asks_liable": liable,
        "fed": list(fed_by(state, win.seat)) if liable and win.seat else [],
        "fives": {seat: fives_of(state.player(seat)) for seat in win.winners},
        "rules": rules_of(state.ruleset),
        "rules_offered": _rules_offered(state),
    }


def _rules_offered(state: DealState) -> list[tuple[str, str, bool]]:
    """The rules that a deal can be scored by: the value for the form, words, whether it has them.

    The deal's own come first if they are house rules or an earlier version, then the club's.
    """
    ours, has = services().club_rules(), (state.ruleset, dict(state.changes))
    plain = not state.changes and state.ruleset in {info.id for info in rulesets()}
    told = [] if plain else [(state.ruleset, rules_words(*has), True)]
    if ours is not None and ours.changes and not ours.are(*has):
        told.append((CLUBS, rules_words(ours.ruleset, ours.changes), False))
    for info in rulesets():
        same = info.id == state.ruleset
        value = f"{info.id}{PLAIN}" if same and state.changes else info.id
        told.append((value, ruleset_name(info), same and not state.changes))
    return told


def _ruled(state: DealState, form: Form) -> DealState:
    """The deal with the rules that were chosen for it; with another ruleset the plain one."""
    chosen, ours = form.get("ruleset", ""), services().club_rules()
    if chosen == CLUBS and ours is not None:
        return replace(state, ruleset=ours.ruleset, changes=ours.changes)
    ruleset = chosen.removesuffix(PLAIN)
    if chosen == state.ruleset or ruleset not in {info.id for info in rulesets()}:
        return state
    return replace(state, ruleset=ruleset, changes={})


def _set_off(state: DealState) -> str | None:
    """The label of the winner's tile that is set off from the others on the photo."""
    return None if state.win.seat is None else tile_set_off(state.player(state.win.seat))


def _one_of(form: Form, key: str, allowed: tuple[str, ...]) -> str | None:
    value = form.get(key)
    return value if value in allowed else None


def _win(state: DealState, form: Form) -> Win:
    who = _one_of(form, "winner", (*state.seats, NOBODY))
    if who is None:
        return state.win
    if who == NOBODY:
        return Win(drawn=True, aborted="aborted" in form and asks_of(state).abortive)
    if form.get("asked") != who:
        return state.win if state.win.seat == who else Win(seat=who)
    winner = state.player(who)
    source = _one_of(form, "source", tuple(sources_for(state, who)))
    others = tuple(seat for seat in state.seats if seat != who)
    labels = tuple(tile.label for tile in winner.tiles) if needs_tile(state, source) else ()
    win = Win(
        seat=who,
        tile=_one_of(form, "tile", labels),
        source=source,
        liable=_one_of(form, "liable", others),
    )
    if giver_matters(replace(state, win=win)):
        win = replace(win, source_from=_one_of(form, "from", others))
    told = {flag for flag in flags_for(state, win) if flag in form}
    flags: dict[str, Any] = {flag: flag in told for flag in FLAGS}
    win = replace(win, source_from=win.source_from or giver_by_flags(state, told), **flags)
    return replace(win, also=_also(state, win, form))


def _also(state: DealState, win: Win, form: Form) -> tuple[str, ...]:
    """Who else went out on the same tile."""
    return tuple(seat for seat in also_possible(state, win) if seat in form.getlist("also"))


def _declared(state: DealState, form: Form) -> DealState:
    """The deal with what was said of each player alone: declarations, readiness, red fives."""
    words, fishing = asks_of(state).declared, form.getlist("fishing")
    players = []
    for player in state.players:
        word = ""
        if words and player.seat in form.getlist("declared"):
            word = words[-1] if player.seat in form.getlist("declared_first") else words[0]
        told = tuple(form.getlist(f"told_{player.seat}")) if word else ()
        reds = player.reds
        if player.seat in form.getlist("reds_asked"):
            red = form.getlist(f"red_{player.seat}")
            reds = tuple(five for five in fives_of(player) if five in red)
        players.append(
            replace(player, fishing=player.seat in fishing, declared=word, told=told, reds=reds)
        )
    return replace(state, players=tuple(players))


def _with_indicators(state: DealState, form: Form) -> DealState:
    """The deal with the indicator that was tapped, or without the one that was taken away."""
    for name in asks_of(state).indicators:
        lying: tuple[str, ...] = getattr(state, name)
        added = _one_of(form, name, PLAYING_TILES)
        off = form.get(f"{name}_off", -1, type=int)
        lying = tuple(label for place, label in enumerate(lying) if place != off)
        if added is not None and len(lying) < MAX_INDICATORS:
            lying = (*lying, added)
        now: dict[str, Any] = {name: lying}
        state = replace(state, **now)
    return state


def _on_table(state: DealState, form: Form) -> DealState:
    """The deal with the counters and sticks that were typed in."""
    if not asks_of(state).counters:
        return state
    typed: dict[str, Any] = {
        name: whole_or_none(form.get(name, ""), 0, MAX_COUNTERS) or 0 for name in ON_TABLE
    }
    return replace(state, **typed)


def with_facts(state: DealState, form: Form, *, of_game: bool) -> DealState:
    """The deal with the answers given; in a game the round, goulash and rules are the game's."""
    if form.get("only") == "indicators":
        return _with_indicators(state, form)
    answered = _declared(replace(state, win=_win(state, form)), form)
    if of_game:
        return answered
    return replace(
        _ruled(_on_table(answered, form), form),
        round_wind=_one_of(form, "round_wind", SEATS) or state.round_wind,
        goulash="goulash" in form,
    )


@pages.post("/win")
@Policy(SCORER)
def save(deal_id: str) -> Response:
    """Store the answers given so far, and go on to the result if the form asks for it."""
    deal = deal_or_404(deal_id)
    form = request.form
    found = services()
    of_game = deal.place is not None
    copies = found.copies(deal)
    found.store.edit(
        deal_id,
        lambda state: with_decision(with_facts(state, form, of_game=of_game), copies),
        noted("Who won, and how"),
    )
    target = "deal.show" if form.get("back") == "deal.show" else "winning.show"
    if form.get("then") == "score":
        target = "result.show"
    return redirect(url_for(target, deal_id=deal_id), 303)


def _not_out(state: DealState, then: str | None) -> DealState:
    """The deal without the win: its tile put back, and with a false one nobody won but for it."""
    seat = state.win.seat
    if seat is None:
        return state
    winner = state.player(seat)
    tiles = [tile for tile in winner.in_place(HAND) if tile.label == state.win.tile]
    if tiles:
        winner = remove_tile(winner, tiles[-1].id)
    back = replace(with_player(state, winner), win=Win())
    if then is None or then not in {penalty.id for penalty in rules_of(state.ruleset).penalties}:
        return back
    penalties = (*state.penalties, Penalty(then, seat))
    return replace(back, win=Win(drawn=True), penalties=penalties)


@pages.post("/not-out")
@Policy(SCORER)
def not_out(deal_id: str) -> Response:
    """Take back a win that was none: play goes on, or the hand ends with a penalty."""
    deal_or_404(deal_id)
    then = request.form.get("then")
    services().store.edit(deal_id, lambda state: _not_out(state, then), noted("Not Mah Jong"))
    ended = deal_or_404(deal_id).state.win.drawn
    target = url_for("winning.show" if ended else "deal.show", deal_id=deal_id)
    return redirect(target, 303)


def _add_penalty(state: DealState, form: Form) -> DealState:
    kind = _one_of(form, "kind", tuple(p.id for p in rules_of(state.ruleset).penalties))
    offender = _one_of(form, "offender", state.seats)
    if kind is None or offender is None:
        raise EditError(gettext("Choose what went wrong and who did it."))
    if len(state.penalties) >= MAX_PENALTIES:
        raise EditError(gettext("A deal can have at most twelve faults. Remove one first."))
    penalty = Penalty(kind, offender, _one_of(form, "victim", state.seats))
    return replace(state, penalties=(*state.penalties, penalty))


def _remove_penalty(state: DealState, form: Form) -> DealState:
    number = form.get("number", -1, type=int)
    kept = tuple(p for i, p in enumerate(state.penalties) if i != number)
    return replace(state, penalties=kept)


@pages.post("/penalties")
@Policy(SCORER)
def penalties(deal_id: str) -> Response:
    """Add a fault at the table, or remove one."""
    deal_or_404(deal_id)
    form = request.form
    change = _remove_penalty if "number" in form else _add_penalty
    try:
        services().store.edit(deal_id, lambda state: change(state, form), noted("Fault"))
    except EditError as error:
        flash(str(error))
    return redirect(url_for("winning.show", deal_id=deal_id) + "#faults", 303)
