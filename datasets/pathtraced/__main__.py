"""Path-trace the benchmark: ``python -m datasets.pathtraced --designs DIR --out DIR``."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click
import cv2
import numpy as np
from tqdm import tqdm

from datasets.designs.drawing.design import load_design
from datasets.designs.errors import DesignError
from datasets.pathtraced.develop import develop
from datasets.pathtraced.scenes import (
    DESIGNS,
    FIRST_PROFILE,
    FIRST_TRAINING,
    SCENE_COUNT,
    design_of,
    plan_scene,
)
from datasets.pathtraced.store import Store
from datasets.pathtraced.table.plan import ScenePlan
from datasets.pathtraced.training import plan_to_learn_from
from datasets.pathtraced.truth import image_row, tile_rows
from datasets.sets.coco import AnnotationError
from datasets.sets.faces import FaceSet, from_design
from datasets.sets.sources import training_designs

_SETS: Final = {"training": 6, "fitting": 1}
"""Number of tile sets in a scene for training or fitting."""


def _planned(designs: Path, number: int, samples: int) -> tuple[ScenePlan, list[FaceSet]]:
    """A planned scene of the benchmark with its tile set."""
    seed = design_of(number)
    faces = from_design(load_design(designs / f"{seed:04d}.npz"))
    return plan_scene(number, seed, faces, samples), [faces]


def _render(plan: ScenePlan, sets: list[FaceSet], path: Path, threads: int) -> list[dict[str, Any]]:
    """Render and write the picture, and return its annotations without ids."""
    from datasets.pathtraced.blender.render import render_scene

    light, index = render_scene(plan, sets, threads)
    image = develop(np.random.default_rng([7, plan.number]), light, plan.development)
    options = [cv2.IMWRITE_JPEG_QUALITY, plan.development.quality]
    options += [cv2.IMWRITE_JPEG_OPTIMIZE, 1, cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    path.write_bytes(cv2.imencode(".jpg", image, options)[1].tobytes())
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
    "--what",
    type=click.Choice(["benchmark", "scenes", *_SETS]),
    default="benchmark",
    show_default=True,
    help="The benchmark with one sheet of all faces for each design, or without the sheets; or "
    "scenes of designs that no measurement uses: to train on, of several sets each, or to fit "
    "weights on, of one set each.",
)
@click.option(
    "--scale",
    type=click.FloatRange(0.2, 1.0),
    default=1.0,
    show_default=True,
    help="Size of the pictures against the benchmark's.",
)
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=16,
    show_default=True,
    help="Light paths per pixel.",
)
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True)
def main(
    designs: Path,
    out: Path,
    first: int,
    count: int,
    what: str,
    scale: float,
    samples: int,
    threads: int,
) -> None:
    """Render scenes that are not in the folder yet; the annotations grow with each of them."""
    if importlib.util.find_spec("bpy") is None:
        raise click.ClickException(
            "Blender's module bpy is missing: see datasets/README.md for its installation"
        )
    numbers = list(range(first, first + count))
    if what in _SETS:
        numbers = [FIRST_TRAINING + number for number in numbers]
    elif what == "benchmark":
        numbers += range(FIRST_PROFILE, FIRST_PROFILE + len(DESIGNS))
    try:
        (out / "scenes").mkdir(parents=True, exist_ok=True)
        store = Store(out / "scenes.coco.json")
        learnt = training_designs(designs) if what in _SETS else []
        for number in tqdm(numbers, desc="scenes"):
            path = out / "scenes" / f"{number:04d}.jpg"
            if number in store and path.exists():
                continue
            if what in _SETS:
                plan, sets = plan_to_learn_from(designs, learnt, _SETS[what], number, samples)
            else:
                plan, sets = _planned(designs, number, samples)
            plan = replace(plan, view=plan.view.scaled(scale))
            rows = _render(plan, sets, path, threads)
            store.add(image_row(plan, sets[0].name, path.name, rows), rows)
    except (DesignError, AnnotationError, OSError) as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
