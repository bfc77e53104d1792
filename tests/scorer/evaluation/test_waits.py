"""What a hand is fishing for, and what each tile would score."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.deal import Deal, Player, parse_melds
from scorer.errors import DealError
from scorer.evaluation.waits import Wait, Waits, find_waits
from scorer.notations import NotationError
from scorer.text.deal_json import parse_deal
from tests.scorer.builders import claimed, deal, player, win


def _deal(tiles: str, melds: str = "", bonus: str = "", **more: Any) -> Deal:
    return parse_deal(deal(player("S", tiles, melds, bonus), won=None, **more))


def _waits(tiles: str, melds: str = "", bonus: str = "", **more: Any) -> Waits:
    return find_waits(_deal(tiles, melds, bonus, **more), "S")


def _tiles(found: Waits) -> list[str]:
    return [wait.tile for wait in found.waits]


def _totals(wait: Wait) -> tuple[int | None, int | None]:
    parts = (wait.wall, wait.discard)
    wall, discard = (None if part is None else part.total for part in parts)
    return wall, discard


@pytest.mark.parametrize(
    ("number", "tiles", "melds", "printed"),
    [
        (1, "9p", "222m 555m 888m 333z", ["9p"]),
        (2, "4477p", "222m 555p 888m", ["4p", "7p"]),
        (3, "1133s", "222m 555s 888s", ["1s", "3s"]),
        (4, "1188m", "222m 555m 777m", ["1m", "8m"]),
        (5, "4z", "222m 555m 888m 333z", ["4z"]),
        (6, "6z", "222m 555m 888m 333z", ["6z"]),
        (7, "66s55z", "222s 555s 888s", ["6s", "5z"]),
    ],
)
def test_sheet_8_fishing_hands(number: int, tiles: str, melds: str, printed: list[str]) -> None:
    """Sheet 8 shows its hands as pictures, lost from the text; these were rebuilt to its answers.

    They hold no chows, which the course teaches only two sheets later.
    """
    found = _waits(tiles, melds)
    assert _tiles(found) == printed, f"hand {number}"
    assert found.fishing


def test_each_tile_is_scored_drawn_and_claimed() -> None:
    first, second = _waits("4477p", "222m 555p 888m").waits
    # 20 + 2 + 2 + 2, the third pung 4 drawn and 2 claimed, 2 more for the draw; no chows.
    assert _totals(first) == ((20 + 2 + 6 + 4) * 2, (20 + 6 + 2) * 2)
    assert _totals(second) == _totals(first)


def test_a_wait_for_a_special_hand_and_an_ordinary_one() -> None:
    found = _waits("1112345678999m", ruleset="western")
    hands = {wait.tile: wait.wall.hand for wait in found.waits if wait.wall is not None}
    assert hands == dict.fromkeys(("1m", "9m"), "ordinary") | {
        f"{n}m": "gates_of_heaven" for n in range(2, 9)
    }
    assert (found.otherwise.hand, found.otherwise.total) == ("fishing:gates_of_heaven", 400)


def test_a_chow_too_many_is_not_waited_for() -> None:
    assert not _waits("345p34s55z", "222m 888m").fishing
    assert _tiles(_waits("345p33s55z", "222m 888m")) == ["3s", "5z"]


def test_a_hand_that_nothing_completes() -> None:
    found = _waits("1257m468p1379s25z")
    assert not found.fishing
    assert found.waits == ()
    assert found.otherwise.total == 0


def test_a_tile_more_than_a_set_has_is_no_wait() -> None:
    found = _waits("4p", "345m 222s 555p 999p")
    assert _tiles(found) == ["4p"]
    held = _waits("34m44p", "2222m 555p 888s", ruleset="western")
    assert _tiles(held) == ["5m"]
    changes = {"own_fours": True}
    counted = _waits("34m44p", "2222m 555p 888s", ruleset="western", changes=changes)
    assert _tiles(counted) == ["2m", "5m"]
    assert counted.waits[0] == Wait("2m", 0, None, None)


def test_tiles_in_other_hands_are_no_longer_left() -> None:
    south = player("S", "4477p", "222m 555p 888m")
    west = player("W", "4p123579m1379s25z")
    value = parse_deal(deal(south, west, won=win("E", "- wall")))
    left = {wait.tile: wait.left for wait in find_waits(value, "S").waits}
    assert left == {"4p": 1, "7p": 2}


def test_a_discard_cannot_finish_a_hand_that_must_be_drawn() -> None:
    changes = {"gates_claim": "drawn"}
    found = _waits("1112345678999m", ruleset="western", changes=changes)
    five = next(wait for wait in found.waits if wait.tile == "5m")
    assert five.wall is not None
    assert five.wall.hand == "gates_of_heaven"
    assert five.discard is not None
    assert five.discard.hand == "ordinary"


def test_three_players_have_no_chow_to_wait_for() -> None:
    assert _tiles(_waits("34m44p", "222m 555p 888s")) == ["2m", "5m"]
    assert _tiles(_waits("34m44p", "222m 555p 888s", seats="ESW")) == []


def test_a_joker_completes_what_any_tile_does() -> None:
    found = _waits("4p", "222m 555p 888s 333z", goulash=True)
    assert _tiles(found) == ["4p", "2s"]
    joker = found.waits[1]
    assert joker.wall is not None
    assert joker.discard is None, "a discarded two bamboo is a two bamboo"


def test_blank_jokers_complete_as_well() -> None:
    changes = {"joker": "blank"}
    found = _waits("4p", "222m 555p 888s 333z", goulash=True, changes=changes)
    assert _tiles(found) == ["4p", "blank"]


def test_the_award_for_fishing_is_told() -> None:
    found = _waits("19m19p19s1234567z", bonus="2f")
    assert len(found.waits) == 13
    # Two fifths of 1000, and 4 points doubled by the own flower.
    assert (found.otherwise.hand, found.otherwise.total) == (
        *("fishing:thirteen_unique_wonders", 400 + 8),
    )


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (deal(player("S", "345m44p", "222m 555p 888s"), won=win("S", "4p wall")), "win.seat"),
        (deal(claimed("S", 4), won=None), "claimed"),
        (deal(player("S", "45m4p", "222m 555p 888s", status="too_few"), won=None), "status"),
        (deal(player("S", "345m44p", "222m 555p", status="dead"), won=None), "status"),
        (deal(claimed("E"), won=None, seats="EWN"), "seat"),
    ],
)
def test_hands_that_cannot_wait(value: dict[str, Any], field: str) -> None:
    with pytest.raises(DealError) as caught:
        find_waits(parse_deal(value), "S")
    assert (caught.value.player, caught.value.field) == ("S", field)


def test_the_json_form() -> None:
    value = _waits("9p", "222m 555m 888m 333z").to_json()
    assert set(value) == {"seat", "fishing", "waits", "otherwise"}
    assert value["fishing"] is True
    wait = value["waits"][0]
    assert (wait["tile"], wait["name"], wait["left"]) == ("9p", "nine circles", 3)
    assert (wait["wall"]["total"], wait["discard"]["total"]) == (64, 60)


def test_sets_laid_down_as_they_are_typed() -> None:
    melds = parse_melds("345m 777z (5555p) (111s)")
    assert [(meld.kind, meld.concealed) for meld in melds] == [
        *(("chow", False), ("pung", False), ("kong", True), ("pung", True)),
    ]
    typed = Player("W", "12m 3f 4y 5z", "345m")
    assert (typed.seat, typed.concealed, typed.bonus) == ("W", ("1m", "2m", "5z"), ("3f", "4y"))


@pytest.mark.parametrize("text", ["55p", "55555p", "5x5", "(555p"])
def test_sets_that_are_none(text: str) -> None:
    with pytest.raises(NotationError):
        parse_melds(text)


def test_a_blank_joker_completes_no_hand_that_lacks_more() -> None:
    found = _waits("1257m468p1379s25z", goulash=True, changes={"joker": "blank"})
    assert found.waits == ()


def test_a_tile_of_which_the_player_holds_all_four_is_told_apart() -> None:
    alone = _waits("5555m222333444s")
    assert not alone.fishing
    assert alone.held_fours == ("5m",)
    both = _waits("4555m222333444s")
    assert _tiles(both) == ["3m", "4m", "6m"]
    assert both.held_fours == ()
