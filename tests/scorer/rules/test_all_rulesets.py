"""What must hold under every ruleset, whatever the tiles."""

from __future__ import annotations

import copy
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorer.rules.rulebook import load_ruleset, ruleset_ids
from scorer.tiles import BONUS_TILES, SEATS
from tests.scorer.builders import Json, of, score
from tests.scorer.tables import tables_of

_FEW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
_EACH = pytest.mark.parametrize("ruleset", ruleset_ids())
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
