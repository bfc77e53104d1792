"""What must hold under every ruleset, whatever the tiles."""

from __future__ import annotations

import copy
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorer.rules.info import describe
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from scorer.tiles import BONUS_TILES, SEATS
from tests.scorer.builders import BY_POINTS, Json, of, score
from tests.scorer.tables import tables_of

_FEW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
_EACH = pytest.mark.parametrize("ruleset", BY_POINTS)
_BONUS_COUNTS = ("bmja-u3a", "bmja-mjbr", "uk-1924")


def _explained(result: Json, ruleset: str) -> None:
    limit = load_ruleset(ruleset).limit
    for part in result["players"]:
        assert sum(line.get("points", 0) for line in part["lines"]) == part["points"]
        assert sum(line.get("doubles", 0) for line in part["lines"]) == part["doubles"]
        assert all(line["cite"][:4] in {f"00{n} " for n in range(5)} for line in part["lines"])
        assert all(line["text"] and "{" not in line["text"] for line in part["lines"])
        counted = part["points"] * 2 ** part["doubles"]
        capped = "limit" in [line["rule"] for line in part["lines"]]
        assert part["total"] == (limit.value if capped and limit else counted)
        assert part["hand"] in ("ordinary", "none") or part["doubles"] == 0


@_EACH
@_FEW
@given(data=st.data())
def test_lines_add_up_and_payments_sum_to_zero(ruleset: str, data: st.DataObject) -> None:
    value = data.draw(tables_of(ruleset))
    result = score(value)
    _explained(result, ruleset)
    assert sum(result["net"].values()) == 0
    assert all(item["amount"] > 0 for item in result["payments"])
    net = dict.fromkeys(result["net"], 0)
    for item in result["payments"]:
        net[item["from"]] -= item["amount"]
        net[item["to"]] += item["amount"]
    assert net == result["net"]


@_EACH
@_FEW
@given(data=st.data(), rng=st.randoms(use_true_random=False))
def test_order_does_not_matter(ruleset: str, data: st.DataObject, rng: random.Random) -> None:
    value = data.draw(tables_of(ruleset))
    shuffled = copy.deepcopy(value)
    rng.shuffle(shuffled["players"])
    for player in shuffled["players"]:
        for key in ("concealed", "melds", "bonus"):
            rng.shuffle(player[key])
    before, after = score(value), score(shuffled)
    assert {p["seat"]: p["total"] for p in before["players"]} == {
        p["seat"]: p["total"] for p in after["players"]
    }
    assert before["payments"] == after["payments"]


@pytest.mark.parametrize("ruleset", _BONUS_COUNTS)
@_FEW
@given(data=st.data(), tile=st.sampled_from(BONUS_TILES))
def test_a_bonus_tile_never_lowers_a_score(ruleset: str, data: st.DataObject, tile: str) -> None:
    value = data.draw(tables_of(ruleset))
    if any(tile in player["bonus"] for player in value["players"]):
        return
    seat = data.draw(st.sampled_from([player["seat"] for player in value["players"]]))
    richer = copy.deepcopy(value)
    next(p for p in richer["players"] if p["seat"] == seat)["bonus"].append(tile)
    assert of(score(richer), seat)["total"] >= of(score(value), seat)["total"]


@_EACH
@_FEW
@given(data=st.data())
def test_the_dealer_alone_pays_and_receives_otherwise(ruleset: str, data: st.DataObject) -> None:
    value = data.draw(tables_of(ruleset))
    result, winner = score(value), value["win"]["seat"]
    total = of(result, winner)["total"]
    terms = load_ruleset(ruleset).settlement
    paid = {item["from"]: item["amount"] for item in result["payments"] if item["to"] == winner}
    for seat in SEATS:
        if seat == winner or seat not in result["net"]:
            continue
        factor = terms.dealer_pays if seat == "E" else 1
        factor = terms.dealer_receives if winner == "E" else factor
        assert paid.get(seat, 0) == factor * total


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_each_option_has_a_name_of_its_own_and_says_nothing_twice(ruleset: str) -> None:
    options = describe(load_ruleset(ruleset)).options
    names = [str(option.name) for option in options]
    assert len(set(names)) == len(names)
    assert not [name for name, option in zip(names, options, strict=True) if name == option.help]


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_a_special_hand_does_not_say_twice_what_may_be_exposed(ruleset: str) -> None:
    for hand in load_ruleset(ruleset).special_hand:
        told = hand.description.lower()
        assert "may be exposed" not in told
        assert "last tile may be claimed" not in told
        assert "every tile drawn" not in told
        assert hand.exposed != "any" or "all_concealed" not in hand.when


def test_the_limit_is_told_as_it_is_used() -> None:
    def told(ruleset: str, **changes: bool) -> str:
        return str(load_ruleset(ruleset, changes).limit_text)

    assert told("ming-1876") == "None, unless a club sets one."
    assert told("ming-1876", limit_caps_ordinary=True).startswith("2000 points, the most that an")
    assert told("bmja-u3a").startswith("1000 points, the award of a limit hand.")
    assert told("bmja-u3a", limit_caps_special=True).startswith("1000 points, the most that a sp")
    assert told("western") == "1000 points, the most that any hand scores."


def test_a_count_in_fractions_is_told_as_players_count_it() -> None:
    ming = load_ruleset("ming-1876")
    assert [ming.counted(points) for points in (22, 70, 16, 3)] == [
        "5 1/2 x 4 = 22",
        "17 1/2 x 4 = 70",
        "4 x 4 = 16",
        "0 3/4 x 4 = 3",
    ]
    assert load_ruleset("bmja-u3a").counted(22) is None
