"""What hands counted in fan are paid: liability, several winners, sticks, drawn hands, forms."""

from __future__ import annotations

from typing import Any

import pytest

import scorer
from scorer.counting.count import HandScorer
from scorer.errors import DealError, RulesetError
from scorer.explain.why import all_why_not
from scorer.facts.asked import AskedSet
from scorer.facts.relations import found_in
from scorer.rules.rulebook import check_table, load_compiled
from scorer.tiles import PLAYING_TILES
from tests.scorer.builders import Json, claimed, deal, player, win

ORPHANS = "19m19p19s1234567z7z"


def _riichi(*players: Json, won: Json | None, **more: Any) -> Json:
    return {**deal(*players, won=won, ruleset="riichi"), **more}


def _paid(value: Json) -> dict[str, int]:
    result = scorer.score_deal(scorer.parse_deal(value))
    assert sum(result.net.values()) + result.table == 0
    return {it.from_seat + it.to_seat: it.amount for it in result.payments}


def test_who_fed_big_dragons_pays_a_drawn_hand_for_all() -> None:
    south = player("S", "23m99p4m", "555z 666z 777z")
    won = {**win("S", "4m wall"), "liable": "N"}
    assert _paid(_riichi(south, won=won)) == {"NS": 32000}
    assert _paid(_riichi(south, won=won, honba=2)) == {"NS": 32600}
    assert _paid(_riichi(south, won=won, changes={"liability": False})) == {
        "ES": 16000,
        "WS": 8000,
        "NS": 8000,
    }


def test_counters_of_a_drawn_hand_are_shared_by_those_who_pay() -> None:
    south = player("S", ORPHANS)
    value = _riichi(south, won=win("S", "7z wall"), honba=2)
    assert _paid(value) == {"ES": 16200, "WS": 8200, "NS": 8200}


def test_who_fed_big_dragons_shares_a_discard_with_its_giver() -> None:
    south = player("S", "23m99p4m", "555z 666z 777z")
    won = {**win("S", "4m discard W"), "liable": "N"}
    assert _paid(_riichi(south, won=won)) == {"WS": 16000, "NS": 16000}
    assert _paid(_riichi(south, won={**won, "liable": "W"})) == {"WS": 32000}


def test_who_fed_big_winds_is_not_liable_for_all_honours() -> None:
    south = player("S", "55z", "111z 222z 333z 444z")
    won = {**win("S", "5z discard W"), "liable": "N"}
    assert _paid(_riichi(south, won=won)) == {"WS": 48000, "NS": 16000}


def test_liability_needs_a_rule_that_has_it() -> None:
    south = player("S", ORPHANS)
    won = {**win("S", "7z discard W"), "liable": "N"}
    assert _paid(_riichi(south, won=won)) == {"WS": 32000}


def test_two_winners_of_one_discard() -> None:
    south, west = (
        player("S", ORPHANS),
        player("W", "234m678p345s99m57z6z"[:0] + "234m678p345s77z22s7z"),
    )
    value = _riichi(south, west, won=None, honba=1, sticks=1)
    del value["win"]
    value["wins"] = [win("S", "7z discard N"), win("W", "7z discard N")]
    assert _paid(value) == {"NS": 32300, "NW": 1300}


def test_those_who_are_not_ready_pay_and_sticks_stay() -> None:
    ready = {**claimed("S"), "fishing": True, "riichi": True}
    value = _riichi(ready, {**claimed("W"), "fishing": True}, won=None, sticks=1)
    result = scorer.score_deal(scorer.parse_deal(value))
    assert result.net == {"E": -1500, "S": 500, "W": 1500, "N": -1500}
    assert result.table == 1000
    assert _paid(_riichi(won=None)) == {}
    assert _paid(deal(won=None, ruleset="hong-kong")) == {}


def test_the_total_of_a_winner_may_be_claimed() -> None:
    won = {"seat": "S", "source": "discard", "from": "W"}
    value = deal({**claimed("S"), "claimed": 16}, won=won, ruleset="hong-kong")
    assert _paid(value) == {"ES": 16, "WS": 32, "NS": 16}
    assert _paid({**value, "changes": {"who_pays": "discarder"}}) == {"WS": 64}


def test_who_pays_in_zung_jung_and_in_the_official_rules() -> None:
    south = player("S", "234m567m99m", "555z 123m")
    for how, paid in (
        ("4m discard W", {"ES": 25, "WS": 100, "NS": 25}),
        ("4m wall", {"ES": 50, "WS": 50, "NS": 50}),
    ):
        assert _paid(deal(south, won=win("S", how), ruleset="zung-jung")) == paid
    value = deal(south, won=win("S", "4m discard W"), ruleset="chinese-official")
    assert _paid(value) == {"ES": 8, "WS": 17, "NS": 8}


def test_the_tile_of_a_robbed_kong_completes_no_pung() -> None:
    south = player("S", "678p44m55s4m", "555z 123s")
    with pytest.raises(DealError):
        _paid(deal(south, won=win("S", "4m robbed_kong W"), ruleset="zung-jung"))


