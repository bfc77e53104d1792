"""The deal in the form that the scorer reads, and what people must still enter before that.

No rule is known here: the scorer decides whether a hand is lawful and complete, and its worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from flask_babel import gettext

from scorer.deal import Meld
from scorer.errors import DealError
from scorer.evaluation.danger import DangerPosition, danger_positions
from scorer.evaluation.faults import NO_HAND
from scorer.messages import Message
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import NAMES, SEAT_NAMES
from webapp.deal.rules_asked import needs_from, needs_tile
from webapp.deal.state import BONUS, HAND, DealState, Penalty, Player, Win, new_deal
from webapp.rulesets.shown import rules_of


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a deal cannot be scored.

    Attributes:
        player: the seat of the player that it is about; None for the table as a whole.
        field: the field of the deal's JSON form that it is about; None if it is about no field.
        message: what is wrong and what to do; a text is in the reader's language.
    """

    player: str | None
    field: str | None
    message: Message | str

    @property
    def no_hand(self) -> bool:
        """Whether it is that a winner's tiles, though they may lie so, are no Mah Jong."""
        return isinstance(self.message, Message) and self.message.id in NO_HAND


def seat_title(player: Player) -> str:
    """The title of a player: the name with the wind in brackets, or the wind alone."""
    wind = gettext(SEAT_NAMES[player.seat])
    return f"{player.name} ({wind})" if player.name else wind


def meld_kind(labels: list[str]) -> str:
    """What a set of three or four tiles is: a chow, a pung or a kong."""
    if len(labels) == 4:
        return "kong"
    return "pung" if len(set(labels)) == 1 else "chow"


def _player_form(player: Player) -> dict[str, Any]:
    form: dict[str, Any] = {"seat": player.seat, "status": player.status}
    if player.name:
        form["name"] = player.name
    if player.claimed is not None:
        return form | {"claimed": player.claimed}
    melds = []
    for tile_set in player.melds:
        labels = [t.label for t in player.in_place(tile_set.id)]
        melds.append({"kind": meld_kind(labels), "tiles": labels, "concealed": tile_set.concealed})
    return form | {
        "concealed": [t.label for t in player.in_place(HAND)],
        "melds": melds,
        "bonus": [t.label for t in player.in_place(BONUS)],
        "fishing": player.fishing,
    }


def _win_form(state: DealState) -> dict[str, Any] | None:
    win = state.win
    if win.drawn:
        return None
    return {
        "seat": win.seat,
        "tile": win.tile,
        "source": win.source,
        "from": win.source_from or _any_giver(state),
        "last_tile": win.last_tile,
        "original_call": win.original_call,
        "first_turn": win.first_turn,
        "after_two_kongs": win.after_two_kongs,
    }


def deal_form(state: DealState) -> dict[str, Any]:
    """The deal in the JSON form that the scorer reads."""
    penalties = []
    for penalty in state.penalties:
        form = {"kind": penalty.kind, "offender": penalty.offender}
        penalties.append(form | ({"victim": penalty.victim} if penalty.victim else {}))
    return {
        "ruleset": state.ruleset,
        "round_wind": state.round_wind,
        "dealer": state.dealer,
        "changes": dict(state.changes),
        "goulash": state.goulash,
        "players": [_player_form(p) for p in state.players],
        "win": _win_form(state),
        "penalties": penalties,
    }


def _any_giver(state: DealState) -> str | None:
    """Somebody who may have given the winning tile, where it changes nothing who did.

    People are not asked then, but the scorer wants a name.
    """
    seat = state.win.seat
    asked = needs_from(state, state.win.source)
    if seat is None or not asked or state.player(seat).claimed is not None or giver_matters(state):
        return None
    return next(other for other in state.seats if other != seat)


def giver_matters(state: DealState) -> bool:
    """Whether it changes the payments, or what is lawful, who gave the winning tile.

    The deal is settled for each who may have given it: as it is entered, and, since tiles may still
    be missing, with a total for each hand.
    """
    win = state.win
    if win.seat is None or not needs_from(state, win.source):
        return False
    players = (
        replace(player, claimed=TRIED[player.seat == win.seat] + place, status="live")
        for place, player in enumerate(state.players)
    )
    with_totals = replace(state, players=tuple(players))
    return any(
        len({_settled(replace(deal, win=replace(win, source_from=seat))) for seat in givers}) > 1
        for givers in [[seat for seat in state.seats if seat != win.seat]]
        for deal in (state, with_totals)
    )


