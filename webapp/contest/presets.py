"""Ways of counting that clubs use, each with where it was found; a club changes what it likes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from webapp.contest.rules import Count, Rules


@dataclass(frozen=True, slots=True)
class Preset:
    """A way of counting to begin with.

    Attributes:
        id: what tells it from the others.
        rules: how is counted.
        source: where it was found.
    """

    id: str
    rules: Rules
    source: str


PRESETS: Final = (
    Preset(
        "european",
        Rules(ties=("points", "firsts")),
        "Open European Mahjong Championship 2005: 4-2-1-0 at each table "
        "(uk.mahjong.dk/activities/eurochampionship/2005); Mahjong En Seine, MCR tournament 2021: "
        "equal players share, then the higher score is ahead (mahjongtime.blogspot.com/2021/03)",
    ),
    Preset(
        "points",
        Rules(count=Count.POINTS, ties=("won", "highest", "meeting")),
        "the ordinary score sheet, whose rows add up to nothing "
        "(guildfordmahjong.co.uk/scoring.html)",
    ),
    Preset(
        "club",
        Rules(
            places=(Fraction(4), Fraction(2), Fraction(1), Fraction(1, 2), Fraction(0)),
            ties=("won", "points", "meeting"),
        ),
        "Groene Hart Mahjong, rules of the competition: 4-2-1-½, nothing for the last of five; of "
        "equal players the one with more hands won is ahead (groenehartmahjong.com)",
    ),
)
"""What a new contest can begin with, the first unless another is chosen."""
