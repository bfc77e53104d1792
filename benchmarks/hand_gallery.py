"""The photos with hands read wrongly as a web page, the worst first."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.tiles import format_tiles

if TYPE_CHECKING:
    from benchmarks.hand_cases import Content
    from benchmarks.hands import Answer

Image = NDArray[np.uint8]

_LONG_SIDE: Final = 1400
_COLOURS: Final = {"hand": (60, 170, 40), "set": (230, 120, 20), "bonus": (200, 60, 200)}
_NOBODYS: Final = (130, 130, 130)
_HEAD: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Hands read wrongly</title>
<style>
body { font: 15px/1.4 sans-serif; margin: 1.5em; }
section { border-top: 1px solid #aaa; padding: 1em 0; }
img { max-width: 100%; }
td { padding: 0 1em 0 0; vertical-align: top; }
</style>
<h1>Hands read wrongly</h1>
<p>Green: in hand. Blue: sets. Violet: bonus. Grey: nobody's.</p>
"""


class HandGallery:
    """Writes a page into a folder.

    Args:
        folder: made if it is not there; the page is its ``index.html``.

    Raises:
        OSError: it cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def write(self, answers: Iterable[Answer]) -> None:
        """Write all photos of which a hand is wrong after the decision, the worst first."""
        wrong = [found for found in answers if not found.exact(found.joint)]
        wrong.sort(key=faults, reverse=True)
        sections = [self._section(number, found) for number, found in enumerate(wrong)]
        (self._folder / "index.html").write_text(_HEAD + "\n".join(sections), "utf-8")

    def _section(self, number: int, found: Answer) -> str:
        name = f"{number:03d}.jpg"
        cv2.imwrite(str(self._folder / name), overlay(found))
        rows = "".join(
            f"<tr><td>{html.escape(side)}</td><td>{what}</td><td>{html.escape(text)}</td></tr>"
            for side, what, text in _differences(found)
        )
        title = f"{found.case.name}: {faults(found)} tiles amiss"
        return (
            f'<section><h2>{html.escape(title)}</h2><img src="{name}" alt="">'
            f"<table>{rows}</table></section>"
        )


def faults(found: Answer) -> int:
    """How many tiles are missing, wrong or in the wrong place after the decision."""
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


def overlay(found: Answer) -> Image:
    """The photo, at most 1400 pixels long, each tile outlined by its role and named."""
    image = found.case.load()
    scale = min(1.0, _LONG_SIDE / max(image.shape[:2]))
    resized = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    shown = np.asarray(resized, np.uint8)
    if found.reading is None:
        return shown
    roles = {i: p.role for hand in found.reading.hands for p in hand.parts for i in p.tiles}
    for index, tile in enumerate(found.reading.tiles):
        colour = _COLOURS.get(roles.get(index, ""), _NOBODYS)
        _outline(shown, (np.array(tile.quad) * scale).astype(np.int32), tile.label, colour)
    return shown


def _outline(image: Image, corners: NDArray[np.int32], label: str, colour: Sequence[int]) -> None:
    cv2.polylines(image, [corners], isClosed=True, color=colour, thickness=2)
    place = (int(corners[:, 0].mean()) - 10, int(corners[:, 1].mean()) + 4)
    cv2.putText(image, label, place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 230), 2)
