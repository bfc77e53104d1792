"""Random hands to practise scoring on: made of melds, as they come at a table, and scored."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import Final, Literal

from scorer.deal import Deal, Meld, Player, Win
from scorer.errors import DealError
from scorer.evaluation.evaluate import score_hand
from scorer.explain.effort import go_on, limited
from scorer.explain.examples import example
from scorer.melds import CHOW_STARTS, MELDS
from scorer.messages import say
from scorer.result import PlayerResult
from scorer.rules.rulebook import load_ruleset
from scorer.rules.ruleset import Ruleset
from scorer.tiles import BONUS_TILES, HONOURS, PLAYING_TILES, SEATS, SUITS, sort_tiles

Level = Literal["easy", "hard"]

MAX_SEED: Final = 1_000_000
_DRAWS: Final = 500
_COPIES: Final = 4
_CHOWS: Final = tuple(MELDS[number].tiles for number in CHOW_STARTS.values())
_EASY_DOUBLES: Final = 3
"""The most doubles of an easy hand."""

Group = tuple[str, tuple[str, ...]]
"""A kind of meld and its tiles."""


@dataclass(frozen=True, slots=True)
class Question:
    """A hand to be scored: the deal, whose hand it is, and what it scores."""

    deal: Deal
    seat: str
    result: PlayerResult

    @property
    def player(self) -> Player:
        """The player whose hand it is."""
        return next(player for player in self.deal.players if player.seat == self.seat)


def question(ruleset: str, level: Level, seed: int) -> Question:
    """A hand that scores something; the same numbers give the same hand.

    Args:
        ruleset: the id of a ruleset.
        level: ``easy`` for a winner's hand with few doubles; ``hard`` for anything: kongs, loose
            tiles, special hands, and the hands of those who did not go out.
        seed: 0 to :data:`MAX_SEED`.

    Raises:
        DealError: there is no such ruleset, or no such hand can be made under it.
    """
    rules = load_ruleset(ruleset)
    rng = random.Random(f"{ruleset} {level} {seed}")  # noqa: S311 - no secrets
    with limited():
        return _drawn(rules, level, rng)


def _drawn(rules: Ruleset, level: Level, rng: random.Random) -> Question:
    for _ in range(_DRAWS):
        go_on()
        deal, seat = _deal(rules, level, rng)
        try:
            result = score_hand(deal, seat)
        except DealError:
            continue
        easy = result.hand == "ordinary" and result.doubles <= _EASY_DOUBLES
        if result.total > 0 and (level == "hard" or easy):
            return Question(deal, seat, result)
    raise DealError(None, "ruleset", say("no_practice_hand", ruleset=rules.id))


def _deal(rules: Ruleset, level: Level, rng: random.Random) -> tuple[Deal, str]:
    """A deal of four, of whom one shows the hand; it may turn out to be unlawful."""
    kind = rng.random() if level == "hard" else 1.0
    specials = [hand.id for hand in rules.special_hand if hand.enabled]
    if kind < 0.2 and specials:
        found = example(rules.id, rng.choice(specials), seed=rng.randrange(50))
        if found is not None and found.deal.win is not None:
            return found.deal, found.deal.win.seat
    seat, round_wind = rng.choice(SEATS), rng.choice(SEATS)
    groups = _groups(rules, level, rng)
    if kind < 0.45:
        player, win = _loser(seat, groups, rng)
    else:
        player, win = _winner(seat, groups, level, rng)
    if rules.bonus_tiles == "count":
        most = 1 if level == "easy" else 3
        bonus = sort_tiles(rng.sample(BONUS_TILES, rng.randint(0, most)))
        player = replace(player, bonus=tuple(bonus))
    others = tuple(Player(other, claimed=0) for other in SEATS if other != seat)
    return Deal(rules.id, (player, *others), win, round_wind), seat


def _groups(rules: Ruleset, level: Level, rng: random.Random) -> list[Group]:
    """Four melds and a pair, often of one suit or with honours, of tiles that there are."""
    suits = rng.choice((*SUITS, "".join(SUITS), "".join(SUITS)))
    near = [tile for tile in PLAYING_TILES if tile[1] in suits] + list(HONOURS)
    chows = rules.chows_allowed(4, goulash=False)
    while True:
        go_on()
        kinds = [_kind(level, rng) for _ in range(4)]
        while kinds.count("chow") > chows:
            kinds[kinds.index("chow")] = "pung"
        groups = [_group(kind, near, rng) for kind in (*kinds, "pair")]
        held = Counter(tile for _, tiles in groups for tile in tiles)
        if max(held.values()) <= _COPIES:
            return groups


def _kind(level: Level, rng: random.Random) -> str:
    kongs = 0.15 if level == "hard" else 0.0
    draw = rng.random()
    return "kong" if draw < kongs else "chow" if draw > 0.75 else "pung"


def _group(kind: str, near: list[str], rng: random.Random) -> Group:
    if kind == "chow":
        return kind, rng.choice([chow for chow in _CHOWS if chow[0] in near])
    return kind, (rng.choice(near),) * {"pair": 2, "pung": 3, "kong": 4}[kind]


def _laid(groups: list[Group], rng: random.Random) -> tuple[list[Group], tuple[Meld, ...]]:
    """What stays in hand, and what lies on the table: every kong, and about half of the others."""
    held: list[Group] = []
    melds: list[Meld] = []
    for kind, tiles in groups:
        if kind == "kong":
            melds.append(Meld(kind, tiles, concealed=rng.random() < 0.4))
        elif kind != "pair" and rng.random() < 0.5:
            melds.append(Meld(kind, tiles))
        else:
            held.append((kind, tiles))
    return held, tuple(melds)


def _winner(seat: str, groups: list[Group], level: Level, rng: random.Random) -> tuple[Player, Win]:
    held, melds = _laid(groups, rng)
    concealed = sort_tiles(tile for _, tiles in held for tile in tiles)
    hard = level == "hard"
    kongs = any(meld.kind == "kong" for meld in melds)
    source = rng.choice(("wall", "discard", *(("loose",) if hard and kongs else ())))
    win = Win(
        seat,
        rng.choice(concealed),
        source,
        rng.choice([other for other in SEATS if other != seat]) if source == "discard" else None,
        last_tile=hard and source != "loose" and rng.random() < 0.1,
        original_call=hard and rng.random() < 0.05,
    )
    return Player(seat, tuple(concealed), melds), win


def _loser(seat: str, groups: list[Group], rng: random.Random) -> tuple[Player, Win]:
    """Thirteen tiles of someone who did not go out: one meld is broken up."""
    held, melds = _laid(groups, rng)
    tiles = [tile for _, group in held for tile in group]
    tiles.remove(rng.choice(tiles))
    winner = rng.choice([other for other in SEATS if other != seat])
    player = Player(seat, tuple(sort_tiles(tiles)), melds, fishing=True)
    return player, Win(winner, None, "wall")
