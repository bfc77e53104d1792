"""Checks of a deal: what is impossible on a table or under a ruleset is found before scoring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from scorer.counting.count import HandScorer
from scorer.counting.hand import is_plain_meld, read_meld
from scorer.deal import KINDS, SOURCES, STATUSES, WIN_FLAGS, Deal, Meld, Player, Win
from scorer.errors import DealError, together
from scorer.evaluation.bounds import beyond_bounds
from scorer.evaluation.faults import Fault
from scorer.evaluation.forbidden import why_no_win
from scorer.evaluation.leftover import too_many_chows
from scorer.evaluation.totals import total_fault
from scorer.evaluation.win_checks import check_together, check_win, player_at, robbed_back
from scorer.messages import Message, Refused, say
from scorer.rules.rulebook import load_compiled
from scorer.rules.ruleset import Goulash, Ruleset
from scorer.tiles import BLANK, BONUS_TILES, PLAYING_TILES, SEATS, TILES

HAND_SIZE: Final = 13
"""Tiles of a player who has not gone out, each kong counted as three."""


def check_deal(deal: Deal, ruleset: Ruleset) -> None:
    """Refuse an impossible deal; one that was found possible is not looked at again.

    Raises:
        DealError: the first fault of the deal, and with it all others.
    """
    if deal.found_possible_under is ruleset:
        return
    found = checks(deal, ruleset)
    if found:
        raise together([*found, *_no_hand(deal, found)])
    object.__setattr__(deal, "found_possible_under", ruleset)


def _no_hand(deal: Deal, found: list[DealError]) -> tuple[DealError, ...]:
    """Why the winner's tiles are no hand, where the faults found leave that to be asked."""
    win = deal.win
    if win is None or any(_spoils(error, win.seat) for error in found):
        return ()
    winner = player_at(deal, win.seat)
    if winner.claimed is not None:
        return ()
    scorer = HandScorer(deal, load_compiled(deal.ruleset, deal.changes), winner)
    return () if next(iter(scorer.ways()), None) is not None else why_no_win(scorer).errors


def _spoils(error: DealError, winner: str) -> bool:
    """Whether the winner's hand cannot be looked at because of a fault."""
    about_the_hand = not error.field.startswith(("penalties", "dealer", "win.from", *_FLAGS))
    return about_the_hand and error.player in (None, winner)


_FLAGS: Final = tuple(f"win.{flag}" for flag in WIN_FLAGS)


def checks(deal: Deal, ruleset: Ruleset) -> list[DealError]:
    """All faults of a deal, those of the table first, then those of the players, win and penalties.

    What follows from another fault is no fault of its own: a meld with an unknown tile is not
    said to be no pung as well.

    Args:
        deal: any deal.
        ruleset: its ruleset, changes applied.

    Returns:
        The faults, each of a kind that :class:`scorer.evaluation.faults.Fault` names; none for a
        possible deal, unless the winner's tiles make no winning hand.
    """
    found = beyond_bounds(deal)
    if found:
        return found
    _check_seats(deal, ruleset, found)
    _check_words(deal, found)
    if deal.goulash and ruleset.goulash is None:
        found.append(DealError(None, "goulash", say(Fault.GOULASH_NOT_PLAYED)))
    if deal.aborted and (deal.win is not None or not ruleset.game.abortive):
        found.append(DealError(None, "aborted", say(Fault.NOT_BROKEN_OFF)))
    goulash = ruleset.goulash if deal.goulash else None
    for player in deal.players:
        _check_codes(player, goulash, found)
        if player.bonus and ruleset.bonus_tiles == "unused":
            found.append(DealError(player.seat, "bonus", say(Fault.BONUS_NOT_USED)))
        if player.claimed is not None:
            _check_claim(player, ruleset, found)
        else:
            _check_melds(player, goulash, found)
            _check_riichi(player, found)
            _check_chows(deal, player, ruleset, found)
            _check_count(player, deal.win_of(player.seat), found)
    _check_copies(robbed_back(deal), found)
    for win in deal.wins:
        check_win(deal, win, ruleset, found)
    if deal.further_wins:
        check_together(deal, ruleset, found)
    if deal.penalties:
        _check_penalties(deal, ruleset, found)
    return found


