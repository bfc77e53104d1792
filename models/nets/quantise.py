"""Quantises the networks to 8 bits.

The convolutions work on 8-bit integers: unsigned activations, and signed weights per channel from
-64 to 64. Processors without VNNI instructions add two products in 16 bits, which such weights
cannot overflow: 2 x 255 x 64 = 32640. So every processor takes its fastest way and gives the same
sums. The ranges of the activations are means over rendered scenes, because the widest
ranges lose tiles. The detector's last convolutions, whose outputs are scores and corner offsets,
stay in floating point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, numpy_helper

from datasets.crops.crops import CROP_SIZE, cut_crops
from datasets.crops.negatives import quads_without_tiles
from datasets.scenes.scenes import Scene, random_scene
from datasets.sets.sources import Sources, load_face_sets
from vision.geometry.crops import with_surroundings

Images = NDArray[np.uint8]

_SIZE: Final = (640, 640)
"""Height and width of the calibration scenes in pixels."""
_CROPS_AT_ONCE: Final = 16
"""Number of crops in a calibration batch."""
_FASTER: Final = ("Conv", "Add", "Relu")
"""The ONNX operators that are quantised."""
_SEED: Final = 11
"""Seed of the calibration scenes and crops."""


class _Feeds:
    """Feeds inputs to the calibration, one by one, as a ``CalibrationDataReader``."""

    def __init__(self, name: str, inputs: Iterable[Images]) -> None:
        self._feeds: Iterator[dict[str, Images]] = ({name: each} for each in inputs)

    def get_next(self) -> dict[str, Images] | None:
        """The model's next input."""
        return next(self._feeds, None)


def quantise(path: Path, inputs: Iterable[Images]) -> None:
    """Turn a network in floating point into one of 8 bits, in place.

    Args:
        path: ONNX file whose batch normalisations are folded into the convolutions.
        inputs: batches (n, h, w, 3) uint8 BGR such as the network will see, for calibration.
    """
    from onnxruntime import quantization

    graph = onnx.load(path).graph
    normalised = _normalised(graph)
    quantization.quantize_static(
        str(path),
        str(path),
        _Feeds(graph.input[0].name, inputs),
        quant_format=quantization.QuantFormat.QDQ,
        op_types_to_quantize=list(_FASTER),
        per_channel=True,
        reduce_range=True,
        activation_type=quantization.QuantType.QUInt8,
        weight_type=quantization.QuantType.QInt8,
        nodes_to_exclude=_last_convolutions(graph),
        extra_options={
            "CalibMovingAverage": True,
            "TensorQuantOverrides": {
                normalised.name: [{"scale": normalised.scale, "zero_point": normalised.zero}]
            },
        },
    )
    model = onnx.load(path)
    _take_bytes(model.graph)
    onnx.save(model, path)


def _last_convolutions(graph: onnx.GraphProto) -> list[str]:
    """The names of the convolutions that are not followed by an activation."""
    makers = {output: node for node in graph.node for output in node.output}
    followed: set[str] = set()
    waiting = [name for node in graph.node if node.op_type == "Relu" for name in node.input]
    seen = set(waiting)
    while waiting:
        maker = makers.get(waiting.pop())
        if maker is None:
            continue
        followed.add(maker.name)
        fresh = set(maker.input) - seen
        seen |= fresh
        waiting += fresh
    return [
        node.name for node in graph.node if node.op_type == "Conv" and node.name not in followed
    ]


class _Normalised(NamedTuple):
    """The normalised input of a network: ``scale`` times a byte's difference from ``zero``."""

    name: str
    scale: NDArray[np.float32]
    zero: NDArray[np.uint8]


def _normalised(graph: onnx.GraphProto) -> _Normalised:
    """Scale and zero point of the graph's :func:`models.nets.nets.normalise`."""
    numbers = {
        node.output[0]: numpy_helper.to_array(node.attribute[0].t)
        for node in graph.node
        if node.op_type == "Constant"
    }
    _, _, less, times = _from_picture(graph, ("Transpose", "Cast", "Sub", "Mul"))
    scale, zero = numbers[times.input[1]], numbers[less.input[1]]
    return _Normalised(times.output[0], scale, zero.astype(np.uint8))


def _take_bytes(graph: onnx.GraphProto) -> None:
    """Let the first convolution take a picture's bytes as they are.

    The nodes removed here normalise the bytes and then quantise them to the same bytes again.
    """
    normalising = ("Transpose", "Cast", "Sub", "Mul", "QuantizeLinear", "DequantizeLinear")
    turned, *between, widened = _from_picture(graph, normalising)
    for node in between:
        graph.node.remove(node)
    widened.input[0] = turned.output[0]


def _from_picture(graph: onnx.GraphProto, kinds: Sequence[str]) -> list[NodeProto]:
    """The first nodes that a picture passes through, one of each of these kinds in this order."""
    users = {name: node for node in graph.node for name in node.input}
    nodes: list[NodeProto] = []
    name = graph.input[0].name
    for _ in kinds:
        nodes.append(users[name])
        name = nodes[-1].output[0]
    if [node.op_type for node in nodes] != list(kinds):
        raise ValueError(f"a picture passes {[node.op_type for node in nodes]}, not {kinds}")
    return nodes


def calibration_scenes(designs: Path, count: int) -> Iterator[Scene]:
    """Rendered pictures, 640x640 pixels, of held-out designs.

    Raises:
        DesignError: there are no held-out designs.
    """
    sets = load_face_sets(Sources(None, designs), "val")
    for index in range(count):
        yield random_scene(np.random.default_rng([_SEED, index]), sets, _SIZE)


def calibration_crops(
    scenes: Iterable[Scene], size: tuple[int, int] = CROP_SIZE
) -> Iterator[Images]:
    """Batches (16, height, width, 3) uint8 BGR of the scenes' tiles, some of them turned."""
    return _batches(
        cut_crops(np.random.default_rng([_SEED, index]), scene, size).images
        for index, scene in enumerate(scenes)
    )


def calibration_finds(scenes: Iterable[Scene]) -> Iterator[Images]:
    """Batches (16, 96, 72, 3) uint8 BGR of the scenes' tiles and of places without any."""
    return _batches(_finds(index, scene) for index, scene in enumerate(scenes))


def _finds(index: int, scene: Scene) -> Images:
    others = quads_without_tiles(np.random.default_rng([_SEED, index]), scene, len(scene.quads))
    return with_surroundings(scene.image, np.concatenate([scene.quads, others]))


def _batches(parts: Iterable[Images]) -> Iterator[Images]:
    crops = np.concatenate(list(parts))
    np.random.default_rng(_SEED).shuffle(crops)
    whole = len(crops) // _CROPS_AT_ONCE * _CROPS_AT_ONCE
    yield from crops[:whole].reshape(-1, _CROPS_AT_ONCE, *crops.shape[1:])
