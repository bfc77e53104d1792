"""Hands to practise scoring on."""

from __future__ import annotations

import pytest

from scorer import DealError, score_deal
from scorer.deal import Deal
from scorer.evaluation.evaluate import score_hand
from scorer.explain import practice
from scorer.explain.practice import Level, Question, question
from scorer.messages import say
from scorer.result import PlayerResult
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import is_bonus
from tests.scorer.builders import BY_POINTS

SEEDS = range(40)


def asked(level: Level, ruleset: str = "bmja-u3a") -> list[Question]:
    return [question(ruleset, level, seed) for seed in SEEDS]


@pytest.mark.no_cover
@pytest.mark.parametrize("ruleset", BY_POINTS)
@pytest.mark.parametrize("level", ["easy", "hard"])
def test_every_hand_is_lawful_and_scored_as_told(ruleset: str, level: Level) -> None:
    for found in asked(level, ruleset):
        parts = {part.seat: part for part in score_deal(found.deal).players}
        assert parts[found.seat] == found.result
        assert found.result.total > 0


def test_the_same_numbers_give_the_same_hand_and_others_give_others() -> None:
    assert asked("hard") == asked("hard")
    hands = {(q.seat, q.player.concealed, q.player.melds) for q in asked("easy")}
    assert len(hands) == len(SEEDS)
    assert question("bmja-u3a", "easy", 1) != question("bmja-u3a", "hard", 1)


def test_easy_hands_are_won_without_kongs_and_with_few_doubles() -> None:
    for found in asked("easy"):
        assert found.deal.win is not None
        assert found.deal.win.seat == found.seat
        assert found.deal.win.source in ("wall", "discard")
        assert found.result.hand == "ordinary"
        assert found.result.doubles <= 3
        assert not any(meld.kind == "kong" for meld in found.player.melds)
        assert len(found.player.bonus) <= 1


def test_hard_hands_hold_what_comes_up_at_a_table() -> None:
    found = asked("hard")
    wins = [q.deal.win for q in found if q.deal.win is not None]
    assert any(win.seat != q.seat for win, q in zip(wins, found, strict=True)), "losers too"
    assert any(q.result.hand not in ("ordinary", "none") for q in found), "special hands"
    assert any(meld.kind == "kong" for q in found for meld in q.player.melds)
    assert any(win.source == "loose" for win in wins)
    assert any(q.result.doubles > 3 for q in found)
    assert all(is_bonus(tile) for q in found for tile in q.player.bonus)


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(DealError, match="unknown ruleset"):
        question("snap", "easy", 1)


def test_a_deal_that_is_refused_is_followed_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[Deal] = []

    def refuse_once(deal: Deal, seat: str) -> PlayerResult:
        if not refused:
            refused.append(deal)
            raise DealError(seat, "concealed", say("no_such_reading"))
        return score_hand(deal, seat)

    monkeypatch.setattr(practice, "score_hand", refuse_once)
    found = question("bmja-u3a", "easy", 1)
    assert found.deal != refused[0]
    assert found.result == score_hand(found.deal, found.seat)


def test_no_hand_is_found_without_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "_DRAWS", 0)
    with pytest.raises(DealError, match="no practice hand was found for bmja-u3a"):
        question("bmja-u3a", "easy", 1)


def test_special_hands_without_an_example_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[str] = []

    def none_found(_: str, special: str, *, seed: int) -> None:
        wanted.append(f"{special} {seed}")

    monkeypatch.setattr(practice, "example", none_found)
    assert all(found.result.total > 0 for found in asked("hard"))
    assert wanted


def test_bonus_tiles_that_are_not_used_are_not_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    unused = load_ruleset("bmja-u3a", {"flowers": "unused"})
    monkeypatch.setattr(practice, "load_ruleset", lambda _: unused)
    assert not any(found.player.bonus for found in asked("easy"))
