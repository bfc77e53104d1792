"""One command makes all installers, and says which it could not make."""

from __future__ import annotations

from pathlib import Path

import pytest

from supply.installers import __main__ as command
from supply.installers.parts import NoWheel, PartMissing
from supply.installers.targets import INTEL_MAC, MAC, WINDOWS, Target


@pytest.fixture(autouse=True)
def nothing_is_fetched_or_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "build_wheel", lambda folder: folder / "kongbox-0.1.0.whl")
    monkeypatch.setattr(command, "python_archive", lambda *_: None)
    monkeypatch.setattr("sys.argv", ["supply.installers", "--dist", str(tmp_path / "dist")])


def lacking(monkeypatch: pytest.MonkeyPatch, missed: Target, trouble: PartMissing) -> None:
    """Let one installer not be made."""

    def make(target: Target, _own: Path, _python: Path | None, dist: Path) -> Path:
        if target is missed:
            raise trouble
        out = dist / target.name
        out.write_bytes(b"made")
        return out

    monkeypatch.setattr(command, "make", make)


@pytest.mark.parametrize(
    ("target", "trouble", "status"),
    [
        (INTEL_MAC, NoWheel("no wheel of onnxruntime"), 0),
        (INTEL_MAC, PartMissing("no connection"), 1),
        (MAC, NoWheel("no wheel of onnxruntime"), 1),
        (WINDOWS, PartMissing("no makensis"), 1),
    ],
)
def test_what_cannot_be_made_is_told_and_the_others_are_made(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    target: Target,
    trouble: PartMissing,
    status: int,
) -> None:
    lacking(monkeypatch, target, trouble)
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == status
    assert f"{target.words}: no installer.\n{trouble}\n" in capsys.readouterr().err
    made = {path.name for path in (tmp_path / "dist").iterdir()}
    assert made == {each.name for each in (WINDOWS, MAC, INTEL_MAC)} - {target.name}
