"""Path-trace the benchmark: ``python -m datasets.pathtraced --designs DIR --out DIR``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from tqdm import tqdm

from datasets.designs.design import DesignError, load_design
from datasets.faces import FaceSet, from_design
from datasets.pathtraced.develop import develop
from datasets.pathtraced.plan import ScenePlan
from datasets.pathtraced.scenes import DESIGNS, FIRST_PROFILE, SCENE_COUNT, design_of, plan_scene
from datasets.pathtraced.truth import categories, image_row, tile_rows

Annotations = dict[str, list[dict[str, Any]]]


def _read(path: Path) -> Annotations:
    if not path.exists():
        return {"images": [], "categories": categories(), "annotations": []}
    data: Annotations = json.loads(path.read_text())
    return data


def _write(path: Path, data: Annotations) -> None:
    """Store the annotations in the order of the scenes, one picture or tile a line."""
    data["images"].sort(key=lambda image: image["id"])
    data["annotations"].sort(key=lambda row: row["image_id"])
    parts = []
    for key, rows in data.items():
        numbered = (
            rows
            if key != "annotations"
            else [
                {"id": number, **{k: v for k, v in row.items() if k != "id"}}
                for number, row in enumerate(rows, 1)
            ]
        )
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in numbered)
        parts.append(f'"{key}":[\n{lines}\n]')
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text("{" + ",\n".join(parts) + "}\n")
    temporary.replace(path)


def _faces(designs: Path, number: int) -> FaceSet:
    return from_design(load_design(designs / f"{design_of(number):04d}.npz"))


def _render(plan: ScenePlan, faces: FaceSet, path: Path, threads: int) -> list[dict[str, Any]]:
    """Write the picture and give its annotations without ids."""
    from datasets.pathtraced.blender.render import render_scene

    light, index = render_scene(plan, faces, threads)
    image = develop(np.random.default_rng([7, plan.number]), light, plan.development)
    options = [cv2.IMWRITE_JPEG_QUALITY, plan.development.quality]
    options += [cv2.IMWRITE_JPEG_OPTIMIZE, 1, cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    cv2.imwrite(str(path), image, options)
    return tile_rows(plan, index)


@click.command()
@click.option(
    "--designs",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder with NNNN.npz of the designs, from python -m datasets.designs.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for scenes.coco.json and scenes/.",
)
@click.option("--first", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--count", type=click.IntRange(min=1), default=SCENE_COUNT, show_default=True)
@click.option(
    "--profiles/--no-profiles",
    default=True,
    show_default=True,
    help="Also one sheet with one of each face for each design.",
)
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=6,
    show_default=True,
    help="Light paths per pixel.",
)
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True)
def main(
    designs: Path,
    out: Path,
    first: int,
    count: int,
    *,
    profiles: bool,
    samples: int,
    threads: int,
) -> None:
    """Render scenes that are not in the folder yet; the annotations grow with each of them."""
    try:
        import bpy  # noqa: F401
    except ImportError as error:
        raise click.ClickException(
            "Blender's module bpy is missing: see datasets/README.md for its installation"
        ) from error
    (out / "scenes").mkdir(parents=True, exist_ok=True)
    annotations = out / "scenes.coco.json"
    data = _read(annotations)
    done = {image["id"] for image in data["images"]}
    numbers = list(range(first, first + count))
    if profiles:
        numbers += range(FIRST_PROFILE, FIRST_PROFILE + len(DESIGNS))
    try:
        for number in tqdm(numbers, desc="scenes"):
            path = out / "scenes" / f"{number:04d}.jpg"
            if number in done and path.exists():
                continue
            faces = _faces(designs, number)
            plan = plan_scene(number, faces, samples)
            rows = _render(plan, faces, path, threads)
            kept = [image for image in data["images"] if image["id"] != number]
            data["images"] = [*kept, image_row(plan, faces.name, path.name)]
            others = [row for row in data["annotations"] if row["image_id"] != number]
            data["annotations"] = others + [{"image_id": number, **row} for row in rows]
            _write(annotations, data)
    except DesignError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
