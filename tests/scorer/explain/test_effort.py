"""Whatever ruleset a club writes, searching for examples and reasons comes to an end."""

from __future__ import annotations

import copy
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

import scorer
from scorer.errors import DealError, RulesetError
from scorer.explain import effort, examples
from scorer.explain.compare import System, compare
from scorer.explain.effort import OutOfTime
from scorer.explain.examples import example
from scorer.explain.practice import question
from scorer.explain.why import all_why_not
from scorer.facts.shapes import NUMBERED_SHAPES, SHAPES
from scorer.rules import contradictions
from scorer.rules.conditions import CONDITIONS
from scorer.rules.folder import rulesets_from
from scorer.rules.rule import WHOLE_HAND_SHAPES
from scorer.rules.rulebook import check_table, forget_files, load_ruleset, ruleset_ids
from scorer.tiles import PLAYING_TILES
from tests.scorer.tables import build

A_STEP = 1.0
"""Seconds of processor time that a step may take: no search looks at its time more often."""


@pytest.fixture(scope="module", autouse=True)
def _little_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(effort, "MAX_SECONDS", 1.0)
        yield


HAND = {
    "id": "strange",
    "name": "Strange",
    "description": "Strange.",
    "shape": "sets",
    "won": {"limit": "1/2"},
    "cite": "our table",
}


def _club(*hands: dict[str, Any], base: str = "bmja-u3a") -> dict[str, Any]:
    entries = [HAND | hand for hand in hands]
    return {
        "id": "ours",
        "name": "Ours",
        "description": "-",
        "base": base,
        "special_hand": entries,
    }


@contextmanager
def _played(table: dict[str, Any]) -> Iterator[None]:
    """A club's ruleset file at hand under the id that it gives."""
    with tempfile.TemporaryDirectory() as folder, rulesets_from(Path(folder)):
        (Path(folder) / "ours.toml").write_text(tomli_w.dumps(table), "utf-8")
        forget_files()
        examples._cached.cache_clear()
        try:
            yield
        finally:
            forget_files()
            examples._cached.cache_clear()


@contextmanager
def _soon() -> Iterator[None]:
    """One answer, that takes its time and no more."""
    effort.allow()
    begun = time.thread_time()
    try:
        yield
    finally:
        effort.forget()
    assert time.thread_time() - begun < effort.MAX_SECONDS + A_STEP


