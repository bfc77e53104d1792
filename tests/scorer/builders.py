"""Deals in a few words: compact tile strings, melds by their look, everybody else a claimed 0."""

from __future__ import annotations

from typing import Any

import scorer
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from scorer.tiles import SEATS, parse_tiles

Json = dict[str, Any]

BY_POINTS = tuple(name for name in ruleset_ids() if load_ruleset(name).value is None)
"""The rulesets in which every player counts points and doubles, not the winner fan."""

WITHOUT_COUNTERS = tuple(name for name in ruleset_ids() if not load_ruleset(name).game.counters)
"""The rulesets in which nothing lies on the table from hand to hand."""


def meld(text: str) -> Json:
    """``555m`` is an exposed pung, ``(5555m)`` a concealed kong, ``345m`` a chow."""
    tiles = parse_tiles(text.strip("()"))
    kind = "kong" if len(tiles) == 4 else "pung"
    if len({tile for tile in tiles if tile != "2s"}) == 3 or tiles in (
        ["1s", "2s", "3s"],
        ["2s", "3s", "4s"],
    ):
        kind = "chow"
    return {"kind": kind, "tiles": tiles, "concealed": text.startswith("(")}


def player(seat: str, tiles: str = "", melds: str = "", bonus: str = "", **more: Any) -> Json:
    """A player as JSON; melds are separated by blanks."""
    return {
        "seat": seat,
        "concealed": parse_tiles(tiles),
        "melds": [meld(text) for text in melds.split()],
        "bonus": parse_tiles(bonus),
        **more,
    }


def claimed(seat: str, total: int = 0) -> Json:
    """A player whose tiles are not shown."""
    return {"seat": seat, "claimed": total}


def win(seat: str, how: str, **more: Any) -> Json:
    """``9p discard N`` or ``9p wall``; flags as keywords."""
    tile, source, *giver = how.split()
    value: Json = {"seat": seat, "tile": None if tile == "-" else tile, "source": source, **more}
    if giver:
        value["from"] = giver[0]
    return value


def deal(*players: Json, won: Json | None, seats: str = "ESWN", **more: Any) -> Json:
    """A deal of the given players; the empty seats claim nothing."""
    taken = {item["seat"] for item in players}
    others = [claimed(seat) for seat in SEATS if seat in seats and seat not in taken]
    return {"ruleset": "bmja-u3a", "players": [*players, *others], "win": won, **more}


def score(value: Json) -> Json:
    """The result of a deal, as JSON."""
    return scorer.score_deal(scorer.parse_deal(value)).to_json()


def of(result: Json, seat: str) -> Json:
    """One player's part of a result."""
    found: Json = next(item for item in result["players"] if item["seat"] == seat)
    return found


def rules(part: Json) -> list[str]:
    """The rules of a player's lines, in order."""
    return [line["rule"] for line in part["lines"]]
