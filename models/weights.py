"""The parameters of a shipped ONNX file, to start a later training run from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

PREFIX = "net."
"""What the exported graph puts before the network's own parameter names."""


def load_weights(path: Path) -> dict[str, Tensor]:
    """The parameters of a shipped ONNX file, float32, under the names they have in the network."""
    return {
        tensor.name.removeprefix(PREFIX): torch.from_numpy(
            numpy_helper.to_array(tensor).astype(np.float32)
        )
        for tensor in onnx.load(path).graph.initializer
        if tensor.name.startswith(PREFIX)
    }


def start_from(net: nn.Module, path: Path) -> None:
    """Give the network the parameters of a shipped file.

    Raises:
        ValueError: the file lacks a parameter, or was made for another network.
    """
    shipped = load_weights(path)
    counters = {name for name in net.state_dict() if name.endswith("num_batches_tracked")}
    missing = net.state_dict().keys() - shipped.keys() - counters
    if missing:
        raise ValueError(f"{path} has no parameter {', '.join(sorted(missing)[:3])}")
    net.load_state_dict({**net.state_dict(), **shipped})
