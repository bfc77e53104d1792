from __future__ import annotations

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


@pytest.mark.parametrize(
    "arguments", [["check"], ["read", "photo.jpg"], ["serve", "--port", "65000"]]
)
def test_a_missing_system_library_names_the_packages(
    arguments: list[str], without_system_library: dict[str, str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from webapp.cli.main import main; main()", *arguments],
        env=without_system_library,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"sudo apt-get install {' '.join(SYSTEM_PACKAGES)}" in done.stderr
    assert LOADER_ERROR in done.stderr
    assert "Traceback" not in done.stderr


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
