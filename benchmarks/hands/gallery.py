"""A web page of photos with wrong hands, the worst first, and pictures of the ten worst."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from benchmarks.hands.cases import Answer, Content
from benchmarks.hands.pictures import LEGEND, overlay, side_by_side
from models.evaluation.web_page import Page
from scorer.tiles import format_tiles

WORST: Final = 10
"""Number of photos for which a picture with the true and the read hands is drawn."""


class HandGallery:
    """A web page of wrong hands in a folder.

    Args:
        folder: created if it does not exist; the page is its ``index.html``, and the pictures of
            the worst cases are ``worst-01.jpg`` and so on.

    Raises:
        OSError: it cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        self._page = Page(folder, "Hands read wrongly", LEGEND)

    def write(self, answers: Iterable[Answer]) -> None:
        """Write all photos with a hand that is wrong after the decision, the worst first."""
        wrong = [found for found in answers if not found.exact(found.joint)]
        wrong.sort(key=faults, reverse=True)
        for number, found in enumerate(wrong, 1):
            worst = number <= WORST
            name = f"{'worst-' if worst else ''}{number:02d}.jpg"
            self._page.save(name, side_by_side(found) if worst else overlay(found))
            heading = f"{found.case.name}: {faults(found)} tiles amiss"
            self._page.section(heading, name, f"<table>{_rows(found)}</table>")


def _rows(found: Answer) -> str:
    return "".join(
        f"<tr><td>{html.escape(side)}</td><td>{what}</td><td>{html.escape(text)}</td></tr>"
        for side, what, text in _differences(found)
    )


def faults(found: Answer) -> int:
    """The number of tiles that are missing, wrong or in the wrong place after the decision."""
    sides = {*found.case.hands, *found.joint}
    return sum(
        _apart(found.case.hands.get(side, _NOTHING), found.joint.get(side, _NOTHING))
        for side in sides
    )


_NOTHING: Final[Content] = ((), (), ())


def _apart(wanted: Content, got: Content) -> int:
    first, second = Counter(_placed(wanted)), Counter(_placed(got))
    return max((first - second).total(), (second - first).total())


def _placed(content: Content) -> Iterator[tuple[str, str]]:
    concealed, sets, bonus = content
    yield from (("hand", label) for label in concealed)
    yield from ((f"{kind} {hidden}", label) for kind, tiles, hidden in sets for label in tiles)
    yield from (("bonus", label) for label in bonus)


def _differences(found: Answer) -> Iterator[tuple[str, str, str]]:
    for side in sorted({*found.case.hands, *found.joint}):
        wanted, got = found.case.hands.get(side), found.joint.get(side)
        if wanted != got:
            yield side, "true", in_words(wanted)
            yield side, "read", in_words(found.camera.get(side))
            yield side, "decided", in_words(got)


def in_words(content: Content | None) -> str:
    """A hand in compact notation."""
    if content is None:
        return "no hand"
    concealed, sets, bonus = content
    laid = [("concealed " if hidden else "") + format_tiles(tiles) for _, tiles, hidden in sets]
    return " | ".join([format_tiles(concealed) or "nothing", *laid, format_tiles(bonus)])
