"""How shipped files hold large parameters: in float16, or kernels in 8 bits.

Of a kernel in 8 bits one scale by output channel is kept beside it, under its name and ``.scale``.
All are turned back into float32 where they are used, so that a file is a network of float32
numbers. The 8-bit copies that run (:mod:`models.quantise`) have the very same kernels: folding a
batch normalisation into one multiplies whole channels.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, numpy_helper

SCALE: Final = ".scale"
"""What follows a kernel's name in the name of its scales."""
_WORTH_SHRINKING: Final = 1024
_MOST: Final = 127


def shrink(model: onnx.ModelProto, *, kernels_in_bytes: bool) -> None:
    """Store the large float32 parameters in fewer bits, in place."""
    convolutions = [node for node in model.graph.node if node.op_type == "Conv"]
    kernels = {node.input[1] for node in convolutions} if kernels_in_bytes else set()
    widening: list[NodeProto] = []
    scales = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < _WORTH_SHRINKING:
            continue
        wide = f"{tensor.name}.float32"
        for node in model.graph.node:
            for index, used in enumerate(node.input):
                if used == tensor.name:
                    node.input[index] = wide
        if tensor.name in kernels:
            stored, scale = in_bytes(values)
            scales.append(numpy_helper.from_array(scale, f"{tensor.name}{SCALE}"))
            near = f"{tensor.name}.levels"
            widening += [_cast(tensor.name, near), _times(near, f"{tensor.name}{SCALE}", wide)]
        else:
            stored = values.astype(np.float16)
            widening.append(_cast(tensor.name, wide))
        tensor.CopyFrom(numpy_helper.from_array(stored, tensor.name))
    nodes = [*widening, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(scales)


def in_bytes(kernel: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A kernel (o, i, h, w) as levels of the same shape and scales (o, 1, 1, 1): their product."""
    widest = np.abs(kernel).max(axis=(1, 2, 3), keepdims=True)
    scale = (np.maximum(widest, np.finfo(np.float32).tiny) / _MOST).astype(np.float32)
    return np.rint(kernel / scale).astype(np.int8), scale


def _cast(stored: str, wide: str) -> NodeProto:
    return onnx.helper.make_node("Cast", [stored], [wide], to=onnx.TensorProto.FLOAT)


def _times(levels: str, scale: str, product: str) -> NodeProto:
    return onnx.helper.make_node("Mul", [levels, scale], [product])