@pytest.mark.parametrize(
    ("ruleset", "tiles", "tile"),
    [
        ("riichi", "2222m44p66p88s1133z", "3z"),
        ("hong-kong", "1122m3344p5566s77z", "7z"),
        ("zung-jung", "147m258p36s123456z", "6z"),
        ("zung-jung", "147m258p369s12355z", "5z"),
    ],
)
def test_forms_that_are_not_played_are_no_hand(ruleset: str, tiles: str, tile: str) -> None:
    with pytest.raises(DealError) as caught:
        scorer.score_hand(tiles, win=tile, ruleset=ruleset)
    assert caught.value.code in ("no_winning_hand", "leftover_tiles", "tiles_left_over")


def test_a_knitted_straight_may_be_completed_in_its_runs() -> None:
    told = scorer.score_hand("147m258p369s123s55z", win="9s", ruleset="chinese-official")
    assert "knitted_straight" in [line.rule for line in told.lines]


def test_a_red_five_in_a_meld_and_one_that_is_not_there() -> None:
    south: Json = {"seat": "S", "concealed": ["2m", "3m", "4m", "6p", "6p"]}
    south["melds"] = [
        {"kind": "chow", "tiles": [f"{n}s" for n in numbers]} for numbers in ("340", "678")
    ]
    south["melds"].append({"kind": "chow", "tiles": ["3p", "4p", "5p"]})
    value = _riichi(south, won=win("S", "4m discard W"))
    parsed = scorer.parse_deal(value)
    assert parsed.players[0].reds == ("5s",)
    assert parsed.to_json()["players"][0]["melds"][0]["tiles"] == ["3s", "4s", "0s"]
    strange = scorer.Player("S", "22m", reds=("5p",))
    assert strange.to_json()["concealed"] == ["2m", "2m"]


@pytest.mark.parametrize(
    ("changed", "field", "code"),
    [({"honba": -1}, "honba", "no_points"), ({"win": {}, "wins": []}, "wins", "win_and_wins")],
)
def test_what_cannot_be_on_a_riichi_table(changed: Json, field: str, code: str) -> None:
    with pytest.raises(DealError) as caught:
        scorer.parse_deal({**_riichi(won=None), **changed})
    assert (field, code) in [(error.field, error.code) for error in caught.value.errors]


def test_an_unknown_class_of_tiles_is_refused() -> None:
    rule = {"id": "odd", "text": "Odd", "cite": "Ours", "fan": 1, "all": ["odd"]}
    with pytest.raises(RulesetError, match="odd"):
        check_table({"id": "ours", "name": "Ours", "base": "riichi", "rule": [rule]}, "ours.toml")


def test_a_pattern_may_ask_for_a_number_where_there_are_honours() -> None:
    hand = "111z222z333z444z55z"
    told = scorer.score_hand(hand, win="5z", ruleset="chinese-official")
    assert "big_four_winds" in [line.rule for line in told.lines]


def test_flowers_that_are_left_out_bring_nothing() -> None:
    south = player("S", "22m555p88s2m", "999m 111z")
    value = deal(south, won=win("S", "2m discard E"), ruleset="hong-kong")
    assert _paid(value) == {"ES": 48, "WS": 24, "NS": 24}
    assert _paid({**value, "changes": {"bonus_tiles": "unused"}}) == {"ES": 32, "WS": 16, "NS": 16}


def test_why_a_yaku_does_not_count() -> None:
    value = _riichi(player("S", ORPHANS), won=win("S", "7z discard W"))
    told = {it.row: it for it in all_why_not(scorer.parse_deal(value), "S")}
    assert told["thirteen_orphans"].counts
    assert [str(it) for it in told["all_simples"].missing] == [
        "what the rule asks of the tiles, the sets or the wait"
    ]
    assert told["riichi"].missing
    assert not [own for own, it in told.items() if not (it.counts or it.reasons or it.missing)]


def test_orphans_that_are_not_played_are_no_hand() -> None:
    with pytest.raises(DealError):
        scorer.score_hand(ORPHANS, win="7z", ruleset="riichi", changes={"thirteen_orphans": False})


def test_the_hand_of_who_did_not_win_is_not_counted_in_fan() -> None:
    value = _riichi(player("S", ORPHANS), player("W", "123456789m1234p"), won=win("S", "7z wall"))
    parsed = scorer.parse_deal(value)
    west = next(it for it in parsed.players if it.seat == "W")
    assert HandScorer(parsed, load_compiled("riichi"), west).in_fan() == []


def test_a_number_is_that_of_a_suit() -> None:
    east_pung = PLAYING_TILES.index("1z")
    assert found_in([AskedSet(kind="pung", at="1")], (0, east_pung)) == ((0,),)


def test_a_deal_with_several_winners_is_read_back_as_it_is_written() -> None:
    south, west = player("S", ORPHANS), player("W", "234m678p345s77z22s7z")
    value = _riichi(south, west, won=None)
    del value["win"]
    value["wins"] = [win("S", "7z discard N"), win("W", "7z discard N")]
    deal_ = scorer.parse_deal(value)
    assert scorer.parse_deal(deal_.to_json()) == deal_
