"""The lines that explain a hand counted in fan."""

from __future__ import annotations

from functools import lru_cache

from scorer.counting.fan import Fan, FanScorer
from scorer.facts.relations import Places
from scorer.melds import EXPOSE, MELDS
from scorer.messages import own_words, say
from scorer.result import InFan, Line, PlayerResult
from scorer.rules.fan_rules import FanRule


def explained_in_fan(scorer: FanScorer, seat: str, fan: Fan) -> PlayerResult:
    """The explained score of one way to count a winner's hand."""
    value = scorer.value
    ordered = sorted(fan.lines, key=_order)
    bonus = iter(scorer.bonus)
    lines: list[Line] = []
    for rule, places, times in ordered:
        tiles = (next(bonus),) if rule.rule.per_bonus else _tiles(fan, places)
        lines += [_line(rule, scorer.fan_of(rule), tiles)] * times
    lines += _of_fu(scorer, fan)
    lines.append(Line("value", value.told(fan.fan, fan.fu, fan.limits), value.cite, fan.base))
    return PlayerResult(
        seat,
        fan.base,
        fan.base,
        0,
        "ordinary",
        fan.lie.melds,
        tuple(lines),
        InFan(fan.fan, fan.fu, fan.limits, fan.base, fan.liable),
    )


@lru_cache(maxsize=4096)
def _line(rule: FanRule, fan: int, tiles: tuple[str, ...]) -> Line:
    row = rule.rule
    words = own_words(row.text, tile=tiles[0] if tiles else "")
    worth = None if row.fan is None else fan
    return Line(row.id, words, row.cite, tiles=tiles, fan=worth, fu=row.fu, limits=row.limits)


def _of_fu(scorer: FanScorer, fan: Fan) -> list[Line]:
    """The fu of going out, and those by which fu are rounded up."""
    value = scorer.value
    if not value.fu or fan.limits:
        return []
    rows = [rule.rule for rule, _, _ in fan.lines]
    if any(row.fixed for row in rows):
        return []
    told = sum(row.fu or 0 for row in rows) + value.fu
    lines = [Line("going_out", say("fu_of_going_out"), value.cite, fu=value.fu)]
    if told != fan.fu:
        words = say("fu_rounded", to=value.fu_to)
        lines.append(Line("rounding", words, value.cite, fu=fan.fu - told))
    return lines


def _tiles(fan: Fan, places: Places) -> tuple[str, ...]:
    """The tiles of the only set that a line counts for."""
    if len(places) != 1:
        return ()
    plain = sorted(fan.lie.reading, key=_plain)
    return MELDS[plain[places[0]]].tiles


def _plain(number: int) -> int:
    return number % EXPOSE


def _order(line: tuple[FanRule, Places, int]) -> int:
    return line[0].order
