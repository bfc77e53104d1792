"""What settles a dispute at the table, as plain text for people who use the command line."""

from __future__ import annotations

from scorer.deal import Deal
from scorer.result import PlayerResult
from scorer.rulebook import load_ruleset
from scorer.ruleset import Ruleset
from scorer.tiles import NAMES, SEAT_NAMES
from scorer.waits import Wait, Waits

_TILE_WIDTH = 20
_SCORE_WIDTH = 34


def waits_table(deal: Deal, found: Waits) -> str:
    """What a hand waits for, with the score that each tile would bring."""
    ruleset = load_ruleset(deal.ruleset, deal.changes)
    table = f"{SEAT_NAMES[deal.round_wind]} round, {ruleset.name}"
    who = SEAT_NAMES[found.seat]
    if not found.fishing:
        none = f"{who} is not fishing: no single tile completes this hand ({table})."
        return f"{none}\nIf somebody else goes out: {_score(ruleset, found.otherwise)}."
    *more, last = [NAMES[wait.tile] for wait in found.waits]
    tiles = f"{', '.join(more)} or {last}" if more else last
    lines = [f"{who} is fishing for {tiles} ({table}).", ""]
    lines.append(_row("tile", "left", "drawn from the wall", "claimed from a discard"))
    lines += [_wait(ruleset, wait) for wait in found.waits]
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
    """What to call a result's ``hand``."""
    fishing, _, own = hand.rpartition(":")
    names = {special.id: special.name for special in ruleset.special_hand}
    fixed = {"ordinary": "ordinary hand", "none": "no score", "claimed": "as claimed"}
    name = fixed.get(own) or names.get(own, own)
    return f"fishing for {name}" if fishing else name
