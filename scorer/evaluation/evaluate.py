"""The worth of each hand: the best lawful reading, explained line by line."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from scorer.counting.count import HandScorer
from scorer.counting.settle import net_of, settle
from scorer.counting.worth import Way
from scorer.deal import CLAIMED_SOURCES, ChangeValue, Deal, Player, Win
from scorer.errors import DealError
from scorer.evaluation.checks import check_deal
from scorer.evaluation.forbidden import why_no_win
from scorer.messages import plain_words, say
from scorer.result import DealResult, InFan, Line, PlayerResult
from scorer.rules.compiled import Compiled
from scorer.rules.rulebook import load_compiled, ruleset_ids
from scorer.rules.ruleset import Ruleset
from scorer.tiles import SEATS, parse_tiles


def score_deal(deal: Deal) -> DealResult:
    """Every player's score and the payments of a deal.

    >>> from scorer import parse_deal, score_deal
    >>> others = [{"seat": seat, "claimed": 0} for seat in "SWN"]
    >>> east = {"seat": "E", "concealed": ["1z", "1z", "1z", "5z", "5z", "5z", *["2s", "7p"] * 3]}
    >>> east["concealed"] += ["9m", "9m"]
    >>> win = {"seat": "E", "tile": "9m", "source": "wall"}
    >>> deal = parse_deal({"ruleset": "bmja-u3a", "players": [east, *others], "win": win})
    >>> score_deal(deal).net
    {'E': 8832, 'S': -2944, 'W': -2944, 'N': -2944}

    Raises:
        DealError: the deal is impossible, or the winner's tiles make no winning hand.
    """
    compiled = load_compiled(deal.ruleset, deal.changes)
    check_deal(deal, compiled.ruleset)
    players = tuple(_result(deal, compiled, player) for player in deal.players)
    payments = settle(deal, compiled.ruleset, {player.seat: player for player in players})
    net, table = net_of(deal, compiled.ruleset, payments)
    return DealResult(compiled.ruleset.id, dict(deal.changes), players, payments, net, table)


def score_hand(
    hand: Deal | str,
    seat: str = "S",
    *,
    win: str | None = None,
    source: str = "wall",
    melds: str = "",
    ruleset: str | None = None,
    changes: Mapping[str, ChangeValue] | None = None,
) -> PlayerResult:
    """One player's score in a deal, or of a hand alone, without the payments.

    >>> from scorer import score_hand
    >>> score_hand("22m333m444p555s666s", win="2m", ruleset="bmja-u3a").total
    152

    A hand alone is written in any notation that :mod:`scorer.notations` reads; it is played in the
    East round at a table whose other players show nothing. The further arguments go with it.

    >>> from scorer import parse_deal, score_hand
    >>> players = [{"seat": "E", "claimed": 64}, *({"seat": s, "claimed": 0} for s in "SWN")]
    >>> win = {"seat": "E", "source": "wall"}
    >>> score_hand(parse_deal({"ruleset": "bmja-u3a", "players": players, "win": win}), "E").total
    64

    Args:
        hand: the deal; or the tiles in hand, flowers and seasons among them.
        seat: the player's seat.
        win: the winning tile, which is among the tiles; None where another player goes out.
        source: how it came, one of :data:`scorer.deal.SOURCES`.
        melds: the sets laid down, concealed ones in round brackets.
        ruleset: the id of the ruleset; by default the usual one.
        changes: house rules.

    Raises:
        DealError: as :func:`score_deal`; or nobody sits there.
        NotationError: a text holds something that is not a tile.
    """
    if isinstance(hand, str):
        shown = Player(seat, hand, melds)
        hand = _alone(shown, win, source, ruleset or ruleset_ids()[0], changes or {})
    return _result(hand, *_seated(hand, seat))


def _alone(
    player: Player, tile: str | None, source: str, ruleset: str, changes: Mapping[str, ChangeValue]
) -> Deal:
    """A deal in which only that player's tiles are shown."""
    others = tuple(Player(seat, claimed=0) for seat in SEATS if seat != player.seat)
    win = Win(others[0].seat, None, "wall")
    if tile is not None:
        giver = others[0].seat if source in CLAIMED_SOURCES else None
        win = Win(player.seat, "".join(parse_tiles(tile)), source, giver)
    return Deal(ruleset, (player, *others), win, changes=dict(changes))


