"""Deals of any tiles under the rules of 1924 and of 1876, against a second opinion."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.scorer.builders import Json, of, score
from tests.scorer.counting.brute_oldest import family_score, loser_of_1924, winner_of_1924
from tests.scorer.systems import MING, UK
from tests.scorer.tables import tables_of

_SOME = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@_SOME
@given(tables_of(UK))
def test_no_reading_beats_the_chosen_one_under_the_laws_of_1924(value: Json) -> None:
    result = score(value)
    seat = value["win"]["seat"]
    assert of(result, seat)["total"] == winner_of_1924(value)
    for player in value["players"]:
        if player["seat"] != seat:
            assert of(result, player["seat"])["total"] == loser_of_1924(player)


@_SOME
@given(tables_of(MING), st.sampled_from("ESWN"), st.booleans())
def test_the_family_count(value: Json, dealer: str, drawn: bool) -> None:  # noqa: FBT001 - a strategy's value
    value["dealer"] = dealer
    if drawn:
        winner = next(it for it in value["players"] if it["seat"] == value["win"]["seat"])
        winner["concealed"].remove(value["win"]["tile"])
        value["win"] = None
    result = score(value)
    totals = {player["seat"]: family_score(value, player) for player in value["players"]}
    assert {part["seat"]: part["total"] for part in result["players"]} == totals
    assert result["net"] == _net(value, totals)


def _net(value: Json, totals: dict[str, int]) -> dict[str, int]:
    """Gains by the family's rules: the winner is paid, the Jong paying double, others settle."""
    net = dict.fromkeys("ESWN", 0)
    winner = value["win"] and value["win"]["seat"]
    for payer in "ESWN":
        for receiver in "ESWN":
            amount = max(0, totals[receiver] - totals[payer])
            if receiver == winner:
                amount = totals[winner] * (2 if payer == value["dealer"] else 1)
            if payer not in (receiver, winner):
                net[payer] -= amount
                net[receiver] += amount
    return net
