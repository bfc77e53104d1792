"""Write a trained run as ONNX and enter it in the registry.

``python -m models.nets.export detector RUN --version 1.0.0 --designs DIR`` reads the averaged
weights of the run's ``last.pt``, writes ``models/detector.onnx`` in 8 bits
(:mod:`models.nets.quantise`) and enters it in ``models/registry.toml``. Parameters keep their
names, so that :mod:`models.nets.weights` can start a later run from the shipped file; the
TorchScript exporter is used because it needs no package beyond ``onnx``.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional

from datasets.crops.crops import CROP_SIZE
from models.nets.detector_targets import STRIDE
from models.nets.folding import fold
from models.nets.judge import Judge, JudgeGraph
from models.nets.nets import (
    MARKS_SIZE,
    Classifier,
    Detector,
    IndexReader,
    MarksReader,
    Verifier,
)
from models.nets.quantise import (
    Images,
    calibration_crops,
    calibration_finds,
    calibration_scenes,
    quantise,
)
from models.nets.registration import FOLDER, register
from models.nets.storage import shrink
from models.nets.weights import NORMS, as_text
from scorer.tiles import BONUS_TILES, READING_LABELS
from vision.evidence.features import PAIRED, UNARY
from vision.geometry.crops import SURROUNDINGS_SIZE
from vision.vocabulary.detections import LIKELY
from vision.vocabulary.labels import INDICES

NAMES: Final = ("detector", "classifier", "indices", "judge", "marks", "verifier")
"""The networks that can be exported."""


class DetectorGraph(nn.Module):
    """The detector with scores instead of logits, non-maxima set to zero."""

    def __init__(self, net: Detector) -> None:
        super().__init__()
        self.net = net

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Map (n, h, w, 3) uint8 BGR to heat (n, 2, h/8, w/8), sector logits and corners."""
        centre, sector, corners = self.net(image)
        heat = torch.sigmoid(centre)
        most = heat.amax(dim=1, keepdim=True)
        peak = functional.max_pool2d(most, 3, stride=1, padding=1)
        return heat * (most == peak).float(), sector, corners


class MarksGraph(nn.Module):
    """The reader of marks with probabilities instead of logits."""

    def __init__(self, net: MarksReader) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: Tensor) -> Tensor:
        """Probabilities (n, 8) of (n, h, w, 3) uint8 BGR crops."""
        logits: Tensor = self.net(crops)
        return functional.softmax(logits, dim=1)


class IndexGraph(nn.Module):
    """The reader of indices with one answer for a whole tile."""

    def __init__(self, net: IndexReader) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: Tensor) -> Tensor:
        """Probabilities (n, 17) of (n, h, w, 3) uint8 BGR crops.

        A tile says what one of its cells says; nothing where no cell says anything.
        """
        cells = functional.softmax(self.net(crops), dim=1).flatten(2)
        said = torch.cat([cells[:, :1].amin(dim=2), cells[:, 1:].amax(dim=2)], dim=1)
        return said / said.sum(dim=1, keepdim=True)


class VerifierGraph(nn.Module):
    """The verifier, whose outputs need no change."""

    def __init__(self, net: Verifier) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Run on (n, 96, 72, 3) uint8 BGR crops of detections with their surroundings.

        Returns:
            log-odds (n,) that each is a tile; log-odds (n,) that it lies face down if it is one;
            corners (n, 4, 2) as :class:`models.nets.nets.Verifier` gives them.
        """
        tile, down, corners = self.net(crops)
        return tile, down, corners


class ClassifierGraph(nn.Module):
    """The classifier with calibrated probabilities instead of logits."""

    def __init__(self, net: Classifier, temperature: float) -> None:
        super().__init__()
        self.net, self.temperature = net, temperature

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Run on (n, h, w, 3) uint8 BGR crops.

        Returns:
            probabilities (n, 45); upright logits (n,); embeddings (n, d); the probabilities (n,)
            of being a tile; corners (n, 4, 2) as in :class:`models.nets.nets.Answer`.
        """
        answer = self.net(crops)
        probabilities = functional.softmax(answer.logits / self.temperature, dim=1)
        tiles = torch.sigmoid(answer.valid)
        return probabilities, answer.upright, answer.embedding, tiles, answer.corners


