"""Write the 8-bit copies that run: ``python -m models.quantise detector --designs DIR``.

The convolutions of detector and classifier then work on 8-bit integers (signed weights by channel,
unsigned activations), two to three times as fast as in floating point where the processor has VNNI
instructions. The ranges of the activations are the mean ones of rendered scenes: with the widest,
tiles are lost. The last convolutions, whose outputs are scores, features and corner offsets, stay
in floating point. ``models/detector.onnx`` and ``models/classifier.onnx`` keep the parameters by
name for further training.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray

from datasets.crops import CROP_SIZE, cut_crops
from datasets.scenes import Scene, random_scene
from datasets.sources import Sources, load_face_sets
from models.registration import FOLDER, register
from models.storage import shrink
from vision.quiet_ort import ort
from vision.registry import find_model

Images = NDArray[np.uint8]

_SIZE: Final = (640, 640)
_CROPS_AT_ONCE: Final = 16
_FASTER: Final = ("Conv", "Add")


class _Feeds:
    """Feeds inputs to the calibration, one by one, as a ``CalibrationDataReader``."""

    def __init__(self, name: str, inputs: Iterable[Images]) -> None:
        self._feeds: Iterator[dict[str, Images]] = ({name: each} for each in inputs)

    def get_next(self) -> dict[str, Images] | None:
        """The model's next input."""
        return next(self._feeds, None)


def quantise(source: Path, target: Path, inputs: Iterable[Images]) -> None:
    """Write ``target``, the 8-bit copy of the network in ``source``, with its description.

    Args:
        source: ONNX file in floating point.
        target: file to write.
        inputs: each (n, h, w, 3) uint8 BGR, as the network will see them.
    """
    from onnxruntime import quantization

    description = onnx.load(source).metadata_props
    with tempfile.TemporaryDirectory() as folder:
        folded = Path(folder, "folded.onnx")
        options = ort.SessionOptions()
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = str(folded)
        ort.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])
        graph = onnx.load(folded).graph
        quantization.quantize_static(
            str(folded),
            str(target),
            _Feeds(graph.input[0].name, inputs),
            quant_format=quantization.QuantFormat.QDQ,
            op_types_to_quantize=list(_FASTER),
            per_channel=True,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
            nodes_to_exclude=_last_convolutions(graph),
            extra_options={"CalibMovingAverage": True},
        )
    model = onnx.load(target)
    del model.metadata_props[:]
    model.metadata_props.extend(description)
    shrink(model, kernels_in_bytes=False)
    onnx.save(model, target)


def _last_convolutions(graph: onnx.GraphProto) -> list[str]:
    """The names of the convolutions from which no other convolution takes its input."""
    makers = {output: node for node in graph.node for output in node.output}
    convolutions = [node for node in graph.node if node.op_type == "Conv"]
    followed: set[str] = set()
    waiting = [name for node in convolutions for name in node.input]
    seen = set(waiting)
    while waiting:
        maker = makers.get(waiting.pop())
        if maker is None:
            continue
        followed.add(maker.name)
        fresh = set(maker.input) - seen
        seen |= fresh
        waiting += fresh
    return [node.name for node in convolutions if node.name not in followed]


def calibration_scenes(designs: Path, count: int, seed: int) -> Iterator[Scene]:
    """Rendered pictures, 640x640 pixels, of any of the designs."""
    sets = load_face_sets(Sources(None, designs), "val")
    for index in range(count):
        yield random_scene(np.random.default_rng([seed, index]), sets, _SIZE)


def calibration_crops(scenes: Iterable[Scene], seed: int) -> Iterator[Images]:
    """Batches (16, 96, 72, 3) uint8 BGR of the scenes' tiles, some of them turned."""
    crops = np.concatenate(
        [
            cut_crops(np.random.default_rng([seed, index]), scene, CROP_SIZE).images
            for index, scene in enumerate(scenes)
        ]
    )
    np.random.default_rng(seed).shuffle(crops)
    whole = len(crops) // _CROPS_AT_ONCE * _CROPS_AT_ONCE
    yield from crops[:whole].reshape(-1, _CROPS_AT_ONCE, *crops.shape[1:])


def main() -> None:
    """Write the file and enter it in the registry."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=["detector", "classifier"])
    parser.add_argument("--designs", type=Path, required=True, help="folder of drawn designs")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the registry")
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    entry = find_model(options.name, options.folder)
    target = options.folder / f"{options.name}.int8.onnx"
    scenes = calibration_scenes(options.designs, options.scenes, options.seed)
    inputs = (
        (scene.image[np.newaxis] for scene in scenes)
        if options.name == "detector"
        else calibration_crops(scenes, options.seed)
    )
    quantise(options.folder / entry.file, target, inputs)
    register(f"{options.name}_int8", target, entry.version)


if __name__ == "__main__":
    main()
