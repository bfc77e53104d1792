"""The unit by which systemd serves Kongbox fits the program that it starts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from platformdirs import user_data_path

from webapp.cli.serve import serve

UNIT = Path(__file__).parents[2] / "docs" / "kongbox.service"


def settings() -> dict[str, str]:
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def test_the_unit_starts_a_command_that_there_is() -> None:
    program, command, *options = settings()["ExecStart"].split()
    assert Path(program).name == "kongbox"
    assert command == serve.name
    context = serve.make_context(serve.name, list(options))
    assert context.params == {
        "host": "0.0.0.0",
        "port": 8000,
        "db": None,
        "encrypted": False,
        "association": False,
        "queued": False,
    }


def test_the_data_folder_is_the_one_folder_that_the_unit_may_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unit = settings()
    environment = dict(word.split("=", 1) for word in unit["Environment"].split())
    monkeypatch.setenv("XDG_DATA_HOME", environment["XDG_DATA_HOME"])
    folder = user_data_path("kongbox", appauthor=False)
    assert folder == Path("/var/lib") / unit["StateDirectory"]
    assert "ReadWritePaths" not in unit
    assert unit["ProtectSystem"] == "strict"


def test_the_unit_gives_no_rights() -> None:
    unit = settings()
    assert unit["User"] == "kongbox"
    assert unit["NoNewPrivileges"] == "yes"
    assert unit["CapabilityBoundingSet"] == ""
    assert unit["MemoryMax"] == "1500M"


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze, of the package systemd"
)
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    """Systemd only warns of what it does not know, so it may say nothing about the unit."""
    program = shutil.which("true")
    assert program is not None
    text = UNIT.read_text(encoding="utf-8")
    copy = tmp_path / UNIT.name
    copy.write_text(text.replace("/opt/kongbox/bin/kongbox", program), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(copy)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert UNIT.name not in done.stderr
