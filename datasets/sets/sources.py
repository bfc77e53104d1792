"""Which face sets a run uses, by split, from the folders it is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from datasets.designs.errors import DesignError
from datasets.sets.faces import FaceSet, load_designs, load_photographed

GAME_DESIGNS: Final = range(900_000, 900_007)
"""Numbers of the sets of other people's games, see :mod:`datasets.sets.games`."""
HELD_GAMES: Final = (900_000, 900_002, 900_004, 900_005)
"""Those of them that are never trained on."""
VAL_DESIGNS: Final = frozenset(
    {
        *range(300, 320),
        *range(900, 1000),
        *range(1480, 1500),
        *range(4980, 5000),
        *HELD_GAMES,
    }
)
"""Seeds of drawn designs that are never trained on, and numbers of the games' sets."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Folders of annotated photographs and of drawn designs; either may be absent."""

    photos: Path | None
    designs: Path | None


def training_designs(folder: Path) -> list[int]:
    """Seeds of the folder's designs that may be trained on, in their order.

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
    """The face sets of a split; what others made is repeated to be ``photo_share`` of the list.

    That is photographed sets and those of other people's games.

    Raises:
        DesignError: neither folder yields a set, or a design file is damaged.
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
