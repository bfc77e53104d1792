"""Every module of tests is collected where no optional package is installed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.optional import INSTALLED_BY, needed

ROOT = Path(__file__).parents[2]

COLLECT = f"""
import sys
import pytest
sys.modules.update(dict.fromkeys({list(INSTALLED_BY)}))
raise SystemExit(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "tests"]))
"""


def test_without_optional_packages_modules_are_skipped_and_none_fails() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COLLECT], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:]
    skipped = dict(re.findall(r"^SKIPPED .*: (\S+\.py) (needs .+)$", done.stdout, re.MULTILINE))
    assert set(skipped.values()) == {needed(package) for package in ("onnx", "PIL", "torch")}
    wants_torch = {it for it, reason in skipped.items() if reason == needed("torch")}
    assert "tests/models/training/test_judge.py" in wants_torch
    for module in wants_torch:  # `-m torch tests/models` finds those that hold torch
        assert module.startswith("tests/models/")
        assert "\nimport torch\n" in (ROOT / module).read_text("utf-8"), module
