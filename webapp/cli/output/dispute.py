"""Waits, comparisons, claims and other readings of a hand as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorer.deal import Deal
from scorer.english.sources import cited
from scorer.evaluation.evaluate import readings
from scorer.evaluation.waits import Wait, Waits
from scorer.explain.claims import ReadingClaim, TotalClaim, melds_text
from scorer.explain.compare import Comparison, HandRows, Row, Worth
from scorer.explain.why import WhyNot
from scorer.result import PlayerResult
from scorer.rules.rulebook import load_ruleset
from scorer.rules.ruleset import Ruleset
from scorer.tiles import NAMES, SEAT_NAMES

_TILE_WIDTH = 20
"""Characters of the column of tiles in the table of waits."""

_SCORE_WIDTH = 34
"""Characters of a column of scores in the table of waits."""

_TEXT_WIDTH = 44
"""Characters of the column of texts in a comparison."""

_CELL_WIDTH = 14
"""Minimum number of characters of a column of figures in a comparison."""


def waits_table(deal: Deal, found: Waits) -> str:
    """The tiles that a hand waits for, with the score that each would bring."""
    ruleset = load_ruleset(deal.ruleset, deal.changes)
    goulash = ", a goulash" if deal.goulash else ""
    table = f"{SEAT_NAMES[deal.round_wind]} round{goulash}, {ruleset.name}"
    who = SEAT_NAMES[found.seat]
    fours = " or ".join(NAMES[tile] for tile in found.held_fours)
    if not found.fishing:
        none = f"{who} is not fishing: no single tile completes this hand ({table})."
        if fours:
            none = f"{who} is not fishing: only a fifth {fours} would complete it ({table})."
        return f"{none}\nIf somebody else goes out: {_score(ruleset, found.otherwise)}."
    *more, last = [NAMES[wait.tile] for wait in found.waits]
    tiles = f"{', '.join(more)} or {last}" if more else last
    lines = [f"{who} is fishing for {tiles} ({table}).", ""]
    lines.append(_row("tile", "left", "drawn from the wall", "claimed from a discard"))
    lines += [_wait(ruleset, wait) for wait in found.waits]
    if fours:
        lines.append(f"  A fifth {fours} would fit too, but {who} holds all four.")
    lines += ["", f"If somebody else goes out: {_score(ruleset, found.otherwise)}."]
    return "\n".join(lines)


def _wait(ruleset: Ruleset, wait: Wait) -> str:
    scores = ["-" if part is None else _score(ruleset, part) for part in (wait.wall, wait.discard)]
    return _row(NAMES[wait.tile], str(wait.left), *scores)


def _row(tile: str, left: str, *scores: str) -> str:
    shown = "".join(f"  {score:<{_SCORE_WIDTH}}" for score in scores)
    return f"  {tile:<{_TILE_WIDTH}}{left:>4}{shown}".rstrip()


def _score(ruleset: Ruleset, part: PlayerResult) -> str:
    name = hand_name(ruleset, part.hand)
    if part.hand != "ordinary" or not part.doubles:
        return f"{part.total} ({name})"
    times = "once" if part.doubles == 1 else f"{part.doubles} times"
    return f"{part.total} ({part.points} doubled {times})"


def hand_name(ruleset: Ruleset, hand: str) -> str:
    """The name of a result's ``hand`` in this ruleset."""
    fishing, _, own = hand.rpartition(":")
    names = {special.id: special.name for special in ruleset.special_hand}
    fixed = {"ordinary": "ordinary hand", "none": "no score", "claimed": "as claimed"}
    name = fixed.get(own) or names.get(own, own)
    return f"fishing for {name}" if fishing else name


def comparison_table(found: Comparison) -> str:
    """The score of each player under each system: totals, lines and gains.

    Lines that differ between the systems start with an asterisk.
    """
    names = [column.system.name for column in found.columns]
    width = max(_CELL_WIDTH, *(len(name) + 2 for name in names))
    refused = [column for column in found.columns if column.error is not None]
    lines = [_cells("", names, width)]
    lines += [f"  {column.system.name}: {column.error}" for column in refused]
    for hand in found.hands:
        lines += ["", *_hand(hand, width)]
    lines += ["", "Gains and losses"]
    for hand in found.hands:
        gains = [
            "-" if column.result is None else f"{column.result.net[hand.seat]:+}"
            for column in found.columns
        ]
        lines.append(_cells(f"  {SEAT_NAMES[hand.seat]}", gains, width))
    return "\n".join(lines)


