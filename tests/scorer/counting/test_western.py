"""What a page and a game ask about the western rules."""

from __future__ import annotations

from scorer.deal import ChangeValue
from scorer.rules.info import describe
from scorer.rules.rulebook import load_ruleset


def test_what_a_page_needs_to_ask() -> None:
    info = describe(load_ruleset("western"))
    assert (info.players, info.limit, info.penalties) == ((3, 4), 1000, ())
    assert (info.goulash_text, info.wild) == (None, None)
    assert {info.chows_allowed(n, goulash=False) for n in (3, 4)} == {4}
    flags = {flag.id: flag.sources for flag in info.flags}
    assert flags["last_tile"] == ("wall",), "the final discard brings nothing"


def test_the_eighteen_special_hands_of_the_two_tables() -> None:
    hands = {hand.id: hand for hand in describe(load_ruleset("western")).special_hands}
    assert len(hands) == 18
    half = {name for name, hand in hands.items() if str(hand.won) == "500"}
    assert half == {"all_pair_honours", "knitting", "triple_knitting"}
    assert {str(hands[name].fishing) for name in half} == {"200"}
    unpaid = {name for name, hand in hands.items() if hand.fishing is None}
    assert unpaid == {
        *("twofold_fortune", "heavens_blessing", "earths_blessing"),
        *("plum_blossom", "moon_from_the_sea"),
    }
    rest = hands.keys() - half - unpaid
    assert {str(hands[name].fishing) for name in rest} == {"400"}
    assert {str(hand.won) for name, hand in hands.items() if name not in half} == {"1000"}


def test_fishing_for_the_whole_award_is_told() -> None:
    changed = describe(load_ruleset("western", {"fishing_awards": "whole"}))
    hands = {hand.id: hand for hand in changed.special_hands}
    told = [str(hands[name].fishing) for name in ("knitting", "four_blessings")]
    assert told == ["500", "1000"]
    assert hands["heavens_blessing"].fishing is None


def test_how_a_game_goes() -> None:
    game = load_ruleset("western").game
    assert (game.dealer_maximum, game.after_draw, game.rounds) == (0, "again", 4)
    changes: dict[str, ChangeValue] = {
        "east_maximum": "three",
        "after_draw": "pass",
        "draw_ends_run": True,
        "rounds": 1,
        "kong_box_played": True,
    }
    changed = load_ruleset("western", changes).game
    assert (changed.dealer_maximum, changed.after_draw, changed.draw_ends_run) == (3, "pass", True)
    assert (changed.rounds, changed.rounds_three_players, changed.kong_box_played) == (1, 1, True)
