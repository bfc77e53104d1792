"""JSON and ZIP files from outside are refused before they cost much, each in words."""

from __future__ import annotations

import json
import stat
import struct
import tracemalloc
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from webapp.runtime import untrusted
from webapp.runtime.untrusted import MAX_DEPTH, Unusable, opened_zip, parse_json


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 100_000, "too many lists in each other"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "too many lists in each other"),
        ('{"a":' * 70 + "1" + "}" * 70, "too many lists in each other"),
        ('{"n": NaN}', "NaN in it is no number"),
        ("[-Infinity]", "-Infinity in it is no number"),
        ("[1e999]", "a number in it is too large"),
        ("9223372036854775808", "a number in it is too large"),
        ("9" * 100_000, "a number in it is too large"),
    ],
)
def test_json_that_no_program_of_ours_wrote_is_refused(text: str, why: str) -> None:
    with pytest.raises(Unusable, match=why):
        parse_json(text)


def test_json_within_the_limits_is_read() -> None:
    deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    flat = {"many": [[]] * 100, "least": -(2**63) + 1, "part": 0.5, "名": None}
    assert json.dumps(parse_json(deep)) == deep
    assert parse_json(json.dumps(flat)) == flat
    with pytest.raises(json.JSONDecodeError):
        parse_json("{")


def zipped(parts: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", packing) as packed:
        for name, data in parts.items():
            packed.writestr(name, data)
    return made.getvalue()


def with_part(info: zipfile.ZipInfo) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr(info, b"somewhere")
    return made.getvalue()


def listed(data: bytes, place: int, value: bytes) -> bytes:
    """The ZIP file with bytes changed in each entry of its list of parts."""
    changed, at = bytearray(data), -1
    while (at := changed.find(b"PK\1\2", at + 1)) >= 0:
        changed[at + place : at + place + len(value)] = value
    return bytes(changed)


def twice() -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr("a.txt", b"one")
        with pytest.warns(UserWarning, match="Duplicate"):
            packed.writestr("a.txt", b"two")
    return made.getvalue()


def same_bytes(count: int) -> bytes:
    """A ZIP file that names the same bytes under many names."""
    data, entries = bytes(10_000), b""
    local = b"PK\3\4" + struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 0, 0, len(data), len(data), 1, 0)
    for number in range(count):
        sizes = struct.pack("<HHHHHHIII", 20, 20, 0, 0, 0, 0, 0, len(data), len(data))
        entries += b"PK\1\2" + sizes + struct.pack("<HHHHHII", 1, 0, 0, 0, 0, 0, 0)
        entries += bytes([65 + number])
    start = len(local) + 1 + len(data)
    end = struct.pack("<HHHHIIH", 0, 0, count, count, len(entries), start, 0)
    return local + b"a" + data + entries + b"PK\5\6" + end


def link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("photo")
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


PLAIN = zipped({"a.txt": b"dear club", "b.txt": bytes(100_000)})


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"dear club", "no ZIP file"),
        (PLAIN[:-30], "no ZIP file"),
        (listed(PLAIN, 8, b"\1\0"), "locked with a password"),
        (listed(PLAIN, 10, b"\x63\0"), "packed in a way"),
        (listed(PLAIN, 10, b"\x0e\0"), "packed in a way"),
        (listed(PLAIN, 8, b"\x20\0"), "packed in a way"),
        (listed(PLAIN, 24, b"\xff\xff\xff\x7f"), "more than 1.0 GB"),
        (zipped({"../a.txt": b"x"}), "leads elsewhere"),
        (zipped({"/etc/a.txt": b"x"}), "leads elsewhere"),
        (zipped({"a\\..\\..\\b.txt": b"x"}), "leads elsewhere"),
        (with_part(link()), "is a link"),
        (twice(), "a part twice"),
        (same_bytes(20), "lie in each other"),
    ],
)
def test_a_zip_file_that_no_program_of_ours_packed_is_refused(
    tmp_path: Path, data: bytes, why: str
) -> None:
    (tmp_path / "sent.zip").write_bytes(data)
    with (
        pytest.raises(Unusable, match=why),
        opened_zip(tmp_path / "sent.zip", 10**9) as packed,
    ):
        packed.read("a.txt", 10**6)


def test_a_part_is_read_within_its_limit(tmp_path: Path) -> None:
    broken = bytearray(PLAIN)
    broken[60:90] = bytes(30)
    (tmp_path / "sent.zip").write_bytes(PLAIN)
    (tmp_path / "broken.zip").write_bytes(broken)
    with opened_zip(tmp_path / "sent.zip") as packed:
        assert packed.size == 100_009
        assert packed.read("a.txt", 9) == b"dear club"
        assert list(packed.lines("a.txt", 9)) == [b"dear club"]
        for name, most, why in (
            ("a.txt", 8, "a.txt in it is too large"),
            ("c.txt", 8, "c.txt is missing"),
        ):
            with pytest.raises(Unusable, match=why):
                packed.read(name, most)
        with pytest.raises(Unusable, match=r"a line of b.txt in it is too long"):
            list(packed.lines("b.txt", 1000))
    with opened_zip(tmp_path / "broken.zip") as packed, pytest.raises(Unusable, match="damaged"):
        packed.read("b.txt", 10**6)


def test_a_list_of_parts_without_end_takes_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sent.zip").write_bytes(zipped({f"{n:0100}": b"" for n in range(2000)}))
    monkeypatch.setattr(untrusted, "MAX_PARTS", 1999)
    with (
        pytest.raises(Unusable, match="too many parts"),
        opened_zip(tmp_path / "sent.zip"),
    ):
        pass
    monkeypatch.setattr(untrusted, "MAX_DIRECTORY_BYTES", 100_000)
    tracemalloc.start()
    with (
        pytest.raises(Unusable, match="too many parts"),
        opened_zip(tmp_path / "sent.zip"),
    ):
        pass
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 200_000
