"""A slow second opinion on the rules of 1924 and of 1876, from the printed tables alone.

It knows no data file and shares no code with the scorer: every way to lay the tiles is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tests.scorer.counting.brute import HONOURS, WIND, Laid, in_hand

Json = dict[str, Any]
DRAGONS = ("5z", "6z", "7z")
MAJORS = [f"{n}{suit}" for suit in "mps" for n in (1, 9)] + HONOURS
KINDS = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] + HONOURS
LIMIT = 3000


def _is_major(tile: str) -> bool:
    return tile in MAJORS


def _size(laid: Laid) -> Fraction:
    """What a set counts beside an exposed pung of minors."""
    kind, tiles, concealed = laid
    base = Fraction({"pung": 1, "kong": 4}.get(kind, 0))
    return base * (2 if _is_major(tiles[0]) else 1) * (2 if concealed else 1)


def _groups(tiles: list[str]) -> Iterator[tuple[str, list[str]]]:
    """What the first of the tiles, sorted by suit, can be laid with."""
    first, low = tiles[0], int(tiles[0][0])
    run = [f"{low + step}{first[1]}" for step in range(3)]
    if len(tiles) % 3 == 2 and tiles.count(first) > 1:
        yield "pair", [first] * 2
    if tiles.count(first) > 2:
        yield "pung", [first] * 3
    if first[1] != "z" and set(run) <= set(tiles):
        yield "chow", run


def _lay(tiles: list[str]) -> Iterator[list[tuple[str, list[str]]]]:
    """Every way to part the tiles into threes and one pair."""
    tiles = sorted(tiles, key=lambda tile: tile[::-1])
    if not tiles:
        yield []
        return
    for kind, group in _groups(tiles):
        left = tiles.copy()
        for tile in group:
            left.remove(tile)
        yield from ([(kind, group), *more] for more in _lay(left))


def readings(held: list[str], melds: list[Laid], win: Json) -> Iterator[list[Laid]]:
    """Every way to lay a complete hand, with every place for a claimed tile."""
    claimed = win["source"] == "discard"
    for groups in _lay(held):
        for place, (_, group) in enumerate(groups):
            if claimed and win["tile"] not in group:
                continue
            yield melds + [
                (kind, tuple(tiles), kind == "pair" or not claimed or index != place)
                for index, (kind, tiles) in enumerate(groups)
            ]


def _own_sets(laid: list[Laid], winds: list[str]) -> int:
    named = [tiles[0] for kind, tiles, _ in laid if kind in ("pung", "kong")]
    return sum(winds.count(tile) + (tile in DRAGONS) for tile in named)


def _bonus_doubles(player: Json, full: int) -> int:
    own = str("ESWN".index(player["seat"]) + 1)
    doubles = 0
    for colour in "fy":
        held = [tile for tile in player["bonus"] if tile[1] == colour]
        doubles += (own + colour in held) + (full if len(held) == 4 else 0)
    return doubles


def _unlaid(player: Json) -> list[Laid]:
    """The sets laid down and those in the hand of a player who did not go out."""
    held, laid = in_hand(player)
    for tile in set(held):
        size = min(held.count(tile), 3)
        if size > 1:
            laid.append(("pair" if size == 2 else "pung", (tile,) * size, True))
    return laid


def _set_points(laid: list[Laid], seat: str) -> int:
    pairs = [tiles[0] for kind, tiles, _ in laid if kind == "pair"]
    paid = sum(2 for tile in pairs if tile in (*DRAGONS, WIND[seat]))
    return int(sum(2 * _size(item) for item in laid)) + paid


def _nine_chances(tiles: list[str], melds: list[Laid]) -> bool:
    suits = {tile[1] for tile in tiles}
    if len(suits) != 1 or "z" in suits or any(kind == "kong" for kind, _, _ in melds):
        return False
    run = sorted([1, 1, *range(1, 10), 9, 9])
    numbers = sorted(int(tile[0]) for tile in tiles)
    if not any(numbers == sorted([*run, pair]) for pair in range(2, 9)):
        return False
    return all(tiles[0] == tiles[1] or tiles[0][0] != "1" != tiles[2][0] for _, tiles, _ in melds)


def _award(held: list[str], melds: list[Laid]) -> int:
    """The award of a hand that is no four sets and a pair; 0 when there is none."""
    tiles = held + [tile for _, group, _ in melds for tile in group]
    if sorted(set(tiles)) == sorted(MAJORS) and len(tiles) == 14:
        return LIMIT
    if _nine_chances(tiles, melds):
        return LIMIT
    pairs = not melds and all(held.count(tile) % 2 == 0 for tile in held)
    return LIMIT // 3 if pairs and len(held) == 14 else 0


def _only_place(player: Json, win: Json) -> bool:
    held, melds = in_hand(player)
    held.remove(win["tile"])
    everything = held + [tile for _, group, _ in melds for tile in group]
    places = [
        tile
        for tile in KINDS
        if everything.count(tile) < 4
        and (_award([*held, tile], melds) or next(_lay([*held, tile]), None) is not None)
    ]
    return len(places) == 1


def _winner_doubles(laid: list[Laid], win: Json) -> int:
    tiles = [tile for _, group, _ in laid for tile in group]
    suits = {tile[1] for tile in tiles}
    doubles = int(win["source"] == "loose")
    doubles += int(win["source"] == "wall" and win["last_tile"])
    if suits == {"z"} or (all(map(_is_major, tiles)) and "z" not in suits):
        doubles += 3
    elif "z" in suits:
        doubles += (len(suits) == 2) + all(map(_is_major, tiles))
    elif len(suits) == 1:
        doubles += 3
    return doubles


def _is_limit(laid: list[Laid]) -> bool:
    named = {tiles[0] for kind, tiles, _ in laid if kind in ("pung", "kong")}
    buried = [kind for kind, _, concealed in laid if concealed]
    full = sorted(buried) == ["pair", "pung", "pung", "pung", "pung"]
    return full or named >= set(DRAGONS) or named >= set(WIND.values())


def winner_of_1924(deal: Json) -> int:
    """The most that the winner's hand is worth under the laws of 1924."""
    win = deal["win"]
    player = next(item for item in deal["players"] if item["seat"] == win["seat"])
    held, melds = in_hand(player)
    seat, bonus = player["seat"], 4 * len(player["bonus"])
    extra = _bonus_doubles(player, 3)
    exposed = any(not concealed for _, _, concealed in melds)
    award = 0 if exposed and not _nine_chances(_all(held, melds), melds) else _award(held, melds)
    fixed = 20 + 2 * (win["source"] != "discard") + 2 * _only_place(player, win) + bonus
    best = 0
    for laid in readings(held, melds, win):
        if _is_limit(laid):
            award = LIMIT
        points = _set_points(laid, seat)
        points += 10 * (points == 0) + 10 * all(kind != "chow" for kind, _, _ in laid)
        doubles = _own_sets(laid, [WIND[seat]]) + _winner_doubles(laid, win) + extra
        best = max(best, (fixed + points) << doubles)
    return min(LIMIT, max(best, award + (bonus << extra) if award else 0))


