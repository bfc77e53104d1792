"""Opens the shipped ONNX models: the right file, unchanged, with its own description.

``models/registry.toml`` holds one table per model::

    [detector]
    file = "detector.onnx"
    sha256 = "<64 hexadecimal digits>"
    version = "1.0.0"

Further keys are allowed. Each model file carries a description of itself (input size, labels,
calibration) as JSON values in its ONNX ``metadata_props``.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.errors import ModelError

MODELS_PACKAGE: Final = "models"
REGISTRY: Final = "registry.toml"
_SHA256 = re.compile(r"[0-9a-f]{64}")
_ADVICE: Final = "Install Kongbox again."


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model as the registry names it.

    Attributes:
        name: the registry's key, such as ``detector``.
        file: the model's file name beside the registry.
        sha256: the file's SHA-256 in lower-case hexadecimal.
        version: the model's own version.
    """

    name: str
    file: str
    sha256: str
    version: str


class Model:
    """An opened model, ready to run; one may be used from several threads.

    Attributes:
        entry: what the registry says of it.
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
            raise ModelError(
                f"The {self.entry.name} takes {len(self._inputs)} inputs, not {len(inputs)}."
            )
        try:
            outputs = self._session.run(None, dict(zip(self._inputs, inputs, strict=True)))
        except Exception as error:
            raise ModelError(f"The {self.entry.name} could not run: {error}") from error
        return [np.asarray(output) for output in outputs]


def read_registry(folder: Traversable | None = None) -> Mapping[str, ModelEntry]:
    """The models that are shipped, by name.

    Args:
        folder: where the registry and the models lie; by default the ``models`` package.

    Raises:
        ModelError: the registry is missing or one of its entries is incomplete.
    """
    folder = files(MODELS_PACKAGE) if folder is None else folder
    try:
        tables = tomllib.loads(folder.joinpath(REGISTRY).read_text("utf-8"))
    except FileNotFoundError as error:
        raise ModelError(f"The list of models, {REGISTRY}, is missing. {_ADVICE}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"The list of models, {REGISTRY}, is damaged: {error}") from error
    return MappingProxyType({name: _entry(name, table) for name, table in tables.items()})


def _entry(name: str, table: object) -> ModelEntry:
    if not isinstance(table, dict):
        raise ModelError(f"{REGISTRY}: {name} must be a table with file, sha256 and version.")
    values: dict[str, str] = {}
    for key in ("file", "sha256", "version"):
        value = table.get(key)
        if not isinstance(value, str) or not value:
            raise ModelError(f"{REGISTRY}: {name} needs {key} as text.")
        values[key] = value
    if not _SHA256.fullmatch(values["sha256"]):
        raise ModelError(f"{REGISTRY}: {name} needs sha256 as 64 hexadecimal digits.")
    return ModelEntry(name, **values)


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
    folder = files(MODELS_PACKAGE) if folder is None else folder
    registry = read_registry(folder)
    if name not in registry:
        raise ModelError(f"{REGISTRY} names no model {name!r}. {_ADVICE}")
    entry = registry[name]
    data = read_model(entry, folder)
    try:
        session = ort.InferenceSession(data, _options(threads), providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelError(f"The model file {entry.file} cannot be opened: {error}") from error
    return Model(entry, session, _metadata(session, entry))


def read_model(entry: ModelEntry, folder: Traversable | None = None) -> bytes:
    """The bytes of the model's file, after its checksum was compared.

    Raises:
        ModelError: the file is missing or is not the one the registry names.
    """
    folder = files(MODELS_PACKAGE) if folder is None else folder
    try:
        data = folder.joinpath(entry.file).read_bytes()
    except FileNotFoundError as error:
        raise ModelError(f"The model file {entry.file} is missing. {_ADVICE}") from error
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise ModelError(
            f"The model file {entry.file} is damaged or not version {entry.version}. {_ADVICE}"
        )
    return data


def _options(threads: int) -> ort.SessionOptions:
    """Few threads that sleep between calls, and memory given back, as a small server needs."""
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
        raise ModelError(f"{entry.file}: its description is not JSON: {error}") from error
