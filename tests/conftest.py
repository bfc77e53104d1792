"""Marks the tests that need torch so that they can be chosen; no example has a time limit."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test whose module holds ``torch`` is marked by it."""
    for item in items:
        if hasattr(getattr(item, "module", None), "torch"):
            item.add_marker(pytest.mark.torch)
