"""Names of files that every system takes."""

from __future__ import annotations

import pytest

from vision.runtime.filenames import fits_everywhere, same_name


@pytest.mark.parametrize(
    "name", ["Club set.kongset", "con-v2.toml", "console.png", "麻將 2", "Été.csv", "a.b", "COM10"]
)
def test_ordinary_names_fit(name: str) -> None:
    assert fits_everywhere(name)


DEVICES = ["CON", "con.toml", "Nul .x", "aux.tar.gz", "COM1", "lpt³.png", "CONIN$"]
SIGNS = ["a:b", "a/b", "a\\b", "what?", "a*", '"a"', "<a>", "a|b", "a\nb", "a.", "a "]


@pytest.mark.parametrize("name", ["", *DEVICES, *SIGNS, "a" * 201, "麻" * 67])
def test_names_that_a_system_refuses_do_not(name: str) -> None:
    assert not fits_everywhere(name)


def test_capitals_and_ways_to_write_an_accent_make_no_other_name() -> None:
    assert same_name("Ivory", "IVORY")
    assert same_name("Été", "e\u0301te\u0301")
    assert not same_name("Ivory", "Ivory 2")