def _all(held: list[str], melds: list[Laid]) -> list[str]:
    return held + [tile for _, group, _ in melds for tile in group]


def loser_of_1924(player: Json) -> int:
    """What a player who did not go out scores under the laws of 1924."""
    laid = _unlaid(player)
    points = _set_points(laid, player["seat"]) + 4 * len(player["bonus"])
    doubles = _own_sets(laid, [WIND[player["seat"]]]) + _bonus_doubles(player, 3)
    return min(LIMIT, points << doubles)


def family_score(deal: Json, player: Json) -> int:
    """What a player scores by the family's rules."""
    win, winds = deal["win"], [WIND[player["seat"]], WIND[deal["round_wind"]]]
    extra = _bonus_doubles(player, 1)
    if win is None or player["seat"] != win["seat"]:
        laid = _unlaid(player)
        return _family_total(laid, player, _own_sets(laid, winds) + extra)
    held, melds = in_hand(player)
    extra += (deal["dealer"] == player["seat"]) + (win["source"] == "loose")
    extra += all(concealed for _, _, concealed in melds)
    tiles = _all(held, melds)
    extra += len({tile[1] for tile in tiles} - {"z"}) == 1
    extra += all(map(_is_major, tiles))
    chowless = [
        laid for laid in readings(held, melds, win) if all(kind != "chow" for kind, _, _ in laid)
    ]
    return max(_family_total(laid, player, _own_sets(laid, winds) + extra) for laid in chowless)


def _family_total(laid: list[Laid], player: Json, doubles: int) -> int:
    count = sum((_size(item) / 2 for item in laid), Fraction(len(player["bonus"])))
    return int(count * 4) << doubles
