"""Shipped files hold large parameters that are not in 8 bits as float16.

The graph casts them back to float32 where they are used.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx
from onnx import NodeProto, numpy_helper

_WORTH_SHRINKING: Final = 1024
"""Number of values from which a parameter is stored in float16."""


def shrink(model: onnx.ModelProto) -> None:
    """Store the large float32 parameters in float16, in place."""
    widening: list[NodeProto] = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < _WORTH_SHRINKING:
            continue
        wide = f"{tensor.name}.float32"
        for node in model.graph.node:
            for index, used in enumerate(node.input):
                if used == tensor.name:
                    node.input[index] = wide
        cast = onnx.helper.make_node("Cast", [tensor.name], [wide], to=onnx.TensorProto.FLOAT)
        widening.append(cast)
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), tensor.name))
    nodes = [*widening, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
