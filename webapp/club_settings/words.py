"""What the club has decided, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask_babel import gettext, lazy_gettext, ngettext

from webapp.club_settings.groups import (
    ClubLanguage,
    ClubRules,
    ClubTiles,
    DrawStrength,
    Group,
    HallDisplay,
    LastHand,
    NameOrder,
    NationalList,
    PhotoDays,
    PhotoGiving,
    RoundLength,
    Stake,
)
from webapp.draw.entrants import Strength
from webapp.evening.round_clock import Ending
from webapp.language.chosen import LANGUAGES
from webapp.rulesets.shown import house_rules_words, rules_of, ruleset_name, rulesets
from webapp.rulesets.versions import superseded

TITLES: Final[Mapping[str, Any]] = {
    ClubRules.KEY: lazy_gettext("Rules"),
    RoundLength.KEY: lazy_gettext("Length of a round"),
    LastHand.KEY: lazy_gettext("The last hand"),
    Stake.KEY: lazy_gettext("Stakes"),
    ClubLanguage.KEY: lazy_gettext("Language"),
    ClubTiles.KEY: lazy_gettext("Tile set"),
    HallDisplay.KEY: lazy_gettext("The display in the hall"),
    PhotoDays.KEY: lazy_gettext("Photos"),
    PhotoGiving.KEY: lazy_gettext("Photos for the project"),
    NationalList.KEY: lazy_gettext("The association's list"),
    NameOrder.KEY: lazy_gettext("Order of names"),
    DrawStrength.KEY: lazy_gettext("Playing strength in the draw"),
}
"""What each group is called."""

STRENGTH_WORDS: Final[Mapping[Strength, Any]] = {
    Strength.ANY: lazy_gettext("Ignore strength: new opponents matter most"),
    Strength.BALANCED: lazy_gettext("Balanced: all tables are about equally strong"),
    Strength.ALIKE: lazy_gettext("By strength: the strong play the strong, learners play learners"),
}
"""How strength is minded in a draw."""


ENDINGS: Final[Mapping[Ending, Any]] = {
    Ending.FINISH: lazy_gettext("The hand in progress is the last"),
    Ending.ONE_MORE: lazy_gettext("One more hand is played after it"),
}
"""How a round ends."""


def rules_words(ruleset: str, changes: Mapping[str, Any]) -> str:
    """The name of a ruleset with its house rules."""
    name = ruleset_name(rules_of(ruleset))
    return f"{name} · {house_rules_words(ruleset, changes)}" if changes else name


def decided_words(group: Group) -> str:
    """What was decided; that nothing was, for a group in its empty form."""
    return _WORDS[group.KEY](group) or gettext("Not decided")


def _rules(group: ClubRules) -> str:
    if group.ruleset is None:
        return ""
    if group.ruleset not in {info.id for info in rulesets()} | superseded():
        return str(gettext("“%(name)s”, which is no longer here", name=group.ruleset))
    told = rules_words(group.ruleset, group.changes)
    if group.rounds is None:
        return told
    return f"{told} · {ngettext('%(num)s round', '%(num)s rounds', group.rounds)}"


def _round(group: RoundLength) -> str:
    if group.minutes is None:
        return ""
    return str(ngettext("%(num)d minute", "%(num)d minutes", group.minutes))


def _last_hand(group: LastHand) -> str:
    if not group.early:
        return str(gettext("%(ending)s, announced when time is up", ending=ENDINGS[group.ending]))
    return str(
        ngettext(
            "%(ending)s, announced %(num)d minute before the end",
            "%(ending)s, announced %(num)d minutes before the end",
            group.early,
            ending=ENDINGS[group.ending],
        )
    )


def _stake(group: Stake) -> str:
    if not group.pence:
        return "" if group.pence is None else str(gettext("No money"))
    return str(gettext("%(stake)sp for 100 points.", stake=group.pence)).rstrip(".。")


def _language(group: ClubLanguage) -> str:
    spoken = LANGUAGES.get(group.code or "")
    return "" if spoken is None else spoken.name


def _tiles(group: ClubTiles) -> str:
    return group.name or ""


def _hall(group: HallDisplay) -> str:
    names = gettext("Full names") if group.full_names else gettext("First names only")
    return f"{names} · {gettext('without a login')}" if group.open else str(names)


def _photos(group: PhotoDays) -> str:
    if group.days is None:
        return str(gettext("Always"))
    if group.days == 0:
        return str(gettext("For the evening only"))
    return str(ngettext("%(num)d day", "%(num)d days", group.days))


def _giving(group: PhotoGiving) -> str:
    if group.given:
        return str(gettext("Yes, without names"))
    return str(gettext("They stay with the club"))


def _national(group: NationalList) -> str:
    if group.agreed:
        return str(gettext("Our players are on it"))
    return str(gettext("Our players are not on it"))


def _names(group: NameOrder) -> str:
    return str(gettext("By last names") if group.by_last else gettext("By first names"))


_WORDS: Final[Mapping[str, Callable[[Any], str]]] = {
    ClubRules.KEY: _rules,
    RoundLength.KEY: _round,
    LastHand.KEY: _last_hand,
    Stake.KEY: _stake,
    ClubLanguage.KEY: _language,
    ClubTiles.KEY: _tiles,
    HallDisplay.KEY: _hall,
    PhotoDays.KEY: _photos,
    PhotoGiving.KEY: _giving,
    NationalList.KEY: _national,
    NameOrder.KEY: _names,
    DrawStrength.KEY: lambda group: STRENGTH_WORDS[group.strength],
}
