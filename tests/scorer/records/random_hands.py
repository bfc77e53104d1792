"""Winning hands with melds, random ones and those of deals, for comparing with other programs."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

from scorer.tiles import PLAYING_TILES, SEATS, SUITS, is_major, sort_tiles

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class WonHand:
    """A winner's hand: tiles in hand, the winning one among them, and sets laid down.

    ``said`` are further flags of the win and of the winner that are true.
    """

    concealed: tuple[str, ...]
    melds: tuple[Json, ...]
    tile: str
    source: str
    seat: str
    round_wind: str
    last_tile: bool
    said: frozenset[str] = frozenset()
    bonus: tuple[str, ...] = ()
    dora: tuple[str, ...] = ()
    ura: tuple[str, ...] = ()

    def deal(self, ruleset: str, **more: Any) -> Json:
        """The deal that it won; the others show nothing."""
        others = [seat for seat in SEATS if seat != self.seat]
        win = {
            "seat": self.seat,
            "tile": self.tile,
            "source": self.source,
            "from": others[0] if self.source in ("discard", "robbed_kong") else None,
            "last_tile": self.last_tile,
        }
        winner = {"seat": self.seat, "concealed": self.concealed, "melds": self.melds}
        players = [winner, *({"seat": seat, "claimed": 0} for seat in others)]
        deal = {"ruleset": ruleset, "round_wind": self.round_wind, "players": players, "win": win}
        return {**deal, **more}


def hand_of(deal: Json, win: Json) -> WonHand:
    """The hand of a winner of a deal; of one that was dealt the last tile is the winning one."""
    player = next(it for it in deal["players"] if it["seat"] == win["seat"])
    told = {**player, **win}
    return WonHand(
        tuple(player["concealed"]),
        tuple(player["melds"]),
        win["tile"] or player["concealed"][-1],
        win["source"],
        win["seat"],
        deal["round_wind"],
        win.get("last_tile", False),
        frozenset(key for key, value in told.items() if value is True),
        tuple(player["bonus"]),
        tuple(deal.get("dora", ())),
        tuple(deal.get("ura", ())),
    )


def random_hand(rng: random.Random) -> WonHand:
    """A hand of sets and a pair, often of few suits, now and then seven pairs or orphans."""
    shape = rng.random()
    if shape < 0.05:
        return _concealed(rng, sort_tiles(2 * rng.sample(_tiles(rng), 7)))
    if shape < 0.07:
        majors = [tile for tile in PLAYING_TILES if is_major(tile)]
        return _concealed(rng, [*majors, rng.choice(majors)])
    while True:
        tiles = _tiles(rng)
        chows = [tile for tile in tiles if tile[1] in SUITS and tile[0] < "8"]
        like_chows, laid = rng.random(), rng.choice((0.0, 0.0, 0.4, 0.9))
        concealed: list[str] = []
        melds: list[Json] = []
        for _ in range(4):
            if chows and rng.random() < like_chows:
                first = rng.choice(chows)
                group = [f"{int(first[0]) + n}{first[1]}" for n in range(3)]
                kind = "chow"
            else:
                kind = "kong" if rng.random() < laid / 3 else "pung"
                group = [rng.choice(tiles)] * (4 if kind == "kong" else 3)
            if kind == "kong" or rng.random() < laid:
                shut = kind == "kong" and rng.random() < 0.5
                melds.append({"kind": kind, "tiles": group, "concealed": shut})
            else:
                concealed += group
        concealed += 2 * [rng.choice(tiles)]
        held = Counter([*concealed, *(tile for meld in melds for tile in meld["tiles"])])
        if max(held.values()) <= 4:
            return _concealed(rng, concealed, melds)


def _tiles(rng: random.Random) -> list[str]:
    """The tiles of which a hand is made: all, or those of one suit, of majors or of minors."""
    suit = rng.choice(SUITS)
    kinds = (
        PLAYING_TILES,
        PLAYING_TILES,
        [tile for tile in PLAYING_TILES if tile[1] == suit],
        [tile for tile in PLAYING_TILES if tile[1] in (suit, "z")],
        [tile for tile in PLAYING_TILES if is_major(tile)],
        [tile for tile in PLAYING_TILES if not is_major(tile)],
    )
    return list(rng.choice([kind for kind in kinds if len(kind) >= 7]))


def _concealed(
    rng: random.Random, concealed: list[str], melds: list[Json] | None = None
) -> WonHand:
    tile = rng.choice(concealed)
    source = rng.choice(("wall", "discard"))
    last = rng.random() < 0.05
    winds = rng.choice(SEATS), rng.choice(SEATS)
    return WonHand(tuple(concealed), tuple(melds or ()), tile, source, *winds, last)
