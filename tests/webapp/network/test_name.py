"""The name in the network, announced and asked for on this computer alone."""

from __future__ import annotations

import pytest

from webapp.network import name
from webapp.network.name import announce


@pytest.fixture(autouse=True)
def own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that no other run of the tests announces, and no long wait for one."""
    monkeypatch.setattr(name, "NAME", "kongbox-tried")
    monkeypatch.setattr(name, "ANSWER_MS", 300)


def test_a_second_computer_that_finds_the_name_taken_takes_another(
    request: pytest.FixtureRequest,
) -> None:
    def announced(ip: str) -> str:
        made = announce([ip], 8001)
        assert made is not None
        request.addfinalizer(made.end)
        return made.name

    assert announced("127.0.0.1") == "kongbox-tried.local"
    assert announced("127.0.0.2") == "kongbox-tried-2.local"


def test_where_nothing_can_be_announced_there_is_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr("zeroconf.Zeroconf", refuse)
    assert announce(["192.0.2.77"], 8001) is None
