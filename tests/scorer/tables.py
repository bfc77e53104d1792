"""Hypothesis strategies for whole tables: a lawful winner, and losers from the tiles left over."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import strategies as st

from scorer.rules.rulebook import load_ruleset
from scorer.tiles import BONUS_TILES, PLAYING_TILES, SUIT_TILES
from tests.scorer.builders import Json

_RUNS = [[f"{n + step}{suit}" for step in range(3)] for suit in "mps" for n in range(1, 8)]


class _Wall:
    """The tiles not dealt yet."""

    def __init__(self, rng: random.Random, *, narrow: bool) -> None:
        self.rng = rng
        self.left = Counter(dict.fromkeys(PLAYING_TILES, 4))
        suited = rng.sample(SUIT_TILES, 6)
        self.likely = [*suited, "1z", "2z", "5z"] if narrow else list(PLAYING_TILES)

    def same(self, size: int) -> list[str]:
        """So many of one kind."""
        kinds = [code for code in self.likely if self.left[code] >= size]
        kinds = kinds or [code for code in PLAYING_TILES if self.left[code] >= size]
        code = self.rng.choice(kinds)
        self.left[code] -= size
        return [code] * size

    def run(self) -> list[str]:
        """A chow, or a pung when no chow is left."""
        runs = [run for run in _RUNS if all(self.left[code] for code in run)]
        near = [run for run in runs if self.likely and set(run) & set(self.likely)]
        tiles = self.rng.choice(near or runs)
        self.left.subtract(tiles)
        return list(tiles)

    def loose(self, size: int) -> list[str]:
        """Any tiles."""
        tiles = self.rng.sample(list((+self.left).elements()), size)
        self.left.subtract(tiles)
        return tiles


def _melds(wall: _Wall, count: int, *, chow: bool = False) -> list[Json]:
    melds: list[Json] = []
    for index in range(count):
        kind = wall.rng.choice(["pung", "pung", "kong"])
        if chow and index == 0:
            kind = "chow"
        tiles = wall.run() if kind == "chow" else wall.same(3 if kind == "pung" else 4)
        concealed = kind != "chow" and wall.rng.random() < 0.3
        melds.append({"kind": kind, "tiles": tiles, "concealed": concealed})
    return melds


def _with_jokers(wall: _Wall, groups: list[list[str]]) -> None:
    """Put a two bamboo in the place of one tile of some groups."""
    for group in groups:
        if wall.left["2s"] and group[0] != "2s" and wall.rng.random() < 0.3:
            wall.left["2s"] -= 1
            wall.left[group[0]] += 1
            group[0] = "2s"


def _winner(wall: _Wall, seat: str, chows: int, *, goulash: bool) -> Json:
    rng = wall.rng
    laid = rng.randint(0, 4)
    chow_laid = chows > 0 and laid > 0 and rng.random() < 0.2
    melds = _melds(wall, laid, chow=chow_laid)
    groups = [wall.same(2)]
    left = chows - chow_laid
    for _ in range(4 - laid):
        is_run = left > 0 and rng.random() < 0.6
        left -= is_run
        groups.append(wall.run() if is_run else wall.same(3))
    if goulash:
        _with_jokers(wall, groups)
    concealed = [tile for group in groups for tile in group]
    return {"seat": seat, "concealed": concealed, "melds": melds, "bonus": []}


def _loser(wall: _Wall, seat: str) -> Json:
    melds = _melds(wall, wall.rng.randint(0, 3))
    tiles = wall.loose(13 - 3 * len(melds))
    return {
        "seat": seat,
        "concealed": tiles,
        "melds": melds,
        "bonus": [],
        "fishing": wall.rng.random() < 0.5,
    }


def _win(rng: random.Random, winner: Json, seats: list[str], *, goulash: bool, flags: bool) -> Json:
    tile = rng.choice(winner["concealed"])
    claims = not (goulash and tile == "2s")
    melds = winner["melds"]
    replaced = bool(winner["bonus"]) or any(meld["kind"] == "kong" for meld in melds)
    source = rng.choice(["wall", *["discard"] * claims, *["loose"] * replaced])
    win: Json = {"seat": winner["seat"], "tile": tile, "source": source}
    if flags:
        win["last_tile"] = source != "loose" and rng.random() < 0.2
        win["original_call"] = all(meld["concealed"] for meld in melds) and rng.random() < 0.3
    if source == "discard":
        win["from"] = rng.choice([seat for seat in seats if seat != winner["seat"]])
    return win


CHOWS = {"bmja-u3a": (1, 0), "bmja-mjbr": (1, 0), "ming-1876": (0, 0), "uk-1924": (4, 4)}
"""Chows that a hand may hold with four and with three players, where they are not any number."""


def build(rng: random.Random, *, goulash: bool = False, ruleset: str = "bmja-u3a") -> Json:
    """A lawful deal with every hand shown."""
    rules = load_ruleset(ruleset)
    three = 3 in rules.players and rng.random() < 0.2
    seats = ["E", *rng.sample("SWN", 2)] if three else list("ESWN")
    rng.shuffle(seats)
    wall = _Wall(rng, narrow=rng.random() < 0.7)
    chows = 0 if goulash else CHOWS.get(ruleset, (4, 4))[three]
    winner = _winner(wall, seats[0], chows, goulash=goulash)
    players = [winner, *(_loser(wall, seat) for seat in seats[1:])]
    for tile in rng.sample(BONUS_TILES, 0 if rules.bonus_tiles == "unused" else rng.randint(0, 8)):
        rng.choice(players)["bonus"].append(tile)
    win = _win(
        rng,
        winner,
        seats,
        goulash=goulash,
        flags=any(flag.id == "original_call" for flag in rules.flag),
    )
    rng.shuffle(players)
    return {
        "ruleset": ruleset,
        "round_wind": rng.choice("ESWN"),
        "goulash": goulash,
        "players": players,
        "win": win,
    }


def tables_of(ruleset: str) -> st.SearchStrategy[Json]:
    """Lawful deals under a ruleset."""
    return st.randoms(use_true_random=False).map(lambda rng: build(rng, ruleset=ruleset))


tables = st.randoms(use_true_random=False).map(build)
goulashes = st.randoms(use_true_random=False).map(lambda rng: build(rng, goulash=True))
