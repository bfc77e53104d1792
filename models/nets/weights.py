"""Reads the parameters of a shipped ONNX file, so that a later training run can start from it."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from models.nets.folding import unfold

PREFIX: Final = "net."
"""Prefix of the network's own parameter names in the exported graph."""
NORMS: Final = "norms"
"""Key of the file's metadata that holds the parameters of the folded batch normalisations."""
_NUMBERS: Final = np.dtype("<f4")
"""Type of the stored parameters of normalisations."""
_LEVELS: Final = "_quantized"
"""Suffix of the names of 8-bit kernels."""
_SCALES: Final = "_scale"
"""Suffix of the names of 8-bit kernels' scales."""


def load_weights(path: Path) -> dict[str, Tensor]:
    """The parameters of a shipped ONNX file, float32, under the names they have in the network."""
    model = onnx.load(path)
    norms = {
        name.removeprefix(PREFIX): torch.from_numpy(np.frombuffer(b64decode(text), _NUMBERS).copy())
        for entry in model.metadata_props
        if entry.key == NORMS
        for name, text in json.loads(entry.value).items()
    }
    return unfold({**dict(_folded_weights(model.graph)), **norms})


def as_text(parameters: Mapping[str, Tensor]) -> dict[str, str]:
    """Encode one-dimensional float32 parameters in base64, a third of the size of their digits."""
    return {
        name: b64encode(values.numpy().astype(_NUMBERS).tobytes()).decode("ascii")
        for name, values in parameters.items()
    }


def _folded_weights(graph: onnx.GraphProto) -> Iterator[tuple[str, Tensor]]:
    stored = {
        tensor.name: numpy_helper.to_array(tensor)
        for tensor in graph.initializer
        if tensor.name.startswith(PREFIX)
    }
    for name, values in stored.items():
        own = name.removeprefix(PREFIX)
        if name.endswith(_LEVELS) and values.dtype == np.int8:
            parameter = name.removesuffix(_LEVELS)
            scales = stored[parameter + _SCALES].reshape(-1, 1, 1, 1)
            yield own.removesuffix(_LEVELS), torch.from_numpy(values * scales)
        elif values.ndim and values.dtype.kind == "f" and not name.endswith(_SCALES):
            yield own, torch.from_numpy(values.astype(np.float32))


def start_from(net: nn.Module, path: Path) -> None:
    """Load the parameters of a shipped file into a network; parts the file lacks stay untrained.

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
