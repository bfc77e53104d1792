"""The addresses that are shown to people, and the QR code in a terminal."""

from __future__ import annotations

import re
import socket
from typing import Self

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from webapp.serving.addresses import (
    for_this_computer_alone,
    page_address,
    qr_terminal,
    served_address,
)

ADDRESS = "http://192.168.77.1:8080/enter"
PIXELS = 8
INK = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}
"""Whether the upper and the lower half of a character are inked."""


def shown(text: str, ink: int, ground: int) -> npt.NDArray[np.uint8]:
    """A picture of a terminal with these shades of grey, which heeds colours."""
    lines: list[list[int]] = []
    colours = (ink, ground)
    for line in text.splitlines():
        rows: tuple[list[int], list[int]] = ([], [])
        for part in re.findall(r"\x1b\[[\d;]*m|.", line):
            if part.startswith("\x1b"):
                colours = {"\x1b[97;40m": (255, 0), "\x1b[0m": (ink, ground)}[part]
            else:
                for row, inked in zip(rows, INK[part], strict=True):
                    row.append(colours[0] if inked else colours[1])
        lines += rows
    small = np.array(lines, np.uint8)
    large = small.repeat(PIXELS, 0).repeat(PIXELS, 1)
    return np.pad(large, ((40, 40), (40, 400)), constant_values=ground)


@pytest.mark.parametrize(("ink", "ground"), [(230, 12), (0, 255), (20, 235), (147, 43)])
def test_the_code_in_a_terminal_is_read_whether_it_is_dark_or_light(ink: int, ground: int) -> None:
    picture = shown(qr_terminal(ADDRESS), ink, ground)
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == ADDRESS


class Network:
    """Stands for the sockets of a computer: which address it would send from."""

    def __init__(self, **addresses: str) -> None:
        self._addresses = {
            getattr(socket, family): address for family, address in addresses.items()
        }
        self._family = socket.AF_INET

    def socket(self, family: socket.AddressFamily, _kind: socket.SocketKind) -> Network:
        self._family = family
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def connect(self, _where: tuple[str, int]) -> None:
        if self._family not in self._addresses:
            raise OSError(101, "Network is unreachable")

    def getsockname(self) -> tuple[str, int]:
        return self._addresses[self._family], 5


HOME = {"AF_INET": "10.9.8.7", "AF_INET6": "fd09::7"}


@pytest.mark.parametrize(
    ("host", "addresses", "address"),
    [
        ("0.0.0.0", HOME, "http://10.9.8.7:8080/"),
        ("::", HOME, "http://[fd09::7]:8080/"),
        ("::", {"AF_INET6": "fd09::7"}, "http://[fd09::7]:8080/"),
        ("::", {"AF_INET": "10.9.8.7"}, "http://[::1]:8080/"),
        ("::", {"AF_INET6": "fe80::7"}, "http://[::1]:8080/"),
        ("0.0.0.0", {"AF_INET6": "fd09::7"}, "http://127.0.0.1:8080/"),
    ],
)
def test_an_address_is_shown_that_listens(
    monkeypatch: pytest.MonkeyPatch, host: str, addresses: dict[str, str], address: str
) -> None:
    monkeypatch.setattr("webapp.serving.addresses.socket.socket", Network(**addresses).socket)
    assert served_address(host, 8080) == address
    assert for_this_computer_alone(address) == ("::1" in address or "127.0.0.1" in address)


def test_who_came_by_ipv6_is_shown_an_address_of_that_kind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("webapp.serving.addresses.socket.socket", Network(**HOME).socket)
    assert page_address("[2001:db8::9]:8080", 8080) == "http://[fd09::7]:8080/"
    assert page_address("evil.example", 8080) == "http://10.9.8.7:8080/"
