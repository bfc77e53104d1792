"""What tells two rulesets apart."""

from __future__ import annotations

import pytest

from scorer.explain.difference import Difference, differences
from scorer.messages import plain_words
from scorer.rules.rulebook import load_ruleset, ruleset_ids
from scorer.rules.ruleset import Ruleset


def _changed(**changes: bool | int | str) -> tuple[Difference, ...]:
    return differences(load_ruleset("bmja-u3a"), load_ruleset("bmja-u3a", changes))


def test_an_option_is_named_as_people_know_it() -> None:
    one, other = plain_words("1000"), plain_words("500")
    (gap,) = _changed(limit=500)
    assert gap == Difference("ruleset", "", "", "limit.value", "Limit", one, other)
    assert gap.to_json() == {
        "part": "ruleset",
        "id": "",
        "name": "",
        "key": "limit.value",
        "label": "Limit",
        "one": "1000",
        "other": "500",
    }
    (snake,) = _changed(snake_pair="any")
    assert (snake.part, snake.id, snake.name) == (
        *("special_hand", "wriggling_snake", "Wriggling Snake"),
    )
    assert (snake.label, str(snake.one), str(snake.other)) == (
        *("Pair of the Wriggling Snake", "Only the ones", "Any number"),
    )


def test_a_rule_that_is_switched_off() -> None:
    (gap,) = _changed(clean=False)
    assert (gap.part, gap.id, gap.key, str(gap.one), str(gap.other)) == (
        *("rule", "clean", "enabled", "yes", "no"),
    )


def test_conditions_are_told_in_words() -> None:
    found = differences(load_ruleset("bmja-u3a"), load_ruleset("bmja-mjbr"))
    (clean,) = [gap for gap in found if gap.id == "clean" and gap.key == "when"]
    assert str(clean.other) == f"{clean.one}; some winds or dragons"


def test_an_entry_that_only_one_has() -> None:
    one, other = load_ruleset("bmja-u3a"), load_ruleset("bmja-mjbr")
    (there,) = [gap for gap in differences(one, other) if gap.id == "final_discard_special"]
    assert (there.part, there.key, there.one) == ("rule", "", None)
    assert there.other is not None
    assert str(there.other).endswith(", doubles 1")
    (back,) = [gap for gap in differences(other, one) if gap.id == "final_discard_special"]
    assert (back.one, back.other) == (there.other, None)


def test_citations_are_compared_when_asked_for() -> None:
    one, other = load_ruleset("bmja-u3a"), load_ruleset("bmja-mjbr")
    without = differences(one, other)
    assert not any(gap.key.endswith("cite") for gap in without)
    found = differences(one, other, cites=True)
    assert set(without) < set(found)
    (wind,) = [gap for gap in found if (gap.part, gap.id) == ("rule", "round_wind")]
    assert (wind.key, str(wind.one), str(wind.other)) == ("cite", "000 Sheet 17", "001 Winds")


def test_all_that_the_clarified_rules_change() -> None:
    found = differences(load_ruleset("bmja-u3a"), load_ruleset("bmja-mjbr"))
    told = {(gap.id, gap.key) for gap in found if gap.key not in ("text", "description")}
    assert told == {
        ("", "limit.caps_ordinary"),
        ("", "limit.caps_special"),
        ("", "special_bonus"),
        ("", "robbed_completes"),
        ("", "robbed_special"),
        ("", "game.dealer_maximum"),
        ("", "game.text"),
        ("clean", "when"),
        ("all_concealed", "when"),
        ("all_majors", "when"),
        ("final_discard_special", ""),
        ("buried_treasure", "exposed"),
        ("gates_of_heaven", "numbers"),
        ("three_great_scholars", "when"),
        ("clean_concealed", ""),
    }


@pytest.mark.parametrize("name", ruleset_ids())
def test_a_ruleset_does_not_differ_from_itself(name: str) -> None:
    assert differences(load_ruleset(name), load_ruleset(name), cites=True) == ()


@pytest.mark.parametrize("name", ruleset_ids())
def test_every_setting_that_a_house_rule_can_have_makes_a_difference(name: str) -> None:
    usual = load_ruleset(name)
    for option in usual.option:
        now = usual.setting_of(option)
        others: list[bool | int | str] = [choice.id for choice in option.choices]
        if option.kind == "boolean":
            others = [not now]
        elif option.kind == "integer":
            others = [option.maximum if now != option.maximum else option.minimum]
        for value in others:
            found = differences(usual, _with(usual, option.id, value))
            assert bool(found) is (value != now), option.id


def _with(ruleset: Ruleset, option: str, value: bool | int | str) -> Ruleset:  # noqa: FBT001 - a setting may be a truth value
    return load_ruleset(ruleset.id, {option: value})


def test_a_whole_table_that_only_one_has_is_told_key_by_key() -> None:
    usual = load_ruleset("bmja-u3a")
    (gap,) = differences(usual, usual.model_copy(update={"goulash": None}))
    assert (gap.part, gap.key, str(gap.other)) == ("ruleset", "goulash", "none")
    assert str(gap.one).startswith("wild 2s, wild_per_set 1, wild_pair yes, ")
