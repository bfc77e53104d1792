"""The parameters of a shipped ONNX file, to start a later training run from."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from models.storage import SCALE

PREFIX: Final = "net."
"""What the exported graph puts before the network's own parameter names."""
_ONE: Final = np.float32(1)


def load_weights(path: Path) -> dict[str, Tensor]:
    """The parameters of a shipped ONNX file, float32, under the names they have in the network."""
    stored = {
        tensor.name: numpy_helper.to_array(tensor).astype(np.float32)
        for tensor in onnx.load(path).graph.initializer
        if tensor.name.startswith(PREFIX)
    }
    return {
        name.removeprefix(PREFIX): torch.from_numpy(values * stored.get(f"{name}{SCALE}", _ONE))
        for name, values in stored.items()
        if not name.endswith(SCALE)
    }


def start_from(net: nn.Module, path: Path) -> None:
    """Give the network the parameters of a shipped file; parts that the file lacks start fresh.

    Raises:
        ValueError: the file was made for another network.
    """
    shipped, own = load_weights(path), net.state_dict()
    if not shipped:
        raise ValueError(f"{path} holds no parameters of a network of ours")
    for name, tensor in shipped.items():
        if name not in own or own[name].shape != tensor.shape:
            raise ValueError(f"{path} was made for another network: {name} does not fit")
    net.load_state_dict({**own, **shipped})
