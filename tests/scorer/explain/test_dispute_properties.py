"""Waits, comparisons and answers to "why not?" on random tables, under every ruleset."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.deal import Deal, Player, Win
from scorer.errors import DealError
from scorer.evaluation.evaluate import readings, score_deal
from scorer.evaluation.waits import find_waits
from scorer.explain.claims import check_total
from scorer.explain.compare import Row, System, compare
from scorer.explain.why import all_why_not
from scorer.result import DealResult
from scorer.text.deal_json import parse_deal
from scorer.tiles import PLAYING_TILES
from tests.scorer.builders import BY_POINTS
from tests.scorer.tables import build, tables

RULESETS = st.sampled_from(BY_POINTS)
BESIDES = {"bonus", "limit", "rounding"}
"""Lines that are no row of a ruleset's tables."""


def _nearly_complete(rng: random.Random) -> Deal:
    """A deal in which somebody has laid the winning tile aside again."""
    deal = parse_deal(build(rng))
    win = deal.win
    assert win is not None
    return replace(
        deal,
        win=None,
        players=tuple(
            _short(player, win) if player.seat == win.seat else Player(player.seat, claimed=0)
            for player in deal.players
        ),
    )


def _short(player: Player, win: Win) -> Player:
    tiles = list(player.concealed)
    tiles.remove(win.tile or "")
    return replace(player, concealed=tuple(tiles), fishing=True)


def _goes_out(deal: Deal, player: Player, tile: str) -> bool:
    complete = replace(player, concealed=(*player.concealed, tile))
    players = tuple(complete if it.seat == player.seat else it for it in deal.players)
    try:
        score_deal(replace(deal, players=players, win=Win(player.seat, tile, "wall")))
    except DealError:
        return False
    return True


nearly_complete = st.randoms(use_true_random=False).map(_nearly_complete)


@pytest.mark.no_cover
@settings(max_examples=25, deadline=None)
@given(nearly_complete, RULESETS)
def test_the_waits_are_the_tiles_with_which_the_hand_goes_out(deal: Deal, name: str) -> None:
    ruled = replace(deal, ruleset=name)
    player = next(player for player in deal.players if player.claimed is None)
    try:
        found = find_waits(ruled, player.seat)
    except DealError:
        return
    wanted = [tile for tile in PLAYING_TILES if _goes_out(ruled, player, tile)]
    assert [wait.tile for wait in found.waits] == wanted
    for wait in found.waits:
        assert wait.wall is not None
        assert wait.left == 4 - [*player.concealed, *_laid(player)].count(wait.tile)


def _laid(player: Player) -> list[str]:
    return [tile for meld in player.melds for tile in meld.tiles]


@settings(max_examples=25, deadline=None)
@given(tables.map(parse_deal))
def test_every_column_is_what_its_ruleset_scores(deal: Deal) -> None:
    found = compare(deal, [System(name) for name in BY_POINTS])
    for column in found.columns:
        ruled = replace(deal, ruleset=column.system.ruleset)
        if column.system.ruleset == "ming-1876" and deal.win is not None:
            plain = replace(deal.win, last_tile=False, original_call=False)
            ruled = replace(ruled, win=plain)
        alone = _scored(ruled)
        assert alone == (str(column.error) if column.result is None else column.result)
    assert {hand.seat for hand in found.hands} == set(deal.seats)
    for hand in found.hands:
        for part, sums in zip(hand.parts, _sums(hand.rows, len(found.columns)), strict=True):
            if part is not None:
                assert sums == (part.points, part.doubles)


def _scored(deal: Deal) -> DealResult | str:
    try:
        return score_deal(deal)
    except DealError as error:
        return str(error)


def _sums(rows: Sequence[Row], columns: int) -> list[tuple[int, int]]:
    sums = []
    for index in range(columns):
        worths = [row.worths[index] for row in rows]
        held = [worth for worth in worths if worth is not None]
        sums.append((sum(it.points for it in held), sum(it.doubles for it in held)))
    return sums


@pytest.mark.no_cover
@settings(max_examples=25, deadline=None)
@given(tables.map(parse_deal), RULESETS)
def test_answers_agree_with_the_lines(deal: Deal, name: str) -> None:
    ruled = replace(deal, ruleset=name)
    try:
        result = score_deal(ruled)
    except DealError:
        return
    for part in result.players:
        answers = all_why_not(ruled, part.seat)
        paid = {line.rule.removeprefix("fishing:") for line in part.lines}
        counted = {answer.row for answer in answers if answer.counts}
        assert paid - BESIDES <= counted
        if "bonus" not in paid:
            assert counted == paid - BESIDES
        assert all(answer.counts != bool(answer.told()) for answer in answers)


@settings(max_examples=25, deadline=None)
@given(tables.map(parse_deal), RULESETS)
def test_a_claim_of_what_a_reading_scores_finds_that_reading(deal: Deal, name: str) -> None:
    ruled = replace(deal, ruleset=name)
    try:
        found = {seat: readings(ruled, seat) for seat in deal.seats}
    except DealError:
        return
    for seat, parts in found.items():
        assert check_total(ruled, seat, parts[0].total).right
        for other in parts[1:]:
            claim = check_total(ruled, seat, other.total)
            assert claim.right or claim.findings
