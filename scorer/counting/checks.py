"""What cannot be on a table: every deal is held against its ruleset before it is scored."""

from __future__ import annotations

from collections import Counter
from typing import Final

from scorer.counting.arrange import read_meld
from scorer.deal import KINDS, SOURCES, STATUSES, Deal, Penalty, Player, Win
from scorer.errors import DealError
from scorer.rules.ruleset import Ruleset
from scorer.tiles import BLANK, BONUS_TILES, NAMES, PLAYING_TILES, SEATS, TILES

HAND_SIZE: Final = 13
"""Tiles of a player who has not gone out, each kong counted as three."""


def check_deal(deal: Deal, ruleset: Ruleset) -> None:
    """Refuse a deal that cannot be.

    Raises:
        DealError: naming the player, the field, what is wrong and what to do.
    """
    _check_seats(deal, ruleset)
    _check_words(deal)
    if deal.goulash and ruleset.goulash is None:
        raise DealError(None, "goulash", "no goulash is played under this ruleset; set it to false")
    chows = ruleset.chows_allowed(len(deal.players), goulash=deal.goulash)
    wild = ruleset.goulash.wild if deal.goulash and ruleset.goulash else None
    for player in deal.players:
        _check_codes(player, wild)
        if player.bonus and ruleset.bonus_tiles == "unused":
            message = "flowers and seasons are not used under these rules; leave them out"
            raise DealError(player.seat, "bonus", message)
        if player.claimed is not None:
            _check_claim(player, ruleset)
        else:
            _check_melds(player, chows, wild)
            _check_count(player, deal.win)
    _check_copies(deal)
    if deal.win is not None:
        _check_winner(deal, deal.win)
        _check_source(deal, deal.win)
    _check_penalties(deal, ruleset)


def _check_seats(deal: Deal, ruleset: Ruleset) -> None:
    seats = deal.seats
    if len(seats) not in ruleset.players:
        wanted = " or ".join(str(number) for number in ruleset.players)
        raise DealError(None, "players", f"{len(seats)} players given; {wanted} can play")
    for seat in seats:
        if seat not in SEATS:
            raise DealError(
                None, "players", f"unknown seat {seat!r}; use one of {', '.join(SEATS)}"
            )
        if seats.count(seat) > 1:
            raise DealError(seat, "seat", "is taken twice; give each player a seat of their own")
    if "E" not in seats:
        raise DealError(None, "players", "nobody is East; one of the players must be")
    if not ruleset.dealer_moves and deal.dealer != "E":
        raise DealError(None, "dealer", "must be E: East pays and receives double here")
    if deal.dealer not in seats:
        raise DealError(None, "dealer", f"no player sits at {deal.dealer}")


def _check_words(deal: Deal) -> None:
    """Refuse words outside their list, which only deals that were not parsed can hold."""
    words: list[tuple[str | None, str, str, tuple[str, ...]]]
    words = [(None, "round_wind", deal.round_wind, SEATS)]
    for player in deal.players:
        words.append((player.seat, "status", player.status, STATUSES))
        words += [(player.seat, "melds.kind", meld.kind, KINDS) for meld in player.melds]
    if deal.win is not None:
        words.append((deal.win.seat, "win.source", deal.win.source, SOURCES))
    for seat, field, word, allowed in words:
        if word not in allowed:
            raise DealError(seat, field, f"needs one of {', '.join(allowed)}, not {word!r}")


_PLAYING: Final = frozenset(PLAYING_TILES)
_BONUS: Final = frozenset(BONUS_TILES)


def _check_codes(player: Player, wild: str | None) -> None:
    if _BONUS.issuperset(player.bonus) and _PLAYING.issuperset(_in_play(player)):
        return
    fields = [("concealed", player.concealed), ("bonus", player.bonus)]
    fields += [("melds", meld.tiles) for meld in player.melds]
    for field, codes in fields:
        for code in codes:
            if code == wild and field != "bonus":
                continue
            if code not in TILES:
                message = f"{code[:12]!r} is no tile that can be scored; correct or remove it"
                raise DealError(player.seat, field, message)
            if field == "bonus" and code not in BONUS_TILES:
                message = f"{NAMES[code]} is no flower or season; put it with the other tiles"
                raise DealError(player.seat, field, message)
            if field != "bonus" and code not in PLAYING_TILES:
                message = f"{NAMES[code]} belongs to no set; put it under bonus"
                raise DealError(player.seat, field, message)


