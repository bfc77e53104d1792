"""Limits of a process that reads photos, on systems that have them and on others."""

from __future__ import annotations

import resource

import pytest

from vision.runtime.process import limit_process

MEMORY = 2**31


@pytest.mark.parametrize(
    ("system", "limited"),
    [("linux", [resource.RLIMIT_AS, resource.RLIMIT_CORE]), ("darwin", [resource.RLIMIT_CORE])],
)
def test_a_mac_that_refuses_a_limit_on_memory_is_not_asked_for_one(
    system: str, limited: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    stood_back: list[int] = []
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr("vision.runtime.process._limited", [])
    monkeypatch.setattr("resource.setrlimit", lambda what, _most: asked.append(what))
    monkeypatch.setattr("os.nice", stood_back.append)
    limit_process(MEMORY, 5)
    assert (asked, stood_back) == (limited, [5])