def averaged_weights(run: Path) -> dict[str, Tensor]:
    """The averaged weights of a run's last checkpoint."""
    kept = torch.load(run / "last.pt", map_location="cpu", weights_only=True)
    weights: dict[str, Tensor] = kept["average"]
    return weights


def _write(
    graph: nn.Module,
    example: Tensor,
    names: tuple[list[str], list[str]],
    dynamic: dict[str, dict[int, str]],
    metadata: dict[str, Any],
    path: Path,
    inputs: Iterable[Images],
) -> None:
    norms = fold(graph.eval())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            graph,
            (example,),
            str(path),
            input_names=names[0],
            output_names=names[1],
            dynamic_axes=dynamic,
            opset_version=17,
            do_constant_folding=False,
            dynamo=False,
        )
    quantise(path, inputs)
    model = onnx.load(path)
    shrink(model)
    described = {**metadata, NORMS: as_text(norms)}
    onnx.helper.set_model_props(model, {k: json.dumps(v) for k, v in described.items()})
    onnx.save(model, path)


def export_detector(
    weights: dict[str, Tensor], path: Path, inputs: Iterable[Images], threshold: float
) -> None:
    """Write the detector; its metadata holds ``threshold`` and ``stride``.

    Args:
        weights: parameters of the network.
        path: file to write.
        inputs: pictures (1, h, w, 3) uint8 BGR that calibrate the ranges of the activations.
        threshold: the lowest score of a detection.
    """
    net = Detector()
    net.load_state_dict(weights)
    grid = {2: "rows", 3: "columns"}
    _write(
        DetectorGraph(net),
        torch.zeros((1, 64, 96, 3), dtype=torch.uint8),
        (["image"], ["heat", "sector", "corners"]),
        {
            "image": {1: "height", 2: "width"},
            "heat": grid,
            "sector": grid,
            "corners": {3: "rows", 4: "columns"},
        },
        {"threshold": threshold, "stride": STRIDE},
        path,
        inputs,
    )


def export_classifier(
    weights: dict[str, Tensor], path: Path, inputs: Iterable[Images], temperature: float
) -> None:
    """Write the classifier; its metadata holds ``labels``, ``size`` and ``temperature``.

    Args:
        weights: parameters of the network.
        path: file to write.
        inputs: crops (n, h, w, 3) uint8 BGR that calibrate the ranges of the activations.
        temperature: divisor of the logits that calibrates the probabilities.
    """
    net = Classifier(len(READING_LABELS))
    net.load_state_dict(weights)
    outputs = ["probabilities", "upright", "embedding", "valid", "corners"]
    _write(
        ClassifierGraph(net, temperature),
        torch.zeros((2, *CROP_SIZE, 3), dtype=torch.uint8),
        (["crops"], outputs),
        {name: {0: "count"} for name in ("crops", *outputs)},
        {
            "labels": list(READING_LABELS),
            "size": list(CROP_SIZE),
            "temperature": temperature,
        },
        path,
        inputs,
    )


def export_marks(weights: dict[str, Tensor], path: Path, inputs: Iterable[Images]) -> None:
    """Write the reader of marks, as :func:`_export_reader` does."""
    net = MarksReader()
    net.load_state_dict(weights)
    _export_reader(MarksGraph(net), BONUS_TILES, path, inputs)


def export_indices(weights: dict[str, Tensor], path: Path, inputs: Iterable[Images]) -> None:
    """Write the reader of indices, as :func:`_export_reader` does."""
    net = IndexReader()
    net.load_state_dict(weights)
    _export_reader(IndexGraph(net), INDICES, path, inputs)


