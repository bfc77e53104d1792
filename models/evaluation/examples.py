"""The pictures to measure on: annotated photographs, rendered hands, the shipped benchmark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.pathtraced.drawn import drawn, planned_deals
from datasets.photographs.benchmark import ANNOTATIONS
from datasets.photographs.sheets import load_sheets, random_crop
from datasets.scenes.scenes import Scene
from datasets.scenes.set_photos import set_photo
from datasets.scenes.tables import hand_scene
from datasets.sets.coco import IGNORE, Photo, load_photos
from datasets.sets.faces import FaceSet, load_designs
from datasets.sets.sources import Sources, load_face_sets

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

WHATS: Final = ("sheets", "retaken", "scenes", "rendered", "games", "benchmark")
"""The kinds of pictures that can be measured."""
_RENDERED: Final = ("rendered", "games")
"""The kinds of pictures that are rendered from drawn designs."""
RENDERED_SIZE: Final = (1200, 1600)
"""Height and width of rendered pictures in pixels."""
FIRST_SEED: Final = 7_000_000
"""Seed of the first rendered hand."""
_RETAKEN_SIZE: Final = (768, 1024)
"""Height and width of retaken photographs in pixels."""
_MIN_VISIBLE: Final = 0.7
"""Visible share below which a rendered tile is ignored."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A picture with its truth.

    Attributes:
        name: name of the picture.
        group: the tile set that it shows.
        load: reads the picture, (h, w, 3) uint8 BGR.
        labels: the label of each quad; ``ignore`` leaves the tile out of the figures.
        quads: (n, 4, 2) float32 face corners in pixels, from the tile's own top-left, clockwise.
        backs_complete: whether every tile that lies face down has a quad.
    """

    name: str
    group: str
    load: Callable[[], Image]
    labels: tuple[str, ...]
    quads: Floats
    backs_complete: bool = True

    def without(self, indices: set[int]) -> Example:
        """The example with the tiles of these indices ignored."""
        labels = tuple(IGNORE if i in indices else s for i, s in enumerate(self.labels))
        return replace(self, labels=labels)


def from_photo(photo: Photo) -> Example:
    """An annotated photograph; visible tiles without a label are ignored."""
    quads = np.concatenate([photo.quads, photo.unlabelled])
    labels = (*photo.labels, *(IGNORE for _ in photo.unlabelled))
    return Example(
        photo.path.name, photo.set_name, photo.load_image, labels, quads, photo.backs_complete
    )


def photographed(annotations: Path, split: str | None) -> Iterator[Example]:
    """The photographs of a COCO file.

    Raises:
        AnnotationError: it cannot be read.
    """
    for photo in load_photos(annotations, split):
        yield from_photo(photo)


def held_out_sets(designs: Path) -> list[FaceSet]:
    """The drawn designs of a folder that are held out of training."""
    return load_face_sets(Sources(None, designs), "val")


def rendered(designs: Path, count: int) -> Iterator[Example]:
    """Rendered players' hands from designs kept out of training, at 1600x1200 pixels."""
    sets = held_out_sets(designs)
    for index in range(count):
        faces = sets[index % len(sets)]
        scene = hand_scene(np.random.default_rng(FIRST_SEED + index), faces, RENDERED_SIZE)
        yield _from_scene(f"rendered-{index:04d}", faces.name, scene)


def dealt(designs: Path, count: int, first: int) -> Iterator[Example]:
    """Four photos each of ``count`` deals, with walls and discards, from every design of a folder.

    Args:
        designs: folder of drawn designs.
        count: number of deals.
        first: number of the first deal.

    Raises:
        DesignError: a design file is damaged.
    """
    sets = load_designs(sorted(designs.glob("*.npz")))
    for number, faces, plans in planned_deals(sets, count, first):
        for photo, plan in enumerate(plans, 1):
            yield _from_scene(f"deal-{number}-{photo}", faces.name, drawn(plan, faces))


def retaken(photos: Path, count: int, seed: int = FIRST_SEED) -> Iterator[Example]:
    """Photographed sheets of held-out tile sets, shown small, tilted and in poor light.

    Raises:
        AnnotationError: the annotations cannot be read.
        FileNotFoundError: a picture is missing.
    """
    sheets = load_sheets(photos / "sheets.coco.json", "val")
    for index in range(count):
        sheet = sheets[index % len(sheets)]
        scene = random_crop(
            np.random.default_rng([seed, index]), sheet, _RETAKEN_SIZE, careful=True
        )
        yield _from_scene(f"retaken-{index:04d}", sheet.photo.set_name, scene)


def _from_scene(name: str, group: str, scene: Scene) -> Example:
    labels = tuple(
        label if seen >= _MIN_VISIBLE else IGNORE
        for label, seen in zip(scene.labels, scene.visible, strict=True)
    )
    return Example(name, group, partial(_same, scene.image), labels, scene.quads)


def rendered_set_photos(designs: Path, seed: int = FIRST_SEED) -> Iterator[Example]:
    """A rendered photo of one of each face for each held-out design."""
    for index, faces in enumerate(held_out_sets(designs)):
        scene = set_photo(np.random.default_rng([seed, index]), faces, RENDERED_SIZE)
        load = partial(_same, scene.image)
        yield Example(f"set-{faces.name}", faces.name, load, scene.labels, scene.quads)


def _same(image: Image) -> Image:
    return image


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice of pictures to measure on.

    Attributes:
        what: one of :data:`WHATS`, or the path of a COCO file.
        photos: folder of annotated photographs, for ``sheets``, ``retaken`` and ``scenes``.
        designs: folder of drawn designs for ``rendered``, or of the designs of games for ``games``.
        split: the split of a COCO file; None for all of it.
        count: number of rendered hands or of retaken photographs.
    """

    what: str
    photos: Path | None = None
    designs: Path | None = None
    split: str | None = "val"
    count: int = 60

    def annotations(self) -> Path:
        """The COCO file.

        Raises:
            ValueError: the folder that it should lie in was not named.
        """
        if self.what == "benchmark":
            return ANNOTATIONS
        if self.what not in WHATS:
            return Path(self.what)
        return self._folder_of_photos() / f"{self.what}.coco.json"

    def _folder_of_photos(self) -> Path:
        if self.photos is None:
            raise ValueError(f"{self.what} needs --photos, the folder of annotated photographs")
        return self.photos

    def examples(self) -> Iterator[Example]:
        """The pictures with their truth.

        Raises:
            AnnotationError: the COCO file cannot be read.
            ValueError: a folder was not named.
        """
        if self.what == "retaken":
            return retaken(self._folder_of_photos(), self.count)
        if self.what not in _RENDERED:
            return photographed(self.annotations(), self.split)
        if self.designs is None:
            raise ValueError(f"{self.what} needs --designs, the folder of tile-set designs")
        return rendered(self.designs, self.count)

    def set_photos(self) -> list[Example]:
        """Photos of one of each face of the tile sets, not among the examples; may be none."""
        if self.what in _RENDERED and self.designs is not None:
            return list(rendered_set_photos(self.designs))
        if self.what == "benchmark":
            return list(photographed(ANNOTATIONS, "profile"))
        return []
