"""From what the recogniser read to a player's tiles.

A reading (the JSON form of ``vision.Reading``) lists tiles with their place on the photo, and hands
with sets given by label. Here each set is matched to the tiles that form it, so that people can
correct the very tile they see.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scorer.tiles import BACK, ORDER, is_bonus
from webapp.state import BONUS, HAND, Player, Tile, TileSet


def _tile(number: int, data: dict[str, Any]) -> Tile:
    label = str(data["label"])
    return Tile(
        id=f"t{number}",
        label=label,
        place=BONUS if is_bonus(label) else HAND,
        confidence=float(data["confidence"]),
        checked=False,
        quad=tuple((float(x), float(y)) for x, y in data["quad"]),
        alternatives=tuple((str(c), float(p)) for c, p in data.get("alternatives", ())),
    )


def _fits(tile: Tile, label: str) -> bool:
    return tile.label in (label, BACK)


def _matches(tiles: list[Tile], labels: list[str]) -> bool:
    faces = sorted(t.label for t in tiles if t.label != BACK)
    rest = list(labels)
    for face in faces:
        if face not in rest:
            return False
        rest.remove(face)
    return len(tiles) == len(labels)


def _find_set(tiles: list[Tile], rows: list[int], hand_row: int, labels: list[str]) -> list[int]:
    """Indices of the tiles in hand that form a set, face-down ones standing for any of its tiles.

    Neighbours outside the hand's own row are preferred, then neighbours anywhere, then tiles from
    anywhere. An empty list when the tiles are not all there.
    """
    size = len(labels)
    free = [i for i, tile in enumerate(tiles) if tile.place == HAND]
    windows = []
    for start in range(len(tiles) - size + 1):
        window = list(range(start, start + size))
        one_row = len({rows[i] for i in window}) == 1
        if one_row and set(window) <= set(free) and _matches([tiles[i] for i in window], labels):
            windows.append(window)
    if windows:
        return min(windows, key=lambda w: rows[w[0]] == hand_row)
    found: list[int] = []
    for label in labels:
        candidates = [i for i in free if i not in found and _fits(tiles[i], label)]
        if not candidates:
            return []
        found.append(min(candidates, key=lambda i: tiles[i].label == BACK))
    return found


def _lay_down(tiles: list[Tile], members: list[int], labels: list[str], set_id: str) -> None:
    """Move the members into the set; face-down ones take the labels that are still missing."""
    rest = list(labels)
    for i in members:
        if tiles[i].label != BACK:
            rest.remove(tiles[i].label)
    for i in members:
        label = rest.pop(0) if tiles[i].label == BACK else tiles[i].label
        tiles[i] = replace(tiles[i], label=label, place=set_id)


def tiles_from_reading(player: Player, reading: dict[str, Any], photo: str) -> Player:
    """The player with the tiles of a reading in place of what was there.

    Args:
        player: whose tiles these are.
        reading: the JSON form of one photo's reading; all its hands belong to this player.
        photo: the id of the stored photo.
    """
    tiles = [_tile(n, data) for n, data in enumerate(reading["tiles"], start=1)]
    rows = [int(data.get("row", 0)) for data in reading["tiles"]]
    sets: list[TileSet] = []
    for hand in reading["hands"]:
        for meld in hand["melds"]:
            labels = [str(c) for c in meld["tiles"]]
            members = _find_set(tiles, rows, int(hand["row"]), labels)
            if members:
                set_id = f"s{len(sets) + 1}"
                sets.append(TileSet(set_id, concealed=bool(meld["concealed"])))
                _lay_down(tiles, members, labels, set_id)
    ordered = tuple(sorted(tiles, key=lambda t: ORDER[t.label]))
    return replace(player, tiles=ordered, sets=tuple(sets), photo=photo, claimed=None)
