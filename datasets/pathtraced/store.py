"""The annotation file that grows with every rendered scene."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from datasets.pathtraced.truth import categories
from datasets.sets.coco import AnnotationError

Row = dict[str, Any]


class Store:
    """The pictures and tiles of ``scenes.coco.json``.

    Attributes:
        path: the file; it need not exist yet.

    Raises:
        AnnotationError: the file exists but is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._images: dict[int, Row] = {}
        self._tiles: dict[int, list[Row]] = {}
        if not path.exists():
            return
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            self._images = {image["id"]: image for image in data["images"]}
            for row in data["annotations"]:
                self._tiles.setdefault(row["image_id"], []).append(row)
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise AnnotationError(
                f"{path} is damaged ({error!r}); move it away to start anew"
            ) from error

    def __contains__(self, number: int) -> bool:
        """Whether the file has an entry for a scene."""
        return number in self._images

    def add(self, image: Row, tiles: list[Row]) -> None:
        """Add or replace the entry of a scene, and write the file.

        Args:
            image: the picture's entry, whose id is the scene's number.
            tiles: its annotations; their ids are assigned here in the order of the scenes.
        """
        self._images[image["id"]] = image
        self._tiles[image["id"]] = tiles
        images = [self._images[number] for number in sorted(self._images)]
        rows: list[Row] = []
        for number in sorted(self._images):
            for tile in self._tiles.get(number, []):
                rows.append({**tile, "id": len(rows) + 1, "image_id": number})
        parts = {"images": images, "categories": categories(), "annotations": rows}
        text = ",\n".join(f'"{key}":[\n{_lines(part)}\n]' for key, part in parts.items())
        temporary = self.path.with_name(f".{self.path.name}.tmp")
        temporary.write_text("{" + text + "}\n")
        temporary.replace(self.path)


def _lines(rows: list[Row]) -> str:
    return ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
