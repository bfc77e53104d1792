"""The lines that explain a hand counted in fan."""

from __future__ import annotations

from functools import lru_cache

from scorer.counting.fan import Fan, FanScorer
from scorer.facts.relations import Places
from scorer.melds import EXPOSE, MELDS
from scorer.messages import own_words, say
from scorer.result import InFan, Line, PlayerResult
from scorer.rules.fan_rules import FanRule, FanRules


def explained_in_fan(scorer: FanScorer, seat: str, fan: Fan) -> PlayerResult:
    """The explained score of one way to count a winner's hand."""
    exposed = scorer.exposed
    bonus = iter(scorer.bonus)
    sets = sorted(fan.lie.reading, key=_plain)
    lines: list[Line] = []
    of_lines = 0
    for rule, places, times in sorted(fan.lines, key=_order):
        tiles = (next(bonus),) if rule.rule.per_bonus else _tiles(sets, places)
        lines += [_line(rule, rule.worth[exposed], tiles)] * times
        of_lines += rule.rule.fu or 0
    whole = fan.limits or any(rule.rule.fixed for rule, _, _ in fan.lines)
    lines += _closing(
        scorer.rules, fan.fan, fan.fu, fan.limits, fan.base, None if whole else of_lines
    )
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


@lru_cache(maxsize=4096)
def _closing(
    rules: FanRules, fan: int, fu: int, limits: int, base: int, of_lines: int | None
) -> tuple[Line, ...]:
    """The fu of going out, those by which fu are rounded up, and what all comes to.

    ``of_lines`` are the fu of the lines, where they are added up.
    """
    value = rules.value
    lines: list[Line] = []
    if value.fu and of_lines is not None:
        lines.append(Line("going_out", say("fu_of_going_out"), value.cite, fu=value.fu))
        more = fu - of_lines - value.fu
        if more:
            words = say("fu_rounded", to=value.fu_to)
            lines.append(Line("rounding", words, value.cite, fu=more))
    return (*lines, Line("value", value.told(fan, fu, limits), value.cite, base))


def _tiles(sets: list[int], places: Places) -> tuple[str, ...]:
    """The tiles of the only set that a line counts for."""
    return MELDS[sets[places[0]]].tiles if len(places) == 1 else ()


def _plain(number: int) -> int:
    return number % EXPOSE


def _order(line: tuple[FanRule, Places, int]) -> int:
    return line[0].order