def _check_seats(deal: Deal, ruleset: Ruleset, found: list[DealError]) -> None:
    seats = deal.seats
    if len(seats) not in ruleset.players:
        words = say(Fault.WRONG_NUMBER_OF_PLAYERS, given=len(seats), wanted=ruleset.players)
        found.append(DealError(None, "players", words))
    for seat in dict.fromkeys(seats):
        if seat not in SEATS:
            words = say(Fault.UNKNOWN_SEAT, seat=seat, seats=SEATS)
            found.append(DealError(None, "players", words))
        elif seats.count(seat) > 1:
            found.append(DealError(seat, "seat", say(Fault.SEAT_TAKEN_TWICE)))
    if "E" not in seats:
        found.append(DealError(None, "players", say(Fault.NO_EAST)))
    if not ruleset.dealer_moves and deal.dealer != "E":
        found.append(DealError(None, "dealer", say(Fault.DEALER_NOT_EAST)))
    elif deal.dealer not in seats and deal.dealer != "E":
        found.append(DealError(None, "dealer", say(Fault.DEALER_ABSENT, seat=deal.dealer)))


def _check_words(deal: Deal, found: list[DealError]) -> None:
    """Find words outside their list, which only deals that were not parsed can hold."""
    words: list[tuple[str | None, str, str, tuple[str, ...]]]
    words = [(None, "round_wind", deal.round_wind, SEATS)]
    for player in deal.players:
        words.append((player.seat, "status", player.status, STATUSES))
        words += [(player.seat, "melds.kind", meld.kind, KINDS) for meld in player.melds]
    if deal.win is not None:
        words.append((deal.win.seat, "win.source", deal.win.source, SOURCES))
    for seat, field, word, allowed in words:
        if word not in allowed:
            fault = say(Fault.UNKNOWN_WORD, allowed=allowed, word=word)
            found.append(DealError(seat, field, fault))


_PLAYING: Final = frozenset(PLAYING_TILES)
_BONUS: Final = frozenset(BONUS_TILES)


def _check_codes(player: Player, goulash: Goulash | None, found: list[DealError]) -> None:
    if _BONUS.issuperset(player.bonus) and _PLAYING.issuperset(_in_play(player)):
        return
    fields = [("concealed", player.concealed), ("bonus", player.bonus)]
    fields += [("melds", meld.tiles) for meld in player.melds]
    wild = None if goulash is None else goulash.wild
    for field, code in dict.fromkeys((field, code) for field, codes in fields for code in codes):
        words = _code_fault(code, wild, bonus=field == "bonus")
        if words is not None:
            found.append(DealError(player.seat, field, words))


def _code_fault(code: str, wild: str | None, *, bonus: bool) -> Message | None:
    """What is wrong with a tile among the bonus tiles, or elsewhere in a hand."""
    if code == wild and not bonus:
        return None
    if code not in TILES:
        return say(Fault.UNKNOWN_TILE, code=code[:12])
    if bonus and code not in BONUS_TILES:
        return say(Fault.NOT_A_BONUS_TILE, tile=code)
    if not bonus and code not in PLAYING_TILES:
        return say(Fault.BONUS_TILE_IN_HAND, tile=code)
    return None


def _in_play(player: Player) -> tuple[str, ...]:
    """Every tile of the player's but flowers and seasons."""
    tiles = player.concealed
    for meld in player.melds:
        tiles += meld.tiles
    return tiles


def _check_claim(player: Player, ruleset: Ruleset, found: list[DealError]) -> None:
    if player.concealed or player.melds or player.bonus:
        found.append(DealError(player.seat, "claimed", say(Fault.TILES_AND_CLAIM)))
    if not player.claimed:
        return
    words = total_fault(ruleset, player.claimed)
    if player.status not in ruleset.scoring_statuses():
        words = say(Fault.CLAIM_SCORES_NOTHING, status=player.status)
    if words is not None:
        found.append(DealError(player.seat, "claimed", words))


def _check_melds(player: Player, goulash: Goulash | None, found: list[DealError]) -> None:
    for meld in player.melds:
        words = None if is_plain_meld(meld) else _meld_fault(meld, goulash)
        if words is not None:
            found.append(DealError(player.seat, "melds", words))


def _check_riichi(player: Player, found: list[DealError]) -> None:
    declared = player.riichi or player.double_riichi
    if declared and not all(meld.concealed for meld in player.melds):
        found.append(DealError(player.seat, "riichi", say(Fault.RIICHI_CLAIMED)))


def _check_chows(deal: Deal, player: Player, ruleset: Ruleset, found: list[DealError]) -> None:
    laid = sum(meld.kind == "chow" for meld in player.melds)
    if laid > ruleset.chows_allowed(len(deal.players), goulash=deal.goulash):
        found.append(DealError(player.seat, "melds", too_many_chows(deal, ruleset.chows, laid)))


