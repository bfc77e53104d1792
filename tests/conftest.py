"""Marks the tests that need torch, so that they can be chosen by name."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test whose module holds ``torch`` is marked by it."""
    for item in items:
        if hasattr(getattr(item, "module", None), "torch"):
            item.add_marker(pytest.mark.torch)
