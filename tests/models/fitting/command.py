"""Runs ``python -m models.fitting`` within a test."""

from __future__ import annotations

import pytest

from models.fitting.__main__ import main


def printed_by(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> list[str]:
    """The lines that the command prints with these arguments."""
    monkeypatch.setattr("sys.argv", ["models.fitting", *arguments])
    main()
    return capsys.readouterr().out.splitlines()
