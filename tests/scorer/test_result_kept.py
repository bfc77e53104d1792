"""A result comes back whole from its JSON form: every number, word, cause and tile."""

from __future__ import annotations

import json

import pytest

from scorer import DealError, DealResult, parse_deal, score_deal
from scorer.messages import Message, say
from scorer.result import Line
from scorer.rules.rulebook import ruleset_ids
from tests.scorer.golden_cases import cases_of, deal_of


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_every_golden_result_comes_back_as_it_was(ruleset: str) -> None:
    back = 0
    for case in cases_of(ruleset):
        try:
            result = score_deal(parse_deal(deal_of(case, ruleset)))
        except DealError:
            continue
        kept = json.loads(json.dumps(result.to_json(whole=True)))
        again = DealResult.from_json(kept)
        assert again.to_json(whole=True) == result.to_json(whole=True)
        assert again.to_json() == result.to_json()
        assert again == result
        back += 1
    assert back


def test_a_line_that_was_kept_without_its_message_says_its_text() -> None:
    line = Line.from_json({"rule": "x", "text": "a {pung}", "cite": "", "points": 4})
    assert (line.text, line.points, line.doubles, line.tiles) == ("a {pung}", 4, None, ())


def test_a_message_comes_back_with_all_within() -> None:
    inner = say("unknown_tile_code", code="0m")
    message = Message("{what} {many} {who}", {"what": inner, "many": 3, "who": ("E", inner)})
    assert Message.from_json(json.loads(json.dumps(message.to_json()))) == message


@pytest.mark.parametrize("value", [{"id": "x", "values": 3}, {"id": "x", "values": {"a": 1.5}}])
def test_what_is_no_message_is_refused(value: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        Message.from_json(value)
