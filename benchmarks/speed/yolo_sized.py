"""A network with the layers of YOLO11s and random weights, for comparing times.

It follows the published layout of that network as an ONNX graph: convolutions with folded
normalisation and SiLU, cross-stage blocks, spatial pyramid pooling, one attention block, a feature
pyramid in both directions, and box and class heads at strides 8, 16 and 32 for 80 classes. The
steps after the heads (boxes from distances, non-maximum suppression) are left out, which favours
it. :func:`build` counts parameters and floating-point operations, two per multiply-accumulate.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

PARAMETERS: Final = 9.4e6
"""Number of parameters of the published network."""
OPERATIONS: Final = 21.5e9
"""Floating-point operations of the published network for one picture of 640 x 640 pixels."""
SIDE: Final = 640
"""Height and width of the input in pixels."""
_CLASSES: Final = 80
"""Number of classes."""
_BOX_BINS: Final = 64
"""Number of outputs for the distances to a box's sides."""


@dataclass(frozen=True, slots=True)
class Value:
    """A tensor of the graph: its name, channels, and side in cells."""

    name: str
    channels: int
    side: int


@dataclass(slots=True)
class Builder:
    """Collects nodes and weights, and counts parameters and operations."""

    rng: np.random.Generator
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)
    parameters: int = 0
    operations: int = 0

    def node(self, kind: str, inputs: list[str], **attributes: int | list[int] | str) -> str:
        """Append a node and return the name of its output."""
        name = f"{kind}_{len(self.nodes)}"
        node = helper.make_node(kind, inputs, [name])
        node.attribute.extend(
            helper.make_attribute(key, value) for key, value in attributes.items()
        )
        self.nodes.append(node)
        return name

    def constant(self, values: NDArray[np.generic]) -> str:
        """Store an array and return its name."""
        name = f"weight_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def conv(
        self,
        x: Value,
        channels: int,
        kernel: int = 1,
        stride: int = 1,
        *,
        groups: int = 1,
        active: bool = True,
    ) -> Value:
        """A convolution with bias, and SiLU unless it is not ``active``."""
        shape = (channels, x.channels // groups, kernel, kernel)
        scale = np.sqrt(2.0 / np.prod(shape[1:]))
        weight = self.constant(self.rng.normal(0, scale, shape).astype(np.float32))
        bias = self.constant(np.zeros(channels, np.float32))
        side = x.side // stride
        self.parameters += int(np.prod(shape)) + channels
        self.operations += 2 * int(np.prod(shape)) * side * side
        name = self.node(
            "Conv",
            [x.name, weight, bias],
            kernel_shape=[kernel, kernel],
            strides=[stride, stride],
            pads=[kernel // 2] * 4,
            group=groups,
        )
        if active:
            name = self.node("Mul", [name, self.node("Sigmoid", [name])])
        return Value(name, channels, side)

    def add(self, a: Value, b: Value) -> Value:
        """The sum of two tensors."""
        return Value(self.node("Add", [a.name, b.name]), a.channels, a.side)

    def join(self, *values: Value) -> Value:
        """The concatenated channels of tensors."""
        name = self.node("Concat", [value.name for value in values], axis=1)
        return Value(name, sum(value.channels for value in values), values[0].side)

    def halves(self, x: Value) -> tuple[Value, Value]:
        """The first and the second half of the channels."""
        half = x.channels // 2
        names = [f"half_{len(self.nodes)}_{i}" for i in range(2)]
        sizes = self.constant(np.array([half, half], np.int64))
        self.nodes.append(helper.make_node("Split", [x.name, sizes], names, axis=1))
        return Value(names[0], half, x.side), Value(names[1], half, x.side)

    def double(self, x: Value) -> Value:
        """A tensor with twice the side, by repeating cells."""
        scales = self.constant(np.array([1, 1, 2, 2], np.float32))
        name = self.node("Resize", [x.name, "", scales], mode="nearest")
        return Value(name, x.channels, x.side * 2)

    def bottleneck(self, x: Value, share: float) -> Value:
        """Two 3x3 convolutions with a shortcut."""
        inner = self.conv(x, int(x.channels * share), 3)
        return self.add(x, self.conv(inner, x.channels, 3))

    def deep(self, x: Value) -> Value:
        """Two bottlenecks parallel to a plain path."""
        half = x.channels // 2
        inner = self.conv(x, half)
        for _ in range(2):
            inner = self.bottleneck(inner, 1.0)
        return self.conv(self.join(inner, self.conv(x, half)), x.channels)

    def stage(self, x: Value, channels: int, *, deep: bool, share: float = 0.5) -> Value:
        """A cross-stage block: half of the channels pass unchanged, the other half is processed."""
        width = int(channels * share)
        first, second = self.halves(self.conv(x, 2 * width))
        third = self.deep(second) if deep else self.bottleneck(second, 0.5)
        return self.conv(self.join(first, second, third), channels)

    def pooled(self, x: Value) -> Value:
        """Spatial pyramid pooling: concatenated maxima over growing neighbourhoods."""
        parts = [self.conv(x, x.channels // 2)]
        for _ in range(3):
            last = parts[-1]
            name = self.node(
                "MaxPool", [last.name], kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4
            )
            parts.append(Value(name, last.channels, last.side))
        return self.conv(self.join(*parts), x.channels)

    def attention(self, x: Value) -> Value:
        """Self-attention over all cells, in heads of 64 channels with keys of 32."""
        heads, cells = x.channels // 64, x.side * x.side
        every = self.conv(x, 2 * x.channels, active=False)
        shaped = self._reshape(every.name, [1, heads, 128, cells])
        names = [f"{part}_{len(self.nodes)}" for part in ("query", "key", "value")]
        sizes = self.constant(np.array([32, 32, 64], np.int64))
        self.nodes.append(helper.make_node("Split", [shaped, sizes], names, axis=2))
        query, key, value = names
        across = self.node("Transpose", [query], perm=[0, 1, 3, 2])
        scale = self.constant(np.array(32**-0.5, np.float32))
        likeness = self.node("Mul", [self.node("MatMul", [across, key]), scale])
        looks = self.node("Softmax", [likeness], axis=-1)
        turned = self.node("Transpose", [looks], perm=[0, 1, 3, 2])
        seen = self.node("MatMul", [value, turned])
        self.operations += 2 * heads * cells * cells * (32 + 64)
        place = Value(self._reshape(value, [1, x.channels, x.side, x.side]), x.channels, x.side)
        flat = Value(self._reshape(seen, [1, x.channels, x.side, x.side]), x.channels, x.side)
        places = self.conv(place, x.channels, 3, groups=x.channels, active=False)
        return self.conv(self.add(flat, places), x.channels, active=False)

    def _reshape(self, name: str, shape: list[int]) -> str:
        return self.node("Reshape", [name, self.constant(np.array(shape, np.int64))])

    def attentive(self, x: Value) -> Value:
        """A block in which half of the channels pass unchanged and the other half attends."""
        first, second = self.halves(self.conv(x, x.channels))
        second = self.add(second, self.attention(second))
        wide = self.conv(second, 2 * second.channels)
        second = self.add(second, self.conv(wide, second.channels, active=False))
        return self.conv(self.join(first, second), x.channels)

    def head(self, x: Value) -> Value:
        """The heads for distances to the box's sides in bins, and for classes."""
        box = self.conv(self.conv(x, 64, 3), 64, 3)
        label = self.conv(self.conv(x, x.channels, 3, groups=x.channels), 128)
        label = self.conv(self.conv(label, 128, 3, groups=128), 128)
        return self.join(
            self.conv(box, _BOX_BINS, active=False), self.conv(label, _CLASSES, active=False)
        )


@dataclass(frozen=True, slots=True)
class Network:
    """A finished graph.

    Attributes:
        model: maps ``image`` (1, 3, 640, 640) float32 to three (1, 144, n, n) maps.
        parameters: number of trainable parameters.
        operations: floating-point operations for one picture.
    """

    model: onnx.ModelProto
    parameters: int
    operations: int


def build(seed: int = 0) -> Network:
    """The network with random weights."""
    b = Builder(np.random.default_rng(seed))
    x = b.conv(b.conv(Value("image", 3, SIDE), 32, 3, 2), 64, 3, 2)
    x = b.conv(b.stage(x, 128, deep=False, share=0.25), 128, 3, 2)
    eighth = b.stage(x, 256, deep=False, share=0.25)
    sixteenth = b.stage(b.conv(eighth, 256, 3, 2), 256, deep=True)
    x = b.stage(b.conv(sixteenth, 512, 3, 2), 512, deep=True)
    deepest = b.attentive(b.pooled(x))
    middle = b.stage(b.join(b.double(deepest), sixteenth), 256, deep=False)
    small = b.stage(b.join(b.double(middle), eighth), 128, deep=False)
    middle = b.stage(b.join(b.conv(small, 128, 3, 2), middle), 256, deep=False)
    large = b.stage(b.join(b.conv(middle, 256, 3, 2), deepest), 512, deep=True)
    heads = [b.head(scale) for scale in (small, middle, large)]
    graph = helper.make_graph(
        b.nodes,
        "yolo11s-sized",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, SIDE, SIDE])],
        [
            helper.make_tensor_value_info(
                head.name, TensorProto.FLOAT, [1, head.channels, head.side, head.side]
            )
            for head in heads
        ],
        b.weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    return Network(model, b.parameters, b.operations)
