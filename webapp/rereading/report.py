"""What a re-reading found, as numbers and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from webapp.rereading.comparison import Compared, Held
from webapp.rereading.rereading import READ_FROM

MOST_PAIRS: Final = 20
"""Maximum number of kinds of changes that are printed; as JSON all are told."""


def report(all_compared: Sequence[Compared], gone: int) -> dict[str, Any]:
    """What would change, in plain JSON values; each count is beside that of which it is one.

    Args:
        all_compared: the photos that were read again.
        gone: number of photos of which no picture is left.
    """
    held = [one.held for one in all_compared if one.held is not None]
    corrected = [one for one in held if one.corrected]
    others = [one for one in held if not one.corrected]
    put_right = [it for one in held for it in one.put_right]
    changes = Counter(pair for one in all_compared for pair in map(tuple, one.changes))
    return {
        "read_from": READ_FROM,
        "photos": len(all_compared),
        "unreadable": sum(one.error is not None for one in all_compared),
        "without_picture": gone,
        "larger_before": sum(one.larger for one in all_compared),
        "tiles": sum(one.tiles for one in all_compared),
        "tiles_changed": changes.total(),
        "changes": [
            {"from": before or None, "to": now or None, "count": count}
            for (before, now), count in changes.most_common()
        ],
        "corrected_photos": _sums(corrected),
        "other_photos": _sums(others),
        "put_right": {
            "tiles": len(put_right),
            "read_right_now": sum(now == there for _, now, there in put_right),
            "read_as_before": sum(before == now for before, now, _ in put_right),
        },
        "stood": {
            "tiles": sum(one.stood for one in held),
            "read_otherwise": sum(len(one.read_otherwise) for one in held),
        },
        "of_each": [one.told() for one in all_compared if one.changes or one.error],
    }


def _sums(held: Iterable[Held]) -> dict[str, int]:
    """How many photos are read better, worse and the same, and their wrong tiles."""
    moved = [(one.wrong_before, one.wrong_now) for one in held]
    return {
        "photos": len(moved),
        "better": sum(now < before for before, now in moved),
        "worse": sum(now > before for before, now in moved),
        "same": sum(now == before for before, now in moved),
        "wrong_before": sum(before for before, _ in moved),
        "wrong_now": sum(now for _, now in moved),
    }


def report_lines(told: Mapping[str, Any]) -> list[str]:
    """The report in words, for a terminal."""
    right, stood, pairs = told["put_right"], told["stood"], told["changes"]
    text = f"""\
{told["photos"]} photos were read anew, from {told["read_from"]};
{told["larger_before"]} of them were read from a larger photo before, {told["unreadable"]} could \
not be read. Of {told["without_picture"]} more no picture is left.
{_against("Photos in which somebody put something right", told["corrected_photos"])}
{_against("Other photos whose tiles stand in a deal", told["other_photos"])}
Tiles that people put right: {_share(right["read_right_now"], right["tiles"])} are read right now, \
{_share(right["read_as_before"], right["tiles"])} wrong as before.
Tiles that stood as they were read: {_share(stood["read_otherwise"], stood["tiles"])} are read \
otherwise now.
All tiles: {_share(told["tiles_changed"], told["tiles"])} are read otherwise than before."""
    named = [(pair["from"] or "nothing", pair["to"] or "nothing", pair["count"]) for pair in pairs]
    changes = [f"{was:>9} -> {now:<8}{count:>6}" for was, now, count in named[:MOST_PAIRS]]
    return [*text.splitlines(), *changes, "No deal was changed."]


def _against(whose: str, sums: Mapping[str, int]) -> str:
    return (
        f"{whose}: {sums['photos']}, {sums['better']} better, {sums['worse']} worse, "
        f"{sums['same']} the same; {sums['wrong_before']} tiles wrong before, "
        f"{sums['wrong_now']} now."
    )


def _share(count: int, of: int) -> str:
    return f"{count} of {of}" + (f" ({count / of:.1%})" if of else "")
