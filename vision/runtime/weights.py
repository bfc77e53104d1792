"""The fitted numbers that are shipped with the models: one table per decision.

``models/weights.toml`` holds them, and the registry names it with checksum and version as it names
a model file::

    version = "1.0.0"

    [bonus_marks]
    # Weight of the logarithm of the classifier's probability.
    picture = 0.34

``python -m models.fitting`` finds the numbers and writes the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources.abc import Traversable
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.messages import say
from vision.runtime.registry import WEIGHTS, find_model, read_model

Tables = Mapping[str, object]
"""The file's tables by name, as TOML has them."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The fitted numbers of one decision; a subclass has a field of that name for each of them.

    Attributes:
        table: the decision's table in the file.
    """

    table: ClassVar[str]

    @classmethod
    def shipped(cls) -> Self:
        """The shipped numbers. The file is read when some are first asked for.

        Raises:
            ModelError: the file is missing, is not the one the registry names, or lacks a number.
        """
        return cls.read_from(_shipped_tables())

    @classmethod
    def read_from(cls, tables: Tables) -> Self:
        """The numbers that the decision's table holds.

        Raises:
            ModelError: the table or one of the numbers is missing.
        """
        numbers = tables.get(cls.table)
        if not isinstance(numbers, dict):
            raise ModelError(say("weights.no_table", table=cls.table))
        values: dict[str, float] = {}
        for field in fields(cls):
            value = numbers.get(field.name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ModelError(say("weights.no_number", name=field.name, table=cls.table))
            values[field.name] = float(value)
        return cls(**values)

    def numbers(self) -> dict[str, float]:
        """The numbers by name, in the order of the fields."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def vector(self) -> NDArray[np.float64]:
        """(k,) the numbers, in the order of the fields."""
        return np.array(list(self.numbers().values()), np.float64)


def read_tables(folder: Traversable | None = None) -> Tables:
    """All tables of the shipped numbers.

    Args:
        folder: where the registry and the file lie; by default the ``models`` package.

    Raises:
        ModelError: the file is missing, is not the one the registry names, or is no TOML.
    """
    entry = find_model(WEIGHTS, folder)
    try:
        return tomllib.loads(read_model(entry, folder).decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(say("weights.damaged", file=entry.file, fault=str(error))) from error


@cache
def _shipped_tables() -> Tables:
    return read_tables()
