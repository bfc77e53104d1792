"""The log tells what failed, and nobody's name or table."""

from __future__ import annotations

import logging
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from webapp.serving.log import MAX_BYTES, OLD_FILES, log_file, start_log, stop_log


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    handlers = list(logging.getLogger().handlers)
    handler = start_log(tmp_path)
    yield log_file(tmp_path)
    stop_log(handler)
    logging.getLogger().handlers = handlers


def test_a_fault_is_found_by_its_reference_and_tells_no_address(app: Flask, log: Path) -> None:
    app.config["PROPAGATE_EXCEPTIONS"] = False

    def fall_over(table: str) -> str:
        raise ZeroDivisionError(f"a fault of {len(table)} letters")

    app.add_url_rule("/t/<table>", "fall_over", fall_over, methods=["POST"])
    answer = app.test_client().post("/t/0123456789abcdef", data={"name_E": "Ann Other"})
    reference = re.search(r"reference ([0-9a-f]{8})", answer.text)
    assert reference is not None
    written = log.read_text("utf-8")
    assert f"fault {reference[1]} at fall_over" in written
    assert "ZeroDivisionError: a fault of 16 letters" in written
    assert "0123456789abcdef" not in written
    assert "Ann Other" not in written


def test_a_log_that_another_program_has_open_goes_on(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_paths: object) -> None:
        raise PermissionError(13, "used by another process")

    with monkeypatch.context() as windows:
        windows.setattr(os, "rename", refuse)
        for number in range(7):
            logging.getLogger("webapp").info("%d %s", number, "x" * 100_000)
    written = log.read_text("utf-8")
    assert [line for line in range(7) if f" {line} x" in written] == list(range(7))
    for _ in range(4):
        logging.getLogger("webapp").info("x" * 100_000)
    assert log.stat().st_size <= MAX_BYTES


def test_the_log_is_private_and_does_not_grow_without_end(log: Path) -> None:
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    for _ in range((OLD_FILES + 2) * MAX_BYTES // 100_000):
        logging.getLogger("webapp").info("x" * 100_000)
    files = list(log.parent.glob("kongbox.log*"))
    assert len(files) == OLD_FILES + 1
    assert max(file.stat().st_size for file in files) <= MAX_BYTES
