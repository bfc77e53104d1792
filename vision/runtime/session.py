"""Opens the shipped ONNX models after comparing their checksums.

Each model file carries a description of itself (input size, labels, calibration) as JSON values
in its ONNX ``metadata_props``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.messages import say
from vision.runtime.onnxruntime import ort
from vision.runtime.registry import ModelEntry, find_model, read_model

_BATCH: Final = 32
"""Maximum number of crops that a model runs on at once."""


class Model:
    """An opened model, ready to run; one may be used from several threads.

    Attributes:
        entry: the model's entry in the registry.
        metadata: the model's description of itself, decoded from JSON.
    """

    def __init__(
        self, entry: ModelEntry, session: ort.InferenceSession, metadata: Mapping[str, object]
    ) -> None:
        self.entry = entry
        self.metadata = metadata
        self._session = session
        self._inputs = tuple(node.name for node in session.get_inputs())

    def run(self, *inputs: NDArray[np.generic]) -> list[NDArray[np.generic]]:
        """The model's outputs, in the model's order.

        Args:
            inputs: one array per input of the model, in the model's order.

        Raises:
            ModelError: their number, shape or dtype is not what the model takes.
        """
        if len(inputs) != len(self._inputs):
            wanted, count = len(self._inputs), len(inputs)
            raise ModelError(say("model.inputs", name=self.entry.name, wanted=wanted, count=count))
        try:
            outputs = self._session.run(None, dict(zip(self._inputs, inputs, strict=True)))
        except Exception as error:
            raise ModelError(say("model.failed", name=self.entry.name, fault=str(error))) from error
        return [np.asarray(output) for output in outputs]


def run_in_batches(model: Model, crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], ...]:
    """A model's outputs for any number of crops (n, h, w, 3), a few at once, each (n, ...).

    Raises:
        ModelError: their shape or dtype is not what the model takes.
    """
    parts = [
        model.run(crops[start : start + _BATCH]) for start in range(0, max(1, len(crops)), _BATCH)
    ]
    return tuple(np.concatenate(each).astype(np.float32) for each in zip(*parts, strict=True))


def load_model(name: str, folder: Traversable | None = None, *, threads: int = 1) -> Model:
    """The model of that name, checked against the registry and opened for the CPU.

    Args:
        name: the registry's key.
        folder: where the registry and the models lie; by default the ``models`` package.
        threads: how many threads one call may use; at least 1.

    Raises:
        ModelError: the model is not in the registry, its file is missing, is not the one the
            registry names, or cannot be opened.
    """
    entry = find_model(name, folder)
    data = read_model(entry, folder)
    try:
        session = ort.InferenceSession(data, _options(threads), providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelError(say("model.unopened", file=entry.file, fault=str(error))) from error
    return Model(entry, session, _metadata(session, entry))


def _options(threads: int) -> ort.SessionOptions:
    """Options for a small server: few threads, which sleep between calls, and no memory arena."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def _metadata(session: ort.InferenceSession, entry: ModelEntry) -> Mapping[str, object]:
    raw = session.get_modelmeta().custom_metadata_map
    try:
        return MappingProxyType({key: json.loads(value) for key, value in raw.items()})
    except json.JSONDecodeError as error:
        raise ModelError(say("model.description", file=entry.file, fault=str(error))) from error
