"""What one player's hand is worth so far, whatever the other players hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from flask_babel import gettext, ngettext

from scorer import DealError, PlayerResult, score_hand
from scorer.deal import Deal
from scorer.deal import Player as ScorerPlayer
from scorer.deal import Win as ScorerWin
from scorer.evaluation.faults import Fault
from scorer.messages import Message
from webapp.deal.for_scorer import deal_of, to_player, wins_of
from webapp.deal.rules_asked import asks_of, needs_from, needs_tile, sources_for
from webapp.deal.state import BONUS, DealState, Player, Win
from webapp.joint.decision import OTHERS, WON
from webapp.language.numbers import grouped
from webapp.language.translation import as_sentence
from webapp.rulesets.shown import came_to

MAX_SOURCES = 2
"""Number of usual ways of going out that are tried while people have not said which it was."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What is known of a hand's worth.

    Attributes:
        least: the lowest total that is possible with what was said so far.
        most: the highest one.
        result: the score line by line; None while the total depends on what was not said yet.
        fault: why the hand cannot be scored so; None if it can.
        went_out: whether it is valued as the hand that went out.
        told: what the lowest and the highest score come to, in the words of the rules.
    """

    least: int = 0
    most: int = 0
    result: PlayerResult | None = None
    fault: Message | None = None
    went_out: bool = False
    told: tuple[str, str] = ("0", "0")


def went_out(state: DealState, player: Player) -> bool:
    """Whether a player went out, or has as many tiles as if, where nothing was said of it."""
    if state.win.seat is not None or state.win.drawn:
        return state.win.seat == player.seat
    return player.hand_size == WON


def worth_of(state: DealState, player: Player) -> Worth | None:
    """What a player's hand is worth; None where it has no tiles, or one without a name."""
    if not player.tiles or any(tile.unresolved for tile in player.tiles):
        return None
    out = went_out(state, player)
    results: list[PlayerResult] = []
    fault: Message | None = None
    for win in _wins(state, player) if out else (Win(),):
        try:
            results.append(score_hand(_alone(state, player, win), player.seat))
        except DealError as error:
            fault = fault or error.words
    if not results:
        return Worth(fault=fault, went_out=out)
    results.sort(key=lambda result: result.total)
    least, most = results[0], results[-1]
    told = [came_to(state.ruleset, state.changes, part.to_json()) for part in (least, most)]
    result = least if len(results) == 1 or not out else None
    return Worth(least.total, most.total, result, None, out, (told[0], told[1]))


def _wins(state: DealState, player: Player) -> Iterator[Win]:
    """The ways of going out that agree with what was said, a few usual ones where nothing was."""
    told = replace(state.win, seat=player.seat, drawn=False)
    usual = [source for source in sources_for(state, player.seat) if needs_tile(state, source)]
    labels = dict.fromkeys(tile.label for tile in player.tiles if tile.place != BONUS)
    sources = [told.source] if told.source else usual[:MAX_SOURCES]
    for source in sources:
        asked = needs_tile(state, source) and told.tile is None
        for label in labels if asked else (told.tile,):
            yield replace(told, source=source, tile=label)


def _alone(state: DealState, player: Player, win: Win) -> Deal:
    """A deal in which only this player's tiles are shown; without a winner another one wins."""
    others = tuple(ScorerPlayer(p.seat, claimed=0) for p in state.players if p.seat != player.seat)
    won = ScorerWin(others[0].seat, None, "wall")
    if win.seat is not None:
        giver = win.source_from or others[0].seat if needs_from(state, win.source) else None
        won = wins_of(replace(state, win=replace(win, also=())), giver)[0]
    return deal_of(state, (to_player(state, player), *others), won)


def running_line(state: DealState, player: Player) -> str:
    """A line on what a player's hand is worth so far; empty where nothing can be said."""
    missing = OTHERS - player.hand_size
    if 0 < missing < OTHERS:
        player = replace(player, status="too_few")
    worth = worth_of(state, player)
    if worth is None or missing < -1:
        return ""
    if worth.went_out:
        return _complete(worth)
    if not asks_of(state).others:
        return ""
    if worth.fault is not None or (missing > 0 and not worth.most):
        return ""
    points: str = ngettext(
        "%(count)s point so far.", "%(count)s points so far.", worth.most, count=grouped(worth.most)
    )
    return points


def _complete(worth: Worth) -> str:
    if worth.fault is not None and worth.fault.id == Fault.TOO_FEW_FAN:
        return as_sentence(worth.fault)
    if worth.fault is not None:
        not_yet: str = gettext("Not a complete hand.")
        return not_yet
    return range_words(worth)


def range_words(worth: Worth) -> str:
    """What a complete hand is worth: one total, or the lowest and the highest possible one."""
    if worth.least == worth.most:
        one: str = gettext("Complete: %(total)s.", total=worth.told[1])
        return one
    several: str = gettext(
        "Complete: %(least)s to %(most)s.", least=worth.told[0], most=worth.told[1]
    )
    return several
