"""The models and fitted numbers that are shipped: which file each is, its checksum and version.

``models/registry.toml`` holds one table per model::

    [detector]
    file = "detector.onnx"
    sha256 = "<64 hexadecimal digits>"
    version = "1.0.0"

and one like it for the fitted numbers (:mod:`vision.runtime.weights`). Further keys are allowed.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from vision.errors import ModelError
from vision.messages import say

MODELS_PACKAGE: Final = "models"
"""Name of the package that holds the models."""
REGISTRY: Final = "registry.toml"
"""Name of the registry's file beside the models."""
WEIGHTS: Final = "weights"
"""The registry's key of the fitted numbers, which are shipped beside the models."""
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
"""A SHA-256 checksum in lower-case hexadecimal."""


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """The entry of one model in the registry.

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


def model_versions() -> dict[str, str]:
    """The versions of the shipped models, by name, without that of the fitted numbers.

    >>> from vision import model_versions
    >>> "detector" in model_versions()
    True

    Raises:
        ModelError: the list of models is missing or damaged.
    """
    entries = read_registry().values()
    return {entry.name: entry.version for entry in entries if entry.name != WEIGHTS}


def find_model(name: str, folder: Traversable | None = None) -> ModelEntry:
    """The entry of the model of that name.

    Raises:
        ModelError: there is none, or the registry is missing or damaged.
    """
    entry = read_registry(folder).get(name)
    if entry is None:
        raise ModelError(say("model.unlisted", registry=REGISTRY, name=name))
    return entry


def read_registry(folder: Traversable | None = None) -> Mapping[str, ModelEntry]:
    """The models that are shipped, and the fitted numbers, by name.

    Args:
        folder: where the registry and the models lie; by default the ``models`` package.

    Raises:
        ModelError: the registry is missing or one of its entries is incomplete.
    """
    folder = files(MODELS_PACKAGE) if folder is None else folder
    try:
        tables = tomllib.loads(folder.joinpath(REGISTRY).read_text("utf-8"))
    except FileNotFoundError as error:
        raise ModelError(say("model.no_list", registry=REGISTRY)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(say("model.damaged_list", registry=REGISTRY, fault=str(error))) from error
    return MappingProxyType({name: _entry(name, table) for name, table in tables.items()})


def _entry(name: str, table: object) -> ModelEntry:
    if not isinstance(table, dict):
        raise ModelError(say("model.no_table", registry=REGISTRY, name=name))
    values: dict[str, str] = {}
    for key in ("file", "sha256", "version"):
        value = table.get(key)
        if not isinstance(value, str) or not value:
            raise ModelError(say("model.no_text", registry=REGISTRY, name=name, key=key))
        values[key] = value
    if not _SHA256.fullmatch(values["sha256"]):
        raise ModelError(say("model.no_checksum", registry=REGISTRY, name=name))
    return ModelEntry(name, **values)


def read_model(entry: ModelEntry, folder: Traversable | None = None) -> bytes:
    """The bytes of the model's file, after its checksum was compared.

    Raises:
        ModelError: the file is missing or is not the one the registry names.
    """
    folder = files(MODELS_PACKAGE) if folder is None else folder
    try:
        data = folder.joinpath(entry.file).read_bytes()
    except FileNotFoundError as error:
        raise ModelError(say("model.missing", file=entry.file)) from error
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise ModelError(say("model.damaged", file=entry.file, version=entry.version))
    return data
