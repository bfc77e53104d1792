"""The lines that explain one way to score a hand."""

from __future__ import annotations

from typing import Final

from scorer.counting.worth import Way, Worth
from scorer.melds import Reading, melds_of
from scorer.messages import Message, own_words, say
from scorer.result import Line, PlayerResult
from scorer.rules.compiled import POINTS, Numbered, doubles_of
from scorer.rules.rule import Award, SpecialHand

NAMED_SHARES: Final = ("1/1", "1/2", "1/3", "1/5", "2/5")
"""The shares of the limit that have a name of their own."""


def explained(seat: str, worth: Worth, way: Way) -> PlayerResult:
    """The explained score of one way to score a player's hand."""
    if way.special is not None:
        return _special(seat, worth, way, way.special)
    points, doubles = way.worth & POINTS, doubles_of(way.worth)
    lines = _lines(worth, way.reading) + _closing_lines(worth, points << doubles, special=False)
    return PlayerResult(
        seat,
        way.total,
        points,
        doubles + worth.tally.whole,
        "ordinary",
        melds_of(way.reading),
        tuple(lines),
    )


def _lines(worth: Worth, reading: Reading) -> list[Line]:
    """The lines of an ordinary hand, in the order of the ruleset."""
    tally = worth.tally
    numbered: list[Numbered] = [*tally.hand_lines, *tally.bonus_lines]
    traits, points = worth.traits(reading), 0
    for number in sorted(reading):
        numbered += tally.melds.lines[number]
        points += tally.melds.worth[number] & POINTS
    numbered += tally.with_traits(traits, scoreless=not points)[1]
    numbered.sort(key=_order)
    return [line for _, line in numbered]


def _closing_lines(worth: Worth, total: int, *, special: bool) -> list[Line]:
    """What is done to a total: the limit, rounding, and what doubles the whole score.

    Beside a special hand's award each line has the points that lead to the next total.
    """
    lines: list[Line] = []
    limit, rounding = worth.limit(special=special), worth.ruleset.rounding
    if limit is not None and total > limit.value:
        words = own_words(limit.text, limit=limit.value)
        lines.append(Line("limit", words, limit.cite, special * (limit.value - total)))
        total = limit.value
    rounded = worth.ruleset.rounded(total)
    if rounding is not None and rounded != total:
        words = own_words(rounding.text, to=rounding.to, exact=total)
        lines.append(Line("rounding", words, rounding.cite, special * (rounded - total)))
    for _, line in worth.tally.whole_lines:
        if special:
            more = (rounded << (line.doubles or 0)) - rounded
            words = say("on_whole_score", rule=line.words)
            lines.append(Line(line.rule, words, line.cite, more))
            rounded += more
        else:
            lines.append(line)
    return lines


def _special(seat: str, worth: Worth, way: Way, special: SpecialHand) -> PlayerResult:
    won, ruleset = worth.win is not None, worth.ruleset
    fished = None if won else ruleset.fishing_award(special)
    award = special.won if fished is None else fished
    texts = ruleset.texts
    hand = special.id if won else f"fishing:{special.id}"
    template = texts.won if won else texts.fishing
    words = own_words(template, name=special.name, award=_reason(worth, award, way.reading))
    lines = [Line(hand, words, special.cite, way.worth)]
    bonus = worth.bonus(award, way.worth)
    if bonus:
        factor = 1 << doubles_of(worth.tally.special_bonus)
        told = own_words(texts.bonus, points=bonus // factor, factor=factor)
        doubled = tuple(line.words for _, line in worth.tally.special_lines if line.doubles)
        if doubled:
            told = say("bonus_doubled", bonus=told, reasons=doubled)
        lines.append(Line("bonus", told, texts.bonus_cite, bonus))
    lines += _closing_lines(worth, way.worth + bonus, special=True)
    return PlayerResult(seat, way.total, way.total, 0, hand, way.melds, tuple(lines))


def _reason(worth: Worth, award: Award, reading: Reading) -> Message:
    limit = worth.ruleset.limit
    if award.limit is not None and limit is not None:
        if award.limit in NAMED_SHARES:
            return say(f"limit_{award.limit.replace('/', '_')}", limit=limit.value)
        return say("limit_share", share=award.limit, limit=limit.value)
    points = worth.multiplied(award, reading)
    return say("times_the_points", times=award.times_points or 1, points=points)


def _order(line: Numbered) -> int:
    return line[0]
