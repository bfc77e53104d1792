"""What an installer carries is what is locked, all of it and nothing else."""

from __future__ import annotations

import hashlib
import urllib.error
from pathlib import Path
from zipfile import ZipFile

import pytest

from supply.bill import Pinned
from supply.installers.manifest import write_manifest
from supply.installers.parts import LIST, NoWheel, PartMissing, lay_parts, write_list
from supply.installers.pythons import python_archive
from supply.installers.targets import INTEL_MAC, MAC, TARGETS, WINDOWS


def wheel(folder: Path, name: str, version: str) -> str:
    """A wheel of that name; its SHA-256."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    path.write_bytes(name.encode())
    return hashlib.sha256(name.encode()).hexdigest()


@pytest.fixture
def pins(tmp_path: Path) -> list[Pinned]:
    """Two packages that are locked, of which each has a wheel, as Kongbox has."""
    wheel(tmp_path, "kongbox", "0.1.0")
    return [
        Pinned("flask", "3.1.3", "", ("0" * 64, wheel(tmp_path, "flask", "3.1.3")), ()),
        Pinned("lazy-loader", "0.6", "", (wheel(tmp_path, "lazy_loader", "0.6"),), ()),
    ]


def test_the_list_has_each_wheel_with_its_own_hash(tmp_path: Path, pins: list[Pinned]) -> None:
    write_list(pins, tmp_path)
    lines = (tmp_path / LIST).read_text("utf-8").splitlines()
    assert lines == [
        f"flask==3.1.3 --hash=sha256:{pins[0].hashes[1]}",
        f"kongbox==0.1.0 --hash=sha256:{hashlib.sha256(b'kongbox').hexdigest()}",
        f"lazy-loader==0.6 --hash=sha256:{pins[1].hashes[0]}",
    ]


def test_a_locked_package_without_a_wheel_is_told(tmp_path: Path, pins: list[Pinned]) -> None:
    (tmp_path / "lazy_loader-0.6-py3-none-any.whl").unlink()
    with pytest.raises(PartMissing, match="no wheel of lazy-loader"):
        write_list(pins, tmp_path)


def test_a_wheel_that_is_not_locked_is_refused(tmp_path: Path, pins: list[Pinned]) -> None:
    wheel(tmp_path, "other", "1.0")
    with pytest.raises(PartMissing, match=r"other-1\.0-.* is not what is locked"):
        write_list(pins, tmp_path)


def test_a_wheel_with_another_hash_is_refused(tmp_path: Path, pins: list[Pinned]) -> None:
    (tmp_path / "flask-3.1.3-py3-none-any.whl").write_bytes(b"changed")
    with pytest.raises(PartMissing, match=r"flask-3\.1\.3-.* is not what is locked"):
        write_list(pins, tmp_path)


def test_what_cannot_be_fetched_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_NO_INDEX", "PIP_NO_INPUT"):
        monkeypatch.setenv(name, "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setattr("supply.installers.parts.VERSION", "2.7.0")
    wheel(tmp_path, "kongbox", "0.1.0")
    own = tmp_path / "kongbox-0.1.0-py3-none-any.whl"
    with pytest.raises(NoWheel, match="No matching distribution found"):
        lay_parts(MAC, own, tmp_path / "parts")


def names(target_wanted: list[Pinned]) -> set[str]:
    return {pin.name for pin in target_wanted}


def test_each_system_gets_what_it_needs() -> None:
    windows, mac = names(WINDOWS.wanted()), names(MAC.wanted())
    assert {"onnxruntime", "opencv-python", "waitress"} <= windows & mac
    assert windows - mac >= {"colorama", "msvc-runtime"}
    assert "brotlicffi" not in windows | mac
    assert names(INTEL_MAC.wanted()) >= {"onnxruntime"}


def test_each_target_has_a_python_of_its_own() -> None:
    assert len({target.sha256 for target in TARGETS}) == len(TARGETS)
    for target in TARGETS:
        assert target.python_address.endswith("-install_only_stripped.tar.gz")
        assert "+" not in target.python_address


def test_another_python_than_the_named_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / MAC.python_file).write_bytes(b"another")
    with pytest.raises(PartMissing, match=f"has not the SHA-256 {MAC.sha256}"):
        python_archive(MAC, tmp_path)


def test_without_a_connection_there_is_no_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_: object, **__: object) -> None:
        raise urllib.error.URLError("no network in tests")

    monkeypatch.setattr("urllib.request.urlopen", unreachable)
    assert python_archive(MAC, tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_the_manifest_has_the_hash_and_size_of_everything(tmp_path: Path) -> None:
    stage, out = tmp_path / "stage", tmp_path / "Kongbox-0.1.0-mac.zip"
    (stage / "parts").mkdir(parents=True)
    (stage / "parts" / "flask.whl").write_bytes(b"flask")
    with ZipFile(out, "w") as packed:
        packed.writestr("parts/flask.whl", b"flask")
    lines = write_manifest(out, stage).read_text("utf-8").splitlines()
    assert [line.split() for line in lines] == [
        [hashlib.sha256(out.read_bytes()).hexdigest(), str(out.stat().st_size), out.name],
        [hashlib.sha256(b"flask").hexdigest(), "5", "parts/flask.whl"],
    ]
