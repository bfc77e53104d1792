"""Every hand that was won in the records of riichi: yaku, fu and payments, to the point."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import scorer
from scorer.result import PlayerResult
from tests.scorer.records.files import needed, records
from tests.scorer.records.tenhou import hands_of

FILES = records("tenhou/*.mjlog")


def _yaku(result: PlayerResult) -> Counter[str]:
    found = Counter[str]()
    for line in result.lines:
        found[line.rule] += 13 * line.limits if line.limits else line.fan or 0
    return +found


@needed
def test_there_are_records() -> None:
    assert FILES


@needed
@pytest.mark.no_cover
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_hand_is_counted_and_paid_as_it_was(path: Path) -> None:
    for hand in hands_of(path):
        result = scorer.score_deal(scorer.parse_deal(hand.deal))
        for player in result.players:
            if player.seat in hand.yaku:
                assert _yaku(player) == hand.yaku[player.seat]
                assert hand.fu[player.seat] in (None, player.counted.fu if player.counted else 0)
        assert result.net == hand.net
        assert sum(result.net.values()) + result.table == 0
