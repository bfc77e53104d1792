"""The examples in docstrings are true, and each function of the scorer's front door has one."""

from __future__ import annotations

import doctest
from importlib import import_module
from types import FunctionType

import pytest

import scorer
from tests.house.test_imports import modules_of, name_of

WITH_EXAMPLES = sorted(
    name_of(path)
    for package in ("scorer", "vision")
    for path in modules_of(package)
    if ">>>" in path.read_text("utf-8")
)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_are_true(name: str) -> None:
    outcome = doctest.testmod(import_module(name))
    assert outcome.attempted > 0
    assert outcome.failed == 0


@pytest.mark.parametrize("name", sorted(scorer.__all__))
def test_each_function_of_the_scorer_has_an_example(name: str) -> None:
    offered = getattr(scorer, name)
    if isinstance(offered, FunctionType):
        assert ">>>" in (offered.__doc__ or "")
