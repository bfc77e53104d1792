"""The deal in the form that the scorer reads, and what people must still enter before that.

No rule is known here: the scorer decides whether a hand is lawful and complete, and its worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from flask_babel import gettext

from scorer import deal as scorer_deal
from scorer import score_deal
from scorer.deal import Deal, Meld
from scorer.errors import DealError
from scorer.evaluation.checks import check_deal
from scorer.evaluation.danger import DangerPosition, danger_positions
from scorer.evaluation.faults import NO_HAND
from scorer.messages import Message
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import NAMES, SEAT_NAMES, SEATS
from webapp.deal.rules_asked import asks_of, fives_of, looked_at, needs_from, needs_tile
from webapp.deal.state import BONUS, FLAGS, HAND, DealState, Penalty, Player, Win, new_deal
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


def _meld_kind(labels: Sequence[str]) -> str:
    if len(labels) == 4:
        return "kong"
    return "pung" if len(set(labels)) == 1 else "chow"


def to_deal(state: DealState) -> Deal:
    """The deal in the scorer's types, not checked against its ruleset yet."""
    return _deal(state, state.win.source_from or _any_giver(state))


def _deal(state: DealState, giver: str | None) -> Deal:
    """The deal in the scorer's types, its winning tile given by ``giver``."""
    wins = wins_of(state, giver)
    seen = [player.seat for player in looked_at(state)]
    players = tuple(
        to_player(state, it) if it.seat in seen else _unseen(state, it) for it in state.players
    )
    return replace(
        deal_of(state, players, None if state.win.drawn else wins[0]),
        aborted=state.win.aborted,
        penalties=tuple(
            scorer_deal.Penalty(each.kind, each.offender, each.victim) for each in state.penalties
        ),
        honba=state.honba,
        sticks=state.sticks,
        further_wins=wins[1:],
    )


def deal_of(
    state: DealState, players: tuple[scorer_deal.Player, ...], win: scorer_deal.Win | None
) -> Deal:
    """A deal of these players in the scorer's types, with the rules, winds and indicators."""
    return Deal(
        state.ruleset,
        players,
        win,
        round_wind=state.round_wind,
        dealer=state.dealer,
        goulash=state.goulash,
        changes=dict(state.changes),
        dora=state.dora,
        ura=state.ura,
    )


def wins_of(state: DealState, giver: str | None) -> tuple[scorer_deal.Win, ...]:
    """Everybody's win in the scorer's types, in turn order after the giver of the tile."""
    win = state.win
    if win.seat is None:
        return (scorer_deal.Win("", win.tile, win.source or "", giver),)
    after = SEATS.index(giver or SEATS[0])
    in_turn = sorted(win.winners, key=lambda seat: (SEATS.index(seat) - after) % len(SEATS))
    flags = {flag: getattr(win, flag) for flag in FLAGS}
    return tuple(
        scorer_deal.Win(
            *(seat, win.tile, win.source or "", giver),
            **flags,
            ippatsu="ippatsu" in state.player(seat).told,
            liable=win.liable if seat == win.seat else None,
        )
        for seat in in_turn
    )


def _unseen(state: DealState, player: Player) -> scorer_deal.Player:
    """A player whose tiles the score does not depend on, in the scorer's types."""
    nothing = to_player(state, replace(player, claimed=0, status="live"))
    return replace(nothing, fishing=player.fishing)


def to_player(state: DealState, player: Player) -> scorer_deal.Player:
    """A player in the scorer's types; red fives only where the rules ask for them."""
    name = player.name or None
    declared: dict[str, Any] = {player.declared: True} if player.declared else {}
    if player.claimed is not None:
        return scorer_deal.Player(
            player.seat,
            name=name,
            status=player.status,
            claimed=player.claimed,
            **declared,
        )
    return scorer_deal.Player(
        player.seat,
        tuple(tile.label for tile in player.in_place(HAND)),
        tuple(melds_of(player)),
        tuple(tile.label for tile in player.in_place(BONUS)),
        name,
        fishing=player.fishing,
        status=player.status,
        reds=_red_fives(state, player),
        **declared,
    )


