"""The rules of 1876 and of 1924: what a page asks and tells, and games by their house rules."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.rules.info import RulesetInfo, describe
from scorer.rules.rulebook import load_ruleset
from tests.scorer.builders import deal, of, player, score, win
from tests.scorer.game.games import THREE, play, started
from tests.scorer.systems import MING, U3A, UK, table_of


def _info(system: str, **changes: Any) -> RulesetInfo:
    return describe(load_ruleset(system, changes))


def test_the_family_counts_in_halves_and_says_so() -> None:
    south = player("S", "77z88s", "555s 444z 2222p", "2f4y")
    part = of(score(deal(south, won=win("E", "- wall"), ruleset=MING)), "S")
    told = [line["text"] for line in part["lines"] if "points" in line]
    assert told == [
        "Pung of five bamboo, punged: count 1/2, times 4",
        "Pung of North wind, punged: count 1, times 4",
        "Kong of two circles, punged: count 2, times 4",
        "Flower, orchid flower (2): count 1, times 4",
        "Flower, winter season (4): count 1, times 4",
    ]


@pytest.mark.parametrize(
    ("system", "changes", "limit"),
    [
        (MING, {}, None),
        (MING, {"limit": 5000}, None),
        (MING, {"limit_caps_ordinary": True, "limit": 5000}, 5000),
        (UK, {}, 3000),
        (UK, {"limit_caps_ordinary": False, "limit_caps_special": False}, 3000),
        (U3A, {}, 1000),
    ],
)
def test_a_limit_is_told_where_it_cuts_or_measures(
    system: str, changes: dict[str, Any], limit: int | None
) -> None:
    assert _info(system, **changes).limit == limit


def test_a_page_asks_only_what_the_family_knows() -> None:
    info = _info(MING)
    assert [item.id for item in info.sources] == ["wall", "discard", "loose", "dealt"]
    assert [item.id for item in info.statuses] == ["live", "too_few", "too_many"]
    assert (info.flags, info.penalties, info.special_hands) == ((), (), ())
    assert (info.players, info.dealer_moves, info.goulash_text, info.wild) == (
        (4,),
        True,
        None,
        None,
    )
    assert info.chows_allowed(4, goulash=False) == 0


def test_a_page_asks_only_what_the_laws_of_1924_know() -> None:
    info = _info(UK)
    assert [item.id for item in info.sources] == ["wall", "discard", "loose", "dealt"]
    assert [item.id for item in info.flags] == ["last_tile", "original_call", "first_turn"]
    assert info.flags[0].sources == ("wall", "loose")
    assert [item.id for item in info.penalties] == ["cannon"]
    assert (info.players, info.dealer_moves, info.goulash_text) == ((3, 4), False, None)
    assert [info.chows_allowed(count, goulash=False) for count in (3, 4)] == [4, 4]
    hands = {hand.id: (str(hand.won), hand.fishing) for hand in info.special_hands}
    assert hands.keys().isdisjoint({"original_call", "end_piece_sets"})
    assert hands.pop("seven_pairs") == ("1000", None)
    assert set(hands.values()) == {("3000", None)}


@pytest.mark.parametrize(
    ("system", "rounds", "three", "hands"),
    [(MING, 4, None, 16), (UK, 4, None, 16), (UK, 3, THREE, 9)],
)
def test_rounds_of_a_game(
    system: str, rounds: int, three: dict[str, str] | None, hands: int
) -> None:
    game = play(started(system, three), ("BDA" if three else "BCDA") * rounds)
    assert (len(game.hands), game.ended) == (hands, "rounds")


@pytest.mark.parametrize(
    ("system", "places", "changes"),
    [
        (MING, ("Ann", "Bob", "Cat", "Dee"), {"rounds": 2}),
        (UK, ("Ann", "Bob", "Cat", "Dee"), {"rounds": 2}),
        (UK, ("Ann", "Bob", None, "Dee"), {"rounds_three_players": 2}),
    ],
)
def test_fewer_rounds_by_house_rule(
    system: str, places: tuple[str | None, ...], changes: dict[str, Any]
) -> None:
    table = table_of(system, places, **changes)
    names = [name for name in places if name is not None]
    winners = [*names[1:], names[0]] * 2
    position = table.first()
    for winner in winners[:-1]:
        following = table.after(position, winner)
        assert following is not None
        position = following
    assert position.round_wind == "S"
    assert table.after(position, winners[-1]) is None


@pytest.mark.parametrize(("system", "played"), [(MING, False), (UK, True)])
def test_whether_the_loose_tiles_are_played(system: str, *, played: bool) -> None:
    assert load_ruleset(system).game.kong_box_played is played
    assert load_ruleset(system, {"kong_box_played": not played}).game.kong_box_played is not played