def test_a_hand_that_nothing_can_be_laid_for_has_no_example(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A contradiction that was not found when the file was checked costs no more than its draws."""
    monkeypatch.setattr(contradictions, "_known", {})
    monkeypatch.setattr(contradictions.Search, "can_be", lambda *_: True)
    with _played(_club({"when": ["no_honours", "all_honours"]})):
        with _soon():
            assert example("ours", "strange") is None
        assert example("ours", "purity") is not None


def test_what_every_suit_alone_would_break_is_found_all_the_same() -> None:
    with _played(_club({"when": ["no_honours"], "unless": ["one_suit"]})):
        found = example("ours", "strange")
    assert found is not None
    suits = {tile[1] for group in found.result.melds for tile in group.tiles}
    assert len(suits) > 1
    assert not suits & {"z"}


def test_all_hands_of_a_page_share_its_time_and_are_found_later() -> None:
    names = [f"strange-{n}" for n in range(40)]
    table = _club(*({"id": name, "when": ["own_flower", "own_season"]} for name in names))
    with _played(table):
        with _soon():
            first = [example("ours", name) for name in names]
            with pytest.raises(OutOfTime, match="takes too long to work out"):
                effort.go_on()
        assert first == [None] * len(names)
        with _soon():
            assert example("ours", "purity") is not None


def test_a_quiz_under_rules_that_pay_nothing_ends() -> None:
    hands = [{"id": f"strange-{n}", "when": ["all_flowers"]} for n in range(40)]
    usual = load_ruleset("bmja-u3a")
    off = dict.fromkeys(
        [*(it.id for it in usual.rule), *(it.id for it in usual.special_hand)], False
    )
    with _played(_club(*hands) | {"changes": off}), _soon(), pytest.raises(DealError):
        question("ours", "hard", 1)


def test_nothing_is_searched_for_where_fan_are_counted() -> None:
    with _played(_club({"won": {"times_points": 2}}, base="hong-kong")), _soon():
        assert example("ours", "strange") is None


def test_a_search_alone_has_time_of_its_own() -> None:
    deal = scorer.parse_deal(build(random.Random(1)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(effort, "MAX_SECONDS", 0)
        assert example("bmja-u3a", "purity", seed=999) is None
        with pytest.raises(OutOfTime):
            all_why_not(deal, "E")
    assert example("bmja-u3a", "purity", seed=999) is not None
    assert all_why_not(deal, "E")
    effort.go_on()


def _conditions(rng: random.Random, entry: dict[str, Any]) -> None:
    """Drop, add or swap conditions of a rule or special hand."""
    for key in ("when", "unless"):
        names = list(entry.get(key, ()))
        names = [name for name in names if rng.random() < 0.7]
        names += rng.sample(sorted(CONDITIONS), rng.choice((0, 0, 1, 1, 2, 3)))
        entry[key] = names
    if rng.random() < 0.2:
        entry["when"], entry["unless"] = entry["unless"], entry["when"]


def _mutated(rng: random.Random) -> dict[str, Any]:
    """A shipped ruleset as a club may rewrite it: some of its entries, not all, are other ones."""
    base = rng.choice(sorted(ruleset_ids()))
    found = load_ruleset(base)
    table = _club(base=base)
    every = load_ruleset("bmja-u3a").special_hand if not found.special_hand else found.special_hand
    for hand in rng.sample(every, min(6, len(every))):
        entry = hand.model_dump(exclude_none=True, exclude_defaults=True)
        entry = {"id": hand.id, "won": {"times_points": 2}, **entry}
        entry["won"] = {"times_points": 2}
        entry.pop("fishing", None)
        if rng.random() < 0.4:
            entry["shape"] = rng.choice((*WHOLE_HAND_SHAPES, *SHAPES))
        if rng.random() < 0.3:
            entry["winning_tile"] = rng.choice(PLAYING_TILES)
        if rng.random() < 0.3:
            entry["exposed"] = rng.choice(("any", "last_claimed", "none"))
        entry["numbers"] = [5, 7] if entry["shape"] in NUMBERED_SHAPES else []
        if entry["shape"] in WHOLE_HAND_SHAPES:
            _conditions(rng, entry)
        else:
            entry["when"] = entry["unless"] = []
        table["special_hand"].append(entry)
    table["rule"] = []
    set_by_options = [target for option in found.option for target in (option.target, *option.also)]
    for rule in rng.sample(found.rule, 4):
        if any(target.startswith(f"rule.{rule.id}.") for target in set_by_options):
            continue
        if rule.per_set is None and rule.per_bonus is None and rule.group == "hand":
            changed: dict[str, Any] = {"id": rule.id, "when": rule.when, "unless": rule.unless}
            _conditions(rng, changed)
            table["rule"].append(changed)
    return table


def _sound(table: dict[str, Any]) -> dict[str, Any]:
    """The table without the entries for which it is refused."""
    table = copy.deepcopy(table)
    for _ in range(len(table["special_hand"]) + len(table["rule"]) + 1):
        try:
            check_table(table, "ours.toml")
        except RulesetError as error:
            part, own, *_ = error.key.split(".")
            table[part] = [entry for entry in table[part] if entry["id"] != own]
        else:
            return table
    raise AssertionError("it is refused for something else than these entries")


@pytest.mark.no_cover
@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_examples_and_reasons_end_under_any_rules(seed: int) -> None:
    rng = random.Random(seed)
    table = _sound(_mutated(rng))
    with _played(table):
        hands = [hand.id for hand in load_ruleset("ours").special_hand if hand.enabled]
        with _soon():
            for hand in hands:
                found = example("ours", hand)
                assert found is None or found.result.hand == hand
        deal = scorer.parse_deal(build(rng, ruleset=table["base"]) | {"ruleset": "ours"})
        for player in deal.players:
            with _soon():
                try:
                    found_why = all_why_not(deal, player.seat)
                except DealError:
                    continue
                assert len(found_why) == len(load_ruleset("ours").rule) + len(
                    load_ruleset("ours").special_hand
                )
        with _soon():
            compare(deal, [System(name) for name in ruleset_ids()])
