"""Letting phones in: what is kept, which address is shown, and who counts as a phone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.webapp.serving.serving import FakeDoors, no_name
from webapp.serving import letting_in
from webapp.serving.addresses import Address
from webapp.serving.letting_in import LettingIn, NoWayIn
from webapp.serving.mdns import Announcement

HOME = Address("192.168.1.7", "wlan0")
HALL = Address("10.20.0.9", "wlan0")
VPN = Address("10.8.0.2", "tun0", likely=False)


class Names:
    """Announces nothing, and notes what it was asked."""

    def __init__(self, *, works: bool = True) -> None:
        self.asked: list[tuple[tuple[str, ...], int]] = []
        self.last: list[str] = []
        self.ended = 0
        self._works = works

    def announce(self, ips: Sequence[str], port: int, last: str) -> Announcement | None:
        self.asked.append((tuple(ips), port))
        self.last.append(last)
        return Announcement("kongbox.local", self) if self._works else None  # type: ignore[arg-type]

    loop = None

    def close(self) -> None:
        self.ended += 1


def made(folder: Path, doors: FakeDoors, host: str = "127.0.0.1") -> LettingIn:
    letting = LettingIn(folder, look=lambda: (HOME, VPN), name=no_name)
    letting.serve(doors, host, 8000)
    return letting


def test_the_next_start_lets_phones_in_at_the_same_port_until_they_are_kept_out(
    tmp_path: Path,
) -> None:
    made(tmp_path, first := FakeDoors(taken={80, 8001})).open()
    assert first.open_ports == [8002]
    again = made(tmp_path, second := FakeDoors())
    again.open_again()
    assert second.tried == [8002]
    again.close()
    assert second.open_ports == []
    made(tmp_path, third := FakeDoors()).open_again()
    assert third.tried == []


def test_the_address_needs_no_number_behind_it_where_that_port_is_free(tmp_path: Path) -> None:
    letting = made(tmp_path, FakeDoors())
    assert letting.address() is None
    letting.open()
    assert letting.address() == "http://192.168.1.7/"


def test_without_a_free_port_nobody_is_let_in(tmp_path: Path) -> None:
    letting = made(tmp_path, FakeDoors(taken={80, *range(8000, 8020)}))
    with pytest.raises(NoWayIn):
        letting.open()
    letting.open_again()
    assert letting.port is None


@pytest.mark.parametrize("content", ["", "[]", '{"port": "x"}', '{"port": 70000}', "\xff"])
def test_a_damaged_note_means_any_port(tmp_path: Path, content: str) -> None:
    (tmp_path / letting_in.FILE).write_text(content, "latin-1")
    made(tmp_path, doors := FakeDoors()).open_again()
    assert doors.open_ports == [80]


def test_how_it_was_started_decides_where_it_serves_the_wifi_from_the_start(tmp_path: Path) -> None:
    made(tmp_path, FakeDoors()).open()
    other = made(tmp_path, doors := FakeDoors(), host="0.0.0.0")
    other.open_again()
    assert (other.is_asked, doors.tried) == (False, [])


def test_in_another_wifi_the_address_and_the_name_are_other_ones(tmp_path: Path) -> None:
    names, here = Names(), [HOME, VPN]
    letting = LettingIn(tmp_path, look=lambda: tuple(here), name=names.announce)
    letting.serve(FakeDoors(), "127.0.0.1", 8000)
    letting.look_again()
    assert names.asked == [], "nothing is announced before phones are let in"
    letting.open()
    letting.look_again()
    letting.look_again()
    assert names.asked == [(("192.168.1.7",), 80)], "once, and not for a VPN"
    assert letting.names == {"kongbox.local"}
    assert letting.address("10.8.0.2") == "http://10.8.0.2/"
    here[:] = [HALL]
    assert letting.address("192.168.1.7") == "http://10.20.0.9/"
    letting.look_again()
    assert (names.ended, names.asked[1:]) == (1, [(("10.20.0.9",), 80)])
    here.clear()
    letting.look_again()
    assert (letting.address(), letting.names, letting.name_failed) == (None, frozenset(), False)
    here[:] = [HOME]
    letting.look_again()
    letting.close()
    letting.look_again()
    assert names.ended == 3


def test_after_the_next_start_the_name_is_asked_for_that_it_had_last(tmp_path: Path) -> None:
    names = Names()
    for _ in range(2):
        letting = LettingIn(tmp_path, look=lambda: (HOME,), name=names.announce)
        letting.serve(FakeDoors(), "127.0.0.1", 8000)
        letting.open()
        letting.look_again()
    assert names.last == ["", "kongbox.local"]
    letting.close()
    letting.look_again()
    assert not (tmp_path / letting_in.FILE).exists(), "phones stay out"


def test_a_name_to_which_another_computer_answers_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    names, asked = Names(), list[str]()
    others = iter([False, True, False])

    def is_contested(announced: Announcement) -> bool:
        asked.append(announced.name)
        return next(others)

    monkeypatch.setattr(Announcement, "is_contested", is_contested)
    letting = LettingIn(tmp_path, look=lambda: (HOME,), name=names.announce)
    letting.serve(FakeDoors(), "127.0.0.1", 8000)
    letting.open()
    letting.look_again()
    letting.look_again()
    assert asked == [], "it was asked just now"
    monkeypatch.setattr(letting_in, "CONTEST_S", 0.0)
    letting.look_again()
    assert (names.ended, len(names.asked)) == (0, 1)
    letting.look_again()
    assert (names.ended, len(names.asked)) == (1, 2)
    assert "another computer answers to kongbox.local, too" in caplog.messages


def test_a_name_that_cannot_be_announced_is_told(tmp_path: Path) -> None:
    letting = LettingIn(tmp_path, look=lambda: (HOME,), name=Names(works=False).announce)
    letting.serve(FakeDoors(), "127.0.0.1", 8000)
    letting.open()
    assert not letting.name_failed
    letting.look_again()
    assert letting.name_failed


def test_a_phone_is_who_asks_from_another_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letting_in, "is_own", {"192.168.1.7"}.__contains__)
    letting = made(tmp_path, FakeDoors())
    letting.greet("192.168.1.20")
    assert letting.phones == 0, "Phones cannot connect yet"
    letting.open()
    for sender in ("127.0.0.1", "192.168.1.7", "192.168.1.20", "192.168.1.20"):
        letting.greet(sender)
    assert letting.phones == 1


def test_phones_are_not_counted_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letting_in, "COUNTED", 2)
    letting = made(tmp_path, FakeDoors())
    letting.open()
    for number in range(5):
        letting.greet(f"198.51.100.{number}")
    assert letting.phones == 2
