"""A slow second opinion on Hong Kong and Zung Jung, from their printed tables alone.

It knows no data file and shares no code with the scorer: every way to lay the tiles is tried, and
each pattern is asked for in its own words. Each table gives what the hand is worth and what its
patterns add up to, both 0 where the tiles are no hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tests.scorer.counting.brute import WIND, Laid
from tests.scorer.counting.brute_oldest import DRAGONS, MAJORS, readings
from tests.scorer.records.random_hands import WonHand

WINDS = ("1z", "2z", "3z", "4z")
GATES = "1112345678999"
MOST_POINTS = 320
HONG_KONG_POINTS = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)


class Look:
    """One way to lay a hand, and what both tables ask of it."""

    def __init__(self, laid: list[Laid]) -> None:
        self.laid = laid
        self.tiles = [tile for _, tiles, _ in laid for tile in tiles]
        self.pairs = [tiles[0] for kind, tiles, _ in laid if kind == "pair"]
        self.threes = [tiles[0] for kind, tiles, _ in laid if kind in ("pung", "kong")]
        self.runs = [tiles[0] for kind, tiles, _ in laid if kind == "chow"]
        self.kongs = sum(kind == "kong" for kind, _, _ in laid)
        self.shut = sum(kind in ("pung", "kong") and shut for kind, _, shut in laid)
        self.suits = {tile[1] for tile in self.tiles} - {"z"}
        self.honours = any(tile[1] == "z" for tile in self.tiles)
        self.winds = sum(tile in WINDS for tile in self.threes)
        self.dragons = sum(tile in DRAGONS for tile in self.threes)
        self.wind_pair = self.pairs[0] in WINDS
        self.dragon_pair = self.pairs[0] in DRAGONS

    def flush(self) -> str:
        """Whether the hand is of one suit, and with honours or without."""
        if len(self.suits) != 1:
            return ""
        return "half" if self.honours else "full"

    def majors(self) -> str:
        """Whether all tiles are terminals or honours, and which of them."""
        if not set(self.tiles) <= set(MAJORS):
            return ""
        if not self.suits:
            return "honours"
        return "both" if self.honours else "terminals"

    def in_each(self) -> str:
        """Whether each set and the pair has a terminal, or a terminal or honour."""
        if any(not set(tiles) & set(MAJORS) for _, tiles, _ in self.laid):
            return ""
        return "both" if self.honours else "terminals"

    def gates(self) -> bool:
        """Whether it is 1112345678999 of a suit and one more."""
        numbers = Counter(int(tile[0]) for tile in self.tiles)
        wanted = Counter(map(int, GATES))
        return self.flush() == "full" and len(self.tiles) == 14 and not wanted - numbers


def _looks(hand: WonHand) -> Iterator[Look]:
    melds = [(meld["kind"], tuple(meld["tiles"]), meld["concealed"]) for meld in hand.melds]
    robbed = hand.source == "robbed_kong"
    win = {"source": "discard" if robbed else hand.source, "tile": hand.tile}
    for laid in readings(list(hand.concealed), melds, win):
        claimed = {kind for kind, _, shut in laid[len(melds) :] if not shut}
        if not (robbed and "pung" in claimed):
            yield Look(laid)


def _orphans(hand: WonHand) -> bool:
    return not hand.melds and set(hand.concealed) == set(MAJORS)


def _closed(hand: WonHand) -> bool:
    return all(meld["concealed"] for meld in hand.melds)


def hong_kong(hand: WonHand, changes: Mapping[str, Any]) -> tuple[int, int]:
    """The base points of a hand by the old style's table, and its faan; no minimum is asked."""
    luck = _won_by(hand)
    if changes.get("bonus_tiles") != "unused":
        luck += _flowers(hand)
    found = [13 + luck] if _orphans(hand) else []
    found += [_faan(look, hand) + luck for look in _looks(hand)]
    if not found:
        return 0, 0
    most = min(max(found), changes.get("most", 13))
    full = changes.get("table") == "full_spicy"
    return 2**most if full else HONG_KONG_POINTS[most], max(found)


def _won_by(hand: WonHand) -> int:
    kong = 8 if "after_two_kongs" in hand.said else 1
    won = {"wall": 1, "loose": 1 + kong, "robbed_kong": 1, "dealt": 13}.get(hand.source, 0)
    return won + hand.last_tile + 13 * ("first_turn" in hand.said)


def _flowers(hand: WonHand) -> int:
    own = str("ESWN".index(hand.seat) + 1)
    whole = sum(sum(tile[1] == kind for tile in hand.bonus) == 4 for kind in "fy")
    return sum(tile[0] == own for tile in hand.bonus) + 2 * whole + (not hand.bonus)


