"""Marks the tests that need torch so that they can be chosen; no example has a time limit."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from hypothesis import settings

from tests.optional import OptionalModule

gc.set_threshold(100_000, 50, 100)  # a fifth of the tests' time went into looking for cycles
settings.register_profile("untimed", deadline=None)
settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=20)
settings.load_profile("untimed")


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    """A module that imports an optional package is skipped where that is missing."""
    return OptionalModule.from_parent(parent, path=module_path)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test whose module holds ``torch`` is marked by it."""
    for item in items:
        if hasattr(getattr(item, "module", None), "torch"):
            item.add_marker(pytest.mark.torch)


def pytest_collection_finish() -> None:
    """What has been imported and collected stays, and need not be looked through again."""
    gc.freeze()
