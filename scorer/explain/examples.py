"""An example of each special hand, found from the ruleset's own data and checked by scoring it.

Nothing here knows a special hand: tiles are put together until the shape and the conditions that
the ruleset names hold, and a way of going out is tried until the deal is scored as that hand. All
of it is bounded: where nothing is found soon, there is no example.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

from scorer.counting.count import HandScorer
from scorer.deal import ChangeValue, Deal, Meld, Player, Win
from scorer.errors import DealError
from scorer.evaluation.checks import checks
from scorer.explain.effort import OutOfTime, go_on, limited
from scorer.facts.shapes import SHAPES
from scorer.melds import MELDS, ReadMeld, traits_of, traits_of_all
from scorer.messages import say
from scorer.result import PlayerResult
from scorer.rules.conditions import CONDITIONS, Test, lasts
from scorer.rules.folder import rulesets_folder
from scorer.rules.rule import SpecialHand
from scorer.rules.rulebook import load_compiled, load_ruleset
from scorer.tiles import DRAGONS, HONOURS, PLAYING_TILES, SEATS, SUITS, WINDS, sort_tiles

_WHOLE: Final = 14
_COPIES: Final = 4
_TRIES: Final = 40
"""Hands with the shape and the conditions that are checked against the scorer."""

_DRAWS: Final = 60_000
"""Random hands among which those are looked for."""

_KINDS: Final = (
    ("pung", "pung", "pung", "pung"),
    ("chow", "pung", "pung", "pung"),
    ("kong", "kong", "pung", "pung"),
    ("kong", "kong", "kong", "kong"),
    ("chow", "chow", "chow", "chow"),
)
"""What the four melds are, the commonest first."""

_WINS: Final = (
    Win("S", None, "wall"),
    Win("S", None, "discard", "W"),
    Win("S", None, "wall", last_tile=True),
    Win("S", None, "discard", "W", last_tile=True),
    Win("S", None, "loose"),
    Win("S", None, "loose", after_two_kongs=True),
    Win("S", None, "discard", "E", first_turn=True),
    Win("E", None, "dealt"),
    Win("S", None, "wall", original_call=True),
    Win("S", None, "discard", "W", original_call=True),
)
"""Ways of going out, the plain ones first."""

_FLOWER: Final = ("1f",)
"""What a loose tile is drawn for where no kong was laid down: nobody's own but East's."""

_HONOUR_MELDS: Final = (0, 0, 0, 1, 1, 2, 3, 4)
"""How many melds of winds or dragons a random hand begins with, where it may hold them."""

Groups = tuple[ReadMeld, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A deal in which someone's tiles are a special hand.

    Attributes:
        special: the special hand.
        deal: the deal; the other players claim totals of 0.
        result: the hand scored as the special hand.
        best: what it is scored as; another reading where that one brings more.
    """

    special: SpecialHand
    deal: Deal
    result: PlayerResult
    best: PlayerResult


def example(
    ruleset: str, special: str, changes: Mapping[str, ChangeValue] | None = None, seed: int = 0
) -> Example | None:
    """Tiles that are a special hand, and are scored as one if that can be; None if none are found.

    None are found, either, where the time of the answer that asks for them is used up, or under a
    ruleset that counts fan, where special hands are no more than their rules.

    Args:
        ruleset: the id of a ruleset.
        special: the id of one of its special hands that is played.
        changes: house rules on top of the ruleset.
        seed: another number gives other tiles; the same one the same.

    Raises:
        DealError: there is no such ruleset or option, or it plays no such hand.
    """
    found = load_ruleset(ruleset, changes)
    for hand in found.special_hand:
        if hand.id == special and hand.enabled:
            if found.value is not None:
                return None
            settings = tuple(sorted((changes or {}).items()))
            with limited(), suppress(OutOfTime):
                return _cached(ruleset, settings, special, seed, rulesets_folder())
            return None
    raise DealError(None, "row", say("no_such_special_hand", ruleset=ruleset, row=special[:40]))


@lru_cache(maxsize=512)
def _cached(
    ruleset: str,
    changes: tuple[tuple[str, ChangeValue], ...],
    special: str,
    seed: int,
    _folder: Path | None,
) -> Example | None:
    rules = load_ruleset(ruleset, dict(changes))
    hand = next(hand for hand in rules.special_hand if hand.id == special)
    rng = random.Random(f"{ruleset} {special} {seed}")  # noqa: S311 - no secrets
    blank = Deal(ruleset, (), None, changes=dict(changes))
    beaten: Example | None = None
    for groups in islice(_candidates(hand, rng), _TRIES):
        for found in _won(blank, hand, groups):
            if found.best == found.result:
                return found
            beaten = beaten or found
    return beaten


def _candidates(hand: SpecialHand, rng: random.Random) -> Iterator[Groups]:
    """Complete hands that have the special hand's shape and meet its conditions on melds."""
    if hand.shape in SHAPES:
        shaped = (_shaped(hand, rng) for _ in range(_TRIES))
        yield from (groups for groups in shaped if groups)
        return
    tests = [
        (test, wanted)
        for names, wanted in ((hand.when, True), (hand.unless, False))
        for name in names
        if (test := CONDITIONS[name].reading) is not None
    ]
    known = [
        group
        for group in MELDS.values()
        if group.concealed and not group.jokers and all(_may_hold(group, *test) for test in tests)
    ]
    for groups in _readings(known, rng):
        traits = traits_of_all(groups)
        if all(test(traits, 1) is wanted for test, wanted in tests) and _lawful(groups):
            yield groups


