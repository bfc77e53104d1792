"""From what the recogniser read to a player's tiles.

The layout of a reading says which tiles are whose and lie together. A reading without a layout, as
other programs may send it, has melds by label only: there each meld is matched to the tiles that
form it, so that people can correct the very tile they see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from scorer.tiles import BACK, ORDER, is_bonus
from vision.messages import Message, verbatim
from vision.vocabulary.melds import MELD_LENGTHS
from vision.vocabulary.reading_form import reading_from_json
from vision.vocabulary.readings import MeldReading, Part, Reading, TileReading
from webapp.deal.state import BONUS, HAND, Meld, Player, Tile
from webapp.language.kept import brought_back, kept

NO_MELD_CONFIDENCE: Final = 0.5
"""Maximum confidence of tiles that lie apart like a meld but, as they are read, make none."""


NOTHING_READ: Final = Reading(1, 1, (), ())
"""Stands for the reading of a photo that was not read."""


def kept_reading(name: str, reading: Reading) -> dict[str, Any]:
    """The JSON form in which the reading of a photo of that name is kept."""
    warnings = [kept(warning) for warning in reading.warnings]
    return {**reading.to_json(name), "warnings": warnings, "layout": reading.layout_json()}


def reading_kept(form: Mapping[str, Any] | None) -> Reading:
    """The reading that was kept, or :data:`NOTHING_READ` where nothing was.

    Raises:
        ReadingFormError: it is not a reading.
    """
    if not form:
        return NOTHING_READ
    reading = reading_from_json(form)
    told = [brought_back(text) for text in form["warnings"]]
    messages = tuple(one if isinstance(one, Message) else verbatim(one) for one in told)
    return replace(reading, warnings=messages)


def sides_of(reading: Reading) -> tuple[str, ...]:
    """The sides of the photo at which players' hands lie: near, right, far or left."""
    return tuple(hand.position for hand in reading.hands if hand.parts)


def tiles_from_reading(
    player: Player, reading: Reading, photo: str, side: str | None = None
) -> Player:
    """The player with the tiles of a reading in place of what was there; none if it has no hand.

    Args:
        player: whose tiles these are.
        reading: of one photo.
        photo: the id of the stored photo.
        side: where the player's hand lies on a photo of several; None for the first, which is the
            nearest.

    Raises:
        KeyError: no hand lies at that side.
    """
    by_side: dict[str, tuple[Part, ...]] = {
        hand.position: hand.parts for hand in reading.hands if hand.parts
    }
    if by_side:
        parts = by_side[side] if side is not None else next(iter(by_side.values()))
        tiles, melds = _laid(reading, parts)
    else:
        tiles, melds = _matched(reading) if reading.hands else ([], [])
    ordered = tuple(sorted(tiles, key=lambda t: ORDER[t.label]))
    known = {tile.id for tile in ordered}
    reds = {read.label for n, read in enumerate(reading.tiles) if read.red and _id(n) in known}
    return replace(
        player,
        tiles=ordered,
        melds=tuple(melds),
        photo=photo,
        claimed=None,
        reds=tuple(sorted(reds)),
    )


def _id(index: int) -> str:
    """The id of the tile with that index in a reading."""
    return f"t{index + 1}"


def _tile(index: int, exact: TileReading) -> Tile:
    read = exact.rounded()
    return Tile(
        id=_id(index),
        label=read.label,
        place=BONUS if is_bonus(read.label) else HAND,
        confidence=read.confidence,
        checked=False,
        quad=read.quad,
        alternatives=read.alternatives,
    )


def _laid(reading: Reading, parts: Sequence[Part]) -> tuple[list[Tile], list[Meld]]:
    """The tiles of one hand and its melds, by its parts."""
    tiles: list[Tile] = []
    melds: list[Meld] = []
    for part in parts:
        members = [_tile(index, reading.tiles[index]) for index in part.tiles]
        if part.role == "set" and len(members) in MELD_LENGTHS:
            meld_id = f"s{len(melds) + 1}"
            backs = sum(tile.label == BACK for tile in members)
            melds.append(Meld(meld_id, concealed=part.meld.concealed if part.meld else backs > 0))
            members = _in_meld(members, meld_id, part.meld)
        tiles += members
    return tiles, melds


def _in_meld(members: list[Tile], meld_id: str, meld: MeldReading | None) -> list[Tile]:
    if meld is None:
        return [
            replace(tile, place=meld_id, confidence=min(tile.confidence, NO_MELD_CONFIDENCE))
            for tile in members
        ]
    _lay_down(members, range(len(members)), meld.tiles, meld_id)
    return members


def _fits(tile: Tile, label: str) -> bool:
    return tile.label in (label, BACK)


def _matches(tiles: Sequence[Tile], labels: Sequence[str]) -> bool:
    faces = sorted(t.label for t in tiles if t.label != BACK)
    rest = list(labels)
    for face in faces:
        if face not in rest:
            return False
        rest.remove(face)
    return len(tiles) == len(labels)


def _find_meld(
    tiles: Sequence[Tile], rows: Sequence[int], hand_row: int, labels: Sequence[str]
) -> list[int]:
    """Indices of the tiles in hand that form a meld, face-down ones standing for any of its tiles.

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


def _lay_down(
    tiles: list[Tile], members: Sequence[int], labels: Sequence[str], meld_id: str
) -> None:
    """Move the members into the meld; face-down ones take the labels that are still missing."""
    rest = list(labels)
    for i in members:
        if tiles[i].label != BACK:
            rest.remove(tiles[i].label)
    for i in members:
        label = rest.pop(0) if tiles[i].label == BACK else tiles[i].label
        tiles[i] = replace(tiles[i], label=label, place=meld_id)


def _matched(reading: Reading) -> tuple[list[Tile], list[Meld]]:
    """All tiles of a reading as one player's, its melds matched to tiles by their labels."""
    tiles = [_tile(index, read) for index, read in enumerate(reading.tiles)]
    rows = [read.row for read in reading.tiles]
    melds: list[Meld] = []
    for hand in reading.hands:
        for meld in hand.melds:
            members = _find_meld(tiles, rows, hand.row, meld.tiles)
            if members:
                meld_id = f"s{len(melds) + 1}"
                melds.append(Meld(meld_id, concealed=meld.concealed))
                _lay_down(tiles, members, meld.tiles, meld_id)
    return tiles, melds
