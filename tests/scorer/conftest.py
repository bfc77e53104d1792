"""Branches are counted in examples, not where a test tries thousands of deals."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Nothing is counted in a test that is marked by ``no_cover``.

    pytest-cov counts twice in a process of xdist's, and this mark makes it pause once only.
    """
    if item.get_closest_marker("no_cover") is None:
        return (yield)
    counter = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(counter)