def _hand(hand: HandRows, width: int) -> Iterator[str]:
    totals = ["-" if part is None else str(part.total) for part in hand.parts]
    yield _cells(SEAT_NAMES[hand.seat], totals, width)
    for row in hand.rows:
        yield _cells(_marked(row), [_worth(worth) for worth in row.worths], width)


def _marked(row: Row) -> str:
    text = row.text if len(row.text) <= _TEXT_WIDTH - 4 else f"{row.text[: _TEXT_WIDTH - 7]}..."
    return f"{'* ' if row.differs else '  '}{text}"


def _worth(worth: Worth | None) -> str:
    if worth is None:
        return ""
    further = ((worth.fan, "fan"), (worth.fu, "fu"), (worth.limits, "limits"))
    told = next((f"{number} {unit}" for number, unit in further if number), None)
    doubled = "1 double" if worth.doubles == 1 else f"{worth.doubles} doubles"
    return told or (doubled if worth.doubles else str(worth.points))


def _cells(text: str, cells: Sequence[str], width: int) -> str:
    return (f"{text:<{_TEXT_WIDTH}}" + "".join(f"{cell:>{width}}" for cell in cells)).rstrip()


Others = Mapping[str, Sequence[PlayerResult]]
"""The other lawful readings of hands that have any, by seat, best first."""


def other_readings(deal: Deal) -> Others:
    """The lawful readings of all hands except those that are scored."""
    found = {seat: readings(deal, seat)[1:] for seat in deal.seats}
    return {seat: others for seat, others in found.items() if others}


def readings_json(others: Others) -> dict[str, list[dict[str, Any]]]:
    """The other readings as a JSON value."""
    return {seat: [part.to_json() for part in parts] for seat, parts in others.items()}


def readings_lines(deal: Deal, others: Others) -> Iterator[str]:
    """The other readings as lines, each with its melds and its score."""
    ruleset = load_ruleset(deal.ruleset, deal.changes)
    for seat, parts in others.items():
        yield f"\n{SEAT_NAMES[seat]}'s tiles may also be read as"
        for part in parts:
            yield f"  {melds_text(part.laid_out()):<{_TEXT_WIDTH}} {_score(ruleset, part)}"


def claim_lines(claim: TotalClaim | ReadingClaim) -> Iterator[str]:
    """A claim as lines: whether it is right, and where the difference comes from."""
    who = SEAT_NAMES[claim.seat]
    if isinstance(claim, TotalClaim):
        told = "right" if claim.right else f"the hand scores {claim.scored.total}"
        yield f"{who} claims {claim.claimed}: {told}."
        none = [] if claim.right else ["No single line more or less leads to the claim."]
        findings = [f"It would be reached {_how(str(finding))}." for finding in claim.findings]
        yield from (f"  {finding}" for finding in findings or none)
        return
    scored = f"{claim.scored.total}, read as {melds_text(claim.scored.laid_out())}"
    told = "cannot be" if claim.result is None else f"scores {claim.result.total}"
    yield f"{who}'s claimed reading {told}; the hand scores {scored}."
    for finding in map(str, claim.findings):
        yield f"  {finding[0].upper()}{finding[1:]}."


def _how(finding: str) -> str:
    return finding if finding.startswith("with") else f"thus: {finding}"


def why_lines(answers: Sequence[WhyNot]) -> Iterator[str]:
    """Rules or special hands as lines: whether each counts, or what it lacks."""
    for answer in answers:
        yield f"  {answer.row}: {answer.name} [{cited(answer.cite)}]"
        told = "; ".join(map(str, answer.told()))
        yield f"      {'counts' if answer.counts else f'does not count: {told}'}"
