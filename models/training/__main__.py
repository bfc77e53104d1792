"""Train one of the networks: ``python -m models.training CONFIG --run DIR``.

``CONFIG`` is a TOML file such as ``models/training/config/detector.toml``: ``network`` names the
network, ``[plan]`` holds the duration and learning rate (:class:`models.training.loop.Plan`) and
``[data]`` what it learns from. The same command resumes a run that was stopped.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import torch

from datasets.designs import DesignError, FontError
from datasets.sets.coco import AnnotationError
from models.training import classifier, detector, indices, judge, marks, verifier
from models.training.loop import Plan


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("config", type=Path, help="TOML file with network, [plan] and [data]")
    parser.add_argument("--run", type=Path, required=True, help="folder to write, or resume from")
    parser.add_argument("--start", type=Path, help="shipped ONNX file to start from")
    parser.add_argument("--photos", type=Path, help="folder of annotated photographs")
    parser.add_argument("--real", type=Path, help="folder of annotated photographs of tables")
    parser.add_argument("--designs", type=Path, help="folder of drawn designs")
    parser.add_argument("--traced", type=Path, help="folder of path-traced scenes to train on")
    parser.add_argument(
        "--negatives", type=Path, help="crops of models.training.mine_negatives, for the classifier"
    )
    parser.add_argument(
        "--fonts", type=Path, help="further typefaces, for the sets that are drawn on the way"
    )
    parser.add_argument("--engravings", type=Path, help="other people's faces for these sets")
    parser.add_argument("--icons", type=Path, help="other people's pictures for these sets")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--workers", type=int, default=0, help="further processes that draw what is learnt from"
    )
    return parser.parse_args()


def _training(
    network: object, data: Mapping[str, Any]
) -> Callable[[argparse.Namespace, Plan], None]:
    """The function that trains a network with the settings of ``[data]``.

    Raises:
        TypeError: a setting is missing or unknown.
        ValueError: there is no such network.
    """
    if network == "classifier":
        return partial(classifier.train, data=classifier.ClassifierData(**data))
    if network == "detector":
        return partial(detector.train, data=detector.DetectorData(**data))
    if network == "indices":
        return partial(indices.train, data=indices.IndexData(**data))
    if network == "judge":
        return partial(judge.train, data=judge.JudgeData(**data))
    if network == "marks":
        return partial(marks.train, data=marks.MarksData(**data))
    if network == "verifier":
        return partial(verifier.train, data=verifier.VerifierData(**data))
    raise ValueError("network is one of classifier, detector, indices, judge, marks, verifier")


def main() -> None:
    """Train or resume the run in the folder given with --run."""
    options = _options()
    try:
        settings = tomllib.loads(options.config.read_text())
        plan = Plan(**settings.get("plan", {}))
        train = _training(settings.get("network"), settings.get("data", {}))
    except (OSError, TypeError, ValueError) as error:
        sys.exit(f"models.training: {options.config}: {error}")
    torch.set_num_threads(options.threads)
    torch.manual_seed(plan.seed)
    try:
        train(options, plan)
    except (OSError, AnnotationError, DesignError, FontError) as error:
        sys.exit(f"models.training: {error}")


if __name__ == "__main__":
    main()
