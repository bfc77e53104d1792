"""The shipped benchmark: path-traced photographs of real layouts, with the true hands.

``datasets/benchmark/scenes.coco.json`` has the form of :mod:`datasets.sets.coco` with further
fields:

- each picture has its ``layout`` (``hand``: one player's tiles, ``table``: four players', ``hard``:
  one player's in bad light, with clutter or from low down, ``profile``: one of each face, for a
  set profile), ``difficulty`` (words for what makes it hard; ``covered`` if not every tile of the
  hands can be read) and the true ``hands``;
- each tile has its ``tile`` (the code of its face, even if it lies face down or is labelled
  ``ignore``), ``hand`` (index into ``hands``, -1 for none), ``group`` (``hand``, ``meld 0``,
  ``bonus``, ``discard``, ``wall``, ``sheet``) and ``visible`` (the share of its shown side that is
  inside the picture and uncovered).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from datasets.sets.coco import AnnotationError, Photo, load_photos

ANNOTATIONS: Final = Path(__file__).parents[1] / "benchmark" / "scenes.coco.json"
"""The annotations of the shipped benchmark."""

LAYOUTS: Final = ("hand", "table", "hard", "profile")
"""The kinds of the benchmark's pictures."""


@dataclass(frozen=True, slots=True)
class TrueMeld:
    """A meld that lies apart from the hand.

    Attributes:
        kind: ``chow``, ``pung`` or ``kong``.
        tiles: codes of its tiles from the player's left to right, also of those face down.
        concealed: whether it was laid down concealed.
        down: indices of the ``tiles`` that lie face down.
    """

    kind: str
    tiles: tuple[str, ...]
    concealed: bool
    down: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TrueHand:
    """All tiles of one player.

    Attributes:
        seat: ``E``, ``S``, ``W`` or ``N``.
        position: where the player sits as the photographer sees it: ``near``, ``right``, ``far``
            or ``left``.
        concealed: codes of the tiles in hand, the winning tile included.
        melds: the melds laid apart.
        bonus: codes of the flowers and seasons.
        won: whether this player went out.
    """

    seat: str
    position: str
    concealed: tuple[str, ...]
    melds: tuple[TrueMeld, ...]
    bonus: tuple[str, ...]
    won: bool


@dataclass(frozen=True, slots=True)
class BenchmarkPhoto:
    """One picture of the benchmark with all its truth.

    Attributes:
        photo: the picture with labels and quads, as for any annotated photograph.
        layout: one of :data:`LAYOUTS`.
        difficulty: words for what makes it hard, such as ``glare``; empty for an easy one.
        hands: the true hands; empty for a ``profile`` sheet.
        tiles: the code of each annotated tile's face, visible or not.
        owners: the index of each annotated tile's hand in ``hands``, -1 for none.
        groups: the group of each annotated tile: ``hand``, ``meld 0`` and so on, ``bonus``,
            ``discard``, ``wall`` or ``sheet``.
        visible: (n,) float32 share of each shown side that is inside the picture and uncovered.
    """

    photo: Photo
    layout: str
    difficulty: tuple[str, ...]
    hands: tuple[TrueHand, ...]
    tiles: tuple[str, ...]
    owners: tuple[int, ...]
    groups: tuple[str, ...]
    visible: NDArray[np.float32]


def _hand(row: dict[str, Any]) -> TrueHand:
    melds = tuple(
        TrueMeld(meld["kind"], tuple(meld["tiles"]), meld["concealed"], tuple(meld["down"]))
        for meld in row["melds"]
    )
    return TrueHand(
        seat=row["seat"],
        position=row["position"],
        concealed=tuple(row["concealed"]),
        melds=melds,
        bonus=tuple(row["bonus"]),
        won=row["won"],
    )


def load_benchmark(annotations: Path = ANNOTATIONS, split: str = "val") -> list[BenchmarkPhoto]:
    """The pictures of one split with their true hands.

    Args:
        annotations: the COCO file; by default the shipped one.
        split: ``val`` for the scenes to measure on, ``profile`` for the sheets with one of each
            face from which a set profile may be made.

    Raises:
        AnnotationError: the file is missing, or does not have the form described above.
    """
    photos = {photo.path.name: photo for photo in load_photos(annotations, split)}
    data = json.loads(annotations.read_text(encoding="utf-8"))
    try:
        rows: dict[int, list[dict[str, Any]]] = {}
        for row in data["annotations"]:
            rows.setdefault(row["image_id"], []).append(row)
        return [
            _photo(photos[image["file_name"]], image, rows.get(image["id"], []))
            for image in data["images"]
            if image["split"] == split
        ]
    except (KeyError, TypeError) as error:
        raise AnnotationError(f"{annotations}: not a benchmark file: {error!r}") from error


def _photo(photo: Photo, image: dict[str, Any], rows: list[dict[str, Any]]) -> BenchmarkPhoto:
    return BenchmarkPhoto(
        photo=photo,
        layout=image["layout"],
        difficulty=tuple(image["difficulty"]),
        hands=tuple(_hand(hand) for hand in image["hands"]),
        tiles=tuple(row["tile"] for row in rows),
        owners=tuple(row["hand"] for row in rows),
        groups=tuple(row["group"] for row in rows),
        visible=np.array([row["visible"] for row in rows], np.float32),
    )