def _export_reader(
    graph: nn.Module, labels: Sequence[str], path: Path, inputs: Iterable[Images]
) -> None:
    """Write a reader of small print; its metadata holds ``labels`` and ``size``.

    Args:
        graph: gives probabilities (n, labels) of crops.
        labels: what it tells apart.
        path: file to write.
        inputs: crops (n, 128, 96, 3) uint8 BGR that calibrate the ranges of the activations.
    """
    _write(
        graph,
        torch.zeros((2, *MARKS_SIZE, 3), dtype=torch.uint8),
        (["crops"], ["probabilities"]),
        {name: {0: "count"} for name in ("crops", "probabilities")},
        {"labels": list(labels), "size": list(MARKS_SIZE)},
        path,
        inputs,
    )


def export_verifier(weights: dict[str, Tensor], path: Path, inputs: Iterable[Images]) -> None:
    """Write the verifier.

    Args:
        weights: parameters of the network.
        path: file to write.
        inputs: crops (n, 96, 72, 3) uint8 BGR cut by
            :func:`vision.geometry.crops.with_surroundings`, which calibrate the ranges of the
            activations.
    """
    net = Verifier()
    net.load_state_dict(weights)
    outputs = ["tile", "down", "corners"]
    _write(
        VerifierGraph(net),
        torch.zeros((2, *SURROUNDINGS_SIZE, 3), dtype=torch.uint8),
        (["crops"], outputs),
        {name: {0: "count"} for name in ("crops", *outputs)},
        {},
        path,
        inputs,
    )


def export_judge(weights: Sequence[dict[str, Tensor]], path: Path, temperature: float) -> None:
    """Write the judge, in 32-bit floating point.

    Args:
        weights: parameters of the networks whose answers are averaged.
        path: file to write.
        temperature: by which the logits are divided for calibrated probabilities.
    """
    nets = [Judge().eval() for _ in weights]
    for net, each in zip(nets, weights, strict=True):
        net.load_state_dict(each)
    example = torch.zeros((3, UNARY)), torch.zeros((3, 3, PAIRED))
    dynamic = {"unary": {0: "n"}, "paired": {0: "n", 1: "n"}, "chances": {0: "n"}}
    torch.onnx.export(
        JudgeGraph(nets, temperature).eval(),
        example,
        str(path),
        input_names=["unary", "paired"],
        output_names=["chances"],
        dynamic_axes=dynamic,
        opset_version=17,
        dynamo=False,
    )


def main() -> None:
    """Export one of the models."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument(
        "run", type=Path, nargs="+", help="folder of the training run; of the judge several"
    )
    parser.add_argument("--version", required=True)
    parser.add_argument("--designs", type=Path, help="folder of drawn designs; not for the judge")
    parser.add_argument("--scenes", type=int, default=100, help="rendered to find ranges of values")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the registry")
    parser.add_argument("--threshold", type=float, default=LIKELY, help="least detector score")
    parser.add_argument("--temperature", type=float, default=1.0, help="of the classifier or judge")
    options = parser.parse_args()
    every = [averaged_weights(run) for run in options.run]
    path = options.out / f"{options.name}.onnx"
    if options.name == "judge":
        export_judge(every, path, options.temperature)
        register(options.name, path, options.version)
        return
    if options.designs is None or len(every) > 1:
        parser.error("give --designs and one run")
    (weights,) = every
    scenes = calibration_scenes(options.designs, options.scenes)
    if options.name == "detector":
        pictures = (scene.image[np.newaxis] for scene in scenes)
        export_detector(weights, path, pictures, options.threshold)
    elif options.name == "marks":
        export_marks(weights, path, calibration_crops(scenes, MARKS_SIZE))
    elif options.name == "indices":
        export_indices(weights, path, calibration_crops(scenes, MARKS_SIZE))
    elif options.name == "verifier":
        export_verifier(weights, path, calibration_finds(scenes))
    else:
        export_classifier(weights, path, calibration_crops(scenes), options.temperature)
    register(options.name, path, options.version)


if __name__ == "__main__":
    main()
