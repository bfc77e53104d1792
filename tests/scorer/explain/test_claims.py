"""Totals and readings that somebody claims, held against what a hand scores."""

from __future__ import annotations

import pytest

from scorer.errors import DealError
from scorer.explain.claims import (
    ReadingClaim,
    TotalClaim,
    check_reading,
    check_total,
    parse_claimed_reading,
)
from scorer.text.deal_json import parse_deal
from tests.scorer.builders import Json, deal, player, win

# Sheet 19's first hand of the course: 54 points, four doubles, 864.
SHEET_19 = deal(player("S", "666s11z", "111s 777z 9999s", "2f"), won=win("S", "1z discard N"))
# Three runs or three pungs: with one chow at most the pungs count.
RUNS = deal(player("S", "333444555m22p888s"), won=win("S", "2p wall"), ruleset="western")


def _total(claimed: int, value: Json = SHEET_19) -> TotalClaim:
    return check_total(parse_deal(value), "S", claimed)


def _reading(sets: str, value: Json = RUNS) -> ReadingClaim:
    return check_reading(parse_deal(value), "S", parse_claimed_reading(sets, "S"))


def test_a_right_claim() -> None:
    claim = _total(864)
    assert claim.right
    assert claim.findings == ()
    assert claim.to_json()["right"] is True


@pytest.mark.parametrize(
    ("claimed", "finding"),
    [
        (54 * 8, "54 points doubled 3 times instead of 4 times"),
        (54 * 8, 'without "No chows"'),
        (54 * 32, "54 points doubled 5 times instead of 4 times"),
        (54, "54 points doubled not at all instead of 4 times"),
        (50 * 16, 'without "Bonus tile: orchid flower (2)"'),
        (56 * 16, 'with "Winning tile drawn from the wall", which does not count'),
        (50 * 8, 'without "Concealed pung of six bamboo" and without "Set of dragons: Red dragon"'),
    ],
)
def test_what_leads_to_a_wrong_claim(claimed: int, finding: str) -> None:
    claim = _total(claimed)
    assert not claim.right
    assert claim.scored.total == 864
    assert any(str(told).startswith(finding) for told in claim.findings), claim.findings


def test_a_rule_that_does_not_hold_is_told_with_what_it_lacks() -> None:
    drawn = next(told for told in map(str, _total(56 * 16).findings) if "from the wall" in told)
    assert drawn.endswith("needed: winning tile from the wall")


def test_a_claim_that_nothing_leads_to() -> None:
    assert _total(865).findings == ()


def test_another_reading_that_scores_less() -> None:
    # Three chows, a pung of eights and a pair, drawn, the only tile: 10 + 4 + 2 + 2 + 1.
    claim = _total(19, RUNS)
    assert str(claim.findings[0]).startswith("read as 345m 345m 345m 888s 22p, the hand scores it")


def test_a_claim_that_no_reading_scores() -> None:
    assert not any("scores it" in str(told) for told in _total(18, RUNS).findings)


def test_a_limit_left_out() -> None:
    kongs = player("S", "44m", "(2222m) (3333m) (7777m) 888m")
    value = deal(kongs, won=win("S", "4m discard N"), ruleset="western")
    claim = _total(1008, value)
    assert str(claim.findings[0]) == "without the limit: 63 points doubled 4 times"


def test_a_special_hand_is_not_taken_apart_line_by_line() -> None:
    wonders = deal(player("S", "19m19p19s12345677z"), won=win("S", "7z wall"))
    claim = _total(2000, wonders)
    assert (claim.scored.total, claim.findings) == (1000, ())


def test_the_reading_that_is_scored() -> None:
    claim = _reading("333m 444m 555m 888s 22p")
    assert claim.result == claim.scored
    assert claim.findings == ()


def test_a_lawful_reading_that_scores_less() -> None:
    claim = _reading("345m 345m 345m 888s 22p")
    assert claim.result is not None
    assert claim.result.total == 19 < claim.scored.total
    assert str(claim.findings[0]).endswith("scores more")
    assert claim.to_json()["claimed"]["total"] == 19


def test_a_reading_with_too_many_chows() -> None:
    value = {**RUNS, "ruleset": "bmja-u3a"}
    claim = _reading("345m 345m 345m 888s 22p", value)
    assert claim.result is None
    assert str(claim.findings[0]) == "3 chows, but only 1 allowed"
    assert claim.to_json()["claimed"] is None


def test_a_reading_with_chows_where_none_may_be_held() -> None:
    value = deal(
        player("S", "333444555m22p888s"), won=win("S", "2p wall"), seats="ESW", ruleset="bmja-u3a"
    )
    claim = _reading("345m 345m 345m 888s 22p", value)
    assert claim.result is None
    assert str(claim.findings[0]) == "3 chows, but none allowed"


def test_a_reading_with_tiles_that_are_not_held() -> None:
    claim = _reading("333m 444m 555m 777s 22p")
    (finding,) = claim.findings
    assert str(finding) == "South does not hold seven bamboo, seven bamboo, seven bamboo"


def test_a_set_laid_down_stays_what_it_is() -> None:
    value = deal(player("S", "33444555m22p", "345m"), won=win("S", "2p wall"), ruleset="western")
    with pytest.raises(DealError):
        _reading("333m 444m 555m 22p", value)
    value = deal(player("S", "334455m22p", "345m 888s"), won=win("S", "2p wall"), ruleset="western")
    claim = _reading("333m 444m 555m 888s 22p", value)
    assert str(claim.findings[0]) == "345m is laid down and remains a chow"


def test_sets_that_cannot_be_read() -> None:
    with pytest.raises(DealError, match="cannot read '5x5'"):
        parse_claimed_reading("123m 5x5", "S")
