from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vision.native import MAX_PIXELS, SYSTEM_PACKAGES, cv2

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
        [sys.executable, "-c", "from webapp.cli import main; main()", *arguments],
        env=without_system_library,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"sudo apt-get install {' '.join(SYSTEM_PACKAGES)}" in done.stderr
    assert LOADER_ERROR in done.stderr
    assert "Traceback" not in done.stderr


def test_opencv_itself_refuses_pictures_beyond_the_limit() -> None:
    import numpy as np

    from tests.vision.pictures import png_claiming

    assert int(os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"]) == MAX_PIXELS
    with pytest.raises(cv2.error, match="pixels"):
        cv2.imdecode(np.frombuffer(png_claiming(10_000, 10_000), np.uint8), cv2.IMREAD_COLOR)
