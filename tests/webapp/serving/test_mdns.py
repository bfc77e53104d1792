"""The name in the network, announced and asked for on this computer alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier, get_ident
from typing import Any
from uuid import uuid4

import pytest
from zeroconf import IPVersion, ServiceInfo, Zeroconf

from webapp.serving import mdns
from webapp.serving.mdns import announce


@pytest.fixture(autouse=True)
def label(monkeypatch: pytest.MonkeyPatch) -> str:
    """A name that no other test announces, also in another process, and no long wait for one."""
    own = f"kongbox-{uuid4().hex}"
    monkeypatch.setattr(mdns, "NAME", own)
    monkeypatch.setattr(mdns, "ANSWER_S", 1.5)
    return own


def test_a_second_computer_that_finds_the_name_taken_takes_another(
    request: pytest.FixtureRequest, label: str
) -> None:
    def announced(ip: str) -> str:
        made = announce([ip], 8001)
        assert made is not None
        request.addfinalizer(made.end)
        return made.name

    assert announced("127.0.0.1") == f"{label}.local"
    assert announced("127.0.0.2") == f"{label}-2.local"


def test_two_computers_that_start_at_once_have_two_names(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, label: str
) -> None:
    """Both ask before either of them announces the name."""
    both_asked, first = Barrier(2), set[int]()
    register = Zeroconf.register_service

    def at_once(network: Zeroconf, *given: Any, **named: Any) -> None:
        if get_ident() not in first:
            first.add(get_ident())
            both_asked.wait(10)
        register(network, *given, **named)

    monkeypatch.setattr(Zeroconf, "register_service", at_once)

    def announced(ip: str) -> str:
        made = announce([ip], 8001)
        assert made is not None
        request.addfinalizer(made.end)
        return made.name

    with ThreadPoolExecutor(2) as both:
        names = list(both.map(announced, ["127.0.0.1", "127.0.0.2"]))
    assert names == [f"{label}-2.local", f"{label}.local"]


def test_the_name_that_a_computer_had_last_is_tried_first(
    request: pytest.FixtureRequest, label: str
) -> None:
    made = announce(["127.0.0.1"], 8001, f"{label}-3.local")
    assert made is not None
    request.addfinalizer(made.end)
    assert made.name == f"{label}-3.local"


def test_a_name_that_another_computer_takes_later_is_contested(
    request: pytest.FixtureRequest, label: str
) -> None:
    """As Avahi does where the computer itself is called so: see the finding about zeroconf."""
    made = announce(["127.0.0.1"], 8001)
    assert made is not None
    request.addfinalizer(made.end)
    assert made.name == f"{label}.local"
    assert not made.is_contested()
    other = Zeroconf(interfaces=["127.0.0.2"], ip_version=IPVersion.V4Only)
    request.addfinalizer(partial(mdns.close, other))
    service = ServiceInfo(
        "_ssh._tcp.local.",
        "other._ssh._tcp.local.",
        addresses=[bytes([127, 0, 0, 2])],
        port=22,
        server=f"{label}.local.",
    )
    other.register_service(service, cooperating_responders=True)
    assert made.is_contested()


def test_where_nothing_can_be_announced_there_is_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr("zeroconf.Zeroconf", refuse)
    assert announce(["192.0.2.77"], 8001) is None
