"""The shipped JSON Schemas, held against the code, the golden cases, results and games."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import scorer
from scorer.deal import FURTHER_FLAGS, KINDS, MOST, PENALTIES, SOURCES, STATUSES, WIN_FLAGS
from scorer.errors import DealError
from scorer.game.game import new_game
from scorer.result import SET_ORDER
from scorer.rules.rulebook import ruleset_ids
from scorer.text.deal_json import MAX_CLAIM, MOST_SIGNS, read_deal
from scorer.text.game_json import MAX_AMOUNT, game_document
from scorer.text.schemas import SCHEMAS, load_schema
from scorer.tiles import SEATS
from tests.scorer.builders import Json, claimed, deal, player, win
from tests.scorer.game.games import Step, play_steps, setups, steps
from tests.scorer.golden_cases import cases_of, deal_of

VALID = {name: Draft202012Validator(load_schema(name)) for name in SCHEMAS}
GOLDEN = {
    ruleset: [deal_of(case, ruleset) for case in cases_of(ruleset)] for ruleset in ruleset_ids()
}
PLAIN = deal(player("S", "345m44p", "222m 555p 888s"), won=win("S", "4p discard N"))


def _wrong(name: str, value: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALID[name].iter_errors(value)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema(name: str) -> None:
    Draft202012Validator.check_schema(load_schema(name))


def test_there_is_no_other() -> None:
    with pytest.raises(KeyError):
        load_schema("../deal")


def test_the_words_of_a_deal_are_those_of_the_code() -> None:
    for name in ("deal", "game"):
        defs = load_schema(name)["$defs"]
        won = defs["win"]["properties"]
        assert tuple(defs["seat"]["enum"]) == SEATS
        assert tuple(defs["meld"]["properties"]["kind"]["enum"]) == KINDS
        assert tuple(defs["player"]["properties"]["status"]["enum"]) == STATUSES
        assert tuple(won["source"]["enum"]) == SOURCES
        assert tuple(won["from"]["enum"]) == (*SEATS, None)
        assert won.keys() == {
            *("seat", "tile", "source", "from", "liable"),
            *(*WIN_FLAGS, *FURTHER_FLAGS),
        }
        assert tuple(defs["penalty"]["properties"]["kind"]["enum"]) == PENALTIES
        assert defs["player"]["properties"]["claimed"]["maximum"] == MAX_CLAIM
        listed, text = defs["tiles"]["anyOf"]
        assert (listed["maxItems"], text["maxLength"]) == (MOST.tiles, MOST_SIGNS)
    paid = load_schema("game")["$defs"]["agreed"]["properties"]["payments"]["items"]
    assert paid["properties"]["amount"]["maximum"] == MAX_AMOUNT
    kinds = load_schema("result")["$defs"]["set"]["properties"]["kind"]["enum"]
    assert tuple(kinds) == SET_ORDER


def _outcome(value: Json) -> Json:
    """What the command writes for a deal."""
    try:
        return scorer.score_deal(scorer.parse_deal(value)).to_json()
    except DealError as error:
        return error.refusal_json()


@pytest.mark.parametrize("ruleset", GOLDEN)
def test_every_golden_deal_and_its_result(ruleset: str) -> None:
    for value in GOLDEN[ruleset]:
        assert _wrong("deal", value) == []
        assert _wrong("deal", read_deal(value).to_json()) == []
        assert _wrong("result", _outcome(value)) == []


def test_a_deal_whose_tiles_are_texts() -> None:
    south = {"seat": "S", "concealed": "345m 44p", "melds": "222m 555p (8888s)", "bonus": "plum"}
    value = {**PLAIN, "players": [south, *(claimed(seat) for seat in "EWN")]}
    assert scorer.parse_deal(value).players[0].bonus == ("1f",)
    assert _wrong("deal", value) == []


def _changed(**changed: Any) -> Json:
    return {**copy.deepcopy(PLAIN), **changed}


def _south(**changed: Any) -> Json:
    value = copy.deepcopy(PLAIN)
    value["players"][0].update(changed)
    return value


@pytest.mark.parametrize(
    "value",
    [
        [],
        {key: value for key, value in PLAIN.items() if key != "win"},
        _changed(colour="red"),
        _changed(goulash="yes"),
        _changed(round_wind="Q"),
        _changed(changes={"limit": None}),
        _changed(penalties=[{"kind": "cannon"}]),
        _changed(win={"seat": "S"}),
        _changed(players=[claimed("E")]),
        _south(concealed=7),
        _south(concealed=[7]),
        _south(fishing="no"),
        _south(status="asleep"),
        _south(melds=[7]),
        _south(melds=[{"kind": "quad", "tiles": []}]),
        _south(claimed=-1),
        _changed(players=[{"seat": "S"}, *(claimed(seat) for seat in "EWN")]),
    ],
)
def test_what_the_program_refuses_the_schema_refuses(value: object) -> None:
    with pytest.raises(DealError):
        scorer.parse_deal(value)
    assert _wrong("deal", value) != []


@settings(max_examples=60, deadline=None)
@given(setups(), st.lists(steps, max_size=6))
def test_every_game_that_is_written(setup: scorer.GameSetup, plays: list[Step]) -> None:
    document = game_document(play_steps(new_game(setup), plays))
    assert _wrong("game", document) == []
    assert _wrong("game", {**document, "hands": [{"drawn": False}]}) != []
    assert _wrong("game", {**document, "hands": [{"winner": "Ann"}]}) != []


def test_a_deal_of_riichi_and_its_result() -> None:
    south = {"seat": "S", "concealed": "234m340p678s55z", "melds": "(9999p)", "riichi": True}
    players = [south, {**claimed("W"), "riichi": True}, claimed("E"), claimed("N")]
    won = {"seat": "S", "tile": "0p", "source": "discard", "from": "W", "ippatsu": True}
    value: Json = {"ruleset": "riichi", "players": players, "wins": [won]}
    value |= {"dora": ["8p"], "ura": ["1z"], "honba": 1, "sticks": 1}
    again = read_deal(value).to_json()
    result = scorer.score_deal(scorer.parse_deal(value))
    assert _wrong("deal", value) == _wrong("deal", again) == []
    assert _wrong("result", result.to_json()) == []
    # 2 han and 5 dora: 12000, a counter 300, the stick of West and the one that lay there.
    assert result.net == {"E": 0, "S": 14300, "W": -13300, "N": 0}
    assert read_deal(again) == read_deal(value)
