"""Deals that cannot be are refused, naming the player, the field and what is wrong."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

import scorer
from scorer.deal import Deal, Meld, Player, Win
from tests.scorer.builders import Json, claimed, deal, player, score, win

FILLER = "1257m468p1379s25z"
OTHER = "1368m257p2468s34z"


def _base(**more: Any) -> Json:
    value = deal(
        player("S", "345m44p", "222m 555p 888s"),
        player("W", "12m46p1379s25z", "777z"),
        won=win("S", "4p discard N"),
    )
    return {**value, **more}


def _refused(value: object, who: str | None, field: str, *words: str) -> scorer.DealError:
    with pytest.raises(scorer.DealError) as caught:
        scorer.score_deal(scorer.parse_deal(value))
    error = caught.value
    assert (error.player, error.field) == (who, field), str(error)
    for word in words:
        assert word in error.message
    assert "\n" not in str(error)
    return error


def test_the_base_deal_stands() -> None:
    assert score(_base())["players"][0]["total"] == 26


@pytest.mark.parametrize("value", [None, 3, "text", [], [1], True, 1.5])
def test_a_deal_is_an_object(value: object) -> None:
    _refused(value, None, "deal", "JSON object")


@pytest.mark.parametrize("key", ["ruleset", "players", "win"])
def test_required_keys(key: str) -> None:
    value = _base()
    del value[key]
    _refused(value, None, key, "missing")


@pytest.mark.parametrize(
    ("key", "setting", "word"),
    [
        ("ruleset", "bmja", "bmja-u3a"),
        ("ruleset", None, "id of a ruleset"),
        ("ruleset", 4, "text"),
        ("ruleset", ["bmja-u3a"], "text"),
        ("round_wind", "X", "E, S, W, N"),
        ("round_wind", ["E"], "E, S, W, N"),
        ("goulash", "yes", "true or false"),
        ("goulash", 1, "true or false"),
        ("goulash", None, "not null"),
        ("round_wind", True, "not true"),
        ("dealer", "S", "must be E"),
        ("players", {}, "list"),
        ("players", None, "list"),
        ("penalties", 5, "list"),
        ("changes", [], "object"),
        ("changes", {"limit": None}, "option's id"),
        ("changes", {"lmit": 500}, "unknown option 'lmit'"),
        ("changes", {"limit": 5}, "from 10"),
        ("changes", {"limit": True}, "whole number"),
        ("changes", {"limit": "1000"}, "whole number"),
        ("changes", {"losers_settle": 1}, "true or false"),
        ("changes", {"snake_pair": "twos"}, "one of ones, any"),
    ],
)
def test_keys_of_the_deal(key: str, setting: object, word: str) -> None:
    _refused(_base(**{key: setting}), None, key, word)


def test_unknown_keys_are_refused_everywhere() -> None:
    _refused(_base(colour="red"), None, "colour", "'colour'", "round_wind")
    for part, who, field in (("win", "S", "win.colour"), ("players", "S", "colour")):
        value = copy.deepcopy(_base())
        target = value[part][0] if part == "players" else value[part]
        target["colour"] = "red"
        _refused(value, who, field, "'colour'")
    value = _base()
    value["players"][0]["melds"][0]["open"] = True
    _refused(value, "S", "melds.open", "'open'")
    penalty = {"kind": "cannon", "by": "N"}
    _refused(_base(penalties=[penalty]), None, "penalties.by", "'by'")
    _refused(_base(penalties=[{**penalty, "offender": "N"}]), "N", "penalties.by", "'by'")
    _refused(_base(**{"x" * 500: 1}), None, "x" * 40)
    _refused(_base(**{"a\nb\ud800": 1}), None, "a?b?")


def test_what_is_wrong_is_repeated_in_short() -> None:
    assert len(_refused([_base()] * 9, None, "deal", "JSON object").message) < 100


@pytest.mark.parametrize(("entry", "field"), [(5, "players"), ({}, "seat"), ({"seat": 1}, "seat")])
def test_a_player_without_a_seat_is_told_by_the_place_in_the_list(
    entry: object, field: str
) -> None:
    value = _base()
    value["players"][1] = entry
    _refused(value, None, field, "(entry 2 of the players)")


def test_a_win_that_lacks_something_names_the_winner() -> None:
    _refused(_base(win={"seat": "S", "tile": "4p"}), "S", "win.source", "missing")


@pytest.mark.parametrize(
    ("changed", "field", "word"),
    [
        ({"concealed": 7}, "concealed", "list"),
        ({"concealed": [1, 2]}, "concealed", "tile codes"),
        ({"concealed": ["3m", "4m", "5m", "4p", "0z"]}, "concealed", "'0z'"),
        ({"concealed": ["3m", "4m", "5m", "4p", "back"]}, "concealed", "'back'"),
        ({"concealed": ["3m", "4m", "5m", "4p", "2f"]}, "concealed", "flowers and seasons"),
        ({"concealed": ["3m", "4m", "5m", "4p"]}, "concealed", "13 tiles"),
        ({"concealed": ["3m", "4m", "5m", "4p", "4p", "1z"]}, "concealed", "15 tiles"),
        ({"bonus": ["5z"]}, "bonus", "not a flower or season"),
        ({"bonus": ["1f", "1f"]}, "bonus", "2 of plum flower"),
        ({"bonus": ["9f"]}, "bonus", "'9f'"),
        ({"fishing": "no"}, "fishing", "true or false"),
        ({"status": "asleep"}, "status", "too_few"),
        ({"status": "too_few"}, "status", "14 tiles"),
        ({"status": "dead"}, "status", "cannot go out"),
        ({"name": 7}, "name", "text"),
        ({"claimed": 20}, "claimed", "not both"),
        ({"claimed": -1}, "claimed", "whole number"),
        ({"claimed": True}, "claimed", "whole number"),
        ({"claimed": 10.0}, "claimed", "whole number"),
        ({"claimed": 10**30}, "claimed", "whole number"),
        ({"melds": 7}, "melds", "list"),
        ({"melds": [7]}, "melds", "JSON object"),
    ],
)
def test_keys_of_a_player(changed: Json, field: str, word: str) -> None:
    value = _base()
    value["players"][0].update(changed)
    _refused(value, "S", field, word)


@pytest.mark.parametrize(
    ("meld", "field", "word"),
    [
        ({"kind": "pair", "tiles": ["2m", "2m"]}, "melds.kind", "chow, pung, kong"),
        ({"kind": "pung"}, "melds.tiles", "missing"),
        ({"kind": "pung", "tiles": ["2m", "2m"]}, "melds", "3 tiles, not 2"),
        ({"kind": "kong", "tiles": ["2m", "2m", "2m"]}, "melds", "4 tiles, not 3"),
        ({"kind": "pung", "tiles": ["2m", "2m", "3m"]}, "melds", "one kind"),
        ({"kind": "chow", "tiles": ["2m", "3m", "5m"]}, "melds", "sequence"),
        ({"kind": "chow", "tiles": ["8m", "9m", "1p"]}, "melds", "sequence"),
        ({"kind": "chow", "tiles": ["1z", "2z", "3z"]}, "melds", "sequence"),
        ({"kind": "pung", "tiles": ["1f", "1f", "1f"]}, "melds", "flowers and seasons"),
        ({"kind": "pung", "tiles": ["x", "x", "x"]}, "melds", "cannot be scored"),
        ({"kind": "pung", "tiles": ["2m"] * 3, "concealed": 1}, "melds.concealed", "true or"),
    ],
)
def test_melds(meld: Json, field: str, word: str) -> None:
    value = _base()
    value["players"][0]["melds"][0] = meld
    _refused(value, "S", field, word)


def test_chows_laid_down_beyond_what_is_allowed() -> None:
    two = deal(player("S", "88s44p", "345m 345p 222m"), won=win("E", "- wall"))
    two["players"][0]["concealed"] = ["8s", "8s", "4p", "1z"]
    _refused(two, "S", "melds", "2 chows", "at most 1")
    one = deal(player("S", "12m46p1379s25z", "345m"), won=win("E", "- wall"))
    assert score(one)["players"][0]["total"] == 0
    _refused({**one, "goulash": True}, "S", "melds", "chows are not")
    three = deal(player("S", "12m46p1379s25z", "345m"), won=win("E", "- wall"), seats="ESW")
    _refused(three, "S", "melds", "chows are not")


def test_seats() -> None:
    _refused({**_base(), "players": []}, None, "players", "0 players")
    twice = _base()
    twice["players"][1]["seat"] = "S"
    _refused(twice, "S", "seat", "two players")
    no_east = deal(player("S", FILLER), claimed("W"), claimed("N"), won=None, seats="SWN")
    _refused(no_east, None, "players", "East")
    missing = _base()
    del missing["players"][0]["seat"]
    _refused(missing, None, "seat", "missing")
    bare = _base()
    del bare["players"][1]["concealed"]
    _refused(bare, "W", "concealed", "missing")


def test_five_of_a_tile_over_all_hands() -> None:
    value = deal(
        player("S", "1257m468p1379s25z"),
        player("W", "12m46p13794s5z", "222z"),
        player("N", "68p46s1379m67z2z2z2z"),
        won=win("E", "- wall"),
    )
    _refused(value, "N", "concealed", "South wind", "4")
    flowers = deal(player("S", FILLER, bonus="1f"), player("W", OTHER, bonus="1f"), won=None)
    _refused(flowers, "W", "bonus", "plum flower")


@pytest.mark.parametrize(
    ("changed", "field", "word"),
    [
        ({"tile": "9p"}, "win.tile", "not among"),
        ({"tile": "9x"}, "win.tile", "'9x'"),
        ({"tile": None}, "win.tile", "missing"),
        ({"tile": 5}, "win.tile", "text"),
        ({"source": "gift"}, "win.source", "robbed_kong"),
        ({"from": None}, "win.from", "say from whom"),
        ({"from": "S"}, "win.from", "winner"),
        ({"source": "wall"}, "win.from", "leave the player out"),
        ({"source": "loose", "from": None, "last_tile": True}, "win.last_tile", "loose"),
        ({"first_turn": True}, "win.first_turn", "from East"),
        ({"source": "wall", "from": None, "first_turn": True}, "win.first_turn", "from East"),
        ({"after_two_kongs": True}, "win.after_two_kongs", "two kongs"),
        ({"source": "loose", "from": None, "after_two_kongs": True}, "win.after_two_kongs", "two"),
        ({"source": "dealt", "from": None}, "win.source", "only the dealer, East"),
        ({"last_tile": 1}, "win.last_tile", "true or false"),
    ],
)
def test_wins(changed: Json, field: str, word: str) -> None:
    value = _base()
    value["win"].update(changed)
    _refused(value, "S", field, word)


def test_win_that_names_nobody() -> None:
    _refused(_base(win={"source": "wall"}), None, "win.seat", "missing")
    _refused(_base(win={"seat": "Q", "source": "wall"}), None, "win.seat", "E, S, W, N")
    _refused(_base(win=[]), None, "win", "JSON object")
    three = deal(player("S", FILLER), won=win("N", "4p wall"), seats="ESW")
    _refused(three, "N", "win.seat", "nobody sits there")
    south = player("S", "345m44p", "222m 555p 888s")
    gone = deal(south, won=win("S", "4p discard N"), seats="ESW", goulash=False)
    gone["changes"] = {}
    _refused(gone, "S", "win.from", "nobody sits as North")


def test_dealt_wins() -> None:
    tiles = "222345m44555p888s"
    melded = deal(player("E", "345m44p555p888s", "(222m)"), won=win("E", "4p dealt"))
    _refused(melded, "E", "win.source", "without sets")
    called = deal(player("E", tiles), won=win("E", "4p dealt", original_call=True))
    _refused(called, "E", "win.original_call", "dealt")
    absent = deal(player("E", tiles), won=win("E", "9p dealt"))
    _refused(absent, "E", "win.tile", "not among")


def test_winners_without_a_winning_hand() -> None:
    value = deal(player("S", "346m44p", "222m 555p 888s"), won=win("S", "4p discard N"))
    _refused(value, "S", "concealed", "do not make a winning hand")
    two_chows = deal(player("S", "345m345p44s", "222m 888s"), won=win("S", "4s discard N"))
    _refused(two_chows, "S", "concealed", "2 chows", "at most 1")


def test_a_robbed_kong_completes_no_pung() -> None:
    value = deal(player("S", "44p777s", "222m 555p 888s"), won=win("S", "7s robbed_kong N"))
    _refused(value, "S", "concealed", "a robbed kong cannot complete this hand")


@pytest.mark.parametrize(
    ("penalty", "who", "field", "word"),
    [
        ({"kind": "gloating", "offender": "N"}, "N", "penalties.kind", "cannon"),
        ({"kind": "cannon"}, None, "penalties.offender", "missing"),
        (
            {"kind": "false_naming_set", "offender": "N"},
            "N",
            "penalties.victim",
            "who it was done to",
        ),
        (
            {"kind": "false_naming_set", "offender": "N", "victim": "N"},
            *("N", "penalties.victim", "name another player"),
        ),
        ({"kind": "cannon", "offender": "W", "victim": "S"}, "W", "penalties.offender", "gave the"),
        ({"kind": "cannon", "offender": "N", "victim": "W"}, "N", "penalties.victim", "winner"),
        ({"kind": "wrong_claim", "offender": "S"}, "S", "penalties", "cannot go out"),
    ],
)
def test_penalties(penalty: Json, who: str | None, field: str, word: str) -> None:
    _refused(_base(penalties=[penalty]), who, field, word)


def test_penalties_that_need_a_win_on_a_discard_and_a_seat() -> None:
    cannon = {"kind": "cannon", "offender": "N", "victim": "S"}
    _refused(_base(penalties=[cannon, cannon]), "N", "penalties", "entered twice")
    drawn = deal(player("S", FILLER), won=None, penalties=[cannon])
    _refused(drawn, "N", "penalties", "discard")
    absent = {"kind": "false_win", "offender": "N"}
    three = deal(player("S", FILLER), won=None, seats="ESW", penalties=[absent])
    _refused(three, "N", "penalties.offender", "nobody sits as North")


def test_statuses_and_their_counts() -> None:
    few = deal(player("S", "12m", "777z", status="too_few"), won=win("E", "- wall"))
    assert score(few)["players"][0]["total"] == 8
    many = deal(player("S", FILLER + "6z", bonus="2f", status="too_many"), won=win("E", "- wall"))
    assert score(many)["players"][0]["hand"] == "none"
    dead = deal(player("S", "77z", status="dead"), won=win("E", "- wall"))
    assert score(dead)["players"][0]["total"] == 0
    short = deal(player("S", "12m", "777z"), won=win("E", "- wall"))
    _refused(short, "S", "concealed", "5 tiles", "too few")
    not_many = deal(player("S", FILLER, status="too_many"), won=None)
    _refused(not_many, "S", "status", "13 tiles")
    dead_claim = deal(claimed("S", 8) | {"status": "dead"}, won=win("E", "- wall"))
    _refused(dead_claim, "S", "claimed", "scores nothing")


def test_deals_built_by_hand_are_checked_too() -> None:
    players = (Player("E", claimed=0), Player("S", claimed=0), Player("Q", claimed=0))
    with pytest.raises(scorer.DealError, match="unknown seat 'Q'"):
        scorer.score_deal(Deal("bmja-u3a", players, None))
    moved = Deal("bmja-u3a", players[:2], None)
    with pytest.raises(scorer.DealError, match="2 players"):
        scorer.score_deal(moved)
    bad = Player("W", ("5m",) * 10, (Meld("pung", ("1m", "1m", "2m")),))
    with pytest.raises(scorer.DealError, match="one kind"):
        scorer.score_deal(Deal("bmja-u3a", (*players[:2], bad), Win("E", None, "wall")))


@pytest.mark.parametrize(
    ("west", "how", "wind", "field"),
    [
        (Player("W", claimed=0), "wall", "X", "round_wind"),
        (Player("W", claimed=0), "gift", "E", "win.source"),
        (Player("W", claimed=0, status="asleep"), "wall", "E", "status"),
        (Player("W", ("5m",) * 10, (Meld("pair", ("1m", "1m")),)), "wall", "E", "melds.kind"),
        (Player("W", ("5m",) * 10, (Meld("run", ("1m",)),)), "wall", "E", "melds.kind"),
    ],
)
def test_words_of_deals_built_by_hand(west: Player, how: str, wind: str, field: str) -> None:
    players = (Player("E", claimed=0), Player("S", claimed=0), west)
    built = Deal("bmja-u3a", players, Win("E", None, how), round_wind=wind)
    with pytest.raises(scorer.DealError, match="needs one of") as caught:
        scorer.score_deal(built)
    assert caught.value.field == field


def test_errors_as_json_and_across_processes() -> None:
    error = _refused(_base(dealer="S"), None, "dealer")
    assert json.loads(json.dumps(error.to_json())) == {
        "player": None,
        "field": "dealer",
        "message": error.message,
    }
    copied = pickle.loads(pickle.dumps(error))
    assert str(copied) == str(error) == f"the deal, dealer: {error.message}"
    short = _refused(deal(player("S", "1m"), won=None), "S", "concealed")
    assert str(short).startswith("player S, concealed: 1 tile,")
