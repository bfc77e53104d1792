"""The first page is there soon, since it waits for nothing that it does not need."""

from __future__ import annotations

import subprocess
import sys

FIRST_PAGE = """
import sys
import webapp.cli.serve, webapp.server
from webapp.app import create_app

answer = create_app("sqlite://").test_client().get("/")
print(answer.status_code, *sys.modules)
"""
NEEDED_LATER = {
    *("cv2", "onnxruntime", "openpyxl", "openskill", "PIL", "pygal", "reportlab", "scipy"),
    *("cryptography", "tqdm", "urllib3", "vision.pipeline", "zeroconf"),
}
"""What only photos, files, ratings, charts, https and other commands need."""


def test_the_first_page_waits_for_nothing_that_only_later_ones_need() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PAGE], capture_output=True, text=True, check=True
    )
    status, *loaded = done.stdout.split()
    assert status == "200"
    assert "flask" in loaded
    assert NEEDED_LATER.intersection(loaded) == set()
