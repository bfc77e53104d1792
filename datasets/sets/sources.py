"""The tile sets of each split from the folders of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from datasets.designs.errors import DesignError
from datasets.sets.faces import FaceSet, load_designs, load_photographed

GAME_DESIGNS: Final = range(900_000, 900_007)
"""Numbers of the tile sets of other people's games, see :mod:`datasets.sets.games`."""
HELD_GAMES: Final = (900_000, 900_002, 900_004, 900_005)
"""Numbers of the games' tile sets that are held out of training."""
VAL_DESIGNS: Final = frozenset(
    {
        *range(300, 320),
        *range(900, 1000),
        *range(1480, 1500),
        *range(4980, 5000),
        *HELD_GAMES,
    }
)
"""Seeds of drawn designs and numbers of games' tile sets that are held out of training."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The folders of annotated photographs and of drawn designs; either may be None."""

    photos: Path | None
    designs: Path | None


def training_designs(folder: Path) -> list[int]:
    """Seeds of the folder's designs for training, in ascending order.

    Raises:
        DesignError: a design file is not named by its seed.
    """
    return sorted({_seed(path) for path in folder.glob("*.npz")} - VAL_DESIGNS)


def _seed(path: Path) -> int:
    try:
        return int(path.stem)
    except ValueError as error:
        raise DesignError(
            f"{path}: a design file is named by its seed, such as 0042.npz"
        ) from error


def load_face_sets(sources: Sources, split: str, photo_share: float = 0.4) -> list[FaceSet]:
    """The tile sets of a split.

    Photographed sets and those of other people's games are repeated until they make up
    ``photo_share`` of the list.

    Raises:
        DesignError: neither folder holds a tile set, or a design file is damaged.
    """
    drawn: list[FaceSet] = []
    real = load_photographed(sources.photos, split) if sources.photos is not None else []
    if sources.designs is not None:
        paths = sorted(sources.designs.glob("*.npz"))
        paths = [p for p in paths if (_seed(p) in VAL_DESIGNS) == (split == "val")]
        drawn = load_designs(p for p in paths if _seed(p) not in GAME_DESIGNS)
        real += load_designs(p for p in paths if _seed(p) in GAME_DESIGNS)
    if not drawn and not real:
        raise DesignError("no tile faces: give a folder of photos or of drawn designs")
    if drawn and real:
        wanted = photo_share / (1 - photo_share) * len(drawn)
        real = real * max(1, round(wanted / len(real)))
    return drawn + real
