"""Fishing: which tiles would complete a hand, and what each of them would score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from scorer.counting.count import HandScorer
from scorer.deal import Deal, Player, Win
from scorer.errors import DealError
from scorer.evaluation.checks import HAND_SIZE
from scorer.evaluation.evaluate import hand_scorer, score_hand
from scorer.messages import say
from scorer.result import PlayerResult
from scorer.tiles import BLANK, NAMES, SEAT_NAMES, sort_tiles

_COPIES: Final = 4
"""How many of each playing tile a tile set has."""


@dataclass(frozen=True, slots=True)
class Wait:
    """One kind of tile that would complete a hand.

    Attributes:
        tile: its code.
        left: how many of it lie in none of the hands shown, 0 to 4.
        wall: the score with it as the player's own draw; None when no tile is left.
        discard: the score with it as another's discard; None when it could not be claimed.
    """

    tile: str
    left: int
    wall: PlayerResult | None
    discard: PlayerResult | None

    def to_json(self) -> dict[str, Any]:
        """The wait as a JSON value."""
        return {
            "tile": self.tile,
            "name": NAMES[self.tile],
            "left": self.left,
            "wall": None if self.wall is None else self.wall.to_json(),
            "discard": None if self.discard is None else self.discard.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Waits:
    """What a hand of 13 tiles waits for, in the order of the tiles.

    ``otherwise`` is the score when another player goes out: the hand as it lies, or an award for
    fishing, which the player is taken to have called. ``held_fours`` are the tiles that would
    complete the hand too, but of which the player holds all four.
    """

    seat: str
    waits: tuple[Wait, ...]
    otherwise: PlayerResult
    held_fours: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.waits:
            return f"{SEAT_NAMES[self.seat]} is not fishing: counts {self.otherwise.total}"
        told = (
            f"  {NAMES[wait.tile]}: {wait.left} left"
            + (f", {wait.wall.total} from the wall" if wait.wall else "")
            + (f", {wait.discard.total} from a discard" if wait.discard else "")
            for wait in self.waits
        )
        otherwise = f"  if another player goes out: {self.otherwise.total}"
        return "\n".join([f"{SEAT_NAMES[self.seat]} is fishing", *told, otherwise])

    @property
    def fishing(self) -> bool:
        """Whether a single tile would complete the hand."""
        return bool(self.waits)

    def to_json(self) -> dict[str, Any]:
        """The waits as a JSON value."""
        return {
            "seat": self.seat,
            "fishing": self.fishing,
            "waits": [wait.to_json() for wait in self.waits],
            "otherwise": self.otherwise.to_json(),
        }


def find_waits(deal: Deal, seat: str) -> Waits:
    """The tiles that one player's hand waits for, no matter who goes out in the deal.

    >>> from scorer import Deal, Player, find_waits
    >>> others = [Player(seat, claimed=0) for seat in "EWN"]
    >>> hand = Player("S", "2m 333m 444p 555s 666s")
    >>> [wait.tile for wait in find_waits(Deal("bmja-u3a", (hand, *others), None), "S").waits]
    ['1m', '2m', '4m']

    Args:
        deal: a deal in which the player has not gone out.
        seat: the player's seat.

    Raises:
        DealError: the deal is impossible, nobody sits there, or the player has gone out, shows no
            tiles or has not the 13 tiles from which one can fish.
    """
    scorer = hand_scorer(deal, seat)
    player = scorer.player
    if scorer.win is not None:
        raise DealError(seat, "win.seat", say("has_gone_out"))
    if player.status != "live":
        words = say("cannot_wait", status=player.status, tiles=HAND_SIZE)
        raise DealError(seat, "status", words)
    kinds = [*scorer.places(scorer.hand)]
    if scorer.hand.wild == BLANK:
        kinds.append(BLANK)
    other = next(taken for taken in deal.seats if taken != seat)
    waits = (_wait(deal, player, tile, other) for tile in kinds)
    return Waits(
        seat,
        tuple(wait for wait in waits if wait is not None),
        score_hand(_alone(deal, replace(player, fishing=True), Win(other, None, "wall")), seat),
        tuple(tile for tile in _fours(player) if tile not in kinds and _fits(scorer, tile)),
    )


def _fours(player: Player) -> list[str]:
    """The tiles of which a player holds all four."""
    held = _playing(player)
    return [tile for tile in sort_tiles(set(held)) if held.count(tile) == _COPIES]


def _fits(scorer: HandScorer, tile: str) -> bool:
    """Whether a tile would complete a hand, were there a fifth of it."""
    player = scorer.player
    win = Win(player.seat, tile, "wall")
    complete = replace(player, concealed=(*player.concealed, tile))
    ways = HandScorer(replace(scorer.deal, win=win), scorer.compiled, complete).ways()
    return next(ways, None) is not None


def _wait(deal: Deal, player: Player, tile: str, other: str) -> Wait | None:
    """What a tile brings, or None when it completes nothing."""
    shown = [code for held in deal.players for code in _playing(held)]
    left = max(0, _COPIES - shown.count(tile))
    wall = discard = None
    if left:
        complete = replace(player, concealed=(*player.concealed, tile))
        wall = _score(deal, complete, Win(player.seat, tile, "wall"))
        discard = _score(deal, complete, Win(player.seat, tile, "discard", other))
        if wall is None:
            return None
    return Wait(tile, left, wall, discard)


def _score(deal: Deal, player: Player, win: Win) -> PlayerResult | None:
    """The winner's score, or None when the hand cannot go out so."""
    try:
        return score_hand(_alone(deal, player, win), player.seat)
    except DealError:
        return None


def _alone(deal: Deal, player: Player, win: Win) -> Deal:
    """The deal ended by that win, with no hand shown but the player's."""
    players = tuple(
        player if held.seat == player.seat else Player(held.seat, claimed=0)
        for held in deal.players
    )
    return replace(deal, players=players, win=win, penalties=())


def _playing(player: Player) -> tuple[str, ...]:
    tiles = player.concealed
    for meld in player.melds:
        tiles += meld.tiles
    return tiles
