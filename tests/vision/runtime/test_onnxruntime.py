"""Opening the models tells nobody and leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_inference_library_writes_nothing_into_the_home_folder(tmp_path: Path) -> None:
    code = "from vision.runtime.session import load_model; load_model('classifier')"
    home = {name: str(tmp_path) for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ORT_")}
    environment = {**kept, **home, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True, timeout=60)
    assert list(tmp_path.rglob("*")) == []
