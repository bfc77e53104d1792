from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.vision.pictures import png_claiming
from vision.runtime.opencv import SYSTEM_PACKAGES

LOADER_ERROR = "libGL.so.1: cannot open shared object file: No such file or directory"


@pytest.fixture
def without_system_library(tmp_path: Path) -> dict[str, str]:
    """An environment in which OpenCV fails to load as it does on a bare server."""
    package = tmp_path / "cv2"
    package.mkdir()
    (package / "__init__.py").write_text(f"raise ImportError({LOADER_ERROR!r})\n")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


COMMANDS = (["check"], ["read", "photo.jpg"], ["serve", "--port", "65000"])
EACH_IN_A_FORK = """
import json, os, sys
from webapp.cli.main import main

codes = []
for number, arguments in enumerate(json.loads(sys.argv[1])):
    child = os.fork()
    if not child:
        os.dup2(os.open(f"{number}.err", os.O_WRONLY | os.O_CREAT), 2)
        sys.argv[1:] = arguments
        main()
        sys.exit()
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(codes)
"""


def test_a_missing_system_library_names_the_packages(
    without_system_library: dict[str, str], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EACH_IN_A_FORK, json.dumps(COMMANDS)],
        env=without_system_library,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [1] * len(COMMANDS)
    for number in range(len(COMMANDS)):
        told = (tmp_path / f"{number}.err").read_text()
        assert f"sudo apt-get install {' '.join(SYSTEM_PACKAGES)}" in told
        assert LOADER_ERROR in told
        assert "Traceback" not in told


def test_opencv_itself_refuses_pictures_beyond_the_limit(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.png"
    bomb.write_bytes(png_claiming(10_000, 10_000))
    code = "import sys; from vision.runtime.opencv import cv2; cv2.imread(sys.argv[1])"
    clean = {key: value for key, value in os.environ.items() if not key.startswith("OPENCV")}
    done = subprocess.run(
        [sys.executable, "-c", code, str(bomb)],
        env=clean,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "CV_IO_MAX_IMAGE_PIXELS" in done.stderr
