"""One test that asks the same of many things and names all that fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Thing = TypeVar("Thing")


def assert_of_all(
    check: Callable[[Thing], None], things: Iterable[Thing], name: Callable[[Thing], str]
) -> None:
    """Fail with the names of all things for which ``check`` fails; there must be some."""
    answers = [(name(thing), _failure(check, thing)) for thing in things]
    assert answers, "nothing was asked"
    failed = [f"{who}: {why}" for who, why in answers if why is not None]
    assert not failed, "\n".join(failed)


def _failure(check: Callable[[Thing], None], thing: Thing) -> str | None:
    try:
        check(thing)
    except AssertionError as error:
        return str(error)
    return None
