"""What someone at the table claims a hand to be, checked against what it scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from scorer.deal import Deal
from scorer.errors import DealError
from scorer.evaluation.evaluate import readings
from scorer.explain.why import why_not
from scorer.melds import ReadMeld
from scorer.messages import Message, say
from scorer.notations import NotationError, sets_of
from scorer.result import Line, PlayerResult
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import (
    format_tiles,
    parse_tiles,
    sort_tiles,
)

_MOST_FINDINGS: Final = 6


@dataclass(frozen=True, slots=True)
class TotalClaim:
    """A claimed total beside the one that the hand scores.

    ``findings`` say by which mistakes or other readings the claim would be reached.
    """

    seat: str
    claimed: int
    scored: PlayerResult
    findings: tuple[Message, ...]

    @property
    def right(self) -> bool:
        """Whether the hand scores what was claimed."""
        return self.claimed == self.scored.total

    def to_json(self) -> dict[str, Any]:
        """The claim as a JSON value."""
        return {
            "seat": self.seat,
            "claimed": self.claimed,
            "right": self.right,
            "total": self.scored.total,
            "findings": [str(finding) for finding in self.findings],
        }


@dataclass(frozen=True, slots=True)
class ReadingClaim:
    """A claimed reading of a hand: its melds, and what they score.

    ``result`` is None where the hand cannot be read so; ``findings`` then say why not.
    """

    seat: str
    result: PlayerResult | None
    scored: PlayerResult
    findings: tuple[Message, ...]

    def to_json(self) -> dict[str, Any]:
        """The claim as a JSON value."""
        return {
            "seat": self.seat,
            "claimed": None if self.result is None else self.result.to_json(),
            "scored": self.scored.to_json(),
            "findings": [str(finding) for finding in self.findings],
        }


def check_total(deal: Deal, seat: str, claimed: int) -> TotalClaim:
    """Hold a claimed total against the score of a hand.

    Raises:
        DealError: the deal is impossible, nobody sits there, or the winner's tiles make no winning
            hand.
    """
    scored, *others = readings(deal, seat)
    findings: list[Message] = []
    if claimed != scored.total:
        findings += _other_readings(others, claimed)
        if scored.hand == "ordinary":
            findings += _miscounts(deal, scored, claimed)
    return TotalClaim(seat, claimed, scored, tuple(dict.fromkeys(findings))[:_MOST_FINDINGS])


def _other_readings(others: Sequence[PlayerResult], claimed: int) -> Iterator[Message]:
    for other in others:
        if other.total == claimed:
            yield say("other_reading_scores_it", melds=melds_text(other.laid_out()))


def _miscounts(deal: Deal, scored: PlayerResult, claimed: int) -> Iterator[Message]:
    """The single mistakes that lead from the score to the claim, then any two lines left out."""
    points, doubles = scored.points, scored.doubles
    if claimed == points << doubles:
        yield say("limit_left_out", points=points, times=_times(doubles))
    for other in range(doubles + 4):
        if other != doubles and claimed == points << other:
            yield say(
                "doubled_otherwise", points=points, claimed=_times(other), times=_times(doubles)
            )
    for line in scored.lines:
        if _without(scored, (line,)) == claimed:
            yield say("without_line", line=line.words)
    yield from _added(deal, scored, claimed)
    for pair in combinations(scored.lines, 2):
        if _without(scored, pair) == claimed:
            yield say("without_lines", line=pair[0].words, other=pair[1].words)


def _without(scored: PlayerResult, lines: Sequence[Line]) -> int:
    points = scored.points - sum(line.points or 0 for line in lines)
    return points << (scored.doubles - sum(line.doubles or 0 for line in lines))


def _added(deal: Deal, scored: PlayerResult, claimed: int) -> Iterator[Message]:
    """The rules that would lead to the claim if they held."""
    paid = {line.rule for line in scored.lines}
    for rule in load_ruleset(deal.ruleset, deal.changes).rule:
        points = scored.points + (rule.points or 0)
        doubles = scored.doubles + (rule.doubles or 0)
        if rule.id in paid or claimed != points << doubles:
            continue
        answer = why_not(deal, scored.seat, rule.id)
        yield say("with_rule", rule=answer.name, reasons=answer.told())


def _times(count: int) -> Message:
    if count > 2:
        return say("times", count=count)
    return say(("not_at_all", "once", "twice")[count])


def check_reading(deal: Deal, seat: str, melds: Sequence[Sequence[str]]) -> ReadingClaim:
    """Hold a claimed reading against the one that is scored.

    Args:
        deal: a deal in which the player's tiles are shown.
        seat: the player's seat.
        melds: the tiles of each claimed meld; single tiles of no meld may be left out.

    Raises:
        DealError: as :func:`check_total`.
    """
    found = readings(deal, seat)
    wanted = _groups(melds)
    result = next((part for part in found if wanted == _groups(_claimable(part))), None)
    findings: list[Message] = []
    if result is None:
        findings = list(_unreadable(deal, seat, melds))
    elif result.total < found[0].total:
        findings = [say("reading_scores_more", melds=melds_text(found[0].laid_out()))]
    return ReadingClaim(seat, result, found[0], tuple(findings))


def _groups(melds: Sequence[Sequence[str]]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(sort_tiles(tiles)) for tiles in melds)


def _claimable(part: PlayerResult) -> list[tuple[str, ...]]:
    return [group.tiles for group in part.melds if group.kind != "singles"]


def _unreadable(deal: Deal, seat: str, melds: Sequence[Sequence[str]]) -> Iterator[Message]:
    player = next(player for player in deal.players if player.seat == seat)
    held = Counter((*player.concealed, *(t for meld in player.melds for t in meld.tiles)))
    claimed = Counter(tile for tiles in melds for tile in tiles)
    strange = [] if deal.goulash else sort_tiles((claimed - held).elements())
    if strange:
        yield say("does_not_hold", seat=seat, tiles=tuple(strange))
    for meld in player.melds:
        if not meld.concealed and tuple(sort_tiles(meld.tiles)) not in _groups(melds):
            yield say("meld_stays", tiles=format_tiles(meld.tiles), kind=meld.kind)
    chows = sum(len(set(tiles)) == 3 for tiles in melds)
    ruleset = load_ruleset(deal.ruleset, deal.changes)
    allowed = ruleset.chows_allowed(len(deal.players), goulash=deal.goulash)
    if chows > allowed == 0:
        yield say("chows_not_allowed", chows=chows)
    elif chows > allowed:
        yield say("too_many_chows", chows=chows, allowed=allowed)
    if not strange:
        yield say("no_such_reading")


def parse_claimed_reading(text: str, seat: str) -> tuple[tuple[str, ...], ...]:
    """The tiles of claimed melds, written compactly and separated by blanks.

    Raises:
        DealError: the text holds something that is not a tile.
    """
    try:
        return tuple(tuple(parse_tiles(part)) for part, _ in sets_of(text))
    except NotationError as error:
        raise DealError(seat, "reading", error.words) from error


def melds_text(melds: Sequence[ReadMeld]) -> str:
    """Melds in the compact form, exposed ones marked with a star."""
    return " ".join(
        format_tiles(group.tiles).replace(" ", "") + ("" if group.concealed else "*")
        for group in melds
    )
