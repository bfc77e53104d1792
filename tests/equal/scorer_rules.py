"""What the scorer says of rulesets: all they hold, house rules, examples, hands to practise on."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any, Final

from scorer import Deal, list_rulesets, score_deal
from tests.equal import inside_scorer as inside
from tests.equal.canonical import digest, outcome, plain, text_of
from tests.equal.inside_scorer import Json
from tests.equal.records import Records
from tests.equal.spoiling import junk_somewhere

_TYPED: Final = (
    *("123m 456p 789s 1155z", "111222333m 44455z 2f", "5555z", "", "12q", "1m2m3m", "0m", "10m"),
    *("back", "99s 1y 4f", "1234567890m", "7z " * 30, "一", "m1", "1 2 3 p"),
)


def record(records: Records) -> None:
    """Record the rulesets and what follows from them."""
    names = inside.rulesets()
    records.add("rulesets", list_rulesets())
    for ruleset in (*names, "nobody's"):
        records.add(f"ruleset {ruleset}", outcome(inside.ruleset_dump, ruleset))
    for one in names:
        for other in names:
            records.add(f"gaps {one} {other}", outcome(inside.ruleset_gaps, one, other))
        _record_house_rules(records, one)
        _record_hands(records, one)
        for number in records.some(120):
            records.add(f"club file {one} {number}", _club_file(one, number))
    for text in _TYPED:
        records.add(f"tiles {text}", outcome(inside.typed_tiles, text))
        melds = ("", "555z (1111z)", "123m", "12m", "(123m)")
        records.add(f"player {text}", [outcome(inside.typed_player, "E", text, m) for m in melds])


def _record_house_rules(records: Records, ruleset: str) -> None:
    """Every house rule with each of its values and some that it does not take."""
    info = next(each for each in list_rulesets() if each.id == ruleset)
    deals = [inside.practice_hand(ruleset, seed, hard=True)[0] for seed in range(4)]
    for option in info.options:
        for value in _values(option):
            changes = {option.id: value}
            told = _short(outcome(inside.ruleset_told, ruleset, changes))
            held = _short(outcome(inside.ruleset_dump, ruleset, changes))
            scores = [outcome(_under, deal, changes) for deal in deals]
            records.add(
                f"house rule {ruleset} {option.id} {value!r}",
                {"told": told, "held": held, "scores": scores},
            )


def _short(found: Any) -> Any:
    """A refusal as it is, and the hash of anything else."""
    return found if "refused" in found else digest(text_of(found).encode())


def _values(option: Any) -> Iterator[Any]:
    yield from (True, False, "no such", option.minimum - 1, option.maximum + 1)
    if option.kind == "choice":
        yield from (choice for choice, _ in option.choices)
    elif option.kind != "boolean":
        yield from sorted({option.minimum, option.maximum, (option.minimum + option.maximum) // 2})


def _under(deal: Deal, changes: Json) -> Json:
    return score_deal(inside.deal_of_json({**deal.to_json(), "changes": changes})).to_json()


def _record_hands(records: Records, ruleset: str) -> None:
    """An example of each special hand, and hands to practise on."""
    for special in (*inside.special_hands(ruleset), "no_such"):
        for seed in range(1 if records.quick else 2):
            found = outcome(inside.example_hand, ruleset, special, seed)
            records.add(f"example {ruleset} {special} {seed}", found)
    for hard in (False, True):
        for seed in records.some(150):
            found = outcome(inside.practice_hand, ruleset, seed, hard=hard)
            records.add(f"practice {ruleset} {'hard' if hard else 'easy'} {seed}", found)
    deal, seat, _ = inside.practice_hand(ruleset, 1, hard=True)
    for row in (*inside.rows(ruleset), "no_such"):
        records.add(f"why {ruleset} {row}", outcome(inside.reason, deal, seat, row))


def _club_file(base: str, number: int) -> Any:
    """A club's own file with something else in one place, as it is read or refused."""
    rng = random.Random(f"club file {base} {number}")
    table: Json = copy.deepcopy(_file(base))
    junk_somewhere(rng, table)
    checked = _short(outcome(inside.ruleset_checked, table))
    return {"file": digest(text_of(plain(table)).encode()), "checked": checked}


def _file(base: str) -> Json:
    """A file that changes a few rules of another one."""
    whole = plain(inside.ruleset_dump(base))
    own = {"id": "club", "name": "Our club", "description": "Ours", "base": base}
    changed = [{**rule, "cite": "Minutes"} for rule in whole["rule"][:3]]
    hands = [{"id": hand["id"], "enabled": False} for hand in whole["special_hand"][:2]]
    return {**own, "rule": changed, "special_hand": hands, "limit": {"value": 700}}
