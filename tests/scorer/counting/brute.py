"""A slow second opinion on ordinary hands: tries every way to lay the tiles, knows no data file.

It counts with the printed table alone (course sheets 11, 14 and 17) and shares no code with the
scorer; special hands are left out. A tile with a star is a wild one standing for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

Json = dict[str, Any]
Laid = tuple[str, tuple[str, ...], bool]
WIND = {"E": "1z", "S": "2z", "W": "3z", "N": "4z"}


HONOURS = [f"{n}z" for n in range(1, 8)]


def _kind(tiles: tuple[str, ...]) -> str | None:
    wilds = sum("*" in tile for tile in tiles)
    tiles = tuple(tile.rstrip("*") for tile in tiles)
    if len(set(tiles)) == 1:
        kind = {2: "pair", 3: "pung", 4: "kong"}[len(tiles)]
        return kind if kind == "pair" or wilds < 2 else None
    suits = {tile[1] for tile in tiles}
    if len(tiles) == 3 and len(suits) == 1 and suits <= set("mps"):
        low, middle, high = sorted(int(tile[0]) for tile in tiles)
        return "chow" if (middle, high) == (low + 1, low + 2) else None
    return None


def _lay(tiles: tuple[str, ...]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to part the tiles into threes and one pair, the first tile always placed first."""
    if not tiles:
        yield []
        return
    rest = range(1, len(tiles))
    sizes = (1, 2) if len(tiles) % 3 == 2 else (2,)
    for size in sizes:
        for others in combinations(rest, size):
            group = (tiles[0], *(tiles[i] for i in others))
            if _kind(group):
                left = tuple(tiles[i] for i in rest if i not in others)
                yield from ([group, *more] for more in _lay(left))


def _points(laid: Laid, winds: list[str]) -> int:
    kind, tiles, concealed = laid
    major = tiles[0][1] == "z" or tiles[0][0] in "19"
    if kind == "pair":
        return 2 * winds.count(tiles[0]) + 2 * (tiles[0] in ("5z", "6z", "7z"))
    base = {"chow": 0, "pung": 2, "kong": 8}[kind]
    return base * (2 if major else 1) * (2 if concealed else 1)


def _common_doubles(laid: list[Laid], winds: list[str], bonus: list[str], seat: str) -> int:
    doubles = 0
    for kind, tiles, _ in laid:
        if kind in ("pung", "kong"):
            doubles += winds.count(tiles[0]) + (tiles[0] in ("5z", "6z", "7z"))
    own = str("ESWN".index(seat) + 1)
    for series in "fy":
        held = {tile[0] for tile in bonus if tile[1] == series}
        doubles += 2 if len(held) == 4 else int(own in held)
    return doubles


def _winner_doubles(laid: list[Laid], win: Json, *, chows: bool) -> int:
    tiles = [tile for _, group, _ in laid for tile in group]
    suits = {tile[1] for tile in tiles} - {"z"}
    return sum(
        [
            len(suits) == 1,
            chows and all(kind != "chow" for kind, _, _ in laid),
            all(concealed for _, _, concealed in laid),
            all(tile[1] == "z" or tile[0] in "19" for tile in tiles),
            bool(win.get("last_tile")),
            bool(win.get("original_call")),
            win["source"] in ("loose", "robbed_kong"),
        ]
    )


def in_hand(player: Json) -> tuple[list[str], list[Laid]]:
    """The tiles never exposed or declared, and the sets that were."""
    held = list(player["concealed"])
    laid: list[Laid] = []
    for meld in player["melds"]:
        if meld["concealed"] and meld["kind"] == "pung":
            held += meld["tiles"]
        else:
            laid.append((meld["kind"], tuple(meld["tiles"]), meld["concealed"]))
    return held, laid


def _jokers(tiles: list[str], kept: int) -> Iterator[tuple[str, ...]]:
    """The tiles with every two bamboo but the kept ones as itself or wild, as anything sensible."""
    wild = [tile for tile in tiles if tile == "2s"][kept:]
    others = [tile for tile in tiles if tile != "2s"] + ["2s"] * (tiles.count("2s") - len(wild))
    meanings = ["2s", *(f"{tile}*" for tile in sorted({*others, *HONOURS, "2m"}))]
    for chosen in product(meanings, repeat=len(wild)):
        yield (*others, *chosen)


def best_ordinary(deal: Json) -> int | None:
    """The most that the winner's tiles can score as an ordinary hand, or None if they are none."""
    win = deal["win"]
    player = next(item for item in deal["players"] if item["seat"] == win["seat"])
    winds = [WIND[player["seat"]], WIND[deal["round_wind"]]]
    held, melds = in_hand(player)
    claimed = win["source"] in ("discard", "robbed_kong")
    hands: Iterator[tuple[str, ...]] = iter([tuple(held)])
    if deal["goulash"]:
        hands = _jokers(held, int(claimed and win["tile"] == "2s"))
    found = [_best_of(deal, player, winds, melds, hand) for hand in set(hands)]
    return max((total for total in found if total is not None), default=None)


def _best_of(
    deal: Json, player: Json, winds: list[str], melds: list[Laid], hand: tuple[str, ...]
) -> int | None:
    win = deal["win"]
    claims = win["source"] in ("discard", "robbed_kong")
    chows_allowed = len(deal["players"]) == 4 and not deal["goulash"]
    best: int | None = None
    for groups in _lay(hand):
        for index, group in enumerate(groups):
            if claims and win["tile"] not in group:
                continue
            exposed = claims and len(group) == 3
            laid = melds + [
                (
                    str(_kind(other)),
                    tuple(tile.rstrip("*") for tile in other),
                    not (exposed and place == index),
                )
                for place, other in enumerate(groups)
            ]
            chows = sum(kind == "chow" for kind, _, _ in laid)
            if chows > int(chows_allowed):
                continue
            if win["source"] == "robbed_kong" and _kind(group) == "pung":
                continue
            points = 20 + 2 * (win["source"] == "wall") + 4 * len(player["bonus"])
            points += sum(_points(item, winds) for item in laid)
            doubles = _common_doubles(laid, winds, player["bonus"], player["seat"])
            doubles += _winner_doubles(laid, win, chows=chows_allowed)
            best = max(best or 0, points * 2**doubles)
    return best


def loser_total(deal: Json, player: Json) -> int:
    """What a loser's tiles score outside a goulash, fishing awards left out."""
    winds = [WIND[player["seat"]], WIND[deal["round_wind"]]]
    held, laid = in_hand(player)
    for tile in set(held):
        size = held.count(tile)
        if size > 1:
            laid.append((str(_kind((tile,) * size)), (tile,) * size, True))
    points = 4 * len(player["bonus"]) + sum(_points(item, winds) for item in laid)
    return int(points * 2 ** _common_doubles(laid, winds, player["bonus"], player["seat"]))