def _faan(look: Look, hand: WonHand) -> int:
    closed = _closed(hand) and hand.source != "dealt"
    faan, pungs = 0, len(look.threes) == 4
    if look.winds == 4:
        faan, pungs = faan + 13, False
    elif look.winds == 3 and look.wind_pair:
        faan += 6
    else:
        faan += look.threes.count(WIND[hand.seat]) + look.threes.count(WIND[hand.round_wind])
    if look.dragons == 3:
        faan += 8
    elif look.dragons == 2 and look.dragon_pair:
        faan += 5
    else:
        faan += look.dragons
    if look.kongs == 4:
        faan, pungs = faan + 13, False
    if look.shut == 4:
        faan, pungs, closed = faan + 8, False, False
    majors = {"honours": 10, "terminals": 10, "both": 4, "": 0}[look.majors()]
    if majors:
        faan, pungs = faan + majors, False
    if look.gates() and not hand.melds:
        faan, closed = faan + 10, False
    else:
        faan += {"full": 7, "half": 3, "": 0}[look.flush()]
    return faan + 3 * pungs + (len(look.runs) == 4) + closed


def zung_jung(hand: WonHand, changes: Mapping[str, Any]) -> tuple[int, int]:
    """The points of a hand by the table of Zung Jung, cut at the maximum, and all of them."""
    luck = [10] if hand.last_tile else []
    luck += [10] if hand.source in ("loose", "robbed_kong") else []
    luck += [155] if hand.source == "dealt" or "first_turn" in hand.said else []
    found = [[160, *luck]] if _orphans(hand) else []
    if not hand.melds and all(hand.concealed.count(tile) % 2 == 0 for tile in hand.concealed):
        found.append([30, *_of_any_form(list(hand.concealed)), *luck])
    found += [[*_patterns(look, hand), *luck] for look in _looks(hand)]
    most = changes.get("most", MOST_POINTS)
    return max((_together(points, most) for points in found), default=(0, 0))


def _together(points: list[int], most: int) -> tuple[int, int]:
    """At most the maximum, but for a pattern that is worth more; a hand without any is worth 1."""
    return max([min(sum(points), most), *points]) or 1, sum(points) or 1


def _of_any_form(tiles: list[str]) -> list[int]:
    """The patterns of seven pairs, which lie in no sets."""
    suits, honours = {tile[1] for tile in tiles} - {"z"}, any(tile[1] == "z" for tile in tiles)
    points = [5] if not set(tiles) & set(MAJORS) else []
    if len(suits) == 1:
        points.append(40 if honours else 80)
    if set(tiles) <= set(MAJORS):
        points.append(320 if not suits else 100)
    return points


def _patterns(look: Look, hand: WonHand) -> list[int]:
    points = [5 * (len(look.runs) == 4), 5 * _closed(hand), 5 * (not set(look.tiles) & set(MAJORS))]
    points += [{"half": 40, "full": 80, "": 0}[look.flush()], 480 * _waited_at_gates(hand)]
    points += [10 * look.dragons, 10 * look.threes.count(WIND[hand.seat])]
    points.append({(3, False): 130, (2, True): 40}.get((look.dragons, look.dragon_pair), 0))
    winds = {(4, False): 400, (3, True): 320, (3, False): 120, (2, True): 30}
    points.append(winds.get((look.winds, look.wind_pair), 0))
    points += [30 * (len(look.threes) == 4), (0, 0, 5, 30, 125)[look.shut]]
    points += [(0, 5, 20, 120, 480)[look.kongs], _alike(look), _similar(look), _in_a_row(look)]
    terminals = {"both": 40, "terminals": 50, "": 0}[look.in_each()]
    terminals = {"both": 100, "terminals": 400, "honours": 0, "": terminals}[look.majors()]
    return [*points, terminals, 320 * (look.majors() == "honours")]


def _waited_at_gates(hand: WonHand) -> bool:
    """Whether 1112345678999 of a suit were held before the winning tile came."""
    held = list(hand.concealed)
    held.remove(hand.tile)
    return "".join(sorted(tile[0] for tile in held)) == GATES and len({it[1] for it in held}) == 1


def _alike(look: Look) -> int:
    counts = sorted(Counter(look.runs).values(), reverse=True)
    if counts and counts[0] >= 3:
        return 480 if counts[0] == 4 else 120
    return (0, 10, 60)[sum(count == 2 for count in counts)]


def _similar(look: Look) -> int:
    """Chows, or pungs, of one number in all three suits; of pungs the third may be the pair."""
    total = 0
    for number in "123456789":
        three = [f"{number}{suit}" for suit in "mps"]
        if set(three) <= set(look.runs):
            total += 35
        pungs = sum(tile in look.threes for tile in three)
        if pungs == 3:
            total += 120
        elif pungs == 2 and set(three) <= {*look.threes, *look.pairs}:
            total += 30
    return total


def _in_a_row(look: Look) -> int:
    total = 0
    for suit in "mps":
        total += 40 * ({f"{low}{suit}" for low in (1, 4, 7)} <= set(look.runs))
        pungs = [int(tile[0]) for tile in look.threes if tile[1] == suit]
        if any({low, low + 1, low + 2, low + 3} <= set(pungs) for low in range(1, 7)):
            total += 200
        elif any({low, low + 1, low + 2} <= set(pungs) for low in range(1, 8)):
            total += 100
    return total
