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
from collections.abc import Iterable
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
from models.nets.nets import Classifier, Detector, Verifier
from models.nets.quantise import (
    Images,
    calibration_crops,
    calibration_finds,
    calibration_scenes,
    calibration_windows,
    quantise,
)
from models.nets.readers import READERS, SIGNS_READER, Reader
from models.nets.registration import FOLDER, register
from models.nets.storage import shrink
from models.nets.weights import NORMS, as_text
from scorer.tiles import READING_LABELS
from vision.detect.verifier import VERIFIERS
from vision.geometry.crops import SURROUNDINGS_SIZE
from vision.vocabulary.detections import LIKELY

NAMES: Final = ("detector", "classifier", *READERS, *VERIFIERS)
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


class ReaderGraph(nn.Module):
    """A reader of small print with probabilities instead of logits."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: Tensor) -> Tensor:
        """Probabilities (n, labels) of (n, h, w, 3) uint8 BGR crops."""
        logits: Tensor = self.net(crops)
        return functional.softmax(logits, dim=1)


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
    weights: dict[str, Tensor],
    path: Path,
    inputs: Iterable[Images],
    temperature: float,
    min_valid: float,
) -> None:
    """Write the classifier.

    Its metadata holds ``labels``, ``size``, ``temperature`` and ``min_valid``.

    Args:
        weights: parameters of the network.
        path: file to write.
        inputs: crops (n, h, w, 3) uint8 BGR that calibrate the ranges of the activations.
        temperature: divisor of the logits that calibrates the probabilities.
        min_valid: the lowest probability of being a tile at which a crop counts as one.
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
            "min_valid": min_valid,
        },
        path,
        inputs,
    )


def export_reader(
    weights: dict[str, Tensor], path: Path, inputs: Iterable[Images], reader: Reader
) -> None:
    """Write a reader of small print; its metadata holds ``labels`` and ``size``.

    Args:
        weights: parameters of the network.
        path: file to write.
        inputs: crops or windows (n, h, w, 3) uint8 BGR of the reader's size that calibrate the
            ranges of the activations.
        reader: the reader that the weights belong to.
    """
    net = reader.net()
    net.load_state_dict(weights)
    _write(
        ReaderGraph(net),
        torch.zeros((2, *reader.size, 3), dtype=torch.uint8),
        (["crops"], ["probabilities"]),
        {name: {0: "count"} for name in ("crops", "probabilities")},
        {"labels": list(reader.labels), "size": list(reader.size)},
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


def main() -> None:
    """Export one of the models."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("run", type=Path, help="folder of the training run")
    parser.add_argument("--version", required=True)
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--scenes", type=int, default=100, help="rendered to find ranges of values")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the registry")
    parser.add_argument("--threshold", type=float, default=LIKELY, help="least detector score")
    parser.add_argument("--temperature", type=float, default=1.0, help="of the classifier")
    parser.add_argument("--min-valid", type=float, default=0.5, help="of the classifier")
    options = parser.parse_args()
    weights = averaged_weights(options.run)
    path = options.out / f"{options.name}.onnx"
    scenes = calibration_scenes(options.designs, options.scenes)
    if options.name == "detector":
        pictures = (scene.image[np.newaxis] for scene in scenes)
        export_detector(weights, path, pictures, options.threshold)
    elif options.name in READERS:
        reader = READERS[options.name]
        if options.name == SIGNS_READER:
            shown = calibration_windows(scenes)
        else:
            shown = calibration_crops(scenes, reader.size)
        export_reader(weights, path, shown, reader)
    elif options.name in VERIFIERS:
        export_verifier(weights, path, calibration_finds(scenes))
    else:
        crops = calibration_crops(scenes)
        export_classifier(weights, path, crops, options.temperature, options.min_valid)
    register(options.name, path, options.version)


if __name__ == "__main__":
    main()