def _may_hold(group: ReadMeld, test: Test, wanted: bool) -> bool:  # noqa: FBT001 - a test's answer
    """Whether a hand with this meld can meet the condition."""
    return test(traits_of(group), 1) is wanted or not lasts(test, wanted=wanted)


def _shaped(hand: SpecialHand, rng: random.Random) -> Groups:
    """A random hand with a shape of its own: tiles are added that leave the shape possible.

    No melds where the tiles that were added leave no room for another.
    """
    go_on()
    shape = SHAPES[hand.shape]
    tiles: Counter[str] = Counter()
    if shape(tiles, hand.numbers) is None:
        suit = rng.choice(SUITS)
        tiles.update([f"1{suit}", f"9{suit}"] * 2)
    while tiles.total() < _WHOLE:
        found = next(
            (
                more
                for tile in rng.sample(PLAYING_TILES, len(PLAYING_TILES))
                if (more := tiles + Counter([tile]))[tile] <= _COPIES
                and shape(more, hand.numbers) is not None
            ),
            None,
        )
        if found is None:
            return ()
        tiles = found
    return shape(tiles, hand.numbers) or ()


def _readings(known: Sequence[ReadMeld], rng: random.Random) -> Iterator[Groups]:
    """Four melds and a pair at random, often with several honours and in one suit."""
    drawer: dict[tuple[str, str], list[ReadMeld]] = {}
    for group in known:
        drawer.setdefault((group.kind, group.tile[1]), []).append(group)

    def groups(kind: str, zones: str) -> list[ReadMeld]:
        return [group for zone in zones for group in drawer.get((kind, zone), ())]

    for _ in range(_DRAWS):
        go_on()
        kinds = rng.choice(_KINDS)
        suits = rng.choice((*SUITS, "".join(SUITS)))
        tiles = rng.choice((WINDS, DRAGONS, HONOURS))
        honours = [group for group in groups(kinds[-1], "z") if group.tile in tiles]
        first = rng.sample(honours, min(rng.choice(_HONOUR_MELDS), len(honours)))
        rest = [groups(kind, suits) or groups(kind, "z") for kind in kinds[: 4 - len(first)]]
        pairs = groups("pair", rng.choice((suits, suits, "z"))) or groups("pair", "z" + suits)
        if all((*rest, pairs)):
            yield (*first, *(rng.choice(found) for found in rest), rng.choice(pairs))


def _lawful(groups: Groups) -> bool:
    held = Counter(tile for group in groups for tile in group.tiles)
    return max(held.values()) <= _COPIES


def _won(blank: Deal, hand: SpecialHand, groups: Groups) -> Iterator[Example]:
    """The hand won in every way in which it may be read as the special hand."""
    for win in _WINS:
        for laid, tile in _layouts(hand, groups):
            melds = tuple(Meld(g.kind, g.tiles, concealed=g.concealed) for g in laid)
            apart = [replace(g, concealed=True) for g in laid]
            held = tuple(sort_tiles(t for g in groups if g not in apart for t in g.tiles))
            kongs = any(meld.kind == "kong" for meld in melds)
            bonus = _FLOWER if win.source == "loose" and not kongs else ()
            winner = Player(win.seat, held, melds, bonus)
            others = tuple(Player(seat, claimed=0) for seat in SEATS if seat != win.seat)
            last = replace(win, tile=None if win.source == "dealt" else tile)
            deal = replace(blank, players=(winner, *others), win=last)
            go_on()
            results = _results(deal, winner)
            for result in results:
                if result.hand == hand.id:
                    yield Example(hand, deal, result, results[0])
                    break


def _results(deal: Deal, winner: Player) -> list[PlayerResult]:
    """What the winner's tiles may be scored as, the most first; nothing where they may not win.

    Why they may not is not worked out, which would take longer than all else.
    """
    compiled = load_compiled(deal.ruleset, deal.changes)
    if checks(deal, compiled.ruleset):
        return []
    scorer = HandScorer(deal, compiled, winner)
    ways = sorted(scorer.ways(), key=lambda way: -way.total)
    return [scorer.result(way) for way in ways]


def _layouts(hand: SpecialHand, groups: Groups) -> Iterator[tuple[Groups, str]]:
    """What lies apart, and the tile that came last: the pair's, or the only one that may.

    Where melds may be exposed they are in the end, since a special hand is scored as one only if
    its tiles are worth no more as they lie.
    """
    kongs = tuple(group for group in groups if group.kind == "kong")
    pungs = tuple(group for group in groups if group.kind == "pung")
    layouts = [kongs]
    if hand.exposed == "any":
        layouts.append(tuple(replace(group, concealed=False) for group in (*kongs, *pungs)))
    for laid in layouts:
        free = [g for g in groups if g.kind not in {apart.kind for apart in laid}]
        tiles = dict.fromkeys(tile for group in reversed(free) for tile in group.tiles)
        for tile in tiles if hand.winning_tile is None else (hand.winning_tile,):
            if tile in tiles:
                yield laid, tile
                break
