"""From what the recogniser read to a player's tiles.

A reading (the JSON form of ``vision.Reading``) lists tiles with their place on the photo; its
``layout`` tells which of them are whose and lie together. A reading without a layout, as a camera
gives it, has sets by label only: there each set is matched to the tiles that form it, so that
people can correct the very tile they see.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from scorer.tiles import BACK, ORDER, is_bonus
from vision.vocabulary.melds import MELD_LENGTHS
from webapp.deal.state import BONUS, HAND, Meld, Player, Tile

NO_MELD_CONFIDENCE: Final = 0.5
"""Of tiles that lie apart like a set but, as they are read, make none: at most so much."""


def sides_of(reading: dict[str, Any]) -> tuple[str, ...]:
    """The sides of the photo at which players' hands lie: near, right, far or left."""
    return tuple(str(hand["position"]) for hand in reading.get("layout", ()))


def tiles_from_reading(
    player: Player, reading: dict[str, Any], photo: str, side: str | None = None
) -> Player:
    """The player with the tiles of a reading in place of what was there.

    Args:
        player: whose tiles these are.
        reading: the JSON form of one photo's reading.
        photo: the id of the stored photo.
        side: where the player's hand lies on a photo of several; None for the first, which is the
            nearest.

    Raises:
        KeyError: no hand lies at that side.
    """
    layout = {str(hand["position"]): hand["parts"] for hand in reading.get("layout", ())}
    if layout:
        parts = layout[side] if side is not None else next(iter(layout.values()))
        tiles, melds = _laid(reading, parts)
    else:
        tiles, melds = _matched(reading)
    ordered = tuple(sorted(tiles, key=lambda t: ORDER[t.label]))
    return replace(player, tiles=ordered, melds=tuple(melds), photo=photo, claimed=None)


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


def _laid(reading: dict[str, Any], parts: list[dict[str, Any]]) -> tuple[list[Tile], list[Meld]]:
    """The tiles of one hand and its sets, as the layout tells."""
    tiles: list[Tile] = []
    melds: list[Meld] = []
    for part in parts:
        members = [_tile(number + 1, reading["tiles"][number]) for number in part["tiles"]]
        if part["role"] == "set" and len(members) in MELD_LENGTHS:
            meld_id = f"s{len(melds) + 1}"
            backs = sum(tile.label == BACK for tile in members)
            meld = part["meld"]
            melds.append(Meld(meld_id, concealed=bool(meld["concealed"]) if meld else backs > 0))
            members = _in_meld(members, meld_id, meld)
        tiles += members
    return tiles, melds


def _in_meld(members: list[Tile], meld_id: str, meld: dict[str, Any] | None) -> list[Tile]:
    if meld is None:
        return [
            replace(tile, place=meld_id, confidence=min(tile.confidence, NO_MELD_CONFIDENCE))
            for tile in members
        ]
    _lay_down(members, list(range(len(members))), [str(c) for c in meld["tiles"]], meld_id)
    return members


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


def _lay_down(tiles: list[Tile], members: list[int], labels: list[str], meld_id: str) -> None:
    """Move the members into the set; face-down ones take the labels that are still missing."""
    rest = list(labels)
    for i in members:
        if tiles[i].label != BACK:
            rest.remove(tiles[i].label)
    for i in members:
        label = rest.pop(0) if tiles[i].label == BACK else tiles[i].label
        tiles[i] = replace(tiles[i], label=label, place=meld_id)


def _matched(reading: dict[str, Any]) -> tuple[list[Tile], list[Meld]]:
    """All tiles of a reading as one player's, its sets matched to tiles by their labels."""
    tiles = [_tile(n, data) for n, data in enumerate(reading["tiles"], start=1)]
    rows = [int(data.get("row", 0)) for data in reading["tiles"]]
    melds: list[Meld] = []
    for hand in reading["hands"]:
        for meld in hand["melds"]:
            labels = [str(c) for c in meld["tiles"]]
            members = _find_set(tiles, rows, int(hand["row"]), labels)
            if members:
                meld_id = f"s{len(melds) + 1}"
                melds.append(Meld(meld_id, concealed=bool(meld["concealed"])))
                _lay_down(tiles, members, labels, meld_id)
    return tiles, melds
