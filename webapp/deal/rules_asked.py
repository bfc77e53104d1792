"""What the scorer tells about its rulesets, as the page needs it: names, choices and questions."""

from __future__ import annotations

from functools import cache

from flask_babel import gettext

from scorer import RulesetInfo, list_rulesets
from webapp.deal.state import DealState, Win
from webapp.rulesets.versions import superseded


@cache
def _all() -> dict[str, RulesetInfo]:
    return {info.id: info for info in list_rulesets()}


@cache
def rulesets() -> tuple[RulesetInfo, ...]:
    """The rulesets that can be chosen, the usual one first; of a club's own the newest versions."""
    old = superseded()
    return tuple(info for info in _all().values() if info.id not in old)


def rules_of(ruleset: str) -> RulesetInfo:
    """The ruleset with this id; the usual one when it is unknown."""
    return _all().get(ruleset) or rulesets()[0]


def forget_rulesets() -> None:
    """Ask the scorer anew at the next question, as after a club's file was added."""
    _all.cache_clear()
    rulesets.cache_clear()


def sources_for(state: DealState, seat: str) -> dict[str, str]:
    """The ways in which a player at this seat can go out: id to name."""
    found = rules_of(state.ruleset).sources
    return {s.id: gettext(s.name) for s in found if s.seat in (None, seat)}


def needs_from(state: DealState, source: str | None) -> bool:
    """Whether going out this way takes a tile from another player."""
    return any(s.id == source and s.needs_from for s in rules_of(state.ruleset).sources)


def needs_tile(state: DealState, source: str | None) -> bool:
    """Whether going out this way names a winning tile."""
    return not any(s.id == source and not s.needs_tile for s in rules_of(state.ruleset).sources)


def flags_for(state: DealState, win: Win) -> dict[str, str]:
    """The further questions that such a win raises: flag to question."""
    if win.seat is None or win.source is None:
        return {}
    winner = state.player(win.seat)
    kongs = sum(len(winner.in_place(s.id)) == 4 for s in winner.sets)
    return {
        flag.id: f"{gettext(flag.name)}. {gettext(flag.help)}"
        for flag in rules_of(state.ruleset).flags
        if win.source in flag.sources
        and flag.from_seat in (None, win.source_from)
        and (flag.kongs <= kongs or winner.claimed is not None)
    }


def hand_words(ruleset: str, hand: str) -> str:
    """What to call a result's ``hand``; ``fishing:<id>`` is an award for fishing for that hand."""
    fixed = {
        "ordinary": gettext("Ordinary hand"),
        "none": gettext("No score"),
        "claimed": gettext("Total as told"),
    }
    if hand in fixed:
        return str(fixed[hand])
    fishing, _, name = hand.rpartition(":")
    names = {special.id: special.name for special in rules_of(ruleset).special_hands}
    title: str = gettext(names.get(name, name.replace("_", " ").capitalize()))
    return str(gettext("Fishing for %(hand)s", hand=title)) if fishing else title
