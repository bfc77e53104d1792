"""Limits of a process that reads photos, on systems that have them and on others."""

from __future__ import annotations

import resource

import pytest

from vision.runtime.process import limit_process
from vision.runtime.watch import Watch

MEMORY = 2**31


@pytest.mark.parametrize(
    ("system", "limited"),
    [("linux", [resource.RLIMIT_AS, resource.RLIMIT_CORE]), ("darwin", [resource.RLIMIT_CORE])],
)
def test_a_mac_that_refuses_a_limit_on_memory_is_watched(
    system: str, limited: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    stood_back: list[int] = []
    watched: list[str] = []
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr("vision.runtime.process._limited", [])
    monkeypatch.setattr("resource.setrlimit", lambda what, _most: asked.append(what))
    monkeypatch.setattr("os.nice", stood_back.append)
    monkeypatch.setattr(Watch, "start", lambda watch: watched.append(watch.name))
    monkeypatch.setattr("vision.runtime.process._watches", [])
    limit_process(MEMORY, 5)
    assert (asked, stood_back, bool(watched)) == (limited, [5], system != "linux")