TRIED: Final = (10, 100)
"""Points of a hand that did not win and of the winner's, to try who pays whom."""


def _settled(state: DealState) -> tuple[tuple[str, ...], ...]:
    """Who pays whom how much; where the scorer refuses the deal, why it does."""
    from scorer import DealError, parse_deal, score_deal

    try:
        result = score_deal(parse_deal(deal_form(state)))
    except DealError as error:
        return ((str(error),),)
    return tuple((p.from_seat, p.to_seat, str(p.amount)) for p in result.payments)


def table_facts(deal: dict[str, Any]) -> DealState:
    """A deal with the seats, names, win and penalties of a deal in JSON form, without its tiles."""
    seats = tuple(p["seat"] for p in deal["players"])
    ordered = tuple(seat for seat in SEAT_NAMES if seat in seats)
    state = new_deal(ordered, {p["seat"]: p.get("name") or "" for p in deal["players"]})
    fishing = {p["seat"]: bool(p.get("fishing", False)) for p in deal["players"]}
    win = deal["win"]
    facts = Win(drawn=True)
    if win is not None:
        renamed = {("source_from" if k == "from" else k): v for k, v in win.items()}
        facts = Win(**renamed)
    players = tuple(Player(p.seat, name=p.name, fishing=fishing[p.seat]) for p in state.players)
    return DealState(
        players=players,
        ruleset=deal["ruleset"],
        round_wind=deal.get("round_wind", "E"),
        goulash=bool(deal.get("goulash", False)),
        win=facts,
        penalties=tuple(Penalty(**p) for p in deal.get("penalties", ())),
    )


def dangers(state: DealState, player: Player) -> tuple[DangerPosition, ...]:
    """What nobody may throw because of the sets that a player shows; none once that is over."""
    if state.win.drawn or state.win.seat not in (None, player.seat):
        return ()
    try:
        rules = load_ruleset(state.ruleset, dict(state.changes))
    except DealError:
        return ()
    laid = (([t.label for t in player.in_place(s.id)], s.concealed) for s in player.melds)
    melds = [Meld(meld_kind(labels), tuple(labels), concealed) for labels, concealed in laid]
    return danger_positions(rules, melds, goulash=state.goulash)


def fatal_discard(state: DealState, player: Player) -> bool:
    """Whether a player has won by a discard that nobody might throw, and no fault is entered."""
    if player.seat != state.win.seat or not needs_from(state, state.win.source):
        return False
    fatal = {rule.id for rule in rules_of(state.ruleset).penalties if rule.fatal_discard}
    entered = {penalty.kind for penalty in state.penalties}
    barred = {tile for position in dangers(state, player) for tile in position.tiles}
    return state.win.tile in barred and not fatal & entered


def missing(state: DealState) -> tuple[Problem, ...]:
    """All that people must still enter before the deal can be scored."""
    tiles = (_missing_tiles(player) for player in state.players)
    return (*(problem for problem in tiles if problem is not None), *_missing_win(state))


def _missing_tiles(player: Player) -> Problem | None:
    title = seat_title(player)
    if not player.entered:
        text = gettext("%(player)s has no tiles yet. Take a photo or tap them in.", player=title)
        return Problem(player.seat, "concealed", text)
    for tile in player.tiles:
        if tile.unresolved:
            text = gettext(
                "%(player)s has a tile that could not be named (%(tile)s). "
                "Tap it and choose which tile it is.",
                player=title,
                tile=gettext(NAMES[tile.label]),
            )
            return Problem(player.seat, "concealed", text)
    return None


def _missing_win(state: DealState) -> Iterator[Problem]:
    win = state.win
    if win.drawn:
        return
    if win.seat is None:
        yield Problem(None, "win.seat", gettext("Say who went out, or that nobody did."))
        return
    winner = state.player(win.seat)
    title = seat_title(winner)
    if winner.claimed is None and win.tile is None and needs_tile(state, win.source):
        text = gettext("Tap the tile on which %(winner)s went out.", winner=title)
        yield Problem(None, "win.tile", text)
    if win.source is None:
        text = gettext("Say how %(winner)s got the last tile.", winner=title)
        yield Problem(None, "win.source", text)
    elif winner.claimed is None and win.source_from is None and giver_matters(state):
        text = gettext("Say who gave %(winner)s the last tile.", winner=title)
        yield Problem(None, "win.from", text)
