"""All faults of a deal are found at once: each kind is met, and each has a stable code."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import scorer
from scorer.deal import Deal, Meld, Penalty, Player, Win
from scorer.errors import MAX_ERRORS, DealError
from scorer.evaluation.checks import checks
from scorer.evaluation.faults import Fault
from scorer.rules.rulebook import load_ruleset
from scorer.text.deal_json import read_deal
from tests.scorer.builders import Json, claimed, deal, player, win
from tests.scorer.evaluation.test_forbidden import FORBIDDEN

BASE = read_deal(
    deal(
        player("S", "345m44p", "222m 555p 888s"),
        player("W", "12m46p1379s25z", "777z"),
        won=win("S", "4p discard N"),
    )
)
_DEALT = (
    *(Player(seat, claimed=1000 if seat == "E" else 0) for seat in "ESN"),
    *(held for held in BASE.players if held.seat == "W"),
)
DRAWN = replace(BASE, win=None, players=tuple(Player(seat, claimed=0) for seat in "ESWN"))


def _with(seat: str, **changed: Any) -> Deal:
    """The base with something else about one player."""
    players = (replace(p, **changed) if p.seat == seat else p for p in BASE.players)
    return replace(BASE, players=tuple(players))


def _won(**changed: Any) -> Deal:
    assert BASE.win is not None
    return replace(BASE, win=replace(BASE.win, **changed))


def _penalty(kind: str, offender: str, victim: str | None = None, times: int = 1) -> Deal:
    return replace(BASE, penalties=(Penalty(kind, offender, victim),) * times)


def _seats(seats: str, **more: Any) -> Deal:
    return replace(DRAWN, players=tuple(Player(seat, claimed=0) for seat in seats), **more)


def _chows(ruleset: str, *, players: int = 4) -> Deal:
    chows = tuple(Meld("chow", (f"{n}m", f"{n + 1}m", f"{n + 2}m")) for n in (1, 4))
    west = Player("W", ("1p", "3p", "5p", "7p", "1z", "2z", "3z"), chows)
    others = [Player(seat, claimed=0) for seat in "ESN" if players == 4 or seat != "N"]
    return replace(BASE, ruleset=ruleset, win=None, players=(west, *others))


def _robbed(tile: str, melds: str) -> Json:
    south = player("S", "345m44p", "222m 555p 888s")
    return deal(south, player("N", "1357m2468p9s2z", melds), won=win("S", f"{tile} robbed_kong N"))


MET: dict[Fault, Callable[[], Deal]] = {
    Fault.TOO_MANY_ENTRIES: lambda: _with("W", bonus=("1f",) * 100_000),
    Fault.WRONG_NUMBER_OF_PLAYERS: lambda: _seats("ES"),
    Fault.UNKNOWN_SEAT: lambda: _seats("ESWX"),
    Fault.SEAT_TAKEN_TWICE: lambda: _seats("ESWW"),
    Fault.NO_EAST: lambda: _seats("SWN"),
    Fault.DEALER_NOT_EAST: lambda: replace(BASE, dealer="S"),
    Fault.DEALER_ABSENT: lambda: _seats("ESWN", dealer="X", ruleset="ming-1876"),
    Fault.UNKNOWN_WORD: lambda: replace(BASE, round_wind="X"),
    Fault.GOULASH_NOT_PLAYED: lambda: replace(DRAWN, ruleset="western", goulash=True),
    Fault.NOT_BROKEN_OFF: lambda: replace(DRAWN, aborted=True),
    Fault.UNKNOWN_TILE: lambda: _with("W", bonus=("back",)),
    Fault.NOT_A_BONUS_TILE: lambda: _with("W", bonus=("1z",)),
    Fault.BONUS_TILE_IN_HAND: lambda: _with(
        "W", concealed=("1f", "2m", "4p", "6p", "1s", "3s", "7s", "9s", "2z", "5z")
    ),
    Fault.BONUS_NOT_USED: lambda: replace(_with("S", bonus=("2f",)), changes={"flowers": "unused"}),
    Fault.TILES_AND_CLAIM: lambda: _with("W", claimed=8),
    Fault.CLAIM_SCORES_NOTHING: lambda: _with("E", claimed=8, status="dead"),
    Fault.CLAIM_ABOVE_LIMIT: lambda: replace(_with("E", claimed=1002), ruleset="bmja-mjbr"),
    Fault.CLAIM_NOT_ROUNDED: lambda: replace(_with("E", claimed=24), changes={"rounding": "tens"}),
    Fault.CLAIM_IN_BETWEEN: lambda: _with("E", claimed=45),
    Fault.WRONG_MELD: lambda: _with("W", melds=(Meld("pung", ("7z", "7z", "6z")),)),
    Fault.NO_CHOW_ALLOWED: lambda: _chows("bmja-u3a", players=3),
    Fault.SECOND_CHOW: lambda: _chows("bmja-u3a"),
    Fault.WRONG_TILE_COUNT: lambda: _with("W", melds=()),
    Fault.NOT_TOO_FEW: lambda: _with("W", status="too_few"),
    Fault.NOT_TOO_MANY: lambda: _with("W", status="too_many"),
    Fault.TOO_MANY_COPIES: lambda: _with(
        "W", melds=(Meld("pung", ("2m",) * 3),), status="dead", concealed=()
    ),
    Fault.WINNER_ABSENT: lambda: _seats("ESW", win=Win("N", None, "wall")),
    Fault.UNKNOWN_WINNING_TILE: lambda: _won(tile="1f"),
    Fault.WINNER_NOT_LIVE: lambda: _with("S", status="dead"),
    Fault.WINNER_GUILTY: lambda: _penalty("wrong_claim", "S"),
    Fault.NO_WINNING_TILE: lambda: _won(tile=None),
    Fault.WINNING_TILE_NOT_HELD: lambda: _won(tile="9s"),
    Fault.SOURCE_NOT_KNOWN: lambda: replace(
        _won(source="robbed_kong", from_seat="E"), ruleset="uk-1924"
    ),
    Fault.FLAG_NOT_KNOWN: lambda: replace(
        DRAWN, ruleset="ming-1876", win=Win("E", None, "wall", last_tile=True)
    ),
    Fault.LAST_TILE_ELSEWHERE: lambda: _won(source="robbed_kong", from_seat="E", last_tile=True),
    Fault.FIRST_TURN_ELSEWHERE: lambda: _won(first_turn=True),
    Fault.FIRST_TURN_LAST: lambda: replace(
        DRAWN, win=Win("S", "4p", "discard", "E", first_turn=True, last_tile=True)
    ),
    Fault.FIRST_TURN_CALLED: lambda: replace(
        DRAWN, win=Win("S", "4p", "discard", "E", first_turn=True, original_call=True)
    ),
    Fault.LAID_TOO_EARLY: lambda: replace(BASE, win=Win("E", None, "dealt"), players=_DEALT),
    Fault.KONGS_MISSING: lambda: _won(after_two_kongs=True),
    Fault.NOTHING_REPLACED: lambda: _won(source="loose", from_seat=None),
    Fault.DEALT_IMPOSSIBLE: lambda: _won(source="dealt", from_seat=None),
    Fault.ORIGINAL_CALL_DEALT: lambda: replace(
        DRAWN, win=Win("E", None, "dealt", original_call=True)
    ),
    Fault.ORIGINAL_CALL_CLAIMED: lambda: _won(original_call=True),
    Fault.RIICHI_CLAIMED: lambda: _with("S", riichi=True),
    Fault.RIICHI_UNDECLARED: lambda: replace(_won(ippatsu=True), ruleset="riichi"),
    Fault.NO_GIVER: lambda: _won(from_seat=None),
    Fault.NEEDLESS_GIVER: lambda: _won(source="wall"),
    Fault.GIVER_IS_WINNER: lambda: _won(from_seat="S"),
    Fault.GIVER_ABSENT: lambda: _won(from_seat="X"),
    Fault.ROBBED_PUNG_MISSING: lambda: read_deal(_robbed("5m", "111z")),
    Fault.ROBBED_KONG_WRITTEN: lambda: read_deal(_robbed("4m", "4444m")),
    Fault.ONE_WINNER_ALONE: lambda: replace(BASE, further_wins=(Win("E", "4p", "discard", "N"),)),
    Fault.WINS_DIFFER: lambda: replace(
        BASE, ruleset="riichi", further_wins=(Win("S", "4p", "discard", "N"),)
    ),
    Fault.UNKNOWN_PENALTY: lambda: replace(
        _penalty("false_win", "W"), changes={"penalties": False}
    ),
    Fault.PARTY_ABSENT: lambda: _penalty("false_naming_set", "W", "X"),
    Fault.VICTIM_IS_OFFENDER: lambda: _penalty("false_naming_set", "W", "W"),
    Fault.NO_VICTIM: lambda: _penalty("false_naming_set", "W"),
    Fault.PENALTY_WITHOUT_DISCARD: lambda: replace(DRAWN, penalties=(Penalty("cannon", "W"),)),
    Fault.OFFENDER_NOT_DISCARDER: lambda: _penalty("cannon", "W", "S"),
    Fault.VICTIM_NOT_WINNER: lambda: _penalty("cannon", "N", "W"),
    Fault.PENALTY_GIVEN_TWICE: lambda: _penalty("cannon", "N", "S", times=2),
}
COUNTED: dict[Fault, Json] = {
    Fault.NO_WINNING_HAND: deal(player("S", "345m47p", "222m 555p 888s"), won=win("S", "4p wall")),
    **{Fault(code): value for value, code, *_ in FORBIDDEN.values() if code not in MET},
}


def _found(given: Deal) -> list[str]:
    return [error.code for error in checks(given, load_ruleset(given.ruleset, given.changes))]


def test_every_kind_of_fault_is_met() -> None:
    assert MET.keys() | COUNTED.keys() == set(Fault)
    assert not MET.keys() & COUNTED.keys()


def test_the_base_and_a_drawn_deal_have_none() -> None:
    assert _found(BASE) == []
    assert _found(DRAWN) == []


@pytest.mark.parametrize(("fault", "given"), MET.items(), ids=MET.keys())
def test_each_kind_of_fault(fault: Fault, given: Callable[[], Deal]) -> None:
    assert _found(given()) == [fault.value]


@pytest.mark.parametrize(("fault", "value"), COUNTED.items(), ids=COUNTED.keys())
def test_faults_of_a_winners_hand(fault: Fault, value: Json) -> None:
    with pytest.raises(DealError) as caught:
        scorer.score_deal(scorer.parse_deal(value))
    assert caught.value.code == fault.value


def _broken() -> Json:
    """A deal with a fault of its dealer, of two players, of its win and of a penalty."""
    value = deal(
        player("S", "345m4p", "222m 555p 888s"),
        player("W", "1m46p1379s25z", "777z 123m 456m"),
        won=win("S", "4p discard", last_tile=False),
    )
    penalties = [{"kind": "cannon", "offender": "W"}]
    return {**value, "dealer": "S", "penalties": penalties}


def test_all_faults_are_told_the_first_as_before() -> None:
    with pytest.raises(DealError) as caught:
        scorer.parse_deal(_broken())
    error = caught.value
    assert [(each.player, each.field, each.code) for each in error.errors] == [
        (None, "dealer", "dealer_not_east"),
        ("S", "concealed", "wrong_tile_count"),
        ("W", "melds", "second_chow"),
        ("W", "concealed", "wrong_tile_count"),
        ("S", "win.from", "no_giver"),
        ("W", "penalties.offender", "offender_not_discarder"),
    ]
    assert error.errors[0] is error
    assert error.to_json() == {
        "player": None,
        "field": "dealer",
        "message": "the dealer must be East, who pays and receives double here",
    }


def test_the_list_of_faults_as_json() -> None:
    with pytest.raises(DealError) as caught:
        scorer.parse_deal(_broken())
    told = json.loads(json.dumps(caught.value.refusal_json()))
    assert told.keys() == {"error", "errors"}
    assert told["error"] == caught.value.to_json()
    assert [set(each) for each in told["errors"]] == [
        {"code", "player", "field", "message", "values"}
    ] * 6
    assert told["errors"][2] == {
        "code": "second_chow",
        "player": "W",
        "field": "melds",
        "message": "this hand has 2 chows; at most 1 may be held (U3A course, sheet 10, point 1: "
        "Chows)",
        "values": {"laid": 2, "chows": 1, "cite": "000 Sheet 10.1"},
    }
    first = {key: told["errors"][0][key] for key in ("player", "field", "message")}
    assert first == told["error"]


def test_faults_cross_processes_with_all_others() -> None:
    with pytest.raises(DealError) as caught:
        scorer.parse_deal(_broken())
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.refusal_json() == caught.value.refusal_json()
    assert str(again) == str(caught.value)


def test_a_tile_that_there_are_too_many_of_is_told_once() -> None:
    west = Player("W", ("2m",) * 10, (Meld("pung", ("2m",) * 3),))
    assert _found(replace(BASE, players=(*(p for p in BASE.players if p.seat != "W"), west))) == [
        "too_many_copies"
    ]


def test_what_follows_from_another_fault_is_none() -> None:
    unknown = _with("W", melds=(Meld("pung", ("7z", "7z", "xx")),))
    assert _found(unknown) == ["unknown_tile"]
    assert _found(_with("W", melds=(Meld("quad", ("7z",) * 3),))) == ["unknown_word"]
    assert _found(_won(source="stolen", last_tile=True)) == ["unknown_word"]
    assert _found(_won(tile="xx", source="robbed_kong")) == ["unknown_winning_tile"]


def test_an_unknown_tile_is_told_once_in_each_place() -> None:
    (west,) = [each for each in BASE.players if each.seat == "W"]
    twice = _with("W", concealed=("xx", "xx", *west.concealed[2:]), bonus=("xx",))
    assert _found(twice) == ["unknown_tile", "unknown_tile"]


def test_all_faults_of_the_form_are_told() -> None:
    value: Json = {
        "ruleset": "bmja-u3a",
        "colour": 1,
        "goulash": "no",
        "players": [
            {"seat": "S", "concealed": ["1m", 3, 4], "fishing": 1, "status": "asleep"},
            {"seat": "?", "claimed": -1},
            7,
            {"seat": "W", "melds": [{"kind": "pung"}, 5]},
        ],
        "penalties": [{"kind": "rudeness", "offender": "W"}],
        "changes": {"limit": [1], "clean": None},
    }
    with pytest.raises(DealError) as caught:
        scorer.parse_deal(value)
    assert [(each.player, each.field, each.code) for each in caught.value.errors] == [
        (None, "colour", "unknown_key"),
        (None, "win", "missing_key"),
        (None, "goulash", "no_flag"),
        ("S", "concealed", "no_tile_code"),
        ("S", "fishing", "no_flag"),
        ("S", "status", "not_one_of"),
        (None, "seat", "not_one_of"),
        (None, "claimed", "no_points"),
        (None, "players", "no_object"),
        ("W", "concealed", "no_tiles"),
        ("W", "melds.tiles", "missing_key"),
        ("W", "melds", "no_object"),
        ("W", "penalties.kind", "not_one_of"),
        (None, "changes", "no_option_value"),
    ]
    entry = caught.value.errors[8]
    assert entry.message == "needs a JSON object, not 7 (entry 3 of the players)"
    assert entry.errors_json()[0]["values"] == {
        "fault": {"id": "no_object", "values": {"shown": "7"}},
        "number": 3,
    }


def test_all_unknown_house_rules_are_told() -> None:
    changes = {"limit": -1, "clean": 3, "no_such": True, "flowers": "no"}
    value = {**deal(claimed("S"), won=None), "changes": changes}
    with pytest.raises(DealError) as caught:
        scorer.parse_deal(value)
    assert [each.code for each in caught.value.errors] == [
        "option_needs_flag",
        "option_needs_choice",
        "option_needs_number",
        "unknown_option",
    ]


def test_no_more_faults_are_listed_than_anybody_reads() -> None:
    value = {**deal(claimed("S"), won=None), **{f"key {number}": 1 for number in range(999)}}
    with pytest.raises(DealError) as caught:
        scorer.parse_deal(value)
    assert len(caught.value.errors) == MAX_ERRORS
