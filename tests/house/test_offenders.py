from __future__ import annotations

import pytest

from tests.offenders import assert_of_all


def be_even(number: int) -> None:
    assert number % 2 == 0, "odd"


def test_every_offender_is_named() -> None:
    assert_of_all(be_even, [2, 4], str)
    with pytest.raises(AssertionError, match=r"^3: odd.*\n(.*\n)*5: odd"):
        assert_of_all(be_even, [2, 3, 4, 5], str)
    with pytest.raises(AssertionError, match="nothing was asked"):
        assert_of_all(be_even, [], str)