def _meld_fault(meld: Meld, goulash: Goulash | None) -> Message | None:
    """What is wrong with a meld; None where its kind or a tile of it is a fault of its own."""
    wild = None if goulash is None else goulash.wild
    if meld.kind not in KINDS or any(_code_fault(code, wild, bonus=False) for code in meld.tiles):
        return None
    try:
        read_meld(meld, goulash)
    except Refused as error:
        return say(Fault.WRONG_MELD, fault=error.words, kind=meld.kind)
    return None


def _check_count(player: Player, win: Win | None, found: list[DealError]) -> None:
    count = len(player.concealed) + 3 * len(player.melds)
    wanted = HAND_SIZE + (win is not None)
    if player.status == "live" and count != wanted:
        words = say(Fault.WRONG_TILE_COUNT, count=count, wanted=wanted)
        found.append(DealError(player.seat, "concealed", words))
    elif player.status == "too_few" and count >= HAND_SIZE:
        found.append(DealError(player.seat, "status", say(Fault.NOT_TOO_FEW, count=count)))
    elif player.status == "too_many" and count <= HAND_SIZE:
        found.append(DealError(player.seat, "status", say(Fault.NOT_TOO_MANY, count=count)))


def _check_copies(deal: Deal, found: list[DealError]) -> None:
    held = [tile for player in deal.players for tile in (*_in_play(player), *player.bonus)]
    counts = Counter(held)
    if deal.further_wins:
        counts.subtract(win.tile for win in deal.further_wins if win.tile is not None)
    beyond = {tile for tile, count in counts.items() if count > _MOST.get(tile, count)}
    if not beyond:
        return
    seen: Counter[str] = Counter()
    for player in deal.players:
        fields = [("concealed", player.concealed), ("bonus", player.bonus)]
        fields += [("melds", meld.tiles) for meld in player.melds]
        for field, codes in fields:
            seen.update(codes)
            for code in codes:
                if code in beyond and seen[code] > _MOST[code]:
                    beyond.remove(code)
                    words = say(Fault.TOO_MANY_COPIES, seen=seen[code], tile=code, most=_MOST[code])
                    found.append(DealError(player.seat, field, words))


_MOST: Final = {**dict.fromkeys((*PLAYING_TILES, BLANK), 4), **dict.fromkeys(BONUS_TILES, 1)}
"""How many of each tile a tile set has; spare blanks added as jokers included."""


def _check_penalties(deal: Deal, ruleset: Ruleset, found: list[DealError]) -> None:
    rules = ruleset.penalty if ruleset.penalties_apply else ()
    effects: dict[str, str] = {rule.id: rule.effect for rule in rules}
    for place in range(len(deal.penalties)):
        offender = deal.penalties[place].offender
        faults = _penalty_faults(deal, place, effects)
        found.extend(DealError(offender, field, words) for field, words in faults)


def _penalty_faults(
    deal: Deal, place: int, effects: dict[str, str]
) -> Iterator[tuple[str, Message]]:
    """The faulty fields of one penalty, each with what is wrong with it."""
    penalty = deal.penalties[place]
    effect = effects.get(penalty.kind)
    if effect is None:
        known = tuple(effects) or ("none",)
        yield "penalties", say(Fault.UNKNOWN_PENALTY, kind=penalty.kind, known=known)
        return
    for key, seat in (("offender", penalty.offender), ("victim", penalty.victim)):
        if seat is not None and seat not in deal.seats:
            yield f"penalties.{key}", say(Fault.PARTY_ABSENT, seat=seat)
    if penalty.offender == penalty.victim:
        yield "penalties.victim", say(Fault.VICTIM_IS_OFFENDER)
    if effect == "pay_victim" and penalty.victim is None:
        yield "penalties.victim", say(Fault.NO_VICTIM, kind=penalty.kind)
    if effect in ("pay_for_all", "reimburse"):
        yield from _fatal_discard_faults(deal, place)


def _fatal_discard_faults(deal: Deal, place: int) -> Iterator[tuple[str, Message]]:
    win, penalty = deal.win, deal.penalties[place]
    kind = penalty.kind
    if win is None or win.source != "discard":
        yield "penalties", say(Fault.PENALTY_WITHOUT_DISCARD, kind=kind)
        return
    if penalty.offender != win.from_seat:
        yield "penalties.offender", say(Fault.OFFENDER_NOT_DISCARDER, kind=kind)
    if penalty.victim not in (None, win.seat):
        yield "penalties.victim", say(Fault.VICTIM_NOT_WINNER, kind=kind)
    kinds = [other.kind for other in deal.penalties]
    if kinds.count(kind) > 1 and kinds.index(kind) == place:
        yield "penalties", say(Fault.PENALTY_GIVEN_TWICE, kind=kind)