def _in_play(player: Player) -> tuple[str, ...]:
    """Every tile of the player's but flowers and seasons."""
    tiles = player.concealed
    for meld in player.melds:
        tiles += meld.tiles
    return tiles


def _check_claim(player: Player, ruleset: Ruleset) -> None:
    if player.concealed or player.melds or player.bonus:
        raise DealError(
            player.seat, "claimed", "give either the tiles or a claimed total, not both"
        )
    if player.claimed and player.status not in ruleset.scoring_statuses():
        raise DealError(player.seat, "claimed", f"a hand that is {player.status} scores nothing")


def _check_melds(player: Player, chows: int, wild: str | None) -> None:
    for meld in player.melds:
        try:
            read_meld(meld, wild)
        except ValueError as error:
            raise DealError(player.seat, "melds", f"{error}; correct the {meld.kind}") from error
    laid = sum(meld.kind == "chow" for meld in player.melds)
    if laid > chows:
        allowed = "no chow is" if chows == 0 else f"only {chows} may be"
        raise DealError(player.seat, "melds", f"{laid} laid down as chows, {allowed} allowed here")


def _check_count(player: Player, win: Win | None) -> None:
    count = len(player.concealed) + 3 * len(player.melds)
    wanted = HAND_SIZE + (win is not None and win.seat == player.seat)
    shown = f"{count} tiles, each kong counted as three"
    if player.status == "live" and count != wanted:
        message = f"{shown}; {wanted} are needed: add or remove tiles, or say too_few or too_many"
        raise DealError(player.seat, "concealed", message)
    if player.status == "too_few" and count >= HAND_SIZE:
        raise DealError(player.seat, "status", f"is too_few, but there are {shown}")
    if player.status == "too_many" and count <= HAND_SIZE:
        raise DealError(player.seat, "status", f"is too_many, but there are {shown}")


def _check_copies(deal: Deal) -> None:
    held = [tile for player in deal.players for tile in (*_in_play(player), *player.bonus)]
    counts = Counter(held)
    if all(count <= _MOST[tile] for tile, count in counts.items()):
        return
    seen: Counter[str] = Counter()
    for player in deal.players:
        fields = [("concealed", player.concealed), ("bonus", player.bonus)]
        fields += [("melds", meld.tiles) for meld in player.melds]
        for field, codes in fields:
            seen.update(codes)
            for code in codes:
                if seen[code] > _MOST[code]:
                    message = (
                        f"makes {seen[code]} of {NAMES[code]} over all hands; a set of tiles has "
                        f"{_MOST[code]}: check where one was misread"
                    )
                    raise DealError(player.seat, field, message)


_MOST: Final = {**dict.fromkeys((*PLAYING_TILES, BLANK), 4), **dict.fromkeys(BONUS_TILES, 1)}
"""How many of each tile a set has; spare blanks added as jokers included."""


def player_at(deal: Deal, seat: str) -> Player:
    """The player in a seat that is taken."""
    return next(player for player in deal.players if player.seat == seat)


def _check_winner(deal: Deal, win: Win) -> None:
    if win.seat not in deal.seats:
        raise DealError(win.seat, "win.seat", "nobody sits there; choose the winner's seat")
    if win.tile is not None and win.tile not in (*PLAYING_TILES, BLANK):
        message = f"{win.tile[:12]!r} is no tile that can complete a hand; correct it"
        raise DealError(win.seat, "win.tile", message)
    winner = player_at(deal, win.seat)
    if winner.status != "live":
        raise DealError(win.seat, "status", f"is {winner.status}; such a hand cannot go out")
    if any(p.kind == "wrong_claim" and p.offender == win.seat for p in deal.penalties):
        raise DealError(win.seat, "penalties", "a player guilty of wrong_claim cannot go out")
    if winner.claimed is not None:
        return
    if win.tile is None:
        if win.source != "dealt":
            raise DealError(win.seat, "win.tile", "is missing; name the winning tile")
    elif win.tile not in winner.concealed:
        message = f"{NAMES[win.tile]} is not among the winner's concealed tiles; list it there"
        raise DealError(win.seat, "win.tile", message)