def readings(deal: Deal, seat: str) -> tuple[PlayerResult, ...]:
    """Every lawful reading of one player's tiles, the one that is scored first.

    Further readings follow by their totals. A hand that is claimed, dead or drawn has one.

    Raises:
        DealError: as :func:`score_deal`; or nobody sits there.
    """
    compiled, player = _seated(deal, seat)
    fixed = _fixed_result(deal, compiled, player)
    if fixed is not None:
        return (fixed,)
    scorer = HandScorer(deal, compiled, player)
    ways = sorted(scorer.ways(), key=lambda way: -way.total)
    if not ways:
        raise why_no_win(scorer)
    return tuple(scorer.result(way) for way in ways)


def hand_scorer(deal: Deal, seat: str) -> HandScorer:
    """One player's hand in a deal, ready to be counted.

    Raises:
        DealError: the deal is impossible, nobody sits there, or the hand's tiles are not looked at.
    """
    compiled, player = _seated(deal, seat)
    if player.claimed is not None:
        raise DealError(seat, "claimed", say("tiles_not_shown"))
    if player.status not in compiled.scoring_statuses:
        raise DealError(seat, "status", say("hand_not_counted", status=player.status))
    return HandScorer(deal, compiled, player)


def _seated(deal: Deal, seat: str) -> tuple[Compiled, Player]:
    compiled = load_compiled(deal.ruleset, deal.changes)
    check_deal(deal, compiled.ruleset)
    for player in deal.players:
        if player.seat == seat:
            return compiled, player
    raise DealError(seat, "seat", say("nobody_there"))


def _fixed_result(deal: Deal, compiled: Compiled, player: Player) -> PlayerResult | None:
    """The result of a hand whose tiles are not looked at; None when they are."""
    ruleset = compiled.ruleset
    unpaid = ruleset.value is not None and deal.win_of(player.seat) is None
    if unpaid or (deal.win is None and not ruleset.settlement.after_draw):
        return PlayerResult(player.seat, 0, 0, 0, "none")
    if player.status not in compiled.scoring_statuses:
        return _worthless(ruleset, player)
    if player.claimed is not None:
        total, texts = player.claimed, ruleset.texts
        line = _claimed(texts.claimed, texts.claimed_cite, total)
        counted = None if ruleset.value is None else InFan(base=total)
        return PlayerResult(player.seat, total, total, 0, "claimed", (), (line,), counted)
    return None


@lru_cache(maxsize=1024)
def _claimed(text: str, cite: str, total: int) -> Line:
    return Line("claimed", plain_words(text), cite, total)


def _worthless(ruleset: Ruleset, player: Player) -> PlayerResult:
    """The result of a hand whose status scores nothing, with the reason as its line.

    So does one that the ruleset does not mention, as when a deal is scored under other rules.
    """
    status = next((status for status in ruleset.status if status.id == player.status), None)
    if status is None:
        words, cite = say("status_not_mentioned", status=player.status), ""
    else:
        words, cite = (
            say("status_scores_nothing", name=status.name),
            status.scores_cite or status.cite,
        )
    line = Line(player.status, words, cite, 0)
    return PlayerResult(player.seat, 0, 0, 0, "none", lines=(line,))


def _result(deal: Deal, compiled: Compiled, player: Player) -> PlayerResult:
    fixed = _fixed_result(deal, compiled, player)
    if fixed is not None:
        return fixed
    scorer = HandScorer(deal, compiled, player)
    best: Way | None = None
    for way in scorer.ways():
        if best is None or way.total > best.total:
            best = way
    if best is None:
        raise why_no_win(scorer)
    return scorer.result(best)