def _red_fives(state: DealState, player: Player) -> tuple[str, ...]:
    """Those fives of a player that are red."""
    if not player.reds or not asks_of(state).reds:
        return ()
    return tuple(five for five in fives_of(player) if five in player.reds)


def melds_of(player: Player) -> Iterator[Meld]:
    """The sets that a player has laid apart, in the scorer's types."""
    for laid in player.melds:
        labels = tuple(tile.label for tile in player.in_place(laid.id))
        yield Meld(_meld_kind(labels), labels, laid.concealed)


def _any_giver(state: DealState) -> str | None:
    """Someone who may have given the winning tile, where it changes nothing who did.

    People are not asked then, but the scorer wants a name.
    """
    seat = state.win.seat
    asked = needs_from(state, state.win.source)
    if seat is None or not asked or state.player(seat).claimed is not None or giver_matters(state):
        return None
    return next(other for other in state.seats if other != seat)


def giver_matters(state: DealState) -> bool:
    """Whether it changes the payments, or what is lawful, who gave the winning tile.

    No hand is scored for that, since nobody's points depend on it: the deal as it is entered is
    checked against its rules, and settled with a total for each hand.
    """
    win = state.win
    if win.seat is None or not needs_from(state, win.source):
        return False
    givers = [seat for seat in state.seats if seat != win.seat]
    deals = [_deal(state, seat) for seat in givers]
    totals = tuple(
        scorer_deal.Player(player.seat, claimed=TRIED[player.seat == win.seat] + 2 * place)
        for place, player in enumerate(state.players)
    )
    lawful = {_refusal(deal) for deal in deals}
    return len(lawful) > 1 or len({_settled(replace(deal, players=totals)) for deal in deals}) > 1


def liable_matters(state: DealState) -> bool:
    """Whether it changes the payments if somebody fed the set that completed the winner's hand."""
    seat = state.win.seat
    if seat is None or not asks_of(state).liable:
        return False
    others = [other for other in state.seats if other not in (seat, state.win.source_from)]
    told = [replace(state, win=replace(state.win, liable=who)) for who in (None, others[0])]
    return len({_settled(to_deal(each)) for each in told}) > 1


TRIED: Final = (10, 100)
"""Points of a hand that did not win and of the winner's, to try who pays whom."""


def _refusal(deal: Deal) -> str | None:
    """Why a deal cannot have been under its rules; None if it can."""
    try:
        check_deal(deal, load_ruleset(deal.ruleset, deal.changes))
    except DealError as error:
        return str(error)
    return None


def _settled(deal: Deal) -> tuple[tuple[str, ...], ...]:
    """Who pays whom how much; where the scorer refuses the deal, why it does."""
    try:
        result = score_deal(deal)
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
    facts = Win(drawn=True, aborted=deal.get("aborted", False))
    if win is not None:
        renamed = {("source_from" if k == "from" else k): v for k, v in win.items()}
        facts = Win(**{key: value for key, value in renamed.items() if key != "ippatsu"})
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
    return danger_positions(rules, list(melds_of(player)), goulash=state.goulash)


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
    tiles = (_missing_tiles(player) for player in looked_at(state))
    return (*(problem for problem in tiles if problem is not None), *_missing_win(state))


def _missing_tiles(player: Player) -> Problem | None:
    title = seat_title(player)
    if not player.entered:
        text = gettext("%(player)s has no tiles yet. Take a photo or tap them in.", player=title)
        return Problem(player.seat, "concealed", text)
    for tile in player.tiles:
        if tile.unresolved:
            text = gettext(
                "%(player)s has a tile that could not be identified (%(tile)s). Tap it and choose "
                "which tile it is.",
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