def _check_source(deal: Deal, win: Win) -> None:
    winner = player_at(deal, win.seat)
    _check_from(deal, win, claimed=winner.claimed is not None)
    if win.last_tile and win.source not in ("wall", "discard"):
        message = f"goes with wall or discard, not with {win.source}"
        raise DealError(win.seat, "win.last_tile", message)
    if win.first_turn and (win.source != "discard" or win.from_seat != "E"):
        raise DealError(win.seat, "win.first_turn", "goes only with a discard from East")
    if win.after_two_kongs:
        kongs = sum(meld.kind == "kong" for meld in winner.melds)
        if win.source != "loose" or (winner.claimed is None and kongs < 2):
            message = "goes only with a loose tile and two kongs laid down"
            raise DealError(win.seat, "win.after_two_kongs", message)
    if win.source == "dealt":
        if win.seat != "E" or winner.melds:
            raise DealError(win.seat, "win.source", "only East, without melds, wins as dealt")
        if win.original_call:
            raise DealError(win.seat, "win.original_call", "does not go with a dealt win")


def _check_from(deal: Deal, win: Win, *, claimed: bool) -> None:
    if win.from_seat is None:
        if win.claimed_tile and not claimed:
            message = f"is missing; say who gave the tile of the {win.source}"
            raise DealError(win.seat, "win.from", message)
        return
    if not win.claimed_tile:
        raise DealError(win.seat, "win.from", f"does not go with {win.source}; leave it out")
    if win.from_seat == win.seat:
        raise DealError(win.seat, "win.from", "is the winner; name the player who gave the tile")
    if win.from_seat not in deal.seats:
        raise DealError(win.seat, "win.from", f"nobody sits at {win.from_seat}")
    if win.source == "robbed_kong" and win.tile is not None:
        _check_robbed(player_at(deal, win.from_seat), win)


def _check_robbed(robbed: Player, win: Win) -> None:
    """Refuse a robbery where the hand is shown and holds no exposed pung of the tile."""
    pungs = [meld for meld in robbed.melds if meld.kind == "pung" and not meld.concealed]
    if robbed.claimed is None and not any(win.tile in meld.tiles for meld in pungs):
        message = (
            f"no exposed pung of {NAMES[win.tile or '']} lies before {robbed.seat}, whose kong was "
            "robbed; write that player's set as a pung, or correct the tile"
        )
        raise DealError(win.seat, "win.source", message)


def _check_penalties(deal: Deal, ruleset: Ruleset) -> None:
    if not deal.penalties:
        return
    effects: dict[str, str] = {rule.id: rule.effect for rule in ruleset.penalty}
    if not ruleset.penalties_apply:
        effects = {}
    for penalty in deal.penalties:
        effect = effects.get(penalty.kind)
        if effect is None:
            known = ", ".join(effects) or "none"
            message = f"{penalty.kind} is unknown to this ruleset; known are {known}"
            raise DealError(penalty.offender, "penalties", message)
        _check_parties(deal, penalty)
        if effect == "pay_victim" and penalty.victim is None:
            raise DealError(penalty.offender, "penalties.victim", f"{penalty.kind} needs a victim")
        if effect in ("pay_for_all", "reimburse"):
            _check_fatal_discard(deal, penalty)


def _check_parties(deal: Deal, penalty: Penalty) -> None:
    for key, seat in (("offender", penalty.offender), ("victim", penalty.victim)):
        if seat is not None and seat not in deal.seats:
            raise DealError(penalty.offender, f"penalties.{key}", f"nobody sits at {seat}")
    if penalty.offender == penalty.victim:
        raise DealError(penalty.offender, "penalties.victim", "is the offender; name the other one")


def _check_fatal_discard(deal: Deal, penalty: Penalty) -> None:
    win = deal.win
    if win is None or win.source != "discard":
        message = f"{penalty.kind} goes only with a win on a discard"
        raise DealError(penalty.offender, "penalties", message)
    if penalty.offender != win.from_seat:
        message = f"{penalty.kind}: the offender must be the player named in win.from"
        raise DealError(penalty.offender, "penalties.offender", message)
    if penalty.victim not in (None, win.seat):
        message = f"{penalty.kind}: the victim must be the winner"
        raise DealError(penalty.offender, "penalties.victim", message)
    if sum(other.kind == penalty.kind for other in deal.penalties) > 1:
        raise DealError(penalty.offender, "penalties", f"{penalty.kind} is given twice")
